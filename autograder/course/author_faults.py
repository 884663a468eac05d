"""What can be wrong in a problem or its solution, each fault a sentence that names the fix."""

from __future__ import annotations

import ast
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import ModuleType

from autograder.course.author_tests import Tests, tests_faults
from autograder.course.cases import DTYPES, LAYOUTS, Case, Draw, faults_among
from autograder.course.docstring_shapes import DOTS, Shapes, names_in, parse_shapes
from autograder.course.field_types import misfits
from autograder.course.model import (
    LIMITS,
    Choice,
    Code,
    FurtherReference,
    Key,
    Mistake,
    Part,
    Problem,
    Prose,
)
from autograder.course.modules import Module, module_faults
from autograder.course.properties import property_faults
from autograder.course.small_kinds import Order, Select

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ADDRESS = re.compile(r"(?:https?://|mailto:)\S")
_FILLED_IN = frozenset({"student", "set", "problem", "part"})
_OTHER_SIZES = frozenset({"norm"})  # settings of a draw that are neither axes nor arguments


def problem_misfits(problem: Problem) -> Iterator[str]:
    """Fields that hold what they are not made for, and what is wrong in the parts beside such a part."""
    own = list(misfits(problem))
    yield from own
    parts = () if own else problem.parts
    found = [list(_part_misfits(part, number)) for number, part in enumerate(parts, start=1)]
    if not any(found):
        return
    for part, faults in zip(parts, found, strict=True):
        beside = () if faults or problem.varies else _part_faults(part)
        yield from faults or (f"{part.name}: {fault}" for fault in beside)


def _part_misfits(part: Part, number: int) -> Iterator[str]:
    place = getattr(part, "name", None)
    place = place if isinstance(place, str) and place else f"part {number}"
    yield from (f"{place}: {fault}" for fault in misfits(part))
    cases = part.cases if isinstance(part, Code | Module) else ()
    for case in cases if isinstance(cases, list | tuple) else ():
        if isinstance(case, Case):
            yield from (f"{place}: case {case.name!r}: {fault}" for fault in misfits(case))


def problem_faults(problem: Problem) -> Iterator[str]:
    """Every fault of a problem file whose fields hold what they are made for."""
    if not problem.parts:
        yield "the problem has no parts"
    if not problem.statement.strip():
        yield "the statement is empty"
    for name, times in Counter(part.name for part in problem.parts).items():
        if times > 1:
            yield f"{times} parts are called {name!r}; part names are unique in a problem"
    for part in problem.parts:
        yield from (f"{part.name}: {fault}" for fault in _part_faults(part))
    yield from _after_faults(problem)


def _after_faults(problem: Problem) -> Iterator[str]:
    """Parts that are to stand in for one another, and cannot."""
    earlier: dict[str, Part] = {}
    for part in problem.parts:
        if isinstance(part, Code) and part.after:
            other = earlier.get(part.after)
            if not isinstance(other, Code) or other.holds:
                yield (
                    f"{part.name}: after names {part.after!r}, which is no earlier code part with values: "
                    f"there are {', '.join(n for n, p in earlier.items() if isinstance(p, Code)) or 'none'}"
                )
            if part.work or part.memory or part.large or part.holds:
                yield f"{part.name}: after does not go with a bound on cost, nor with holds"
        earlier[part.name] = part


def _part_faults(part: Part) -> Iterator[str]:
    if not _NAME.fullmatch(part.name):
        yield "a part's name is letters, digits and underscores, as in Python"
    if part.points < 0:
        yield f"points are {part.points}; they cannot be negative"
    if isinstance(part, Code):
        yield from _code_faults(part)
    elif isinstance(part, Module):
        yield from limit_faults(part.limits)
        yield from share_faults(part.share or 0)
        yield from module_faults(part)
    elif isinstance(part, Tests):
        yield from limit_faults(part.limits)
        yield from tests_faults(part)
    elif not part.ask.strip():
        yield "ask is empty: say what is wanted"
    if isinstance(part, Choice | Select | Order) and len(part.options) < 2:
        yield f"a {type(part).__name__.lower()} needs at least two options"
    if isinstance(part, Prose):
        yield from _rubric_faults(part)


