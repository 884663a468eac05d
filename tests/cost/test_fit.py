"""Formulas are found again from their values, exactly; what is no formula is refused."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.cost.fit import FitError, fit, solve
from autograder.cost.power_products import Factor, PowerProduct, growth_text
from autograder.cost.sizes_to_measure import make_grid

GRID = make_grid(["T", "d"])


def lg(size: int) -> int:
    return size.bit_length() - 1


TABLE = [
    (lambda T, d: 2 * T * d * d + 3 * T * d, "T d^2", "2 T d^2 + 3 T d"),
    (lambda T, d: 2 * T * T * d + 5 * T * T, "T^2 d", "2 T^2 d + 5 T^2"),
    (lambda T, d: 3 * lg(T) + 2 * lg(d) + 7, "ln T + ln d", "3 lg T + 2 lg d + 7"),
    (lambda T, d: 3 * lg(T) + 2 * d + 5, "ln T + d", "3 lg T + 2 d + 5"),
    (lambda T, d: T * lg(T) * d, "T d ln T", "T d lg T"),
    (lambda T, d: lg(T) ** 2 + lg(T), "(ln T)^2", "(lg T)^2 + lg T"),
    (lambda T, d: 42, "1", "42"),
    (lambda T, d: 0, "1", "0"),
    (lambda T, d: T * T // 2 - T // 2, "T^2", "1/2 T^2 - 1/2 T"),
    (lambda T, d: 4096 // d + T, "T", "T + 4096 / d"),
    (lambda T, d: max(8 * T * T, 4 * T * T + 4 * T * d), "T^2 + T d", "max(4 T^2 + 4 T d, 8 T^2)"),
    (lambda T, d: max(T, d), "T + d", "max(d, T)"),
]


@pytest.mark.parametrize(("count", "growth", "formula"), TABLE, ids=[row[1] + "-" + row[2] for row in TABLE])
def test_a_formula_is_found_again(count, growth, formula):
    counts = [(sizes, count(sizes["T"], sizes["d"])) for sizes in GRID]
    found = fit(counts, ["T", "d"])
    assert found.growth == growth
    if "max" in formula:
        assert sorted(found.formula[4:-1].split(", ")) == sorted(formula[4:-1].split(", "))
    else:
        assert found.formula == formula
    assert all(found.at(sizes) == count for sizes, count in counts)


FACTORS = [Factor(0, 0), Factor(0, 1), Factor(1, 0), Factor(1, 1), Factor(2, 0)]


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.tuples(st.sampled_from(FACTORS), st.sampled_from(FACTORS)),
        st.integers(1, 9),
        min_size=1,
        max_size=3,
    )
)
def test_any_short_sum_of_products_is_found_again(terms):
    def count(sizes):
        return sum(c * int(f.at(sizes["T"]) * g.at(sizes["d"])) for (f, g), c in terms.items())

    found = fit([(sizes, count(sizes)) for sizes in GRID], ["T", "d"])
    assert {term.factors: term.coefficient for branch in found.branches for term in branch} == terms


def test_counts_that_follow_no_formula_are_refused():
    counts = [(sizes, hash((sizes["T"], sizes["d"])) % 1000) for sizes in GRID]
    with pytest.raises(FitError, match="no sum of products of powers and logarithms of T, d"):
        fit(counts, ["T", "d"])


def test_one_wrong_count_is_noticed():
    counts = [(sizes, sizes["T"] * sizes["d"] + (sizes == GRID[-1])) for sizes in GRID]
    with pytest.raises(FitError, match="gives these counts"):
        fit(counts, ["T", "d"])


def test_dominated_terms_are_left_out_of_the_growth_rate_and_equal_ones_given_once():
    one, T, d = Factor(), Factor(1), Factor(1)
    terms = [
        PowerProduct(Fraction(3), (T, one)),
        PowerProduct(Fraction(1), (T, d)),
        PowerProduct(Fraction(2), (T, d)),
    ]
    assert growth_text(terms, ["T", "d"]) == "T d"


@pytest.mark.parametrize(
    ("matrix", "wanted", "solution"),
    [
        ([[1, 0], [0, 1], [1, 1]], [2, 3, 5], [2, 3]),
        ([[1, 0], [0, 1], [1, 1]], [2, 3, 6], None),
        ([[1, 1], [2, 2]], [1, 2], None),
        ([[0, 2], [4, 0]], [1, 1], [Fraction(1, 4), Fraction(1, 2)]),
    ],
    ids=["one", "contradiction", "many", "exchanged"],
)
def test_equations_are_solved_or_refused(matrix, wanted, solution):
    rows = [[Fraction(value) for value in row] for row in matrix]
    assert solve(rows, [Fraction(value) for value in wanted]) == solution


def test_a_grid_moves_each_variable_alone_and_all_together():
    grid = make_grid(["T", "J", "K"], lambda sizes: sizes["J"] >= 2 * sizes["K"])
    assert all(sizes["J"] >= 2 * sizes["K"] for sizes in grid)
    for name in "TJK":
        others = {tuple(size for other, size in sizes.items() if other != name) for sizes in grid}
        longest = max(
            sum(tuple(s for other, s in sizes.items() if other != name) == at for sizes in grid)
            for at in others
        )
        assert longest >= 6
    assert len({tuple(sizes[name] for name in "TJK") for sizes in grid}) == len(grid)


@pytest.mark.parametrize("variables", ["Td", "Tde"])
def test_counts_that_somebody_made_up_are_refused(variables):
    chance = random.Random(0)
    for made_up in (lambda: chance.randrange(10**18), lambda: chance.choice([1, 2**63 - 1])):
        with pytest.raises(FitError):
            fit([(sizes, made_up()) for sizes in make_grid(variables)], variables)
