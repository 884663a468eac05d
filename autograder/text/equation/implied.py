"""What an equation leaves unsaid, written out: definitions put in, axes left out, einsum as a sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import count, zip_longest

from autograder.text.equation.chosen_sizes import Setting
from autograder.text.equation.faults import TooMuch, TypeFault, shown
from autograder.text.equation.tree import (
    Array,
    Binder,
    Call,
    Einsum,
    Expr,
    Line,
    Lookup,
    Place,
    Product,
    Softmax,
    Spread,
    Sum,
    Variable,
    Whole,
    rebuild,
    walk,
)

MOST_NODES = 3_000  # of a right side with every definition put in
MOST_OPERANDS = 8


def rename(expr: Expr, names: Mapping[str, Expr]) -> Expr:
    """The expression with open indices replaced; those that are bound inside keep their meaning."""
    if isinstance(expr, Variable):
        return names.get(expr.name, expr)
    if isinstance(expr, Sum):
        names = {name: index for name, index in names.items() if name not in {b.name for b in expr.binders}}
    if isinstance(expr, Softmax):
        expr = replace(expr, over=tuple(_name(names.get(name), name) for name in expr.over))
    if isinstance(expr, Spread):
        expr = replace(expr, index=_name(names.get(expr.index), expr.index))
    changed: Expr = rebuild(expr, lambda child: rename(child, names))
    return changed


def _name(index: Expr | None, otherwise: str) -> str:
    return index.name if isinstance(index, Variable) else otherwise


class DefinitionsPutIn:
    """Puts the answer's own definitions and the functions of a part where they are used."""

    def __init__(self, setting: Setting) -> None:
        self.own = setting.own
        self.functions = setting.vocabulary.functions
        self.nodes = 0
        self.rows = setting.rows
        self.numbers = count(1)

    def put_in(self, expr: Expr, within: tuple[str, ...] = ()) -> Expr:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooMuch("the definitions make the equation far too long: write it shorter")
        expr = rebuild(expr, lambda child: self.put_in(child, within))
        if isinstance(expr, Lookup) and expr.tensor in self.own:
            return self._defined(expr, self.own[expr.tensor], within)
        if isinstance(expr, Call):
            return self._called(expr, within)
        return expr

    def _defined(self, use: Lookup, line: Line, within: tuple[str, ...]) -> Expr:
        name = use.tensor
        if name in within:
            raise TypeFault(f"{name} is defined by itself: define it by the given tensors", line.place)
        names = plain_indices(line.left)
        given, left_out = self._completed(use, len(names))
        body = self.put_in(line.rights[-1], (*within, name))
        inside = {node.name for node in walk(body) if isinstance(node, Variable)}
        inside |= {node.index for node in walk(body) if isinstance(node, Spread)}
        for missing in (index for index in names if index not in inside):
            raise only_left(line.left, missing)
        body = rename(body, dict(zip(names, given, strict=False)))
        if left_out:
            return Array(left_out, body, row=self.rows and len(left_out) == 1)
        for index in given[len(names) :]:
            if not isinstance(index, Variable):
                raise TypeFault(f"an entry of {name} needs plain indices, such as {name}[i,j]", use.place)
            body = Spread(index.name, body, use.place)
        return body

    def _completed(self, use: Lookup, wanted: int) -> tuple[tuple[Expr, ...], tuple[str, ...]]:
        """The indices of a use, with names for those it leaves out: V A and A[:,j], where A_ij is defined."""
        missing = [Whole()] * (wanted - len(use.indices))
        given: list[Expr] = [*use.indices, *missing]
        left_out: list[str] = []
        for at, index in enumerate(given):
            if isinstance(index, Whole) and at < wanted:
                left_out.append(f"·own{next(self.numbers)}")
                given[at] = Variable(left_out[-1], use.place)
        if left_out and len(given) > wanted:
            raise TypeFault(
                f"{use.tensor} is defined with {wanted} indices, found {len(use.indices)}", use.place
            )
        return tuple(given), tuple(left_out)

    def _called(self, call: Call, within: tuple[str, ...]) -> Expr:
        function = self.functions.get(call.function)
        if function is None or function.tree is None:
            return call
        if call.function in within:
            raise TypeFault(
                f"{function.name} is defined by itself: define it by the given tensors", call.place
            )
        wanted = len(function.arguments)
        if len(call.arguments) != wanted:
            words = "one argument" if wanted == 1 else f"{wanted} arguments"
            raise TypeFault(f"{function.name} takes {words}, found {len(call.arguments)}", call.place)
        values = dict(zip(function.arguments, call.arguments, strict=True))
        return self.put_in(_substituted(function.tree, values), (*within, call.function))


def plain_indices(left: Lookup) -> list[str]:
    return [index.name for index in left.indices if isinstance(index, Variable)]


def only_left(left: Lookup, name: str) -> TypeFault:
    return TypeFault(
        f"index {name} stands on the left side of {left.tensor} only: use it on the right or drop it",
        left.place,
        name,
    )


