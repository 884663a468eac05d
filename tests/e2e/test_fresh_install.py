"""From the wheel alone, in an environment of its own and outside the repository: what a stranger does first."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.course.load import load_course
from autograder.packages.gradescope_zip import gradescope_files
from autograder.release.wheel import build_wheel, pack, wheel_name
from tests.conftest import ROOT

pytestmark = pytest.mark.e2e


def run(*command: str | Path, cwd: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # An index that cannot be reached is passed over at once: the pinned versions are the same on each.
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**clean, "PIP_RETRIES": "0", "PIP_TIMEOUT": "30"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gradescope's folders after its setup.sh: a fresh environment with our wheel in it."""
    home = tmp_path_factory.mktemp("machine") / "autograder"
    course = load_course(ROOT)
    files = gradescope_files(course, [group for group in course.sets if group.id == "transformers"])
    with zipfile.ZipFile(io.BytesIO(pack(files))) as archive:
        archive.extractall(home / "source")
    run("bash", home / "source" / "setup.sh", cwd=home)
    (home / "results").mkdir()
    shutil.copy(home / "source" / "run_autograder", home)
    return home


def test_the_wheel_that_make_builds_is_the_one_that_is_handed_out(tmp_path):
    """Handed out is one that the running autograder packs of itself: an installed one has no sources."""
    sources = tmp_path / "sources"
    shutil.copytree(ROOT / "autograder", sources / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "constraints.txt", "Makefile"):
        shutil.copy(ROOT / name, sources)
    (sources / ".venv").symlink_to(sys.prefix)
    run("make", "--assume-old", ".venv/.ready", "wheel", cwd=sources)
    made = packed((sources / "dist" / wheel_name()).read_bytes())
    assert made == packed(build_wheel())


def packed(wheel: bytes) -> dict[str, bytes]:
    """The files of the package, and which commands it gives."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    return {
        name: b"".join(data.split())
        for name, data in files.items()
        if name.startswith("autograder/") or name.endswith("entry_points.txt")
    }


def test_a_submission_is_graded_in_gradescopes_folders(home):
    submission = home / "submission"
    submission.mkdir()
    for path in (ROOT / "examples" / "submitted" / "ada" / "transformers").glob("*.ipynb"):
        shutil.copy(path, submission)
    (home / "submission_metadata.json").write_text('{"users": [{"email": "ada@x.org"}]}')
    run("bash", home / "run_autograder", cwd=home)
    results = json.loads((home / "results" / "results.json").read_text(encoding="utf-8"))
    assert results["score"] > 0
    assert all(test.get("score", 0) <= test.get("max_score", 0) for test in results["tests"])


def test_the_made_up_class_is_graded_by_the_wheel_alone(home):
    autograder = home / "venv" / "bin" / "autograder"
    course = home / "source" / "course"
    shutil.copytree(ROOT / "examples", course / "examples")
    out = home / "out"
    said = run(autograder, "demo", "--course", course, "--out", out, cwd=home)
    assert "what boris reads about multi_head_self_attention:" in said
    assert f"open {out / 'report.html'}" in said
    assert (out / "gradebook.db").is_file()
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["student"] for row in rows} == {
        path.name for path in (ROOT / "examples" / "submitted").iterdir() if path.is_dir()
    }
    where = run(home / "venv/bin/python", "-c", "import autograder; print(autograder.__file__)", cwd=home)
    assert Path(where.strip()).is_relative_to(home)


def test_the_tutorial_is_what_the_wheel_alone_prints(home):
    command = [ROOT / "docs" / "make_tutorial.py", "--autograder", home / "venv" / "bin" / "autograder"]
    run(sys.executable, *command, "--check", cwd=home)
