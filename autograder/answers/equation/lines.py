"""The statements of an answer become lines: each with its tree, or with the reason it cannot be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from autograder.answers.equation.closing import open_indices
from autograder.answers.equation.lexer import Token, Unreadable, check_brackets, read_tokens
from autograder.answers.equation.parser import Parser
from autograder.answers.equation.statements import MOST, Statement, read_statements
from autograder.answers.equation.tree import (
    Expr,
    Line,
    Lookup,
    Number,
    Place,
    Softmax,
    Total,
    Transpose,
    Variable,
    depth,
    rebuild,
    walk,
)
from autograder.answers.equation.vocabulary import Declared, Function, Vocabulary

DEEPEST = 80  # expressions inside one another
NO_EQUALS = "expected an equation with '=': begin with the tensor that the line defines"


@dataclass(frozen=True)
class ReadLine:
    """One equation of an answer. `line` is None where `fault` says why it cannot be read."""

    number: int
    defines: str
    line: Line | None = None
    fault: Unreadable | None = None


@dataclass(frozen=True)
class ReadAnswer:
    """All lines of an answer, and the vocabulary with the names they define."""

    lines: tuple[ReadLine, ...]
    vocabulary: Vocabulary


def read_answer(text: str, vocabulary: Vocabulary, lefts: Mapping[str, Lookup]) -> ReadAnswer:
    """Read every line. `lefts` are the left sides of the key; one alone may be left out by the answer."""
    statements = read_statements(text)
    if not statements:
        raise Unreadable("the answer is empty: write an equation", Place(1, 1))
    if len(statements) > MOST:
        raise Unreadable(f"the answer has more than {MOST} equations: write those asked for", Place(1, 1))
    heads: list[Lookup | Unreadable] = []
    for statement in statements:
        try:
            left, own = _read_left(statement, vocabulary, lefts)
        except Unreadable as fault:
            heads.append(fault)
            continue
        if own:
            vocabulary = _with_own(vocabulary, own)
        heads.append(left)
    lines = []
    for statement, head in zip(statements, heads, strict=True):
        if isinstance(head, Unreadable):
            lines.append(ReadLine(statement.number, f"line {statement.number}", fault=head))
        else:
            lines.append(_read_line(statement, head, vocabulary, lefts))
    return ReadAnswer(tuple(lines), vocabulary)


def _read_left(
    statement: Statement, vocabulary: Vocabulary, lefts: Mapping[str, Lookup]
) -> tuple[Lookup, Declared | None]:
    if statement.left is None:
        if len(lefts) == 1:
            return next(iter(lefts.values())), None
        raise Unreadable(NO_EQUALS, statement.first.place)
    check_brackets(list(statement.left))
    return Parser(statement.left, vocabulary, frozenset(vocabulary.fixed)).left()


def _is_turned(statement: Statement) -> bool:
    """`y_i^T = ...` defines y_i by the transpose of its right side."""
    left = statement.left or ()
    return len(left) > 2 and left[-2].kind == "^" and left[-1].text in ("top", "T")


def _with_own(vocabulary: Vocabulary, own: Declared) -> Vocabulary:
    known = vocabulary.spellings.get(own.name, ())
    spellings = {**vocabulary.spellings, own.name: (*known, own.name)}
    return replace(vocabulary, spellings=spellings, own={**vocabulary.own, own.name: own})


def _read_line(
    statement: Statement, left: Lookup, vocabulary: Vocabulary, lefts: Mapping[str, Lookup]
) -> ReadLine:
    scope = frozenset(vocabulary.fixed).union(*(open_indices(index) for index in left.indices))
    try:
        check_brackets(list(statement.tokens))
        rights = tuple(_read_right(right, statement, vocabulary, scope) for right in statement.rights)
    except Unreadable as fault:
        return ReadLine(statement.number, left.tensor, fault=fault)
    except RecursionError:
        deep = Unreadable("the line is nested too deep: simplify it", statement.first.place)
        return ReadLine(statement.number, left.tensor, fault=deep)
    if _is_turned(statement):
        rights = tuple(Transpose(right) for right in rights)
    if statement.left is None and any(_is_prose(right, vocabulary) for right in rights):
        words = Unreadable(NO_EQUALS, statement.first.place)
        return ReadLine(statement.number, left.tensor, fault=words)
    line = Line(left, rights, statement.first.place)
    return ReadLine(statement.number, left.tensor, _aligned(line, lefts.get(left.tensor), vocabulary))


def _is_prose(right: Expr, vocabulary: Vocabulary) -> bool:
    """A line without '=' that uses unknown names is no equation at all."""
    return any(isinstance(node, Lookup) and not vocabulary.declared(node.tensor) for node in walk(right))


def _read_right(
    tokens: tuple[Token, ...], statement: Statement, vocabulary: Vocabulary, scope: frozenset[str]
) -> Expr:
    if not tokens:
        raise Unreadable("nothing stands after '='", statement.first.place)
    right = Parser(tokens, vocabulary, scope).whole()
    if depth(right) > DEEPEST:
        raise Unreadable("the line is nested too deep: simplify it", statement.first.place)
    return right


def _aligned(line: Line, key: Lookup | None, vocabulary: Vocabulary) -> Line:
    """Rename the index that the part gives from outside: `h[s,J]` answers as well as `h[t,J]`."""
    if key is None or len(key.indices) != len(line.left.indices):
        return line
    names: dict[str, str] = {}
    for at, (want, got) in enumerate(zip(key.indices, line.left.indices, strict=True)):
        if isinstance(want, Variable) and want.name in vocabulary.fixed and (moved := _moved(line, at, want)):
            return moved
        if not isinstance(want, Variable) or not isinstance(got, Variable) or want.name == got.name:
            continue
        subscript, own = want.name.partition("_")[2], got.name.partition("_")[2]
        if want.name in vocabulary.fixed:
            names[got.name] = want.name
        elif subscript in vocabulary.fixed and own and own not in vocabulary.fixed:
            names[own] = subscript
    if not names:
        return line
    left, *rights = (rename(side, names) for side in (line.left, *line.rights))
    assert isinstance(left, Lookup)
    return Line(left, tuple(rights), line.place)


def _moved(line: Line, at: int, want: Variable) -> Line | None:
    """`h[t+1,J] = ...` says of every t what `h[t,J] = ...` says with t-1 for t on its right side."""
    match line.left.indices[at]:
        case Total((1, sign), (Variable(name), Number() as shift)):
            back = Total((1, -sign), (want, shift))
        case _:
            return None
    indices = (*line.left.indices[:at], want, *line.left.indices[at + 1 :])
    rights = tuple(_replaced(right, name, back) for right in line.rights)
    return Line(replace(line.left, indices=indices), rights, line.place)


def _replaced(expr: Expr, name: str, value: Expr) -> Expr:
    if isinstance(expr, Variable) and expr.name == name:
        return value
    changed: Expr = rebuild(expr, lambda child: _replaced(child, name, value))
    return changed


def rename(expr: Expr, names: Mapping[str, str]) -> Expr:
    """The expression with open indices renamed."""
    if isinstance(expr, Variable):
        return replace(expr, name=names.get(expr.name, expr.name))
    if isinstance(expr, Softmax):
        expr = replace(expr, over=tuple(names.get(name, name) for name in expr.over))
    changed: Expr = rebuild(expr, lambda child: rename(child, names))
    return changed


def read_definition(function: Function, vocabulary: Vocabulary) -> Expr:
    """The body of a function that the part itself defines."""
    own = Declared(function.argument, ())
    tokens = read_tokens(function.body)
    return Parser(tokens, _with_own(vocabulary, own), frozenset(vocabulary.fixed)).whole()
