"""What costs marks is asked for: the demands of a part's cases stand in its question."""

from __future__ import annotations

import pytest

from autograder.course.case_demands import demands, is_ordinary
from autograder.course.cases import case, torch_dtype
from autograder.course.model import Code, Problem
from autograder.notebook.stub_cells import ask


def attend(q, k):
    """Softmax over keys.   q[I, D]   k[J, D]   returns [I, J]"""


def table(T, dtype):
    """A table.   returns [T, 2]"""


PLAIN = case("plain", I=2, J=3, D=4)
CALLED_TWICE = "twice: the same answer both times, and its inputs left as they were"


@pytest.mark.parametrize(
    ("special", "says"),
    [
        (case("", I=2, J=3, D=4, dtype="float64"), "in double precision: `float64` in, `float64` out"),
        (case("", I=2, J=3, D=4, scale=30), "with large numbers: nothing may overflow on the way"),
        (
            case("", I=2, J=3, D=4, scale={"q": 30, "k": 2}),
            "with large numbers in `q` and `k`: nothing may overflow on the way",
        ),
        (
            case("", I=2, J=3, D=4, layout="strided"),
            "with inputs that are views of larger tensors, so not contiguous in memory",
        ),
        (case("", I=1, J=3, D=1), "with sizes of 1 (`I` and `D`): no axis is dropped"),
        (
            case("", I=2, J=3, D=4, grad=["k"]),
            "for its gradients with respect to `k`: those that flow must be right "
            "(where numpy or a new `nn.Parameter` cuts them off there are none, and that costs nothing)",
        ),
    ],
    ids=["dtype", "large", "large-named", "strided", "ones", "gradients"],
)
def test_each_demand_of_a_case_has_its_sentence(special, says):
    assert demands(Code(attend, 1, [PLAIN, special])) == [says, CALLED_TWICE]


def test_small_numbers_and_plain_cases_demand_nothing_more():
    assert demands(Code(attend, 1, [PLAIN, case("small", I=2, J=3, D=4, scale=0.1)])) == [CALLED_TWICE]


def test_a_dtype_that_is_an_argument_and_a_table_that_may_be_rounded_are_said():
    part = Code(
        table, 1, [case("", T=1, dtype="float64")], draws={"dtype": torch_dtype()}, precision="float32"
    )
    assert demands(part) == [
        "in double precision: the result has the dtype that is asked for, "
        "its values as exact as single precision has them",
        "with sizes of 1 (`T`): no axis is dropped",
        "twice: the same answer both times",
    ]


def test_the_question_lists_them():
    part = Code(attend, 1, [PLAIN], ask="Write it.")
    told = ask(part, 1, Problem("Here", "", "", [part]))
    assert told.endswith(f"Write it.\n\nYour function is also called\n\n- {CALLED_TWICE}.")


def test_every_special_case_of_the_course_is_asked_for(real):
    for problem in real.problems.values():
        for part in problem.parts:
            if isinstance(part, Code):
                words = " ".join(demands(part))
                for each in part.cases:
                    assert is_ordinary(each) or len(demands(part)) > 1, f"{part.name}: {each.name}"
                    assert "overflow" not in each.hint or "overflow" in words, f"{part.name}: {each.name}"
                    assert "dtype" not in each.hint or "float64" in words, f"{part.name}: {each.name}"
