"""Tensors become safetensors bytes and back; bytes from a stranger are checked before torch sees them."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Collection, Sequence
from typing import Any

import safetensors.torch
import torch
from torch import Tensor

from autograder.sandbox.wire import FrameError

MAX_TENSORS = 256
MAX_TENSOR_HEADER = 64 << 10
MAX_DIMENSIONS = 32
MAX_ELEMENTS = 4_000_000  # of one tensor

BYTES = {
    "F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1,
    "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1,
}  # fmt: skip
SENDABLE = frozenset(
    {
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16),
        *(torch.int64, torch.int32, torch.int16, torch.int8),
        *(torch.uint64, torch.uint32, torch.uint16, torch.uint8, torch.bool),
        *(torch.complex64, torch.complex128),
    }
)


def pack(tensors: Sequence[Tensor]) -> tuple[list[int], bytes]:
    """The tensors in order, and the positions of complex ones, which travel as pairs of reals."""
    pairs = [position for position, tensor in enumerate(tensors) if tensor.is_complex()]
    # safetensors refuses tensors that share memory, which an answer such as (x, x) does.
    plain = {
        str(position): (torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor)
        .resolve_neg()
        .clone(memory_format=torch.contiguous_format)
        for position, tensor in enumerate(tensors)
    }
    return pairs, safetensors.torch.save(plain) if plain else b""


def unpack(payload: bytes, count: int, pairs: Collection[int] = ()) -> list[Tensor]:
    """Exactly `count` tensors out of a payload, in order, each with memory of its own."""
    if not 0 <= count <= MAX_TENSORS:
        raise FrameError(f"{count} tensors are too many")
    if not count:
        if payload or pairs:
            raise FrameError("there are bytes but no tensors")
        return []
    check(payload, count)
    try:
        loaded = safetensors.torch.load(payload)
    except Exception as error:
        # The library's errors have no common parent, and a KeyError is among them.
        raise FrameError("the payload is not safetensors") from error
    return [_joined(loaded[str(n)]) if n in pairs else loaded[str(n)] for n in range(count)]


def check(payload: bytes, count: int) -> None:
    """Names, dtypes, shapes and offsets agree with each other and fill the payload."""
    if len(payload) < 8:
        raise FrameError("the payload is too short")
    (length,) = struct.unpack("<Q", payload[:8])
    if length > min(MAX_TENSOR_HEADER, len(payload) - 8):
        raise FrameError(f"a tensor header of {length} bytes is too long")
    try:
        header = json.loads(payload[8 : 8 + length].decode())
    except (ValueError, RecursionError) as error:
        raise FrameError("the tensor header is not JSON") from error
    if not isinstance(header, dict) or set(header) != {str(n) for n in range(count)}:
        raise FrameError(f"the payload should name tensors 0 to {count - 1} and nothing else")
    spans = sorted(_span(entry) for entry in header.values())
    ends = [0, *(end for _, end in spans)]
    if [start for start, _ in spans] != ends[:-1] or ends[-1] != len(payload) - 8 - length:
        raise FrameError("the tensors overlap, leave gaps, or do not fill the payload")


def _span(entry: Any) -> tuple[int, int]:
    match entry:
        case {"dtype": str(dtype), "shape": list(shape), "data_offsets": [int(start), int(end)], **rest}:
            pass
        case _:
            raise FrameError("a tensor has no dtype, shape or offsets")
    if rest or dtype not in BYTES or len(shape) > MAX_DIMENSIONS:
        raise FrameError("a tensor has an unknown dtype, too many dimensions, or more than it needs")
    if not all(type(size) is int and 0 <= size <= 1 << 40 for size in shape):
        raise FrameError("a shape is not a list of sizes")
    if math.prod(shape) > MAX_ELEMENTS:
        raise FrameError(f"a tensor has more than {MAX_ELEMENTS} numbers")
    if not 0 <= start <= end or end - start != math.prod(shape) * BYTES[dtype]:
        raise FrameError("a tensor's bytes do not fit its shape")
    return start, end


def _joined(real: Tensor) -> Tensor:
    if real.dtype not in (torch.float32, torch.float64) or not real.dim() or real.shape[-1] != 2:
        raise FrameError("a complex tensor does not come in pairs")
    return torch.view_as_complex(real.contiguous())


def strides(tensor: Tensor) -> list[int] | None:
    """The strides to rebuild on the other side; None for a contiguous tensor or one that overlaps itself."""
    if tensor.is_contiguous() or any(
        stride == 0 and size > 1 for stride, size in zip(tensor.stride(), tensor.shape, strict=True)
    ):
        return None
    return list(tensor.stride())


def rebuild(tensor: Tensor, stride: Sequence[int] | None) -> Tensor:
    """A fresh copy with the given strides."""
    if stride is None:
        return tensor.clone(memory_format=torch.contiguous_format)
    return torch.empty_strided(tuple(tensor.shape), tuple(stride), dtype=tensor.dtype).copy_(tensor)
