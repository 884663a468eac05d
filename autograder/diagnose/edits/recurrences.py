"""Slips in what goes on from step to step: taken in each step for once at the end, added up for multiplied, new for old."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Rank
from autograder.diagnose.line_template import new, wrapped
from autograder.diagnose.program import Make, Node


def recurrence_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        if isinstance(node.tree, ast.For):
            for name, update in _updates(node.tree):
                yield from _in_every_step(context, node, name, update)
                yield from _added_up(context, node, name, update)
    yield from _new_for_old(context)
    yield from _indices_exchanged(context)


def _updates(loop: ast.For) -> Iterator[tuple[str, ast.Assign]]:
    """The statements of a loop that bind a name anew from what it was."""
    for statement in ast.walk(loop):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and _reads(statement.value, target.id):
                yield target.id, statement


def _reads(tree: ast.AST, name: str) -> bool:
    return any(_is_read(node, name) for node in ast.walk(tree))


def _is_read(tree: ast.AST, name: str) -> bool:
    return isinstance(tree, ast.Name) and tree.id == name and isinstance(tree.ctx, ast.Load)


def _in_every_step(context: Context, loop: Node, name: str, update: ast.Assign) -> Iterator[Edit]:
    """What is applied to the last state is applied to every state on the way."""
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if operation is None or operation.operand is None or node.function != loop.function:
            continue
        if loop.number <= node.number < loop.end or not _only_of(operation.operand, name):
            continue
        what, number = operation.name.replace("_", "-"), context.number(update.value)
        inside = _inside(name, node.tree)
        says = f"the {what} is taken in every step, not once at the end"
        only_there: dict[int, Make] = {number: inside, node.number: _just(name)}
        yield Edit(f"{operation.name}_in_every_step", says, Rank.SCOPE, only_there)
        yield Edit(
            f"{operation.name}_in_every_step",
            f"the {what} is taken in every step, and not only at the end",
            Rank.SCOPE + 1,
            {number: inside},
        )


def _only_of(tree: ast.expr, name: str) -> bool:
    """Whether an expression is made of one name and constants."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names == {name} and not any(isinstance(node, ast.Subscript) for node in ast.walk(tree))


def _inside(name: str, whole: ast.AST) -> Make:
    """The expression of the last state, with the new state of the step in its place."""

    def make(value: ast.expr) -> ast.AST:
        return _put(whole, name, value)

    return make


def _put(tree: ast.AST, name: str, value: ast.expr) -> ast.AST:
    if isinstance(tree, ast.Name) and tree.id == name:
        return value
    fields: dict[str, object] = {}
    for field, inner in ast.iter_fields(tree):
        fields[field] = (
            [_put(i, name, value) for i in inner] if isinstance(inner, list) else _put(inner, name, value)
        )
    return type(tree)(**fields)


def _just(name: str) -> Make:
    return lambda tree: ast.Name(name, ast.Load())


def _added_up(context: Context, loop: Node, name: str, update: ast.Assign) -> Iterator[Edit]:
    """The factors of all steps are added up from zero, where they should be multiplied."""
    tree: object = update.value
    if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.MatMult | ast.Mult):
        return
    sides = [side for side in ("left", "right") if _is_read(getattr(tree, side), name)]
    starts = [
        node
        for node in context.program.nodes
        if node.function == loop.function
        and node.number < loop.number
        and isinstance(node.tree, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == name for t in node.tree.targets)
    ]
    if len(sides) != 1 or not starts:
        return
    start = starts[-1].tree_as(ast.Assign)
    for sign, word in (("+", "added up"), ("-", "subtracted")):
        yield Edit(
            "sum_of_steps",
            f"what the steps bring is {word}, not multiplied",
            Rank.OTHER,
            {
                context.number(tree): lambda n, sign=sign: new(f"_0 {sign} _1", *_kept_first(n, sides[0])),  # type: ignore[misc]
                context.number(start.value): wrapped("_0 * 0"),
            },
        )


def _kept_first(tree: ast.BinOp, side: str) -> tuple[ast.expr, ast.expr]:
    return (tree.left, tree.right) if side == "left" else (tree.right, tree.left)


def _new_for_old(context: Context) -> Iterator[Edit]:
    """What the function returns is used where the argument that it follows belongs: the new state for the old."""
    program, observed = context.program, context.observed
    if any(
        node.function == 0
        and isinstance(node.tree, ast.Name)
        and isinstance(node.tree.ctx, ast.Store)
        and node.tree.id in program.parameters
        for node in program.nodes
    ):
        return
    call = f"__right__({', '.join(program.parameters)})"
    for name, seen in observed.parameters.items():
        shapes = [s.shape for s in seen if s is not None and s.kind == "tensor" and s.floating]
        if not shapes or len(shapes) != len(seen):
            continue
        for place, text in _results(context, shapes):
            reads = [
                node.number for node in program.nodes if node.function == 0 and _is_read(node.tree, name)
            ]
            for number in reads:
                yield Edit(
                    "new_for_old",
                    f"the new value, {context.phrases.result_name(place)}, is used in one place where {name} belongs",
                    Rank.OTHER,
                    {number: _text(f"{call}{text}")},
                )


def _results(context: Context, shapes: list[tuple[int, ...]]) -> Iterator[tuple[int, str]]:
    """Which of the results have these shapes in all cases, and how to get them."""
    returns = [
        node.tree.value
        for node in context.program.nodes
        if node.function == 0 and isinstance(node.tree, ast.Return) and node.tree.value is not None
    ]
    if len(returns) != 1:
        return
    value = returns[0]
    if not isinstance(value, ast.Tuple):
        return
    for place, item in enumerate(value.elts):
        if context.known(item) and context.observed.shapes(context.number(item)) == shapes:
            yield place, f"[{place}]"


def _text(text: str) -> Make:
    return lambda tree: new(text)


def _indices_exchanged(context: Context) -> Iterator[Edit]:
    """x[t − 1] and y[t + 1] become x[t + 1] and y[t − 1]."""
    found: list[tuple[Node, str]] = []
    for node in context.program.nodes:
        tree: object = node.tree
        if (
            isinstance(tree, ast.Subscript)
            and isinstance(tree.slice, ast.BinOp)
            and context.known(tree.slice)
            and context.observed.kind(context.number(tree.slice)) == "number"
        ):
            found.append((node, context.say(tree.value)))
    for position, (one, first) in enumerate(found):
        for two, second in found[position + 1 :]:
            a, b = one.tree.slice, two.tree.slice  # type: ignore[attr-defined]
            if one.function == two.function and first != second and ast.dump(a) != ast.dump(b):
                yield Edit(
                    "indices_exchanged",
                    f"{first} is read at the index that belongs to {second}, and the other way round",
                    Rank.EXCHANGED - 1,
                    {context.number(a): _same_tree(b), context.number(b): _same_tree(a)},
                )


def _same_tree(tree: ast.expr) -> Make:
    return lambda other: tree
