"""The steps of a script become notes of the tensors on the way: of what the class does, not of the script.

It runs beside a student's code, and for the reference alike, so it needs torch alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from typing import Protocol

from torch import Tensor, nn

from autograder.calls.note_numpy import in_numpy
from autograder.calls.note_tensors import ARGUMENT, Notes, Noting, OperationSpot, stop_of, tensors_in
from autograder.calls.script_steps import Step
from autograder.calls.take_steps import Bench


class TensorWatcher(Protocol):
    """Who is told of tensors that no operation of the class has made."""

    def is_given(self, tensor: Tensor, spot: OperationSpot) -> Tensor: ...  # what is given in its place
    def is_same(self, other: Tensor, tensor: Tensor) -> None: ...


def take_notes_of_steps(
    bench: Bench, steps: Sequence[Step], make: Callable[[object], object], noting: Noting
) -> Notes:
    """Take the steps; an exception ends the notes where it was raised."""

    def entered() -> AbstractContextManager[object]:
        both = ExitStack()
        both.enter_context(noting)
        both.enter_context(in_numpy(noting))
        return both

    try:
        for _ in take_watched(bench, steps, make, entered, noting):
            pass
    except Exception as error:
        return replace(noting.book.notes(), stop=stop_of(error, noting.is_own))
    return noting.book.notes()


def take_watched(
    bench: Bench,
    steps: Sequence[Step],
    make: Callable[[object], object],
    entered: Callable[[], AbstractContextManager[object]],
    watcher: TensorWatcher,
) -> Iterator[object]:
    """What each step gives; while the class itself is at work, what `entered` gives is entered."""
    given = _Given(make, watcher)
    for step in steps:
        # What is handed over is none of the class's work.
        named = {name: given(value) for name, value in step.named.items()}
        ready = replace(step, args=tuple(map(given, step.args)), named=named)
        with entered() if _runs_the_class(bench, step) else nullcontext():
            value = bench.take(ready, lambda made: made)
        if step.do == "load" and step.on is not None:
            _tell_weights(bench.held(step.on), named, watcher)
        yield value


class _Given:
    """Makes arguments and says which tensors are in them."""

    def __init__(self, make: Callable[[object], object], watcher: TensorWatcher) -> None:
        self._make, self._watcher = make, watcher
        self._count = 0

    def __call__(self, value: object) -> object:
        made = self._make(value)
        if isinstance(made, Tensor):
            return self._tell(made)
        for tensor in tensors_in(made):
            self._tell(tensor)
        return made

    def _tell(self, tensor: Tensor) -> Tensor:
        self._count += 1
        return self._watcher.is_given(tensor, OperationSpot((ARGUMENT, self._count - 1)))


def _runs_the_class(bench: Bench, step: Step) -> bool:
    """Whether a step calls the class, and not an attribute of a tensor or a module's own."""
    if step.do == "method" and step.on is not None:
        return not isinstance(bench.held(step.on), Tensor)
    return step.do == "call"


def _tell_weights(thing: object, weights: dict[str, object], watcher: TensorWatcher) -> None:
    """What is copied into a module's parameters is what was handed over."""
    if isinstance(thing, nn.Module):
        own = {**dict(nn.Module.named_parameters(thing)), **dict(nn.Module.named_buffers(thing))}
        for name, value in weights.items():
            if isinstance(value, Tensor):
                watcher.is_same(own[name], value)
