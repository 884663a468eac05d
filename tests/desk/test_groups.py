"""What is alike stands together: prose by its words, wrong functions by their values; a name reaches all of them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from autograder.course.load import load_course
from autograder.desk.group_prose import group_alike
from autograder.errors import CourseError
from autograder.grade.report import Marked, Status
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.verify.proof import verify_problem
from tests.desk.conftest import Desk, answered, write_journal
from tests.pages.classes import edited_parts

ODD = "def scores(q, k):\n    return torch.softmax(q @ k.T + 0.37 * k[:, 0] ** 2 - 0.21 * q[:, :1] * k[:, -1].sin(), dim=1)\n"
WRONG = "def scores(q, k):  # ada's\n    return torch.sigmoid(q @ k.T)\n"


def test_answers_that_say_the_same_in_other_words_order_or_spelling_stand_together():
    texts = [
        "The weights are positive and sum to one.",
        "weights are positive, and they sum to one!",
        "They sum to one and the weights are positive",
        "It is a smooth version of the maximum, so gradients flow.",
        "A smooth maximum; gradients can flow through it.",
        "No idea.",
        "???",
        "???",
        "",
    ]
    groups = [set(group) for group in group_alike(texts)]
    assert {0, 1, 2} in groups
    assert {3, 4} in groups
    assert {6, 7} in groups
    assert {5} in groups


def test_one_mark_goes_to_the_members_that_were_looked_at_and_to_no_other(graded, open_desk):
    same = "The weights are positive and sum to one"
    graded({name: f"{same}{end}" for name, end in zip(("ada", "boris", "cleo"), ("", ".", "!"), strict=True)})
    desk = open_desk()
    visitor = desk.visitor().enter()
    page = visitor.read("alike/basics/scores/why")
    assert "3 alike" in page
    looked = re.findall(r'name="looked" value="([^"]+)"', page)
    assert visitor.send("alike/basics/scores/why", score="2").code == 400
    one = next(each for each in looked if each.startswith(desk.ids()["cleo"]))
    told = visitor.send("alike/basics/scores/why", True, score="2", looked=[e for e in looked if e != one])
    assert "2 answers marked" in told.body.decode()
    assert [desk.kept(name)[0] for name in ("ada", "boris", "cleo")] == [2.0, 2.0, None]
    visitor.send("undo")
    assert [desk.kept(name)[0] for name in ("ada", "boris")] == [None, None]


@pytest.fixture
def wrong(clerk, open_desk) -> Callable[[], Desk]:
    """Three students whose functions give the same wrong values, and one whose are others."""
    reports = []
    for student, values in {"ada": "aa11", "boris": "aa11", "cleo": "aa11", "dora": "bb22"}.items():
        made = answered(student, None, scores=0.0, axis=1.0)
        said = "0 of 3 cases pass\nall values differ"
        made = edited_parts(made, 0, wrong_values=values, feedback=said)
        reports.append(clerk.hand_in(made, scores=WRONG, axis='axis = "a"'))
    clerk.write()
    write_journal(clerk.out, reports)
    return open_desk


def test_a_name_that_is_taken_back_is_no_longer_listed(wrong):
    desk = wrong()
    visitor = desk.visitor().enter()
    first, _ = groups(visitor)
    name_them(visitor, first, says="a sigmoid is no softmax", percent="50")
    told = visitor.send("undo", True).body.decode()
    assert "taken back: the name “a sigmoid is no softmax”" in told
    assert desk.kept("ada", "scores")[0] is None
    assert load_course(desk.root).solutions["scores"].named == ()
    assert groups(visitor)[0] == first


@pytest.fixture
def variants(clerk, open_desk) -> Desk:
    """ada and boris divide by numbers of their own, cleo uses another tensor; all three part in line 2."""
    lines = {
        "ada": "w = torch.softmax(q @ k.T / 0.3, 1)",
        "boris": "p = torch.softmax(q @ k.T / 7, 1)",
        "cleo": "w = torch.softmax(k @ k.T / 0.3, 1)",
    }
    reports = []
    for student, line in lines.items():
        said = f"line 2, `{line}`, has a result that a right solution does not have"
        made = edited_parts(
            answered(student, None, scores=0.0, axis=1.0),
            0,
            wrong_values=student,
            feedback=said,
            departs=Marked(2, said),
        )
        code = f"def scores(q, k):\n    {line}\n    return {line[0]}\n"
        reports.append(clerk.hand_in(made, scores=code, axis='axis = "a"'))
    clerk.write()
    write_journal(clerk.out, reports)
    return open_desk()


def test_answers_that_part_alike_are_variants_of_one_group_whatever_their_names_and_numbers(variants):
    visitor = variants.visitor().enter()
    first, second = groups(visitor)
    page = visitor.read(f"wrong/{first}")
    ticks = re.findall(r'name="variant" value="(\w+)"', page)
    assert "2 variants" in page
    assert {*ticks} == {variants.ids("scores")[name] for name in ("ada", "boris")}
    assert "k @ k.T" in re.sub(r"<[^>]+>", "", visitor.read(f"wrong/{second}"))
    name_them(visitor, first, says="no temperature is asked for", percent="0", variant=ticks)
    named = load_course(variants.root).solutions["scores"].named
    assert {each.print for each in named} == {"ada", "boris"}
    assert len({each.id for each in named}) == 2
    assert [variants.kept(name, "scores")[1] is not None for name in ("ada", "boris", "cleo")] == [
        *(True, True, False)
    ]


def test_a_variant_that_was_not_ticked_gets_no_sentence(variants):
    visitor = variants.visitor().enter()
    first, _ = groups(visitor)
    form = {"says": "no temperature", "percent": "0"}
    assert visitor.send(f"wrong/{first}", **form).code == 400
    name_them(visitor, first, **form, variant=variants.ids("scores")["boris"])
    assert variants.kept("boris", "scores")[1] == "no temperature"
    assert variants.kept("ada", "scores")[1] is None


def groups(visitor) -> list[str]:
    return re.findall(r'href="[^"]*/wrong/([^"]+)"', visitor.read("wrong"))


def name_them(visitor, group: str, **form) -> str:
    """Look who would move, then apply it: the page that follows."""
    shown = visitor.send(f"wrong/{group}", **form).body.decode()
    (seen,) = re.findall(r'name="shown" value="(\w+)"', shown)
    return visitor.send(f"wrong/{group}", True, **form, do="apply", shown=seen).body.decode()


def test_nothing_is_applied_but_what_was_shown(wrong):
    desk = wrong()
    visitor = desk.visitor().enter()
    first, _ = groups(visitor)
    shown = visitor.send(f"wrong/{first}", says="a sigmoid", percent="50").body.decode()
    (seen,) = re.findall(r'name="shown" value="(\w+)"', shown)
    for form in ({"percent": "75", "shown": seen}, {"percent": "50"}):
        again = visitor.send(f"wrong/{first}", says="a sigmoid", do="apply", **form).body.decode()
        assert "who would move is another list now" in again
    assert desk.kept("ada", "scores")[0] is None
    assert load_course(desk.root).solutions["scores"].named == ()


def test_a_group_that_everybody_was_marked_in_can_still_be_listed_and_moves_nobody(wrong):
    desk = wrong()
    visitor = desk.visitor().enter()
    first, _ = groups(visitor)
    for name in ("ada", "boris", "cleo"):
        desk.mark(visitor, name, "scores", score="1")
    told = name_them(visitor, first, says="a sigmoid", percent="50")
    assert "0 answers have the sentence now and are listed" in told
    assert desk.kept("ada", "scores")[0] == 1.0
    assert len(load_course(desk.root).solutions["scores"].named) == 1
    visitor.send("undo")
    assert load_course(desk.root).solutions["scores"].named == ()


def test_a_group_that_no_list_can_hold_is_gone_once_it_has_its_sentence(clerk, open_desk):
    reports = []
    for student in ("ada", "boris"):
        made = answered(student, None, scores=0.0, axis=1.0)
        made = edited_parts(made, 0, status=Status.CRASHED, feedback="the cell raised ValueError")
        reports.append(clerk.hand_in(made, scores=WRONG, axis='axis = "a"'))
    clerk.write()
    write_journal(clerk.out, reports)
    visitor = open_desk().visitor().enter()
    (group,) = groups(visitor)
    assert "2 answers have the sentence now" in name_them(visitor, group, says="it raises", percent="0")
    assert groups(visitor) == []
    visitor.send("undo")
    assert groups(visitor) == [group]


def test_a_name_is_shown_before_it_is_given_then_reaches_the_group_and_the_course(wrong):
    desk = wrong()
    visitor = desk.visitor().enter()
    first, _ = groups(visitor)
    shown = visitor.send(f"wrong/{first}", says="a sigmoid is no softmax", percent="50").body.decode()
    assert "3 would have this sentence" in shown
    assert desk.kept("ada", "scores")[0] is None
    told = name_them(visitor, first, says="a sigmoid is no softmax.", percent="50")
    assert "3 answers have the sentence now and are listed in solutions/scores.named.toml" in told
    for name in ("ada", "boris", "cleo"):
        assert desk.kept(name, "scores") == (1.5, "a sigmoid is no softmax", False)
    assert desk.kept("dora", "scores")[0] is None
    assert "a sigmoid is no softmax" in desk.page("boris")
    assert len(groups(visitor)) == 1
    (named,) = load_course(desk.root).solutions["scores"].named
    assert (named.id, named.share, named.print) == ("a_sigmoid_is_no_softmax", 0.5, "aa11")
    assert "ada" not in named.answer  # comments stay out of the course


def test_what_was_named_is_recognised_by_its_values_and_proved_in_the_sandbox(course, sandbox):
    def checks() -> list:
        loaded = load_course(course)
        return [
            c for c in verify_problem(loaded, loaded.problems["scores"], sandbox.run) if c.what == "named"
        ]

    loaded = load_course(course)
    problem = loaded.problems["scores"]
    data = fill(build_notebook(problem, "basics", course), {"scores": ODD})
    report = Grader(problem, loaded.solutions["scores"], loaded.secret).grade(data, "ada", sandbox.run)[0]
    assert report.mistake is None
    path = course / "solutions" / "scores.named.toml"
    lines = f'id = "odd"\nof = "scores"\nsays = "odd"\nshare = 0.5\nprint = "{report.wrong_values}"\n'
    path.write_text(f"[[mistake]]\n{lines}answer = '''\n{ODD}'''\n")
    (check,) = checks()
    assert check.passed
    assert check.found == "recognised, 1.5 points"
    path.write_text(f"[[mistake]]\n{lines}answer = '''\n{WRONG}'''\n")
    assert not checks()[0].passed


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[mistake]]\nid = 1", "mistake 1: it should have id, of, says, share, print, answer"),
        ("[[mis", "cannot be read"),
    ],
)
def test_a_damaged_file_of_named_mistakes_is_a_fault_of_the_course(course, text, fault):
    (course / "solutions" / "scores.named.toml").write_text(text)
    with pytest.raises(CourseError, match=f"scores.named.toml: {re.escape(fault)}"):
        load_course(course)