def _rubric_faults(part: Prose) -> Iterator[str]:
    for each in part.rubric:
        if not each.says.strip():
            yield f"an item of its rubric, worth {each.points:g}, has no words"
    for says, times in Counter(each.says for each in part.rubric).items():
        if times > 1:
            yield f"{times} items of its rubric say {says!r}"
    most = sum(each.points for each in part.rubric if each.points > 0)
    if part.rubric and most < part.points:
        yield f"its rubric adds up to {most:g} and the part has {part.points:g} points: nobody earns them"


def limit_faults(limits: object) -> Iterator[str]:
    """Limits that do not exist or are no positive numbers."""
    if not isinstance(limits, Mapping):
        yield "limits is no table of names and numbers"
        return
    for name, value in limits.items():
        if name not in LIMITS:
            yield f"there is no limit {name!r}; there are {', '.join(LIMITS)}"
        elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            yield f"the limit {name} is {value!r}; it should be a positive number"


def diagnosis_faults(table: object) -> Iterator[str]:
    """Settings of the diagnosis that do not exist or are not what they should be."""
    if not isinstance(table, Mapping):
        yield "diagnosis is no table; write [diagnosis] with listed, share or steps below it"
        return
    for name, value in table.items():
        match name, value:
            case ("listed", bool()) | ("steps", 0 | 1 | 2 | 3):
                pass
            case "listed", _:
                yield f"[diagnosis] listed is {value!r}; it should be true or false"
            case "steps", _:
                yield f"[diagnosis] steps is {value!r}; it should be 0, 1, 2 or 3"
            case "share", _:
                yield from (f"[diagnosis] {fault}" for fault in share_faults(value))
            case _:
                yield f"[diagnosis] has no setting {name!r}; there are listed, share and steps"


