"""What can be wrong in a problem or its solution, each fault a sentence that names the fix."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from autograder.model import DTYPES, LAYOUTS, LIMITS, Case, Choice, Code, Key, Mistake, Part, Problem, Prose
from autograder.shapes import Shapes, names_in, parse_shapes

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_OTHER_SIZES = frozenset({"norm"})  # settings of a draw that are neither axes nor arguments


def problem_faults(problem: Problem) -> Iterator[str]:
    """Every fault of a problem file."""
    if not problem.parts:
        yield "the problem has no parts"
    if not problem.statement.strip():
        yield "the statement is empty"
    for name, times in Counter(part.name for part in problem.parts).items():
        if times > 1:
            yield f"{times} parts are called {name!r}; part names are unique in a problem"
    for part in problem.parts:
        yield from (f"{part.name}: {fault}" for fault in _part_faults(part))


def _part_faults(part: Part) -> Iterator[str]:
    if not _NAME.fullmatch(part.name):
        yield "a part's name is letters, digits and underscores, as in Python"
    if part.points < 0:
        yield f"points are {part.points}; they cannot be negative"
    if isinstance(part, Code):
        yield from _code_faults(part)
    elif not part.ask.strip():
        yield "ask is empty: say what is wanted"
    if isinstance(part, Choice) and len(part.options) < 2:
        yield "a choice needs at least two options"


def limit_faults(limits: Any) -> Iterator[str]:
    """Limits that do not exist or are no positive numbers."""
    if not isinstance(limits, Mapping):
        yield "limits is no table of names and numbers"
        return
    for name, value in limits.items():
        if name not in LIMITS:
            yield f"there is no limit {name!r}; there are {', '.join(LIMITS)}"
        elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            yield f"the limit {name} is {value!r}; it should be a positive number"


def _code_faults(part: Code) -> Iterator[str]:
    yield from limit_faults(part.limits)
    try:
        shapes = parse_shapes(part.doc, part.parameters)
    except ValueError as error:
        yield str(error)
        return
    for name in part.parameters:
        needs_shape = part.draws.get(name) is None or part.draws[name].kind not in (
            "number",
            "dtype",
            "function",
        )
        if needs_shape and name not in shapes.inputs:
            yield f"the docstring gives no shape for {name!r}: write {name}[…], or list it in draws"
    yield from (
        f"draws names {name!r}, which is no argument" for name in part.draws if name not in part.parameters
    )
    if not any(not case.hidden for case in part.cases):
        yield "no visible case: a student needs one to try"
    for name, times in Counter(case.name for case in part.cases).items():
        if times > 1:
            yield f"{times} cases are called {name!r}"
    for case in part.cases:
        yield from (f"case {case.name!r}: {fault}" for fault in _case_faults(part, case, shapes))


def _case_faults(part: Code, case: Case, shapes: Shapes) -> Iterator[str]:
    numbers = {name for name, draw in part.draws.items() if draw.kind == "number"}
    functions = {name for name, draw in part.draws.items() if draw.kind == "function"}
    outputs = {name for out in shapes.outputs for axis in out.axes for name in names_in(axis)}
    below = {
        name
        for draw in part.draws.values()
        if draw.kind == "whole"
        for name in names_in(str(draw.options["below"]))
    }
    needed = {name for axes in shapes.inputs.values() for axis in axes for name in names_in(axis)} | below
    for name in sorted(needed - set(case.sizes)):
        yield f"axis {name} has no size; add {name}=…"
    for name in sorted(outputs - needed - set(case.sizes)):
        yield f"axis {name} of the result has no size; add {name}=…, or mend the docstring after 'returns'"
    for name in sorted(numbers - set(case.sizes)):
        if part.draws[name].options["default"] is None:
            yield f"argument {name} has no value; add {name}=…"
    for name in sorted(set(case.sizes) - needed - outputs - numbers - functions - _OTHER_SIZES):
        yield f"{name} is neither an axis nor an argument of {part.name}"
    for name in sorted(needed & set(case.sizes)):
        length = case.sizes[name]
        if not isinstance(length, int) or length < 0:
            yield f"axis {name} has size {length!r}; a size is a whole number"
    if case.dtype not in DTYPES:
        yield f"dtype is {case.dtype!r}; it is one of {', '.join(DTYPES)}"
    if case.layout not in LAYOUTS:
        yield f"layout is {case.layout!r}; it is one of {', '.join(LAYOUTS)}"
    if case.hidden and not case.hint:
        yield "it is hidden and has no hint: the hint is all that a student who fails it reads"
    if not 0 < case.costs <= 1:
        yield f"costs is {case.costs}; it is a share of the marks above 0 and at most 1"
    yield from (f"grad names {name!r}, which has no shape" for name in case.grad if name not in shapes.inputs)


def lost_definitions(source: str) -> Iterator[str]:
    """Names that a file defines twice: Python keeps the last and drops the others without a word."""
    names = Counter(node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))
    yield from (
        f"{name!r} is defined {times} times; only the last counts"
        for name, times in names.items()
        if times > 1
    )


def solution_faults(problem: Problem, module: ModuleType) -> Iterator[str]:
    """Every fault of a solutions file; each starts right behind the file's name."""
    parts = {part.name: part for part in problem.parts}
    for name, part in parts.items():
        if not hasattr(module, name):
            yield f" has no {name!r}; problems/{_problem_file(problem, module)} asks for it"
            continue
        yield from (f": {name}: {fault}" for fault in _answer_faults(part, getattr(module, name)))
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        if inspect.isfunction(value) and own and not name.startswith("_") and name not in parts:
            yield f": {name!r} answers no part; call it _{name} if it is a helper"
    yield from (f": {fault}" for fault in _mistake_faults(parts, module))


