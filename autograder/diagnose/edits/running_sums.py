"""Sums over all positions that are shared by every position become running ones: a mask that nobody asked for, where
no table of pairs is ever made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Node

_KEPT = (("lower", "tril", "later"), ("upper", "triu", "earlier"))


def running_edits(context: Context) -> Iterator[Edit]:
    """q (k' v) and q (the sum of k), where q and k run along one axis."""
    for node in context.program.nodes:
        tree = node.tree
        if not isinstance(tree, ast.BinOp) or not isinstance(tree.op, ast.MatMult):
            continue
        right = _bound_to(context, node, tree.right)
        if not context.known(tree.left) or not context.known(right):
            continue
        axes = context.observed.axes(context.number(tree.left))
        where = axes[-2] if len(axes) > 1 else ""
        if where and isinstance(right, ast.BinOp) and isinstance(right.op, ast.MatMult):
            yield from _of_product(context, node, right, where)
        elif where:
            yield from _of_sum(context, node, right, where)


def _bound_to(context: Context, node: Node, tree: ast.expr) -> ast.expr:
    """What a name is bound to, where that is made from arguments alone."""
    if not isinstance(tree, ast.Name):
        return tree
    bound = [
        each.tree.value
        for each in context.program.nodes
        if each.function == node.function
        and isinstance(each.tree, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == tree.id for target in each.tree.targets)
    ]
    if len(bound) != 1:
        return tree
    stored = {
        each.tree.id
        for each in context.program.nodes
        if isinstance(each.tree, ast.Name) and isinstance(each.tree.ctx, ast.Store)
    }
    names = {each.id for each in ast.walk(bound[0]) if isinstance(each, ast.Name)}
    return tree if names & stored else bound[0]


def _of_product(context: Context, node: Node, right: ast.BinOp, where: str) -> Iterator[Edit]:
    if not all(context.known(side) for side in (right.left, right.right)):
        return
    keys, values = (context.observed.axes(context.number(side)) for side in (right.left, right.right))
    if keys[-1:] == (where,) and len(values) > 1 and values[-2] == where:
        for _, kept, hidden in _KEPT:
            text = f"__ops__.torch.{kept}(_0 @ _1) @ _2"
            yield _edit(context, node, where, hidden, _filled(text, right.left, right.right))


def _of_sum(context: Context, node: Node, right: ast.expr, where: str) -> Iterator[Edit]:
    operation = context.operation(right)
    if operation is None or operation.name != "sum" or operation.operand is None:
        return
    if not context.known(operation.operand):
        return
    keys = context.observed.axes(context.number(operation.operand))
    if len(keys) == 2 and keys[0] == where and context.observed.axes(context.number(right)) == keys[1:]:
        for _, kept, hidden in _KEPT:
            text = f"__ops__.torch.{kept}(_0 @ _1.mT).sum(-1)"
            yield _edit(context, node, where, hidden, _filled(text, operation.operand))


def _filled(text: str, *trees: ast.expr) -> Make:
    return lambda product: new(text, product.left, *trees)


def _edit(context: Context, node: Node, where: str, hidden: str, make: Make) -> Edit:
    thing = context.say(node.tree)
    return Edit(
        "extra_mask",
        f"{thing} is summed without the {hidden} positions along {where}, which nothing asks for",
        Rank.PUT_IN,
        only(node.number, make),
        ("running", where, hidden),
        f"a mask hides the {hidden} positions along {where}, which nothing asks for",
    )
