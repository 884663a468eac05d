"""Elementwise functions: left out, taken twice, or another of the same role."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make

_SQUASH = ("tanh", "sigmoid", "relu", "gelu", "silu", "softplus", "leaky_relu", "elu", "exp", "abs")
_LOGS = ("log", "log2", "log10", "log1p", "exp", "sqrt")
_ROOTS = ("sqrt", "rsqrt", "square", "reciprocal", "log", "exp", "abs")
ROLES = {
    **dict.fromkeys(("tanh", "sigmoid", "relu", "gelu", "silu", "softplus", "leaky_relu", "elu"), _SQUASH),
    **dict.fromkeys(("log", "log2", "log10", "log1p"), _LOGS),
    **dict.fromkeys(
        ("exp", "exp2", "expm1"), ("exp", "exp2", "expm1", "sigmoid", "softplus", "log", "square", "relu")
    ),
    **dict.fromkeys(("sqrt", "rsqrt", "square", "reciprocal"), _ROOTS),
    "abs": ("square", "relu", "negative"),
    "sin": ("cos", "tanh"),
    "cos": ("sin", "tanh"),
    "neg": ("abs",),
    "negative": ("abs",),
    "floor": ("round",),
    "round": ("floor",),
    "sign": ("tanh",),
}
TITLES = {
    "exp": "exponential",
    "exp2": "power of two",
    "elu_and_one": "elu plus one",
    "expm1": "exponential less one",
    "log": "natural logarithm",
    "log2": "logarithm to base 2",
    "log10": "logarithm to base 10",
    "log1p": "logarithm of one more",
    "sqrt": "square root",
    "rsqrt": "inverse square root",
    "square": "square",
    "abs": "absolute value",
    "sin": "sine",
    "cos": "cosine",
    "negative": "negative",
    "neg": "negative",
    "reciprocal": "reciprocal",
}


def title(name: str) -> str:
    return TITLES.get(name, name)


def elementwise_edits(context: Context) -> Iterator[Edit]:
    """For torch.tanh(x), x.tanh(), F.relu(x), math.sqrt(x)."""
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if operation is None or operation.name not in ROLES or operation.operand is None:
            continue
        assert isinstance(node.tree, ast.Call)
        name, inner = operation.name, operation.operand_of
        thing = context.say(operation.operand)
        of = title(name) if thing.endswith("is taken of") else f"{title(name)} of {thing}"
        yield Edit(
            f"{name}_left_out",
            f"the {of} is left out",
            Rank.LEFT_OUT,
            only(node.number, inner),
            ("left out", name),
            f"every {title(name)} is left out",
        )
        yield Edit(
            f"{name}_twice",
            f"the {of} is taken twice",
            Rank.PUT_IN,
            only(node.number, _again(name)),
        )
        for other in ROLES[name]:
            if other != name:
                yield Edit(
                    f"{other}_for_{name}",
                    f"{article(title(other))} stands in the place of the {of}",
                    Rank.OTHER,
                    only(node.number, _other(other, inner)),
                    (other, "for", name),
                    f"{article(title(other))} stands in the place of every {title(name)}",
                )
    yield from _given_functions(context)


def _given_functions(context: Context) -> Iterator[Edit]:
    """A function that is handed over as an argument: its call left out, or another in its place."""
    for node in context.program.nodes:
        match node.tree:
            case ast.Call(func=ast.Name(id=name), args=[operand]) if name in context.program.parameters:
                of = f"{name} of {context.say(operand)}"
                yield Edit(
                    "function_left_out",
                    f"{name} is not applied",
                    Rank.LEFT_OUT,
                    only(node.number, lambda c: c.args[0]),
                )
                yield Edit(
                    "function_twice",
                    f"the {of} is taken twice",
                    Rank.PUT_IN,
                    only(node.number, lambda c: new("_0(_1)", c.func, c)),
                )
                for other in _SQUASH:
                    yield Edit(
                        f"{other}_for_function",
                        f"{article(title(other))} is applied in the place of {name}",
                        Rank.OTHER,
                        only(node.number, _other(other, lambda c: c.args[0])),
                    )


def article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _again(name: str) -> Make:
    known = {"neg": "negative"}.get(name, name)
    return lambda call: new(f"__ops__.activate({known!r}, _0)", call)


def _other(other: str, inner: Make) -> Make:
    return lambda call: new(f"__ops__.activate({other!r}, _0)", inner(call))


# ---------------------------------------------------------------- derivatives


def derivative_edits(context: Context) -> Iterator[Edit]:
    """y (1 − y), the sigmoid's derivative by its own value, for 1 − y², the tanh's, and the other way round."""
    for node in context.program.nodes:
        match node.tree:
            case ast.BinOp(left=left, op=ast.Mult(), right=ast.BinOp(op=ast.Sub(), right=value) as rest):
                if _is_one(rest.left) and _ends_with(left, value):
                    yield Edit(
                        "tanh_derivative",
                        "the derivative is taken as that of a tanh, 1 − y², where that of the sigmoid, y (1 − y), belongs",
                        Rank.OTHER,
                        only(node.number, _as_of_tanh),
                    )
            case ast.BinOp(
                left=one, op=ast.Sub(), right=ast.BinOp(op=ast.Pow(), right=ast.Constant(value=2))
            ):
                if _is_one(one):
                    yield Edit(
                        "sigmoid_derivative",
                        "the derivative is taken as that of a sigmoid, y (1 − y), where that of the tanh, 1 − y², belongs",
                        Rank.OTHER,
                        only(node.number, lambda n: new("_0 * (1 - _0)", n.right.left)),
                    )


def _is_one(tree: ast.AST) -> bool:
    return isinstance(tree, ast.Constant) and tree.value == 1


def _ends_with(product: ast.expr, value: ast.expr) -> bool:
    """y, or something times y."""
    last = product.right if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult) else product
    return ast.dump(last) == ast.dump(value)


def _as_of_tanh(tree: ast.BinOp) -> ast.expr:
    square = tree.right
    assert isinstance(square, ast.BinOp)
    derivative = new("1 - _0 ** 2", square.right)
    before = tree.left
    if isinstance(before, ast.BinOp) and ast.dump(before) != ast.dump(square.right):
        return ast.BinOp(left=before.left, op=ast.Mult(), right=derivative)
    return derivative
