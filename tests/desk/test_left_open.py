"""What the grader left can be decided at the desk: graded again, accepted, marked by hand; appeals are answered."""

from __future__ import annotations

import asyncio
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.mark_changes import read_rows
from autograder.classroom.settings_and_outcome import Settings
from autograder.classroom.tables import results_text
from autograder.course.load import load_course
from autograder.desk.appeals import read_appeals
from autograder.desk.grade_again import grade_again
from autograder.desk.left_open import begin_run, find_left, stop_run
from autograder.errors import UsageError
from autograder.exports.mark_sheet import make_sheet
from autograder.grade.report import Status
from autograder.gradebook.final import read_final
from autograder.gradebook.said_by_person import AnswerPlace
from tests.desk.conftest import answered, write_journal
from tests.pages.classes import edited_parts

LATE = '[late]\nrule = "per_day"\npercent = 10\n'


@pytest.fixture
def troubled(clerk, open_desk):
    """ada's function was not judged, and boris came a day late."""
    index = clerk.root / "problems" / "course.toml"
    index.write_text(index.read_text() + "due = 2026-03-01T12:00:00Z\n" + LATE)
    ada, boris = answered("ada", None, scores=None, axis=1.0), answered("boris", None, scores=3.0, axis=1.0)
    ada = edited_parts(ada, 0, feedback="the machine was too busy", machine=True)
    boris = replace(boris, submitted=datetime(2026, 3, 2, 11).isoformat())
    given = {"scores": "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)", "axis": 'axis = "a"'}
    reports = [
        clerk.hand_in(made, stamp, **given) for made, stamp in ((ada, ""), (boris, "2026-03-02 11:00:00 UTC"))
    ]
    clerk.write()
    write_journal(clerk.out, reports)
    return open_desk()


def test_each_thing_that_was_left_says_what_to_do_and_can_be_marked_by_hand(troubled):
    visitor = troubled.visitor().enter()
    page = visitor.read("left")
    assert "the machine was too busy" in page
    assert "23.0 hours late" in page
    troubled.mark(visitor, "ada", "scores", score="2", words="read by eye")
    assert troubled.kept("ada", "scores") == (2.0, "read by eye", False)
    assert "the machine was too busy" not in visitor.read("left")


def test_what_has_a_reason_is_accepted_as_on_time_and_costs_nothing(troubled):
    def penalty() -> float | None:
        with Gradebook(f"sqlite:///{troubled.out / 'gradebook.db'}") as gradebook:
            return gradebook.find_submission_notebook("scores", "basics", "boris").late_submission_penalty

    assert penalty() == pytest.approx(0.4)
    visitor = troubled.visitor().enter()
    left = troubled.ids("scores")["boris"]
    told = visitor.send("left", True, left=left, do="on time").body.decode()
    assert "accepted as on time: boris" in told
    assert "hours late" not in told
    assert not penalty()


def test_who_came_later_than_an_extension_allows_is_still_late(troubled):
    with Gradebook(f"sqlite:///{troubled.out / 'gradebook.db'}") as gradebook:
        gradebook.find_submission("basics", "boris").extension = timedelta(hours=12)
        gradebook.db.commit()
    granted = {("basics", "boris"): timedelta(hours=12)}
    troubled.opened.deadlines = replace(troubled.opened.deadlines, extensions=granted)
    visitor = troubled.visitor().enter()
    assert "11.0 hours late" in visitor.read("left")
    told = visitor.send("left", True, left=troubled.ids("scores")["boris"], do="on time").body.decode()
    assert "goes by the line in solutions/extensions.toml: change it there, too" in told
    assert "hours late" not in told


def test_a_file_that_cannot_be_read_is_left_until_each_part_has_its_marks(clerk, open_desk):
    made = answered("ada", None)
    parts = [replace(row, status=Status.UNREADABLE, feedback="it is no notebook") for row in made.parts]
    write_journal(clerk.out, [clerk.hand_in(replace(made, parts=tuple(parts)))])
    clerk.write()
    desk = open_desk()
    visitor = desk.visitor().enter()
    for part in ("scores", "axis", "why"):
        assert "it is no notebook" in visitor.read("left")
        page = visitor.read(f"read/basics/scores/scores/{desk.ids('scores')['ada']}?show=all")
        assert f"/read/basics/scores/{part}/{desk.ids(part)['ada']}" in page
        assert f"{part}: waits" in page
        desk.mark(visitor, "ada", part, score="1")
    assert "it is no notebook" not in visitor.read("left")


