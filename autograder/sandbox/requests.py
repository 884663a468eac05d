"""A request becomes the header and payload of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from autograder.sandbox.records import Call, DtypeArg, FunctionArg, Read, Request, SandboxError

# A call that is made of every student's function is described once.
_described: WeakKeyDictionary[Call, tuple[dict[str, Any], bytes]] = WeakKeyDictionary()


def describe(request: Request) -> tuple[dict[str, Any], bytes]:
    """A request as the header and payload of a message."""
    match request:
        case Read(name=name):
            return {"op": "read", "name": name}, b""
        case Call():
            known = _described.get(request)
            if known is None:
                known = _described[request] = describe_call(request)
            return known


def describe_call(call: Call) -> tuple[dict[str, Any], bytes]:
    from torch import Tensor

    from autograder.sandbox import tensors

    sent: list[Tensor] = []

    def add(tensor: Tensor) -> int:
        sent.append(tensor.detach())
        return len(sent) - 1

    args = [describe_argument(argument, add, tensors.strides) for argument in call.args]
    cotangents = [add(tensor) for tensor in call.cotangents]
    pairs, payload = tensors.pack(sent)
    header = {
        "op": "call",
        "function": call.function,
        "args": args,
        "grad": list(call.grad),
        "counted": call.counted,
        "operations": call.operations,
        "cotangents": cotangents,
        "tensors": len(sent),
        "pairs": pairs,
    }
    return header, payload


def describe_argument(
    argument: Any, add: Callable[[Any], int], strides: Callable[[Any], list[int] | None]
) -> dict[str, Any]:
    """One argument; a tensor is added to the payload and named by its number there."""
    match argument:
        case DtypeArg(name=name):
            return {"dtype": name}
        case FunctionArg(name=name, tensors=parts):
            return {"function": name, "tensors": {key: add(tensor) for key, tensor in parts.items()}}
        case None | bool() | int() | float() | str():
            return {"value": argument}
    if hasattr(argument, "stride"):
        return {"tensor": add(argument), "strides": strides(argument)}
    raise SandboxError(f"an argument of type {type(argument).__name__} cannot be sent to a function")
