"""The doors through which a program leaves what is counted, guarded while it is."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps

import torch
import torch.utils._python_dispatch as dispatch
import torch.utils.dlpack
from torch import Tensor

from autograder.cost.trace.time_model import UnknownOperation

LEAVES = "numbers leave torch here; keep them in tensors"
THREADS = "what another thread does is not seen; stay in this one"
MODES = "what happens while torch is not watched is not seen"
Refuse = Callable[[UnknownOperation], UnknownOperation]

# Whose door, as it is told; the doors; why they are closed; whether torch itself may pass: printing has to.
DOORS: tuple[tuple[object, str, str, str, bool], ...] = (
    (Tensor, "Tensor", "numpy tolist __array__ __dlpack__ data_ptr apply_ map_ map2_", LEAVES, True),
    (Tensor, "Tensor", "__reduce_ex__", LEAVES, False),
    *(
        (owner, "Storage", "tolist __getitem__ __iter__ data_ptr __reduce__ _write_file", LEAVES, True)
        for owner in (torch.UntypedStorage, torch.TypedStorage)
    ),
    (torch, "torch", "to_dlpack", LEAVES, True),
    (torch.utils.dlpack, "torch", "to_dlpack", LEAVES, True),
    (torch._C, "torch", "_to_dlpack", LEAVES, True),
    (threading.Thread, "Thread", "start", THREADS, True),
    (_thread, "_thread", "start_new_thread", THREADS, True),
    (dispatch, "torch", "_disable_current_modes _pop_mode_temporarily", MODES, True),
    (torch._C, "torch", "_DisableTorchDispatch", MODES, True),
)


class DoorGuard:
    """Stands at the doors from the first trace on, or earlier; lets everyone pass while none is traced.

    What is behind the doors is replaced once. A mode of torch that watches every function would cost a call
    for each operation and each attribute, and replacing methods for each trace makes Python forget what it
    knows of tensors.
    """

    def __init__(self) -> None:
        self._refuse: Refuse | None = None
        self._thread = 0
        for owner, of, names, why, own in DOORS:
            for name in names.split():
                setattr(owner, name, self._door(f"{of}.{name}", getattr(owner, name), why, own))

    def _door(self, name: str, leave: Callable[..., object], why: str, own: bool) -> Callable[..., object]:
        @wraps(leave)
        def guarded(*args: object, **kwargs: object) -> object:
            refuse = self._refuse
            if (
                refuse is None
                or threading.get_ident() != self._thread
                or (own and sys._getframe(1).f_globals.get("__name__", "").startswith("torch."))
            ):
                return leave(*args, **kwargs)
            raise refuse(UnknownOperation(name, why))

        return guarded

    @contextmanager
    def closed(self, refuse: Refuse) -> Iterator[None]:
        """Keep the doors closed for this thread; who tries one is told what `refuse` makes of the error."""
        before = self._refuse, self._thread, torch._C.TensorBase
        self._refuse, self._thread = refuse, threading.get_ident()
        # The methods of the type itself cannot be replaced; those of a tensor have the doors.
        torch._C.TensorBase = Tensor  # type: ignore[misc]
        try:
            yield
        finally:
            self._refuse, self._thread, torch._C.TensorBase = before  # type: ignore[misc]


@cache
def guard() -> DoorGuard:
    """The one guard of this process."""
    return DoorGuard()