def test_a_file_that_cannot_be_read_is_told_with_its_place_and_hidden_with_the_names(clerk, open_desk):
    row = answered("ada", None)
    broken = replace(edited_parts(row, 0, status=Status.UNREADABLE), path="in/ada/scores.ipynb")
    write_journal(clerk.out, [clerk.hand_in(broken)])
    clerk.write()
    visitor = open_desk().visitor().enter()
    assert re.search(r"<code>[^<]*ada/scores\.ipynb</code>", visitor.read("left"))
    visitor.send("me", names="hidden")
    assert "ada/scores" not in visitor.read("left")


def test_a_place_for_marks_leaves_what_a_run_has_written_as_it_is(desk):
    opened, fewer = desk.opened, desk.opened.course.problems["scores"]
    fewer = replace(fewer, parts=fewer.parts[:1])  # the course, as it was before the run
    opened.course = replace(opened.course, problems={**opened.course.problems, "scores": fewer})
    opened.make_place("zoe", "basics")
    assert {"ada", "zoe"} <= set(opened.hand.marks("basics", "scores", "why"))


def test_what_lateness_costs_follows_the_marks_of_a_person(troubled):
    troubled.mark(troubled.visitor().enter(), "boris", "why", score="2")
    with Gradebook(f"sqlite:///{troubled.out / 'gradebook.db'}") as gradebook:
        found = gradebook.find_submission_notebook("scores", "basics", "boris")
        assert found.late_submission_penalty == pytest.approx(0.6)


def test_a_notebook_is_graded_again_and_the_others_keep_their_marks(troubled, clerk):
    summaries = [*troubled.opened.reports.summaries.values()]
    (clerk.out / "results.jsonl").write_text(results_text(summaries))
    (clerk.out / "skipped.txt").write_text("")
    grade_again(clerk.root, clerk.out, None, {("ada", "basics", "scores"): ""})
    troubled.opened.reports.refresh()
    report = troubled.opened.reports.summaries["ada", "basics", "scores"]
    assert report.parts[0].score == 3.0
    assert "the machine was too busy" not in troubled.visitor().enter().read("left")


def graded_class(clerk, monkeypatch) -> None:
    """What lies in `submitted/` is graded for real."""
    monkeypatch.setenv("AUTOGRADER_SECRET", "of a test")
    course = load_course(clerk.root)
    found = find_handins(clerk.root / "submitted", course)
    settings = Settings(clerk.out, gradebook=True, workers=1)
    grade_class(course, found, settings, lambda report: None)


@pytest.mark.parametrize("started", [True, False])
def test_a_desk_that_is_closed_ends_what_it_grades_again(troubled, tmp_path, started):
    sign = tmp_path / "started"
    command = [sys.executable, "-c", f"open({str(sign)!r}, 'w'); import time; time.sleep(10**6)"]

    async def close() -> None:
        begin_run(troubled.opened, command, b"", "grading 1 notebook again")
        await asyncio.sleep(0)  # the task begins
        while started and not sign.exists():
            await asyncio.sleep(0.01)
        await stop_run(troubled.opened)

    asyncio.run(close())
    assert str(sign) not in "".join(running_commands())


def running_commands() -> Iterator[str]:
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            yield each.read_text()


RIGHT = {"scores": "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)", "axis": 'axis = "a"'}
WRONG = {**RIGHT, "scores": "def scores(q, k):\n    return q @ k.T"}


def test_of_two_files_of_one_name_the_other_can_count(clerk, notebook, open_desk, monkeypatch):
    for name, answers in (("scores", RIGHT), ("scores(1)", WRONG)):
        path = clerk.root / "submitted" / "ada" / "basics" / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(notebook(**answers))
    graded_class(clerk, monkeypatch)
    desk = open_desk()
    page = desk.visitor().enter().read("left")
    (claim,) = next(heap for heap in find_left(desk.opened) if heap.title == "Several files, one name").left
    assert "does not count" in page
    assert "Let this one count" in page
    visitor = desk.visitor().enter()
    visitor.send("me", names="hidden")
    assert not re.search(r"\bada\b", visitor.read("left"))
    before = desk.opened.reports.summaries["ada", "basics", "scores"].parts[0].score
    grade_again(clerk.root, clerk.out, None, {("ada", "basics", "scores"): claim.other})
    desk.opened.reports.refresh()
    assert {before, desk.opened.reports.summaries["ada", "basics", "scores"].parts[0].score} == {0.0, 3.0}
    assert "does not count" not in desk.visitor().enter().read("left")


