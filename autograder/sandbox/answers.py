"""A child's answer becomes an outcome: every field checked, every text cleaned, since it can say anything."""

from __future__ import annotations

from typing import Any

from autograder.sandbox.records import LIMITS, STATUSES, Call, CellOutcome, Outcome, Request
from autograder.sandbox.wire import FrameError

MAX_KIND, MAX_ERROR, MAX_TRACEBACK, MAX_TEXT, MAX_ITEMS = 80, 2_000, 4_000, 64 << 10, 64
MAX_HEADER = 1 << 20
# A child may say of itself only what a living process can.
SAYABLE = frozenset(STATUSES) - {"timed_out", "crashed"}
REASONS = {"not_implemented": "it is not written yet", "missing": "it is not there"}


def clean(text: str) -> str:
    """Printable text: no lone surrogates, which no file takes, and no control characters."""
    if text.isascii() and text.isprintable():
        return text
    text = text.encode("utf-8", "replace").decode()
    return "".join(c for c in text if c in "\n\t" or (c >= " " and not "\x7f" <= c <= "\x9f"))


def text_of(header: dict[str, Any], field: str, most: int) -> str:
    value = header.get(field, "")
    if not isinstance(value, str):
        raise FrameError(f"{field} is not a text")
    return clean(value[:most])


def one_of(
    header: dict[str, Any], field: str, allowed: frozenset[str] | tuple[str, ...], default: str
) -> str:
    value = header.get(field, default)
    if not isinstance(value, str) or value not in allowed:
        raise FrameError(f"{field} is none of those there are")
    return value


def items_of(header: dict[str, Any], field: str) -> list[Any]:
    value = header.get(field, [])
    if not isinstance(value, list) or len(value) > MAX_ITEMS:
        raise FrameError(f"{field} is not a short list")
    return value


def counted(header: dict[str, Any]) -> tuple[int, list[int]]:
    """How many tensors the payload should hold, and which of them are complex."""
    count, pairs = header.get("tensors", 0), items_of(header, "pairs")
    if type(count) is not int or not all(type(n) is int and 0 <= n < count for n in pairs):
        raise FrameError("the tensors are not counted")
    return count, pairs


def read_outcome(header: dict[str, Any], payload: bytes) -> Outcome:
    """One answer to a call or a read. Reads the payload only when the header says it answers with one."""
    count, pairs = counted(header)
    status = one_of(header, "status", SAYABLE, "")
    tensors: list[Any] = []
    if count or payload:
        from autograder.sandbox.tensors import unpack  # torch is needed for tensors only

        tensors = unpack(payload, count, pairs)
    error = text_of(header, "error", MAX_ERROR)
    said: dict[str, Any] = {
        "status": status,
        "kind": text_of(header, "kind", MAX_KIND),
        "error": error or ("" if status == "ok" else REASONS.get(status, "no reason is given")),
        "traceback": text_of(header, "traceback", MAX_TRACEBACK),
        "limit": one_of(header, "limit", LIMITS, ""),
    }
    if status != "ok":
        return Outcome(**said)
    kinds = items_of(header, "kinds")
    outputs = tuple(_output(item, tensors) for item in items_of(header, "outputs"))
    if len(kinds) != len(outputs) or not all(isinstance(kind, str) for kind in kinds):
        raise FrameError("the outputs and their kinds do not match")
    return Outcome(
        **said,
        outputs=outputs,
        kinds=tuple(clean(kind[:MAX_KIND]) for kind in kinds),
        grads=tuple(None if n is None else _tensor(n, tensors) for n in items_of(header, "grads")),
        grad_error=text_of(header, "grad_error", MAX_ERROR),
        mutated=tuple(_position(n) for n in items_of(header, "mutated")),
        text=text_of(header, "text", MAX_TEXT),
    )


def check_fits(outcome: Outcome, request: Request) -> None:
    """An answer is about what was asked: as many values, gradients and arguments as there can be."""
    if outcome.status != "ok":
        return
    if not isinstance(request, Call):
        if outcome.outputs or outcome.grads or outcome.mutated:
            raise FrameError("a text comes with values")
        return
    if outcome.kind not in ("tuple", "list") and len(outcome.outputs) != 1:
        raise FrameError("one value is not one value")
    if len(outcome.grads) != len(request.grad):
        raise FrameError("the gradients are not those that were asked for")
    if any(position >= len(request.args) for position in outcome.mutated):
        raise FrameError("there is no such argument")


def _output(item: Any, tensors: list[Any]) -> Any:
    match item:
        case {"tensor": number, **rest} if not rest:
            return _tensor(number, tensors)
        case {"value": str(text), **rest} if not rest:
            return clean(text[:MAX_TEXT])
        case {"value": bool() | int() | float() as value, **rest} if not rest:
            return value
        case {**rest} if not rest:
            return None
    raise FrameError("an output is neither a tensor, a number, a text nor nothing")


def _tensor(number: Any, tensors: list[Any]) -> Any:
    if type(number) is not int or not 0 <= number < len(tensors):
        raise FrameError("there is no such tensor")
    return tensors[number]


def _position(number: Any) -> int:
    if type(number) is not int or not 0 <= number < MAX_ITEMS:
        raise FrameError("a position is not a small number")
    return number


def read_cell(header: dict[str, Any], cell_id: str, part: str | None) -> CellOutcome:
    """What a child says of a cell."""
    status = one_of(header, "status", frozenset({"ok", "raised", "not_implemented", "killed"}), "")
    return CellOutcome(
        cell_id=cell_id,
        part=part,
        status="raised" if status == "not_implemented" else status,
        error=text_of(header, "error", MAX_ERROR),
        traceback=text_of(header, "traceback", MAX_TRACEBACK),
        limit=one_of(header, "limit", LIMITS, ""),
    )
