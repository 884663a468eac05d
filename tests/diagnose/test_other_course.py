"""Problems that no rule was written for: wrong functions are named from the reference alone."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from autograder.calls.expected import call_trusted, expect, plan
from autograder.calls.inputs import as_given
from autograder.course.load import load_course
from autograder.course.model import Code
from autograder.diagnose.find_slip import Finder
from autograder.diagnose.structural_mistakes import Suspect
from autograder.verify.checks import as_outcome

OTHER = Path(__file__).resolve().parent.parent / "fixtures" / "other"
COURSE = load_course(OTHER)
PARTS = {
    part.name: (problem, part)
    for problem in COURSE.problems.values()
    for part in problem.parts
    if isinstance(part, Code)
}
FINDERS = {
    name: Finder(problem, part, COURSE.solutions[problem.id].answers[name])
    for name, (problem, part) in PARTS.items()
}


def wrong_functions(part: str) -> dict[str, Callable[..., Any]]:
    path = OTHER / "wrong" / f"{part}.py"
    spec = importlib.util.spec_from_file_location(f"wrong_{part}", path)
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {
        name: value
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    }


WRONG = {part: wrong_functions(part) for part in PARTS}


def find(part: str, function: Callable[..., Any]) -> Suspect | None:
    problem, code = PARTS[part]
    calls = plan(problem, code, "a secret", "a student")
    reference = COURSE.solutions[problem.id].answers[part]
    expected = [expect(reference, call) for call in calls]
    outcomes = [as_outcome(call_trusted(function, call, as_given)) for call in calls]
    return FINDERS[part].find(calls, expected, outcomes)


# What must be named, and a word that a true sentence has; the others may stay without a name.
NAMED = {
    "kalman_update": {
        "innovation_reversed": "subtracted",
        "noise_as_deviation": "square root",
        "covariance_is_a_root": "A",
        "covariance_from_the_other_side": "A",
        "state_not_subtracted": "the product of H and x is not subtracted from z",
        "covariance_kept": "is left out",
        "covariance_grows": "added, where it should be subtracted",
        "covariance_without_prior": "left out",
        "noise_subtracted": "subtracted, where it should be added",
        "gain_without_inverse": "the inverse is left out",
        "noise_everywhere": "the diagonal matrix is left out: r is used as it is",
        "state_forgotten": "x is not added",
        "innovation_reversed_and_covariance_grows": "sign",
    },
    "graph_convolution": {
        "without_self_loops": "the identity matrix is not added to adj",
        "not_normalised": "left out",
        "degrees_of_the_columns": "the sum runs over the first N instead of the second N",
        "bias_left_out": "b",
        "relu_left_out": "relu",
        "bias_before_mixing": "b comes in too early",
        "bias_after_the_relu": "before b comes in",
        "edges_turned_round": "exchanged",
        "one_side_only": "not multiplied",
        "multiplied_by_the_degrees": "power 0.5, not -0.5",
        "sigmoid_for_relu": "a sigmoid stands in the place of the relu",
        "no_loops_and_no_bias": "two slips",
    },
    "smooth": {
        "residual_after": "r comes in too late",
        "shifted_before_scaled": "gain multiplies shift as well",
        "looks_back_only": "all zeros stand before x, none after it",
        "looks_ahead_only": "all zeros stand after x, none before it",
        "runs_round": "beyond the ends of x, its other end follows",
        "ends_repeated": "its first and last entries are repeated",
        "last_row_of_zeros": "the last entry of x along T counts as zero",
    },
    "move_centres": {
        "farthest": "the largest of",
        "sums_of_differences": "the sum of absolute differences of x and c is taken",
        "by_inner_product": "the inner product of x and c is taken",
        "empty_ones_at_zero": "it starts from zeros, not from c",
    },
    "mixed": {"relu_before_mixing": "the relu is taken before A comes in"},
    "best_pairs": {"worst_first": "the smallest of the sum of scores and logp are taken"},
    "rooted": {
        "uphill": "is added, where it should be subtracted from w",  # not: a sign beside 1e-8
        "without_the_share": "g is not multiplied by",  # not: rho is not subtracted from 1
    },
    "looking_back": {
        "looks_ahead": "what lies above its diagonal is kept",
        "all_places_below_the_line": "as it is, below the line of the quotient",
    },
    "looking_everywhere": {
        "looks_back_only": "a mask hides the later positions along T",
        "looks_back_above_the_line": "without the later positions along T",
    },
    "pair_losses": {"without_the_pair_itself": "is left out of the sum below the line of the log-softmax"},
    "predicted": {
        "turned_round_in_the_spread": "F is transposed",
        "turned_round": "F is transposed",
        "noise_as_a_root": "Q is multiplied by its own transpose first",
        "only_the_diagonal_of_the_noise": "only the diagonal of Q is used",
    },
    "in_rows": {"last_two_exchanged": "exchanged"},
    "whitened": {
        "entry_by_entry": "every entry of S is inverted by itself",
        "transposed": "S is transposed where its inverse belongs",
        "diagonal_only": "only the diagonal of S is inverted",
        "relu_too_early": "the relu is taken before the product with",
        "shifted_too_early_and_not_cut_off": "two slips",
    },
    "logistic_step": {
        "as_of_tanh": "as that of a tanh",
        "without_the_derivative": "not multiplied by",
    },
}


@pytest.mark.parametrize(
    ("part", "name", "words"),
    [(part, name, words) for part, table in NAMED.items() for name, words in table.items()],
)
def test_a_wrong_function_is_told_what_it_is(part, name, words):
    found = find(part, WRONG[part][name])
    assert found is not None
    assert words in found.says


@pytest.mark.parametrize("part", PARTS)
def test_a_right_function_and_an_unrelated_one_get_no_name(part):
    reference = COURSE.solutions[PARTS[part][0].id].answers[part]
    assert find(part, reference) is None

    def unrelated(*arguments: Any) -> Any:
        result = reference(*arguments)
        many = isinstance(result, tuple)
        changed = [out.cos() * 1.37 + out.flip(0) * 0.21 for out in (result if many else (result,))]
        return tuple(changed) if many else changed[0]

    assert find(part, unrelated) is None


def test_no_sums_of_parts_are_told_to_be_multiplied():
    found = find("graph_convolution", WRONG["graph_convolution"]["degrees_without_the_loops"])
    assert found is not None
    assert "multiplied" not in found.says
