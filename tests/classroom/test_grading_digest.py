"""The key of a mark: changed by whatever could change the mark, and by nothing else."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from autograder.classroom import grading_digest
from autograder.classroom.grading_digest import key_of, signature, told_others, versions
from autograder.course.load import load_course
from autograder.grade.report import Report
from autograder.sandbox import tiers


def key(root, **options):
    return key_of(
        load_course(root), "scores", options.pop("limits", {}), isolation=options.pop("isolation", True)
    )


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("problems/scores.py", "\n# another question\n"),
        ("solutions/scores.py", "\n# another answer\n"),
        ("solutions/secret.txt", " more"),
        ("problems/table.csv", "1,2"),
        ("problems/course.toml", "\n[diagnosis]\nlisted = false\n"),
    ],
)
def test_a_file_that_decides_changes_the_key(copied, place, text):
    before = key(copied)
    with (copied / place).open("a") as file:
        file.write(text)
    assert key(copied) != before


@pytest.mark.parametrize(
    ("place", "text"),
    [("problems/course.toml", '\n[late]\nrule = "zero"\n'), ("solutions/extensions.toml", "")],
    ids=["late", "extensions"],
)
def test_a_file_that_decides_nothing_leaves_the_key(copied, place, text):
    before = key(copied)
    with (copied / place).open("a") as file:
        file.write(text)
    assert key(copied) == before


def test_limits_and_isolation_are_part_of_the_key(small):
    keys = {
        key_of(small, "scores", limits, isolation=isolation)
        for limits in ({}, {"call_seconds": 1.0})
        for isolation in (True, False)
    }
    assert len(keys) == 4


def test_a_machine_on_which_notebooks_can_write_nothing_has_another_key(small, monkeypatch):
    monkeypatch.setattr(tiers, "bubblewrap_fault", lambda: "not installed")
    found = set()
    for fault in ("", "it may not mount"):
        monkeypatch.setattr(tiers, "mounts_fault", lambda fault=fault: fault)
        found.add(key_of(small, "scores", {}, isolation=True))
    assert len(found) == 2


@pytest.mark.parametrize("name", ["text/expression/grammar.lark", "grade/report.py", "pages/new.css"])
def test_every_file_of_the_grader_counts(small, tmp_path, monkeypatch, name):
    package = tmp_path / "autograder"
    shutil.copytree(grading_digest.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(grading_digest, "PACKAGE", package)
    found = []
    for _ in range(2):
        versions.cache_clear()
        found.append(key_of(small, "scores", {}, isolation=True))
        with (package / name).open("a") as file:
            file.write("\n")
    versions.cache_clear()
    assert found[0] != found[1]


def test_the_key_is_of_the_course_as_it_was_loaded(copied):
    course = load_course(copied)
    before = key_of(course, "scores", {}, isolation=True)
    (copied / "solutions" / "scores.py").write_text("changed a moment later")
    assert key_of(course, "scores", {}, isolation=True) == before


def test_reports_of_another_grader_are_told_with_both_versions(small):
    grader, course = signature(small, "scores")
    now = Report("ada", "basics", "scores", (), grader=grader, course=course)
    before = replace(now, grader="autograder 0.0.1 (1a2b3c4d), python 3.11")
    assert told_others(small, [now, now]) == []
    (note,) = told_others(small, [now, before])
    assert note.startswith(
        "1 of 2 notebooks was graded by autograder 0.0.1 (1a2b3c4d), python 3.11; this is "
    )
    assert grader in note
