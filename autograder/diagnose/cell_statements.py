"""A cell's source becomes the lines of its statements: where each begins, and how it reads on one line."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

MOST_SHOWN = 60  # characters of a line in a sentence
INNER = (ast.FunctionDef, ast.Lambda)


def statements(source: str) -> dict[int, int]:
    """For each line, the first line of the innermost statement on it; empty where it is no Python."""
    return _begins(_statements(source))


@lru_cache(maxsize=4)
def _parsed(source: str) -> ast.Module | None:
    """The tree of a cell, which nobody changes; None where it is no Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=64)
def _statements(source: str) -> tuple[ast.stmt, ...]:
    """All statements of a cell, the outer ones before those in them; none where it is no Python."""
    tree = _parsed(source)
    return tuple(_statements_in(tree)) if tree else ()


def _statements_in(node: ast.AST) -> Iterator[ast.stmt]:
    """Those inside a node: expressions, which hold none, are not looked into."""
    for _, value in ast.iter_fields(node):
        for each in value if isinstance(value, list) else ():
            if isinstance(each, ast.stmt):
                yield each
            if isinstance(each, ast.stmt | ast.excepthandler | ast.match_case):
                yield from _statements_in(each)


def _begins(nodes: Iterable[ast.stmt]) -> dict[int, int]:
    """For each line, the first line of the innermost statement on it; the nodes come from the outside in."""
    found: dict[int, int] = {}
    for node in nodes:
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
            found[line] = node.lineno
    return found


def statement_at(source: str, line: int) -> ast.stmt | None:
    """The innermost statement on a line."""
    found = [n for n in _statements(source) if n.lineno <= line <= (n.end_lineno or n.lineno)]
    return found[-1] if found else None


def returns_in_loop(source: str, name: str) -> tuple[int, str] | None:
    """The line of a return that ends a function in a loop's first round, whatever it gives; and the words."""
    tree = _parsed(source)
    if tree is None:
        return None
    for loop in (each for function in _defining(tree, name) for each in _statements_in(function)):
        endless = isinstance(loop, ast.While) and isinstance(loop.test, ast.Constant)
        if not isinstance(loop, ast.For | ast.While) or endless:
            continue
        left = any(isinstance(node, ast.Continue | ast.Break) for node in _statements_in(loop))
        line = next((each.lineno for each in loop.body if isinstance(each, ast.Return)), 0)
        if line and not left:
            where = f"stands inside the loop of line {loop.lineno}"
            return line, f"{quote_line(source, line)}, {where}: only its first round is run"
    return None


def _defining(tree: ast.Module, name: str) -> list[ast.FunctionDef]:
    """The last function of a name in a cell, or the methods of the last class."""
    own = [
        node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
    ]
    last = own[-1] if own else None
    if isinstance(last, ast.ClassDef):
        return [node for node in last.body if isinstance(node, ast.FunctionDef)]
    return [] if last is None else [last]


@dataclass(frozen=True)
class StatementLines:
    """Where the statements of a cell begin, which of them return, the lines of functions without a name, and
    the one return of its function (or 0).

    `names` are those of several results that it returns by their names alone: they are not worked out there.
    """

    begins: Mapping[int, int]
    returns: frozenset[int]
    ends: int
    lambdas: frozenset[int] = frozenset()
    names: frozenset[int] = frozenset()

    def start(self, line: int) -> int:
        return self.begins.get(line, line)


@lru_cache(maxsize=64)
def read_layout(source: str, name: str) -> StatementLines:
    """The layout of a cell that defines a function of that name."""
    tree, begins = _parsed(source), _begins(_statements(source))
    if tree is None or not begins:
        return StatementLines({}, frozenset(), 0)
    returned = [node for node in _statements(source) if isinstance(node, ast.Return)]
    returns = {node.lineno for node in returned}
    own = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    inner = [node for node in _walk(own[-1], source) if isinstance(node, INNER)] if own else []
    ends = [line for line in sorted(returns) if len(_around(inner, line)) == 1]
    lambdas = {node.body.lineno for node in _walk(tree, source) if isinstance(node, ast.Lambda)}
    end = ends[0] if len(ends) == 1 else 0
    names = [_names_in(node) for node in returned if node.lineno == end]
    return StatementLines(begins, frozenset(returns), end, frozenset(lambdas), frozenset().union(*names))


def _walk(node: ast.AST, source: str) -> Iterator[ast.AST]:
    """A node and all in it; the statements alone where there is no function without a name to be found."""
    return ast.walk(node) if "lambda" in source else itertools.chain([node], _statements_in(node))


def _names_in(node: ast.Return) -> frozenset[int]:
    """Which of several results are names."""
    each = node.value.elts if isinstance(node.value, ast.Tuple) else []
    return frozenset(number for number, result in enumerate(each) if isinstance(result, ast.Name))


def _around(
    functions: Sequence[ast.FunctionDef | ast.Lambda], line: int
) -> list[ast.FunctionDef | ast.Lambda]:
    """The functions that a line is in."""
    return [node for node in functions if node.lineno <= line <= (node.end_lineno or node.lineno)]


def from_first_line(source: str) -> str:
    """A cell as it is run: without the blank lines that it begins with."""
    lines = source.split("\n")
    while len(lines) > 1 and not lines[0].strip():
        del lines[0]
    return "\n".join(lines)


def read_line(source: str, line: int) -> str:
    """One line of a source, shortened."""
    text = source.split("\n")[line - 1].split("  #")[0].strip()
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN].rstrip()} …"


def quote_line(source: str, number: int) -> str:
    """A line in a sentence: its number and how it reads."""
    return f"line {number}, `{read_line(source, number)}`"
