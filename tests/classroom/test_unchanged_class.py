"""A second run over an unchanged class says the same without loading what grades; any change is graded."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.settings_and_outcome import Settings
from autograder.classroom.unchanged_class import known_again, may_be_unchanged
from autograder.course.load import load_course
from tests.conftest import SMALL

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
RUN = (
    "import sys\nfrom autograder.cli import main\nsys.argv = ['autograder', *sys.argv[1:]]\n"
    "try: main()\nfinally: print('imported', {'torch', 'numpy', 'nbformat'} & {*sys.modules} or 'nothing')"
)


@pytest.fixture
def handed_in(tmp_path: Path, notebook: Callable[..., bytes]) -> Path:
    answers = {"ada": 'axis = "a"', "bob": 'axis = "b"', "eve": "axis ="}
    for student, axis in answers.items():
        path = tmp_path / "submitted" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=RIGHT, axis=axis, why="Because."))
    return tmp_path / "submitted"


def test_the_command_says_the_same_again_and_imports_nothing_heavy(handed_in: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", RUN, "grade", handed_in, "--out", out, "--course", SMALL]
    first, second = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(2))
    assert "imported nothing" not in first.stdout
    *said, imported = second.stdout.splitlines()
    assert imported == "imported nothing"
    assert said == first.stdout.replace("3 graded now", "0 graded now").splitlines()[: len(said)]
    assert second.stderr == ""

    (handed_in / "bob" / "basics" / "scores.ipynb").write_bytes(
        (handed_in / "ada" / "basics" / "scores.ipynb").read_bytes()
    )
    third = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "3 notebooks, 1 graded now" in third.stdout


def test_whatever_has_changed_is_noticed(handed_in: Path, copied: Path, tmp_path: Path) -> None:
    settings = Settings(tmp_path / "out", gradebook=True)
    assert not may_be_unchanged(settings)
    grade_class(
        load_course(copied), find_handins(handed_in, load_course(copied)), settings, lambda report: None
    )
    assert may_be_unchanged(settings)
    assert not may_be_unchanged(replace(settings, regrade=True))
    assert not may_be_unchanged(replace(settings, db="sqlite:///elsewhere.db"))

    def stands(settings: Settings = settings) -> bool:
        course = load_course(copied, solutions=False, sealed=True)
        return known_again(course, find_handins(handed_in, course), settings) is not None

    assert stands()
    for other in (
        replace(settings, isolation=False),
        replace(settings, limits={"call_seconds": 3}),
        replace(settings, gradebook=False),
    ):
        assert not stands(other)
    out = settings.out
    for path, text in {
        handed_in / "ada" / "basics" / "scores.ipynb": b"{}",
        handed_in / "ada" / "basics" / "timestamp.txt": b"2026-01-01 10:00:00",
        copied / "solutions" / "scores.py": (copied / "solutions" / "scores.py").read_bytes() + b"\n",
        copied / "solutions" / "secret.txt": b"another",
        copied / "solutions" / "extensions.toml": b"[ada]\n",
        copied / "problems" / "course.toml": (copied / "problems" / "course.toml").read_bytes() + b"# x\n",
        out / "results.jsonl": b"",
        out / "report.html": b"",
        out / "gradebook.db": b"",
        out / "feedback" / "ada" / "basics" / "more.html": b"",
        out / "autograded" / "ada" / "basics" / "more.ipynb": b"",
        handed_in / "zoe" / "basics" / "scores.ipynb": b"{}",
        handed_in / "notes.txt": b"",
    }.items():
        with changed(path, text):
            assert not stands(), path
        assert stands(), path
    for path in (out / "feedback" / "bob" / "basics" / "scores.html", handed_in / "bob"):
        aside = tmp_path / "aside"
        shutil.move(path, aside)
        assert not stands(), path
        shutil.move(aside, path)
        assert stands(), path


class changed:
    """A file has another content for a while; then all of it is as it was."""

    def __init__(self, path: Path, content: bytes) -> None:
        self._path, self._content = path, content

    def __enter__(self) -> None:
        self._made = [folder for folder in self._path.parents if not folder.exists()]
        self._path.parent.mkdir(parents=True, exist_ok=True)
        there = self._path.exists()
        self._before = (self._path.read_bytes(), self._path.stat()) if there else None
        self._path.write_bytes(self._content)

    def __exit__(self, *error: object) -> None:
        if self._before is None:
            self._path.unlink()
            for folder in self._made:
                folder.rmdir()
            return
        content, state = self._before
        self._path.write_bytes(content)
        os.utime(self._path, ns=(state.st_atime_ns, state.st_mtime_ns))
