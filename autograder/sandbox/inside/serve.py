"""The child's side of the protocol: numbered requests come in, each is answered once, as plain data."""

from __future__ import annotations

import _thread
import errno
import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor

from autograder.calls import function_arguments
from autograder.calls.invoke import changed, invoke
from autograder.calls.note_steps import take_notes_of_steps
from autograder.calls.note_tensors import Notes, Noting, take_notes
from autograder.calls.packed_notes import pack_notes
from autograder.calls.script_steps import Held, Step
from autograder.calls.take_steps import Bench, MissingError, like, precision, seed
from autograder.calls.value_as_json import (
    MAX_BYTES,
    MAX_TENSORS,
    MAX_TEXT,
    MAX_TREE,
    Node,
    OutputError,
    Packed,
    TreeError,
    kind_of,
    pack_value,
    read_value,
)
from autograder.cost.trace.count_a_call import count
from autograder.sandbox import tensors, wire
from autograder.sandbox.inside import shell as shells

if TYPE_CHECKING:  # a child has no such file
    from autograder.sandbox.parent_messages import CallOrder, CellOrder, ChildOrder, ScriptOrder, StepOrder

MISSING = object()
Reply = tuple[dict[str, object], list[Tensor]]


class Server:
    """Answers the judge on two pipes until they close."""

    def __init__(self, shell: shells.CellShell, printed: shells.Printed, reader: int, writer: int) -> None:
        self._shell, self._printed = shell, printed
        self._reader, self._writer = reader, writer
        self._unread = bytearray()
        self._bench = Bench(shell.user_ns)

    def run(self) -> None:
        self.answer({"id": 0, "nonce": "", "status": "ok"}, [])
        while True:
            header, payload = self._receive()
            if header["op"] != "cell":
                self._printed.muted = True
            reply, sent = self._handle(header, payload)
            self.answer({"id": header["id"], "nonce": header["nonce"], **reply}, sent)

    def answer(self, header: dict[str, object], sent: list[Tensor]) -> None:
        pairs, payload = tensors.pack(sent)
        view = memoryview(wire.encode({**header, "tensors": len(sent), "pairs": pairs}, payload))
        while view:
            view = view[os.write(self._writer, view) :]

    def _receive(self) -> tuple[ChildOrder, bytes]:
        header, payload = wire.sizes(self._read(wire.PREFIX.size))
        order = wire.decode_header(self._read(header))  # of the judge, so as it says
        return cast("ChildOrder", order), self._read(payload)

    def _read(self, count: int) -> bytes:
        while len(self._unread) < count:
            piece = os.read(self._reader, max(count - len(self._unread), wire.READ_AT_ONCE))
            if not piece:
                os._exit(0)  # the judge is done; a student's atexit hooks have no say
            self._unread += piece
        read = bytes(self._unread[:count])
        del self._unread[:count]
        return read

    def _handle(self, header: ChildOrder, payload: bytes) -> Reply:
        if header["op"] == "cell":
            return self._cell(header), []
        if header["op"] == "end":
            return {"status": "ok"}, []
        try:
            if header["op"] == "read":
                return self._read_global(header["name"]), []
            if header["op"] == "script":
                return self._script(header, payload)
            return self._call(header, payload)
        except BaseException as error:
            return failure(error), []

    def _cell(self, header: CellOrder) -> dict[str, object]:
        if self._printed.room is None:  # what one cell prints is gone for the next
            self._printed.room = header["room"]
        error = shells.run_cell(self._shell, header["number"], header["source"])
        reply = {"status": "ok"} if error is None else failure(error)
        return {**reply, "stdout": self._printed.take()}

    def _read_global(self, name: str) -> dict[str, object]:
        value = self._shell.user_ns.get(name, MISSING)
        if value is MISSING:
            return {"status": "missing", "error": f"there is no {name}"}
        if not issubclass(type(value), str):  # a class may lie to isinstance
            return {"status": "bad_output", "kind": kind_of(value), "error": f"{name} is not a text"}
        return {"status": "ok", "kind": "str", "text": str.__getitem__(value, slice(MAX_TEXT))}

    def _call(self, header: CallOrder, payload: bytes) -> Reply:
        name = header["function"]
        function = self._shell.user_ns.get(name, MISSING)
        if function is MISSING:
            return {"status": "missing", "error": f"there is no {name}"}, []
        if not callable(function):
            error = f"{name} is not a function"
            return {"status": "not_callable", "kind": kind_of(function), "error": error}, []
        sent = tensors.unpack(payload, header["tensors"], header["pairs"])
        seed(header["seed"])
        if header["noted"]:
            return notes(function, header, sent)
        return counts(function, header, sent) if header["counted"] else call(function, header, sent)

    def _script(self, header: ScriptOrder, payload: bytes) -> Reply:
        """Take the steps up to the first that fails; every answer so far is told."""
        sent = tensors.unpack(payload, header["tensors"], header["pairs"])
        if header["fresh"]:
            self._bench = Bench(self._shell.user_ns)
            seed(header["seed"])
        if header["noted"]:
            return self._notes_of_steps(header, sent)
        answers = Answers()
        with precision(getattr(torch, header["dtype"])):
            for asked in header["steps"]:
                try:
                    value = self._bench.take(step_of(asked), lambda node: build(node, sent, self._bench))
                    answers.add(value, self._bench)
                except MissingError as error:
                    return {"status": "missing", "error": str(error), "steps": answers.trees}, answers.tensors
                except OutputError as error:
                    return {
                        "status": "bad_output",
                        "error": str(error),
                        "steps": answers.trees,
                    }, answers.tensors
                except BaseException as error:
                    return {**failure(error), "steps": answers.trees}, answers.tensors
        return {"status": "ok", "steps": answers.trees}, answers.tensors

    def _notes_of_steps(self, header: ScriptOrder, sent: list[Tensor]) -> Reply:
        """The intermediate tensors of all the steps, as a value."""
        noting, bench = noting_of(header["noted"]), self._bench
        steps = [step_of(asked) for asked in header["steps"]]
        with precision(getattr(torch, header["dtype"])):
            found = take_notes_of_steps(bench, steps, lambda node: build(node, sent, bench), noting)
        return as_value(found)


