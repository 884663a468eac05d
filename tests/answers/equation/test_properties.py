"""Random equations: notation changes nothing, and the engine computes what nested loops compute."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.answers.equation import judge_equation
from autograder.answers.equation.judge import ground_of
from autograder.answers.equation.lines import read_answer
from autograder.answers.equation.render import latex_line, plain_line
from autograder.answers.equation.tree import Line, without_places
from autograder.answers.equation.vocabulary import build_vocabulary
from autograder.model import key
from tests.answers.equation.labelled import rows
from tests.answers.equation.loops import PART, PLAIN, Node, Style, equations, value
from tests.answers.equation.parts import PARTS

RENAMED = {"i": "a_2", "k": "z'", "j": "q", "m": "r1", "p": "u"}
few = settings(max_examples=40, deadline=None)


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
@few
def test_one_more_term_is_noticed(node: Node, term: str) -> None:
    answer = f"{PLAIN.equation(node)} + {term}"
    assert judge_equation(answer, PART, key(PLAIN.equation(node))).verdict == "different"


def _lines(text: str, part: str) -> tuple[Line, ...] | None:
    read = read_answer(text, build_vocabulary(PARTS[part][1]), {})
    lines = tuple(line.line for line in read.lines if line.line)
    return lines if len(lines) == len(read.lines) else None


@pytest.mark.parametrize("latex", [False, True], ids=["plain", "latex"])
def test_what_is_read_can_be_written_and_read_again(latex: bool) -> None:
    write = latex_line if latex else plain_line
    for part, verdict, answer in rows():
        if verdict == "unparseable" or "=" not in answer:
            continue
        vocabulary = build_vocabulary(PARTS[part][1])
        read = read_answer(answer, vocabulary, {})
        lines = tuple(line.line for line in read.lines if line.line)
        if len(lines) < len(read.lines):
            continue
        written = "\n".join(write(line, read.vocabulary) for line in lines)
        again = _lines(written, part)
        assert without_places(again) == without_places(lines), f"{answer} was written as {written}"


@given(equations(), st.booleans())
@few
def test_random_equations_survive_writing_and_reading(node: Node, latex: bool) -> None:
    vocabulary = build_vocabulary(PART)
    line = read_answer(Style(PLAIN.names, latex=latex).equation(node), vocabulary, {}).lines[0].line
    assert line is not None
    for write in (plain_line, latex_line):
        again = read_answer(write(line, vocabulary), vocabulary, {}).lines[0].line
        assert without_places(again) == without_places(line)
