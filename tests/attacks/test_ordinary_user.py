"""What root's tests show must hold for whoever is not root: the walls are built otherwise for them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UID = 4711
# The families that walls decide, in each tier; limits where only the child's own parent holds it. What the judge
# sees through, it sees through as any user.
CHOSEN = "files or processes or snooping or sockets or isolation or class or (landlock and exhaustion)"


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder of the other user's, where the others' folders do not close it."""
    folder = Path(tempfile.mkdtemp(prefix="ordinary-", dir="/tmp"))
    os.chown(folder, UID, UID)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_the_attacks_come_to_nothing_where_an_ordinary_user_grades(home: Path) -> None:
    if os.geteuid():
        return  # then all these tests are an ordinary user's already
    tests = [
        *("tests/attacks/test_attacks.py", "tests/attacks/test_class.py", "tests/sandbox/test_isolation.py"),
        *("-k", f"({CHOSEN}) and not lie"),
    ]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.attacks.ordinary_user", str(UID)),
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *tests),
        ],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
            **dict.fromkeys(("HOME", "TMPDIR"), str(home)),
            **dict.fromkeys(("USER", "LOGNAME"), "ordinary"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    (passed,) = re.findall(r"(\d+) passed", done.stdout)
    assert int(passed) > 60, done.stdout[-500:]
