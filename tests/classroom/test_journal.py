"""The journal keeps every whole report, whatever happened to the run that wrote it."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from autograder.calls.requests_and_outcomes import ShownSlice, Smallest
from autograder.classroom.journal import Journal, read_reports
from autograder.errors import UsageError
from autograder.grade.report import CaseResult, Marked, PartReport, Report, ResultRow, Status
from autograder.text.growth.compare import GrowthVerdict

WHO = ("ada", "basics", "scores")
REPORT = Report(*WHO, ())
BORIS = replace(REPORT, student="boris")


def test_a_report_is_found_again_under_the_same_notebook_and_key(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
    with Journal(tmp_path) as journal:
        assert journal.graded(WHO, "key") == "notebook"
        assert journal.graded(WHO, "another") is None
        assert journal.graded(("boris", "basics", "scores"), "key") is None


def test_a_report_fresh_from_the_judge_is_kept_as_one_that_was_read(tmp_path):
    """Its verdicts are names of an enumeration there, as a run with one worker hands them over."""
    verdict = next(iter(GrowthVerdict))
    part = PartReport("time", 0.0, 1.0, Status.GRADED, verdict, "too small")
    with Journal(tmp_path) as journal:
        journal.add(replace(REPORT, parts=(part,)), "notebook", "key")
        assert journal.summaries[WHO].parts[0].verdict == verdict.value


def test_what_half_a_class_says_alike_is_held_in_memory_once_and_written_as_it_was(tmp_path):
    part = PartReport("time", 2.0, 2.0, Status.GRADED, "equivalent", "right")
    with Journal(tmp_path) as journal:
        for student, score in (("ada", 2.0), ("boris", 2), ("chen", 2.0)):
            report = replace(REPORT, student=student, parts=(replace(part, score=score),))
            journal.add(report, "notebook", "key")
        ada, boris, chen = (report.parts[0] for report in journal.summaries.values())
        assert ada is chen
        assert [repr(each.score) for each in (ada, boris, chen)] == ["2.0", "2", "2.0"]


def test_pictures_are_not_held_in_memory(tmp_path):
    shown = ShownSlice("", ("1 2",), ("1 3",))
    smallest = Smallest((("x", "1"),), (("", "1"),), (("", "2"),), 1)
    marked = Marked(3, "it parts here", shown=shown)
    part = PartReport("f", 0, 1, Status.GRADED, "wrong", "it parts here", departs=marked, smallest=smallest)
    with Journal(tmp_path) as journal:
        journal.add(replace(REPORT, parts=(part,)), "notebook", "key")
        brief, whole = journal.summaries[WHO].parts[0], journal.report(WHO).parts[0]
    assert (brief.departs, brief.smallest) == (Marked(3, "it parts here"), None)
    assert (whole.departs, whole.smallest) == (marked, smallest)


def test_half_a_line_is_cut_off_and_the_rest_kept(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
        journal.add(BORIS, "notebook", "key")
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with Journal(tmp_path) as journal:
        assert list(journal.summaries) == [WHO]
        journal.add(BORIS, "notebook", "key")
    assert path.read_bytes() == whole


def test_the_last_report_of_a_submission_counts(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "old", "key")
        journal.add(replace(REPORT, seconds=1), "new", "key")
    with Journal(tmp_path) as journal:
        assert journal.graded(WHO, "key") == "new"
        assert journal.summaries[WHO].seconds == journal.report(WHO).seconds == 1


def test_details_stay_on_the_disk_through_a_tidying(tmp_path):
    part = PartReport("scores", 1.0, 1.0, Status.GRADED, "correct", "right")
    parts = (replace(part, cases=(CaseResult("überall", True, False),)),)
    with Journal(tmp_path) as journal:
        for number in range(3):
            journal.add(BORIS, "notebook", f"key {number}")
            journal.add(replace(REPORT, parts=parts), "notebook", f"key {number}")
        assert journal.summaries[WHO].parts == (part,)
        journal.tidy()
        assert journal.report(WHO).parts == parts
    assert (tmp_path / "journal.jsonl").read_bytes().count(b"\n") == 2
    with Journal(tmp_path) as journal:
        assert journal.report(WHO).parts == parts
        assert journal.graded(WHO, "key 2") == "notebook"


@pytest.mark.parametrize("damage", [b"{\n", b"\0\0\0\n", b'{"report": 3}\n', b"[]\n"])
def test_one_damaged_line_is_skipped_and_the_rest_kept(tmp_path, damage):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
        journal.add(BORIS, "notebook", "key")
    path = tmp_path / "journal.jsonl"
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + damage + second)
    rows = [
        ResultRow(*who, "scores", 1.0, 1.0, Status.GRADED, "correct", None, "right")
        for who in (WHO, BORIS.identity)
    ]
    assert [report.student for report in read_reports(tmp_path, rows)] == ["ada", "boris"]
    with Journal(tmp_path) as journal:
        assert (len(journal.summaries), journal.damaged) == (2, 1)
        journal.tidy()
        journal.add(replace(REPORT, student="chen"), "notebook", "key")
        assert journal.report(("chen", "basics", "scores")).student == "chen"
    assert path.read_bytes().startswith(first + second)
    with Journal(tmp_path) as journal:
        assert (len(journal.summaries), journal.damaged) == (3, 0)


def test_tidying_keeps_the_lock(tmp_path):
    with Journal(tmp_path) as journal:
        for number in range(3):
            journal.add(REPORT, "notebook", f"key {number}")
        journal.tidy()
        with pytest.raises(UsageError, match="another run is writing to"):
            Journal(tmp_path)
    with Journal(tmp_path):
        pass


def test_a_folder_that_is_deleted_meanwhile_is_said(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    with Journal(out) as journal:
        journal.add(REPORT, "notebook", "key")
        shutil.rmtree(out)
        with pytest.raises(UsageError, match="was deleted or replaced while the class was graded"):
            journal.add(REPORT, "notebook", "key")