class Answers:
    """What the steps of a script gave, as data; together no more than the judge reads."""

    def __init__(self) -> None:
        self.trees: list[Node] = []
        self.tensors: list[Tensor] = []
        self._room, self._bytes = MAX_TREE, MAX_BYTES

    def add(self, value: object, bench: Bench) -> None:
        def other(thing: object, add: Callable[[Tensor], int]) -> Node:
            dtype = isinstance(thing, torch.dtype)
            return {"dtype": str(thing).removeprefix("torch.")} if dtype else bench.hold(thing)

        packed = bench.built(value) or pack_value(value, other, first=len(self.tensors))
        self._room -= len(json.dumps(packed.tree))
        self._bytes -= sum(tensor.numel() * tensor.element_size() for tensor in packed.tensors)
        if min(self._room, self._bytes, MAX_TENSORS - len(self.tensors) - len(packed.tensors)) < 0:
            raise OutputError("the steps gave more than the grader reads")
        self.trees.append(packed.tree)
        self.tensors += [tensor.clone() for tensor in packed.tensors]  # a later step may change it in place


def counts(function: Callable[..., object], header: CallOrder, sent: list[Tensor]) -> Reply:
    """What one call costs, as a value like any other."""
    found = count(function, [build(spec, sent) for spec in header["args"]], header["operations"])
    value: object = found.get("not_measured")
    if value is None:
        value = torch.tensor([found["work"], found["span"], found["memory"]])
    packed = pack_value(value)
    return {"status": "ok", "value": packed.tree}, packed.tensors


def notes(function: Callable[..., object], header: CallOrder, sent: list[Tensor]) -> Reply:
    """The intermediate tensors of one call, as a value like any other."""
    arguments = [build(spec, sent) for spec in header["args"]]
    return as_value(take_notes(function, arguments, noting_of(header["noted"])))


