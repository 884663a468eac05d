"""A program is run on every case, and its expressions noted: kind, shape and the names of the axes."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from autograder.calls.expected import Planned
from autograder.calls.inputs import as_given, revive
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Program


@dataclass(frozen=True)
class Seen:
    """What one expression was in one case; a number keeps its value."""

    kind: str  # tensor, number, list, other
    shape: tuple[int, ...] = ()
    floating: bool = False
    value: Any = None


@dataclass(frozen=True)
class Observed:
    """Every expression of a program in every case that could be run."""

    sizes: tuple[Mapping[str, int], ...]  # of each case
    seen: Mapping[int, tuple[Seen | None, ...]]  # node to what it was in each case
    parameters: Mapping[str, tuple[Seen | None, ...]] = field(default_factory=dict)

    def kind(self, number: int) -> str:
        """The kind that an expression has in every case it was met in, or nothing."""
        return _kind(self.seen.get(number, ()))

    def shapes(self, number: int) -> list[tuple[int, ...]]:
        return [each.shape for each in self.seen.get(number, ()) if each is not None]

    def rank(self, number: int) -> int | None:
        """How many axes a tensor has, where it is the same in all cases."""
        if self.kind(number) != "tensor":
            return None
        ranks = {len(shape) for shape in self.shapes(number)}
        return ranks.pop() if len(ranks) == 1 else None

    def floating(self, number: int) -> bool:
        found = [each for each in self.seen.get(number, ()) if each is not None]
        return bool(found) and all(each.kind == "tensor" and each.floating for each in found)

    def value(self, number: int) -> object:
        """A number's value, where it is one in all cases."""
        values = {each.value for each in self.seen.get(number, ()) if each is not None}
        return values.pop() if len(values) == 1 else None

    def axes(self, number: int) -> tuple[str, ...]:
        """The names of a tensor's axes; empty names where no expression in the axes fits every case."""
        return self.names_of(self.seen.get(number, ()))

    def names_of(self, found: Sequence[Seen | None]) -> tuple[str, ...]:
        if not found:  # never met: in a branch that no case takes
            return ()
        met = [(s, sizes) for s, sizes in zip(found, self.sizes, strict=True) if s is not None]
        if not met or len({len(seen.shape) for seen, _ in met}) != 1:
            return ()
        return tuple(
            self._name([seen.shape[axis] for seen, _ in met], [sizes for _, sizes in met])
            for axis in range(len(met[0][0].shape))
        )

    def name_from_end(self, number: int, axis: int) -> str:
        """The name of the last axis (-1), or of one before it, however many there are; or nothing."""
        found = self.seen.get(number, ())
        met = [(s, sizes) for s, sizes in zip(found, self.sizes, strict=False) if s is not None]
        if axis >= 0 or not met or any(len(s.shape) < -axis for s, _ in met):
            return ""
        return self._name([s.shape[axis] for s, _ in met], [sizes for _, sizes in met])

    def name_of_number(self, number: int) -> str:
        """The expression in the axes that a whole number is in every case, or nothing."""
        found = self.seen.get(number, ())
        if not found:
            return ""
        met = [(s, sizes) for s, sizes in zip(found, self.sizes, strict=True) if s is not None]
        if not met or any(s.kind != "number" or s.value != s.value // 1 for s, _ in met):
            return ""
        return self._name([int(s.value) for s, _ in met], [sizes for _, sizes in met])

    def name_of_root(self, number: int) -> str:
        """The root of an expression in the axes that a number is in every case, or nothing."""
        found = self.seen.get(number, ())
        met = [(s, sizes) for s, sizes in zip(found, self.sizes, strict=False) if s is not None]
        if not met or any(s.kind != "number" or s.value <= 0 for s, _ in met):
            return ""
        squares = [round(s.value * s.value) for s, _ in met]
        if any(
            not math.isclose(s.value, math.sqrt(square)) for (s, _), square in zip(met, squares, strict=True)
        ):
            return ""
        name = self._name(squares, [sizes for _, sizes in met])
        return f"√{name}" if name.isalnum() else ""

    def _name(self, lengths: list[int], sizes: list[Mapping[str, int]]) -> str:
        # A length of one is kept from a sum or a mean: no axis has given it that length.
        for group in self._expressions[:1] if set(lengths) == {1} else self._expressions:
            fitting = [text for text, value in group if [value(each) for each in sizes] == lengths]
            if fitting:  # two expressions that fit alike are no name
                return fitting[0] if len(fitting) == 1 else ""
        return ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The axes that have a size in every case."""
        common = [name for name in self.sizes[0] if all(name in each for each in self.sizes)]
        return tuple(common)

    @cached_property
    def _expressions(self) -> list[list[tuple[str, Callable[[Mapping[str, int]], int]]]]:
        """What a length may be, the plainest kind first."""
        kinds: list[list[tuple[str, Callable[[Mapping[str, int]], int]]]] = [
            [(name, _Length(name)) for name in self.names],
            [(f"{a}·{b}", _Product((a, b))) for a, b in itertools.combinations(self.names, 2)],
            [(f"{a}·{b}·{c}", _Product((a, b, c))) for a, b, c in itertools.combinations(self.names, 3)],
        ]
        for text, times, over, more in (
            ("{}/2", 1, 2, 0),
            ("2·{}", 2, 1, 0),
            ("{} − 1", 1, 1, -1),
            ("{} + 1", 1, 1, 1),
        ):
            kinds.append([(text.format(name), _Length(name, times, over, more)) for name in self.names])
        return kinds


NO_LENGTH = -9


@dataclass(frozen=True)
class _Length:
    name: str
    times: int = 1
    over: int = 1
    more: int = 0

    def __call__(self, sizes: Mapping[str, int]) -> int:
        whole, rest = divmod(self.times * sizes[self.name], self.over)
        return NO_LENGTH if rest else whole + self.more


@dataclass(frozen=True)
class _Product:
    names: tuple[str, ...]

    def __call__(self, sizes: Mapping[str, int]) -> int:
        return math.prod(sizes[name] for name in self.names)


def whole_sizes(sizes: Mapping[str, object]) -> dict[str, int]:
    return {
        name: value
        for name, value in sizes.items()
        if isinstance(value, int) and not isinstance(value, bool) and name.isidentifier()
    }


def observe(program: Program, calls: Sequence[Planned]) -> Observed | None:
    """Run the program with every expression noted; None where it cannot be run."""
    notes: list[dict[int, Seen]] = []
    current: dict[int, Seen] = {}

    def see(number: int, value: object) -> object:
        if number not in current:
            current[number] = look(value)
        return value

    changes: dict[int, Make] = {
        node.number: _noting(node.number) for node in program.nodes if _can_be_noted(program, node.number)
    }
    namespace_program = Program(
        program.parameters,
        program.functions,
        program.nodes,
        {**program.namespace, "__see__": see},
        program.helpers,
        program.twins,
        program._numbers,
    )
    noted = namespace_program.changed(changes, {})
    for call in calls:
        current = {}
        try:
            with torch.no_grad():
                noted(*[revive(as_given(argument)) for argument in call.arguments])
        except Exception:
            return None
        notes.append(current)
    numbers = sorted(set().union(*notes))
    seen = {number: tuple(note.get(number) for note in notes) for number in numbers}
    arguments = {
        name: tuple(look(call.arguments[position]) for call in calls)
        for position, name in enumerate(program.parameters)
    }
    return Observed(tuple(whole_sizes(call.case.sizes) for call in calls), seen, arguments)


def look(value: object) -> Seen:
    if isinstance(value, Tensor):
        return Seen("tensor", tuple(value.shape), value.is_floating_point())
    if isinstance(value, bool | int | float):
        return Seen("number", value=value)
    return Seen("list" if isinstance(value, list | tuple) else "other")


def _kind(found: Sequence[Seen | None]) -> str:
    kinds = {each.kind for each in found if each is not None}
    return kinds.pop() if len(kinds) == 1 else ""


def _noting(number: int) -> Make:
    return lambda tree: new(f"__see__({number}, _0)", tree)


def _can_be_noted(program: Program, number: int) -> bool:
    node = program.nodes[number]
    tree = node.tree
    if not isinstance(tree, ast.expr) or isinstance(tree, ast.Slice | ast.Starred | ast.JoinedStr):
        return False
    if isinstance(getattr(tree, "ctx", None), ast.Store | ast.Del):
        return False
    if isinstance(tree, ast.Tuple) and any(isinstance(item, ast.Slice) for item in tree.elts):
        return False
    parent = program.nodes[node.parent].tree if node.parent is not None else None
    if isinstance(parent, ast.Call) and node.field == "func":
        return False
    # A module is no value: torch in torch.sum, torch.nn in torch.nn.functional.
    return not is_module(tree, program.namespace)


def is_module(tree: ast.AST, namespace: Mapping[str, object]) -> bool:
    match tree:
        case ast.Name(id=name):
            return type(namespace.get(name)).__name__ == "module"
        case ast.Attribute(value=value, attr=attr):
            if not is_module(value, namespace):
                return False
            return attr in ("nn", "functional", "linalg", "special", "fft")
    return False
