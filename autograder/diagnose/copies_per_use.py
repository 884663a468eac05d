"""A value that is read several times gets a copy for each use, so that a slip may lie in one of them."""

from __future__ import annotations

import ast
import copy

MOST_READS = 3
MOST_NODES = 24  # of the expression that is copied
MOST_ADDED = 80  # nodes that a function may grow by
LONG = 100  # nodes of a function that has edits enough without


def share_out(tree: ast.FunctionDef) -> None:
    """Put a copy of its value into the place of every use of a name, where that changes nothing."""
    added = 0
    if sum(isinstance(node, ast.expr) for node in ast.walk(tree)) > LONG:
        return
    for statement in list(tree.body):
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or not _may_be_copied(tree, target.id, statement.value):
            continue
        reads = [node for node in ast.walk(tree) if _reads(node, target.id)]
        size = sum(isinstance(node, ast.expr) for node in ast.walk(statement.value))
        if not 2 <= len(reads) <= MOST_READS or size > MOST_NODES or added + size > MOST_ADDED:
            continue
        added += size * (len(reads) - 1)
        statement.value.twin = target.id  # type: ignore[attr-defined]
        _Copies(target.id, statement.value).visit(tree)
        tree.body.remove(statement)


def twin_of(tree: ast.AST) -> str:
    """The name that a copy stands for, or nothing."""
    name: str = getattr(tree, "twin", "")
    return name


class _Copies(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name = name
        self.value = value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.value) if _reads(node, self.name) else node


def _reads(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _may_be_copied(tree: ast.FunctionDef, name: str, value: ast.expr) -> bool:
    """A value of some length, and nothing that it is made from, nor itself, is bound or changed again."""
    if isinstance(value, ast.Name | ast.Constant | ast.Attribute | ast.Tuple | ast.List):
        return False
    if any(isinstance(n, ast.Lambda | ast.comprehension | ast.NamedExpr) for n in ast.walk(value)):
        return False
    made_from = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
    return _bound(tree, name) == 1 and all(_bound(tree, other) <= 1 for other in made_from)


def _bound(tree: ast.FunctionDef, name: str) -> int:
    """How often a name is bound, or what it stands for changed in place; an argument is bound already."""
    arguments = {a.arg for a in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)}
    count = int(name in arguments)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store | ast.Del):
            count += 1
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and _stands_on(node, name):
            count += 2
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr[-1] == "_":
            count += 2 * _stands_on(node.func, name)
    return count


def _stands_on(tree: ast.expr, name: str) -> bool:
    while isinstance(tree, ast.Subscript | ast.Attribute):
        tree = tree.value
    return isinstance(tree, ast.Name) and tree.id == name
