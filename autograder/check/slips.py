"""Slips of the notebook itself, each a sentence with its fix: names lost or shadowed, cells doubled."""

from __future__ import annotations

import builtins
import difflib
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any

from autograder.check.file import Saved
from autograder.check.history import History
from autograder.check.sheet import CodeSheet, PartSheet, stub_of

SHADOWED = (
    "sum",
    "max",
    "min",
    "range",
    "len",
    "abs",
    "list",
    "tuple",
    "zip",
    "map",
    "print",
    "type",
    "input",
)
CLOSE = 0.6


def shadowed(namespace: Mapping[str, Any]) -> Iterator[str]:
    """Names that no longer mean what every cell takes them for."""
    torch = namespace.get("torch")
    if torch is not None and not (isinstance(torch, ModuleType) and torch.__name__ == "torch"):
        yield (
            f"torch no longer names the library: a cell sets it to {_a(torch)}; "
            "rename that, then run the first cell again"
        )
    for name in SHADOWED:
        value = namespace.get(name)
        if value is not None and not callable(value):
            yield (
                f"{name} no longer names Python's own function: a cell sets it to {_a(value)}; "
                f"rename that, then run del {name}"
            )


def absent(
    part: PartSheet,
    namespace: Mapping[str, Any],
    saved: Saved | None,
    history: History,
    others: frozenset[str],
) -> str:
    """Why a part's name is not there, as far as one can tell."""
    name = part.name
    meant = _meant(part, namespace, others)
    if meant:
        return f"no cell that was run sets {name}; did you mean {meant}? keep the name as it was handed out"
    if history.last_to_set(name) is not None:
        return (
            f"{name} was set by a cell, but is gone: its cell failed or a later one deleted it; run it again"
        )
    if saved is not None and not saved.answers_to(name):
        return f"the answer cell of {name} is gone from the notebook: copy it again from what was handed out"
    return f"{name} is not there yet: run its answer cell first"


def _meant(part: PartSheet, namespace: Mapping[str, Any], others: frozenset[str]) -> str:
    """A name of the student's own that is close to the part's, or a function with its parameters."""
    wanted: type = FunctionType if isinstance(part, CodeSheet) else str
    own = [
        name
        for name, value in namespace.items()
        if isinstance(value, wanted) and not name.startswith("_") and name not in others
    ]
    if isinstance(part, CodeSheet):
        for name in own:
            code = namespace[name].__code__
            if len(part.parameters) > 1 and code.co_varnames[: code.co_argcount] == part.parameters:
                return name
    return next(iter(difflib.get_close_matches(part.name, own, 1, CLOSE)), "")


def doubled(part: PartSheet, saved: Saved | None) -> Iterator[str]:
    """An answer cell that is gone from the file, or there twice."""
    if saved is None:
        return
    cells = saved.answers_to(part.name)
    if not cells:
        yield f"the saved notebook has no cell that sets {part.name}: it will count as unanswered"
    if len(cells) > 1:
        stub = stub_of(part).strip()
        untouched = any(cell.source == stub for cell in cells)
        fix = "delete the one that still stands as handed out" if untouched else "keep one of them"
        yield f"{len(cells)} cells set {part.name}, and the last one run counts: {fix}"


def edited(part: PartSheet, saved: Saved | None, history: History) -> Iterator[str]:
    """An answer cell that was changed, and saved, after it was last run."""
    ran = history.last_to_set(part.name)
    if saved is None or ran is None or saved.at <= ran.at:
        return
    sources = {cell.source for cell in saved.answers_to(part.name)}
    if sources and ran.source not in sources:
        yield f"the cell of {part.name} was changed after it was run: run it again, then this check"


def stale(
    function: Callable[..., Any], namespace: Mapping[str, Any], saved: Saved | None, history: History
) -> Iterator[str]:
    """Names that the function uses, that are still in memory, and that no cell of the file sets any more."""
    code = getattr(function, "__code__", None)
    if saved is None or not isinstance(code, CodeType):
        return
    there = frozenset(name for cell in saved.cells for name in cell.names)
    for name in sorted(_globals(code)):
        ran = history.last_to_set(name)
        if name in there or name not in namespace or ran is None or saved.at <= ran.at:
            continue
        yield (
            f"{function.__name__} uses {name}, which no cell sets any more: "
            "put it back, or restart the kernel and run all cells"
        )


def _globals(code: CodeType) -> set[str]:
    names = {name for name in code.co_names if not hasattr(builtins, name)}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _globals(constant)
    return names


def not_text(part: PartSheet, value: Any) -> str:
    """A text part whose answer is something else."""
    if callable(value):
        return f'{part.name} is a function; it should be text: {part.name} = "…"'
    return f'{part.name} should be text in quotes, not {_a(value)}: write {part.name} = "{str(value)[:40]}"'


def _a(value: Any) -> str:
    noun = "number" if isinstance(value, int | float) else type(value).__name__
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"
