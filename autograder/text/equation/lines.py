"""Statements become lines, each with its tree or the reason it cannot be read; and which line needs which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from autograder.course.model import Equation
from autograder.text.equation.calls import MODULES, REDUCTIONS
from autograder.text.equation.cursor import END, Cursor, listed
from autograder.text.equation.declarations import (
    Declared,
    Function,
    Vocabulary,
    build_vocabulary,
    function_name,
)
from autograder.text.equation.implied import rename
from autograder.text.equation.lexer import Token, Unreadable, check_brackets, read_tokens
from autograder.text.equation.open_indices import open_indices
from autograder.text.equation.parser import Parser
from autograder.text.equation.split_sides import MOST, Statement, read_statements
from autograder.text.equation.tree import (
    Expr,
    Line,
    Lookup,
    Number,
    Place,
    Total,
    Transpose,
    Variable,
    depth,
    walk,
)
from autograder.text.symbols import GREEK

SOFTMAXES = ("softmax", "rowsoftmax", "colsoftmax")
DEEPEST = 80  # expressions inside one another
GREEK_NAMES = frozenset(GREEK.values())
_NAMED = ("_", "^", "[", "(", ".")  # what follows a name, and no word
SHORT_WORDS = ("of", "is", "to", "in", "by")
_SHIFTED = re.compile(r"\{([a-z])([+-])(\d{1,3})\}")
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


def vocabulary_of(part: Equation) -> Vocabulary:
    """The vocabulary of a part, with the functions that it defines read."""
    vocabulary = build_vocabulary(part)
    return _with_bodies(
        vocabulary, {name: read_tokens(f.body) for name, f in vocabulary.functions.items() if f.body}
    )


def read_answer(text: str, vocabulary: Vocabulary, lefts: Mapping[str, Lookup]) -> ReadAnswer:
    """Read every line. `lefts` are the left sides of the key; one alone may be left out by the answer."""
    statements = read_statements(text, vocabulary)
    if not statements:
        raise Unreadable("the answer is empty: write an equation", Place(1, 1))
    if len(statements) > MOST:
        raise Unreadable(f"the answer has more than {MOST} equations: write those asked for", Place(1, 1))
    statements = [statement for statement in statements if not _defines_softmax(statement, vocabulary)]
    statements = _called_apart(statements)
    vocabulary, statements = _with_functions(vocabulary, statements)
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


def own_lines(read: ReadAnswer) -> dict[str, Line]:
    """The definitions of an answer that no key asks for."""
    return {
        line.defines: line.line for line in read.lines if line.line and line.defines in read.vocabulary.own
    }


def _called_apart(statements: list[Statement]) -> list[Statement]:
    """`A = q @ k.T; A = A / A.sum()`: code that gives a name a new value; the old one is called A'."""
    for at, statement in enumerate(statements):
        name = _lone_name(statement)
        if not name or not any(_lone_name(earlier) == name for earlier in statements[:at]):
            continue
        if not any(token.text == name for right in statement.rights for token in right):
            continue
        old = name + "'"
        while any(token.text == old for each in statements for token in each.tokens):
            old += "'"
        statements = [
            _renamed(each, name, old, left=number < at) if number <= at else each
            for number, each in enumerate(statements)
        ]
    return statements


def _lone_name(statement: Statement) -> str:
    left = statement.left or ()
    return left[0].text if len(left) == 1 and left[0].kind == "name" else ""


