"""Tensors become safetensors bytes and back; bytes from a stranger are checked before torch sees them.

The format is written and read here: for a few small tensors the library takes longer than a student's code.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Collection, Sequence
from typing import TypedDict

import torch
from torch import Tensor

from autograder.calls.value_as_json import MAX_ELEMENTS, MAX_TENSORS, extent
from autograder.sandbox.wire import FrameError

MAX_TENSOR_HEADER = 256 << 10
MAX_DIMENSIONS = 32

DTYPES = {
    "F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
    "I64": torch.int64, "I32": torch.int32, "I16": torch.int16, "I8": torch.int8,
    "U64": torch.uint64, "U32": torch.uint32, "U16": torch.uint16, "U8": torch.uint8, "BOOL": torch.bool,
}  # fmt: skip
NAMES = {dtype: name for name, dtype in DTYPES.items()}
BYTES = {name: dtype.itemsize for name, dtype in DTYPES.items()}


def pack(tensors: Sequence[Tensor]) -> tuple[list[int], bytes]:
    """The tensors in order, and the positions of complex ones, which travel as pairs of reals."""
    pairs = [position for position, tensor in enumerate(tensors) if tensor.is_complex()]
    if not tensors:
        return pairs, b""
    header, pieces, end = {}, [], 0
    for position, tensor in enumerate(tensors):
        real = torch.view_as_real(tensor.resolve_conj()) if tensor.is_complex() else tensor
        flat = real.detach().resolve_neg().contiguous().reshape(-1)
        pieces.append(flat.view(torch.uint8).numpy().tobytes())
        start, end = end, end + len(pieces[-1])
        header[str(position)] = {
            "dtype": NAMES[real.dtype], "shape": list(real.shape), "data_offsets": [start, end]
        }  # fmt: skip
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return pairs, b"".join([struct.pack("<Q", len(text)), text, *pieces])


def unpack(payload: bytes, count: int, pairs: Collection[int] = ()) -> list[Tensor]:
    """Exactly `count` tensors out of a payload, in order, each with memory of its own."""
    if not 0 <= count <= MAX_TENSORS:
        raise FrameError(f"{count} tensors are too many")
    if not count:
        if payload or pairs:
            raise FrameError("there are bytes but no tensors")
        return []
    header, data = check(payload, count)
    loaded = [_tensor(header[str(n)], data) for n in range(count)]
    return [_joined(tensor) if n in pairs else tensor for n, tensor in enumerate(loaded)]


class TensorEntry(TypedDict):
    """What a header says of one tensor."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


def check(payload: bytes, count: int) -> tuple[dict[str, TensorEntry], memoryview]:
    """Header and data; names, dtypes, shapes and offsets agree with each other and fill the payload."""
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
    return header, memoryview(payload)[8 + length :]


def _span(entry: object) -> tuple[int, int]:
    match entry:
        case {"dtype": str(dtype), "shape": list(shape), "data_offsets": [int(start), int(end)], **rest}:
            pass
        case _:
            raise FrameError("a tensor has no dtype, shape or offsets")
    if rest or dtype not in BYTES or len(shape) > MAX_DIMENSIONS:
        raise FrameError("a tensor has an unknown dtype, too many dimensions, or more than it needs")
    if not all(type(size) is int and 0 <= size <= 1 << 40 for size in shape):
        raise FrameError("a shape is not a list of sizes")
    if extent(shape) > MAX_ELEMENTS:
        raise FrameError(f"a tensor has more than {MAX_ELEMENTS} numbers")
    if not 0 <= start <= end or end - start != math.prod(shape) * BYTES[dtype]:
        raise FrameError("a tensor's bytes do not fit its shape")
    return start, end


def _tensor(entry: TensorEntry, data: memoryview) -> Tensor:
    """One tensor of a header that has been checked."""
    dtype, (start, end) = DTYPES[entry["dtype"]], entry["data_offsets"]
    if start == end:
        return torch.empty(entry["shape"], dtype=dtype)
    raw = bytearray(data[start:end])
    if dtype is torch.bool:  # a byte other than 0 and 1 is no truth value that torch knows
        return torch.frombuffer(raw, dtype=torch.uint8).ne(0).reshape(entry["shape"])
    return torch.frombuffer(raw, dtype=dtype).reshape(entry["shape"])


def _joined(real: Tensor) -> Tensor:
    if real.dtype not in (torch.float32, torch.float64) or not real.dim() or real.shape[-1] != 2:
        raise FrameError("a complex tensor does not come in pairs")
    return torch.view_as_complex(real.contiguous())


def rebuild(tensor: Tensor, stride: Sequence[int] | None) -> Tensor:
    """A fresh copy with the given strides."""
    if stride is None:
        return tensor.clone(memory_format=torch.contiguous_format)
    return torch.empty_strided(tuple(tensor.shape), tuple(stride), dtype=tensor.dtype).copy_(tensor)
