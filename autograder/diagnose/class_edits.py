"""A class of a reference with one method changed: which change gives what a student's class gave.

A method becomes a function of the attributes that it reads and of its arguments, so that the rules for
functions find its edits and word them; a class with the changed method then takes the steps of every case.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import linecache
import logging
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import FunctionType
from typing import Any

import torch
from torch import Tensor, nn

from autograder.calls.case_as_script import Cast, take
from autograder.calls.compare_values import Steps, compare_value, wanted
from autograder.calls.expected import Expected, Planned, plan_case
from autograder.calls.inputs import as_given
from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.model import Problem
from autograder.course.modules import Module, use_of
from autograder.diagnose.edit_runs import Changed, carry_out
from autograder.diagnose.edits.all import all_edits
from autograder.diagnose.edits.edit import Context, Edit
from autograder.diagnose.index_of_edits import clearness
from autograder.diagnose.observe import observe, whole_sizes
from autograder.diagnose.program import read_program
from autograder.diagnose.structural_mistakes import Suspect

MOST_EDITS = 1_500  # of all methods of a class
MOST_FITTING = 12
LEAST_NUMBERS = 3  # different wrong numbers that an edit must account for
NO_GRAD = "torch.no_grad()"  # the one decorator with which a method is still edited
ELSEWHERE = "another student"  # whose inputs tell two edits apart
_counter = itertools.count()
logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class ChangedClass:
    """The reference with an edit of one method."""

    edit: Edit
    made: Callable[..., object]
    sizes: dict[str, int]

    def take(self, call: Planned, cast: Cast = as_given) -> list[object] | None:
        """What the steps of a case give; None where they cannot be taken."""
        self.sizes.clear()
        self.sizes.update(whole_sizes(use_of(call.case).sizes))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return take(self.made, call.steps, cast, call.case.dtype)
        except Exception:  # most changes fit some cases only
            return None


@dataclass(frozen=True, eq=False)
class ClassFinder:
    """The edits of one class; nothing is computed before a wrong answer asks."""

    problem: Problem
    part: Module
    reference: type
    _given: dict[Planned, list[list[object] | None]] = field(default_factory=dict)

    def find(
        self, calls: Sequence[Planned], expected: Sequence[Expected], outcomes: Sequence[Outcome]
    ) -> Suspect | None:
        """The edit whose class gives in every case what the student's gave."""
        if not inspect.isclass(self.reference) or any(outcome.status != "ok" for outcome in outcomes):
            return None
        wrong = [p for p, (e, o) in enumerate(zip(expected, outcomes, strict=True)) if not _same_as(e, o)]
        seen = [p for p in wrong if not calls[p].case.hidden]
        visible = [p for p, call in enumerate(calls) if not call.case.hidden]
        if not wrong or not visible or _wrong_numbers(expected, outcomes, wrong) < LEAST_NUMBERS:
            return None
        first = (seen or visible)[0]
        near = [
            changed
            for changed, values in zip(self.changed, self._all_given(calls[first]), strict=True)
            if values is not None and agree(calls[first], values, outcomes[first].outputs)
        ]
        # Those that go wrong tell most edits apart.
        others = sorted((p for p in range(len(calls)) if p != first), key=lambda p: p not in wrong)
        fitting = [
            changed
            for changed in (near[:MOST_FITTING] if seen else near)
            if all(_explains(changed, calls[p], outcomes[p]) for p in others)
        ]
        if not fitting or any(self._differ(fitting[0], other) for other in fitting[1:]):
            return None  # none, or it stays open which
        edit = fitting[0].edit
        return Suspect(edit.id, edit.says, self.part.share or 0.0)

    @cached_property
    def changed(self) -> list[ChangedClass]:
        """The reference with each of its edits that the question has words for, the plainest first."""
        return self.changes(unnamed=False)

    def changes(self, *, unnamed: bool) -> list[ChangedClass]:
        """The reference with its edits; of what the question does not name where these are asked for, too."""
        names = _methods(self.reference)
        found = [each for name in names for each in self._changed_method(name, unnamed=unnamed)]
        return sorted(found, key=lambda each: clearness(each.edit))[:MOST_EDITS]

    def _all_given(self, call: Planned) -> list[list[object] | None]:
        """Of a visible case, which is the same for the whole class."""
        if call not in self._given:
            self._given[call] = [changed.take(call) for changed in self.changed]
        return self._given[call]

    def _differ(self, one: ChangedClass, other: ChangedClass) -> bool:
        """Whether two edits that fit an answer give something else on further inputs."""
        for call in self._further:
            a, b = one.take(call), other.take(call)
            if (a is None) != (b is None) or (a is not None and b is not None and not agree(call, a, b)):
                return True
        return False

    @cached_property
    def _further(self) -> list[Planned]:
        """The cases with other numbers."""
        hidden = [replace(case, hidden=True) for case in self.part.cases]
        return [plan_case(self.problem, self.part, c, "", ELSEWHERE, self.reference) for c in hidden]

    def _changed_method(self, name: str, *, unnamed: bool) -> Iterator[ChangedClass]:
        visible = [case for case in self.part.cases if not case.hidden] or list(self.part.cases)
        calls = [plan_case(self.problem, self.part, case, "", ELSEWHERE, self.reference) for case in visible]
        method = vars(self.reference)[name]
        met = [_first_call(self.reference, name, call) for call in calls]
        attributes = _attributes(method, [each for each in met if each is not None])
        function = _as_function(method, attributes)
        program = read_program(function) if function is not None else None
        told = [(call, each) for call, each in zip(calls, met, strict=True) if each is not None]
        if program is None or not told:
            return
        planned = [
            Planned(
                call.part,
                replace(call.case, sizes=use_of(call.case).sizes),
                (*(getattr(it, attribute) for attribute in attributes), it, *args),
            )
            for call, (it, *args) in told
        ]
        observed = observe(program, planned)
        if observed is None:
            return
        # What the question does not name is the reference's own: nobody is told of it.
        unknown = {*attributes} - self._named | {"self"}
        try:
            named = frozenset(attributes) & self._named
            edits = all_edits(Context(program, observed, (), named))
        except Exception as error:  # help that fails costs nobody a mark
            logger.error("the edits of %s.%s could not be found", self.part.name, name, exc_info=error)
            return
        for edit in edits:
            if not unnamed and unknown & {*re.findall(r"\w+", f"{edit.says} {edit.everywhere}")}:
                continue
            changed = carry_out(program, edit)
            if changed is not None:
                made = _with_method(self.reference, name, attributes, changed)
                yield ChangedClass(edit, made, changed.sizes)

    @cached_property
    def _named(self) -> set[str]:
        """The attributes that the question itself names."""
        return {*re.findall(r"\w+", f"{self.part.stub} {' '.join(self.part.loaded)}")}


