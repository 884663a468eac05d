"""A function and fresh arguments come in; what it returned, changed and how it differentiates go out.

The one place where a function is called with gradients: a student's in the sandbox or in a notebook, and the
reference. It runs beside a student's code, so it needs torch alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

Gradients = tuple[Tensor | None, ...]


@dataclass(frozen=True)
class Invoked:
    """The value as it was returned, the arguments as they are now, and a gradient for each that was asked."""

    value: object
    arguments: Sequence[object]
    grads: Gradients = ()


def invoke(
    function: Callable[..., object],
    make: Callable[[], list[object]],
    grad: Sequence[int] = (),
    along: Sequence[Tensor] = (),
) -> Invoked:
    """Call on arguments that are made afresh; `grad` are the positions to differentiate for.

    Code that is right may refuse inputs that require gradients (x.numpy() does): it is asked again without.
    """
    if grad:
        try:
            return _attempt(function, make(), grad, along)
        except Exception:
            plain = _attempt(function, make(), (), ())
            return Invoked(plain.value, plain.arguments, (None,) * len(grad))
    return _attempt(function, make(), (), ())


def _attempt(
    function: Callable[..., object], arguments: list[object], grad: Sequence[int], along: Sequence[Tensor]
) -> Invoked:
    inputs = [each for each in (arguments[position] for position in grad) if isinstance(each, Tensor)]
    for tensor in inputs:
        tensor.requires_grad_()
    with torch.set_grad_enabled(True):
        value = function(*arguments)
        grads = differentiate(value, inputs, along) if grad else ()
    return Invoked(value, arguments, grads)


def differentiate(value: object, inputs: Sequence[Tensor], along: Sequence[Tensor]) -> Gradients:
    """Gradients of the outputs projected on the given directions; None where there are none."""
    nothing = (None,) * len(inputs)
    items = list(value) if isinstance(value, tuple | list) else [value]
    outputs = [item for item in items if isinstance(item, Tensor)]
    if [output.shape for output in outputs] != [direction.shape for direction in along]:
        return nothing
    pairs = [(o, d.to(o.dtype)) for o, d in zip(outputs, along, strict=True) if o.requires_grad]
    if not pairs:
        return nothing
    try:
        # The same as handing the directions over, which would import sympy, for a third of a second.
        first, *others = ((output * direction).sum().real for output, direction in pairs)
        return torch.autograd.grad(sum(others, first), inputs, allow_unused=True)
    except Exception:  # the graph may be broken in any way, by code that returned right values
        return nothing


def changed(now: object, before: Tensor) -> bool:
    """Whether a tensor that was handed over is not what it was; equal bytes, so that NaN equals itself."""
    try:
        assert isinstance(now, Tensor)
        now = now.detach()
        return bool(
            now.shape != before.shape
            or now.dtype != before.dtype
            or now.contiguous().numpy().tobytes() != before.contiguous().numpy().tobytes()
        )
    except Exception:  # what a student left in the place of a tensor may raise anything: it was changed
        return True
