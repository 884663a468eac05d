"""The child's side of the protocol: numbered requests come in, each is answered once, as plain data."""

from __future__ import annotations

import errno
import os
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy
import torch
from torch import Tensor

from autograder import functions
from autograder.sandbox import tensors, wire
from autograder.sandbox.inside import shell as shells
from autograder.sandbox.inside.values import MAX_TEXT, OutputError, Packed, kind_of, pack_value
from autograder.trace.beside import count

MISSING = object()
Reply = tuple[dict[str, Any], list[Tensor]]


class Server:
    """Answers the judge on two pipes until they close."""

    def __init__(self, shell: shells.CellShell, printed: shells.Printed, reader: int, writer: int) -> None:
        self._shell, self._printed = shell, printed
        self._reader, self._writer = reader, writer
        self._unread = bytearray()

    def run(self) -> None:
        self.answer({"id": 0, "nonce": "", "status": "ok"}, [])
        while True:
            header, payload = self._receive()
            if header["op"] != "cell":
                self._printed.muted = True
            reply, sent = self._handle(header, payload)
            self.answer({"id": header["id"], "nonce": header["nonce"], **reply}, sent)

    def answer(self, header: dict[str, Any], sent: list[Tensor]) -> None:
        pairs, payload = tensors.pack(sent)
        view = memoryview(wire.encode({**header, "tensors": len(sent), "pairs": pairs}, payload))
        while view:
            view = view[os.write(self._writer, view) :]

    def _receive(self) -> tuple[dict[str, Any], bytes]:
        header, payload = wire.sizes(self._read(wire.PREFIX.size))
        return wire.decode_header(self._read(header)), self._read(payload)

    def _read(self, count: int) -> bytes:
        while len(self._unread) < count:
            piece = os.read(self._reader, max(count - len(self._unread), wire.READ_AT_ONCE))
            if not piece:
                os._exit(0)  # the judge is done; a student's atexit hooks have no say
            self._unread += piece
        read = bytes(self._unread[:count])
        del self._unread[:count]
        return read

    def _handle(self, header: dict[str, Any], payload: bytes) -> Reply:
        if header["op"] == "cell":
            return self._cell(header), []
        try:
            if header["op"] == "read":
                return self._read_global(header["name"]), []
            return self._call(header, payload)
        except BaseException as error:
            return failure(error), []

    def _cell(self, header: dict[str, Any]) -> dict[str, Any]:
        if self._printed.room is None:  # what one cell prints is gone for the next
            self._printed.room = header["room"]
        error = shells.run_cell(self._shell, header["number"], header["source"])
        reply = {"status": "ok"} if error is None else failure(error)
        return {**reply, "stdout": self._printed.take()}

    def _read_global(self, name: str) -> dict[str, Any]:
        value = self._shell.user_ns.get(name, MISSING)
        if value is MISSING:
            return {"status": "missing", "error": f"there is no {name}"}
        if not issubclass(type(value), str):  # a class may lie to isinstance
            return {"status": "bad_output", "kind": kind_of(value), "error": f"{name} is not a text"}
        return {"status": "ok", "kind": "str", "text": str.__getitem__(value, slice(MAX_TEXT))}

    def _call(self, header: dict[str, Any], payload: bytes) -> Reply:
        name = header["function"]
        function = self._shell.user_ns.get(name, MISSING)
        if function is MISSING:
            return {"status": "missing", "error": f"there is no {name}"}, []
        if not callable(function):
            error = f"{name} is not a function"
            return {"status": "not_callable", "kind": kind_of(function), "error": error}, []
        sent = tensors.unpack(payload, header["tensors"], header["pairs"])
        seed()
        return counts(function, header, sent) if header["counted"] else call(function, header, sent)


def counts(function: Callable[..., Any], header: dict[str, Any], sent: list[Tensor]) -> Reply:
    """What one call costs, as a value like any other."""
    found = count(function, [build(spec, sent) for spec in header["args"]], header["operations"])
    value: Any = found.get("not_measured")
    if value is None:
        value = torch.tensor([found["work"], found["span"], found["memory"]])
    packed = pack_value(value)
    reply = {"status": "ok", "kind": packed.kind, "kinds": packed.kinds, "outputs": packed.items}
    return reply, packed.tensors


def call(function: Callable[..., Any], header: dict[str, Any], sent: list[Tensor]) -> Reply:
    """Call the function on fresh copies, then say what it returned, changed, and how it differentiates.

    Code that is right may refuse inputs that require gradients (x.numpy() does): it is asked again without.
    """
    if header["grad"]:
        try:
            return _attempt(function, header, sent, header["grad"])
        except Exception as error:
            reply, packed = _attempt(function, header, sent, [])
            nothing = [None] * len(header["grad"])
            return {**reply, "grads": nothing, "grad_error": shells.say(error)}, packed
    return _attempt(function, header, sent, [])


