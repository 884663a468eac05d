"""Sums, differences, products and powers: another sign, a term left out, brackets set elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.expression_words import VAGUE
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Node

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.MatMult: "@",
}
_HOW_MADE: dict[type[ast.operator], str] = {
    ast.Add: "the sum",
    ast.Sub: "the difference",
    ast.Mult: "the product",
    ast.MatMult: "the product",
    ast.Div: "the quotient",
}


TINY = 1e-4  # a constant that only keeps from dividing by zero
TINY_LATE = 20
BARE = 12


def _is_tiny(tree: ast.AST) -> bool:
    return isinstance(tree, ast.Constant) and isinstance(tree.value, float) and 0 < abs(tree.value) <= TINY


def arithmetic_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        match node.tree:
            case ast.BinOp():
                if not _is_index_arithmetic(context, node):
                    yield from _operation(context, node)
                yield from _regrouped(context, node)
            case ast.UnaryOp(op=ast.USub()) if not isinstance(node.tree.operand, ast.Constant):
                yield Edit(
                    "sign_left_out",
                    f"the minus before {context.say(node.tree.operand)} is left out",
                    Rank.SIGN,
                    only(node.number, lambda n: n.operand),
                )


def _is_index_arithmetic(context: Context, node: Node) -> bool:
    """Numbers made of numbers inside an index or a range are the business of the indices."""
    return context.observed.kind(node.number) == "number" and any(
        isinstance(above.tree, ast.Subscript | ast.Slice)
        or (
            isinstance(above.tree, ast.Call)
            and isinstance(above.tree.func, ast.Name)
            and above.tree.func.id == "range"
        )
        for above in context.program.above(node)
    )


def _told_apart(context: Context, tree: ast.BinOp) -> tuple[str, str]:
    """Two operands that are made from the same: by how they are made, else as one and the other."""
    kinds = [
        f"{_HOW_MADE.get(type(side.op), '')}{_first_factor(context, side)}"
        if isinstance(side, ast.BinOp)
        else ""
        for side in (tree.left, tree.right)
    ]
    if kinds[0] == kinds[1]:
        return "one", "the other"
    return ("the other", kinds[1]) if kinds[1] else (kinds[0], "the other")


def _first_factor(context: Context, tree: ast.BinOp) -> str:
    """The argument that a product begins with."""
    first = context.say(tree.left) if isinstance(tree.op, ast.MatMult) else ""
    return f" with {first}" if first in context.program.parameters else ""


def _without(gone: str, left: str) -> str:
    return f"only {left} remains of the sum" if gone == "the other" else f"{gone} is left out of the sum"


def _operation(context: Context, node: Node) -> Iterator[Edit]:
    tree = node.tree_as(ast.BinOp)
    a, b = context.say(tree.left), context.say(tree.right)
    same = f"{a} and {b}"
    missing = f"{a} is not added to {b}", f"{b} is not added to {a}"
    alike = a if a == b else ""
    if alike:
        a, b = _told_apart(context, tree)
        same = "both"
        missing = _without(a, b), _without(b, a)

    # What is put beside 1e-8 differs by a sign or nothing: that is told where the sign is another's.
    late = TINY_LATE if _is_tiny(tree.left) or _is_tiny(tree.right) else 0

    def edit(id: str, says: str, rank: float, text: str, idea: object = None, everywhere: str = "") -> Edit:
        if isinstance(tree.op, ast.Sub) and id == "term_left_out" and isinstance(tree.left, ast.Constant):
            rank += BARE * (text == "_0")  # 1 in the place of 1 − x: a factor or a power is what is missing
        rank += late
        if alike:
            of = f"of two {'factors' if isinstance(tree.op, ast.Mult) else 'terms'}, each {alike}, "
            says, everywhere = of + says, of + everywhere if everywhere else ""
            idea = (alike, idea) if idea else None
        return Edit(id, says, rank, only(node.number, lambda n: new(text, n.left, n.right)), idea, everywhere)

    match tree.op:
        case ast.Add():
            yield edit(
                "minus_for_plus",
                f"{b} is subtracted, where it should be added to {a}",
                Rank.SIGN,
                "_0 - _1",
                ("minus", b),
                f"{b} is subtracted everywhere, where it should be added",
            )
            yield edit(
                "minus_for_plus",
                f"{a} is subtracted, where it should be added to {b}",
                Rank.SIGN + 0.5,
                "_1 - _0",
            )
            yield edit(
                "term_left_out",
                missing[0],
                Rank.LEFT_OUT + 0.3,
                "_1",
                ("not added", a),
                f"{a} is not added anywhere",
            )
            yield edit(
                "term_left_out",
                missing[1],
                Rank.LEFT_OUT,
                "_0",
                ("not added", b),
                f"{b} is not added anywhere",
            )
            yield edit(
                "product_for_sum",
                f"{same} are multiplied, not added",
                Rank.OTHER,
                "_0 * _1",
                ("multiplied", b),
                f"{b} is multiplied everywhere, not added",
            )
            yield edit(
                "mean_for_sum", f"the mean of {same} is taken, not their sum", Rank.OTHER, "(_0 + _1) / 2"
            )
            yield edit(
                "term_twice",
                f"{b} is added twice",
                Rank.PUT_IN,
                "_0 + 2 * _1",
                ("twice", b),
                f"{b} is added twice everywhere",
            )
            yield edit(
                "term_twice",
                f"{a} is added twice",
                Rank.PUT_IN,
                "2 * _0 + _1",
                ("twice", a),
                f"{a} is added twice everywhere",
            )
            yield edit(
                "maximum_for_sum",
                f"the maximum of {same} is taken, not their sum",
                Rank.RARE,
                "__ops__.torch.maximum(_0, _1)",
            )
            yield edit(
                "absolute_for_sum", f"the absolute values of {same} are added", Rank.RARE, "abs(_0) + abs(_1)"
            )
        case ast.Sub():
            yield edit(
                "plus_for_minus",
                f"{b} is added, where it should be subtracted from {a}",
                Rank.SIGN,
                "_0 + _1",
                ("plus", b),
                f"{b} is added everywhere, where it should be subtracted",
            )
            yield edit(
                "difference_reversed",
                f"{a} is subtracted from {b}, not the other way round",
                Rank.SIGN + 2 * isinstance(tree.left, ast.Constant),  # few people turn 1 − x round
                "_1 - _0",
                "reversed",
                "every difference is taken the other way round",
            )
            yield edit(
                "term_left_out",
                f"{b} is not subtracted from {a}",
                Rank.LEFT_OUT,
                "_0",
                ("not subtracted", b),
                f"{b} is not subtracted anywhere",
            )
            yield edit(
                "term_left_out",
                f"{a} is left out of a difference: only {b} remains",
                Rank.LEFT_OUT + 0.5,
                "_1",
            )
            yield edit(
                "negative_only",
                f"{a} is left out of a difference: only minus {b} remains",
                Rank.LEFT_OUT + 0.5,
                "-_1",
            )
            yield edit("both_negative", f"{same} are both subtracted", Rank.RARE, "-_0 - _1")
            yield edit(
                "product_for_difference",
                f"{same} are multiplied, where a difference is asked for",
                Rank.OTHER,
                "_0 * _1",
            )
            yield edit(
                "absolute_difference",
                f"the difference of {same} is taken in absolute value",
                Rank.RARE,
                "abs(_0 - _1)",
            )
            yield edit(
                "squared_difference", f"the difference of {same} is squared", Rank.RARE, "(_0 - _1) ** 2"
            )
        case ast.Mult():
            yield edit(
                "factor_left_out",
                f"{b} is not multiplied by {a}",
                Rank.LEFT_OUT + 0.3,
                "_1",
                ("no factor", a),
                f"{a} is left out as a factor everywhere",
            )
            yield edit(
                "factor_left_out",
                f"{a} is not multiplied by {b}",
                Rank.LEFT_OUT,
                "_0",
                ("no factor", b),
                f"{b} is left out as a factor everywhere",
            )
            yield edit(
                "quotient_for_product",
                f"{a} is divided by {b}, not multiplied",
                Rank.SIGN,
                "_0 / _1",
                ("divided by", b),
                f"{b} divides everywhere, where it should multiply",
            )
            yield edit("quotient_for_product", f"{b} is divided by {a}, not multiplied", Rank.SIGN, "_1 / _0")
            yield edit("sum_for_product", f"{same} are added, not multiplied", Rank.OTHER, "_0 + _1")
            yield edit("factor_twice", f"{b} is multiplied in twice", Rank.PUT_IN, "_0 * _1 * _1")
            yield edit("factor_twice", f"{a} is multiplied in twice", Rank.PUT_IN, "_0 * _0 * _1")
            yield edit(
                "matrix_product",
                f"{same} are multiplied as matrices, not entry by entry",
                Rank.OTHER,
                "_0 @ _1",
            )
            yield edit(
                "matrix_product",
                f"{same} are multiplied as matrices, not entry by entry",
                Rank.OTHER,
                "_1 @ _0",
            )
            yield edit(
                "factor_root",
                f"the square root of {b} multiplies, not {b} itself",
                Rank.OTHER,
                "_0 * abs(_1) ** 0.5",
            )
            yield edit(
                "factor_squared", f"the square of {a} multiplies, not {a} itself", Rank.RARE, "_0 ** 2 * _1"
            )
        case ast.Div():
            yield edit(
                "divisor_left_out",
                f"the division by {b} is left out" if a.startswith(VAGUE) else f"{a} is not divided by {b}",
                Rank.LEFT_OUT,
                "_0",
                ("not divided by", b),
                f"the division by {b} is left out everywhere",
            )
            yield edit(
                "product_for_quotient",
                f"{a} is multiplied by {b}, not divided",
                Rank.SIGN,
                "_0 * _1",
                ("times", b),
                f"{b} multiplies everywhere, where it should divide",
            )
            yield edit(
                "quotient_reversed", f"{b} is divided by {a}, not the other way round", Rank.SIGN, "_1 / _0"
            )
            yield edit("divided_twice", f"{a} is divided by {b} twice", Rank.PUT_IN, "_0 / _1 / _1")
            yield edit(
                "divided_by_root",
                f"{a} is divided by the square root of {b}, not by {b} itself",
                Rank.OTHER,
                "_0 / _1 ** 0.5",
            )
            yield edit(
                "difference_for_quotient",
                f"{b} is subtracted from {a}, not divided by",
                Rank.OTHER,
                "_0 - _1",
            )
            yield edit(
                "dividend_left_out",
                f"one is divided by {b}, where {a} should be",
                Rank.LEFT_OUT + 0.5,
                "1 / _1",
            )
            yield edit(
                "whole_division",
                f"{a} is divided by {b} in whole numbers: the remainder is lost",
                Rank.OTHER,
                "_0 // _1",
            )
            for id, noun, text in (
                ("divided_by_total", "one sum of all entries", "_0 / _1.sum()"),
                ("divided_by_mean", "one mean of all entries", "_0 / _1.mean()"),
                ("divided_by_largest", "the largest entry", "_0 / _1.max()"),
            ):
                yield edit(id, f"{a} is divided by {noun} of {b}, not entry by entry", Rank.OTHER, text)
            yield edit(
                "divided_by_absolute",
                f"{a} is divided by the absolute value of {b}",
                Rank.RARE,
                "_0 / abs(_1)",
            )
        case ast.FloorDiv():
            yield edit("true_division", f"{a} is divided by {b} without rounding down", Rank.OTHER, "_0 / _1")
            yield edit("divisor_left_out", f"{a} is not divided by {b}", Rank.LEFT_OUT, "_0")
        case ast.Pow():
            yield from _power(context, node, a, b, edit)


def _power(context: Context, node: Node, a: str, b: str, edit: Any) -> Iterator[Edit]:
    tree = node.tree_as(ast.BinOp)
    exponent = context.observed.value(context.number(tree.right)) if context.known(tree.right) else None
    if isinstance(exponent, int | float):
        for id, says, text in (
            ("power_left_out", f"{a} is not raised to the power {exponent:g}", "_0"),
            ("power_negative", f"{a} is raised to the power {-exponent:g}, not {exponent:g}", "_0 ** -_1"),
            (
                "power_doubled",
                f"{a} is raised to the power {2 * exponent:g}, not {exponent:g}",
                "_0 ** (2 * _1)",
            ),
            (
                "power_halved",
                f"{a} is raised to the power {exponent / 2:g}, not {exponent:g}",
                "_0 ** (_1 / 2)",
            ),
            ("multiple_for_power", f"{a} is multiplied by {exponent:g}, not raised to that power", "_0 * _1"),
            (
                "power_higher",
                f"{a} is raised to the power {exponent + 1:g}, not {exponent:g}",
                "_0 ** (_1 + 1)",
            ),
            (
                "absolute_for_power",
                f"the absolute value of {a} stands in the place of its power {exponent:g}",
                "abs(_0)",
            ),
        ):
            yield edit(
                id, says, Rank.CONSTANT, text, (id, exponent), f"{says.replace(a, 'the base', 1)}, everywhere"
            )
    else:
        yield edit("power_left_out", f"{a} is not raised to a power", Rank.LEFT_OUT, "_0")
        yield edit("power_negative", f"the exponent over {a} has the other sign", Rank.SIGN, "_0 ** -_1")
        base = context.observed.value(context.number(tree.left)) if context.known(tree.left) else None
        if isinstance(base, int | float) and base > 0:
            for id, share, power in (("power_halved", "half", 0.5), ("power_doubled", "twice", 2.0)):
                # One function in two ways: it is told so that both who wrote the one and the other know it.
                says = f"the exponent over {base:g} is {share} of what it should be, or {base**power:g} is its base"
                yield edit(id, says, Rank.SIGN, f"_0 ** (_1 * {power})")
        yield edit("power_reversed", "base and exponent are exchanged", Rank.EXCHANGED, "_1 ** _0")
        yield edit(
            "multiple_for_power",
            f"{a} is multiplied by the exponent, not raised to it",
            Rank.OTHER,
            "_0 * _1",
        )


def _regrouped(context: Context, node: Node) -> Iterator[Edit]:
    """Brackets set elsewhere: a + b·c for (a + b)·c, and so on."""
    tree = node.tree_as(ast.BinOp)
    outer = _SIGNS.get(type(tree.op))
    for side in ("left", "right"):
        inner = getattr(tree, side)
        if not isinstance(inner, ast.BinOp) or outer is None:
            continue
        sign = _SIGNS.get(type(inner.op))
        if sign is None or {outer, sign} in ({"+"}, {"*"}, {"@"}):
            continue
        text = f"_0 {sign} (_1 {outer} _2)" if side == "left" else f"(_0 {outer} _1) {sign} _2"
        parts = context.say(tree)
        make = _pieces_left(text) if side == "left" else _pieces_right(text)
        yield Edit(
            "brackets",
            f"in {parts}, an operation reaches over too much or too little: the brackets are set elsewhere",
            Rank.SCOPE,
            only(node.number, make),
        )


def _pieces_left(text: str) -> Make:
    return lambda n: new(text, n.left.left, n.left.right, n.right) if isinstance(n.left, ast.BinOp) else n


def _pieces_right(text: str) -> Make:
    return lambda n: new(text, n.left, n.right.left, n.right.right) if isinstance(n.right, ast.BinOp) else n
