"""Indices, slices, ranges and literals: off by one, reversed, first for last, the usual confusions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograder.diagnose.edits.edit import Context, Edit, Rank, axis_word, only
from autograder.diagnose.line_template import constant, new, wrapped
from autograder.diagnose.program import Make, Node

CONFUSED: dict[float, tuple[float, ...]] = {
    0.5: (1.0, 2.0, 0.25),
    2.0: (1.0, 0.5, 4.0, 3.0),
    0.9: (0.1, 0.99, 0.999, 0.95, 1.0),
    0.1: (0.9, 0.01, 1.0, 0.001, 0.2),
    0.99: (0.01, 0.9, 0.999),
    0.01: (0.99, 0.1, 0.001, 1.0, 0.2),
    0.999: (0.001, 0.99, 0.9),
    0.001: (0.999, 0.01, 0.1, 0.0001),
    10000.0: (1000.0, 100.0, 100000.0, 1024.0, 2.718281828459045),
    1000.0: (100.0, 10000.0, 1.0, 10.0),
    100.0: (10.0, 1000.0, 1.0),
    10.0: (100.0, 1.0, 2.0),
    1.702: (1.0, 1.7),
    0.044715: (0.0, 0.04715),
}


def index_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        match node.tree:
            case ast.Subscript(value=value):
                yield from _subscript(context, node, value)
            case ast.Call(func=ast.Name(id="range")):
                yield from _range(context, node)
            case ast.Call(func=ast.Attribute(attr="arange")):
                yield from _positions(context, node)
            case ast.Constant(value=bool()):
                pass
            case ast.Constant(value=int() | float() as value):
                yield from _literal(context, node, value)


def _subscript(context: Context, node: Node, value: ast.expr) -> Iterator[Edit]:
    tree = node.tree_as(ast.Subscript)
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    thing = context.say(value)
    axes = context.observed.axes(context.number(value)) if context.known(value) else ()
    if (
        not axes
        and context.known(value)
        and context.observed.kind(context.number(value)) not in ("tensor", "list")
    ):
        return
    if _is_shape(value):
        yield from _other_length(context, node, value)
        return
    axis = 0
    for item in items:
        if isinstance(item, ast.Constant) and item.value is None:
            continue
        if isinstance(item, ast.Constant) and item.value is Ellipsis:
            axis = axis - (len(items) - items.index(item))
            continue
        where = axis_word(axes, axis) if axes and -len(axes) <= axis < len(axes) else ""
        along = f" along {where}" if where else ""
        if isinstance(item, ast.Slice):
            yield from _slice(context, item, thing, along)
        else:
            yield from _one_index(context, item, value, thing, along)
        axis += 1
    if len(items) == 1 and len(axes) > 1 and not isinstance(items[0], ast.Slice):
        yield Edit(
            "index_on_other_axis",
            f"{thing} is indexed along {axis_word(axes, 1)}, not along {axis_word(axes, 0)}",
            Rank.AXIS + 1,
            only(node.number, lambda n: new("_0[:, _1]", n.value, n.slice)),
        )
    yield from _spread(context, node, thing)
    if isinstance(tree.ctx, ast.Load) and not any(isinstance(item, ast.Slice) for item in items):
        yield Edit(
            "index_left_out",
            f"all of {thing} is used, not one entry of it",
            Rank.RARE,
            only(node.number, lambda n: n.value),
        )


def _spread(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    """b[:, None] becomes b[None, :]: a vector spread along the other axis."""
    tree = node.tree_as(ast.Subscript)
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else []
    wholes = [place for place, item in enumerate(items) if isinstance(item, ast.Slice)]
    nones = [i for i, item in enumerate(items) if isinstance(item, ast.Constant) and item.value is None]
    if len(wholes) != 1 or len(wholes) + len(nones) != len(items):
        return
    order = ("first", "second", "third", "fourth", "fifth")
    for place in nones if len(items) <= len(order) else ():
        yield Edit(
            "spread_along_other_axis",
            f"{thing} runs along the {order[place]} axis, not along the {order[wholes[0]]}",
            Rank.TRANSPOSED - 0.5,
            only(node.number, _exchanged_items(wholes[0], place)),
        )


def _exchanged_items(a: int, b: int) -> Make:
    def make(n: ast.Subscript) -> ast.Subscript:
        assert isinstance(n.slice, ast.Tuple)
        items = list(n.slice.elts)
        items[a], items[b] = items[b], items[a]
        return ast.Subscript(n.value, ast.Tuple(items, ast.Load()), n.ctx)

    return make


def _is_shape(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr == "shape"


def _other_length(context: Context, node: Node, value: object) -> Iterator[Edit]:
    """The length of another axis: √D for √U."""
    right = context.observed.name_of_number(node.number)
    for name in context.observed.names:
        if name != right:
            yield Edit(
                "length_of_another_axis",
                f"the length of {name} is used where the length of {right or 'another axis'} belongs",
                Rank.CONSTANT,
                only(node.number, wrapped(f"__sizes__[{name!r}]")),
                ("length", right, name),
                f"the length of {name} is used everywhere where the length of {right or 'another axis'} belongs",
            )


def _one_index(context: Context, item: ast.expr, value: ast.expr, thing: str, along: str) -> Iterator[Edit]:
    if not context.known(item):
        return
    number = context.number(item)
    kind = context.observed.kind(number)
    if kind == "tensor":
        if not context.observed.floating(number):
            rank = context.observed.rank(number) or 0
            for place in range(rank):
                where = context.axis(number, place)
                yield Edit(
                    "index_by_position",
                    f"{thing} is looked up{along} by the position along {where}, not by {context.say(item)}",
                    Rank.INDEX + 1,
                    only(number, wrapped(f"__ops__.positions_like(_0, {place}, len({ast.unparse(value)}))")),
                )
            for by, says in ((1, "one too high"), (-1, "one too low")):
                yield Edit(
                    "index_off_by_one",
                    f"the entries of {thing} are taken at an index{along} that is {says}",
                    Rank.INDEX,
                    only(number, wrapped(f"_0 + {by}")),
                )
        return
    if kind != "number":
        return
    literal = context.observed.value(number)
    if isinstance(literal, int) and literal in (0, -1) and isinstance(item, ast.Constant | ast.UnaryOp):
        other, says = (
            (-1, "last entry of {} is used, not the first")
            if literal == 0
            else (0, "first entry of {} is used, not the last")
        )
        yield Edit(
            "first_for_last" if literal else "last_for_first",
            f"the {says.format(thing)}{along}",
            Rank.INDEX,
            only(number, lambda n: new(repr(other))),
        )
    for by in (1, -1, 2, -2):
        where = {1: "one later", -1: "one earlier", 2: "two later", -2: "two earlier"}[by]
        yield Edit(
            "index_off_by_one" if abs(by) == 1 else "index_off_by_two",
            f"{thing} is read or written{along} at an index {where} than it should be",
            Rank.INDEX + (0 if abs(by) == 1 else 2),
            only(number, wrapped(f"_0 + {by}" if by > 0 else f"_0 - {-by}")),
            ("index", by),
            f"every index is {where} than it should be",
        )
    if not isinstance(item, ast.Constant):
        for end, where in ((0, "first"), (-1, "last")):
            yield Edit(
                "index_fixed",
                f"always the {where} entry of {thing} is used{along}",
                Rank.INDEX + 1,
                only(number, constant(end)),
            )
    yield Edit(
        "index_mirrored",
        f"{thing} is read or written{along} from the other end",
        Rank.INDEX + 1,
        only(number, lambda n: new("-1 - _0", n)),
        ("mirrored", thing),
        f"{thing} is read from the other end everywhere",
    )


def _slice(context: Context, item: ast.Slice, thing: str, along: str) -> Iterator[Edit]:
    number = context.program.of(item).number
    begin, end, step = item.lower, item.upper, item.step

    def edit(
        id: str, says: str, make: Make, rank: float = Rank.INDEX, idea: object = None, everywhere: str = ""
    ) -> Edit:
        return Edit(id, f"{thing}{says}", rank, only(number, make), idea, everywhere)

    for by in (1, -1):
        word = "later" if by > 0 else "earlier"
        yield edit(
            "slice_moved", f" is taken{along} from a window that starts and ends one {word}", _bounds(by, by)
        )
        if begin is not None or by > 0:
            yield edit("slice_start", f" is taken{along} from one {word}", _bounds(by, 0))
        if end is not None or by < 0:
            yield edit("slice_end", f" is taken{along} up to one {word}", _bounds(0, by))
    if begin is not None or end is not None:
        yield edit(
            "slice_left_out",
            f" is taken whole{along}, not only a part",
            lambda s: ast.Slice(None, None, s.step),
            Rank.LEFT_OUT,
        )
        if step is None and (begin is None) != (end is None):
            flipped: Make = lambda s: ast.Slice(s.upper, s.lower, None)  # noqa: E731
            yield edit(
                "other_part",
                f": the other part of it{along} is taken",
                flipped,
                Rank.EXCHANGED,
                ("other part", thing),
                f"the two parts of {thing} are exchanged",
            )
    if isinstance(step, ast.Constant) and step.value == 2:
        yield from _every_second(item, edit, along)
    if step is not None:
        yield edit(
            "step_left_out",
            f" is taken{along} without steps",
            lambda s: ast.Slice(s.lower, s.upper, None),
            Rank.LEFT_OUT,
        )
    elif begin is None and end is None:
        return


def _every_second(item: ast.Slice, edit: Any, along: str) -> Iterator[Edit]:
    """Even and odd places, or two halves."""
    even = item.lower is None or (isinstance(item.lower, ast.Constant) and item.lower.value == 0)
    other = ("odd", "even") if even else ("even", "odd")
    start = ast.Constant(1 if even else 0)
    yield edit(
        "parity",
        f" is used{along} at the {other[0]} places, not at the {other[1]} ones",
        lambda s: ast.Slice(start, s.upper, s.step),
        Rank.INDEX + 4,
        "parity",
        "even and odd places are exchanged",
    )


def _bounds(begin: int, end: int) -> Make:
    def moved(bound: ast.expr | None, by: int, default: int | None) -> ast.expr | None:
        if by == 0:
            return bound
        if bound is None:
            return None if default is None and by > 0 else ast.Constant(by) if by > 0 else new(str(by))
        if default is None and by > 0 and ast.unparse(bound) == str(-by):
            return None  # one past the last but one is the end, not the beginning
        return new(f"_0 + {by}" if by > 0 else f"_0 - {-by}", bound)

    return lambda s: ast.Slice(moved(s.lower, begin, 0), moved(s.upper, end, None), s.step)


def _range(context: Context, node: Node) -> Iterator[Edit]:
    tree = node.tree_as(ast.Call)
    number = node.number
    count = len(tree.args)

    def edit(id: str, says: str, text: str, rank: float = Rank.INDEX) -> Edit:
        return Edit(id, says, rank, only(number, lambda n: new(text, *n.args)))

    begin, end = ("0", "_0") if count == 1 else ("_0", "_1")
    step = ", _2" if count == 3 else ""
    yield edit("loop_starts_later", "the loop starts one step too late", f"range({begin} + 1, {end}{step})")
    yield edit(
        "loop_ends_earlier",
        "the loop ends one step too early: the last one is missing",
        f"range({begin}, {end} - 1{step})",
    )
    yield edit(
        "loop_ends_later", "the loop makes one step too many at its end", f"range({begin}, {end} + 1{step})"
    )
    yield edit("loop_shifted", "the loop's numbers are one too high", f"range({begin} + 1, {end} + 1{step})")
    yield edit("loop_shifted", "the loop's numbers are one too low", f"range({begin} - 1, {end} - 1{step})")
    if count < 3:
        yield edit(
            "loop_every_second",
            "the loop makes only every second step",
            f"range({begin}, {end}, 2)",
            Rank.RARE,
        )
    yield edit("loop_reversed", "the loop runs in the other direction", f"range({begin}, {end}{step})[::-1]")
    yield edit(
        "loop_only_first",
        "the loop makes only its first step",
        f"range({begin}, {end}{step})[:1]",
        Rank.STATEMENT,
    )
    yield edit(
        "loop_only_last",
        "the loop makes only its last step",
        f"range({begin}, {end}{step})[-1:]",
        Rank.STATEMENT,
    )
    if count == 3:
        yield edit("loop_step_left_out", "the loop goes in steps of one", "range(_0, _1)")


def _positions(context: Context, node: Node) -> Iterator[Edit]:
    """arange(n): positions that begin at one, or run backwards."""
    for id, says, text in (
        ("positions_from_one", "positions are counted from one, not from zero", "_0 + 1"),
        ("positions_from_minus_one", "positions are counted from minus one, not from zero", "_0 - 1"),
        ("positions_reversed", "positions run backwards", "_0.flip(0)"),
        ("positions_normalised", "positions are divided by their number", "_0 / len(_0)"),
        ("positions_doubled", "positions are doubled", "_0 * 2"),
        ("positions_halved", "positions are halved", "_0 / 2"),
        ("positions_halved_down", "positions are halved and rounded down", "_0 // 2"),
    ):
        yield Edit(
            id,
            f"in {_what(context, node)}, {says}",
            Rank.INDEX + (0 if "from" in id else 4),
            only(node.number, wrapped(text)),
            id,
            f"{says}, everywhere",
        )


def _what(context: Context, node: Node) -> str:
    axes = context.observed.axes(node.number)
    return f"the numbers along {axes[0]}" if axes and axes[0] else "the numbers"


def _literal(context: Context, node: Node, value: float) -> Iterator[Edit]:
    if _is_settled(context, node):
        return
    choices: list[float] = list(CONFUSED.get(float(value), ()))
    if isinstance(value, int):
        # Nobody miscounts ten thousand by one.
        choices += [value + 1, value - 1] if abs(value) < 20 else []
        choices += [2 * value, 0]
    elif abs(value) < 1e-2:
        choices += [0.0, 1e-5, 1e-6, 1e-8, 1e-12, 1e-3]
    choices += [-value, 1 / value, value * 10, value / 10, value / 2, value * 2, 1.0, 0.0] if value else [1.0]
    signed = isinstance(context.parent(node), ast.UnaryOp)  # its sign stands before it, and is no part of it
    for other in dict.fromkeys(choices):
        if other == value or (signed and other == -value):
            continue
        plain = int(other) if isinstance(value, int) and float(other).is_integer() else other
        yield Edit(
            "another_constant",
            f"the constant {plain:g} stands where {value:g} belongs",
            Rank.CONSTANT + (0 if other in CONFUSED.get(float(value), ()) else 0.5),
            only(node.number, constant(plain)),
            ("constant", value, plain),
            _no_neighbours(context, node)
            if (value, plain) == (1, 0)
            else f"the constant {plain:g} stands everywhere where {value:g} belongs",
        )


def _no_neighbours(context: Context, node: Node) -> str:
    """t where t − 1 and t + 1 belong: in the argument's own name, where it is one."""
    around = context.parent(node)
    if isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add | ast.Sub):
        name = around.left
        if isinstance(name, ast.Name) and name.id in context.program.parameters:
            return f"{name.id} itself is used wherever a neighbour of it belongs"
    return "the constant 0 stands everywhere where 1 belongs"


def _is_settled(context: Context, node: Node) -> bool:
    """Axes, shapes and exponents have edits of their own."""
    parent = context.parent(node)
    while isinstance(parent, ast.UnaryOp | ast.Tuple):  # mean(-1) and mean((0, 1)) have their axes in them
        node = context.program.of(parent)
        parent = context.parent(node)
    if isinstance(parent, ast.keyword):
        return parent.arg in ("dim", "axis", "keepdim", "dims", "start_dim", "end_dim", "diagonal", "dtype")
    if isinstance(parent, ast.Subscript) and node.field == "slice":
        return True
    operation = context.operation(parent) if parent is not None else None
    if operation is not None and node.field == "args":
        return operation.name not in (
            "arange",
            "full",
            "clamp",
            "linspace",
            "pow",
            "tril",
            "triu",
            "where",
            "masked_fill",
            "full_like",
            "pad",
            "maximum",
            "minimum",
            "clip",
            "normalize",
            "unfold",
        )
    return isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and node.field == "right"
