"""The journal keeps every whole report, whatever happened to the run that wrote it."""

from __future__ import annotations

from autograder.classroom.journal import Journal

REPORT = {"student": "ada", "set": "basics", "problem": "scores", "parts": []}
WHO = ("ada", "basics", "scores")


def test_a_report_is_found_again_under_the_same_notebook_and_key(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
    with Journal(tmp_path) as journal:
        assert journal.graded(WHO, "key") == "notebook"
        assert journal.graded(WHO, "another") is None
        assert journal.graded(("boris", "basics", "scores"), "key") is None


def test_half_a_line_is_cut_off_and_the_rest_kept(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
        journal.add({**REPORT, "student": "boris"}, "notebook", "key")
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with Journal(tmp_path) as journal:
        assert list(journal.summaries) == [WHO]
        journal.add({**REPORT, "student": "boris"}, "notebook", "key")
    assert path.read_bytes() == whole


def test_the_last_report_of_a_submission_counts(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "old", "key")
        journal.add({**REPORT, "seconds": 1}, "new", "key")
    with Journal(tmp_path) as journal:
        assert journal.graded(WHO, "key") == "new"
        assert journal.summaries[WHO]["seconds"] == journal.report(WHO)["seconds"] == 1


def test_details_stay_on_the_disk_through_a_tidying(tmp_path):
    parts = [{"part": "scores", "score": 1.0, "cases": [{"name": "überall"}]}]
    with Journal(tmp_path) as journal:
        for number in range(3):
            journal.add({**REPORT, "student": "boris", "parts": []}, "notebook", f"key {number}")
            journal.add({**REPORT, "parts": parts}, "notebook", f"key {number}")
        assert journal.summaries[WHO]["parts"] == [{"part": "scores", "score": 1.0}]
        journal.tidy()
        assert journal.report(WHO)["parts"] == parts
    assert (tmp_path / "journal.jsonl").read_bytes().count(b"\n") == 2
    with Journal(tmp_path) as journal:
        assert journal.report(WHO)["parts"] == parts
        assert journal.graded(WHO, "key 2") == "notebook"
