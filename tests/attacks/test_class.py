"""A class with hostile students in it: the marks of the others are what they would be without them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.settings_and_outcome import Settings
from autograder.course.load import Course
from autograder.notebook.fill import fill
from tests.attacks.attack import AXIS, RIGHT, Attack, aside, inside
from tests.attacks.conftest import notebook_of
from tests.attacks.families import endings, exhaustion, files, processes, protocol, snooping
from tests.attacks.ground import Ground, processes_below

HOSTILE: dict[str, Attack] = {
    "b_bomb": processes.ATTACKS["a fork bomb"],
    "c_crowd": files.ATTACKS["a folder that nobody may enter"],
    "d_forger": protocol.ATTACKS["marks on every descriptor"],
    "e_closer": protocol.ATTACKS["closed pipes"],
    "f_hoarder": exhaustion.ATTACKS["memory bit by bit"],
    "g_reader": snooping.ATTACKS["a neighbour's notebook"],
    "h_killer": processes.ATTACKS["a signal to all"],
    "i_crasher": endings.ATTACKS["a segfault"],
    "j_sleeper": inside("import time; time.sleep(3600)"),
    "k_thief": aside("import os; os.listdir('@GROUND@'); open('@GROUND@/submitted/ada.ipynb').read()"),
}
LIMITS = {"call_seconds": 1, "cell_seconds": 5, "memory_mb": 512}


def hand_in(folder: Path, student: str, data: bytes) -> Path:
    path = folder / student / "basics" / "scores.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return path


def rows_of(course: Course, submitted: Path, out: Path, **options: Any) -> list[dict[str, Any]]:
    settings = Settings(out, limits=LIMITS, **options)
    grade_class(course, find_handins(submitted, course), settings, lambda report: None)
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]


@pytest.fixture
def honest_ones(stub: str) -> dict[str, bytes]:
    wrong = RIGHT.replace("dim=1", "dim=0")
    return {
        "a_right": fill(stub, {"scores": RIGHT, "axis": AXIS}),
        "m_wrong": fill(stub, {"scores": wrong, "axis": 'axis = "b"'}),
        "z_right": fill(stub, {"scores": RIGHT, "axis": AXIS, "why": "Because."}),
    }


def test_the_others_get_the_same_rows_with_and_without_hostile_neighbours(
    small: Course, ground: Ground, stub: str, honest_ones: dict[str, bytes], tmp_path: Path
) -> None:
    quiet, mixed = tmp_path / "quiet", tmp_path / "mixed"
    for folder in (quiet, mixed):
        for student, data in honest_ones.items():
            hand_in(folder, student, data)
    for student, attack in HOSTILE.items():
        hand_in(mixed, student, notebook_of(attack, stub, ground))
    link = mixed / "y_linked" / "basics" / "scores.ipynb"
    link.parent.mkdir(parents=True)
    link.symlink_to(mixed / "a_right" / "basics" / "scores.ipynb")
    (mixed / "x_folder").symlink_to(mixed / "a_right")

    before, running = ground.snapshot(), processes_below(os.getpid())
    alone = rows_of(small, quiet, tmp_path / "out-quiet")
    together = rows_of(small, mixed, tmp_path / "out-mixed")
    assert [row for row in together if row["student"] in honest_ones] == alone
    marks: dict[str, float] = {}
    for row in together:
        marks[row["student"]] = marks.get(row["student"], 0) + row["score"]
    for student, attack in HOSTILE.items():
        assert marks[student] == sum(attack.earns), student
    assert marks.get("y_linked", 0) == marks.get("x_folder", 0) == 0
    assert ground.snapshot() == before
    assert processes_below(os.getpid()) <= running
