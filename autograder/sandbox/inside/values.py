"""What a student's function returns becomes plain data: its kind, numbers, texts, and detached tensors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy
import torch
from torch import Tensor

from autograder.sandbox.tensors import MAX_ELEMENTS, SENDABLE, extent
from autograder.sandbox.wire import MAX_PAYLOAD

MAX_ITEMS = 64
MAX_TEXT = 64 << 10


class OutputError(Exception):
    """The value cannot be sent as data; the message says why."""


@dataclass
class Packed:
    """A returned value as data: an entry for each item, tensors apart, their numbers in the entries."""

    kind: str
    kinds: list[str] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)


def pack_value(value: Any) -> Packed:
    """The value, or the items of a tuple or list of values."""
    # A subclass may lie through __torch_function__; its memory does not.
    with torch._C.DisableTorchFunction(), torch.no_grad():
        return _pack(value)


def _pack(value: Any) -> Packed:
    several = isinstance(value, tuple | list)
    packed = Packed(("list" if isinstance(value, list) else "tuple") if several else kind_of(value))
    items = list(value) if several else [value]
    if len(items) > MAX_ITEMS:
        raise OutputError(f"it returned {len(items)} values, more than {MAX_ITEMS}")
    for position, item in enumerate(items):
        place = f"item {position} of the {packed.kind} it returned" if several else "what it returned"
        packed.kinds.append(kind_of(item))
        packed.items.append(_pack_item(item, place, packed.tensors))
    if sum(tensor.numel() * tensor.element_size() for tensor in packed.tensors) > MAX_PAYLOAD // 2:
        raise OutputError("it returned more than the grader reads")
    return packed


def kind_of(value: Any) -> str:
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
        case str():
            return "str"
        case tuple():
            return "tuple"
        case list():
            return "list"
    return str(type(value).__name__)[:80]


def _pack_item(value: Any, place: str, tensors: list[Tensor]) -> dict[str, Any]:
    if isinstance(value, numpy.generic):
        value = value.item()
    match value:
        case None:
            return {}
        case Tensor() | numpy.ndarray():
            try:
                tensors.append(plain(value))
            except OutputError as error:
                raise OutputError(f"{place} {error}") from None
            except Exception as error:
                raise OutputError(f"{place} is a {kind_of(value)} that cannot be read as numbers") from error
            return {"tensor": len(tensors) - 1}
        case bool():
            return {"value": bool(value)}
        case int():
            if not -(1 << 63) <= value < 1 << 63:
                raise OutputError(f"{place} is a whole number of more than 64 bits")
            return {"value": int(value)}
        case float():
            return {"value": float(value)}
        case str():
            return {"value": str.__getitem__(value, slice(MAX_TEXT))}
    raise OutputError(f"{place} is of type {kind_of(value)}")


def plain(value: Any) -> Tensor:
    """The raw numbers of a tensor or array: no subclass, no graph, dense, contiguous."""
    if isinstance(value, numpy.ndarray):
        value = torch.from_numpy(numpy.ascontiguousarray(numpy.array(value, copy=True, subok=False)))
    if extent(Tensor.size(value)) > MAX_ELEMENTS:
        raise OutputError(f"spans {extent(Tensor.size(value))} numbers, more than {MAX_ELEMENTS}")
    dense = value.detach() if value.layout == torch.strided else value.detach().to_dense()
    tensor: Tensor = dense.as_subclass(Tensor)
    if tensor.device.type != "cpu" or tensor.dtype not in SENDABLE:
        raise OutputError(f"has dtype {tensor.dtype} on {tensor.device}, which the grader cannot read")
    return tensor.resolve_conj().resolve_neg().contiguous()
