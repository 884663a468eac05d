"""A child's answer becomes an outcome: every field checked, every text cleaned, since it can say anything."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from autograder.calls.requests_and_outcomes import (
    ENDED_BY,
    STATUSES,
    CellOutcome,
    DtypeArg,
    FunctionCall,
    Outcome,
    ReadText,
    Script,
)
from autograder.calls.script_steps import Held
from autograder.sandbox.wire import FrameError

if TYPE_CHECKING:
    from torch import Tensor

MAX_KIND, MAX_ERROR, MAX_TRACEBACK, MAX_TEXT = 80, 2_000, 4_000, 64 << 10
MAX_ITEMS = 64  # arguments and gradients
MAX_HEADER = 1 << 20
# A child may say of itself only what a living process can.
SAYABLE = frozenset(STATUSES) - {"timed_out", "crashed", "machine"}
SAYABLE_LIMITS = frozenset(ENDED_BY) - {"machine", "restarts", "losses"}
REASONS = {"not_implemented": "it is not written yet", "missing": "it is not there"}


def clean(text: str) -> str:
    """Printable text: no lone surrogates, which no file takes, and no control characters."""
    if text.isascii() and text.isprintable():
        return text
    text = text.encode("utf-8", "replace").decode()
    return "".join(c for c in text if c in "\n\t" or (c >= " " and not "\x7f" <= c <= "\x9f"))


def text_of(header: dict[str, object], field: str, most: int) -> str:
    value = header.get(field, "")
    if not isinstance(value, str):
        raise FrameError(f"{field} is not a text")
    return clean(value[:most])


def one_of(
    header: dict[str, object], field: str, allowed: frozenset[str] | tuple[str, ...], default: str
) -> str:
    value = header.get(field, default)
    if not isinstance(value, str) or value not in allowed:
        raise FrameError(f"{field} is none of those there are")
    return value


def items_of(header: dict[str, object], field: str) -> list[object]:
    value = header.get(field, [])
    if not isinstance(value, list) or len(value) > MAX_ITEMS:
        raise FrameError(f"{field} is not a short list")
    return value


def counted(header: dict[str, object]) -> tuple[int, list[int]]:
    """How many tensors the payload should hold, and which of them are complex."""
    count, pairs = header.get("tensors", 0), items_of(header, "pairs")
    complexes = [n for n in pairs if type(n) is int and type(count) is int and 0 <= n < count]
    if type(count) is not int or len(complexes) < len(pairs):
        raise FrameError("the tensors are not counted")
    return count, complexes


def read_outcome(header: dict[str, object], payload: bytes) -> Outcome:
    """One answer to a request. Reads the payload only when the header says it answers with one."""
    count, pairs = counted(header)
    status = one_of(header, "status", SAYABLE, "")
    tensors: list[Tensor] = []
    if count or payload:
        from autograder.sandbox.tensors import unpack  # torch is needed for tensors only

        tensors = unpack(payload, count, pairs)
    error = text_of(header, "error", MAX_ERROR)
    said = Outcome(
        status,
        error=error or ("" if status == "ok" else REASONS.get(status, "no reason is given")),
        traceback=text_of(header, "traceback", MAX_TRACEBACK),
        limit=one_of(header, "limit", SAYABLE_LIMITS, ""),
        like=text_of(header, "like", MAX_KIND),
    )
    if "steps" in header:
        return _with_steps(said, header["steps"], tensors)
    if status != "ok":
        return replace(said, kind=text_of(header, "kind", MAX_KIND))
    if "value" in header:
        said = _with_value(said, header["value"], tensors)
    return replace(
        said,
        grads=tuple(None if n is None else _tensor(n, tensors) for n in items_of(header, "grads")),
        mutated=tuple(_position(n) for n in items_of(header, "mutated")),
        text=text_of(header, "text", MAX_TEXT),
    )


def check_fits(outcome: Outcome, request: FunctionCall | ReadText | Script) -> None:
    """An answer is about what was asked: as many values, gradients and arguments as there can be."""
    match request:
        case Script(noted=0):
            taken, asked = len(outcome.outputs), len(request.steps)
            if taken > asked or (taken == asked) != (outcome.status == "ok") or outcome.kind != "script":
                raise FrameError("there are not as many answers as steps")
        case ReadText() if outcome.outputs or outcome.grads or outcome.mutated:
            raise FrameError("a text comes with values")
        case Script() if outcome.kind == "script" or outcome.grads or outcome.mutated:
            raise FrameError("notes of steps come with other values")
        case FunctionCall() if outcome.status == "ok":
            if not outcome.kind or outcome.kind == "script":
                raise FrameError("a call gives no value")
            if len(outcome.grads) != len(request.grad):
                raise FrameError("the gradients are not those that were asked for")
            if any(position >= len(request.args) for position in outcome.mutated):
                raise FrameError("there is no such argument")


def _with_value(said: Outcome, node: object, tensors: list[Tensor]) -> Outcome:
    """The outcome with the value that is written as this tree, and its kind."""
    from autograder.calls.value_as_json import entry_nodes, kind_of_node

    value, kind = _read(node, tensors, holds=False), clean(kind_of_node(node)[:MAX_KIND])
    entries = entry_nodes(node)
    if entries is None or not isinstance(value, tuple | list):
        return replace(said, kind=kind, outputs=(value,), kinds=(kind,))
    kinds = tuple(clean(kind_of_node(each)[:MAX_KIND]) for each in entries)
    return replace(said, kind=kind, outputs=tuple(value), kinds=kinds)


def _with_steps(said: Outcome, nodes: object, tensors: list[Tensor]) -> Outcome:
    """The same of a script: an output for every step that was taken."""
    from autograder.calls.take_steps import MOST_STEPS
    from autograder.calls.value_as_json import kind_of_node

    if not isinstance(nodes, list) or len(nodes) > MOST_STEPS:
        raise FrameError("the steps are no list of answers")
    outputs = tuple(_read(node, tensors, holds=True) for node in nodes)
    kinds = tuple(clean(kind_of_node(node)[:MAX_KIND]) for node in nodes)
    return replace(said, kind="script", outputs=outputs, kinds=kinds)


def _read(node: object, tensors: list[Tensor], *, holds: bool) -> object:
    from autograder.calls.take_steps import MOST_HELD, MOST_STEPS
    from autograder.calls.value_as_json import TreeError, read_value

    def leaf(node: dict[str, object]) -> object:
        match node:
            case {"tensor": number, **rest} if not rest or (
                rest.keys() == {"kind"} and isinstance(rest["kind"], str)
            ):
                return _tensor(number, tensors)
            case {"held": int(number), "type": str(kind), **rest} if not rest and holds:
                if not 0 <= number < MOST_STEPS + MOST_HELD or isinstance(number, bool):
                    raise FrameError("there is no such object")
                return Held(number, clean(kind[:MAX_KIND]))
            case {"dtype": str(name), **rest} if not rest and holds:
                return DtypeArg(clean(name[:MAX_KIND]))
        raise FrameError("a value is none that can be read")

    try:
        return read_value(node, leaf)
    except TreeError as error:
        raise FrameError(str(error)) from error


def _tensor(number: object, tensors: list[Tensor]) -> Tensor:
    if type(number) is not int or not 0 <= number < len(tensors):
        raise FrameError("there is no such tensor")
    return tensors[number]


def _position(number: object) -> int:
    if type(number) is not int or not 0 <= number < MAX_ITEMS:
        raise FrameError("a position is not a small number")
    return number


def read_cell(header: dict[str, object], cell_id: str, part: str | None) -> CellOutcome:
    """What a child says of a cell."""
    status = one_of(header, "status", frozenset({"ok", "raised", "not_implemented", "killed"}), "")
    return CellOutcome(
        cell_id=cell_id,
        part=part,
        status="raised" if status == "not_implemented" else status,
        error=text_of(header, "error", MAX_ERROR),
        traceback=text_of(header, "traceback", MAX_TRACEBACK),
        limit=one_of(header, "limit", SAYABLE_LIMITS, ""),
    )
