"""The other direction: the smallest for the largest, ascending for descending, another distance, another start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Operation, Rank, only
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Node

OTHER_END = {
    "argmax": "argmin",
    "argmin": "argmax",
    "max": "min",
    "min": "max",
    "amax": "amin",
    "amin": "amax",
    "maximum": "minimum",
    "minimum": "maximum",
}
LARGEST = frozenset(["argmax", "max", "amax", "maximum", "topk"])


def direction_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        match node.tree:
            case ast.Call(func=ast.Name(id="min" | "max" as name), args=[_, *_]):
                yield from _of_numbers(context, node, name)
            case ast.Call():
                operation = context.operation(node.tree)
                if operation is not None and operation.operand is not None:
                    yield from _of_tensors(context, node, operation, operation.operand)


def _of_tensors(context: Context, node: Node, operation: Operation, operand: ast.expr) -> Iterator[Edit]:
    name = operation.name
    if name in OTHER_END or name == "topk":
        largest = name in LARGEST
        taken, right = ("smallest", "largest") if largest else ("largest", "smallest")
        yield Edit(
            "other_end",
            f"the {taken} of {context.say(operand)} is taken, where the {right} belongs"
            if name != "topk"
            else f"the smallest of {context.say(operand)} are taken, where the largest belong",
            Rank.SIGN,
            only(node.number, _with_keyword("largest") if name == "topk" else _renamed(OTHER_END[name])),
        )
    elif name in ("sort", "argsort"):
        given = next((k.value for k in node.tree_as(ast.Call).keywords if k.arg == "descending"), None)
        falls = isinstance(given, ast.Constant) and bool(given.value)
        yield Edit(
            "other_end",
            f"{context.say(operand)} is sorted {'upwards' if falls else 'downwards'}, "
            f"not {'downwards' if falls else 'upwards'}",
            Rank.SIGN,
            only(node.number, _with_keyword("descending", not falls)),
        )
    elif name == "cdist":
        yield from _distances(context, node, operation, operand)
    elif name == "clone":
        start = context.say(operand)
        yield Edit(
            "starts_from_zeros",
            f"it starts from zeros, not from {start}: what is not filled in is zero",
            Rank.OTHER,
            only(node.number, lambda call: new("__ops__.torch.zeros_like(_0)", operation.operand_of(call))),
        )


def _distances(context: Context, node: Node, operation: Operation, operand: ast.expr) -> Iterator[Edit]:
    tree = node.tree_as(ast.Call)
    other = tree.args[operation.position(0)] if len(tree.args) > operation.position(0) else None
    if other is None:
        return
    both = f"{context.say(operand)} and {context.say(other)}"

    def make(text: str) -> Make:
        return lambda call: new(text, operation.operand_of(call), call.args[operation.position(0)])

    for id, says, text in (
        ("absolute_distance", "the sum of absolute differences", "__ops__.torch.cdist(_0, _1, p=1.0)"),
        ("largest_distance", "the largest difference", "__ops__.torch.cdist(_0, _1, p=float('inf'))"),
        ("product_for_distance", "the inner product", "-(_0 @ _1.mT)"),
        ("squared_distance", "the squared distance", "__ops__.torch.cdist(_0, _1) ** 2"),
    ):
        yield Edit(
            id,
            f"{says} of {both} is taken, where their distance belongs",
            Rank.OTHER,
            only(node.number, make(text)),
        )


def _of_numbers(context: Context, node: Node, name: str) -> Iterator[Edit]:
    """Python's own min(a, b)."""
    tree = node.tree_as(ast.Call)
    yield Edit(
        "other_end",
        f"the {OTHER_END[name]}imum is taken, where the {name}imum belongs",
        Rank.SIGN,
        only(node.number, lambda call: ast.Call(ast.Name(OTHER_END[name], ast.Load()), call.args, [])),
    )
    if len(tree.args) != 2:
        return
    for kept, gone in ((0, 1), (1, 0)):
        yield Edit(
            "bound_left_out",
            f"{context.say(tree.args[kept])} is not limited by {context.say(tree.args[gone])}",
            Rank.LEFT_OUT,
            only(node.number, _argument(kept)),
        )


def _argument(place: int) -> Make:
    return lambda call: call.args[place]


def _renamed(name: str) -> Make:
    def make(call: ast.Call) -> ast.Call:
        assert isinstance(call.func, ast.Attribute)
        func = ast.Attribute(value=call.func.value, attr=name, ctx=ast.Load())
        return ast.Call(func=func, args=call.args, keywords=call.keywords)

    return make


def _with_keyword(name: str, value: bool = False) -> Make:
    def make(call: ast.Call) -> ast.Call:
        others = [keyword for keyword in call.keywords if keyword.arg != name]
        return ast.Call(call.func, call.args, [*others, ast.keyword(name, ast.Constant(value))])

    return make
