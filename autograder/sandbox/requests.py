"""A request becomes the header and payload of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from autograder.calls.requests_and_outcomes import (
    DtypeArg,
    FunctionArg,
    FunctionCall,
    ReadText,
    SandboxError,
    Script,
)
from autograder.calls.script_steps import Held, Step

if TYPE_CHECKING:  # torch is needed for calls only
    from torch import Tensor

    from autograder.calls.value_as_json import Node
    from autograder.sandbox.parent_messages import StepOrder

Message = tuple[dict[str, object], bytes]

# A request that is made of every student's code is described once.
_described: WeakKeyDictionary[FunctionCall | Script, Message] = WeakKeyDictionary()


def describe(request: FunctionCall | ReadText | Script) -> Message:
    """A request as the header and payload of a message."""
    if isinstance(request, ReadText):
        return {"op": "read", "name": request.name}, b""
    known = _described.get(request)
    if known is None:
        known = _described[request] = _describe(request)
    return known


def _describe(request: FunctionCall | Script) -> Message:
    if isinstance(request, Script):
        options = {"seed": request.seed, "dtype": request.dtype, "noted": request.noted}
        return describe_steps(request.steps, {"fresh": True, **options})
    return describe_call(request)


def describe_steps(steps: tuple[Step, ...], options: dict[str, object]) -> Message:
    """Steps to take: on a bench of their own if they are `fresh`, else after those before."""
    nodes, tensors = _packed([value for step in steps for value in (*step.args, *step.named.values())])
    left = iter(nodes)
    asked: list[StepOrder] = [
        {
            "do": step.do,
            "name": step.name,
            "on": None if step.on is None else step.on.number,
            "args": [next(left) for _ in step.args],
            "named": [next(left) for _ in step.named],
            "names": list(step.named),
            "seed": step.seed,
            "build": step.build,
        }
        for step in steps
    ]
    return _message({"op": "script", "steps": asked, **options}, tensors)


def describe_call(call: FunctionCall) -> Message:
    args, tensors = _packed(list(call.args))
    cotangents = range(len(tensors), len(tensors) + len(call.cotangents))
    header = {
        "op": "call",
        "function": call.function,
        "args": args,
        "grad": list(call.grad),
        "counted": call.counted,
        "operations": call.operations,
        "noted": call.noted,
        "seed": call.seed,
        "cotangents": list(cotangents),
    }
    return _message(header, [*tensors, *(tensor.detach() for tensor in call.cotangents)])


def _packed(values: list[object]) -> tuple[list[Node], list[Tensor]]:
    """A tree for each of the values, and the tensors in them."""
    from autograder.calls.value_as_json import OutputError, entry_nodes, pack_value  # torch is for calls only

    try:
        packed = pack_value(values, _other, strides=True)
        return entry_nodes(packed.tree) or [], packed.tensors
    except OutputError as error:
        raise SandboxError(f"arguments cannot be sent to a function: {error}") from error


def _message(header: dict[str, object], sent: list[Tensor]) -> Message:
    from autograder.sandbox import tensors

    pairs, payload = tensors.pack(sent)
    return {**header, "tensors": len(sent), "pairs": pairs}, payload


def _other(argument: object, add: Callable[[Tensor], int]) -> dict[str, object]:
    """What is no plain value, but has a meaning on the other side."""
    match argument:
        case DtypeArg(name=name):
            return {"dtype": name}
        case FunctionArg(name=name, tensors=parts):
            return {"function": name, "tensors": {key: add(tensor) for key, tensor in parts.items()}}
        case Held(number=number):
            return {"held": number}
    kind = type(argument).__name__
    raise SandboxError(
        f"an argument of type {kind} cannot be sent to a function; plain values and tensors can, and in a "
        "part of Tests what a function of the given code makes"
    )