def _methods(made: type) -> list[str]:
    """The methods that the class itself defines, but for those that need to know the class."""
    functions = {name: each for name, each in vars(made).items() if isinstance(each, FunctionType)}
    return [name for name, each in functions.items() if not inspect.unwrap(each).__closure__]


def _first_call(made: type, name: str, call: Planned) -> list[object] | None:
    """The object and the arguments with which a method is first called in a case, as they were then."""
    met: list[list[object]] = []
    method = vars(made)[name]

    def noting(self: object, *args: object, **named: object) -> object:
        if not met:
            bound = inspect.signature(method).bind(self, *args, **named)
            bound.apply_defaults()
            if not bound.kwargs:
                met.append(copy.deepcopy(list(bound.args)))
        return method(self, *args, **named)

    try:
        take(_subclass(made, name, noting), call.steps, as_given, call.case.dtype)
    except Exception:  # what cannot be copied is not edited
        return None
    return met[0] if met else None


def _attributes(method: FunctionType, met: Sequence[Sequence[object]]) -> tuple[str, ...]:
    """Attributes of the object that a method only reads, and that are tensors or numbers."""
    tree = _tree(method)
    if tree is None or not tree.args.args:
        return ()
    own = tree.args.args[0].arg
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == own
    ]
    stored = {node.attr for node in used if not isinstance(node.ctx, ast.Load)}
    read = dict.fromkeys(node.attr for node in used if node.attr not in stored | names)
    return tuple(name for name in read if met and all(_is_plain(it, name) for it, *_ in met))


