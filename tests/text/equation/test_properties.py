"""Random equations: notation changes nothing, and the engine computes what nested loops compute."""

from __future__ import annotations

from itertools import islice

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from autograder.course.model import key
from autograder.text.equation import judge_equation
from autograder.text.equation.judge import ground_of
from autograder.text.equation.lines import read_answer, vocabulary_of
from autograder.text.equation.render import latex_line, latex_lines, plain_line, plain_lines
from autograder.text.equation.tree import Line, without_places
from tests.text.equation.labelled import rows
from tests.text.equation.loops import PART, PLAIN, Node, Style, equations, value
from tests.text.equation.parts import PARTS
from tests.text.equation.rewrites import flip, rewrites

RENAMED = {"i": "a_2", "k": "z'", "j": "q", "m": "r1", "p": "u"}
few = settings(max_examples=40)
fewer = settings(max_examples=8)  # a wrong answer is set beside every usual mistake: forty times the work


@given(equations())
@few
def test_the_engine_agrees_with_nested_loops(node: Node) -> None:
    ground = ground_of(PART, PLAIN.equation(node))
    for draw in ground.reference.draws:
        sizes = draw.setting.sizes
        tensors = {name: stored.data.tolist() for name, stored in draw.tensors.items()}
        want = [
            [value(node, {"i": i, "k": k}, tensors, sizes) for k in range(sizes["K"])]
            for i in range(sizes["I"])
        ]
        assume(all(abs(each) < 1e12 for row in want for each in row))  # beyond, rounding is all there is
        got = draw.targets["R"].data
        torch.testing.assert_close(got, torch.tensor(want, dtype=torch.float64), rtol=1e-9, atol=1e-9)


@given(equations())
@few
def test_names_of_indices_do_not_matter(node: Node) -> None:
    answer = Style(RENAMED).equation(node)
    assert judge_equation(answer, PART, key(PLAIN.equation(node))).verdict == "equal"


@given(equations())
@few
def test_order_of_factors_and_terms_does_not_matter(node: Node) -> None:
    answer = Style(PLAIN.names, backwards=True).equation(node)
    assert judge_equation(answer, PART, key(PLAIN.equation(node))).verdict == "equal"


@given(equations())
@few
def test_a_repeated_capital_index_means_a_written_sum(node: Node) -> None:
    answer = Style(PLAIN.names, implied=True).equation(node)
    assert judge_equation(answer, PART, key(PLAIN.equation(node))).verdict == "equal"


@given(equations(), st.booleans())
@few
def test_latex_and_plain_text_mean_the_same(node: Node, implied: bool) -> None:
    answer = Style(PLAIN.names, implied=implied, latex=True).equation(node)
    assert judge_equation(answer, PART, key(PLAIN.equation(node))).verdict == "equal"


@given(equations(), st.sampled_from(["C[i,k]", "s[i]", "1", "(sum_{j} A[i,j] B[j,k])"]))
@fewer
def test_one_more_term_is_noticed(node: Node, term: str) -> None:
    answer = f"{PLAIN.equation(node)} + {term}"
    assert judge_equation(answer, PART, key(PLAIN.equation(node))).verdict == "different"


def _lines(text: str, part: str) -> tuple[Line, ...] | None:
    read = read_answer(text, vocabulary_of(PARTS[part][1]), {})
    lines = tuple(line.line for line in read.lines if line.line)
    return lines if len(lines) == len(read.lines) else None


@pytest.mark.parametrize("latex", [False, True], ids=["plain", "latex"])
def test_what_is_read_can_be_written_and_read_again(latex: bool) -> None:
    write = latex_lines if latex else plain_lines
    for part, verdict, answer in rows():
        if verdict == "unparseable" or "=" not in answer:
            continue
        vocabulary = vocabulary_of(PARTS[part][1])
        read = read_answer(answer, vocabulary, {})
        lines = tuple(line.line for line in read.lines if line.line)
        if len(lines) < len(read.lines):
            continue
        written = "\n".join(write(lines, read.vocabulary))
        again = _lines(written, part)
        assert without_places(again) == without_places(lines), f"{answer} was written as {written}"


@given(equations(), st.booleans())
@few
def test_random_equations_survive_writing_and_reading(node: Node, latex: bool) -> None:
    vocabulary = vocabulary_of(PART)
    line = read_answer(Style(PLAIN.names, latex=latex).equation(node), vocabulary, {}).lines[0].line
    assert line is not None
    for write in (plain_line, latex_line):
        again = read_answer(write(line, vocabulary), vocabulary, {}).lines[0].line
        assert without_places(again) == without_places(line)


def test_no_verdict_flips_where_an_answer_is_written_otherwise() -> None:
    flips = [found for rewrite in islice(rewrites(3), 150) if (found := flip(rewrite))]
    assert flips == []
