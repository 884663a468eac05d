"""When the contents of each tensor are ready: a number for each storage, or for each of its entries."""

from __future__ import annotations

import weakref

import torch
from torch import Tensor, UntypedStorage

from autograder.cost.trace.time_model import UnknownOperation


class Memory(weakref.ref[UntypedStorage]):
    """One storage for as long as it lives: its bytes, those the program is charged for, when it can be read.

    Most storages are written as a whole and have one step; one that is written in parts has a step for each
    entry, so that rows filled one after another in a loop are not taken to wait for each other.
    """

    __slots__ = ("charged", "key", "ready", "shadow", "size")
    shadow: Shadow
    key: int
    size: int
    charged: int
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

    def ready(self, value: object) -> int:
        """The first step at which a tensor, or all tensors in a list, can be read."""
        if isinstance(value, Tensor):
            memory = self.known.get(value.untyped_storage()._cdata)
            if memory is None:
                on_cpu(value)
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
        memory.size = memory.charged = size = storage.nbytes()
        self.live += size
        if self.live > self.peak:
            self.peak = self.live

    def write(self, tensor: Tensor, step: int) -> None:
        """A tensor that exists already was overwritten, all of its memory or a part."""
        storage = tensor.untyped_storage()
        memory = self.known.get(storage._cdata)
        if memory is None:
            # It came to be where nothing is seen, as a copy of a whole storage does.
            self.allocate(tensor, step)
            return
        size = storage.nbytes()
        if size != memory.size:
            self._resized(memory, size)
        before = memory.ready
        entries, left_over = divmod(size, tensor.element_size())
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

    def argument(self, tensor: Tensor) -> None:
        """Memory that was there before the program: it counts nothing, unless it grows."""
        storage = tensor.untyped_storage()
        if storage._cdata not in self.known:
            memory = self.known[storage._cdata] = Memory(storage, _forget)
            memory.shadow, memory.key, memory.ready = self, storage._cdata, 0
            memory.size, memory.charged = storage.nbytes(), 0

    def check(self, tensor: Tensor) -> None:
        """Refuse a tensor that came to be where nothing is seen."""
        on_cpu(tensor)
        if tensor.layout is torch.strided and tensor.untyped_storage()._cdata not in self.known:
            raise UnknownOperation("the result", "nothing was seen of how it was made")

    def _resized(self, memory: Memory, size: int) -> None:
        grown = max(size - memory.size, -memory.charged)
        memory.size = size
        memory.charged += grown
        self.live += grown
        self.peak = max(self.peak, self.live)


def on_cpu(tensor: Tensor) -> None:
    """Refuse a tensor on another device: one that has no memory can have any size for nothing."""
    if not tensor.is_cpu:
        name = f"a tensor on the device {tensor.device.type!r}"
        raise UnknownOperation(name, "only what happens on the CPU is counted")


def _forget(memory: Memory) -> None:
    # The address may be used again by another storage.
    memory.shadow.live -= memory.charged
    memory.shadow.known.pop(memory.key, None)


def _latest(tensor: Tensor, steps: Tensor) -> int:
    if not tensor.numel():
        return 0
    if steps.numel() * tensor.element_size() != tensor.untyped_storage().nbytes():
        return int(steps.max())
    return int(steps.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).max())
