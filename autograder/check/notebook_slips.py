"""Slips of the notebook itself, each a sentence with its fix: names lost or shadowed, cells doubled."""

from __future__ import annotations

import builtins
import difflib
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType, FunctionType, ModuleType

from autograder.check.broken_cell import explain
from autograder.check.cells_run import History
from autograder.check.saved_notebook import SavedNotebook
from autograder.course.given_files import EVERYWHERE, importable
from autograder.notebook import stub_cells as cells_of
from autograder.notebook.submitted import MAX_PARSED, modules_in, names_needed
from autograder.release.handout import CodeHandout, PartHandout, TestsHandout, stub_of

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


def shadowed(namespace: Mapping[str, object]) -> Iterator[str]:
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


def changed_given(given: str, saved: SavedNotebook | None) -> Iterator[str]:
    """A cell of given code that is not as it was handed out: it will be, when the notebook is graded."""
    cells = [cell for cell in saved.cells if cell.grade_id == cells_of.GIVEN_ID] if saved and given else []
    if any(cell.source != given for cell in cells):
        yield (
            "the cell of given code was changed: when the notebook is graded it is as it was handed out, so "
            "copy it again, and put what is yours into a cell of its own"
        )


def imported(allowed: Sequence[str], saved: SavedNotebook | None) -> Iterator[str]:
    """Modules of the notebook that need not be there when it is graded."""
    sure = {*sys.stdlib_module_names, *EVERYWHERE, *allowed, "autograder"}
    found = dict.fromkeys(
        name.split(".")[0]
        for cell in (saved.cells if saved else ())
        if cell.kind == "code" and len(cell.source) <= MAX_PARSED
        for name in modules_in(cell.source)
    )
    for name in (name for name in found if name not in sure):
        yield (
            f"{name} is imported: when the notebook is graded, only Python's own modules, "
            f"{importable(allowed)} are sure to be there"
        )


def absent(
    part: PartHandout,
    namespace: Mapping[str, object],
    saved: SavedNotebook | None,
    history: History,
    others: frozenset[str],
) -> str:
    """Why a part's name is not there, as far as one can tell."""
    name = part.name
    ran = history.last_to_set(name)
    if ran is not None and ran.error:
        why = _in_quotes(part, ran.error) or _set_below(part, ran.error, saved) or _asks(ran.error)
        return f"{ran.title} stops before {name} is set: {ran.error}{why}"
    meant = _meant(part, namespace, others)
    if meant:
        return f"no cell that was run sets {name}; did you mean {meant}? keep the name as it was handed out"
    if ran is not None:
        return f"{name} was set by {ran.title}, but a later one deleted it: take that out, and run both again"
    turned = saved.turned_into(name) if saved is not None else ""
    if turned:
        return f"the answer cell of {name} is a {turned} cell: select it, press Y to make it code, and run it"
    if saved is not None and not saved.answers_to(name):
        return f"the answer cell of {name} is gone from the notebook: copy it again from what was handed out"
    if history.whole:
        return f"no cell sets {name}: the answer cell was changed; it should {_define(part)}"
    return f"{name} is not there yet: run its answer cell first"


def _define(part: PartHandout) -> str:
    if isinstance(part, CodeHandout):
        return f"define {part.name}({', '.join(part.parameters)})"
    return f'say {part.name} = "…"'


def unquoted(part: PartHandout, source: str) -> str:
    """The end of a sentence on a cell that is no Python, where a text answer stands without quotes."""
    bare = re.search(rf"^{re.escape(part.name)}\s*=\s*[^\s\"'“”‘’]", source, re.M)
    written = not isinstance(part, CodeHandout | TestsHandout)
    return f' (is the answer in quotes? write {part.name} = "…")' if bare and written else ""


def _set_below(part: PartHandout, error: str, saved: SavedNotebook | None) -> str:
    """The name that is missing is set by a cell further down."""
    missing = re.fullmatch(r"NameError: name '(\w+)' is not defined.*", error)
    answers = saved.answers_to(part.name) if saved is not None else []
    if saved is None or missing is None or len(answers) != 1:
        return ""
    here = next(position for position, cell in enumerate(saved.cells) if cell is answers[0])
    below = any(cell.kind == "code" and missing[1] in cell.names for cell in saved.cells[here + 1 :])
    return f" (a cell below sets {missing[1]}: move that cell up)" if below else ""


