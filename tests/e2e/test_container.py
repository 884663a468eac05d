"""What `package --for container` copies, in a root of bubblewrap's laid out as its recipe says: no engine is needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course.load import load_course
from autograder.packages.container import container_files
from autograder.release.bundle import write_bundle
from tests.conftest import SMALL

pytestmark = pytest.mark.e2e
OWN = {"proc", "dev", "srv", "class", "run", "lost+found"}  # made anew inside, or of no use there


def inside(recipe: Path, klass: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The image's command: the machine read-only, the course at its place, the class, no network."""
    shown = []
    for top in sorted(Path("/").iterdir()):
        if top.is_symlink():
            shown += ["--symlink", os.readlink(top), str(top)]
        elif top.name not in OWN and top.is_dir():
            shown += ["--ro-bind", str(top), str(top)]
    mounts = ["--ro-bind", str(recipe / "course"), "/srv/course", "--bind", str(klass), "/class"]
    return subprocess.run(
        [
            *("bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", *shown, "--proc", "/proc"),
            *("--dev", "/dev", "--tmpfs", "/run", *mounts, "--chdir", "/class"),
            *("--setenv", "AUTOGRADER_CACHE", "/class/cache", sys.executable, "-m", "autograder", *words),
        ],
        capture_output=True,
        text=True,
        check=False,
    )


def test_doctor_passes_and_a_class_is_graded_as_the_readme_says(tmp_path, notebook):
    recipe, klass = tmp_path / "container", tmp_path / "class"
    write_bundle(container_files(load_course(SMALL)), recipe)
    place = klass / "submitted" / "ada" / "basics"
    place.mkdir(parents=True)
    (place / "scores.ipynb").write_bytes(
        notebook(scores="import torch\ndef scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)")
    )
    doctor = inside(recipe, klass, "doctor", "--json")
    assert doctor.returncode == 0, doctor.stderr
    works = {each["name"]: each["works"] for each in json.loads(doctor.stdout)}
    assert works["landlock"]
    assert works["seccomp"]
    said = (recipe / "README.md").read_text()
    words = (
        next(line for line in said.splitlines() if " grade " in line).split("autograder-course ")[1].split()
    )
    graded = inside(recipe, klass, *words)
    assert graded.returncode == 0, graded.stderr
    rows = [json.loads(line) for line in (klass / "out" / "results.jsonl").read_text().splitlines()]
    assert next(row["score"] for row in rows if row["part"] == "scores") == 3
