"""The operations of a call, recorded once: what follows from other tensors is worked out from these alone.

A record is replayed in the place of a second call, which would run all of it again. It can be where no
operation writes to a tensor that is there already; where one tells Python something else than it did, of a
shape or of an entry, the call might have gone another way, and the replay is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import torch
from torch import Tensor

from autograder.calls.note_tensors import OperationSpot, tensors_in
from autograder.diagnose.torch_written_out import Arguments, Keywords

Given = Any  # what goes into a function of torch, and what it gives
MOST_DEEP = 5  # lists in lists


# What can be compared: numbers, and what is told of a tensor besides its entries.
TOLD = frozenset({bool, int, float, complex, str, type(None), torch.Size, torch.dtype, torch.device})


class OtherWay(Exception):
    """With these tensors other operations may follow than those of the record."""


@dataclass(frozen=True, eq=False)
class RecordedOperation:
    """What was called with what, where, and what it gave; an iterator counts as a list."""

    function: Callable[..., Given]
    args: Arguments
    kwargs: Keywords
    result: Given
    spot: OperationSpot

    @property
    def name(self) -> str:
        return getattr(self.function, "__name__", "")

    @property
    def caller(self) -> object:
        """Where in the code it was called."""
        return self.spot.place[0] if self.spot.place else None

    @cached_property
    def sources(self) -> list[Tensor]:
        return list(tensors_in([self.args, self.kwargs]))

    @cached_property
    def which(self) -> frozenset[int]:
        """Its sources, told from each other by what they are."""
        return frozenset(map(id, self.sources))


class Watching(Protocol):
    """Who may put another tensor in the place of what an operation gives."""

    def passes_by(self, caller: object) -> bool: ...
    def see(self, seen: RecordedOperation) -> Given: ...


@dataclass(eq=False)
class Record:
    """All operations of one call."""

    arguments: Sequence[object] = ()
    operations: list[RecordedOperation] = field(default_factory=list)
    value: object = None
    can_be_replayed: bool = True

    def take(self, operation: RecordedOperation, versions: Sequence[int]) -> None:
        """One more operation; `versions` are those of its sources before it ran."""
        writes = [source._version for source in operation.sources] != list(versions)
        hides = any(_has_slice_by_tensor(each) for each in operation.args)
        if writes or hides or any(source.requires_grad for source in operation.sources):
            self.can_be_replayed = False
        self.operations.append(operation)

    def replay(self, arguments: Sequence[object], watching: Watching) -> object:
        """What the call returns with other arguments, and with what `watching` gives for a result."""
        others = _StandIns()
        for mine, other in zip(self.arguments, arguments, strict=True):
            others.stand(mine, other)
        for operation in self.operations:
            now = others.before(operation)
            if not watching.passes_by(operation.caller):
                others.stand(operation.result, watching.see(now))
            elif now is not operation:
                others.stand(operation.result, now.result)
        return others.instead_of(self.value)


class _StandIns:
    """The tensors that stand for those of a record, which are told from each other by what they are."""

    def __init__(self) -> None:
        self._found: dict[int, Tensor] = {}

    def stand(self, mine: object, other: object) -> None:
        """Take what an operation gives now for what it gave."""
        if mine is other:
            return
        if isinstance(mine, Tensor) and isinstance(other, Tensor):
            self._found[id(mine)] = other
        elif isinstance(mine, list | tuple) and type(mine) is type(other) and len(mine) == len(other):
            for one, two in zip(mine, other, strict=True):
                self.stand(one, two)
        elif type(mine) not in TOLD or type(mine) is not type(other) or mine != other:
            raise OtherWay

    def before(self, operation: RecordedOperation) -> RecordedOperation:
        """The operation with what its sources are now; itself, if they are what they were."""
        if operation.which.isdisjoint(self._found):
            return operation
        args, kwargs = self.instead_of(operation.args), self.instead_of(operation.kwargs)
        result = operation.function(*args, **kwargs)
        return RecordedOperation(
            operation.function, args, kwargs, listed(operation.name, result), operation.spot
        )

    def instead_of(self, value: Given, depth: int = MOST_DEEP) -> Given:
        if isinstance(value, Tensor):
            return self._found.get(id(value), value)
        if depth and type(value) in (list, tuple):
            return type(value)(self.instead_of(each, depth - 1) for each in value)
        if depth and isinstance(value, dict):
            return {key: self.instead_of(each, depth - 1) for key, each in value.items()}
        return value


def listed(name: str, result: Given) -> Given:
    """What an iterator over a tensor gives, which could be read but once."""
    return list(result) if name == "__iter__" else result


def _has_slice_by_tensor(value: object, depth: int = MOST_DEEP) -> bool:
    """Whether a tensor goes in as the bound of a slice, where it is not seen."""
    if isinstance(value, slice):
        return any(isinstance(bound, Tensor) for bound in (value.start, value.stop, value.step))
    within = value if isinstance(value, list | tuple) and depth else ()
    return any(_has_slice_by_tensor(each, depth - 1) for each in within)