def _asks(error: str) -> str:
    asks = error.startswith(("EOFError", "StdinNotImplementedError"))
    return " (nobody answers an input() when the notebook is graded: take it out)" if asks else ""


def _in_quotes(part: PartHandout, error: str) -> str:
    if isinstance(part, CodeHandout) or not error.startswith("NameError"):
        return ""
    return f' (is the answer in quotes? write {part.name} = "…")'


def _meant(part: PartHandout, namespace: Mapping[str, object], others: frozenset[str]) -> str:
    """A name of the student's own that is close to the part's, or a function with its parameters."""
    wanted: type = FunctionType if isinstance(part, CodeHandout) else str
    own = [
        name
        for name, value in namespace.items()
        if isinstance(value, wanted) and not name.startswith("_") and name not in others
    ]
    if isinstance(part, CodeHandout):
        for name in own:
            function = namespace[name]
            if isinstance(function, FunctionType) and len(part.parameters) > 1:
                code = function.__code__
                if code.co_varnames[: code.co_argcount] == part.parameters:
                    return name
    return next(iter(difflib.get_close_matches(part.name, own, 1, CLOSE)), "")


def doubled(part: PartHandout, saved: SavedNotebook | None) -> Iterator[str]:
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


def edited(part: PartHandout, saved: SavedNotebook | None, history: History) -> Iterator[str]:
    """An answer cell that was changed, and saved, after it was last run."""
    ran = history.last_to_set(part.name)
    if saved is None or ran is None or saved.at <= ran.at:
        return
    sources = {cell.source for cell in saved.answers_to(part.name)}
    if sources and ran.source not in sources:
        yield f"the cell of {part.name} was changed after it was run: run it again, then this check"


def from_below(part: PartHandout, saved: SavedNotebook | None) -> Iterator[str]:
    """Names that the answer cell needs when it is run, and that only a cell below it sets."""
    cells = saved.answers_to(part.name) if saved is not None else []
    if saved is None or len(cells) != 1:
        return
    code = [cell for cell in saved.cells if cell.kind == "code"]
    here = next(position for position, cell in enumerate(code) if cell is cells[0])
    above = {name for cell in code[:here] for name in cell.names}
    if any("import *" in cell.source for cell in code[: here + 1]):
        return
    for name in sorted(names_needed(cells[0].source) - above):
        if not hasattr(builtins, name) and any(name in cell.names for cell in code[here + 1 :]):
            yield (
                f"the cell of {part.name} uses {name}, which a cell below it sets: when the notebook is "
                "graded, its cells are run from the top, and this one stops; move that cell up"
            )


def failed_since(part: PartHandout, history: History) -> Iterator[str]:
    """An answer cell that was changed and could not be run: what is there was set by an earlier run."""
    ran = history.last_to_set(part.name)
    if ran is None or not ran.error or history.whole:
        return
    fault = explain(ran.source)
    if fault is not None:
        yield f"this is what {part.name} was before: its cell was run again and is no Python ({fault.says})"
    else:
        yield (
            f"the cell of {part.name} was run again and did not get to its end ({ran.error}): what is "
            "checked here may be of the run before"
        )


def stale(
    function: Callable[..., object],
    namespace: Mapping[str, object],
    saved: SavedNotebook | None,
    history: History,
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


def not_text(part: PartHandout, value: object) -> str:
    """A text part whose answer is something else."""
    if callable(value):
        return f'{part.name} is a function; it should be text: {part.name} = "…"'
    if isinstance(value, tuple) and len(value) == 1 and isinstance(value[0], str):
        return f"{part.name} is a tuple of one text: take out the comma behind the quotation mark"
    shown = f"{value}"[:40] if _is_number(value) else "…"
    return f'{part.name} should be text in quotes, not {_a(value)}: write {part.name} = "{shown}"'


def _a(value: object) -> str:
    noun = "number" if _is_number(value) else type(value).__name__
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
