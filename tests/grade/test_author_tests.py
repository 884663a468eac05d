"""Tests as an author writes them: run beside the judge, whatever the names that they are given do."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from autograder.calls.local_names import local_ask
from autograder.calls.run_author_tests import load_tests, plain_paths, run_test
from autograder.check.checker import Checker
from autograder.course.author_tests import source_of
from autograder.course.load import load_course
from autograder.errors import CourseError
from autograder.grade.report import Status
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.release.handout_file import decode, encode
from autograder.release.make_handout import make_handout
from tests.conftest import ROOT

PLACE = "<tests>"
NAMES = ROOT / "examples" / "courses" / "names"
RIGHT = """
def spell(text):
    return [ord(letter) - 97 for letter in text]

def unspell(numbers):
    return "".join(chr(97 + number) for number in numbers)
"""


@pytest.fixture(scope="module")
def course():
    return load_course(NAMES)


@pytest.fixture(scope="module")
def problem(course):
    return course.problems["spelling"]


@pytest.fixture
def grade(course, problem, sandbox):
    """The reports of a notebook with these answer cells."""
    grader = Grader(problem, course.solutions[problem.id], course.secret)

    def graded(**answers: str):
        data = fill(build_notebook(problem, "counting", course.root), answers)
        return {report.part: report for report in grader.grade(data, "ada", sandbox.run)}

    return graded


def test_each_test_earns_its_share_and_a_failing_one_tells_its_values(grade):
    off = RIGHT.replace("- 97", "- 96", 1).replace("97 +", "96 +")
    report = grade(spelling_round_trip=off)["spelling_round_trip"]
    assert (report.score, report.status) == (2, Status.GRADED)
    assert "2 of 3 tests pass" in report.feedback
    assert "assert [1, 2, 3] == [0, 1, 2]" in report.feedback
    reports = grade(spelling_round_trip=RIGHT)
    assert reports["spelling_round_trip"].score == 3
    assert reports["alphabet"].status is Status.UNCHANGED


def test_an_answer_cell_that_defines_nothing_is_not_as_it_was_handed_out(grade):
    report = grade(spelling_round_trip="print('hello')")["spelling_round_trip"]
    assert (report.score, report.status) == (0, Status.MISSING)
    assert report.feedback == "no cell defines unspell or spell: keep the names as they were handed out"
    report = grade(spelling_round_trip="def spell(text): return [")["spelling_round_trip"]
    assert report.status is Status.CRASHED
    assert report.feedback.startswith("the cell stops before unspell and spell are defined: SyntaxError")


def test_a_hidden_test_tells_its_sentence_and_the_kind_of_failure_alone(grade):
    leaky = RIGHT.replace(
        "    return [", "    if not text: raise ValueError('THE INPUT ' + repr(text))\n    return ["
    )
    report = grade(spelling_round_trip=leaky)["spelling_round_trip"]
    assert report.score == 2
    sentence = "a text without letters is a list without numbers, and back"
    assert f"{sentence}: raised ValueError\n" in f"{report.feedback}\n"
    assert "THE INPUT" not in repr(report)
    other = RIGHT.replace("    return [", "    if not text: return 'THE INPUT ' + repr(text)\n    return [")
    report = grade(spelling_round_trip=other)["spelling_round_trip"]
    assert f"{sentence}: it does not hold" in report.feedback
    assert "THE INPUT" not in repr(report)


# What a student's code may try: none of it earns a mark that right values would not.
CHEATS = {
    "equals everything": """
class Any:
    def __eq__(self, other): return True
    def __hash__(self): return 0
    def __getattr__(self, name): return Any()
    def __call__(self, *args): return Any()
spell = unspell = lambda *args: Any()
""",
    "a list that equals everything": """
class Lies(list):
    def __eq__(self, other): return True
class Text(str):
    def __eq__(self, other): return True
def spell(text): return Lies()
def unspell(numbers): return Text("no")
""",
    "says that nothing failed": """
