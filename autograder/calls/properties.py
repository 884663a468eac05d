"""A property is decided here, by the judge: every call of the student's function is a step, by value.

A result is looked at before the property sees it: of another shape, dtype or kind than the docstring says,
or with NaN in it, it holds of nothing, whatever the property would make of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy
import torch
from torch import Tensor

from autograder.calls.compare_tensors import short
from autograder.calls.compare_values import show
from autograder.calls.failure import WITHOUT_VALUES
from autograder.calls.inputs import revive
from autograder.calls.inputs import seed as seed_of
from autograder.calls.requests_and_outcomes import Ask
from autograder.calls.run_author_tests import DOES_NOT_HOLD, Fault, PatienceError, Tested, bounded
from autograder.calls.script_steps import Held, Step
from autograder.course.docstring_shapes import fits, parse_shapes, shape

MOST_CALLS = 2_000  # of one property and case
MOST_OVER = 1e-4  # that chances may miss 1 by, from rounding in single precision


def numbers_in(sizes: Mapping[str, object]) -> dict[str, int | tuple[int, ...]]:
    """The sizes of axes among the keywords of a case."""
    return {name: size for name, size in sizes.items() if type(size) is int or type(size) is tuple}


class RefusedError(AssertionError):
    """A result that no property is asked about; `hidden` is what may be told where the inputs are hidden."""

    def __init__(self, says: str, hidden: str) -> None:
        super().__init__(says)
        self.hidden = hidden


@dataclass(frozen=True)
class Promise:
    """What the docstring says of every result: its shapes or its type, at the sizes of a case."""

    doc: str
    parameters: tuple[str, ...]
    sizes: Mapping[str, object]
    dtype: str

    def refuse(self, value: object, arguments: Sequence[object], like: Sequence[object]) -> None:
        """Raise where a result is not what the docstring says; shapes where the arguments have the case's."""
        shapes = parse_shapes(self.doc, self.parameters)
        if _has(value, lambda each: isinstance(each, Held)):
            raise RefusedError(f"expected a plain value, got {show(value)}", WITHOUT_VALUES["kind"])
        if shapes.type:
            if not fits(value, shapes.type):
                hidden = f"{WITHOUT_VALUES['kind']}: {shapes.type}"
                raise RefusedError(f"expected {shapes.type}, got {show(value)}", hidden)
        else:
            entries = value if shapes.many and isinstance(value, tuple | list) else [value]
            if len(entries) != len(shapes.outputs):
                says = f"expected {len(shapes.outputs)} results, got {len(entries)}"
                raise RefusedError(says, WITHOUT_VALUES["kind"])
            same = _shapes(arguments) == _shapes(like)
            for out, entry in zip(shapes.outputs, entries, strict=True):
                self._refuse_tensor(entry, shape(out.axes, self.sizes) if same else None)
        if _has(value, _is_nan):
            raise RefusedError("it gives NaN", "it gives NaN")

    def _refuse_tensor(self, value: object, lengths: tuple[int, ...] | None) -> None:
        if not isinstance(value, Tensor):
            raise RefusedError(f"expected a torch tensor, got {show(value)}", WITHOUT_VALUES["kind"])
        if lengths is not None and tuple(value.shape) != lengths:
            says = f"expected shape {list(lengths)}, got {list(value.shape)}"
            raise RefusedError(says, WITHOUT_VALUES["shape"])
        if value.is_floating_point() and short(value.dtype) != self.dtype:
            says = f"expected {self.dtype}, got {short(value.dtype)}"
            raise RefusedError(says, WITHOUT_VALUES["dtype"])


@dataclass
class AskedFunction:
    """The student's function as a property is given it. Each call begins its random numbers elsewhere."""

    ask: Ask
    name: str
    promise: Promise
    like: Sequence[object]
    seed: int
    fault: Fault = field(default_factory=Fault, init=False)
    _calls: int = field(default=0, init=False)

    def __call__(self, *arguments: object) -> object:
        return self._call(self.seed + self._calls, arguments)

    def seeded(self, number: int) -> Callable[..., object]:
        """The function with its random numbers begun there."""
        return lambda *arguments: self._call(number, arguments)

    def _call(self, seed: int, arguments: Sequence[object]) -> object:
        self._calls += 1
        if self._calls > MOST_CALLS:
            raise PatienceError(f"stopped: the function was called more than {MOST_CALLS} times")
        outcome = self.ask(Step("call", self.name, args=tuple(arguments), seed=seed % (1 << 32)))
        if outcome.status != "ok":
            raise self.fault.of(outcome, self.name)
        value = outcome.outputs[0]
        try:
            self.promise.refuse(value, arguments, self.like)
        except RefusedError as error:
            self.fault.note(error, error.hidden)
            raise
        return value


