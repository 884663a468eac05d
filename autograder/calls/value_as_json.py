"""Any value becomes a small tree of JSON with its tensors apart, and back: how all values travel.

A leaf is None, a bool, a number or a text as it is. `{"tensor": 0}` is a tensor by its number, with its
strides or with the kind of what it was made from ("ndarray"); `{"number": 2.5, "kind": "numpy.float32"}` a
scalar of numpy; `{"bytes": "…"}` bytes in base 64; `{"list": […]}`, `{"tuple": […]}`, `{"set": […]}` and
`{"dict": [[key, value], …]}` hold others. Whatever else there is, each side has its own words for.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

import numpy
import torch
from numpy.typing import NDArray
from torch import Tensor

MAX_TEXT = 64 << 10
MAX_ENTRIES = 20_000  # of one list, tuple, set or dict
MAX_DEPTH = 16
MAX_TREE = 512 << 10  # characters of the whole
MAX_TENSORS = 2048
MAX_ELEMENTS = 4_000_000  # of one tensor
MAX_BYTES = 32 << 20  # of all
READABLE = frozenset(
    {
        torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64, torch.complex128,
        torch.int64, torch.int32, torch.int16, torch.int8, torch.bool,
        torch.uint64, torch.uint32, torch.uint16, torch.uint8,
    }
)  # fmt: skip
Node = object  # of a tree: see above
T = TypeVar("T")
KINDS = ("none", "bool", "number", "str", "bytes", "tensor", "tuple", "list", "set", "dict")


class OutputError(Exception):
    """The value cannot be sent as data; the message says why."""


class TreeError(ValueError):
    """The tree is none that a value is written as."""


@dataclass
class Packed:
    """A value as data: its tree, and the tensors that it numbers."""

    tree: Node = None
    tensors: list[Tensor] = field(default_factory=list)


Other = Callable[[object, Callable[[Tensor], int]], Node]  # a node for what is no plain value; it may raise


def pack_value(value: object, other: Other | None = None, strides: bool = False, first: int = 0) -> Packed:
    """The value as data. `other` is asked for what is none, and may add tensors; `strides` keeps them;
    `first` is the number of the first tensor."""
    packer = _Packer(other, strides, first)
    # A subclass may lie through __torch_function__; its memory does not.
    with torch._C.DisableTorchFunction(), torch.no_grad():
        tree = packer.node(value, "", 0)
    if len(json.dumps(tree)) > MAX_TREE or packer.size() > MAX_BYTES or len(packer.tensors) > MAX_TENSORS:
        raise OutputError("it returned more than the grader reads")
    return Packed(tree, packer.tensors)


def kind_of(value: object) -> str:
    """A short word for what the value is."""
    match value:
        case None:
            return "none"
        case Tensor():
            return "tensor" if value.layout == torch.strided else "sparse tensor"
        case numpy.ndarray():
            return "ndarray"
        case numpy.generic():
            return f"numpy.{type(value).__name__}"
        case bool():
            return "bool"
        case int() | float():
            return "number"
        case str() | bytes() | tuple() | list() | dict():
            return next(kind.__name__ for kind in (str, bytes, tuple, list, dict) if isinstance(value, kind))
        case set() | frozenset():
            return "set"
    return str(type(value).__name__)[:80]


class _Packer:
    def __init__(self, other: Other | None, strides: bool, first: int) -> None:
        self.tensors: list[Tensor] = []
        self._other, self._strides, self._first = other, strides, first

    def size(self) -> int:
        return sum(tensor.numel() * tensor.element_size() for tensor in self.tensors)

    def node(self, value: object, path: str, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise OutputError(f"{_place(path)} is nested more than {MAX_DEPTH} deep")
        match value:
            case None:
                return None
            case Tensor() | numpy.ndarray():
                return self._tensor(value, path)
            case numpy.generic():
                return {"number": _plain_number(value.item(), path), "kind": kind_of(value)}
            case bool() | int() | float():
                return _plain_number(value, path)
            case str():
                return str.__getitem__(value, slice(MAX_TEXT))
            case bytes():
                return {"bytes": base64.b64encode(bytes.__getitem__(value, slice(MAX_TEXT))).decode()}
            case tuple() | list():
                kind = tuple if isinstance(value, tuple) else list
                nodes = _few(kind.__iter__(value), path)  # type: ignore[arg-type]
                return {
                    kind.__name__: [
                        self.node(item, f"{path}[{place}]", depth + 1) for place, item in enumerate(nodes)
                    ]
                }
            case set() | frozenset():
                items = _few(
                    set.__iter__(value) if isinstance(value, set) else frozenset.__iter__(value), path
                )
                return {"set": [self._key(item, path, depth + 1) for item in items]}
            case dict():
                pairs = _few(dict.items(value), path)
                return {
                    "dict": [
                        [self._key(key, path, depth + 1), self.node(item, f"{path}[{key!r:.40}]", depth + 1)]
                        for key, item in pairs
                    ]
                }
        if self._other is not None:
            return self._other(value, self._add)
        raise OutputError(f"{_place(path)} is of type {kind_of(value)}")

    def _key(self, key: object, path: str, depth: int) -> Node:
        """Of a set or a dict: plain values and tuples of them."""
        plain_key = key.item() if isinstance(key, numpy.generic) else key
        if not _is_key(plain_key):
            raise OutputError(f"a key in {_place(path)} is of type {kind_of(key)}, or holds what is no value")
        return self.node(plain_key, path, depth)

    def _tensor(self, value: Tensor | NDArray[numpy.generic], path: str) -> Node:
        kind = kind_of(value)
        if self._strides and isinstance(value, Tensor):
            return {"tensor": self._add(value.detach()), "strides": strides(value)}
        try:
            number = self._add(plain(value))
        except OutputError as error:
            raise OutputError(f"{_place(path)} {error}") from None
        except Exception as error:
            raise OutputError(f"{_place(path)} is a {kind} that cannot be read as numbers") from error
        return {"tensor": number} if kind == "tensor" else {"tensor": number, "kind": kind}

    def _add(self, tensor: Tensor) -> int:
        self.tensors.append(tensor)
        return self._first + len(self.tensors) - 1


def _place(path: str) -> str:
    return f"item {path} of what it returned" if path else "what it returned"


def _few(items: Iterable[T], path: str) -> list[T]:
    taken = list(islice(items, MAX_ENTRIES + 1))
    if len(taken) > MAX_ENTRIES:
        raise OutputError(f"{_place(path)} has more than {MAX_ENTRIES} entries")
    return taken


def _plain_number(value: object, path: str) -> bool | int | float:
    match value:
        case bool():
            return bool(value)
        case int():
            if not -(1 << 63) <= value < 1 << 63:
                raise OutputError(f"{_place(path)} is a whole number of more than 64 bits")
            return int(value)
        case float():
            return float(value)
    raise OutputError(f"{_place(path)} is of type {kind_of(value)}")


# ---------------------------------------------------------------- and back

Leaf = Callable[[dict[str, object]], object]  # the value of a node that is neither plain nor holds others


def read_value(node: Node, leaf: Leaf, depth: int = 0) -> object:
    """The value that a tree stands for; TreeError where it is none. The tree may be a stranger's."""
    if depth > MAX_DEPTH:
        raise TreeError("a value is nested too deep")
    match node:
        case None | bool() | float():
            return node
        case int():
            if not -(1 << 63) <= node < 1 << 63:
                raise TreeError("a whole number has more than 64 bits")
            return node
        case str():
            return node[:MAX_TEXT]
        case {"bytes": str(text), **rest} if not rest:
            try:
                return base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError) as error:
                raise TreeError("bytes are not in base 64") from error
        case {"list": list(nodes), **rest} if not rest:
            return [read_value(each, leaf, depth + 1) for each in _entries(nodes)]
        case {"tuple": list(nodes), **rest} if not rest:
            return tuple(read_value(each, leaf, depth + 1) for each in _entries(nodes))
        case {"set": list(nodes), **rest} if not rest:
            return {_read_key(each, leaf, depth + 1) for each in _entries(nodes)}
        case {"dict": list(pairs), **rest} if not rest:
            if not all(isinstance(pair, list) and len(pair) == 2 for pair in _entries(pairs)):
                raise TreeError("a dict is not a list of pairs")
            return {_read_key(k, leaf, depth + 1): read_value(v, leaf, depth + 1) for k, v in pairs}
        case {"number": bool() | int() | float() as value, "kind": str(), **rest} if not rest:
            return read_value(value, leaf, depth)
        case dict():
            return leaf(node)
    raise TreeError("a node is neither a value nor a table")