def noting_of(cell: int) -> Noting:
    """Takes notes of what is made in the lines of a cell."""
    name = shells.cell_name(cell)
    return Noting(lambda filename: filename == name)


def as_value(found: Notes) -> Reply:
    packed = pack_value(pack_notes(found))
    return {"status": "ok", "value": packed.tree}, packed.tensors


def call(function: Callable[..., object], header: CallOrder, sent: list[Tensor]) -> Reply:
    """Call the function on fresh copies, then say what it returned, changed, and how it differentiates."""
    along = [sent[number] for number in header["cotangents"]]
    done = invoke(function, lambda: [build(spec, sent) for spec in header["args"]], header["grad"], along)
    try:
        packed = pack_value(done.value)
    except OutputError as error:
        return {"status": "bad_output", "kind": kind_of(done.value), "error": str(error)}, []
    reply = {
        "status": "ok",
        "value": packed.tree,
        "mutated": [
            position
            for position, spec in enumerate(header["args"])
            if isinstance(spec, dict)
            and "strides" in spec
            and changed(done.arguments[position], sent[spec["tensor"]])
        ],
        "grads": [_add(packed, grad) for grad in done.grads],
    }
    return reply, packed.tensors


def _add(packed: Packed, grad: Tensor | None) -> int | None:
    if grad is None:
        return None
    packed.tensors.append(grad.detach().contiguous())
    return len(packed.tensors) - 1


def build(node: Node, sent: list[Tensor], bench: Bench | None = None) -> object:
    """One argument from its description."""

    def leaf(node: dict[str, object]) -> object:
        match node:
            case {"tensor": int(number), "strides": None | list() as stride}:
                return tensors.rebuild(sent[number], stride)
            case {"tensor": int(number)}:
                return sent[number].numpy().copy()
            case {"dtype": str(name)}:
                return getattr(torch, name)
            case {"held": int(number)} if bench is not None:
                return bench.held(Held(number))
            case {"function": str(name), "tensors": dict(parts)}:
                return function_arguments.build(name, {key: sent[at].clone() for key, at in parts.items()})
        raise TreeError("an argument is none that is sent")

    return read_value(node, leaf)


def step_of(asked: StepOrder) -> Step:
    """A step as it was sent, its arguments still as trees."""
    on = None if asked["on"] is None else Held(asked["on"])
    named = dict(zip(asked["names"], asked["named"], strict=True))
    return Step(asked["do"], asked["name"], on, tuple(asked["args"]), named, asked["seed"], asked["build"])


def failure(error: BaseException) -> dict[str, object]:
    """An exception as data; one that a limit caused says which."""
    limit = limit_of(error)
    status = "killed" if limit == "memory" else "raised"
    if isinstance(error, NotImplementedError) and shells.raised_by_student(error):
        status = "not_implemented"
    reply = {"status": status, "error": shells.say(error) or "an error without a name", "like": like(error)}
    return {**reply, "traceback": shells.trim(error), "limit": limit}


def limit_of(error: BaseException) -> str:
    """The limit behind an exception, as far as it tells."""
    text = shells.say(error)
    if isinstance(error, MemoryError) or "DefaultCPUAllocator" in text:
        return "memory"
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.ENOSPC):
        return "file"
    return "threads" if "can't start new thread" in text else ""


def bound_threads(most: int) -> None:
    """Refuse further threads as the system does where there are so many, the first one included.

    The kernel may count all that one user runs, other submissions too: this count is the child's own.
    """

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        if event == "_thread.start_new_thread" and _thread._count() + 1 >= most:
            raise RuntimeError("can't start new thread")

    sys.addaudithook(refuse)


def serve(shell: shells.CellShell, reader: int, writer: int, threads: int) -> None:
    """Run until the judge closes the pipe; never returns to the caller's code."""
    bound_threads(threads)
    printed = shells.Printed()
    sys.stdout = sys.stderr = printed
    seed()
    try:
        Server(shell, printed, reader, writer).run()
    finally:
        os._exit(1)
