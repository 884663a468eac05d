"""Reports in nbgrader's gradebook: everything is there, and what a person gave stays."""

from __future__ import annotations

import multiprocessing
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import MissingEntry
from sqlalchemy import event, make_url

from autograder.errors import UsageError
from autograder.grade.report import Status
from autograder.gradebook import write_marks
from autograder.gradebook.gradebook_process import serve
from autograder.gradebook.nbgrader_config import write_config
from tests.gradebook.conftest import RIGHT, report
from tests.pages.classes import edited_parts

ANSWERS = {"scores": RIGHT, "axis": 'axis = "a"', "why": "Because."}
EARNED = {"scores": 3.0, "axis": 0.5, "why": None}
IN_THE_GRADEBOOK = {"scores-check": (3.0, False), "axis-check": (0.5, False), "why": (None, True)}


def test_the_sets_become_assignments_with_all_their_cells(clerk):
    clerk.write()
    with clerk.gradebook() as gradebook:
        assert [assignment.name for assignment in gradebook.assignments] == ["basics"]
        assert gradebook.find_assignment("basics").max_score == 12
        notebook = gradebook.find_notebook("scores", "basics")
        assert {cell.name: cell.max_score for cell in notebook.grade_cells} == {
            "scores-check": 3,
            "axis-check": 1,
            "why": 2,
        }
        assert {cell.name for cell in notebook.solution_cells} == {"scores", "axis", "why"}
        assert gradebook.find_source_cell("setup", "scores", "basics").locked
        assert len(notebook.source_cells) == 11


