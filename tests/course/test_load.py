"""Loading a course: what is right loads, and every fault is told at once with its file and fix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.course.load import find_course, load_course
from autograder.errors import CourseError, UsageError


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def faults(root: Path) -> tuple[str, ...]:
    with pytest.raises(CourseError, match=r".") as caught:
        load_course(root)
    return caught.value.faults


def test_a_sound_course_loads(small):
    assert [group.id for group in small.sets] == ["basics"]
    assert [part.name for part in small.problems["scores"].parts] == ["scores", "axis", "why"]
    assert [m.id for m in small.solutions["scores"].mistakes] == [
        "softmax_over_queries",
        "softmax_overflows",
        "queries",
    ]


PROBLEM, SOLUTION, INDEX = "problems/scores.py", "solutions/scores.py", "problems/course.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            SOLUTION,
            "def scores(q, k):",
            "def _scores(q, k):",
            r"solutions/scores.py has no 'scores'; problems/scores.py asks",
        ),
        (SOLUTION, "def scores(q, k):", "def scores(q):", r"scores: takes \(q\), the problem says \(q, k\)"),
        (SOLUTION, 'axis = "a"', 'axis = "z"', r"axis: 'z' is none of its options a, b"),
        (SOLUTION, 'axis = "a"', "axis = 3", r"axis: expected text or key\(…\), found int"),
        (SOLUTION, "def _products", "def products", r"'products' answers no part; call it _products"),
        (
            SOLUTION,
            '@mistake("scores"',
            '@mistake("score"',
            r"mistake 'softmax_over_queries' is of 'score', which is no part",
        ),
        (
            SOLUTION,
            "def _products",
            'from autograder import also\n\n\n@also("axis")\ndef by_hand(q):\n    return q\n\n\ndef _products',
            r"by_hand: @also\('axis'\) names no code part",
        ),
        (
            SOLUTION,
            "def _products",
            'from autograder import also\n\n\n@also("scores")\ndef by_hand(q):\n    return q\n\n\ndef _products',
            r"by_hand: takes \(q\), the problem says \(q, k\)",
        ),
        (
            SOLUTION,
            "def softmax_overflows(",
            "def softmax_over_queries(",
            r"'softmax_over_queries' is defined 2 times; only the last counts",
        ),
        (SOLUTION, "def softmax_overflows(q, k)", "def softmax_overflows(q)", r"takes \(q\), not \(q, k\)"),
        (SOLUTION, '"b", "every query', '3, "every query', r"a mistake of a Choice part is text"),
        (
            PROBLEM,
            "points=3",
            "points=-3",
            r"problems/scores.py: scores: points are -3; they cannot be negative",
        ),
        (PROBLEM, '"axis", points', '"scores", points', r"2 parts are called 'scores'"),
        (PROBLEM, "I=2, J=5, D=3", "I=2, J=5", r"case 'more keys than queries': axis D has no size; add D=…"),
        (PROBLEM, "I=2, J=5, D=3", "I=2, J=5, D=3, Z=1", r"Z is neither an axis nor an argument of scores"),
        (PROBLEM, "I=2, J=5, D=3", "I=2, J=5, D=3.5", r"axis D has size 3.5; a size is a whole number"),
        (
            PROBLEM,
            "I=2, J=5, D=3",
            "I=2, J=5, D=3, dtype='int8'",
            r"dtype is 'int8'; it is one of float32, float64",
        ),
        (
            PROBLEM,
            "points=3,",
            "points=3, precision='half',",
            r"precision is 'half'; it is one of float32, float64",
        ),
        (PROBLEM, "I=2, J=5, D=3", "I=2, J=5, D=3, hidden=True, hint='h'", r"no visible case"),
        (PROBLEM, ', hint="keep to torch operations"', "", r"it is hidden and has no hint"),
        (PROBLEM, '"more keys than queries"', '"gradients"', r"2 cases are called 'gradients'"),
        (PROBLEM, "q[I, D]   k[J, D]   returns", "q[I, D]   returns", r"gives no shape for 'k'"),
        (PROBLEM, "returns [I, J]", "gives [I, J]", r"does not say what it 'returns'"),
        (PROBLEM, 'grad=["q", "k"]', 'grad=["z"]', r"grad names 'z', which has no shape"),
        (PROBLEM, 'ask="Why a softmax?"', 'ask=" "', r"why: ask is empty"),
        (
            PROBLEM,
            "problem = Problem(",
            "question = Problem(",
            r"has no problem; end it with problem = Problem",
        ),
        (
            PROBLEM,
            "from autograder import",
            "from autograder import nothing,",
            r"problems/scores.py:3 cannot be loaded: ImportError",
        ),
        (
            PROBLEM,
            "problem = Problem(",
            "problem = = Problem(",
            r"problems/scores.py:\d+ cannot be loaded: SyntaxError: invalid syntax$",
        ),
        (
            INDEX,
            '["scores"]',
            '["scores", "more"]',
            r"set 'basics' lists 'more', but there is no problems/more.py",
        ),
        (INDEX, '["scores"]', "[]", r"set 'basics' lists no problems"),
        (INDEX, '["scores"]', '"scores"', r"set 'basics' lists no problems; write problems = \["),
        (INDEX, '["scores"]', '["scores", 3]', r"set 'basics' lists '3', but there is no problems/3.py"),
        (INDEX, "[sets.basics]", 'sets = ["basics"]\n[diagnosis]', r"no sets; write \[sets.NAME\]"),
        (
            INDEX,
            "[sets",
            "[limts]\nwall_seconds = 3\n\n[sets",
            r"it has no entry 'limts'; did you mean limits\?",
        ),
        (INDEX, "[sets.basics]", "[sets.basics", r"course.toml: cannot be read"),
    ],
    ids=lambda value: re.sub(r"\W+", "-", value)[:30],
)
def test_a_fault_is_told_with_its_file_and_fix(copied, file, old, new, message):
    edit(copied / file, old, new)
    assert any(re.search(message, fault) for fault in faults(copied)), faults(copied)


def test_a_rule_for_late_work_is_an_entry_of_the_course(copied):
    edit(copied / INDEX, "[sets", '[late]\nrule = "per_day"\npercent = 10\n\n[sets')
    assert load_course(copied, solutions=False).title


def test_all_faults_are_told_at_once(copied):
    edit(copied / PROBLEM, "points=3", "points=-3")
    edit(copied / SOLUTION, 'axis = "a"', 'axis = "z"')
    (copied / "solutions" / "stray.py").write_text("")
    (copied / "solutions" / "secret.txt").unlink()
    found = faults(copied)
    assert len(found) == 4
    assert any("stray.py answers no problem" in fault for fault in found)
    assert any("secret.txt is missing or empty" in fault for fault in found)


def test_a_missing_solution_is_named(copied):
    (copied / SOLUTION).unlink()
    assert faults(copied) == ("solutions/scores.py is missing; problems/scores.py needs its answers there",)


def test_a_problem_in_no_set_is_told(copied):
    (copied / "problems" / "other.py").write_text((copied / PROBLEM).read_text())
    (copied / "solutions" / "other.py").write_text((copied / SOLUTION).read_text())
    assert faults(copied) == ("problems/other.py is in no set; list it in problems/course.toml",)


def test_without_solutions_nothing_of_them_is_loaded(copied):
    (copied / SOLUTION).write_text("raise SystemError('must not be loaded')")
    assert load_course(copied, solutions=False).solutions == {}


def test_the_secret_may_come_from_the_environment(copied, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "from outside")
    assert load_course(copied).secret == "from outside"


def test_the_nearest_course_upwards_is_found(copied, tmp_path):
    assert find_course(copied / "problems") == copied
    with pytest.raises(UsageError, match="name one with --course DIR"):
        find_course(tmp_path)
    with pytest.raises(UsageError, match="is not a course"):
        find_course(tmp_path, tmp_path)


def test_listed_mistakes_can_be_left_out(copied):
    assert load_course(copied).solutions["scores"].mistakes
    index = copied / "problems" / "course.toml"
    index.write_text(index.read_text() + "\n[diagnosis]\nlisted = false\n")
    assert load_course(copied).solutions["scores"].mistakes == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("listed = 1", "listed is 1; it should be true or false"),
        ("lists = false", "has no setting 'lists'; there are listed, share and steps"),
    ],
)
def test_a_wrong_setting_of_the_diagnosis_is_told(copied, line, message):
    index = copied / "problems" / "course.toml"
    index.write_text(index.read_text() + f"\n[diagnosis]\n{line}\n")
    with pytest.raises(CourseError, match=message):
        load_course(copied)