def _renamed(statement: Statement, name: str, old: str, left: bool) -> Statement:
    def primed(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
        return tuple(
            replace(token, text=old) if token.kind == "name" and token.text == name else token
            for token in tokens
        )

    head = primed(statement.left) if left and statement.left else statement.left
    return replace(statement, left=head, rights=tuple(map(primed, statement.rights)))


# ------------------------------------------------------------ functions that the answer defines


def _defines_softmax(statement: Statement, vocabulary: Vocabulary) -> bool:
    """`softmax(x)_i = exp(x_i) / sum_j exp(x_j)` says what everyone knows; another softmax is refused."""
    left = statement.left or ()
    if not left or function_name(left[0].text, vocabulary) not in SOFTMAXES:
        return False
    written = {token.text for token in statement.tokens}
    if "sum" in written and written & {"exp", "e"} and written & {"/", "frac"}:
        return True
    raise Unreadable(f"{left[0].text} has its usual meaning here: leave this line out", left[0].place)


def _with_functions(
    vocabulary: Vocabulary, statements: list[Statement]
) -> tuple[Vocabulary, list[Statement]]:
    """`sim(q, k) = q^T k` defines a function: it is taken out of the lines and put where it is called."""
    bodies: dict[str, tuple[Token, ...]] = {}
    functions = dict(vocabulary.functions)
    rest: list[Statement] = []
    for statement in statements:
        arguments = _arguments_of(statement, vocabulary)
        if not arguments:
            rest.append(statement)
            continue
        name = (statement.left or ())[0].text
        functions[name] = Function(name, arguments=arguments)
        bodies[name] = statement.rights[-1]
    if not bodies or not rest:
        return vocabulary, statements
    wider = replace(vocabulary, functions=functions, coined=frozenset(bodies))
    return _with_bodies(wider, bodies), rest


def _arguments_of(statement: Statement, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The arguments of a definition such as f(a, b) = ...; none where these are indices, as in s(i, j)."""
    left = statement.left or ()
    if len(left) < 4 or left[0].kind != "name" or left[1].kind != "(" or left[-1].kind != ")":
        return ()
    items = listed(left[2:-1])
    names = tuple(item[0].text for item in items if len(item) == 1 and item[0].kind == "name")
    if len(names) < len(items) or len(set(names)) < len(names) or vocabulary.find(left[0].text, 0):
        return ()
    body = statement.rights[-1] if statement.rights else ()
    used = {token.text for token in body}
    return names if used.issuperset(names) and not any(_is_index(name, body) for name in names) else ()


def _is_index(name: str, body: tuple[Token, ...]) -> bool:
    """Does a name stand in an index list or below another name?"""
    depth, lowered = 0, False
    for token in body:
        depth += (token.kind == "[") - (token.kind == "]")
        if token.text == name and token.kind == "name" and (depth or lowered):
            return True
        lowered = token.kind == "_" or (lowered and token.kind == "{")
    return False


def _with_bodies(vocabulary: Vocabulary, bodies: Mapping[str, Sequence[Token]]) -> Vocabulary:
    functions = dict(vocabulary.functions)
    for name, body in bodies.items():
        check_brackets(list(body))
        inner = vocabulary
        for argument in functions[name].arguments:
            inner = _with_own(inner, Declared(argument, ()), alone=True)
        tree = Parser(Cursor(body), inner, frozenset(vocabulary.fixed)).whole()
        functions[name] = replace(functions[name], tree=tree)
    return replace(vocabulary, functions=functions)


# ------------------------------------------------------------ lines


def _read_left(
    statement: Statement, vocabulary: Vocabulary, lefts: Mapping[str, Lookup]
) -> tuple[Lookup, Declared | None]:
    if statement.left is None:
        if len(lefts) == 1:
            return next(iter(lefts.values())), None
        raise Unreadable(NO_EQUALS, statement.first.place)
    check_brackets(list(statement.left))
    return Parser(Cursor(_bare(statement.left)), vocabulary, frozenset(vocabulary.fixed)).left()


def _bare(left: tuple[Token, ...]) -> tuple[Token, ...]:
    """`(H)^T` is H^T: brackets around a whole name say nothing."""
    cursor = Cursor(left)
    if not cursor.sees("("):
        return left
    end = cursor.closing(0)
    return left[1:end] + left[end + 1 :] if end > 1 and end >= len(left) - 3 else left


def _is_turned(statement: Statement) -> bool:
    """`y_i^T = ...` defines y_i by the transpose of its right side."""
    left = statement.left or ()
    return len(left) > 2 and left[-2].kind == "^" and left[-1].text in ("top", "T")


def _with_own(vocabulary: Vocabulary, own: Declared, alone: bool = False) -> Vocabulary:
    """The vocabulary with a name of the answer's own; `alone` hides what it means elsewhere."""
    known = () if alone else vocabulary.spellings.get(own.name, ())
    spellings = {**vocabulary.spellings, own.name: (*known, own.name)}
    return replace(vocabulary, spellings=spellings, own={**vocabulary.own, own.name: own})


def _read_line(
    statement: Statement, left: Lookup, vocabulary: Vocabulary, lefts: Mapping[str, Lookup]
) -> ReadLine:
    scope = frozenset(vocabulary.fixed).union(*(open_indices(index) for index in left.indices))
    try:
        _check_words(statement, vocabulary, scope)
        check_brackets(list(statement.tokens))
        rights = tuple(_read_right(right, statement, vocabulary, scope) for right in statement.rights)
    except Unreadable as fault:
        return ReadLine(statement.number, left.tensor, fault=fault)
    except RecursionError:
        deep = Unreadable("the line is nested too deep: simplify it", statement.first.place)
        return ReadLine(statement.number, left.tensor, fault=deep)
    if _is_turned(statement):
        rights = tuple(Transpose(right) for right in rights)
    line = Line(left, rights, statement.first.place)
    return ReadLine(statement.number, left.tensor, _aligned(line, lefts.get(left.tensor), vocabulary))


def _check_words(statement: Statement, vocabulary: Vocabulary, scope: frozenset[str]) -> None:
    """Plain words are no equation: two unknown ones side by side, or any at all where there is no '='."""
    for right in statement.rights:
        before = False
        for token, after in pairwise([*_unmarked(right), END]):
            word = token.kind == "name" and token.text.isalpha() and after.kind not in _NAMED
            word = word and token.text not in scope and not _is_known(token.text, vocabulary)
            if word and statement.left is None and len(token.text) > 1:
                raise Unreadable(NO_EQUALS, statement.first.place)
            word = word and (len(token.text) > 2 or token.text in SHORT_WORDS)
            if word and before:
                raise Unreadable("these are words: write an equation, with tensors and signs", token.place)
            before = word


def _unmarked(tokens: tuple[Token, ...]) -> list[Token]:
    """The tokens without what is raised or lowered, which may be words."""
    cursor = Cursor(tokens)
    found: list[Token] = []
    while not cursor.sees("end"):
        mark = cursor.mark_at(cursor.spot)
        found.append(cursor.peek())
        if mark:
            cursor.spot = mark.end
        else:
            cursor.next()
    return found


def _is_known(text: str, vocabulary: Vocabulary) -> bool:
    """Does a word mean anything in an equation: a tensor, a length, a function, or letters run together?"""
    if text in MODULES or text in REDUCTIONS or text in GREEK_NAMES or vocabulary.is_size(text):
        return True
    if vocabulary.find_alike(text, 0) or vocabulary.find_alike(text, 1) or function_name(text, vocabulary):
        return True
    return len(text) <= 4 and all(vocabulary.find(c, 0) or c in vocabulary.axes for c in text)


def _read_right(
    tokens: tuple[Token, ...], statement: Statement, vocabulary: Vocabulary, scope: frozenset[str]
) -> Expr:
    if not tokens:
        raise Unreadable("nothing stands after '='", statement.first.place)
    right = Parser(Cursor(tokens), vocabulary, scope).whole()
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
        elif subscript in vocabulary.fixed and (shift := _SHIFTED.fullmatch(own)):
            return _shifted_back(line, shift, Variable(subscript))
        elif subscript in vocabulary.fixed and own and own not in vocabulary.fixed:
            names[own] = subscript
    if not names:
        return line
    indices: dict[str, Expr] = {old: Variable(new) for old, new in names.items()}
    left, *rights = (rename(side, indices) for side in (line.left, *line.rights))
    assert isinstance(left, Lookup)
    return replace(line, left=left, rights=tuple(rights))


def _shifted_back(line: Line, shift: re.Match[str], fixed: Variable) -> Line:
    """`P(w_{t+1} | ...) = ... h[t]` says of every t what `P(w_t | ...) = ... h[t-1]` says."""
    back = Total((1, 1 if shift[2] == "-" else -1), (fixed, Number(Fraction(shift[3]))))
    return replace(line, rights=tuple(rename(right, {shift[1]: back}) for right in line.rights))


def _moved(line: Line, at: int, want: Variable) -> Line | None:
    """`h[t+1,J] = ...` says of every t what `h[t,J] = ...` says with t-1 for t on its right side."""
    match line.left.indices[at]:
        case Total((1, sign), (Variable(name), Number() as shift)):
            back = Total((1, -sign), (want, shift))
        case _:
            return None
    indices = (*line.left.indices[:at], want, *line.left.indices[at + 1 :])
    rights = tuple(rename(right, {name: back}) for right in line.rights)
    return replace(line, left=replace(line.left, indices=indices), rights=rights)


def uses(line: Line) -> set[str]:
    """Every tensor on the right side of a line."""
    return {node.tensor for right in line.rights for node in walk(right) if isinstance(node, Lookup)}


def recurrent(lines: Mapping[str, Line]) -> frozenset[str]:
    """Tensors whose own line uses them, as h[t] uses h[t-1]: their values are given on every right side."""
    return frozenset(name for name, line in lines.items() if name in uses(line))


def needed(lines: Mapping[str, Line], given: frozenset[str] = frozenset()) -> dict[str, set[str]]:
    """For each line, every line it needs, directly or through others; given tensors need no line."""
    needs = {name: (uses(line) & set(lines)) - given for name, line in lines.items()}
    for _ in lines:
        for name in needs:
            for other in tuple(needs[name]):
                needs[name] |= needs[other]
    return needs


def circle(
    name: str, line: Line, own: Mapping[str, Line], key: Mapping[str, Line], given: frozenset[str]
) -> str | None:
    """The tensor that brings a line back to what it defines, directly or through the key's other lines."""
    reached, new = set[str](), uses(line)
    while new:
        reached |= new
        new = {used for other in new & set(own) for used in uses(own[other])} - reached
    needs = needed(key, given)
    asked = [other for other in key if other in reached - given]
    return next((other for other in asked if other == name or name in needs[other]), None)


def in_order(lines: Mapping[str, Line], given: frozenset[str] = frozenset()) -> list[str]:
    """The names of the lines, each after those it needs."""
    needs = needed(lines, given)
    return sorted(lines, key=lambda name: len(needs[name] - {name}))
