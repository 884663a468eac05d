"""When the contents of each tensor are ready: a number for each storage, or for each of its entries."""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch import Tensor, UntypedStorage


class Memory(weakref.ref[UntypedStorage]):
    """One storage for as long as it lives: its bytes, and the step at which it can be read.

    Most storages are written as a whole and have one step; one that is written in parts has a step for each
    entry, so that rows filled one after another in a loop are not taken to wait for each other.
    """

    __slots__ = ("key", "ready", "shadow", "size")
    shadow: Shadow
    key: int
    size: int
    ready: int | Tensor


class Shadow:
    """The step at which memory was last written, and the bytes that are alive.

    Views need no care: they are the same memory. `known` is open to the tracer, which looks a storage up by
    its address for every tensor that an operation reads.
    """

    def __init__(self) -> None:
        self.live = 0
        self.peak = 0
        self.known: dict[int, Memory] = {}

    def ready(self, value: Any) -> int:
        """The first step at which a tensor, or all tensors in a list, can be read."""
        if isinstance(value, Tensor):
            memory = self.known.get(value.untyped_storage()._cdata)
            if memory is None:
                return 0
            at = memory.ready
            return at if isinstance(at, int) else _latest(value, at)
        if value.__class__ in (list, tuple):
            return max(map(self.ready, value), default=0)
        return 0

    def allocate(self, tensor: Tensor, step: int) -> None:
        """A new tensor came to be; one that turns out to be known memory was written."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self.known:
            self.write(tensor, step)
            return
        memory = self.known[key] = Memory(storage, _forget)
        memory.shadow = self
        memory.key = key
        memory.ready = step
        memory.size = size = storage.nbytes()
        self.live += size
        if self.live > self.peak:
            self.peak = self.live

    def write(self, tensor: Tensor, step: int) -> None:
        """A tensor that exists already was overwritten, all of its memory or a part."""
        storage = tensor.untyped_storage()
        memory = self.known.get(storage._cdata) or self._argument(storage)
        before = memory.ready
        entries, left_over = divmod(storage.nbytes(), tensor.element_size())
        if tensor.numel() == entries and tensor.is_contiguous():
            memory.ready = step
            return
        if isinstance(before, int):
            if before == step:
                return
            before = torch.full((entries,), before, dtype=torch.int64)
        if before.numel() != entries or left_over:
            # Looked at as another dtype: entries do not line up, so all of it waits.
            memory.ready = max(int(before.max()), step)
            return
        before.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).fill_(step)
        memory.ready = before

    def _argument(self, storage: UntypedStorage) -> Memory:
        """Memory that was there before the program: it counts nothing."""
        memory = self.known[storage._cdata] = Memory(storage, _forget)
        memory.shadow, memory.key, memory.ready, memory.size = self, storage._cdata, 0, 0
        return memory


def _forget(memory: Any) -> None:
    # The address may be used again by another storage.
    memory.shadow.live -= memory.size
    memory.shadow.known.pop(memory.key, None)


def _latest(tensor: Tensor, steps: Tensor) -> int:
    if not tensor.numel():
        return 0
    if steps.numel() * tensor.element_size() != tensor.untyped_storage().nbytes():
        return int(steps.max())
    return int(steps.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).max())
