"""A reference and a call become its intermediate tensors, and its result with some of them exchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from autograder.calls.expected import Planned
from autograder.calls.inputs import revive
from autograder.calls.noting import UNFILLED, Notebook, Notes, Place, Values, place_now, tensors_in

# What a step inside softmax or sigmoid is, and how the function goes on from it.
Inside = tuple[str, Tensor, Callable[[Tensor], Tensor]]
SOFTMAX = (torch.softmax, torch.nn.functional.softmax, Tensor.softmax)
SIGMOID = (torch.sigmoid, torch.nn.functional.sigmoid, Tensor.sigmoid)


def inside(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Iterator[Inside]:
    """The steps of a function that students also write out."""
    if func in SIGMOID:
        below = torch.exp(-args[0])
        yield "exp", below, lambda v: 1 / (1 + v)
        yield "below", 1 + below, lambda v: 1 / v
    elif func in SOFTMAX:
        x, dim = args[0], kwargs.get("dim", args[1] if len(args) > 1 else -1)
        for shifted in (x, x - x.amax(dim, keepdim=True), x - x.max()):
            exp = torch.exp(shifted)
            if shifted is not x:
                yield "shifted", shifted, lambda v: torch.softmax(v, dim)
            yield "weights", exp, lambda v: v / v.sum(dim, keepdim=True)
            yield "total", exp.sum(dim, keepdim=True), partial(torch.div, exp)
        yield "log total", torch.logsumexp(x, dim, keepdim=True), lambda v: torch.exp(x - v)
        yield "log", torch.log_softmax(x, dim), torch.exp


class _Watching(TorchFunctionMode):
    """Every result of a reference's operations, and what lies inside some of them, passes `see`."""

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        super().__init__()
        self._is_own = is_own

    def see(self, tensor: Tensor, place: Place, sources: Sequence[Tensor], *, written: bool = False) -> Any:
        raise NotImplementedError

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        result = func(*args, **kwargs)
        if name in UNFILLED:
            result.zero_()
        place, _ = place_now(self._is_own)
        sources = list(tensors_in([args, kwargs]))
        if name == "__setitem__":
            self.see(args[0], (*place, 0), sources, written=True)
            return None
        for number, (kind, step, go_on) in enumerate(inside(func, args, kwargs)):
            other = self.see(step, (*place, kind, number), sources)
            if other is not step:
                result = go_on(other)
        if isinstance(result, Tensor):
            return self.see(result, (*place, 0), sources, written=any(result is s for s in sources))
        if type(result) is tuple or type(result) is list:
            return type(result)(
                self.see(each, (*place, number), sources) if isinstance(each, Tensor) else each
                for number, each in enumerate(result)
            )
        return result


class _Noting(_Watching):
    def __init__(self, is_own: Callable[[str], bool]) -> None:
        super().__init__(is_own)
        self.book = Notebook()

    def see(self, tensor: Tensor, place: Place, sources: Sequence[Tensor], *, written: bool = False) -> Any:
        (self.book.retake if written else self.book.take)(tensor, place, 1, sources)
        return tensor


class _Exchanging(_Watching):
    """Puts other tensors in the place of those that one operation gives, round by round."""

    def __init__(self, is_own: Callable[[str], bool], at: Place, others: Sequence[Values]) -> None:
        super().__init__(is_own)
        self._at, self._others, self._round = at, others, 0

    def see(self, tensor: Tensor, place: Place, sources: Sequence[Tensor], *, written: bool = False) -> Any:
        if place != self._at:
            return tensor
        other = torch.from_numpy(self._others[self._round].copy()).to(tensor.dtype)
        self._round += 1
        return tensor.copy_(other) if written else other


@dataclass(frozen=True, eq=False)
class Right:
    """The reference on one call: its notes, and which operation each place is."""

    reference: Callable[..., Any]
    call: Planned
    notes: Notes
    places: Mapping[int, Place]

    def exchanged(self, place: int, others: Sequence[Values]) -> list[Values] | None:
        """What the reference returns when the tensors of one operation are these."""
        mode = _Exchanging(_own(self.reference), self.places[place], others)
        try:
            with mode:
                value = self.reference(*[revive(argument) for argument in self.call.arguments])
        except Exception:  # another shape may fit nowhere
            return None
        found = list(tensors_in(value))
        if any(tensor.is_complex() for tensor in found):
            return None
        return [tensor.detach().double().numpy() for tensor in found]


def note_reference(reference: Callable[..., Any], call: Planned) -> Right | None:
    """The intermediates of the reference; None where there are too many."""
    mode = _Noting(_own(reference))
    arguments = [revive(argument) for argument in call.arguments]
    for position, argument in enumerate(arguments):
        for tensor in tensors_in(argument):
            mode.book.take(tensor, ("argument", position), 0)
    with mode:
        reference(*arguments)
    notes = mode.book.notes()
    if not notes.whole:
        return None
    return Right(reference, call, notes, mode.book.places())


def _own(function: Callable[..., Any]) -> Callable[[str], bool]:
    filename = function.__code__.co_filename
    return lambda name: name == filename
