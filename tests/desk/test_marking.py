"""Marks and comments given at the desk are nbgrader's own, survive whatever comes, and never hide another's."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import event, text

from autograder.course.load import load_course
from autograder.course.varying_problem import own_problem
from autograder.errors import CourseError
from autograder.gradebook.by_hand import OvertakenError, marked_by
from tests.desk.conftest import CLASS, answered, write_journal

WHY = "read/basics/scores/why"


def items(desk) -> dict[str, int]:
    return {item.says: item.id for item in desk.opened.hand.items("scores", "why")}


def test_items_of_the_rubric_become_the_mark_and_the_comment_that_nbgrader_keeps(desk):
    visitor = desk.visitor().enter()
    positive = items(desk)["weights are positive"]
    desk.mark(visitor, "boris", item=[positive], words="and what do they sum to?")
    assert desk.kept("boris") == (1.0, "+1 weights are positive\n\nand what do they sum to?", False)
    page = desk.page("boris")
    assert "and what do they sum to?" in page
    assert "1 / 2" in page
    assert "5 of 6 points" in page


def test_a_typed_mark_stands_whatever_the_items_come_to(desk):
    desk.mark(desk.visitor().enter(), "ada", item=[*items(desk).values()], score="1,5")
    assert desk.kept("ada")[0] == 1.5


@pytest.mark.parametrize("score", ["3", "-1", "nan", "two", "1e400"])
def test_a_mark_that_cannot_be_is_refused_in_words(desk, score):
    answer = desk.mark(desk.visitor().enter(), "ada", score=score)
    assert answer.code == 400
    assert "is no number from 0 to 2" in answer.body.decode()
    assert desk.kept("ada") == (None, None, True)


def test_of_two_markers_the_last_is_told_and_the_first_mark_stays(desk):
    one, two = desk.visitor().enter().name("one"), desk.visitor().enter().name("two")
    stale = desk.form(two, "ada")
    desk.mark(one, "ada", score="2")
    place = f"mark/basics/scores/why/{desk.ids()['ada']}"
    answer = two.fetch(place, {**stale, "_csrf": two.csrf, "score": "0"}, Accept="application/json")
    assert answer.code == 409
    assert b"one has marked this answer meanwhile (2 of 2); yours is not written" in answer.body
    assert "one has marked this answer meanwhile" in two.send(place, True, **stale, score="0").body.decode()
    assert desk.kept("ada")[0] == 2.0


def test_a_mark_given_in_formgrader_meanwhile_is_not_written_over(desk):
    visitor = desk.visitor().enter()
    stale = desk.form(visitor, "ada")
    with Gradebook(f"sqlite:///{desk.out / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("why", "scores", "basics", "ada")
        grade.manual_score, grade.needs_manual_grade = 0.5, False
        gradebook.db.commit()
    answer = visitor.send(f"mark/basics/scores/why/{desk.ids()['ada']}", True, **stale, score="2")
    assert "somebody has marked this answer meanwhile (0.5 of 2)" in answer.body.decode()
    assert "marked outside the desk" in answer.body.decode()
    assert desk.kept("ada")[0] == 0.5


def test_a_comment_that_comes_between_our_reading_and_our_writing_is_not_written_over(desk):
    mark = desk.opened.hand.marks("basics", "scores", "why")["ada"]
    engine, came = desk.opened.book.engine, []

    def between(conn: object, cursor: object, statement: str, *rest: object) -> None:
        if statement.startswith("UPDATE") and not came:
            came.append(statement)
            with Gradebook(f"sqlite:///{desk.out / 'gradebook.db'}") as gradebook:
                gradebook.find_comment("why", "scores", "basics", "ada").manual_comment = "from Formgrader"
                gradebook.db.commit()

    event.listen(engine, "before_cursor_execute", between)
    with pytest.raises(OvertakenError, match="ada"):
        desk.opened.hand.write("two", "a mark", [(mark.seen, marked_by(mark, [], "from the desk", 1.0))])
    event.remove(engine, "before_cursor_execute", between)
    assert desk.kept("ada") == (None, "from Formgrader", True)


def change_points(visitor, item: str, points: str) -> str:
    """Look who would move, then change it: the page that follows."""
    place = f"rubric/basics/scores/why/{item}"
    shown = visitor.send(place, points=points).body.decode()
    (seen,) = re.findall(r'name="shown" value="(\w+)"', shown)
    return visitor.send(place, True, points=points, do="apply", shown=seen).body.decode()


def test_an_items_points_are_not_taken_back_while_others_have_been_given_it_since(desk):
    one, two = desk.visitor().enter().name("one"), desk.visitor().enter().name("two")
    positive = items(desk)["weights are positive"]
    desk.mark(one, "ada", item=[positive])
    change_points(one, positive, "0.5")
    desk.mark(two, "boris", item=[positive])
    assert "nothing is taken back: two has marked" in one.send("undo", True).body.decode()
    assert [desk.kept(name)[0] for name in ("ada", "boris")] == [0.5, 0.5]
    two.send("undo")
    one.send("undo")
    assert [desk.kept(name)[0] for name in ("ada", "boris")] == [1.0, None]


def test_undo_takes_back_the_last_step_of_this_marker_alone(desk):
    one, two = desk.visitor().enter().name("one"), desk.visitor().enter().name("two")
    desk.mark(one, "ada", score="2", words="good")
    desk.mark(two, "boris", score="1")
    assert "taken back: the mark of ada" in one.send("undo", True).body.decode()
    assert desk.kept("ada") == (None, None, True)
    assert desk.kept("boris")[0] == 1.0
    assert "nothing of yours to take back" in one.send("undo", True).body.decode()
    assert "good" not in desk.page("ada")


def test_nothing_is_undone_over_another_markers_head(desk):
    one, two = desk.visitor().enter().name("one"), desk.visitor().enter().name("two")
    desk.mark(one, "ada", score="2")
    desk.mark(two, "ada", score="1")
    assert "two has marked one of these answers since" in one.send("undo", True).body.decode()
    assert desk.kept("ada")[0] == 1.0


def test_other_points_for_an_item_move_everyone_who_has_it_and_say_who(desk):
    visitor = desk.visitor().enter()
    positive, one = items(desk).values()
    desk.mark(visitor, "ada", item=[positive, one])
    desk.mark(visitor, "boris", item=[positive], words="so?")
    desk.mark(visitor, "cleo", item=[positive], score="0")
    place = f"rubric/basics/scores/why/{positive}"
    shown = visitor.send(place, points="0.5").body.decode()
    assert "2 answers would move" in shown
    assert "a mark that was typed, which stays" in shown
    assert desk.kept("boris")[0] == 1.0
    assert "another list now" in visitor.send(place, points="0.5", do="apply").body.decode()
    assert desk.kept("boris")[0] == 1.0
    told = change_points(visitor, positive, "0.5")
    assert "Moved: ada 2 → 1.5, boris 1 → 0.5" in told
    assert [desk.kept(name)[0] for name in CLASS] == [1.5, 0.5, 0.0]
    assert desk.kept("boris")[1] == "+0.5 weights are positive\n\nso?"
    visitor.send("undo")
    assert [desk.kept(name)[0] for name in CLASS] == [2.0, 1.0, 0.0]
    assert [item.points for item in desk.opened.hand.items("scores", "why")] == [1.0, 1.0]


def test_the_tables_of_an_older_desk_get_the_columns_that_they_lack(desk, open_desk):
    change_points(desk.visitor().enter(), items(desk)["weights are positive"], "0.5")
    with desk.opened.book.engine.begin() as db:
        db.execute(text("ALTER TABLE desk_item DROP COLUMN authored"))
        db.execute(text("ALTER TABLE desk_step DROP COLUMN says"))
    later = open_desk()
    later.visitor().enter().send("undo")
    assert [(item.points, item.says) for item in later.opened.hand.items("scores", "why")] == [
        (1.0, "weights are positive"),
        (1.0, "they sum to one"),
    ]


def test_other_words_for_an_item_reach_everyone_who_has_it_and_are_taken_back(desk):
    visitor = desk.visitor().enter()
    positive, _ = items(desk).values()
    desk.mark(visitor, "ada", item=[positive], words="so?")
    place = f"rubric/basics/scores/why/{positive}"
    told = visitor.send(place, True, points="1", says="no weight is negative").body.decode()
    assert "reads &#39;no weight is negative&#39; now. Nobody moves" in told
    assert desk.kept("ada")[:2] == (1.0, "+1 no weight is negative\n\nso?")
    assert "no weight is negative" in desk.page("ada")
    desk.opened.seed_rubrics()  # as a desk does that is opened again
    assert [*items(desk)] == ["no weight is negative", "they sum to one"]
    refused = visitor.send(place, points="1", says="they sum to one")
    assert (refused.code, "another item of these words" in refused.body.decode()) == (400, True)
    visitor.send("undo")
    assert desk.kept("ada")[1] == "+1 weights are positive\n\nso?"
    assert [*items(desk)] == ["weights are positive", "they sum to one"]


def test_from_the_next_unmarked_answer_one_goes_back_to_the_one_that_was_just_marked(desk):
    visitor = desk.visitor().enter()
    desk.mark(visitor, "ada", score="1")
    ids = desk.ids()
    page = visitor.read(f"{WHY}/{ids['boris']}?show=unmarked")
    assert re.search(r'id="before"[^>]*/([0-9a-f]+)\?show=unmarked"', page)[1] == ids["ada"]
    assert 'id="before"' not in visitor.read(f"{WHY}/{ids['ada']}?show=unmarked")


def test_an_item_that_a_marker_adds_is_there_for_the_next_answer(desk):
    visitor = desk.visitor().enter()
    visitor.send("rubric/basics/scores/why", points="-0,5", says="calls it a sigmoid")
    page = visitor.read(f"{WHY}/{desk.ids()['cleo']}")
    assert "calls it a sigmoid" in page
    assert 'data-key="3"' in page
    desk.mark(visitor, "cleo", item=[items(desk)["calls it a sigmoid"]])
    assert desk.kept("cleo")[:2] == (0.0, "−0.5 calls it a sigmoid")


def test_filters_show_what_they_say(desk):
    visitor = desk.visitor().enter().name("me")
    desk.mark(visitor, "ada", score="2")
    desk.mark(visitor, "boris", score="0.5")

    def first(show: str) -> str:
        return re.search(r"<title>(.*?)</title>", visitor.read(f"{WHY}?show={show}"))[1]

    assert [first(show) for show in ("unmarked", "all", "low", "long", "mine")] == [
        f"why: {name}" for name in ("cleo", "ada", "boris", "ada", "ada")
    ]
    desk.mark(visitor, "cleo", score="1")
    assert "All 3 are marked" in visitor.read(WHY)


def test_hidden_names_are_in_no_page_and_no_address(desk):
    visitor = desk.visitor().enter()
    visitor.send("me", names="hidden")
    for _ in CLASS:
        page = visitor.fetch(f"{WHY}?show=all", follow=True)
        assert not any(name in page.body.decode() + page.effective_url for name in CLASS)
    assert "answer 1" in visitor.read(f"{WHY}?show=all")


def test_a_step_that_was_taken_with_names_shown_is_taken_back_without_them(desk):
    visitor = desk.visitor().enter()
    desk.mark(visitor, "ada", score="1")
    visitor.send("me", names="hidden")
    page = visitor.send("undo", True).body.decode()
    assert f"taken back: the mark of answer {desk.ids()['ada'][:4]}" in page
    assert not re.search(r"\bada\b", page)


def test_a_class_in_which_nobody_has_handed_in_has_its_pages(graded, open_desk):
    graded({})
    visitor = open_desk().visitor().enter()
    assert "Nobody has handed in a question that a person reads" in visitor.read("")
    assert "Whatever was handed in has been judged" in visitor.read("left")
    assert "No answer to this question" in visitor.read(WHY)
    for path in ("wrong", "appeals", "alike/basics/scores/why", "rubric/basics/scores/why"):
        visitor.read(path)


def test_reports_on_a_problem_that_the_course_no_longer_has_leave_the_desk_open(desk):
    write_journal(desk.out, [replace(answered("ada", "Because.", scores=None), problem="gone")])
    visitor = desk.visitor().enter()
    assert "0 of 3 marked" in visitor.read("")
    assert "gone" not in visitor.read("left")


def test_marks_and_comments_survive_a_regrade_and_a_new_answer_is_looked_at_again(desk, graded):
    visitor = desk.visitor().enter()
    for name in ("ada", "boris"):
        desk.mark(visitor, name, score="1", words="so so")
    graded({**CLASS, "boris": "They are positive, and sum to one."})
    assert desk.kept("ada") == (1.0, "so so", False)
    assert desk.kept("boris") == (1.0, "so so", True)
    page = visitor.read(f"{WHY}/{desk.ids()['boris']}")
    assert "is another than when marker gave 1" in page
    assert "and sum to one" in page


def test_reports_that_come_while_the_desk_is_open_are_picked_up(desk, clerk, graded):
    visitor = desk.visitor().enter()
    assert "0 of 3 marked" in visitor.read("")
    graded({"dora": "Because."})
    assert "0 of 4 marked" in visitor.read("")
    write_journal(desk.out, [answered("eve", "Not in the gradebook yet.")])
    assert "0 of 4 marked" in visitor.read("")


KILLED = """
import os, signal, sys
from pathlib import Path
from autograder.course.load import load_course
from autograder.course.varying_problem import own_problem
from autograder.desk.open_class import open_class
from autograder.gradebook.by_hand import marked_by
with open_class(load_course(Path(sys.argv[1])), Path(sys.argv[2]), None) as opened:
    for student, mark in opened.hand.marks("basics", "scores", "why").items():
        opened.hand.write("killed", "a mark", [(mark.seen, marked_by(mark, [], f"for {student}", 1.0))])
        if student == "boris":
            os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_marked_before_a_kill_is_there_and_nothing_is_half_written(graded, open_desk, clerk):
    graded(CLASS)
    done = subprocess.run([sys.executable, "-c", KILLED, str(clerk.root), str(clerk.out)], env=os.environ)
    assert done.returncode == -signal.SIGKILL
    desk = open_desk()
    assert [desk.kept(name) for name in CLASS] == [
        (1.0, "for ada", False),
        (1.0, "for boris", False),
        (None, None, True),
    ]
    assert "taken back: a mark" in desk.visitor().enter().name("killed").send("undo", True).body.decode()
    assert desk.kept("boris") == (None, None, True)


