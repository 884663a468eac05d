"""A reference's value of any kind becomes what is asked; a sentence tells where an answer first differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set, Sized
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar

import numpy
import torch
from torch import Tensor

from autograder.calls.compare_tensors import Difference, Want, compare_tensor, told_apart, tolerance
from autograder.calls.script_steps import Held
from autograder.calls.value_as_json import kind_of

MOST_SHOWN = 80
C = TypeVar("C", bound=Sized)
GRADIENTS = "its gradients"  # what a step of them is called
NO_GRADIENT = "no gradient"  # `what` of a difference that a hidden case may tell as it stands
SMALL = 4  # entries of plain values that are shown together


@dataclass(frozen=True)
class PlainValue:
    """A result that is no tensor, as `wanted` makes it: None is one, too."""

    value: object

    @property
    def steps(self) -> Steps:
        """What is asked of a script."""
        assert isinstance(self.value, Steps)
        return self.value


@dataclass(frozen=True)
class Close:
    """A number that may be off by rounding."""

    value: float
    tolerance: float


@dataclass(frozen=True)
class Steps:
    """What came of the steps of a script. A step with a label is compared; one of `shapes` by those alone."""

    labels: tuple[str, ...]
    shapes: tuple[bool, ...]
    values: tuple[object, ...]


def wanted(
    value: object, near: Sequence[object], dtype: torch.dtype | None, close: float | None = None
) -> object:
    """The value with a Want for each tensor and a Close for each number with a fraction.

    Without a `dtype` tensors keep their own, and are close by single precision. `near` are the same value as
    rounding errors change it; `close` is the tolerance where the part says one.
    """
    if isinstance(value, numpy.ndarray | numpy.generic):
        value = torch.as_tensor(value) if isinstance(value, numpy.ndarray) else value.item()
    match value:
        case Tensor():
            others = [other for other in near if isinstance(other, Tensor) and other.shape == value.shape]
            kind = dtype if dtype is not None and value.is_floating_point() else value.dtype
            spread = tolerance(value, others, dtype or torch.float32) if close is None else close
            return Want("", value, kind, spread)
        case float():
            numbers = [torch.tensor(other) for other in near if isinstance(other, float)]
            spread = tolerance(torch.tensor(value, dtype=torch.float64), numbers, dtype or torch.float32)
            return Close(value, spread if close is None else close)
        case list() | tuple():
            inner = [
                wanted(item, [o[n] for o in near if _like(o, value)], dtype, close)
                for n, item in enumerate(value)
            ]
            return tuple(inner) if isinstance(value, tuple) else inner
        case dict():
            return {
                key: wanted(item, [o[key] for o in near if _like(o, value) and key in o], dtype, close)
                for key, item in value.items()
            }
        case frozenset():
            return set(value)
        case Steps():
            scripts = [o.values for o in near if isinstance(o, Steps) and _like(o.values, value.values)]
            inner = [
                wanted(item, [values[n] for values in scripts], dtype, close)
                for n, item in enumerate(value.values)
            ]
            return replace(value, values=tuple(inner))
    return value


def plainly(want: object) -> object:
    """What is asked, as a value again: for a student to look at."""
    match want:
        case Want():
            return want.values.to(want.dtype)
        case Close():
            return want.value
        case list() | tuple():
            return type(want)(map(plainly, want))
        case dict():
            return {key: plainly(item) for key, item in want.items()}
        case Steps():
            return [plainly(item) for label, item in zip(want.labels, want.values, strict=True) if label]
    return want


def whole(kind: str, outputs: Sequence[object]) -> object:
    """The value that came back, out of its entries."""
    if kind in ("tuple", "list", "script"):
        return tuple(outputs) if kind == "tuple" else list(outputs)
    return outputs[0] if outputs else None


def compare_value(got: object, want: object, place: str = "") -> Difference | None:
    """None where everything agrees, else the place and the sentence of the first difference."""
    match want:
        case Want():
            if not isinstance(got, Tensor):
                return _said(place, "kind", "a torch tensor", show(got))
            difference = compare_tensor(got, want)
            return difference and Difference(difference.what, _at(place, difference.message))
        case Close():
            if isinstance(got, bool) or not isinstance(got, int | float):
                return _said(place, "kind", "a number", show(got))
            if got == want.value or abs(got - want.value) <= want.tolerance:
                return None
            return _said(place, "values", *told_apart(want.value, got))
        case Steps() if isinstance(got, list | tuple):
            return _compare_steps(got, want)
        case Held():  # an object on both sides: nothing of it can be compared
            return None if isinstance(got, Held) else _said(place, "kind", "an object", show(got))
    if _kind(got) != _kind(want):
        return _said(place, "kind", show(want), show(got))
    match want, got:
        case list() | tuple(), list() | tuple():
            difference = _compare_entries(got, want, place)
            small = difference is not None and _is_small(want)
            return _said(place, "values", show(want), show(got)) if small else difference
        case dict(), dict():
            return _compare_dicts(got, want, place)
        case set(), set() | frozenset():
            return _compare_sets(got, want, place)
    return None if got == want else _said(place, "values", show(want), show(got))


def show(value: object) -> str:
    """A value in one line, cut where it is long."""
    if isinstance(value, Held):
        return f"an object of the class {value.type}" if value.type else "an object"
    if isinstance(value, Want | Tensor):
        shape = value.values.shape if isinstance(value, Want) else value.shape
        return f"a tensor of shape {list(shape)}"
    text = _text(plainly(value))
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _text(value: object) -> str:
    """As Python writes it, sets in an order of their own: Python's differs from run to run."""
    match value:
        case Held() | Tensor():
            return show(value)
        case set() | frozenset() if value:
            return f"{{{', '.join(sorted(map(_text, value)))}}}"
        case list():
            return f"[{', '.join(map(_text, value))}]"
        case tuple():
            return f"({', '.join(map(_text, value))}{',' if len(value) == 1 else ''})"
        case dict():
            return f"{{{', '.join(f'{_text(key)}: {_text(each)}' for key, each in value.items())}}}"
    return repr(value)