def entry_nodes(tree: Node) -> list[Node] | None:
    """The trees of the entries of a tuple or a list; None for any other value's."""
    match tree:
        case {"tuple": list(nodes)} | {"list": list(nodes)}:
            return nodes
    return None


def tensor_of(node: Node, tensors: Sequence[Tensor]) -> Tensor:
    """The tensor that a node of our own making numbers."""
    match node:
        case {"tensor": int(number)}:
            return tensors[number]
    raise TreeError("a node is no tensor")


def kind_of_node(node: Node) -> str:
    """What kind of value a tree stands for; the kind of something strange is its own word for it."""
    match node:
        case {"kind": str(kind)} | {"held": _, "type": str(kind)} if kind not in KINDS:
            return kind
        case dict():
            return next((name for name in KINDS if name in node), "object")
    return kind_of(node)


def _entries(nodes: list[object]) -> list[object]:
    if len(nodes) > MAX_ENTRIES:
        raise TreeError("a value has too many entries")
    return nodes


def _read_key(node: Node, leaf: Leaf, depth: int) -> object:
    key = read_value(node, leaf, depth)
    if not _is_key(key):
        raise TreeError("a key is no plain value")
    return key


def _is_key(key: object) -> bool:
    if isinstance(key, tuple):
        return all(_is_key(each) for each in key)
    return key is None or isinstance(key, bool | int | float | str | bytes)


# ---------------------------------------------------------------- tensors


def plain(value: Tensor | NDArray[numpy.generic]) -> Tensor:
    """The raw numbers of a tensor or array: no subclass, no graph, dense, contiguous."""
    if isinstance(value, numpy.ndarray):
        value = torch.from_numpy(numpy.array(value, copy=True, order="C", subok=False))
    if extent(Tensor.size(value)) > MAX_ELEMENTS:
        raise OutputError(f"spans {extent(Tensor.size(value))} numbers, more than {MAX_ELEMENTS}")
    dense = value.detach() if value.layout == torch.strided else value.detach().to_dense()
    tensor: Tensor = dense.as_subclass(Tensor)
    if tensor.device.type != "cpu" or tensor.dtype not in READABLE:
        raise OutputError(f"has dtype {tensor.dtype} on {tensor.device}, which the grader cannot read")
    return tensor.resolve_conj().resolve_neg().contiguous()


def extent(shape: Sequence[int]) -> int:
    """How many numbers a shape spans, empty axes taken for one: torch multiplies the others all the same."""
    return math.prod(max(1, size) for size in shape)


def strides(tensor: Tensor) -> list[int] | None:
    """The strides to rebuild on the other side; None for a contiguous tensor or one that overlaps itself."""
    if tensor.is_contiguous() or any(
        stride == 0 and size > 1 for stride, size in zip(tensor.stride(), tensor.shape, strict=True)
    ):
        return None
    return list(tensor.stride())
