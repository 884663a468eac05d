"""Exports: each format as its platform publishes it, and rosters filled in for the right students."""

from __future__ import annotations

import csv
import io
import json

import pytest

from autograder.errors import UsageError
from autograder.exports.canvas import canvas_text, fill_canvas
from autograder.exports.gradescope import gradescope_results
from autograder.exports.mark_sheet import make_sheet
from autograder.exports.moodle import fill_moodle, moodle_text
from autograder.exports.plain_table import plain_text
from autograder.exports.roster import Roster, match_students, read_roster
from autograder.grade.report import CaseResult, PartReport, Report, ResultRow, Status


def rows_of(student, *scores, set_id="basics", problem="scores"):
    parts = zip(("scores", "axis", "why"), (3.0, 1.0, 2.0), scores, strict=True)
    return [
        ResultRow(
            student,
            set_id,
            problem,
            part,
            score,
            most,
            Status.GRADED,
            "correct" if score == most else "wrong",
            None,
            "right" if score == most else "a < b\nand more",
        )
        for part, most, score in parts
    ]


def table(text):
    return list(csv.reader(io.StringIO(text)))


@pytest.fixture
def sheet(small):
    rows = [*rows_of("lovelaceada_123", 3, 1, 0), *rows_of("zusekonrad_456", 1.5, 0, 0)]
    return make_sheet(small, rows, {("lovelaceada_123", "basics", "scores"): 5.25})


def test_marks_are_added_up_by_set_and_a_persons_marks_count(sheet):
    assert [(column.id, column.title, column.points) for column in sheet.columns] == [("basics", "Basics", 6)]
    assert sheet.marks == {("lovelaceada_123", "basics"): 5.25, ("zusekonrad_456", "basics"): 1.5}


def test_marks_can_be_listed_by_problem_and_for_one_set(real):
    rows = [
        *rows_of("ada", 3, 1, 0, set_id="transformers", problem="self_attention"),
        *rows_of("ada", 3, 0, 0, set_id="transformers", problem="spatial_attention"),
        *rows_of("boris", 1, 0, 0, set_id="sequence_models", problem="rnn_paths"),
    ]
    sheet = make_sheet(real, rows, {}, by="problem", only=["transformers"])
    assert table(plain_text(sheet)) == [
        ["student", "transformers/self_attention", "transformers/spatial_attention", "total"],
        ["ada", "4", "3", "7"],
    ]
    with pytest.raises(UsageError, match="the course has no set 'week9'; it has transformers"):
        make_sheet(real, rows, {}, only=["week9"])


def test_the_plain_table_leaves_blank_what_was_not_handed_in(real):
    rows = [
        *rows_of('ada, the "first"', 3, 1, 0, set_id="transformers", problem="self_attention"),
        *rows_of("boris", 1, 0, 0, set_id="sequence_models", problem="rnn_paths"),
    ]
    assert table(plain_text(make_sheet(real, rows, {}))) == [
        ["student", "transformers", "sequence_models", "total"],
        ['ada, the "first"', "4", "", "4"],
        ["boris", "", "1", "1"],
    ]


def test_canvas_gets_the_columns_that_its_importer_reads(sheet):
    rows = table(canvas_text(sheet))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Basics"]
    assert rows[1][0].strip() == "Points Possible"
    assert rows[1][-1] == "6"
    assert rows[2] == ["lovelaceada", "123", "", "", "", "5.25"]
    assert {len(row) for row in rows} == {6}


def test_a_student_without_canvas_number_is_found_by_the_login(small):
    rows = table(canvas_text(make_sheet(small, rows_of("ada", 3, 0, 0), {})))
    assert rows[2] == ["ada", "", "", "ada", "", "3"]


CANVAS_EXPORT = Roster(
    ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Basics (77)", "Essay (78)", "Final Score"),
    (
        ("    Points Possible", "", "", "", "", "6", "10", "(read only)"),
        ("Lovelace, Ada", "123", "u1", "al1", "A", "", "9", "80"),
        ("Zuse, Konrad", "999", "u2", "kz2", "A", "", "7", "80"),
        ("Noether, Emmy", "1000", "u3", "en3", "A", "", "8", "80"),
    ),
)


def test_a_canvas_export_is_filled_in_for_its_own_assignment(small, sheet):
    text, lost = fill_canvas(sheet, CANVAS_EXPORT)
    assert table(text)[0][5:] == ["Basics (77)"]
    assert [row[1:2] + row[5:] for row in table(text)[2:]] == [["123", "5.25"], ["999", "1.5"]]
    assert lost == []
    rows = [*rows_of("en3", 1, 1, 0), *rows_of("nobody", 1, 1, 0)]
    text, lost = fill_canvas(make_sheet(small, rows, {}), CANVAS_EXPORT)
    assert [row[0] for row in table(text)[2:]] == ["Noether, Emmy"]
    assert lost == ["nobody is not in the roster"]


def test_a_file_that_is_no_canvas_export_is_refused(sheet):
    with pytest.raises(UsageError, match="the roster is no Canvas export"):
        fill_canvas(sheet, Roster(("Name", "Mark"), ()))


def test_moodle_gets_a_worksheet_with_its_participants(small):
    sheet = make_sheet(small, rows_of("Ada Lovelace_5", 3, 0, 2), {})
    (head, row) = table(moodle_text(sheet))
    fields = dict(zip(head, row, strict=True))
    assert {"Identifier", "Grade", "Last modified (grade)"} <= set(head)  # what its importer insists on
    assert fields["Identifier"] == "Participant 5"
    assert fields["Full name"] == "Ada Lovelace"
    assert (fields["Grade"], fields["Maximum Grade"]) == ("5", "6.00")
    assert fields["Feedback comments"] == (
        "<ul><li>scores: 3 / 3: right</li><li>axis: 0 / 1: a &lt; b</li><li>why: 2 / 2: right</li></ul>"
    )


