"""How far a function reaches: over one term only, over too much, over each term apart, or over what it is applied to."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import reduce

from autograder.diagnose.edits.edit import Context, Edit, Operation, Rank, only
from autograder.diagnose.expression_words import REDUCTIONS, VIEWS
from autograder.diagnose.expression_words import joined as listed
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Node


def scope_edits(context: Context) -> Iterator[Edit]:
    """A function of a sum taken of one term only, or of all where it was of one."""
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if (
            operation is not None
            and isinstance(operation.operand, ast.BinOp)
            and _is_unary(context, node.tree, operation.name)
        ):
            yield from _pushed_in(context, node, operation, operation.operand)
            yield from _within_chain(context, node, operation, operation.operand)
            yield from _before_factor(context, node, operation, operation.operand)
        if (
            operation is not None
            and operation.name not in REDUCTIONS  # sums of parts, multiplied: nobody's slip
            and _is_unary(context, node.tree, operation.name)
        ):
            yield from _each_apart(context, node, operation)
        if _is_given_function(context, node.tree):
            yield from _given_of_a_part(context, node)
        if isinstance(node.tree, ast.BinOp):
            yield from _pulled_out(context, node)


def _is_unary(context: Context, tree: ast.AST, name: str) -> bool:
    """Whether a call keeps the shape of its operand: an activation or a softmax."""
    operation = context.operation(tree)
    if operation is None or operation.operand is None or not context.known(operation.operand):
        return False
    inside, outside = context.number(operation.operand), context.number(tree)
    kinds = context.observed.kind(inside), context.observed.kind(outside)
    if kinds == ("number", "number"):
        return name in ("sqrt", "exp", "log")
    return kinds == ("tensor", "tensor") and name not in VIEWS


def _with_operand(call: ast.Call, method: bool, operand: ast.expr) -> ast.Call:
    if method:
        assert isinstance(call.func, ast.Attribute)
        func = ast.Attribute(value=operand, attr=call.func.attr, ctx=ast.Load())
        return ast.Call(func=func, args=call.args, keywords=call.keywords)
    return ast.Call(func=call.func, args=[operand, *call.args[1:]], keywords=call.keywords)


def _pushed_in(context: Context, node: Node, operation: Operation, inner: ast.BinOp) -> Iterator[Edit]:
    """f(a ∘ b) becomes f(a) ∘ b, a ∘ f(b), or f(a) ∘ f(b)."""
    a, b = context.say(inner.left), context.say(inner.right)
    what = operation.name.replace("_", "-")

    def make(sides: str) -> Make:
        def changed(call: ast.Call) -> ast.expr:
            binary = operation.operand_of(call)
            if not isinstance(binary, ast.BinOp):
                return call
            left = _with_operand(call, operation.method, binary.left) if "l" in sides else binary.left
            right = _with_operand(call, operation.method, binary.right) if "r" in sides else binary.right
            return ast.BinOp(left=left, op=binary.op, right=right)

        return changed

    for sides, says in (
        ("l", f"the {what} is taken of {a} alone, before {b} comes in"),
        ("r", f"the {what} is taken of {b} alone, before {a} comes in"),
        ("lr", f"the {what} is taken of {a} and of {b} apart, not of both together"),
    ):
        yield Edit(
            f"{operation.name}_of_a_part",
            says,
            Rank.SCOPE,
            only(node.number, make(sides)),
            ("pushed", operation.name, sides, b),
            f"{says}, everywhere",
        )


def _chain(tree: ast.expr) -> list[ast.expr]:
    """The factors of a product of matrices, in their order."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        return [*_chain(tree.left), *_chain(tree.right)]
    return [tree]


def _multiplied(factors: Sequence[ast.expr]) -> ast.expr:
    return reduce(lambda a, b: ast.BinOp(left=a, op=ast.MatMult(), right=b), factors)


def _within_chain(context: Context, node: Node, operation: Operation, product: ast.expr) -> Iterator[Edit]:
    """f(a @ b @ c) becomes a @ f(b @ c): taken before the first factors come in."""
    factors = _chain(product)
    what = operation.name.replace("_", "-")

    def make(place: int) -> Make:
        def changed(call: ast.Call) -> ast.expr:
            own = _chain(operation.operand_of(call))
            inner = _with_operand(call, operation.method, _multiplied(own[place:]))
            return _multiplied([*own[:place], inner])

        return changed

    for place in range(1, len(factors) - 1):
        late = listed(list(dict.fromkeys(context.say(factor) for factor in factors[:place])))
        yield Edit(
            f"{operation.name}_of_a_part",
            f"the {what} is taken before {late} comes in, not after",
            Rank.SCOPE,
            only(node.number, make(place)),
        )


def _before_factor(context: Context, node: Node, operation: Operation, inner: ast.BinOp) -> Iterator[Edit]:
    """f(a @ b + c) becomes a @ f(b + c), where that fits: taken before the first factors come in."""
    factors = _chain(inner.left)
    if not isinstance(inner.op, ast.Add | ast.Sub) or len(factors) < 2:
        return

    def make(place: int) -> Make:
        def changed(call: ast.Call) -> ast.expr:
            term = operation.operand_of(call)
            assert isinstance(term, ast.BinOp)
            own = _chain(term.left)
            within = ast.BinOp(left=_multiplied(own[place:]), op=term.op, right=term.right)
            return _multiplied([*own[:place], _with_operand(call, operation.method, within)])

        return changed

    for place in range(1, len(factors)):
        late = listed(list(dict.fromkeys(context.say(factor) for factor in factors[:place])))
        yield Edit(
            f"{operation.name}_of_a_part",
            f"the {operation.name.replace('_', '-')} is taken before the product with {late}, not after",
            Rank.SCOPE,
            only(node.number, make(place)),
        )