def test_a_notebook_in_an_archive_is_graded_again_as_it_was(clerk, notebook, open_desk, monkeypatch):
    (clerk.root / "submitted").mkdir()
    with zipfile.ZipFile(clerk.root / "submitted" / "ada.zip", "w") as archive:
        archive.writestr("basics/scores.ipynb", notebook(**RIGHT))
    graded_class(clerk, monkeypatch)
    grade_again(clerk.root, clerk.out, None, {("ada", "basics", "scores"): ""})
    report = open_desk().opened.reports.summaries["ada", "basics", "scores"]
    assert report.parts[0].score == 3.0


def test_who_handed_nothing_in_is_named_with_what_to_do(clerk, notebook, open_desk, monkeypatch):
    for name in ("ada", "boris"):
        (clerk.root / "submitted" / name / "basics").mkdir(parents=True)
    (clerk.root / "submitted" / "ada" / "basics" / "scores.ipynb").write_bytes(notebook(**RIGHT))
    graded_class(clerk, monkeypatch)
    desk = open_desk()
    (heap,) = [heap for heap in find_left(desk.opened) if heap.title == "Nothing handed in"]
    assert [left.place.student for left in heap.left] == ["boris"]
    assert "a file that comes is graded by the same command" in desk.visitor().enter().read("left")


def test_who_handed_nothing_in_is_marked_by_hand_and_the_marks_are_exported_and_stay(
    clerk, notebook, open_desk, monkeypatch
):
    """On paper, by mail, in an exam: the button makes a place in the gradebook, which a regrade keeps."""
    for name in ("ada", "boris"):
        (clerk.root / "submitted" / name / "basics").mkdir(parents=True)
    (clerk.root / "submitted" / "ada" / "basics" / "scores.ipynb").write_bytes(notebook(**RIGHT))
    graded_class(clerk, monkeypatch)
    desk = open_desk()
    visitor = desk.visitor().enter()
    (heap,) = [heap for heap in find_left(desk.opened) if heap.title == "Nothing handed in"]
    page = visitor.send("left", True, left=heap.left[0].id, do="by hand").body.decode()
    assert "boris" in page
    assert f"/read/basics/scores/why/{desk.ids()['boris']}" in page
    here = f"read/basics/scores/scores/{desk.ids('scores')['boris']}"
    following = f"/read/basics/scores/axis/{desk.ids('axis')['boris']}"
    assert re.search(rf'id="after"[^>]*{following}\?', visitor.read(here))
    onward = visitor.send(
        here.replace("read/", "mark/", 1),
        **desk.form(visitor, "boris", "scores"),
        then="next",
        after=following.removeprefix("/read/"),
    )
    assert following in onward.headers["Location"]
    desk.mark(visitor, "boris", "scores", score="2", words="handed in on paper")
    assert "Nothing handed in" not in visitor.read("left")
    graded_class(clerk, monkeypatch)
    assert desk.kept("boris", "scores") == (2.0, "handed in on paper", False)
    final = read_final(None, clerk.out)
    rows = read_rows(clerk.out / "results.jsonl")
    sheet = make_sheet(desk.opened.course, rows, final.marks, by_hand=final.by_hand)
    assert sheet.marks["boris", "basics"] == 2.0


def test_an_appeal_is_shown_beside_the_answer_and_its_answer_stands_on_the_page(desk, tmp_path):
    path = tmp_path / "appeals.csv"
    path.write_text("student,part,text\nada,why,<b>I said that.</b>\n")
    appeals = read_appeals(path, desk.opened)
    assert appeals == [(AnswerPlace("ada", "basics", "scores", "why"), "<b>I said that.</b>")]
    assert (desk.opened.hand.add_appeals(appeals), desk.opened.hand.add_appeals(appeals)) == (1, 0)
    visitor = desk.visitor().enter().name("tess")
    assert "1 waits for an answer" in visitor.read("")
    page = visitor.read(f"read/basics/scores/why/{desk.ids()['ada']}?show=all")
    assert "&lt;b&gt;I said that." in page
    (id,) = re.findall(r'action="[^"]*/appeals/(\d+)"', page)
    visitor.send(f"appeals/{id}", was="", answer="you did: full marks")
    assert "you did: full marks" in desk.page("ada")
    assert (
        "meanwhile; yours is not written"
        in visitor.send(f"appeals/{id}", True, was="", answer="no").body.decode()
    )
    desk.mark(visitor, "ada", score="2")
    assert "you did: full marks" in desk.page("ada")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,part\nx,y\n", "has no column 'student'"),
        ("student,part,text\nada,how,x\n", "line 2: 'ada' has handed in no part 'how'"),
    ],
)
def test_an_appeal_of_nobody_is_refused_by_its_line(desk, tmp_path, text, says):
    path = tmp_path / "appeals.csv"
    path.write_text(text)
    with pytest.raises(UsageError, match=says):
        read_appeals(path, desk.opened)