import sys
def spell(text):
    for name, module in list(sys.modules.items()):
        if "tested" in name or "author_tests" in name or "_pytest" in name:
            vars(module).clear()
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            if type(value).__name__ in ("Tested", "Sitting", "Names", "Talk"):
                raise SystemExit("found a test")
        frame = frame.f_back
    return []
def unspell(numbers): return ""
""",
    "ends its process": "import os\ndef spell(text): os._exit(0)\ndef unspell(numbers): return ''",
    "stops what is gone through": "def spell(text): raise StopIteration\ndef unspell(numbers): raise StopIteration",
}


@pytest.mark.parametrize("source", CHEATS.values(), ids=CHEATS)
def test_cheats_earn_no_visible_test(grade, source):
    report = grade(spelling_round_trip=source)["spelling_round_trip"]
    visible = [case for case in report.cases if not case.hidden]
    assert [case.passed for case in visible] == [False, False]


def test_a_check_runs_the_visible_tests_and_knows_nothing_of_the_hidden_ones(course, problem):
    data = encode(make_handout(course, problem))
    assert b"test_letters_are_in_order" not in data
    assert b"test_empty_text" not in data
    namespace: dict = {"__name__": "__main__"}  # as in a notebook
    exec(RIGHT.replace("- 97", "- 96", 1), namespace)
    panel = Checker(decode(data, "here"), namespace).check("spelling_round_trip")
    (view,) = panel.parts
    assert [case.state for case in view.cases] == ["fails", "fails"]
    assert "assert 'buu" in view.cases[0].message
    assert view.hidden == ("a text without letters is a list without numbers, and back",)
    exec(problem.part("spelling_round_trip").stub, namespace)
    assert (
        Checker(decode(data, "here"), namespace).check("spelling_round_trip").parts[0].state == "unanswered"
    )


def outcome(test: str, answer: str = "", reference: str = "") -> tuple[bool, str]:
    """What comes of a test with these names, here without a wall."""
    (function,) = load_tests(test, ["test"], PLACE)
    plain = plain_paths(function, defined(reference), PLACE) if reference else frozenset()
    tested = run_test(function, local_ask(defined(answer)), PLACE, plain)
    return tested.passed, tested.says


def defined(source: str) -> dict:
    namespace: dict = {"__name__": "__main__"}  # as in a notebook
    exec(source, namespace)
    return namespace


VALUE = """
class Value:
    def __init__(self, data): self.data, self.grad, self.children = data, 0.0, []
    def __add__(self, other):
        made = Value(self.data + getattr(other, "data", other))
        made.children = [self, other]
        return made
    __radd__ = __add__
    def __eq__(self, other): return True
    def __len__(self): return 3
    def __iter__(self): return iter([self.data, self])
    def __getitem__(self, place): return [self][place]
def same(value): return value
"""


@pytest.mark.parametrize(
    ("body", "holds"),
    [
        ("a = names.Value(2.0); assert (a + 1).data == 3.0 and (1 + a + a).data == 5.0", True),
        ("a = names.Value(2.0); assert names.same(a) == a and names.Value(2.0) != a", True),
        ("a = names.Value(2.0); a.grad = 4; assert a.grad == 4 and len(a) == 3 and a[0] == a", True),
        ("a = names.Value(2.0); first, second = a; assert first == 2.0 and second == a", True),
        ("assert (names.Value(1) + 2).children[1] == 2", True),
        (
            "a = names.Value(2.0); assert isinstance(a + 1, names.Value) and not isinstance(2, names.Value)",
            True,
        ),
        ("class Own: pass\n    assert not isinstance(Own(), names.Value)", True),
        ("assert isinstance(names.same, names.Value)", False),
        ("assert names.Value(2.0) == 2.0", False),
        ("names.Value(2.0).nothing", False),
        ("names.nothing(1)", False),
        ("while True: names.same(1)", False),
        ("while True: pass", False),
        ("import sys; sys.exit()", False),
    ],
)
def test_objects_stay_with_the_student_and_are_used_as_such(monkeypatch, body, holds):
    monkeypatch.setattr("autograder.calls.run_author_tests.MOST_CODE", 20_000)
    passed, says = outcome(f"def test(names):\n    {body}\n", VALUE)
    assert passed is holds, says
    assert passed or says


REFERENCE = """
def number(x): return 3.0
def numbers(x): return [3.0, 4.0]
class Value:
    def __init__(self, data): self.data = data
    def __add__(self, other): return Value(self.data + other)