def decide(
    properties: Sequence[tuple[str, Callable[..., object]]],
    name: str,
    promise: Promise,
    arguments: Sequence[object],
    ask: Ask,
    place: str,
) -> Tested:
    """The first property that does not hold of a case, in words; else that all do."""
    named = dict(zip(promise.parameters, arguments, strict=True))
    begin = seed_of("calls", name, repr(sorted(promise.sizes.items(), key=str)))
    for says, check in properties:
        found = _decide(check, AskedFunction(ask, name, promise, arguments, begin), named, place)
        if not found.passed:
            hidden = found.hidden or f"{says}: {DOES_NOT_HOLD}"
            return Tested(False, f"{says}: {found.says}", hidden, found.missing)
    return Tested(True)


def _decide(
    check: Callable[..., object], asked: AskedFunction, arguments: Mapping[str, object], place: str
) -> Tested:
    """Whether one property holds; `check` is a function of the file `place`, and bounded like a test."""
    code = getattr(check, "__code__")  # noqa: B009 - any callable of an author's file has one
    needed = code.co_varnames[1 : code.co_argcount]

    def ask_it() -> None:
        found = check(asked, **{name: revive(arguments[name]) for name in needed})
        if not _is_true(found):
            raise AssertionError(DOES_NOT_HOLD)

    return bounded(ask_it, place, asked.fault)


def _is_true(found: object) -> bool:
    """Nothing but truth values count: NaN, say, is true to Python."""
    match found:
        case None:  # it asserts
            return True
        case bool() | numpy.bool_():
            return bool(found)
        case Tensor() if found.dtype is torch.bool and found.numel():
            return bool(found.all())
    raise TypeError(f"a property returns True or False, not {show(found)}")


def _has(value: object, what: Callable[[object], bool]) -> bool:
    match value:
        case list() | tuple() | set():
            return any(_has(each, what) for each in value)
        case dict():
            return any(_has(each, what) for each in value.values())
    return what(value)


def _is_nan(value: object) -> bool:
    if isinstance(value, Tensor):
        return (value.is_floating_point() or value.is_complex()) and bool(value.isnan().any())
    return isinstance(value, float) and math.isnan(value)


def _shapes(arguments: Sequence[object]) -> list[object]:
    """Shapes of tensors, and other values where a size may depend on them."""
    return [
        tuple(each.shape) if isinstance(each, Tensor) else each if isinstance(each, int) else None
        for each in arguments
    ]


def follows(samples: object, chances: object, error: float = 1e-9) -> bool:
    """Whether whole numbers are drawn with these chances, one by one, uncounted, each without the others.

    `error` is how often it says no of right samples, at most, however few they are: by the relative entropy
    of what is seen to what is due, and Agrawal's bound on it (2020). Chances so small that fewer than five
    samples are due are taken together; a number whose chance is 0 may not occur.
    """
    drawn = torch.as_tensor(samples).flatten().to(torch.int64)
    parts = torch.as_tensor(chances, dtype=torch.float64).flatten()
    if not bool((parts >= 0).all()) or abs(float(parts.sum()) - 1) > MOST_OVER:
        raise ValueError(f"chances are positive and add up to 1, not to {float(parts.sum()):.4g}")
    due = parts / parts.sum() * drawn.numel()
    if not drawn.numel() or bool((drawn < 0).any()) or bool((drawn >= due.numel()).any()):
        return False
    counts = torch.bincount(drawn, minlength=due.numel()).double()
    if bool((counts[due == 0] > 0).any()):
        return False
    rare = (due < 5) & (due > 0)
    common = due >= 5
    groups = torch.cat([due[common], due[rare].sum()[None]]) if bool(rare.any()) else due[common]
    seen = torch.cat([counts[common], counts[rare].sum()[None]]) if bool(rare.any()) else counts[common]
    freedom = groups.numel() - 1
    if freedom < 1:
        return True
    distance = float(torch.special.xlogy(seen, seen / groups).sum())
    if distance <= freedom:
        return True
    return freedom * (1 + math.log(distance / freedom)) - distance >= math.log(error)
