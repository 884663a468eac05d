"""A reference on a case in double precision comes in; a sentence where it rounds to single on its way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from autograder.calls.compare_values import Steps, compare_value, wanted
from autograder.calls.expected import Expected, Planned, call_trusted
from autograder.calls.failure import wrong_result
from autograder.calls.inputs import widen
from autograder.calls.take_steps import precision
from autograder.verify.checks import as_outcome


class _InDouble(TorchFunctionMode):
    """Where single precision is asked for, double is given."""

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        done: Callable[..., object] = Tensor.double if func is Tensor.float else func
        named = {name: _double(value) for name, value in (kwargs or {}).items()}
        return done(*map(_double, args), **named)


def _double(value: object) -> object:
    return torch.float64 if value is torch.float32 else value


def rounds_to_single(reference: Callable[..., object], call: Planned, expected: Expected) -> str:
    """A sentence where the same steps, all of them in double precision, would be counted wrong."""
    if call.case.dtype != "float64":
        return ""
    with precision(torch.float64), _InDouble():
        double = call_trusted(reference, call, widen)
    if double.raised or wrong_result(as_outcome(double), expected, call.part.parameters) is None:
        return ""
    single = wanted(call_trusted(reference, call, widen).value, (), None)  # close by single precision
    got = double.value.values if isinstance(double.value, Steps) else double.value
    if compare_value(got, single) is not None:
        return ""  # no matter of rounding: random numbers are others in double precision
    return (
        f"case {call.case.name!r}: the reference rounds to single precision on its way (whole numbers, new "
        "tensors or .float() become float32), so that an answer which does not loses marks: make new tensors "
        "with dtype=x.dtype and whole numbers real by .to(x.dtype), where x is an argument; or write "
        'precision="float32" on the part, where single precision is meant'
    )
