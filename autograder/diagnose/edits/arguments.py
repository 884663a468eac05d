"""Arguments as a whole: families exchanged, one family used twice, transposed or passed through something first."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.edits.elementwise import article, title
from autograder.diagnose.expression_words import joined
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make

ENTRY = ("relu", "exp", "tanh", "sigmoid", "abs", "square", "sqrt", "softplus", "elu_and_one")


def argument_edits(context: Context) -> Iterator[Edit]:
    yield from _families(context)
    for name in _tensors(context):
        yield Edit(
            "argument_unused",
            f"{name} has no effect on the result",
            Rank.LEFT_OUT + 1.5,
            at_entry("_0 * 0", (name,)),
        )
    for names in _groups(context):
        yield from _transposed(context, names)
        yield from _passed_through(context, names)
    yield from _turned_round(context)
    yield from _given_functions(context)


def _tensors(context: Context) -> dict[str, tuple[str, ...]]:
    """The arguments that are tensors of numbers, with their axes."""
    found = {}
    for name, seen in context.observed.parameters.items():
        if all(s is not None and s.kind == "tensor" and s.floating for s in seen):
            found[name] = context.observed.names_of(seen)
    return found


def _reads(context: Context, name: str) -> list[int]:
    return [
        node.number
        for node in context.program.nodes
        if node.function == 0
        and isinstance(node.tree, ast.Name)
        and node.tree.id == name
        and isinstance(node.tree.ctx, ast.Load)
    ]


def _renamed(context: Context, names: Mapping[str, str]) -> dict[int, Make]:
    return {number: _named(other) for name, other in names.items() for number in _reads(context, name)}


def _named(name: str) -> Make:
    return lambda tree: ast.Name(name, ast.Load())


def _families(context: Context) -> Iterator[Edit]:
    """W_f, U_f, b_f and W_b, U_b, b_b: the one family in the other's place."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    tensors = _tensors(context)
    for a, b in itertools.combinations(tensors, 2):
        if tensors[a] == tensors[b]:
            found.setdefault(_difference(a, b), []).append((a, b))
    for pairs in found.values():
        if len(pairs) < 2:
            continue
        ones, others = [a for a, _ in pairs], [b for _, b in pairs]
        exchanged = dict(pairs) | {b: a for a, b in pairs}
        yield Edit(
            "families_exchanged",
            f"{joined(ones)} are exchanged with {joined(others)}",
            Rank.EXCHANGED,
            _renamed(context, exchanged),
        )
        for used, unused, names in (
            (ones, others, {b: a for a, b in pairs}),
            (others, ones, dict(pairs)),
        ):
            yield Edit(
                "family_used_twice",
                f"{joined(used)} are used where {joined(unused)} belong as well",
                Rank.EXCHANGED,
                _renamed(context, names),
            )


