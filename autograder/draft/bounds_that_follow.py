"""A stated bound and what the sheet says around it come in; what does not follow goes out in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from autograder.course.model import Growth, Key
from autograder.draft.equation_axes import axis_of, occurrences, softmaxes, spaceless
from autograder.errors import AnswerError, CourseError
from autograder.text.analysis.decide import Decision, decide
from autograder.text.analysis.read import read_outputs, world_of
from autograder.text.analysis.scope import Scope
from autograder.text.expression.render import plain
from autograder.text.judge import judge_text

MOST_EQUATIONS = 12
_TERM = re.compile(r"(?<=[\]})])\s*[+-]\s*(?=[A-Za-z\\(])")  # what is added, not t - 1
_ASKS_SIZE = re.compile(r"\b(?:memory|space|store[ds]?|entries|sizes?(?!\s+\$))\b", re.I)
_ASKS_WORK = re.compile(r"\b(?:time|steps|operations|multiplications|additions|flops|work)\b", re.I)
_INDEX = re.compile(r"\\?[A-Za-zΔ]+(?:_\{?\w+\}?)?'*")
_OPENS_RATE = re.compile(r"(?:\\mathcal\{O\}|\\Theta|O|Θ)\s*(?:\\left)?\(")
_SIGN = re.compile(r"(?<![<>!])=|\\in(?![A-Za-z])|\\le(?:q|sim)?(?![A-Za-z])|\\approx|≤|∈")


@dataclass(frozen=True)
class EquationCost:
    """What one equation takes: the axes of its result, and those over which it sums or normalises.

    `inner` are the summed axes that are written as capitals: inner products, often worked out serially.
    """

    holds: tuple[str, ...]
    reduced: tuple[str, ...]
    inner: tuple[str, ...]
    runs: tuple[str, ...]


def steps_of(lines: Sequence[str], *, by_term: bool = True) -> tuple[EquationCost, ...]:
    """The steps of each equation in index notation, or of each of its terms; a line that is none has none."""
    found = []
    for line in lines:
        left, sign, right = line.partition("=")
        if sign and "[" in right:
            terms = _TERM.split(right) if by_term else [right]
            found += [_steps(_indices(left), term) for term in terms if "[" in term]
    return tuple(found)


def _steps(outer: list[str], right: str) -> EquationCost:
    inner = _indices(right)
    under = [index for indices, _ in softmaxes(right) for index in indices]
    if ";" in right:  # put end to end: nothing is summed
        inner = under = []
    elif not outer:  # P(w_t | …): its small indices are free
        outer = [index for index in inner if index[0].islower()]
    reduced = [*(index for index in inner if index not in outer), *under]
    capitals = [index for index in reduced if index[0].isupper()]
    return EquationCost(_axes(outer), _axes(reduced), _axes(capitals), _axes([*outer, *reduced]))


def _axes(indices: Sequence[str]) -> tuple[str, ...]:
    """The axis of each index, those of one name once."""
    return tuple(axis for index in dict.fromkeys(indices) if (axis := axis_of(index)))


def _indices(text: str) -> list[str]:
    """The indices of all tensors, each once: t-1 is t, and a number is none."""
    found = []
    for occurs in occurrences(text):
        for written in re.split(r",(?![^\[]*\])", occurs["axes"]):
            if "[" not in written and (index := _INDEX.match(spaceless(written))):
                found.append(index[0])
    return list(dict.fromkeys(found))


def doubts(rate: str, part: Growth, solution: str, lines: Sequence[str]) -> list[str]:
    """What speaks against a bound: a count that it is said to equal, and the equations that it is about."""
    return [*_unlike_counts(part, solution), *_unlike_equations(rate, part, lines)]


def unequal_sides(text: str, names: Sequence[str], assumptions: Sequence[str] = ()) -> str:
    """What is wrong with a chain of equal expressions, where it is wrong for certain: 1 + 2 = 4."""
    scope = Scope(positive=tuple(names))
    try:
        (output,) = read_outputs(text, scope, several=False)
        world = world_of(scope, tuple(assumptions))
    except (AnswerError, ValueError):
        return ""
    for mine, other in pairwise(output.sides):
        if decide(mine.first, other.first, world) == Decision.DIFFERENT:
            shown = plain(mine.first), plain(other.first)
            return f"{shown[0]} is not equal to {shown[1]}: a slip of the sheet, or an equation to be solved"
    return ""


# ---------------------------------------------------------------- what stands before the bound


def _unlike_counts(part: Growth, math: str) -> list[str]:
    """Counts that are said to be O(…) and are not: n^2 + n = O(n)."""
    found = []
    for row in re.split(r"\\\\|\n|\$|;", math):
        starts = list(_OPENS_RATE.finditer(row))
        if not starts:
            continue
        rate = row[starts[0].start() :].strip(" .,&")
        sides = [side.strip(" &.,") for side in _SIGN.split(row[: starts[0].start()])]
        count = next((side for side in reversed(sides) if side), "")
        if not count or not re.search(r"[A-Za-z\d]", count) or len(sides) < 2:
            continue
        verdict = _compared(rate, count, part)
        if verdict in ("tighter", "incomparable"):
            found.append(f"CHECK: {count} is not {rate}: the bound does not follow from it")
    return found


def _compared(rate: str, count: str, part: Growth) -> str:
    """The verdict on a rate where a count is the truth; empty where either cannot be read."""
    try:
        return judge_text(rate, part, Key(f"O({count})")).verdict
    except (AnswerError, CourseError):
        return ""


# ---------------------------------------------------------------- the equations


def _unlike_equations(rate: str, part: Growth, lines: Sequence[str]) -> list[str]:
    """Nothing, where some run of the equations takes what is said in some way of counting."""
    steps = steps_of(lines)
    axes = {axis for each in steps for axis in each.runs}
    if not steps or len(steps) > MOST_EQUATIONS or not set(part.variables) <= axes:
        return []
    asks_size = _ASKS_SIZE.search(part.ask) and not _ASKS_WORK.search(part.ask)
    asked = {*part.variables, *re.findall("[A-Z]", " ".join(part.assumptions))}
    candidates = {
        count(run[i:j], kept)
        for run in (steps, steps_of(lines, by_term=False))
        for i in range(len(run))
        for j in range(i + 1, len(run) + 1)
        for kept in (axes, asked)
        for count in ((_size,) if asks_size else (_serial, _parallel, _mixed))
    }
    every = Growth(part.name, 1, "", sorted(axes | asked), assumptions=part.assumptions)
    if any(_compared(rate, candidate, every) == "equivalent" for candidate in sorted(candidates)):
        return []
    if asks_size:
        return [f"CHECK: the equations before it hold O({_size(steps, axes)}) numbers; {rate} is not that"]
    serial, parallel = _serial(steps, axes), _parallel(steps, axes)
    return [
        f"CHECK: the equations before it take O({serial}) steps one after another and O({parallel}) in "
        f"parallel; {rate} is neither, nor what some of them take"
    ]


def _serial(run: Sequence[EquationCost], kept: set[str]) -> str:
    return _sum(_product([axis for axis in each.runs if axis in kept]) for each in run)


def _parallel(run: Sequence[EquationCost], kept: set[str]) -> str:
    """Every sum as a tree."""
    return _sum(f"ln {axis}" for each in run for axis in each.reduced if axis in kept)


def _mixed(run: Sequence[EquationCost], kept: set[str]) -> str:
    """Inner products one after another, all else as trees."""
    terms = [axis for each in run for axis in each.inner if axis in kept]
    trees = [f"ln {axis}" for each in run for axis in each.reduced if axis in kept and axis not in each.inner]
    return _sum([*terms, *trees])


def _size(run: Sequence[EquationCost], kept: set[str]) -> str:
    """What the results hold."""
    return _sum(_product([axis for axis in each.holds if axis in kept]) for each in run)


def _product(axes: Sequence[str]) -> str:
    return "*".join(axes) or "1"


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(dict.fromkeys(terms)) or "1"
