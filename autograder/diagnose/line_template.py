"""A line of Python with places _0, _1, … and the trees to put there become a tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from typing import cast


@lru_cache(maxsize=4096)
def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def new(text: str, *trees: object) -> ast.expr:
    """The expression with each place _n taken by the n-th tree."""
    return cast(ast.expr, _filled(_expression(text), trees))


def _filled(tree: object, trees: tuple[object, ...]) -> object:
    if isinstance(tree, ast.Name) and tree.id[0] == "_" and tree.id[1:].isdigit():
        return trees[int(tree.id[1:])]
    if not isinstance(tree, ast.AST):
        return tree
    fields: dict[str, object] = {}
    for name, value in ast.iter_fields(tree):
        if isinstance(value, list):
            fields[name] = [_filled(item, trees) for item in value]
        else:
            fields[name] = _filled(value, trees)
    return type(tree)(**fields)


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
