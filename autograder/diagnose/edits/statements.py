"""Statements: one left out, overwritten where it should add up, in another order, or returned too early."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.expression_words import vagueness
from autograder.diagnose.line_template import new, nothing, several, wrapped
from autograder.diagnose.program import Make, Node

ORDER = ("first", "second", "third", "fourth", "fifth", "sixth")
JOINING = ("stack", "cat", "concat", "concatenate", "hstack", "vstack")

_Simple = ast.Assign | ast.AugAssign | ast.Expr


def statement_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        tree = node.tree
        match tree:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _reads(value, name):
                yield from _updated(context, node, value)
            case ast.AugAssign():
                yield from _added(context, node)
            case ast.Assign(targets=[ast.Subscript(value=target)]):
                yield Edit(
                    "assignment_left_out",
                    f"a part of {context.say(target)} is not filled in",
                    Rank.STATEMENT,
                    only(node.number, _gone),
                )
            case ast.Assign(targets=[ast.Tuple() as names]):
                yield from _unpacked(context, node, names)
            case ast.Call(func=ast.Attribute(attr=name), args=[ast.List() | ast.Tuple() as pieces, *_]):
                if name in JOINING:
                    yield from _joined(context, node, pieces)
            case ast.For():
                yield from _loop(context, node)
            case ast.If():
                yield from _condition(node)
            case ast.IfExp():
                yield from _choice(node)
            case ast.Compare(ops=[op]):
                yield from _comparison(node, op)
            case ast.Return(value=ast.Tuple() as results) if node.function == 0:
                yield from _results(context, node, results)
        yield from _order(context, node)


def _reads(value: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))


def _gone(statement: object) -> ast.Module:
    del statement
    return nothing()


def _updated(context: Context, node: Node, value: ast.expr) -> Iterator[Edit]:
    """x = f(x): the step left out, or taken twice."""
    thing = context.phrases.made_from(value)
    yield Edit(
        "step_left_out", f"a step is left out that gives {thing}", Rank.STATEMENT, only(node.number, _gone)
    )
    yield Edit(
        "step_twice",
        f"the step that gives {thing} is taken twice",
        Rank.STATEMENT + 2,
        only(node.number, lambda s: several(s, s)),
    )


def _added(context: Context, node: Node) -> Iterator[Edit]:
    tree = node.tree_as(ast.AugAssign)
    thing = context.phrases.made_from(tree.value)
    yield Edit("step_left_out", f"{thing} is not added", Rank.STATEMENT, only(node.number, _gone))
    yield Edit(
        "overwritten",
        f"each new value overwrites the one before, where {thing} should be added up",
        Rank.STATEMENT,
        only(node.number, lambda s: ast.Assign(targets=[s.target], value=s.value)),
    )
    other = ast.Sub() if isinstance(tree.op, ast.Add) else ast.Add()
    yield Edit(
        "minus_for_plus" if isinstance(tree.op, ast.Add) else "plus_for_minus",
        f"{thing} is {'subtracted' if isinstance(tree.op, ast.Add) else 'added'}, not {'added' if isinstance(tree.op, ast.Add) else 'subtracted'}",
        Rank.SIGN,
        only(node.number, lambda s: ast.AugAssign(target=s.target, op=other, value=s.value)),
    )


def _joined(context: Context, node: Node, pieces: ast.List | ast.Tuple) -> Iterator[Edit]:
    """cat([a, b, c]): two of them in the other order."""
    count = len(pieces.elts)
    if any(isinstance(item, ast.Starred) for item in pieces.elts) or not 2 <= count <= len(ORDER):
        return
    for i, j in itertools.combinations(range(count), 2):
        one, two = (context.say(pieces.elts[place]) for place in (i, j))
        says = f"of the pieces that are joined, the {ORDER[i]} and the {ORDER[j]} are exchanged"
        if one != two and not vagueness(one + two):
            says = f"{one} and {two} are exchanged where they are joined"
        yield Edit("joined_exchanged", says, Rank.EXCHANGED, only(node.number, _exchanged_in_list(i, j)))


def _exchanged_in_list(i: int, j: int) -> Make:
    def make(call: ast.Call) -> ast.Call:
        pieces = call.args[0]
        assert isinstance(pieces, ast.List | ast.Tuple)
        items = list(pieces.elts)
        items[i], items[j] = items[j], items[i]
        return ast.Call(
            func=call.func, args=[ast.List(items, ast.Load()), *call.args[1:]], keywords=call.keywords
        )

    return make


def _unpacked(context: Context, node: Node, names: ast.Tuple) -> Iterator[Edit]:
    """a, b, c = …: two of them in the other order."""
    tree = node.tree_as(ast.Assign)
    count = len(names.elts)
    if any(isinstance(item, ast.Starred) for item in names.elts) or count > len(ORDER):
        return
    if isinstance(tree.value, ast.Attribute) and tree.value.attr == "shape":
        return
    thing = context.phrases.made_from(tree.value)
    for i in range(count):
        for j in range(i + 1, count):
            yield Edit(
                "pieces_exchanged",
                f"of the pieces of {thing}, the {ORDER[i]} and the {ORDER[j]} are exchanged",
                Rank.EXCHANGED,
                only(node.number, _exchange(i, j)),
            )


def _exchange(i: int, j: int) -> Make:
    def make(statement: ast.Assign) -> ast.Assign:
        names = statement.targets[0]
        assert isinstance(names, ast.Tuple)
        items = list(names.elts)
        items[i], items[j] = items[j], items[i]
        return ast.Assign(targets=[ast.Tuple(items, ast.Store())], value=statement.value)

    return make


def _loop(context: Context, node: Node) -> Iterator[Edit]:
    tree = node.tree_as(ast.For)
    thing = context.say(tree.iter)
    if not (
        isinstance(tree.iter, ast.Call)
        and isinstance(tree.iter.func, ast.Name)
        and tree.iter.func.id == "range"
    ):
        is_argument = thing in context.program.parameters
        for id, says, of_argument, text in (
            (
                "loop_reversed",
                "runs in the other direction",
                "{} is read from its last entry to its first",
                "[::-1]",
            ),
            ("loop_skips_first", "leaves out its first step", "the first entry of {} is left out", "[1:]"),
            ("loop_skips_last", "leaves out its last step", "the last entry of {} is left out", "[:-1]"),
            ("loop_only_first", "makes only its first step", "only the first entry of {} is read", "[:1]"),
            ("loop_only_last", "makes only its last step", "only the last entry of {} is read", "[-1:]"),
        ):
            over = f", over {thing}" if context.phrases.sources(tree.iter) else ""
            yield Edit(
                id,
                of_argument.format(thing) if is_argument else f"the loop {says}{over}",
                Rank.INDEX,
                only(context.number(tree.iter), wrapped(f"list(_0){text}")),
            )


def _order(context: Context, node: Node) -> Iterator[Edit]:
    """Two neighbouring statements in the other order."""
    for name in ("body", "orelse"):
        body = getattr(node.tree, name, None)
        if not isinstance(body, list) or len(body) < 2 or not isinstance(body[0], ast.stmt):
            continue
        for first, second in itertools.pairwise(body):
            if not isinstance(first, _Simple):
                continue
            if not isinstance(second, _Simple):
                continue
            if not _touch(first, second):
                continue
            yield Edit(
                "steps_in_other_order",
                f"two steps are in the other order: {context.phrases.made_from(second.value)} comes before {context.phrases.made_from(first.value)}",
                Rank.SCOPE + 1,
                {context.number(first): _both(second), context.number(second): _gone},
            )


def _touch(first: _Simple, second: _Simple) -> bool:
    """Whether one of them binds or changes what the other reads."""
    written = {
        n.id
        for s in (first, second)
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return (
        any(_reads(s.value, name) for s in (first, second) for name in written)
        or isinstance(first, ast.Expr)
        or isinstance(second, ast.Expr)
    )


def _both(second: ast.stmt) -> Make:
    return lambda first: several(second, first)


def _condition(node: Node) -> Iterator[Edit]:
    yield Edit(
        "condition_inverted",
        "a case distinction is made the wrong way round",
        Rank.OTHER,
        only(node.number, lambda s: ast.If(new("not (_0)", s.test), s.body, s.orelse)),
    )
    yield Edit(
        "condition_ignored",
        "a case distinction is left out: the first way is always taken",
        Rank.LEFT_OUT,
        only(node.number, lambda s: ast.If(ast.Constant(True), s.body, s.orelse)),
    )
    yield Edit(
        "condition_ignored",
        "a case distinction is left out: the first way is never taken",
        Rank.LEFT_OUT,
        only(node.number, lambda s: ast.If(ast.Constant(False), s.body, s.orelse)),
    )


def _choice(node: Node) -> Iterator[Edit]:
    yield Edit(
        "condition_inverted",
        "a case distinction is made the wrong way round",
        Rank.OTHER,
        only(node.number, lambda n: ast.IfExp(n.test, n.orelse, n.body)),
    )
    yield Edit(
        "condition_ignored",
        "a case distinction is left out",
        Rank.LEFT_OUT,
        only(node.number, lambda n: n.body),
    )
    yield Edit(
        "condition_ignored",
        "a case distinction is left out",
        Rank.LEFT_OUT,
        only(node.number, lambda n: n.orelse),
    )


_OTHER_WAY: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE),
    ast.LtE: (ast.Lt, ast.GtE, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE),
    ast.GtE: (ast.Gt, ast.LtE, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
_SAID = {ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥", ast.Eq: "=", ast.NotEq: "≠"}


def _comparison(node: Node, op: ast.cmpop) -> Iterator[Edit]:
    for other in _OTHER_WAY.get(type(op), ()):
        yield Edit(
            "comparison",
            f"a comparison is made with {_SAID[other]}, not with {_SAID[type(op)]}",
            Rank.SIGN,
            only(node.number, _compared(other)),
        )


def _results(context: Context, node: Node, results: ast.Tuple) -> Iterator[Edit]:
    """The results in another order."""
    count = len(results.elts)
    for i in range(count):
        for j in range(i + 1, count):
            yield Edit(
                "results_exchanged",
                f"{context.phrases.result_name(i)} and {context.phrases.result_name(j)} are returned in each other's place",
                Rank.EXCHANGED,
                only(node.number, _exchange_results(i, j)),
            )


def _exchange_results(i: int, j: int) -> Make:
    def make(statement: ast.Return) -> ast.Return:
        assert isinstance(statement.value, ast.Tuple)
        items = list(statement.value.elts)
        items[i], items[j] = items[j], items[i]
        return ast.Return(ast.Tuple(items, ast.Load()))

    return make


def _compared(other: type[ast.cmpop]) -> Make:
    return lambda n: ast.Compare(n.left, [other()], n.comparators)