@pytest.mark.parametrize(
    ("rubric", "fault"),
    [
        ('item(1, "a")', "its rubric adds up to 1 and the part has 2 points: nobody earns them"),
        ('item(1, "a"), item(1, "a")', "2 items of its rubric say 'a'"),
        ('item(2, " ")', "an item of its rubric, worth 2, has no words"),
        ('"a"', "rubric[0] is 'a'; write item(1, \"what the answer says\")"),
    ],
)
def test_a_rubric_with_a_fault_is_refused_by_its_place(course, rubric, fault):
    path = course / "problems" / "scores.py"
    path.write_text(re.sub(r"rubric=\[.*?\], ", lambda _: f"rubric=[{rubric}], ", path.read_text()))
    with pytest.raises(CourseError, match=re.escape(fault)):
        load_course(course)


@pytest.fixture
def varied(course):
    """The small course, its problem with numbers of each student's own."""
    path = course / "problems" / "scores.py"
    text = path.read_text().replace("Problem, Prose", "Problem, Prose, one_of")
    text = text.replace('title="Attention scores"', 'varies={"K": one_of(3, 5)}, title="Scores of {K} heads"')
    path.write_text(
        text.replace('ask="Why a softmax?"', 'ask="Why {2*K} weights?", guide="all {2*K} of them"')
    )


def test_what_varies_stands_with_the_numbers_of_the_student_or_by_its_name(varied, desk):
    visitor = desk.visitor().enter()
    assert "Scores of K heads" in visitor.read("")
    course = desk.opened.course
    for student, id in desk.ids().items():
        page = visitor.read(f"{WHY}/{id}")
        heads = own_problem(course, "scores", student).title.split()[2]
        assert f"Scores of {heads} heads" in page
        assert f"Why {2 * int(heads)} weights?" in page
    assert "all 2*K of them" in visitor.read("alike/basics/scores/why")
