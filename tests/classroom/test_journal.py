"""The journal keeps every whole report, whatever happened to the run that wrote it."""

from __future__ import annotations

from autograder.classroom.journal import Journal

REPORT = {"student": "ada", "set": "basics", "problem": "scores", "parts": []}
WHO = ("ada", "basics", "scores")


def test_a_report_is_found_again_under_the_same_notebook_and_key(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
    with Journal(tmp_path) as journal:
        assert journal.known(WHO, "notebook", "key")
        assert not journal.known(WHO, "another", "key")
        assert not journal.known(WHO, "notebook", "another")
        assert not journal.known(("boris", "basics", "scores"), "notebook", "key")


def test_half_a_line_is_cut_off_and_the_rest_kept(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "notebook", "key")
        journal.add({**REPORT, "student": "boris"}, "notebook", "key")
    path = tmp_path / "journal.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-10])
    with Journal(tmp_path) as journal:
        assert list(journal.entries) == [WHO]
        journal.add({**REPORT, "student": "boris"}, "notebook", "key")
    assert path.read_bytes() == whole


def test_the_last_report_of_a_submission_counts(tmp_path):
    with Journal(tmp_path) as journal:
        journal.add(REPORT, "old", "key")
        journal.add({**REPORT, "seconds": 1}, "new", "key")
    with Journal(tmp_path) as journal:
        assert journal.known(WHO, "new", "key")
        assert journal.entries[WHO]["report"]["seconds"] == 1
