"""While a function is watched, numpy's arrays that come from tensors are seen as tensors are.

It runs beside a student's code, so it needs numpy and torch alone.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch

# What takes a tensor's shape, and none of its entries.
SHAPED_ALIKE = frozenset(
    {f"{kind}_like" for kind in ("zeros", "ones", "empty", "full", "rand", "randn")}
    | {f"new_{kind}" for kind in ("zeros", "ones", "empty", "full")}
)
# Ways to an array that numpy's own protocols do not tell of.
MAKERS = (
    *("array", "asarray", "ascontiguousarray", "asfortranarray", "asanyarray"),
    *("zeros", "ones", "full", "eye", "identity", "arange", "linspace"),
)
METHODS = (
    *("astype", "clip", "copy", "cumprod", "cumsum", "diagonal", "dot", "flatten", "ravel", "repeat"),
    *("reshape", "squeeze", "swapaxes", "take", "trace", "transpose"),
)
# What keeps or compares entries, by what torch calls it.
CHOOSING = {"maximum": "max", "minimum": "min", "fmax": "max", "fmin": "min"}
EXITS = ("item", "tolist", "tobytes", "__float__", "__int__", "__index__", "__complex__", "argmax", "argmin")


class Watcher(Protocol):
    """Is told what is made of what, and when numbers go where it is not told."""

    @property
    def is_own(self) -> Callable[[str], bool]: ...  # whether a file is watched
    def sees(self, name: str, made: Sequence[torch.Tensor | Watched], given: object) -> None: ...
    def leaves(self) -> None: ...
    def follows(self, call: Callable[[], object]) -> object: ...


class Watched(np.ndarray):
    """An array of which a watcher is told what is made from it; `origin` is what it is a view of."""

    watcher: Watcher | None = None
    origin: Watched | None = None

    @classmethod
    def of(cls, array: object, watcher: Watcher) -> Watched:
        """An array or a number as one that is watched."""
        found: Watched = np.asarray(array).view(cls)
        found.watcher = watcher
        return found

    def __array_finalize__(self, other: object) -> None:
        if isinstance(other, Watched):
            self.watcher, self.origin = other.watcher, other

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object) -> object:
        out = kwargs.get("out")
        result = getattr(ufunc, method)(*_all_plain(inputs), **_by_name(kwargs))
        name = CHOOSING.get(ufunc.__name__, ufunc.__name__)
        if isinstance(out, tuple) and out and out[0] is not None:
            self._told(name, out, (*inputs, *out))
            return out[0] if len(out) == 1 else out
        return self._made(name, result, (inputs, kwargs))

    def __array_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Iterable[object],
        kwargs: Mapping[str, object],
    ) -> object:
        return self._made(func.__name__, func(*_all_plain(args), **_by_name(kwargs)), (args, kwargs))

    def __getitem__(self, index: object) -> Any:
        return self._made("__getitem__", self.view(np.ndarray)[_plain(index)], (self, index))

    def __setitem__(self, index: object, value: object) -> None:
        self.view(np.ndarray)[_plain(index)] = _plain(value)
        self._told("__setitem__", [self], (self, value))

    def __iter__(self) -> Iterator[Any]:
        return (self[position] for position in range(len(self)))

    def _made(self, name: str, result: object, given: object) -> object:
        """The result of an operation, watched where it is numbers."""
        if isinstance(result, tuple | list):
            return type(result)(self._made(name, each, given) for each in result)
        if self.watcher is None or not isinstance(result, np.ndarray | np.floating):
            return result
        if result.dtype.kind not in "fiub" or (result.ndim == 0 and result.dtype.kind != "f"):
            return result if result.ndim else result.item()
        found = Watched.of(result, self.watcher)
        self._told(name, [found], given)
        return found

    def _told(self, name: str, made: Sequence[object], given: object) -> None:
        if self.watcher is not None:
            self.watcher.sees(name, [each for each in made if isinstance(each, Watched)], given)


def _method(name: str) -> Callable[..., object]:
    def method(self: Watched, *args: object, **kwargs: object) -> object:
        result = getattr(self.view(np.ndarray), name)(*_all_plain(args), **_by_name(kwargs))
        return self._made(name, result, (self, args, kwargs))

    return method


def _exit(name: str) -> Callable[..., object]:
    def leave(self: Watched, *args: object, **kwargs: object) -> object:
        if self.watcher is not None and self.dtype.kind == "f":
            self.watcher.leaves()
        return getattr(self.view(np.ndarray), name)(*args, **kwargs)

    return leave


for _name in METHODS:
    setattr(Watched, _name, _method(_name))
for _name in EXITS:
    setattr(Watched, _name, _exit(_name))


def _all_plain(values: Iterable[object]) -> list[object]:
    return [_plain(value) for value in values]


def _by_name(values: Mapping[str, object]) -> dict[str, object]:
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: object) -> Any:
    """An argument with numpy's own arrays in the place of watched ones."""
    if isinstance(value, Watched):
        return value.view(np.ndarray)
    if isinstance(value, tuple | list):
        return type(value)(_plain(each) for each in value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return value


def watched_in(value: object, depth: int = 5) -> Iterator[Watched]:
    """The watched arrays in an argument; of a view that is not known, what it is a view of as well."""
    if isinstance(value, Watched):
        here: Watched | None = value
        while here is not None:
            yield here
            here = here.origin
    elif depth and isinstance(value, tuple | list):
        for each in value:
            yield from watched_in(each, depth - 1)
    elif depth and isinstance(value, dict):
        yield from watched_in(list(value.values()), depth - 1)


@contextlib.contextmanager
def in_numpy(watcher: Watcher) -> Iterator[None]:
    """Until it ends, what numpy makes of nothing or of tensors is watched, and what torch makes of arrays."""
    places = [(np, name) for name in MAKERS] + [(torch, "from_numpy")]
    before = [(place, name, getattr(place, name)) for place, name in places]
    for place, name, function in before:
        setattr(place, name, _watching(function, watcher))
    try:
        yield
    finally:
        for place, name, function in before:
            setattr(place, name, function)


def _watching(function: Callable[..., object], watcher: Watcher) -> Callable[..., object]:
    def make(*args: object, **kwargs: object) -> object:
        if not watcher.is_own(sys._getframe(1).f_code.co_filename):
            return function(*args, **kwargs)
        result = watcher.follows(lambda: function(*args, **kwargs))
        if isinstance(result, np.ndarray) and result.dtype.kind in "fiu" and result.ndim:
            result = Watched.of(result, watcher)
        if isinstance(result, Watched | torch.Tensor):
            with torch._C.DisableTorchFunction():
                watcher.sees(function.__name__, [result], (args, kwargs))
        return result

    return make
