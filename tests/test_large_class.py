"""The class of sixty: the same for the same seed, every kind of student, found in every platform's layout."""

from __future__ import annotations

import pytest

from autograder.classroom.find_hand_ins import find_handins
from examples import large_class

COUNT = 60


def test_the_same_seed_gives_the_same_class_and_another_seed_another():
    small = large_class.make_files(10)
    assert small == large_class.make_files(10)
    assert small != large_class.make_files(10, seed=2)


def test_every_kind_of_student_is_in_it():
    students = large_class.draw_class(COUNT)
    assert {student.kind for student in students} == set(large_class.KINDS)
    assert len({student.id for student in students}) == COUNT


@pytest.mark.parametrize("layout", large_class.LAYOUTS)
def test_all_of_them_are_found_in_a_zip_of_every_layout(real, tmp_path, layout):
    files = large_class.make_files(COUNT, layout)
    large_class.write_files(files, tmp_path / "class.zip")
    found = find_handins(tmp_path / "class.zip", real)
    assert len({handin.student for handin in found.handins}) == COUNT
    assert len(found.handins) == sum(name.endswith(".ipynb") for name in files)
    assert {handin.set for handin in found.handins} == {"transformers"}
    assert found.skipped == ()