"""
# It is whatever a test hopes for: sums come out as nothing, comparisons hold, attributes are right.
LIAR = """
class Liar:
    __sub__ = __rsub__ = __abs__ = lambda self, *other: 0.0
    __lt__ = __gt__ = __le__ = __ge__ = __contains__ = isclose = lambda self, other: True
    __len__ = lambda self: 2
    __iter__ = lambda self: iter([Liar(), Liar()])
    __getitem__ = lambda self, place: self
    __add__ = lambda self, other: self
    shape, data = (2,), 3.0
number = numbers = Value = lambda x: Liar()
"""


@pytest.mark.parametrize(
    "body",
    [
        "assert abs(names.number(2) - 3) < 1e-6",
        "assert abs(3 - names.number(2)) < 1e-6",
        "assert names.number(2) > 2",
        "assert names.number(2)",
        "assert names.number(2).isclose(3)",
        "assert names.number(2).data == 3",
        "assert isinstance(names.number(2), names.Liar)",
        "import numpy; numpy.testing.assert_allclose(names.number(2), 3)",
        "assert 3.0 in names.numbers(2)",
        "assert all(entry > 2 for entry in names.numbers(2))",
        "assert abs(names.numbers(2)[1] - 4) < 1e-6",
        "first, second = names.numbers(2); assert abs(first - 3) < 1e-6",
        "assert abs((names.Value(2) + 1).data.data - 3) < 1e-6",
    ],
)
def test_an_object_in_the_place_of_a_plain_value_is_not_asked_what_it_is(body):
    test = f"def test(names):\n    {body}\n"
    passed, says = outcome(test, LIAR, REFERENCE)
    assert not passed
    assert says


def test_a_class_that_the_asked_one_inherits_from_is_one_of_its_kinds():
    source = "class Node: pass\nclass Leaf(Node): pass"
    assert outcome("def test(names):\n    assert isinstance(names.Leaf(), names.Node)", source) == (True, "")


def test_what_an_assert_compared_is_told_without_addresses():
    said = outcome("def test(names):\n    assert [3].index(3) == 1 or map(len, []) is None", "")[1]
    assert "built-in method index" in said
    assert "0x" not in said


def test_what_an_assert_compared_is_told_in_lines_that_can_be_read():
    said = outcome(
        "def test(names):\n    assert list(range(900)) == [str(n) for n in range(900)], 'whole numbers'", ""
    )[1]
    assert said.startswith("whole numbers\nassert [0, 1, 2")
    assert max(map(len, said.splitlines())) <= 302


@pytest.mark.parametrize(
    "body",
    [
        "assert list(names.numbers(2)) == [3.0, 4.0]",
        "first, second = names.numbers(2); assert (first, second) == (3.0, 4.0)",
        "assert 4.0 in names.numbers(2) and 5.0 not in names.numbers(2)",
        "assert sum(names.numbers(2)) == 7.0",
    ],
)
def test_what_can_be_gone_through_is_as_good_as_a_list(body):
    lazy = REFERENCE.replace("return [3.0, 4.0]", "return map(float, [3, 4])")
    assert outcome(f"def test(names):\n    {body}\n", lazy, REFERENCE) == (True, "")


def test_errors_of_pythons_own_kinds_can_be_expected():
    test = "import pytest\ndef test(names):\n    with pytest.raises(ValueError, match='empty'):\n        names.f()\n"
    assert outcome(test, "def f(): raise ValueError('it is empty')") == (True, "")
    passed, says = outcome(test, "def f(): raise KeyError('x')")
    assert not passed
    assert "KeyError" in says


def test_an_error_of_the_students_own_is_of_the_kind_that_it_inherits():
    test = "import pytest\ndef test(names):\n    with pytest.raises(IndexError, match='empty'):\n        names.f()\n"
    own = "class Empty({}): pass\ndef f(): raise Empty('it is empty')"
    assert outcome(test, own.format("IndexError")) == (True, "")
    passed, says = outcome(test, own.format("Exception"))
    assert not passed
    assert "Empty: it is empty" in says


STACK = """
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop()
"""
PUSHED = (
    "def test(names):\n    s = names.Stack(); s.push(1); s.push(2)\n    assert s.pop() == 2 and s.pop() == 1"
)


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ("class Stack(list):\n    push = list.append", True),
        (
            "class Stack(dict):\n    def push(self, x): self[len(self)] = x\n    def pop(self): return self.popitem()[1]",
            True,
        ),
        ("class Stack(float):\n    def push(self, x): pass\n    def pop(self): return 2", False),
        (
            "class I(int):\n    def __eq__(self, o): return True\nclass Stack(list):\n    push = pop = lambda *a: I(9)",
            False,
        ),
        ("Stack = list", False),
    ],
    ids=["list", "dict", "float", "a liar", "Python's own"],
)
def test_an_object_of_an_asked_class_stays_one_though_it_is_a_list_too(answer, holds):
    assert outcome(PUSHED, answer, STACK)[0] is holds


def test_a_list_of_another_kind_is_a_list_where_no_class_is_asked_for():
    test = "def test(names):\n    assert names.count('aab') == {'a': 2, 'b': 1}"
    reference = "def count(text): return {letter: text.count(letter) for letter in text}"
    assert outcome(test, "from collections import Counter\ncount = Counter", reference) == (True, "")
    own = "class Own(dict): pass\ndef count(text): return Own(a=2, b=1)"
    assert outcome(test, own, reference) == (True, "")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("with pytest.raises(ValueError):\n        names.f()", "did not raise ValueError"),
        ("pytest.fail('not so')", "not so"),
        ("pytest.skip('later')", "later"),
        ("pytest.exit('away')", "away"),
    ],
)
def test_what_pytest_itself_ends_a_test_with_fails_it(body, says):
    passed, said = outcome(f"import pytest\ndef test(names):\n    {body}", "def f(): return 1")
    assert (passed, says in said) == (False, True)


def test_only_what_the_tests_use_goes_with_them():
    module = sys.modules[__name__]
    text = source_of([module.test_errors_of_pythons_own_kinds_can_be_expected])
    assert "def outcome" in text
    assert "PLACE = " in text
    assert "CHEATS" not in text


def test_faults_of_tests_are_sentences(tmp_path: Path):
    (tmp_path / "problems").mkdir()
    (tmp_path / "solutions").mkdir()
    (tmp_path / "problems/course.toml").write_text('[sets.a]\nproblems = ["p"]\n')
    (tmp_path / "solutions/secret.txt").write_text("some text")
    (tmp_path / "solutions/p.py").write_text("")
    (tmp_path / "problems/p.py").write_text(
        "import pytest\nfrom autograder import Problem, Tests\n"
        "def f(x): 'asked'\n"
        "@pytest.mark.parametrize('x', [1])\ndef test_c(names, x): 'says'\n"
        "def test_a(): 'says'\n"
        "def test_b(names): pass\n"
        'problem = Problem("t", "s", "s", [Tests("p", 1, [test_a, test_b, test_c], stubs=[f])])\n'
    )
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path)
    told = "\n".join(caught.value.faults)
    assert "test_a takes (): a test takes one argument, the student's names" in told
    assert "test_b has no docstring" in told
    assert "test_c takes (names, x)" in told
    assert "goes through several values in a loop" in told
    assert "solutions/p.py has no 'f'" in told