def _compare_steps(got: Sequence[object], want: Steps) -> Difference | None:
    """The first step whose result differs; `got` has an entry for every step."""
    for number, label in enumerate(want.labels):
        if not label:
            continue
        mine, theirs = got[number], want.values[number]
        if want.shapes[number]:
            mine, theirs = _shapes(mine), _shapes(theirs)
        difference = _compare_flow(mine, theirs) if label == GRADIENTS else None
        difference = difference or compare_value(mine, theirs)
        if difference is not None and difference.what == NO_GRADIENT:
            return difference
        if difference is not None:
            dots = "" if difference.message.startswith("[") else ": "
            return Difference(difference.what, f"{step_name(want, number)}{dots}{difference.message}")
    return None


def _compare_flow(got: object, want: object) -> Difference | None:
    """Which parameters have no gradient and should have one, or have one and should not."""
    if not isinstance(got, dict) or not isinstance(want, dict) or got.keys() != want.keys():
        return None
    none = [str(name) for name, each in want.items() if isinstance(each, Want) and got[name] is None]
    if none:
        names, have = _joined(none), "has" if len(none) == 1 else "have"
        return Difference(NO_GRADIENT, f"{names} {have} no gradient: {none[0]}.grad is None")
    some = [str(name) for name, each in want.items() if each is None and isinstance(got[name], Tensor)]
    if some:
        names, have = _joined(some), "has a gradient" if len(some) == 1 else "have gradients"
        return Difference(NO_GRADIENT, f"{names} {have}, where there should be none")
    return None


def _joined(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def step_name(steps: Steps, number: int) -> str:
    """What a step is called to a student: by its number as well, where there are several."""
    told = [place for place, label in enumerate(steps.labels) if label]
    label = steps.labels[number] or "before a result"
    return f"step {told.index(number) + 1}, {label}" if len(told) > 1 and number in told else label


def _shapes(state: object) -> object:
    """The shape of each tensor of a dict, whether it is asked for or came back."""
    if not isinstance(state, dict):
        return state
    tensors = {key: item.values if isinstance(item, Want) else item for key, item in state.items()}
    return {key: list(t.shape) if isinstance(t, Tensor) else t for key, t in tensors.items()}


def _compare_entries(got: Sequence[object], want: Sequence[object], place: str) -> Difference | None:
    for number, (mine, theirs) in enumerate(zip(got, want, strict=False)):
        difference = compare_value(mine, theirs, f"{place}[{number}]")
        if difference is not None:
            return difference
    if len(got) != len(want):
        return Difference("values", _at(place, f"expected {len(want)} entries, got {len(got)}"))
    return None


def _compare_dicts(
    got: Mapping[object, object], want: Mapping[object, object], place: str
) -> Difference | None:
    for key, theirs in want.items():
        if key not in got:
            return Difference("values", _at(place, f"there is no key {key!r:.{MOST_SHOWN}}"))
        difference = compare_value(got[key], theirs, f"{place}[{key!r:.{MOST_SHOWN}}]")
        if difference is not None:
            return difference
    for key in got:
        if key not in want:
            return Difference("values", _at(place, f"the key {key!r:.{MOST_SHOWN}} should not be there"))
    return None


def _compare_sets(got: Set[object], want: Set[object], place: str) -> Difference | None:
    for these, says in ((want - got, "is missing"), (got - want, "should not be there")):
        if these:
            first = min(map(repr, these))
            return Difference("values", _at(place, f"{first:.{MOST_SHOWN}} {says}"))
    return None


def _kind(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a whole number" if isinstance(value, int) else "a number"
    return kind_of(value)


def _is_small(value: object) -> bool:
    return isinstance(value, tuple) and len(value) <= SMALL and all(_is_plain(item) for item in value)


def _is_plain(value: object) -> bool:
    return value is None or isinstance(value, Close | bool | int | float | str | bytes)


def _said(place: str, what: str, expected: str, found: str) -> Difference:
    return Difference(what, _at(place, f"expected {expected}, got {found}"))


def _at(place: str, says: str) -> str:
    return f"{place}: {says}" if place else says


def _like(other: object, value: C) -> TypeGuard[C]:
    """Whether two values that hold others are of one kind and as long."""
    return type(other) is type(value) and isinstance(other, Sized) and len(other) == len(value)