def _is_plain(it: object, name: str) -> bool:
    return isinstance(getattr(it, name, None), Tensor | int | float | nn.Module)


def _tree(method: FunctionType) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    if not isinstance(tree, ast.FunctionDef) or {*map(ast.unparse, tree.decorator_list)} - {NO_GRAD}:
        return None
    many = tree.args.kwonlyargs or tree.args.vararg or tree.args.kwarg
    return None if many else tree


class _Reads(ast.NodeTransformer):
    """Reads of some attributes of an object become names."""

    def __init__(self, own: str, attributes: Sequence[str]) -> None:
        self._own, self._attributes = own, attributes

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        mine = isinstance(node.value, ast.Name) and node.value.id == self._own
        return ast.Name(node.attr, ast.Load()) if mine and node.attr in self._attributes else node


def _as_function(method: FunctionType, attributes: Sequence[str]) -> FunctionType | None:
    """The method as a function of these attributes, the object, and its arguments."""
    tree = _tree(method)
    if tree is None or not tree.args.args:
        return None
    tree = _Reads(tree.args.args[0].arg, attributes).visit(tree)
    tree.args.args = [*(ast.arg(name) for name in attributes), *tree.args.args]
    tree.args.defaults, tree.returns, tree.decorator_list = [], None, []
    text = ast.unparse(ast.fix_missing_locations(tree))
    place = f"<method {next(_counter)} of a reference>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    names: dict[str, Any] = {}
    # The author's own method, with its attributes as arguments.
    exec(compile(text, place, "exec", dont_inherit=True), names)
    return FunctionType(names[tree.name].__code__, inspect.unwrap(method).__globals__, tree.name)


def _with_method(made: type, name: str, attributes: Sequence[str], changed: Changed) -> type:
    original = vars(made)[name]
    signature = inspect.signature(original)

    def method(self: object, *args: object, **named: object) -> object:
        bound = signature.bind(self, *args, **named)
        bound.apply_defaults()
        return changed.function(*(getattr(self, each) for each in attributes), *bound.args)

    return _subclass(made, name, torch.no_grad()(method) if original.__closure__ else method)


def _subclass(made: type, name: str, method: Callable[..., object]) -> type:
    return type(made.__name__, (made,), {name: method})


# ---------------------------------------------------------------- values of steps


def _same_as(expected: Expected, outcome: Outcome) -> bool:
    assert expected.holds is not None
    return compare_value(list(outcome.outputs), expected.holds.value) is None


def _explains(changed: ChangedClass, call: Planned, outcome: Outcome) -> bool:
    values = changed.take(call)
    return values is not None and agree(call, values, outcome.outputs)


def agree(call: Planned, values: Sequence[object], got: Sequence[object]) -> bool:
    """Whether the steps that count gave the same, up to rounding."""
    if len(values) != len(got):
        return False
    mine = wanted(Steps(call.labels, call.shapes, tuple(values)), (), None)
    return compare_value(list(got), mine) is None


def _wrong_numbers(expected: Sequence[Expected], outcomes: Sequence[Outcome], wrong: Sequence[int]) -> int:
    """How many different numbers differ from those asked for; zero and one tell little."""
    found: set[str] = set()
    for position in wrong:
        holds = expected[position].holds
        assert holds is not None
        steps = holds.steps
        for label, want, got in zip(steps.labels, steps.values, outcomes[position].outputs, strict=False):
            if label and compare_value(got, want) is not None:
                found |= {f"{n:.4g}" for n in _numbers(got) if n not in (0, 1, -1) and n == n}
    return len(found)


def _numbers(value: object) -> list[float]:
    match value:
        case Tensor():
            return [] if value.is_complex() else value.detach().double().flatten()[:64].tolist()
        case bool() | str() | bytes() | None:
            return []
        case int() | float():
            return [float(value)]
        case Mapping():
            return [number for each in value.values() for number in _numbers(each)]
        case list() | tuple():
            return [number for each in value for number in _numbers(each)]
    return []