def _substituted(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    if isinstance(expr, Lookup) and expr.tensor in values and not expr.indices:
        return values[expr.tensor]
    changed: Expr = rebuild(expr, lambda child: _substituted(child, values))
    return changed


class Axes:
    """Names every axis that is left out, so that each tensor has all its indices."""

    def __init__(self, setting: Setting, left: Lookup) -> None:
        self.setting = setting
        declared = setting.vocabulary.tensors.get(left.tensor)
        whole = declared is not None and len(declared.axes) == len(left.indices)
        axes = zip_longest(left.indices, declared.axes if declared and whole else (), fillvalue="")
        self.places = {index.name: str(axis) for index, axis in axes if isinstance(index, Variable)}
        self.numbers = count(1)

    def name_all(self, expr: Expr) -> Expr:
        if isinstance(expr, Einsum):
            return self._einsum(expr)
        if not isinstance(expr, Lookup):
            changed: Expr = rebuild(expr, self.name_all)
            return changed
        left_out, filled = self._filled(expr)
        if not left_out:
            return filled
        return Array(left_out, filled, row=self.setting.rows and len(left_out) == 1)

    def _filled(self, expr: Lookup) -> tuple[tuple[str, ...], Lookup]:
        """The tensor with all its indices, and the names of those it lacked."""
        declared = self.setting.vocabulary.tensors.get(expr.tensor)
        if declared is None:
            return (), expr
        if len(expr.indices) > len(declared.axes):
            raise wrong_count(expr, declared.axes)
        if len(expr.indices) < len(declared.axes):
            _check_places(expr, declared.axes, self.places)
        left_out: list[str] = []
        indices: list[Expr] = []
        missing = [Whole()] * (len(declared.axes) - len(expr.indices))
        for index in (*expr.indices, *missing):
            if isinstance(index, Whole):
                left_out.append(f"·{next(self.numbers)}")
                index = Variable(left_out[-1], expr.place)
            elif isinstance(index, Lookup):
                inner, index = self._filled(index)
                left_out += inner
            indices.append(index)
        return tuple(left_out), replace(expr, indices=tuple(indices))

    def _einsum(self, expr: Einsum) -> Expr:
        """`einsum('kia,kib->kab', A, B)` is the sum over i of A[k,i,a] B[k,i,b], with axes k, a, b."""
        inputs, arrow, output = expr.pattern.partition("->")
        patterns = inputs.split(",")
        if len(patterns) != len(expr.operands) or len(patterns) > MOST_OPERANDS:
            raise TypeFault(
                f"einsum names the indices of {len(patterns)} tensors, found {len(expr.operands)}", expr.place
            )
        letters = sorted(set("".join(patterns)))
        if not arrow:
            output = "".join(letter for letter in letters if inputs.count(letter) == 1)
        if len(set(output)) < len(output) or not set(output) <= set(letters):
            raise TypeFault(f"'{expr.pattern}' gives an index twice or from nowhere", expr.place)
        names = {letter: f"{letter}@e{next(self.numbers)}" for letter in letters}
        factors = [
            self._entries(operand, [names[letter] for letter in pattern], expr.place)
            for operand, pattern in zip(expr.operands, patterns, strict=True)
        ]
        body: Expr = factors[0] if len(factors) == 1 else Product(tuple(factors), expr.place)
        summed = [letter for letter in letters if letter not in output]
        if summed:
            body = Sum(tuple(Binder(names[letter]) for letter in summed), body, expr.place)
        return Array(tuple(names[letter] for letter in output), body) if output else body

    def _entries(self, operand: Expr, names: list[str], place: Place) -> Expr:
        """One entry of an operand, by the names of its axes."""
        body = self.name_all(operand)
        if isinstance(body, Array):
            if len(body.indices) != len(names):
                raise TypeFault(
                    f"einsum names {len(names)} axes of a tensor that has {len(body.indices)}", place
                )
            found: dict[str, Expr] = {
                old: Variable(new) for old, new in zip(body.indices, names, strict=True)
            }
            return rename(body.body, found)
        for name in names:
            body = Spread(name, body, place)
        return body


def _check_places(expr: Lookup, axes: tuple[str, ...], places: Mapping[str, str]) -> None:
    """Where indices are left out, t stands for the axis T, and not for the one before it.

    `places` are the axes of the left side's indices, where it has all: j may be a T there, and is one here.
    """
    for index, axis in zip(expr.indices, axes, strict=False):
        if isinstance(index, Lookup):
            continue  # a word such as w[b,t] has indices of its own
        for node in (node for node in walk(index) if isinstance(node, Variable) and node.name in places):
            letter = node.name[0].upper()
            if letter != axis[0] and letter in axes and places[node.name] != axis:
                raise TypeFault(
                    f"{shown(expr.tensor)} has the indices [{','.join(axes)}], and {node.name} stands where "
                    f"{axis} belongs: write them in their order, and leave out the last ones only",
                    expr.place, node.name,
                )  # fmt: skip


def wrong_count(expr: Lookup, axes: tuple[str, ...]) -> TypeFault:
    number = "1 index" if len(axes) == 1 else f"{len(axes)} indices"
    return TypeFault(
        f"{expr.tensor.replace('*', 'h')} has {number} [{','.join(axes)}], found {len(expr.indices)}",
        expr.place,
    )
