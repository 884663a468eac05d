"""Cases that most problems have are one word in a problem file."""

from __future__ import annotations

from autograder import case, double_precision, views


def test_the_case_of_double_precision_is_hidden_and_costs_a_quarter():
    assert double_precision("x", T=4, D=6) == case(
        "double precision",
        T=4,
        D=6,
        hidden=True,
        dtype="float64",
        costs=0.25,
        hint="keep the dtype of the input: tensors you create should take x.dtype",
    )


def test_a_hint_of_the_authors_own_takes_the_place_of_the_usual_one():
    own = "keep the dtype of the input: the padding should take x.dtype"
    assert double_precision(T=4, hint=own).hint == own
    assert views("x", T=4, hint=own).hint == own


def test_leading_axes_are_said_as_in_any_case():
    assert views("x", lead=(2, 3), T=4).sizes == case("a", lead=(2, 3), T=4).sizes
    assert double_precision("x", lead=[2], T=4).sizes == {"T": 4, "...": (2,)}


def test_the_case_of_views_asks_for_gradients_where_arguments_are_named():
    with_gradients, without = views("x", "w", T=4), views(T=4)
    assert (with_gradients.grad, without.grad) == (("x", "w"), ())
    assert with_gradients.name == f"{without.name}, and gradients"
    assert with_gradients.layout == without.layout == "strided"
    assert without.hint == "the inputs need not be contiguous: use reshape rather than view"
