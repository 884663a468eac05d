"""The doors through which numbers leave torch, guarded while a program is counted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from torch import Tensor

from autograder.trace.charge import UnknownOperation

# What happens to numbers behind these doors is not seen.
EXITS = ("numpy", "tolist", "__array__", "__dlpack__", "data_ptr")
WHY = "numbers leave torch here; keep them in tensors"
Refuse = Callable[[UnknownOperation], UnknownOperation]


class Guard:
    """Stands at the doors of all tensors from the first trace on; lets everyone pass while none is traced.

    The methods themselves are replaced, once. A mode of torch that watches every function would cost a call
    for each operation and each attribute, and replacing them for each trace makes Python forget what it
    knows of tensors.
    """

    def __init__(self) -> None:
        self.refuse: Refuse | None = None
        for name in EXITS:
            setattr(Tensor, name, self._door(name, getattr(Tensor, name)))

    def _door(self, name: str, leave: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(leave)
        def guarded(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
            # torch itself may: printing a tensor does.
            if self.refuse is None or sys._getframe(1).f_globals.get("__name__", "").startswith("torch."):
                return leave(tensor, *args, **kwargs)
            raise self.refuse(UnknownOperation(f"Tensor.{name}", WHY))

        return guarded


@cache
def guard() -> Guard:
    """The one guard of this process."""
    return Guard()