def share_faults(value: object) -> Iterator[str]:
    """A share that a slip may not earn: a mistake never has full marks."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        yield f"share is {value!r}; it should be at least 0 and less than 1"


def question_faults(address: object) -> Iterator[str]:
    """An address for questions that no link can have, or that has something else to be filled in."""
    example = '"mailto:ta@example.org?subject={problem} {part}"'
    if not isinstance(address, str) or (address and not _ADDRESS.match(address)):
        yield f"questions is {address!r}; it should be an address such as {example}, or begin with https://"
    elif unknown := set(re.findall(r"\{(.*?)\}", address)) - _FILLED_IN:
        yield (f"questions has {{{min(unknown)}}} in it; there are {', '.join(sorted(_FILLED_IN))}")


# Kinds of draw that need no shape in the docstring.
_SHAPELESS = ("number", "dtype", "function", "given", "text", "drawn")


def _function_faults(function: Callable[..., object]) -> Iterator[str]:
    """What keeps a function from being called with arguments in their order."""
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            yield f"{parameter.name!r} is keyword-only; arguments come in their order: take out the *"
        elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            yield f"it takes any number of arguments ({parameter}): name each of them"


def _code_faults(part: Code) -> Iterator[str]:
    if not inspect.isfunction(part.function):
        found = "a class" if inspect.isclass(part.function) else f"of type {type(part.function).__name__}"
        fix = "ask for it with Module(…)" if inspect.isclass(part.function) else "write def … above"
        yield f"a code part asks for a function, and this is {found}: {fix}"
        return
    yield from limit_faults(part.limits)
    yield from share_faults(part.share or 0)
    yield from _function_faults(part.function)
    try:
        shapes = parse_shapes(part.doc, part.parameters)
    except ValueError as error:
        yield str(error)
        return
    for name in part.parameters:
        needs_shape = part.draws.get(name) is None or drawn_as(part.draws[name]).kind not in _SHAPELESS
        if needs_shape and name not in shapes.inputs:
            other = f"draws={{{name!r}: given()}}"
            yield f"the docstring gives no shape for {name!r}: write {name}[…], or {other}"
    yield from (
        f"draws names {name!r}, which is no argument" for name in part.draws if name not in part.parameters
    )
    if part.precision is not None and part.precision not in DTYPES:
        yield f"precision is {part.precision!r}; it is one of {', '.join(DTYPES)}"
    yield from faults_among(part.cases)
    for case in part.cases:
        yield from (f"case {case.name!r}: {fault}" for fault in _case_faults(part, case, shapes))
    yield from _lead_faults(part, shapes)
    if not part.numpy and (part.holds or shapes.type):
        yield "numpy=False is of tensors whose values are compared: take it out"
    if part.holds:
        settings = {
            "work": bool(part.work),
            "memory": bool(part.memory),
            "large": bool(part.large),
            "tolerance": part.tolerance is not None,
            "share": bool(part.share),
            "grad of a case": any(case.grad for case in part.cases),
        }
        yield from property_faults(part.holds, part.parameters, settings)


def _lead_faults(part: Code, shapes: Shapes) -> Iterator[str]:
    """Leading axes that are not asked for, or that no case has."""
    leads = [case.sizes.get(DOTS, ()) for case in part.cases]
    for case, lead in zip(part.cases, leads, strict=True):
        if lead and not shapes.has_dots:
            yield f"case {case.name!r}: lead is {lead!r}, and no argument of the docstring begins with ..."
        elif not isinstance(lead, tuple) or not all(type(each) is int and each > 0 for each in lead):
            yield f"case {case.name!r}: lead is {lead!r}; write sizes, as in lead=(2, 3)"
            return
    if shapes.has_dots and max(map(len, leads), default=0) < 2:
        yield "the docstring takes any leading axes: add a case with two of them, lead=(2, 3)"
    if shapes.has_dots and (part.work or part.memory or part.large):
        yield "the cost of a function with ... cannot be counted: name its axes"


def drawn_as(draw: Draw) -> Draw:
    """The draw itself, or the one that an optional argument is drawn by where it is there."""
    return draw.options["of"] if draw.kind == "optional" else draw


def _case_faults(part: Code, case: Case, shapes: Shapes) -> Iterator[str]:
    numbers = {name for name, draw in part.draws.items() if draw.kind == "number"}
    functions = {name for name, draw in part.draws.items() if draw.kind in ("function", "given", "optional")}
    free = any(drawn_as(draw).kind == "drawn" for draw in part.draws.values())  # its keywords are its own
    for name in sorted(name for name, draw in part.draws.items() if draw.kind == "given"):
        if name not in case.sizes:
            yield f"argument {name} has no value; add {name}=…"
    outputs = {name for out in shapes.outputs for axis in out.axes for name in names_in(axis)}
    below = {
        name
        for draw in map(drawn_as, part.draws.values())
        if draw.kind in ("whole", "text")
        for name in names_in(str(draw.options["below" if draw.kind == "whole" else "length"]))
    }
    needed = {name for axes in shapes.inputs.values() for axis in axes for name in names_in(axis)} | below
    for name in sorted(needed - set(case.sizes)):
        yield f"axis {name} has no size; add {name}=…"
    for name in sorted(outputs - needed - set(case.sizes)):
        yield f"axis {name} of the result has no size; add {name}=…, or mend the docstring after 'returns'"
    for name in sorted(numbers - set(case.sizes)):
        if part.draws[name].options["default"] is None:
            yield f"argument {name} has no value; add {name}=…"
    unknown = (
        set() if free else set(case.sizes) - {DOTS} - needed - outputs - numbers - functions - _OTHER_SIZES
    )
    for name in sorted(unknown):
        if name in part.parameters:
            yield f"it has a value for {name}: say draws={{{name!r}: given()}} to hand it over as it is"
        else:
            yield f"{name} is neither an axis nor an argument of {part.name}"
    for name in sorted(needed & set(case.sizes)):
        length = case.sizes[name]
        if type(length) is not int or length < 0:
            yield f"axis {name} has size {length!r}; a size is a whole number"
    if case.dtype not in DTYPES:
        yield f"dtype is {case.dtype!r}; it is one of {', '.join(DTYPES)}"
    if case.layout not in LAYOUTS:
        yield f"layout is {case.layout!r}; it is one of {', '.join(LAYOUTS)}"
    if case.hidden and not case.hint:
        yield "it is hidden and has no hint: a student who fails it sees no values, and needs one"
    if not 0 < case.costs <= 1:
        yield f"costs is {case.costs}; it is a share of the marks above 0 and at most 1"
    yield from (f"grad names {name!r}, which has no shape" for name in case.grad if name not in shapes.inputs)
    if case.grad and shapes.type:
        yield f"grad is of results with a shape, and the docstring says: returns {shapes.type}"


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
    tested = {
        stub.__name__: stub for part in parts.values() if isinstance(part, Tests) for stub in part.stubs
    }
    for name, stub in tested.items():
        if not hasattr(module, name):
            yield f" has no {name!r}; problems/{_problem_file(problem, module)} asks for it"
        elif inspect.isfunction(stub) and not callable(getattr(module, name)):
            yield f": {name}: expected a function, found {type(getattr(module, name)).__name__}"
    for name, part in parts.items():
        if isinstance(part, Tests):
            continue
        if not hasattr(module, name):
            yield f" has no {name!r}; problems/{_problem_file(problem, module)} asks for it"
            continue
        yield from (f": {name}: {fault}" for fault in _answer_faults(part, getattr(module, name)))
    for name, value in vars(module).items():
        own = getattr(value, "__module__", None) == module.__name__
        if inspect.isfunction(value) and own and not name.startswith("_") and name not in {*parts, *tested}:
            yield f": {name!r} answers no part; call it _{name} if it is a helper"
    yield from (f": {fault}" for fault in _mistake_faults(parts, module))
    yield from (f": {fault}" for fault in _further_faults(parts, module))


def find_mistakes(module: ModuleType) -> Iterator[Mistake]:
    """The mistakes of a solutions file, single or in lists, in the order of the file."""
    for value in vars(module).values():
        if isinstance(value, Mistake):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, Mistake))


def find_further(module: ModuleType) -> Iterator[FurtherReference]:
    """The further references of a solutions file, in its order."""
    yield from (value for value in vars(module).values() if isinstance(value, FurtherReference))


def _further_faults(parts: Mapping[str, Part], module: ModuleType) -> Iterator[str]:
    for each in find_further(module):
        part, name = parts.get(each.of), getattr(each.function, "__name__", "a further reference")
        if not isinstance(part, Code):
            yield f"{name}: @also({each.of!r}) names no code part"
        else:
            yield from (f"{name}: {fault}" for fault in _answer_faults(part, each.function))


def _problem_file(problem: Problem, module: ModuleType) -> str:
    return f"{problem.id or module.__name__.rpartition('_solutions_')[2]}.py"


def _answer_faults(part: Part, answer: object) -> Iterator[str]:
    if isinstance(part, Code):
        if not inspect.isfunction(answer):
            found = "a class" if inspect.isclass(answer) else type(answer).__name__
            yield f"expected a function, found {found}"
        elif tuple(inspect.signature(answer).parameters) != part.parameters:
            yield f"takes {inspect.signature(answer)}, the problem says ({', '.join(part.parameters)})"
    elif isinstance(part, Module):
        yield from _class_faults(part, answer)
    elif isinstance(part, Prose):
        if not isinstance(answer, str):
            yield "expected a model answer as text"
    elif not isinstance(answer, str | Key):
        yield f"expected text or key(…), found {type(answer).__name__}"
    elif isinstance(part, Choice):
        label = answer.answer if isinstance(answer, Key) else answer
        if label not in part.options:
            yield f"{label!r} is none of its options {', '.join(part.options)}"


def _class_faults(part: Module, answer: object) -> Iterator[str]:
    """What keeps a class of a solutions file from being built as the problem says."""
    if inspect.isclass(part.made) != inspect.isclass(answer) or not callable(answer):
        asked = "a class" if inspect.isclass(part.made) else "a function"
        yield f"expected {asked}, found {'a class' if inspect.isclass(answer) else type(answer).__name__}"
        return
    own, theirs = (tuple(inspect.signature(each).parameters) for each in (answer, part.made))
    if own != theirs:
        yield f"is built with ({', '.join(own)}), the problem says ({', '.join(theirs)})"


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
        yield from (f"mistake {mistake.id!r}: {fault}" for fault in share_faults(mistake.share))
        yield from _mistaken_answer_faults(mistake, part)
    yield from (
        f"{times} mistakes of {of!r} are called {id!r}" for (of, id), times in seen.items() if times > 1
    )


def _mistaken_answer_faults(mistake: Mistake, part: Part) -> Iterator[str]:
    if isinstance(part, Tests):
        yield f"mistake {mistake.id!r} is of tests: what fails is told by their sentences, list no mistakes"
    elif isinstance(part, Module):
        yield from (f"mistake {mistake.id!r}: {fault}" for fault in _class_faults(part, mistake.answer))
    elif not isinstance(part, Code):
        if not isinstance(mistake.answer, str):
            yield f"mistake {mistake.id!r}: a mistake of a {type(part).__name__} part is text: use slip(…)"
    elif not callable(mistake.answer):
        yield f"mistake {mistake.id!r}: a mistake of a code part is a function: use @mistake(…)"
    elif tuple(inspect.signature(mistake.answer).parameters) != part.parameters:
        found = inspect.signature(mistake.answer)
        yield f"mistake {mistake.id!r} takes {found}, not ({', '.join(part.parameters)})"
