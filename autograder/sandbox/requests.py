"""A request becomes the header and payload of a message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
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
        return describe_steps(request.steps, {"fresh": True, "seed": request.seed, "dtype": request.dtype})
    return describe_call(request)


def describe_steps(steps: tuple[Step, ...], options: dict[str, object]) -> Message:
    """Steps to take: on a bench of their own if they are `fresh`, else after those before."""
    asked: list[dict[str, Any]] = [
        {
            "do": step.do,
            "name": step.name,
            "on": None if step.on is None else step.on.number,
            "args": list(step.args),
            "named": list(step.named.values()),
            "names": list(step.named),
            "seed": step.seed,
        }
        for step in steps
    ]
    packed = _packed([value for step in asked for value in (*step["args"], *step["named"])])
    nodes = iter(packed.tree["list"])
    for step in asked:
        step["args"], step["named"] = ([next(nodes) for _ in step[field]] for field in ("args", "named"))
    return _message({"op": "script", "steps": asked, **options}, packed.tensors)


def describe_call(call: FunctionCall) -> Message:
    packed = _packed(list(call.args))
    args = packed.tree["list"]
    cotangents = range(len(packed.tensors), len(packed.tensors) + len(call.cotangents))
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
    return _message(header, [*packed.tensors, *(tensor.detach() for tensor in call.cotangents)])


def _packed(values: list[object]) -> Any:
    from autograder.calls.value_as_json import OutputError, pack_value  # torch is needed for calls only

    try:
        return pack_value(values, _other, strides=True)
    except OutputError as error:
        raise SandboxError(f"arguments cannot be sent to a function: {error}") from error


def _message(header: dict[str, object], sent: list[Any]) -> Message:
    from autograder.sandbox import tensors

    pairs, payload = tensors.pack(sent)
    return {**header, "tensors": len(sent), "pairs": pairs}, payload


def _other(argument: object, add: Callable[[Any], int]) -> dict[str, Any]:
    """What is no plain value, but has a meaning on the other side."""
    match argument:
        case DtypeArg(name=name):
            return {"dtype": name}
        case FunctionArg(name=name, tensors=parts):
            return {"function": name, "tensors": {key: add(tensor) for key, tensor in parts.items()}}
        case Held(number=number):
            return {"held": number}
    raise SandboxError(f"an argument of type {type(argument).__name__} cannot be sent to a function")
