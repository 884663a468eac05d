"""The doors through which numbers leave torch, shut while a program is counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from autograder.trace.charge import UnknownOperation

# What happens to numbers behind these doors is not seen.
EXITS = ("numpy", "tolist", "__array__", "__dlpack__", "data_ptr")
WHY = "numbers leave torch here; keep them in tensors"
_OPEN: dict[str, Any] = {name: getattr(Tensor, name) for name in EXITS}
_OWN = frozenset(name for name in EXITS if name in vars(Tensor))


@contextmanager
def shut(refuse: Callable[[UnknownOperation], UnknownOperation]) -> Iterator[None]:
    """Refuse the exits inside; whoever catches the error has been refused all the same.

    The methods themselves are replaced: a mode of torch that watches every function would cost a call for
    each operation and each attribute.
    """
    for name in EXITS:
        setattr(Tensor, name, _guard(name, refuse))
    try:
        yield
    finally:
        for name in EXITS:
            if name in _OWN:
                setattr(Tensor, name, _OPEN[name])
            else:
                delattr(Tensor, name)


def _guard(name: str, refuse: Callable[[UnknownOperation], UnknownOperation]) -> Callable[..., Any]:
    def guarded(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        # torch itself may: printing a tensor does.
        if str(sys._getframe(1).f_globals.get("__name__")).split(".")[0] == "torch":
            return _OPEN[name](self, *args, **kwargs)
        raise refuse(UnknownOperation(f"Tensor.{name}", WHY))

    return guarded