def find_mistakes(module: ModuleType) -> Iterator[Mistake]:
    """The mistakes of a solutions file, single or in lists, in the order of the file."""
    for value in vars(module).values():
        if isinstance(value, Mistake):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, Mistake))


def _problem_file(problem: Problem, module: ModuleType) -> str:
    return f"{problem.id or module.__name__.rpartition('_solutions_')[2]}.py"


def _answer_faults(part: Part, answer: Any) -> Iterator[str]:
    if isinstance(part, Code):
        if not callable(answer):
            yield f"expected a function, found {type(answer).__name__}"
        elif tuple(inspect.signature(answer).parameters) != part.parameters:
            yield f"takes {inspect.signature(answer)}, the problem says ({', '.join(part.parameters)})"
    elif isinstance(part, Prose):
        if not isinstance(answer, str):
            yield "expected a model answer as text"
    elif not isinstance(answer, str | Key):
        yield f"expected text or key(…), found {type(answer).__name__}"
    elif isinstance(part, Choice):
        label = answer.answer if isinstance(answer, Key) else answer
        if label not in part.options:
            yield f"{label!r} is none of its options {', '.join(part.options)}"


def _mistake_faults(parts: dict[str, Part], module: ModuleType) -> Iterator[str]:
    seen: Counter[tuple[str, str]] = Counter()
    for mistake in find_mistakes(module):
        seen[mistake.of, mistake.id] += 1
        part = parts.get(mistake.of)
        if part is None:
            yield f"mistake {mistake.id!r} is of {mistake.of!r}, which is no part"
            continue
        if not mistake.says.strip():
            yield f"mistake {mistake.id!r} says nothing to its author"
        yield from _mistaken_answer_faults(mistake, part)
    yield from (
        f"{times} mistakes of {of!r} are called {id!r}" for (of, id), times in seen.items() if times > 1
    )


def _mistaken_answer_faults(mistake: Mistake, part: Part) -> Iterator[str]:
    if not isinstance(part, Code):
        if not isinstance(mistake.answer, str):
            yield f"mistake {mistake.id!r}: a mistake of a {type(part).__name__} part is text: use slip(…)"
    elif not callable(mistake.answer):
        yield f"mistake {mistake.id!r}: a mistake of a code part is a function: use @mistake(…)"
    elif tuple(inspect.signature(mistake.answer).parameters) != part.parameters:
        found = inspect.signature(mistake.answer)
        yield f"mistake {mistake.id!r} takes {found}, not ({', '.join(part.parameters)})"
