"""Finding submissions in a folder."""

from __future__ import annotations

import pytest

from autograder.classroom.find import find_handins
from autograder.errors import UsageError


def put(folder, place, text="{}"):
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_notebooks_are_found_in_order_and_the_rest_is_named(small, tmp_path):
    put(tmp_path, "boris/basics/scores.ipynb")
    put(tmp_path, "ada/basics/scores.ipynb")
    put(tmp_path, "ada/basics/timestamp.txt")
    put(tmp_path, "ada/basics/.ipynb_checkpoints/scores-checkpoint.ipynb")
    put(tmp_path, "ada/basics/data.csv")
    put(tmp_path, "ada/basics/other.ipynb")
    put(tmp_path, "ada/scores.ipynb")
    (tmp_path / "carl" / "basics").mkdir(parents=True)
    (tmp_path / "carl" / "basics" / "scores.ipynb").symlink_to(tmp_path / "ada/basics/scores.ipynb")
    found = find_handins(tmp_path, small)
    assert [(h.student, h.set, h.problem) for h in found.handins] == [
        ("ada", "basics", "scores"),
        ("boris", "basics", "scores"),
    ]
    assert found.skipped == (
        "ada/basics/data.csv: not a notebook",
        "ada/basics/other.ipynb: the course has no problem 'other' in a set 'basics'",
        "ada/scores.ipynb: expected <student>/<set>/<problem>.ipynb",
        "carl/basics/scores.ipynb: a link to another file is not a submission",
    )


def test_an_empty_folder_is_no_error(small, tmp_path):
    assert find_handins(tmp_path, small).handins == ()


def test_a_missing_folder_is_wrong_usage(small, tmp_path):
    with pytest.raises(UsageError, match="is not a folder of submissions"):
        find_handins(tmp_path / "nowhere", small)