def _pulled_out(context: Context, node: Node) -> Iterator[Edit]:
    """f(a) ∘ b becomes f(a ∘ b)."""
    tree = node.tree_as(ast.BinOp)
    for side in ("left", "right"):
        call = getattr(tree, side)
        operation = context.operation(call)
        if operation is None or operation.operand is None or not _is_unary(context, call, operation.name):
            continue
        other = context.say(tree.right if side == "left" else tree.left)
        yield Edit(
            f"{operation.name}_of_too_much",
            f"the {operation.name.replace('_', '-')} is taken after {other} has come in, not before",
            Rank.SCOPE,
            only(node.number, _pull(side, operation)),
            ("pulled", operation.name, other),
            f"the {operation.name.replace('_', '-')} is taken after {other} has come in, not before, everywhere",
        )


def _pull(side: str, operation: Operation) -> Make:
    def make(binary: ast.BinOp) -> ast.AST:
        call = getattr(binary, side)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            return binary
        inner = operation.operand_of(call)
        left, right = (inner, binary.right) if side == "left" else (binary.left, inner)
        return _with_operand(call, operation.method, ast.BinOp(left=left, op=binary.op, right=right))

    return make


# ---------------------------------------------------------------- each term apart


def _each_apart(context: Context, node: Node, operation: Operation) -> Iterator[Edit]:
    """f(A (a + b)) becomes the mean, the sum or the product of f(A a) and f(A b)."""
    found = _sum_inside(operation.operand)
    if found is None:
        return
    path, inner = found
    a, b = context.say(inner.left), context.say(inner.right)
    what = operation.name.replace("_", "-")

    def make(text: str) -> Make:
        def changed(call: ast.Call) -> ast.expr:
            operand = operation.operand_of(call)
            sides = [
                _with_operand(call, operation.method, _rebuilt(operand, path, side))
                for side in ("left", "right")
            ]
            return new(text, *sides)

        return changed

    for joined, text in (("averaged", "(_0 + _1) / 2"), ("added", "_0 + _1"), ("multiplied", "_0 * _1")):
        yield Edit(
            f"{operation.name}_of_each",
            f"the {what} is taken with {a} alone and with {b} alone, and the two are {joined}",
            Rank.SCOPE + 1,
            only(node.number, make(text)),
        )


_Path = tuple[str, ...]


def _sum_inside(tree: object) -> tuple[_Path, ast.BinOp] | None:
    """The sum that an expression is linear in, with the way to it."""
    path: _Path = ()
    while True:
        match tree:
            case ast.BinOp(op=ast.Add()):
                return path, tree
            case ast.BinOp(op=ast.MatMult() | ast.Mult(), left=left, right=right):
                inner = _sum_inside(right)
                side, under = ("right", inner) if inner is not None else ("left", _sum_inside(left))
                return None if under is None else ((*path, side, *under[0]), under[1])
            case ast.BinOp(op=ast.Div(), left=left):
                path, tree = (*path, "left"), left
            case ast.Attribute(value=value, attr=attr) if attr in VIEWS:
                path, tree = (*path, "value"), value
            case _:
                return None


def _rebuilt(tree: ast.expr, path: _Path, side: str) -> ast.expr:
    """A copy with one side of the sum that lies at the end of a path in its place."""
    if not path:
        assert isinstance(tree, ast.BinOp)
        return tree.left if side == "left" else tree.right
    fields = dict(ast.iter_fields(tree))
    fields[path[0]] = _rebuilt(fields[path[0]], path[1:], side)
    return type(tree)(**fields)


# ---------------------------------------------------------------- a function that is an argument


def _is_given_function(context: Context, tree: object) -> bool:
    return (
        isinstance(tree, ast.Call)
        and isinstance(tree.func, ast.Name)
        and tree.func.id in context.program.parameters
        and len(tree.args) == 1
        and not tree.keywords
    )


def _given_of_a_part(context: Context, node: Node) -> Iterator[Edit]:
    """sigma(a ∘ b) becomes sigma(a) ∘ b, a ∘ sigma(b), or sigma(a) ∘ sigma(b)."""
    call = node.tree_as(ast.Call)
    inner = call.args[0]
    if not isinstance(inner, ast.BinOp) or not isinstance(call.func, ast.Name):
        return
    name, a, b = call.func.id, context.say(inner.left), context.say(inner.right)

    def make(left: bool, right: bool) -> Make:
        def changed(call: ast.Call) -> ast.AST:
            binary = call.args[0]
            if not isinstance(binary, ast.BinOp):
                return call
            one = new("_0(_1)", call.func, binary.left) if left else binary.left
            two = new("_0(_1)", call.func, binary.right) if right else binary.right
            return ast.BinOp(left=one, op=binary.op, right=two)

        return changed

    for left, right, says in (
        (True, False, f"{name} is applied before {b} comes in, not after"),
        (False, True, f"{name} is applied to {b} alone"),
        (True, True, f"{name} is applied to {a} and to {b} apart, not to both together"),
    ):
        yield Edit("function_of_a_part", says, Rank.SCOPE, only(node.number, make(left, right)))
