"""When the contents of each tensor are ready: a number for each storage, or for each of its entries."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, UntypedStorage


class Shadow:
    """The step at which memory was last written, and the bytes that are alive.

    Views need no care: they are the same memory. Most storages are written as a whole and have one number;
    one that is written in parts gets a number for each entry, so that rows filled one after another in a
    loop are not taken to wait for each other.
    """

    def __init__(self) -> None:
        self.live = 0
        self.peak = 0
        self._ready: dict[int, int | Tensor] = {}
        self._watched: dict[int, weakref.ref[UntypedStorage]] = {}

    def ready(self, values: Iterable[Any]) -> int:
        """The first step at which all of these tensors, or tensors in lists, can be read."""
        latest = 0
        for value in values:
            if isinstance(value, Tensor):
                at = self._ready.get(value.untyped_storage()._cdata, 0)
                if not isinstance(at, int):
                    at = _latest(value, at)
            elif isinstance(value, list | tuple):
                at = self.ready(value)
            else:
                continue
            if at > latest:
                latest = at
        return latest

    def allocate(self, tensor: Tensor, step: int) -> None:
        """A new tensor came to be; one that turns out to be known memory was written."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key in self._watched:
            self.write(tensor, step)
            return
        self._ready[key] = step
        size = storage.nbytes()
        self._watch(storage, key, size)
        self.live += size
        if self.live > self.peak:
            self.peak = self.live

    def write(self, tensor: Tensor, step: int) -> None:
        """A tensor that exists already was overwritten, all of its memory or a part."""
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self._watched:
            self._watch(storage, key, 0)  # it was there before the program
        before = self._ready.get(key, 0)
        entries, left_over = divmod(storage.nbytes(), tensor.element_size())
        if tensor.numel() == entries and tensor.is_contiguous():
            self._ready[key] = step
            return
        if isinstance(before, int):
            if before == step:
                return
            before = torch.full((entries,), before, dtype=torch.int64)
        if before.numel() != entries or left_over:
            # Looked at as another dtype: entries do not line up, so all of it waits.
            self._ready[key] = max(int(before.max()), step)
            return
        before.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).fill_(step)
        self._ready[key] = before

    def _watch(self, storage: UntypedStorage, key: int, size: int) -> None:
        def freed(_: object) -> None:
            # The address may be used again by another storage.
            self.live -= size
            self._ready.pop(key, None)
            self._watched.pop(key, None)

        self._watched[key] = weakref.ref(storage, freed)


def _latest(tensor: Tensor, steps: Tensor) -> int:
    if not tensor.numel():
        return 0
    if steps.numel() * tensor.element_size() != tensor.untyped_storage().nbytes():
        return int(steps.max())
    return int(steps.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).max())