def _difference(a: str, b: str) -> tuple[str, str]:
    """What is left of two names without the beginning and the end that they share."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    return a[start : len(a) - end], b[start : len(b) - end]


def _groups(context: Context) -> Iterator[tuple[str, ...]]:
    """Each argument, those of one shape, pairs of these, and all matrices."""
    tensors = _tensors(context)
    yield from ((name,) for name in tensors)
    by_axes: dict[tuple[str, ...], list[str]] = {}
    for name, axes in tensors.items():
        by_axes.setdefault(axes, []).append(name)
    seen = set()
    for names in by_axes.values():
        for count in (2, 3):
            for group in itertools.combinations(names, count):
                seen.add(group)
                yield group
    matrices = tuple(name for name, axes in tensors.items() if len(axes) > 1)
    if len(matrices) > 1 and matrices not in seen:
        yield matrices
    if len(matrices) > 2:
        yield matrices[1:]


def at_entry(text: str, names: tuple[str, ...]) -> dict[int, Make]:
    """Statements before all others that give the arguments other values."""
    lines = [f"{name} = {text.replace('_0', name)}" for name in names]

    def make(function: ast.FunctionDef) -> ast.FunctionDef:
        first = [ast.parse(line).body[0] for line in lines]
        return ast.FunctionDef(
            name=function.name, args=function.args, body=[*first, *function.body], decorator_list=[]
        )

    return {0: make}


def _is(names: tuple[str, ...]) -> str:
    return f"{joined(list(names))} {'is' if len(names) == 1 else 'are'}"


def _transposed(context: Context, names: tuple[str, ...]) -> Iterator[Edit]:
    if any(len(context.observed.names_of(context.observed.parameters[name])) < 2 for name in names):
        return
    yield Edit(
        "argument_transposed",
        f"{_is(names)} transposed",
        Rank.TRANSPOSED - 1 + 0.1 * len(names),
        at_entry("__ops__.swapped(_0)", names),
    )


def _passed_through(context: Context, names: tuple[str, ...]) -> Iterator[Edit]:
    for name in ENTRY:
        yield Edit(
            f"argument_{name}",
            f"{article(title(name))} of {joined(list(names))} is taken first, which nothing asks for",
            Rank.PUT_IN + 1,
            at_entry(f"__ops__.activate({name!r}, _0)", names),
        )
    rank = min(len(context.observed.names_of(context.observed.parameters[name])) for name in names)
    for axis in range(-rank, 0):
        where = {context.axis_of_argument(name, axis) for name in names}
        over = f"over {where.pop()}" if len(where) == 1 else "over an axis"
        for id, says, text in (
            (
                "argument_softmax",
                f"a softmax {over} of {joined(list(names))} is taken first",
                f"__ops__.softmax(_0, {axis})",
            ),
            ("argument_unit", f"{_is(names)} divided by the norm {over} first", f"__ops__.unit(_0, {axis})"),
            ("argument_share", f"{_is(names)} divided by the sum {over} first", f"__ops__.share(_0, {axis})"),
        ):
            yield Edit(id, f"{says}, which nothing asks for", Rank.PUT_IN + 2, at_entry(text, names))


def _turned_round(context: Context) -> Iterator[Edit]:
    """Rows for columns: an argument transposed on the way in, and the result on the way out."""
    returns = [
        node
        for node in context.program.nodes
        if node.function == 0 and isinstance(node.tree, ast.Return) and node.tree.value is not None
    ]
    if len(returns) != 1:
        return
    value = returns[0].tree_as(ast.Return).value
    if value is None or not context.known(value) or (context.observed.rank(context.number(value)) or 0) < 2:
        return
    for name, axes in _tensors(context).items():
        if len(axes) > 1:
            changes = at_entry("__ops__.swapped(_0)", (name,))
            changes[context.number(value)] = lambda tree: new("__ops__.swapped(_0)", tree)
            yield Edit(
                "rows_for_columns",
                f"{name} is read with rows for columns, and the result given back so",
                Rank.TRANSPOSED,
                changes,
            )


def _given_functions(context: Context) -> Iterator[Edit]:
    """A function that is an argument: two of what it is given exchanged, one left out, called twice."""
    for node in context.program.nodes:
        tree: object = node.tree
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
            continue
        if tree.func.id not in context.program.parameters or len(tree.args) < 2:
            continue
        name = tree.func.id
        things = [context.say(argument) for argument in tree.args]
        for i, j in itertools.combinations(range(len(tree.args)), 2):
            yield Edit(
                "inputs_exchanged",
                f"{things[i]} and {things[j]} are exchanged in the call of {name}",
                Rank.EXCHANGED,
                only(node.number, _exchanged(i, j)),
            )
        for i, thing in enumerate(things):
            yield Edit(
                "input_zero",
                f"{name} is given zeros where {thing} belongs",
                Rank.LEFT_OUT,
                only(node.number, _with(i, "_0 * 0")),
            )
        yield Edit(
            "called_twice",
            f"{name} is called twice, the second time on its own result",
            Rank.PUT_IN,
            only(node.number, lambda call: _with_first(call, call)),
        )


def _exchanged(i: int, j: int) -> Make:
    def make(call: ast.Call) -> ast.Call:
        args = list(call.args)
        args[i], args[j] = args[j], args[i]
        return ast.Call(func=call.func, args=args, keywords=call.keywords)

    return make


def _with(i: int, text: str) -> Make:
    def make(call: ast.Call) -> ast.Call:
        args = list(call.args)
        args[i] = new(text, args[i])
        return ast.Call(func=call.func, args=args, keywords=call.keywords)

    return make


def _with_first(call: ast.Call, first: ast.expr) -> ast.Call:
    return ast.Call(func=call.func, args=[first, *call.args[1:]], keywords=call.keywords)
