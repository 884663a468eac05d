"""One small change of a program: its id, its sentence, how simple it is, and the nodes that it makes anew."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from autograder.diagnose.expression_words import Phrases, joined
from autograder.diagnose.observe import Observed, is_module
from autograder.diagnose.program import Make, Node, Program


class Rank(IntEnum):
    """Among edits that fit alike, the earlier family is told."""

    EXCHANGED = 10
    AXIS = 12
    LEFT_OUT = 14
    SIGN = 16
    INDEX = 18
    CONSTANT = 20
    STATEMENT = 21
    TRANSPOSED = 22
    OTHER = 24
    RESULT = 25
    PUT_IN = 26
    SCOPE = 28
    LAYOUT = 30
    REPLACED = 32
    RARE = 36


@dataclass(frozen=True)
class Edit:
    """A change of some nodes. Edits of one `idea` are also made all at once, told by `everywhere`."""

    id: str
    says: str
    rank: float
    changes: Mapping[int, Make]
    idea: Hashable = None
    everywhere: str = ""
    kind: str = ""  # of slip, in words


@dataclass(frozen=True, eq=False)
class Context:
    """A program, what its expressions were, and how to speak of them."""

    program: Program
    observed: Observed
    results: tuple[str, ...] = ()  # the names of what is returned
    named: frozenset[str] = frozenset()  # numbers that are called by their names

    @cached_property
    def phrases(self) -> Phrases:
        return Phrases(self.program, self.observed, self.results, self.named)

    def say(self, tree: ast.AST) -> str:
        return self.phrases.thing(tree)

    def axis(self, number: int, axis: int) -> str:
        """An axis of an expression in words: T, the second T, or axis 1 where no name fits."""
        return axis_word(self.observed.axes(number), axis)

    def where(self, edit: Edit) -> str:
        """What an edit touches, in words: where to look."""
        if 0 in edit.changes:
            names = [name for name in self.program.parameters if name in edit.says.split()]
            return joined(names) or "the arguments"
        node = self.program.nodes[min(edit.changes)]
        for each in (node, *self.program.above(node)):
            if isinstance(each.tree, ast.For | ast.While):
                return "the loop"
            if self.observed.kind(each.number) == "tensor":
                return self.say(each.tree)
        return "the result"

    def use(self, roots: Sequence[Node], otherwise: str) -> str:
        """Which of several uses of a value is meant: above or below the line, where there is one quotient."""
        for root in roots if self._has_one_quotient else ():
            for inner in (root, *self.program.above(root)):
                if _is_quotient(self.parent(inner)):
                    return f"{'below' if inner.field == 'right' else 'above'} the line of the quotient"
        return otherwise

    @cached_property
    def _has_one_quotient(self) -> bool:
        """Copies of one value count once."""
        return len({ast.dump(n.tree) for n in self.program.nodes if _is_quotient(n.tree)}) == 1

    def axis_of_argument(self, name: str, axis: int) -> str:
        return axis_word(self.observed.names_of(self.observed.parameters[name]), axis)

    def number(self, tree: ast.AST) -> int:
        return self.program.of(tree).number

    def is_module(self, tree: ast.AST) -> bool:
        return is_module(tree, self.program.namespace)

    def tensors(self) -> list[Node]:
        """The expressions that are tensors in every case."""
        return [node for node in self.program.nodes if self.observed.kind(node.number) == "tensor"]

    def parent(self, node: Node) -> ast.AST | None:
        return None if node.parent is None else self.program.nodes[node.parent].tree

    def known(self, tree: ast.AST) -> bool:
        return self.program.has(tree) and self.program.of(tree).number in self.observed.seen

    def operation(self, tree: ast.AST) -> Operation | None:
        """A call of a function of a module, or of a tensor's method, with its name and operand."""
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Attribute):
            return None
        if self.is_module(tree.func.value):
            operand = tree.args[0] if tree.args else None
            return Operation(tree.func.attr, operand, False)
        return Operation(tree.func.attr, tree.func.value, True)


@dataclass(frozen=True)
class Operation:
    """A call in either style: torch.sum(x, dim) or x.sum(dim)."""

    name: str
    operand: ast.expr | None
    method: bool

    def operand_of(self, call: ast.Call) -> ast.expr:
        """The operand of a copy of the call."""
        if not self.method:
            return call.args[0]
        assert isinstance(call.func, ast.Attribute)
        return call.func.value

    def position(self, place: int) -> int:
        """Where among call.args the place-th argument after the operand stands."""
        return place if self.method else place + 1

    def argument(self, call: ast.Call, place: int, *names: str) -> ast.expr | None:
        for keyword in call.keywords:
            if keyword.arg in names:
                return keyword.value
        position = self.position(place)
        return call.args[position] if position < len(call.args) else None

    def with_argument(self, call: ast.Call, place: int, names: tuple[str, ...], value: ast.expr) -> ast.Call:
        """A copy of the call with one argument another."""
        keywords = [ast.keyword(k.arg, value if k.arg in names else k.value) for k in call.keywords]
        args = list(call.args)
        position = self.position(place)
        if any(keyword.arg in names for keyword in call.keywords):
            pass
        elif position < len(args):
            args[position] = value
        else:
            keywords.append(ast.keyword(names[0], value))
        return ast.Call(func=call.func, args=args, keywords=keywords)


def _is_quotient(tree: ast.AST | None) -> bool:
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div)


def axis_word(axes: tuple[str, ...], axis: int) -> str:
    name = axes[axis] if -len(axes) <= axis < len(axes) else ""
    if not name:
        return f"axis {axis % len(axes) if axes else axis}"
    same = [position for position, other in enumerate(axes) if other == name]
    if len(same) == 1:
        return name
    ordinal = ("first", "second", "third", "fourth", "fifth")[same.index(axis % len(axes))]
    return f"the {ordinal} {name}"


def only(number: int, make: Make) -> dict[int, Make]:
    return {number: make}
