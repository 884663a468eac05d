"""A line of Python with places _0, _1, … and the trees to put there become a tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import cast


@lru_cache(maxsize=4096)
def _expression(text: str) -> ast.expr:
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.keyword):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0
    return tree


def new(text: str, *trees: object) -> ast.expr:
    """The expression with each place _n taken by the n-th tree."""
    return cast(ast.expr, _filled(_expression(text), trees))


def _filled(tree: object, trees: tuple[object, ...]) -> object:
    """The template itself where no place is in it."""
    if isinstance(tree, ast.Name) and tree.id[0] == "_" and tree.id[1:].isdigit():
        taken = trees[int(tree.id[1:])]
        return placed(taken) if isinstance(taken, ast.AST) else taken
    if not isinstance(tree, ast.AST):
        return tree
    filled: dict[str, object] = {}
    for name in tree._fields:
        value = getattr(tree, name)
        if isinstance(value, list):
            items = [_filled(item, trees) for item in value]
            if any(a is not b for a, b in zip(items, value, strict=True)):
                filled[name] = items
        elif (inner := _filled(value, trees)) is not value:
            filled[name] = inner
    if not filled:
        return tree
    made = type(tree).__new__(type(tree))
    made.__dict__.update(tree.__dict__)
    made.__dict__.update(filled)
    return made


def placed(tree: ast.AST) -> ast.AST:
    """Give a place in the text to the nodes that a change has made; the others have theirs."""
    if isinstance(tree, ast.expr | ast.stmt | ast.keyword):
        if hasattr(tree, "lineno"):
            return tree
        tree.lineno = tree.end_lineno = 1
        tree.col_offset = tree.end_col_offset = 0
    for child in ast.iter_child_nodes(tree):
        placed(child)
    return tree


def wrapped(text: str) -> Callable[[object], ast.expr]:
    """What puts an expression into the place _0 of a line."""
    return lambda tree: new(text, tree)


def constant(value: object) -> Callable[[object], ast.Constant]:
    """What puts a literal in the place of an expression."""
    return lambda tree: ast.Constant(value)  # type: ignore[arg-type]


def nothing() -> ast.Module:
    """In the place of a statement: no statement."""
    return ast.Module(body=[ast.Pass()], type_ignores=[])


def several(*statements: ast.stmt) -> ast.Module:
    """In the place of a statement: several."""
    return ast.Module(body=list(statements), type_ignores=[])