def test_marks_are_written_and_prose_waits_for_a_person(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.hand_in(report("boris"))
    clerk.write()
    nothing = (0.0, False)
    assert clerk.marks() == {
        "ada": IN_THE_GRADEBOOK,
        "boris": {"scores-check": nothing, "axis-check": nothing, "why": nothing},
    }
    with clerk.gradebook() as gradebook:
        assert gradebook.find_submission("basics", "ada").score == 3.5
        assert gradebook.find_comment("scores", "scores", "basics", "ada").comment is None
        assert gradebook.find_comment("scores", "scores", "basics", "boris").comment == "No response."


def test_a_file_that_cannot_be_read_waits_for_a_person_in_every_part(clerk):
    unreadable = edited_parts(report("ada"), status=Status.UNREADABLE)
    Path(clerk.hand_in(unreadable).path).write_bytes(b"{")
    clerk.write()
    waits = (None, True)
    assert clerk.marks()["ada"] == {"scores-check": waits, "axis-check": waits, "why": waits}


def test_a_notebook_that_was_not_handed_in_earns_nothing_and_waits_for_nobody(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    assert set(clerk.marks("other")["ada"].values()) == {(0.0, False)}
    clerk.hand_in(report("ada", "other", **EARNED), **ANSWERS)
    clerk.write()
    assert clerk.marks("other")["ada"] == IN_THE_GRADEBOOK
    assert clerk.marks("scores")["ada"] == IN_THE_GRADEBOOK


def mark_by_hand(clerk, score=1.5, comment="well said"):
    with clerk.gradebook() as gradebook:
        grade = gradebook.find_grade("why", "scores", "basics", "ada")
        grade.manual_score, grade.needs_manual_grade = score, False
        gradebook.find_comment("why", "scores", "basics", "ada").manual_comment = comment
        gradebook.db.commit()


def by_hand(clerk):
    with clerk.gradebook() as gradebook:
        grade = gradebook.find_grade("why", "scores", "basics", "ada")
        words = gradebook.find_comment("why", "scores", "basics", "ada").comment
        return grade.score, grade.needs_manual_grade, words


def test_what_a_person_gave_survives_a_regrade(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    mark_by_hand(clerk)
    clerk.hand_in(report("ada", **{**EARNED, "scores": 1.0}), **ANSWERS)
    clerk.write()
    assert clerk.marks()["ada"]["scores-check"] == (1.0, False)
    assert by_hand(clerk) == (1.5, False, "well said")


def test_a_changed_answer_is_to_be_read_again_and_keeps_its_mark_until_then(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    mark_by_hand(clerk)
    clerk.hand_in(report("ada", **EARNED), **{**ANSWERS, "why": "On second thoughts."})
    clerk.write()
    assert by_hand(clerk) == (1.5, True, "well said")


def test_what_is_there_already_is_not_written_again(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    copy = clerk.out / "autograded/ada/basics/scores.ipynb"
    before, written = (clerk.out / "gradebook.db").read_bytes(), copy.stat().st_ino
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    assert ((clerk.out / "gradebook.db").read_bytes(), copy.stat().st_ino) == (before, written)
    clerk.hand_in(report("ada", **{**EARNED, "axis": 1.0}), **ANSWERS)
    clerk.write()
    assert copy.stat().st_ino != written
    assert clerk.marks()["ada"]["axis-check"] == (1.0, False)


def test_a_lost_gradebook_is_filled_again(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    (clerk.out / "gradebook.db").unlink()
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    assert clerk.marks()["ada"] == IN_THE_GRADEBOOK
    with clerk.gradebook() as gradebook:
        assert gradebook.find_comment("why", "scores", "basics", "ada").comment is None


def test_a_second_report_on_the_same_notebook_counts(clerk):
    clerk.hand_in(report("ada"))
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    assert clerk.marks()["ada"] == IN_THE_GRADEBOOK


def test_late_submissions_lose_marks_by_the_courses_rule(clerk, index):
    index("due = 2026-11-30T12:00:00Z", '[late]\nrule = "per_day"\npercent = 10\ngrace_minutes = 5')
    (clerk.root / "solutions" / "extensions.toml").write_text("[basics]\nchen = 3\n")
    times = {
        "ada": "2026-11-30 11:00:00.000000 UTC",
        "boris": "2026-12-01 13:00:00.000000 UTC",
        "chen": "2026-12-01 13:00:00 UTC",
        "dana": "not a time",
        "emil": "",
    }
    for student, timestamp in times.items():
        clerk.hand_in(report(student, **EARNED), timestamp, **ANSWERS)
    clerk.write()
    with clerk.gradebook() as gradebook:
        found = {s.student.id: s for s in gradebook.assignment_submissions("basics")}
        penalties = {name: row.late_submission_penalty for name, row in found.items()}
        assert penalties == pytest.approx({"ada": 0, "boris": 0.7, "chen": 0, "dana": 0, "emil": 0})
        assert found["boris"].timestamp == datetime(2026, 12, 1, 13)
        assert found["chen"].extension == timedelta(days=3)
        assert found["dana"].timestamp is None
    assert (clerk.out / "autograded/boris/basics/timestamp.txt").read_text() == times["boris"]


def test_an_extension_granted_in_nbgrader_counts_at_the_next_run(clerk, index):
    index("due = 2026-11-30T12:00:00Z", '[late]\nrule = "zero"')
    late = "2026-12-01 13:00:00 UTC"
    clerk.hand_in(report("ada", **EARNED), late, **ANSWERS)
    clerk.write()
    with clerk.gradebook() as gradebook:
        assert gradebook.find_submission("basics", "ada").late_submission_penalty == 3.5
        gradebook.grant_extension("basics", "ada", days=2)
    clerk.hand_in(report("ada", **EARNED), late, **ANSWERS)
    clerk.write()
    with clerk.gradebook() as gradebook:
        assert gradebook.find_submission("basics", "ada").late_submission_penalty == 0


def change_course(clerk, old, new):
    for path in clerk.root.glob("*/*.py"):
        path.write_text(path.read_text().replace(old, new))


def test_changed_points_and_renamed_parts_follow_the_course(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    change_course(clerk, 'Prose("why", points=2', 'Prose("how", points=4')
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    with clerk.gradebook() as gradebook:
        assert gradebook.find_grade_cell("how", "scores", "basics").max_score == 4
        assert gradebook.find_submission("basics", "ada").max_score == 16
        with pytest.raises(MissingEntry, match="why"):
            gradebook.find_grade_cell("why", "scores", "basics")


def test_marks_given_by_a_person_are_never_dropped_with_their_part(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    mark_by_hand(clerk)
    change_course(clerk, 'Prose("why", points=2', 'Prose("how", points=4')
    with pytest.raises(UsageError, match=r"marks or comments that a person gave for 'why' of basics/scores"):
        clerk.write()
    assert by_hand(clerk) == (1.5, False, "well said")


def test_a_problem_taken_out_of_its_set_goes(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.write()
    (clerk.root / "problems/course.toml").write_text(
        '[sets.basics]\nproblems = ["scores"]\n[sets.more]\nproblems = ["other"]'
    )
    clerk.write()
    with clerk.gradebook() as gradebook:
        assert [notebook.name for notebook in gradebook.find_assignment("basics").notebooks] == ["scores"]


def test_a_name_too_long_for_nbgrader_is_left_out_and_said(clerk):
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    clerk.hand_in(report("x" * 129, **EARNED), **ANSWERS)
    (sentence,) = clerk.write()
    assert "is left out: names have up to 128 characters" in sentence
    assert list(clerk.marks()) == ["ada"]


def test_a_class_is_written_in_a_few_statements(clerk):
    statements = []
    event.listen(write_marks.Connection, "before_cursor_execute", lambda *call: statements.append(call[2]))
    for number in range(100):
        clerk.hand_in(report(f"s{number}", **EARNED), **ANSWERS)
    clerk.write()
    written = [text for text in statements if text.startswith(("INSERT", "UPDATE")) and "submitted" in text]
    assert len(written) == 2
    assert len(clerk.marks()) == 100


# ---------------------------------------------------------------- gradebooks that cannot be used


def other_tables(path):
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE shopping (item)")


def other_version(path, version):
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = ?", [version])


def test_a_file_that_is_no_database_is_refused(clerk):
    (clerk.out / "gradebook.db").write_text("marks, marks, marks " * 100)
    with pytest.raises(
        UsageError, match=r"gradebook.db cannot be used: file is not a database; name another"
    ):
        clerk.write()


def test_a_database_of_another_program_is_refused(clerk):
    other_tables(clerk.out / "gradebook.db")
    with pytest.raises(UsageError, match=r"not nbgrader's gradebook \(it has the tables shopping\)"):
        clerk.write()


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("167914646830", "keep a copy of it and run nbgrader db upgrade"),
        ("ffffffffffff", "it was written by another nbgrader; install that one"),
    ],
    ids=["older", "unknown"],
)
def test_a_gradebook_of_another_version_is_refused(clerk, version, message):
    clerk.write()
    other_version(clerk.out / "gradebook.db", version)
    with pytest.raises(UsageError, match=rf"has version {version}, nbgrader .* has \w+: {message}"):
        clerk.write()


def test_a_gradebook_that_cannot_be_written_is_refused(clerk):
    clerk.write()
    clerk.hand_in(report("ada", **EARNED), **ANSWERS)
    with pytest.raises(UsageError, match="attempt to write a readonly database"):
        clerk.write(f"sqlite:///file:{clerk.out / 'gradebook.db'}?mode=ro&uri=true")


def test_a_gradebook_whose_grader_was_ended_ends_in_silence(clerk, monkeypatch):
    monkeypatch.setattr("autograder.gradebook.gradebook_process.signal.signal", lambda number, action: None)
    ours, theirs = multiprocessing.Pipe()
    ours.close()
    serve(theirs, str(clerk.root), str(clerk.out), None, ["basics"])
    assert (clerk.out / "gradebook.db").is_file()
    theirs.close()


@pytest.mark.parametrize(
    ("db", "message"),
    [
        ("marks", "--db 'marks' is no database address: write one such as sqlite:///marks.db"),
        ("sqlite:////nowhere/at/all.db", "all.db cannot be used: unable to open database file"),
        ("oracle9000://x/y", "needs a database driver that is not installed"),
        (
            "postgresql+psycopg://ada:hush@127.0.0.1:1/x",
            r"ada:\*\*\*@127.0.0.1:1/x cannot be used: connection",
        ),
    ],
    ids=["address", "folder", "driver", "server"],
)
def test_an_address_that_leads_nowhere_is_refused(clerk, db, message):
    with pytest.raises(UsageError, match=message) as caught:
        clerk.write(db)
    assert "hush" not in str(caught.value)


def test_a_password_stays_out_of_the_configuration(clerk, tmp_path):
    write_config(clerk.out, clerk.root, make_url("postgresql+psycopg://ada:hush@host/x"), None)
    text = (clerk.out / "nbgrader_config.py").read_text()
    assert "postgresql+psycopg://ada@host/x" in text
    assert "hush" not in text


def test_a_configuration_of_the_users_own_stays(clerk):
    (clerk.out / "nbgrader_config.py").write_text("c = get_config()\n")
    clerk.write()
    assert (clerk.out / "nbgrader_config.py").read_text() == "c = get_config()\n"
