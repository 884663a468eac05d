"""What a student's check shows: the equation as read, its indices and faults, without torch or the key."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from autograder.course.model import Equation, Tensor, key, slip
from autograder.text.equation import check_equation_key, judge_equation, read_equation
from tests.text.equation.notation import NOTATION, Ways
from tests.text.equation.parts import PARTS


def test_free_and_summed_indices_are_listed() -> None:
    _, equation, _, _ = PARTS["merged_equation"]
    line = read_equation("W_tilde[k,a,b] = (1/sqrt(I)) WQ[k,I,a] WK[k,I,b]", equation).lines[0]
    assert (line.defines, line.free, line.summed, line.fault) == ("W_tilde", ("k", "a", "b"), ("I",), "")
    assert line.latex == r"\tilde{W}^Q[k, a, b] = \frac{1}{\sqrt{I}} \, W^Q[k, I, a] \, W^K[k, I, b]"


def test_a_type_error_is_placed() -> None:
    _, equation, _, _ = PARTS["merged_equation"]
    reading = read_equation("# first\nW_tilde[k,a,b] = WQ[k,i,a] WK[k,i,b]", equation)
    line = reading.lines[0]
    assert (line.verdict, line.line, line.column, line.index) == ("ill-typed", 2, 23, "i")
    assert line.fault.startswith("line 2, column 23: index i dangles")
    assert reading.faults == (line.fault,)


def test_an_unreadable_line_is_placed() -> None:
    _, equation, _, _ = PARTS["merged_equation"]
    line = read_equation("W_tilde[k,a,b] = (WQ[k,I,a]", equation).lines[0]
    assert (line.verdict, line.line, line.column) == ("unparseable", 1, 18)


def test_a_word_with_foreign_letters_is_quoted_whole() -> None:
    _, equation, _, _ = PARTS["merged_equation"]
    (line,) = read_equation("W_tilde[k,a,b] = größe[k]", equation).lines
    assert line.fault == "line 1, column 18: cannot read 'größe': this word has no meaning in an answer"


def test_a_wrong_equation_is_not_given_away() -> None:
    _, equation, _, slips = PARTS["merged_equation"]
    assert read_equation(slips[0].answer, equation).faults == ()


def test_several_lines_are_aligned() -> None:
    _, equation, right, _ = PARTS["caption_equations"]
    reading = read_equation(right.answer, equation)
    assert reading.latex.count("&=") == 4
    assert reading.latex.startswith("\\begin{aligned}\n")
    assert not reading.faults


def test_own_definitions_are_typed_too() -> None:
    _, equation, _, _ = PARTS["linear_equation"]
    reading = read_equation("Z_i = sum_j <q_i,k_j>\ny_i = (1/Z_i) sum_j <q_i,k_j> v_j", equation)
    assert [line.defines for line in reading.lines] == ["Z", "y"]
    assert not reading.faults


@pytest.mark.parametrize("part", PARTS)
def test_every_key_reads_without_a_fault(part: str) -> None:
    _, equation, right, _ = PARTS[part]
    assert read_equation(right.answer, equation).faults == ()


def test_reading_does_not_import_torch() -> None:
    program = (
        "import sys\n"
        "from autograder.text.equation import read_equation\n"
        "from autograder.course.model import Equation, Tensor\n"
        "part = Equation('p', 1, '', [Tensor('y', ['I']), Tensor('A', ['I', 'J']), Tensor('x', ['J'])])\n"
        "assert not read_equation('y[i] = A[i,J] x[J]', part).faults\n"
        "assert read_equation('y[i] = A[i,j] x[j]', part).faults\n"
        "assert 'torch' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# ---------------------------------------------------------------- authors

VECTORS = [Tensor("y", ["I"]), Tensor("A", ["I", "J"]), Tensor("x", ["J"])]
RIGHT = key("y[i] = A[i,J] x[J]")


@pytest.mark.parametrize(
    ("part", "right", "slips", "words"),
    [
        (Equation("p", 1, "", VECTORS), key("y[i] = A[i,J"), [], "cannot be read"),
        (Equation("p", 1, "", VECTORS), key("y[i] = A[i,j] x[j]"), [], "ill-typed"),
        (
            Equation("p", 1, "", VECTORS),
            key("z[i] = A[i,J] x[J]"),
            [],
            "defines z, which the part does not declare",
        ),
        (Equation("p", 1, "", [*VECTORS, Tensor("b", ["I"], ["x"])]), RIGHT, [], "'x' names both x and b"),
        (Equation("p", 1, "", [*VECTORS, Tensor("b", ["I"], draw="odd")]), RIGHT, [], "drawn as 'odd'"),
        (Equation("p", 1, "", [*VECTORS, Tensor("b", ["I"], entries="Q")]), RIGHT, [], "which is no axis"),
        (
            Equation("p", 1, "", VECTORS),
            RIGHT,
            [slip("p", "fine", "y[i] = x[J] A[i,J]", "")],
            "'fine' is right",
        ),
        (Equation("p", 1, "", VECTORS), RIGHT, [slip("p", "broken", "y[i] = (", "")], "broken"),
        (
            Equation("p", 1, "", VECTORS),
            RIGHT,
            [slip("p", "one", "y[i] = 2 A[i,J] x[J]", ""), slip("p", "two", "y[i] = A[i,J] x[J] 2", "")],
            "'two' cannot be told from 'one'",
        ),
        (Equation("p", 1, "", VECTORS, sizes={"J": "I"}), RIGHT, [], "no lengths fit"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_authors_fault_is_a_sentence(
    part: Equation, right: object, slips: list[object], words: str
) -> None:
    faults = check_equation_key(part, right, slips)  # type: ignore[arg-type]
    assert any(words in fault for fault in faults), faults


WAYS = [(ways, way) for ways in NOTATION for way in ways.ways]


@pytest.mark.parametrize(("ways", "way"), WAYS, ids=[way for _, way in WAYS])
def test_every_way_of_writing_that_the_page_lists_is_read(ways: Ways, way: str) -> None:
    judged = judge_equation(way, ways.part, ways.key)
    assert (judged.verdict, judged.share) == ("equal", 1.0), judged.feedback


def test_the_page_lists_what_the_table_holds() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "equations.md"
    spec = spec_from_file_location("make_equations", page.with_name("make_equations.py"))
    assert spec is not None
    assert spec.loader is not None
    maker = module_from_spec(spec)
    spec.loader.exec_module(maker)
    text = page.read_text(encoding="utf-8")
    assert maker.fresh(text) == text, "run python docs/make_equations.py"
