"""Cases and seeds become arguments."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.overrides import TorchFunctionMode

from autograder import Code, case, drawn, function, given, number, orthogonal, torch_dtype, whole
from autograder.calls.inputs import arguments, revive, seed, strided
from autograder.calls.requests_and_outcomes import DtypeArg, FunctionArg


def call(x, w, t, sigma, cell, dtype, a, b):
    """x[T, I]  w[B]  a[D]  b[D]  returns [T]"""


PART = Code(
    call,
    points=1,
    cases=[],
    draws={
        "w": whole("W"),
        "t": number(),
        "sigma": function("tanh"),
        "cell": function("mixer", takes=["I", "T"], gives="T"),
        "dtype": torch_dtype(),
        "a": orthogonal(),
        "b": orthogonal(),
    },
)
SIZES = {"T": 3, "I": 4, "B": 6, "W": 2, "D": 5, "t": 1, "norm": 2.0}


def draw(seed=1, **options):
    return arguments(PART, case("x", **{**SIZES, **options}), seed)


def test_every_argument_is_drawn_as_the_part_says():
    x, w, t, sigma, cell, dtype, a, b = draw()
    assert x.shape == (3, 4)
    assert x.dtype == torch.float32
    assert w.dtype == torch.int64
    assert set(w.tolist()) <= {0, 1}
    assert t == 1
    assert sigma == FunctionArg("tanh", {})
    assert {name: tuple(m.shape) for name, m in cell.tensors.items()} == {"0": (3, 4), "1": (3, 3)}
    assert dtype == DtypeArg("float32")
    assert a @ b == pytest.approx(0, abs=1e-6)
    assert a.norm() == pytest.approx(2)


def test_an_authors_arrays_of_numpy_are_handed_over_as_tensors():
    def mixed(held, made):
        """returns []"""

    part = Code(
        mixed,
        points=1,
        cases=[],
        draws={"held": given(), "made": drawn(lambda rng, **sizes: (rng.normal(size=2), np.int64(3)))},
    )
    held = {"mean": np.zeros(2), "steps": [np.float64(0.5)], "mask": np.array([True]), "ids": {np.int64(2)}}
    (held, (made, count)) = arguments(part, case("x", held=held), 1)
    assert (held["mean"].dtype, made.dtype, held["mask"].dtype) == (torch.float32, torch.float32, torch.bool)
    assert (type(held["steps"][0]), type(count), type(min(held["ids"]))) == (float, int, int)


def test_one_seed_gives_one_draw_and_another_seed_another():
    assert torch.equal(draw(1)[0], draw(1)[0])
    assert not torch.equal(draw(1)[0], draw(2)[0])


def test_scale_may_name_single_arguments():
    plain, scaled = draw(), draw(scale={"x": 10.0})
    assert torch.allclose(scaled[0], 10 * plain[0])
    assert torch.allclose(scaled[6], plain[6])


def test_strided_inputs_have_the_same_values_and_are_not_contiguous():
    plain, other = draw()[0], draw(layout="strided")[0]
    assert torch.equal(plain, other)
    assert not other.is_contiguous()
    assert not revive(other).is_contiguous()
    # Merging axes must still work: code that calls .view is right code.
    assert torch.equal(strided(torch.arange(24.0).view(2, 3, 4)).view(6, 4), torch.arange(24.0).view(6, 4))


def test_seeds_depend_on_every_word_and_its_place():
    seeds = {seed("a", "b"), seed("b", "a"), seed("ab"), seed("a", "b", "")}
    assert len(seeds) == 4


def test_a_revived_mixer_notices_swapped_arguments():
    cell = revive(draw()[4])
    out = cell(torch.ones(4), torch.ones(3))
    assert out.shape == (3,)
    with pytest.raises(RuntimeError, match="size"):
        cell(torch.ones(3), torch.ones(4))
    with pytest.raises(TypeError, match="takes 2 vectors, not 1"):
        cell(torch.ones(4))


def test_what_is_done_to_a_revived_mixer_leaves_what_others_are_given():
    """The inputs of a visible case are everybody's: a change of them would be the next student's mistake."""
    given = draw()[4]
    before = {key: matrix.clone() for key, matrix in given.tensors.items()}
    with _Zeroing():
        revive(given)(torch.ones(4), torch.ones(3))
    assert all(torch.equal(given.tensors[key], matrix) for key, matrix in before.items())


class _Zeroing(TorchFunctionMode):
    """Writes into whatever an operation gives, as a closer look does."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        return result.zero_() if isinstance(result, torch.Tensor) else result