def test_a_class_that_is_not_from_moodle_gets_a_file_for_its_grade_import(small):
    assert table(moodle_text(make_sheet(small, rows_of("ada", 3, 1, 2), {})))[0] == [
        *("Username", "Basics", "Basics (feedback)")
    ]


def test_a_moodle_worksheet_is_filled_in_and_otherwise_left_alone(small):
    roster = Roster(
        ("Identifier", "Full name", "Email address", "Grade", "Last modified (grade)", "Feedback comments"),
        (
            ("Participant 5", "Ada Lovelace", "ada@x.org", "", "Monday", ""),
            ("Participant 6", "Emmy Noether", "emmy@x.org", "4", "Tuesday", "fine"),
            ("Participant 7", "Konrad Zuse", "kz@x.org", "", "-", ""),
        ),
    )
    rows = [*rows_of("Ada Lovelace_5", 3, 0, 0), *rows_of("kz@x.org", 1, 0, 0)]
    text, lost = fill_moodle(make_sheet(small, rows, {}), roster)
    filled = table(text)
    assert [row[3] for row in filled[1:]] == ["3", "4", "1"]
    assert filled[2] == list(roster.rows[1])
    assert filled[1][4] == "Monday"
    assert lost == []
    with pytest.raises(UsageError, match="the roster is no Moodle worksheet"):
        fill_moodle(make_sheet(small, rows, {}), Roster(("Name",), ()))


def test_a_worksheet_is_for_one_assignment(real):
    rows = [
        *rows_of("ada_1", 3, 1, 0, set_id="transformers", problem="self_attention"),
        *rows_of("ada_1", 1, 0, 0, set_id="sequence_models", problem="rnn_paths"),
    ]
    with pytest.raises(UsageError, match="these are transformers, sequence_models: choose with --set"):
        moodle_text(make_sheet(real, rows, {}))


def test_a_name_that_two_rows_have_is_matched_with_neither():
    rows = [("1", "Kim, Min"), ("2", "Kim, Min"), ("3", "Kim, Jo")]
    found = match_students(["kimmin", "kimjo", "kimmin_2"], rows, lambda row: row[0], lambda row: [row[1]])
    assert found == {2: "kimjo", 1: "kimmin_2"}


def test_a_roster_is_read_with_either_separator_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("\ufeffStudent;ID\nLovelace, Ada;1\n", encoding="utf-8")
    assert read_roster(path) == Roster(("Student", "ID"), (("Lovelace, Ada", "1"),))
    path.write_text("")
    with pytest.raises(UsageError, match="is empty: export the marks"):
        read_roster(path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_roster(tmp_path / "nowhere.csv")


# Every key of results.json in Gradescope's published specification, with the values it allows for each.
NUMBER, TEXT = (int, float), (str,)
WHEN = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "simple_format", "html", "md", "ansi"}
RESULT = {"score": NUMBER, "execution_time": NUMBER, "output": TEXT, "output_format": FORMATS} | {
    "test_output_format": FORMATS,
    "test_name_format": FORMATS,
    "visibility": WHEN,
    "stdout_visibility": WHEN,
    "extra_data": (dict,),
    "tests": (list,),
    "leaderboard": (list,),
}
TEST = {"score": NUMBER, "max_score": NUMBER, "status": {"passed", "failed"}, "name": TEXT} | {
    "name_format": FORMATS,
    "number": TEXT,
    "output": TEXT,
    "output_format": FORMATS,
    "tags": (list,),
    "visibility": WHEN,
    "extra_data": (dict,),
}


def allows(allowed, value):
    return value in allowed if isinstance(allowed, set) else isinstance(value, allowed)


def test_gradescope_results_follow_the_specification_and_hide_what_hidden_cases_tell():
    cases = (
        CaseResult("more keys", False, False, "30 values differ"),
        CaseResult("secret", False, True, "think of zero"),
    )
    said = "secret: think of zero"
    parts = (
        PartReport("scores", 1, 3.0, Status.GRADED, "wrong", said, "wrong_axis", cases),
        PartReport("axis", 1, 1.0, Status.GRADED, "correct", "right"),
        PartReport("why", 0, 2.0, Status.MANUAL, "ungraded", "waits for a person"),
    )
    report = Report("ada", "basics", "scores", parts, 0.5)
    (who, text), *others = gradescope_results([report], {("ada", "basics", "scores"): 3.5}).items()
    results = json.loads(text)
    assert (who, others, results["score"]) == (("ada", "basics"), [], 3.5)
    for fields, known in [(results, RESULT), *((test, TEST) for test in results["tests"])]:
        assert fields.keys() <= known.keys()
        assert all(allows(known[name], value) for name, value in fields.items())
        assert "visibility" in fields
    assert [(test["number"], test["visibility"], test.get("status")) for test in results["tests"]] == [
        ("1.1", "after_due_date", "failed"),
        ("1.1.1", "visible", "failed"),
        ("1.2", "after_due_date", "passed"),
        ("1.3", "after_published", None),
    ]
    shown = [test for test in results["tests"] if test["visibility"] == "visible"]
    assert "secret" not in json.dumps(shown)
    assert "wrong_axis" not in json.dumps([{**test, "extra_data": None} for test in results["tests"]])
