"""A problem whose numbers differ from student to student: drawn from secret and name, put into its texts.

`{K}` and `{K*K + 1}` stand in statements, asks, cases, options and keys; what is between the braces is worked
out where all its names are among those that vary. Other braces, LaTeX's among them, stay as they are.
"""

from __future__ import annotations

import ast
import hashlib
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from autograder.course.model import Code, OneOf, Problem, Solution
from autograder.course.modules import Module

if TYPE_CHECKING:
    from autograder.course.load import Course

MOST_VARIANTS = 10**9
_BRACES = re.compile(r"\{([^{}]+)\}")
_KEEPS_BRACES = re.compile(r"(?:\\[A-Za-z]+(?:\{[^{}]*\})*|[\^_])$")  # \frac{K}{2}, x^{K}
# \mathbb{C} is a set, and \begin{K} an environment, whatever varies.
_NAMES_ONLY = re.compile(r"\\(?:math(?:bb|bf|cal|frak|it|rm|scr|sf|tt)|operatorname\*?|begin|end)\s*$")
_OPERATIONS: Mapping[type, Callable[[object, object], object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}


@dataclass(frozen=True)
class _Missing:
    """No value."""


def count(problem: Problem) -> int:
    """How many variants there are; 1 where nothing varies."""
    return math.prod(len(each.values) for each in problem.varies.values())


def values_of(problem: Problem, number: int) -> dict[str, object]:
    """The values of a variant by its number: the last name varies fastest."""
    values = {}
    for name, each in reversed(list(problem.varies.items())):
        number, at = divmod(number, len(each.values))
        values[name] = each.values[at]
    return dict(reversed(values.items()))


def number_for(problem: Problem, secret: str, student: str) -> int:
    """The variant of a student: the same whenever it is asked for."""
    text = "\0".join(("variant", secret, problem.id, student))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % count(problem)


def variant(problem: Problem, number: int) -> Problem:
    """The problem with the numbers of one variant put in."""
    if not problem.varies:
        return problem
    values = values_of(problem, number)
    parts = tuple(_put_in(part, values) for part in problem.parts)
    statement, title = put_in(problem.statement, values), put_in(problem.title, values)
    return replace(problem, title=title, statement=statement, parts=parts, varies={}, variant=number)


def solution_of(problem: Problem, solution: Solution, number: int) -> Solution:
    """The keys and the listed mistakes of one variant."""
    if not problem.varies:
        return solution
    values = values_of(problem, number)
    answers = {name: _put_in(answer, values) for name, answer in solution.answers.items()}
    mistakes = tuple(_put_in(each, values) for each in solution.mistakes)
    return replace(solution, answers=answers, mistakes=mistakes, named=())


def with_variant(course: Course, problem: Problem, number: int) -> Course:
    """The course with one variant of a problem in its place."""
    if not problem.varies:
        return course
    solutions = dict(course.solutions)
    if problem.id in solutions:
        solutions[problem.id] = solution_of(problem, solutions[problem.id], number)
    return replace(
        course, problems={**course.problems, problem.id: variant(problem, number)}, solutions=solutions
    )


def own_problem(course: Course, name: str, student: str) -> Problem:
    """A problem as this student has it."""
    problem = course.problems[name]
    return variant(problem, number_for(problem, course.secret, student)) if problem.varies else problem


def put_in(text: str, values: Mapping[str, object]) -> str:
    """The text with everything in braces worked out that only speaks of what varies."""
    return _replaced(text, values, lambda written, value: str(value))


def in_general(text: str, problem: Problem) -> str:
    """The text for those who speak of all variants: what varies keeps its name and loses its braces."""
    return _replaced(text, values_of(problem, 0), lambda written, value: written) if problem.varies else text


def _replaced(text: str, values: Mapping[str, object], by: Callable[[str, object], str]) -> str:
    def shown(found: re.Match[str]) -> str:
        before = found.string[: found.start()]
        value = _Missing() if _NAMES_ONLY.search(before) else _value(found[1], values)
        if isinstance(value, _Missing):
            return found[0]
        new = by(found[1], value)
        return f"{{{new}}}" if _KEEPS_BRACES.search(before) else new

    return _BRACES.sub(shown, text)


def faults(varies: object) -> list[str]:
    """What is wrong with how a problem varies."""
    if not isinstance(varies, Mapping):
        return ['varies is no table; write varies={"K": one_of(3, 5, 7)}']
    found = [
        f"varies: {name!r} is drawn from {each!r}; write one_of(3, 5, 7)"
        for name, each in varies.items()
        if not isinstance(each, OneOf)
    ]
    if found:
        return found
    found += [
        f"varies: {name!r} has fewer than two values" for name, e in varies.items() if len(set(e.values)) < 2
    ]
    found += [f"varies: {name!r} is no name" for name in varies if not str(name).isidentifier()]
    if math.prod(len(each.values) for each in varies.values()) > MOST_VARIANTS:
        found.append(f"varies: more than {MOST_VARIANTS} variants; draw from fewer values")
    return found


def _put_in(thing: object, values: Mapping[str, object]) -> Any:
    """The same in every text of a record, however deep."""
    match thing:
        case str():
            return put_in(thing, values)
        case Code():
            return _code(thing, values)
        case Module():
            return _module(thing, values)
        case tuple():
            return tuple(_put_in(each, values) for each in thing)
        case list():
            return [_put_in(each, values) for each in thing]
        case Mapping():
            return {name: _put_in(each, values) for name, each in thing.items()}
        case _ if is_dataclass(thing) and not isinstance(thing, type):
            changed = {each.name: _put_in(getattr(thing, each.name), values) for each in fields(thing)}
            return replace(thing, **changed)
    return thing


def _code(part: Code, values: Mapping[str, object]) -> Code:
    """A code part: sizes in cases become numbers, and the docstring says them."""
    cases = []
    for case in part.cases:
        sizes = {name: _size(size, values) for name, size in case.sizes.items()}
        cases.append(
            replace(case, name=put_in(case.name, values), hint=put_in(case.hint, values), sizes=sizes)
        )
    old = part.function
    assert isinstance(old, FunctionType)
    function = FunctionType(old.__code__, old.__globals__, old.__name__, old.__defaults__, old.__closure__)
    function.__doc__ = put_in(old.__doc__ or "", values)
    function.__annotations__, function.__kwdefaults__ = old.__annotations__, old.__kwdefaults__
    return replace(part, function=function, cases=tuple(cases), ask=put_in(part.ask, values))


def _module(part: Module, values: Mapping[str, object]) -> Module:
    """A class: the numbers of its cases, wherever they stand; its docstring stays as it is."""
    cases = tuple(
        replace(
            case,
            name=put_in(case.name, values),
            hint=put_in(case.hint, values),
            sizes={name: _sizes_in(each, values) for name, each in case.sizes.items()},
        )
        for case in part.cases
    )
    return replace(part, cases=cases, ask=put_in(part.ask, values))


def _sizes_in(thing: object, values: Mapping[str, object]) -> object:
    match thing:
        case str():
            return _size(thing, values)
        case dict():
            return {name: _sizes_in(each, values) for name, each in thing.items()}
        case list() | tuple():
            return type(thing)(_sizes_in(each, values) for each in thing)
    return thing


def _size(size: object, values: Mapping[str, object]) -> object:
    found = _BRACES.fullmatch(size.strip()) if isinstance(size, str) else None
    value = _value(found[1], values) if found else _Missing()
    return size if isinstance(value, _Missing) else value


def _value(text: str, values: Mapping[str, object]) -> object:
    """What an expression of varying names is worth, if it is one."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return _Missing()
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if not names or not names <= set(values):
        return _Missing()
    try:
        return _tidy(_work_out(tree, values))
    except (TypeError, ArithmeticError, ValueError):
        return _Missing()


def _work_out(node: ast.expr, values: Mapping[str, object]) -> Any:
    match node:
        case ast.Name(id=name):
            return values[name]
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_work_out(inner, values)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_work_out(left, values), _work_out(right, values))
    raise ValueError


def _tidy(value: object) -> object:
    """A quotient that is whole is shown as a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
