"""What is put in: a factor of an axis, a mask, an activation, a normalisation; and entries laid out otherwise."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Hashable, Iterator
from typing import Any

from autograder.diagnose.edits.axes import AlongAxes
from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.edits.elementwise import article, title
from autograder.diagnose.expression_words import VIEWS, vagueness
from autograder.diagnose.line_template import new, wrapped
from autograder.diagnose.program import Make, Node

ACTIVATIONS = ("relu", "tanh", "sigmoid", "exp", "abs", "square", "sqrt", "log", "negative", "softplus")
POWERS = ((-0.5, "1/√{}"), (-1.0, "1/{}"), (0.5, "√{}"), (1.0, "{}"))
FACTORS = (
    (0.5, "1/2"),
    (2.0, "2"),
    (1.4426950408889634, "1/ln 2"),
    (0.4342944819032518, "1/ln 10"),
    (6.283185307179586, "2π"),
    (3.141592653589793, "π"),
)


def wrap_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        if not _is_place(context, node):
            continue
        thing = context.say(node.tree)
        if context.observed.floating(node.number):
            if not _is_factor(context, node):
                yield from _scaled(context, node, thing)
                yield from _offset(node, thing)
            yield from _activated(context, node, thing)
            yield from _replaced(context, node, thing)
            yield from _residual(context, node, thing)
            yield from _normalised(context, node, thing)
            yield from _masked(context, node, thing)
            yield from _reduced(context, node, thing)
        yield from _moved(context, node, thing)
        yield from _laid_out(context, node, thing)
    yield from _views(context)


def _is_place(context: Context, node: Node) -> bool:
    """Tensors that something is done with; a name stands for its value where it is read more than once."""
    if node.number not in context.observed.seen or context.observed.rank(node.number) is None:
        return False
    tree: object = node.tree
    if isinstance(tree, ast.Constant) or isinstance(getattr(tree, "ctx", None), ast.Store):
        return False
    parent = context.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr in (
        "shape",
        "dtype",
        "ndim",
        "device",
    ):
        return False
    above = context.parent(node)
    if (
        isinstance(above, ast.Call)
        and isinstance(above.func, ast.Name)
        and above.func.id in ("len", "range", "enumerate")
    ):
        return False
    if isinstance(tree, ast.Name):
        if tree.id in context.program.parameters or _times_read(context, tree.id, node.function) > 1:
            return True
        return context.phrases.is_piece(node.function, tree.id)
    return True


def _times_read(context: Context, name: str, function: int) -> int:
    return sum(
        isinstance(node.tree, ast.Name) and node.tree.id == name and isinstance(node.tree.ctx, ast.Load)
        for node in context.program.nodes
        if node.function == function
    )


def _is_factor(context: Context, node: Node) -> bool:
    """A factor of a product: whatever multiplies it multiplies the product as well."""
    parent = context.parent(node)
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, ast.MatMult) or (
            isinstance(parent.op, ast.Mult | ast.Div) and node.field == "left"
        )
    if isinstance(parent, ast.Attribute):
        return parent.attr in VIEWS
    return False


def _scaled(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    summed = _summed_over(context, node)
    for name in context.observed.names:
        for power, words in POWERS:
            factor = words.format(name)
            yield Edit(
                "product_averaged" if name in summed and power == -1.0 else "axis_factor",
                f"a factor {factor} too much is on {thing}",
                Rank.PUT_IN - 0.5 * (power == -0.5) - 2 * vagueness(thing),  # the outermost place is told
                only(node.number, wrapped(f"_0 * __sizes__[{name!r}] ** {power}")),
            )
    axes = context.observed.axes(node.number)
    if len(axes) > 1 and all(name in context.observed.names for name in axes):
        product = " * ".join(f"__sizes__[{name!r}]" for name in axes)
        yield Edit(
            "axis_factor",
            f"a factor 1/({'·'.join(axes)}) too much is on {thing}",
            Rank.PUT_IN - 2 * vagueness(thing),
            only(node.number, wrapped(f"_0 / ({product})")),
        )
    for number, factor in FACTORS:
        yield Edit(
            "factor",
            f"a factor {factor} too much is on {thing}",
            Rank.PUT_IN + 1 - 2 * vagueness(thing),
            only(node.number, wrapped(f"_0 * {number}")),
        )


def _summed_over(context: Context, node: Node) -> set[str]:
    """The axes that a product sums over: students divide by their lengths more than by others."""
    match node.tree:
        case ast.BinOp(left=left, op=ast.MatMult(), right=right):
            factors = [left, right]
        case ast.Call(func=ast.Attribute(attr="einsum"), args=[_, *args]):
            factors = args
        case _:
            factors = []
    own = context.observed.axes(node.number)
    known = [context.number(factor) for factor in factors if context.known(factor)]
    return {name for number in known for name in context.observed.axes(number) if name not in own}


def _offset(node: Node, thing: str) -> Iterator[Edit]:
    for by, says in (
        (1, "one is added to {}, which nothing asks for"),
        (-1, "one is subtracted from {}, which nothing asks for"),
    ):
        # Where a term of ones is missing, in one use of it say, that is what is told.
        yield Edit("extra_one", says.format(thing), Rank.RARE + 2, only(node.number, wrapped(f"_0 + {by}")))


def _residual(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    """An argument of the same shape added to what is kept or returned."""
    if not isinstance(context.parent(node), ast.Assign | ast.Return | ast.Tuple) or node.function != 0:
        return
    for name, seen in context.observed.parameters.items():
        shapes = [s.shape for s in seen if s is not None and s.kind == "tensor" and s.floating]
        if shapes and shapes == context.observed.shapes(node.number) and name != thing:
            yield Edit(
                "extra_residual",
                f"{name} is added to {thing}, which nothing asks for",
                Rank.PUT_IN,
                only(node.number, wrapped(f"_0 + {name}")),
            )


def _is_read_again(context: Context, node: Node) -> bool:
    """Whether a name is read in another place, which an edit of this one leaves as it is."""
    if not isinstance(node.tree, ast.Name):
        return False
    same = (each.tree for each in context.program.nodes if each.function == node.function)
    reads = [
        t for t in same if isinstance(t, ast.Name) and t.id == node.tree.id and isinstance(t.ctx, ast.Load)
    ]
    return len(reads) > 1


def _replaced(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    shapes = context.observed.shapes(node.number)
    use = ", in one of its uses" if _is_read_again(context, node) else ""
    if all(len(shape) > 1 and shape[-1] == shape[-2] for shape in shapes):
        yield Edit(
            "identity_instead",
            f"it is as if {thing} were the identity{use}",
            Rank.REPLACED,
            only(node.number, wrapped("__ops__.identity_like(_0)")),
        )
    yield Edit(
        "ones_instead",
        f"it is as if every entry of {thing} were 1{use}",
        Rank.OTHER + 1,
        only(node.number, wrapped("_0 * 0 + 1")),
    )
    yield Edit(
        "zeros_instead",
        f"it is as if every entry of {thing} were 0{use}",
        Rank.OTHER + 1,
        only(node.number, wrapped("_0 * 0")),
    )


def _activated(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    for name in ACTIVATIONS:
        noun = title(name)
        says = (
            f"{thing} has the other sign"
            if name == "negative"
            else f"{article(noun)} of {thing} is taken that nothing asks for"
        )
        yield Edit(
            f"extra_{name}",
            says,
            Rank.PUT_IN + (0 if name in ("relu", "tanh", "sigmoid", "negative") else 2),
            only(node.number, wrapped(f"__ops__.activate({name!r}, _0)")),
        )


def _normalised(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    rank = context.observed.rank(node.number) or 0
    for axis in range(rank):
        where = context.axis(node.number, axis)
        for id, says, text in (
            (
                "extra_softmax",
                "a softmax over {} of {} is taken that nothing asks for",
                f"__ops__.softmax(_0, {axis})",
            ),
            (
                "extra_sum_to_one",
                "{1} is divided by its sum over {0}, which nothing asks for",
                f"__ops__.share(_0, {axis})",
            ),
            (
                "extra_unit_norm",
                "{1} is divided by its norm over {0}, which nothing asks for",
                f"__ops__.unit(_0, {axis})",
            ),
            (
                "mean_everywhere",
                "it is as if every entry of {1} were the mean over {0}",
                f"_0.mean({axis}, keepdim=True).expand_as(_0)",
            ),
            (
                "sum_everywhere",
                "it is as if every entry of {1} were the sum over {0}",
                f"_0.sum({axis}, keepdim=True).expand_as(_0)",
            ),
            (
                "first_everywhere",
                "it is as if every entry of {1} were the first along {0}",
                f"_0.narrow({axis}, 0, 1).expand_as(_0)",
            ),
            (
                "last_everywhere",
                "it is as if every entry of {1} were the last along {0}",
                f"_0.narrow({axis}, _0.shape[{axis}] - 1, 1).expand_as(_0)",
            ),
        ):
            yield Edit(
                id,
                says.format(where, thing),
                Rank.PUT_IN + 3 + 4 * vagueness(thing),
                only(node.number, wrapped(text)),
                _idea(thing, id, where),
                f"{says.format(where, thing)}, wherever it is read",
            )


def _reduced(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    """An axis that goes on is lost on the way, or its first or last entry is."""
    rank = context.observed.rank(node.number) or 0
    if rank < 2 or isinstance(context.parent(node), ast.Return):
        return
    for axis in range(rank):
        where = context.axis(node.number, axis)
        for id, says, text in (
            ("axis_summed", f"{thing} is summed over {where}, which nothing asks for", f"_0.sum({axis})"),
            (
                "axis_averaged",
                f"{thing} is averaged over {where}, which nothing asks for",
                f"_0.mean({axis})",
            ),
            ("only_first", f"only the first entry of {thing} along {where} is used", f"_0.select({axis}, 0)"),
            (
                "without_last",
                f"the last entry of {thing} along {where} is left out",
                f"_0.narrow({axis}, 0, _0.shape[{axis}] - 1)",
            ),
            (
                "without_first",
                f"the first entry of {thing} along {where} is left out",
                f"_0.narrow({axis}, 1, _0.shape[{axis}] - 1)",
            ),
        ):
            yield Edit(id, says, Rank.RESULT + 1, only(node.number, wrapped(text)))


def _idea(thing: str, *about: Hashable) -> Hashable:
    """The same done wherever a thing is read; what has no name of its own may be several things."""
    return None if vagueness(thing) else (thing, *about)


def _is_table(shape: tuple[int, ...]) -> bool:
    """Whether the last axis is as long as those before it together: every pair of places has an entry."""
    return any(math.prod(shape[first:-1]) == shape[-1] for first in range(len(shape) - 1))


def _axis_looked_at(context: Context, node: Node) -> int | None:
    """The axis, from the end, over which a softmax of this node runs: that of the positions looked at."""
    parent = context.parent(node)
    taken = context.operation(parent) if parent is not None else None
    if parent is None or taken is None or taken.operand is not node.tree:
        return None
    if taken.name not in ("softmax", "log_softmax") or not isinstance(parent, ast.Call):
        return None
    along = AlongAxes.read(context, parent, taken)
    axes = along.current() if along else None
    if along is None or axes is None or len(axes) != 1:
        return None
    return axes[0] if along.rank is None else axes[0] - along.rank


def _hidden_words(thing: str, side: str, itself: bool, zero: bool, looked_at: int | None) -> str:
    """What is hidden above or below the diagonal; who looks and who is looked at, only a softmax tells."""
    if zero or looked_at not in (-1, -2):
        done, edge = "set to zero" if zero else "masked", " and on" if itself else ""
        return f"{thing} is {done} {side}{edge} its diagonal, which nothing asks for"
    which = "later" if (side == "above") == (looked_at == -1) else "earlier"
    same = " and the same one" if itself else ""
    return f"a mask hides {which} positions{same} in {thing}, which nothing asks for"


def _masked(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    shapes = context.observed.shapes(node.number)
    if (context.observed.rank(node.number) or 0) < 2 or not all(map(_is_table, shapes)):
        return
    square = all(shape[-2] == shape[-1] for shape in shapes)
    looked_at = _axis_looked_at(context, node)
    for keep, side in (("lower", "above"), ("upper", "below")):
        for diagonal in (0, -1 if keep == "lower" else 1):
            for fill in ("float('-inf')", "0.0"):
                zero, itself = fill == "0.0", diagonal != 0
                yield Edit(
                    "extra_mask",
                    _hidden_words(
                        thing, side, itself, zero, looked_at if square or looked_at == -1 else None
                    ),
                    Rank.PUT_IN + zero,
                    only(node.number, wrapped(f"__ops__.causal(_0, {keep!r}, {diagonal}, {fill})")),
                )
    yield Edit(
        "extra_mask",
        f"the diagonal of {thing} is masked: no position sees itself, which nothing asks for",
        Rank.PUT_IN,
        only(node.number, wrapped("__ops__.without_diagonal(_0, float('-inf'))")),
    )
    yield Edit(
        "extra_mask",
        f"the diagonal of {thing} is set to zero, which nothing asks for",
        Rank.PUT_IN + 1,
        only(node.number, wrapped("__ops__.without_diagonal(_0, 0.0)")),
    )
    yield Edit(
        "only_diagonal",
        f"only the diagonal of {thing} is used",
        Rank.PUT_IN + 2,
        only(node.number, wrapped("__ops__.only_diagonal(_0)")),
    )
    yield Edit(
        "symmetric",
        f"{thing} is made symmetric, which nothing asks for",
        Rank.PUT_IN + 2,
        only(node.number, wrapped("(_0 + __ops__.swapped(_0)) / 2")),
    )


def _moved(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    rank = context.observed.rank(node.number) or 0
    for axis in range(rank):
        where = context.axis(node.number, axis)
        yield Edit(
            "reversed",
            f"{thing} runs backwards along {where}",
            Rank.INDEX + 1,
            only(node.number, wrapped(f"_0.flip({axis})")),
            _idea(thing, "reversed", where),
            f"{thing} runs backwards along {where}, wherever it is read",
        )
        for by in (1, -1):
            word = "later" if by > 0 else "earlier"
            yield Edit(
                "shifted",
                f"{thing} is shifted along {where}: every entry stands one place {word}, zeros moving in",
                Rank.INDEX + 2,
                only(node.number, wrapped(f"__ops__.moved(_0, {by}, {axis})")),
                _idea(thing, "shifted", by, where),
                f"{thing} is shifted along {where}, wherever it is read: every entry stands one place {word}",
            )
            yield Edit(
                "rolled",
                f"{thing} is shifted along {where}: every entry stands one place {word}, and the last comes round",
                Rank.INDEX + 3,
                only(node.number, wrapped(f"_0.roll({by}, {axis})")),
            )


def _laid_out(context: Context, node: Node, thing: str) -> Iterator[Edit]:
    rank = context.observed.rank(node.number) or 0
    for a, b in itertools.combinations(range(rank), 2):
        pair = f"{context.axis(node.number, a)} and {context.axis(node.number, b)}"
        for id, says, text, level in (
            (
                "axes_exchanged",
                "{1} is used with {0} exchanged",
                f"_0.transpose({a}, {b})",
                Rank.TRANSPOSED,
            ),
            (
                "relaid",
                "the entries of {1} are laid out with {0} exchanged, in the old shape",
                f"__ops__.relaid(_0, {a}, {b})",
                Rank.LAYOUT,
            ),
            (
                "misread",
                "{1} is reshaped where {0} should be exchanged",
                f"__ops__.misread(_0, {a}, {b})",
                Rank.LAYOUT,
            ),
            (
                "reread",
                "{1} is reshaped as if {0} were exchanged",
                f"__ops__.reread(_0, {a}, {b})",
                Rank.LAYOUT,
            ),
        ):
            yield Edit(
                id,
                says.format(pair, thing),
                level + 0.5,
                only(node.number, wrapped(text)),
                _idea(thing, id, pair),
                f"{says.format(pair, thing)}, wherever it is read",
            )
    for axis in range(rank):
        where = context.axis(node.number, axis)
        yield Edit(
            "interleaved",
            f"it is as if the two halves of {thing} along {where} were woven into one another",
            Rank.LAYOUT + 1,
            only(node.number, wrapped(f"__ops__.interleave(_0, {axis})")),
        )
        yield Edit(
            "unwoven",
            f"the even places of {thing} along {where} come first, then the odd ones",
            Rank.LAYOUT + 1,
            only(node.number, wrapped(f"__ops__.unweave(_0, {axis})")),
        )


def _views(context: Context) -> Iterator[Edit]:
    """A transpose left out, or a reshape in its place."""
    for node in context.program.nodes:
        tree: Any = node.tree
        if node.number not in context.observed.seen:
            continue
        if isinstance(tree, ast.Attribute) and tree.attr in ("T", "mT"):
            inner: Make = lambda n: n.value  # noqa: E731
            thing = context.say(tree.value)
        else:
            operation = context.operation(tree)
            if operation is None or operation.name not in (
                "transpose",
                "permute",
                "t",
                "swapaxes",
                "movedim",
            ):
                continue
            inner, thing = operation.operand_of, context.say(tree)
        yield Edit(
            "transpose_left_out",
            f"{thing} is used without being transposed",
            Rank.TRANSPOSED,
            only(node.number, inner),
            "no transpose",
            "no transpose is taken anywhere",
        )
        yield Edit(
            "reshape_for_transpose",
            f"{thing} is reshaped where its axes should be exchanged",
            Rank.LAYOUT,
            only(node.number, lambda n, inner=inner: new("_0.reshape(_1.shape)", inner(n), n)),  # type: ignore[misc]
        )