def _attempt(
    function: Callable[..., Any], header: dict[str, Any], sent: list[Tensor], grad: list[int]
) -> Reply:
    arguments = [build(spec, sent) for spec in header["args"]]
    for position in grad:
        arguments[position].requires_grad_()
    value = function(*arguments)
    try:
        packed = pack_value(value)
    except OutputError as error:
        return {"status": "bad_output", "kind": kind_of(value), "error": str(error)}, []
    reply: dict[str, Any] = {
        "status": "ok",
        "kind": packed.kind,
        "kinds": packed.kinds,
        "outputs": packed.items,
        "mutated": [n for n, spec in enumerate(header["args"]) if changed(spec, arguments[n], sent)],
    }
    if grad:
        wanted = [arguments[position] for position in grad]
        grads, reply["grad_error"] = differentiate(value, wanted, [sent[n] for n in header["cotangents"]])
        reply["grads"] = [_add(packed, grad) for grad in grads]
    return reply, packed.tensors


def _add(packed: Packed, grad: Tensor | None) -> int | None:
    if grad is None:
        return None
    packed.tensors.append(grad.detach().contiguous())
    return len(packed.tensors) - 1


def build(spec: dict[str, Any], sent: list[Tensor]) -> Any:
    """One argument from its description."""
    match spec:
        case {"tensor": int(number), "strides": stride}:
            return tensors.rebuild(sent[number], stride)
        case {"dtype": str(name)}:
            return getattr(torch, name)
        case {"function": str(name), "tensors": numbers}:
            return functions.build(name, {key: sent[number].clone() for key, number in numbers.items()})
    return spec["value"]


def changed(spec: dict[str, Any], now: Any, sent: list[Tensor]) -> bool:
    """Whether a tensor argument is not what it was; equal bytes, so that NaN equals itself."""
    if "strides" not in spec:
        return False
    before = sent[spec["tensor"]]
    try:
        now = now.detach()
        return bool(
            now.shape != before.shape
            or now.dtype != before.dtype
            or now.contiguous().numpy().tobytes() != before.contiguous().numpy().tobytes()
        )
    except Exception:  # what a student left in the place of a tensor may raise anything: it was changed
        return True


def differentiate(value: Any, inputs: list[Tensor], along: list[Tensor]) -> tuple[list[Tensor | None], str]:
    """Gradients of the outputs projected on the given directions; or why there are none."""
    nothing: list[Tensor | None] = [None] * len(inputs)
    items = list(value) if isinstance(value, tuple | list) else [value]
    outputs = [item for item in items if isinstance(item, Tensor)]
    if [output.shape for output in outputs] != [direction.shape for direction in along]:
        return nothing, "the outputs do not have the shapes whose gradients are asked for"
    pairs = [(o, d.to(o.dtype)) for o, d in zip(outputs, along, strict=True) if o.requires_grad]
    if not pairs:
        return nothing, "the outputs do not depend on the inputs through torch operations"
    try:
        grads = torch.autograd.grad(
            [output for output, _ in pairs], inputs, [direction for _, direction in pairs], allow_unused=True
        )
    except Exception as error:
        return nothing, shells.say(error)
    return list(grads), ""


def failure(error: BaseException) -> dict[str, Any]:
    """An exception as data; one that a limit caused says which."""
    limit = limit_of(error)
    status = "killed" if limit == "memory" else "raised"
    if isinstance(error, NotImplementedError) and shells.raised_by_student(error):
        status = "not_implemented"
    reply = {"status": status, "error": shells.say(error) or "an error without a name"}
    return {**reply, "traceback": shells.trim(error), "limit": limit}


def limit_of(error: BaseException) -> str:
    """The limit behind an exception, as far as it tells."""
    text = shells.say(error)
    if isinstance(error, MemoryError) or "DefaultCPUAllocator" in text:
        return "memory"
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.ENOSPC):
        return "file"
    return "threads" if "can't start new thread" in text else ""


def seed() -> None:
    """Every call starts from the same random state, so that a restart changes no result."""
    random.seed(0)
    numpy.random.seed(0)
    torch.default_generator.manual_seed(0)


def serve(shell: shells.CellShell, reader: int, writer: int) -> None:
    """Run until the judge closes the pipe; never returns to the caller's code."""
    printed = shells.Printed()
    sys.stdout = sys.stderr = printed
    seed()
    try:
        Server(shell, printed, reader, writer).run()
    finally:
        os._exit(1)
