"""One slip of the mind that changes several places: weights exchanged, a term that enters early, an old state."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.line_template import constant, new, nothing, several, wrapped
from autograder.diagnose.program import Make, Node

SHARES = (0.0, 0.01, 0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 1.0)


def idea_edits(context: Context) -> Iterator[Edit]:
    yield from _constants_exchanged(context)
    yield from _counted_numbers(context)
    yield from _old_arguments(context)
    for node in context.program.nodes:
        match node.tree:
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                yield from _weights_exchanged(context, node)
                yield from _enters_early(context, node)
            case ast.BinOp(op=ast.Div()):
                yield from _divided_by_length(context, node)
            case ast.For():
                yield from _never_updated(context, node)
            case ast.Assign(targets=[ast.Name(id=name)]):
                yield from _not_reset(context, node, name)
            case ast.Call():
                yield from _left_out(context, node)
            case ast.Subscript():
                yield from _halves(context, node)


def _constants_exchanged(context: Context) -> Iterator[Edit]:
    """0.9 and 0.1 exchanged, or another share and its rest in their places."""
    places: dict[float, list[int]] = {}
    for node in context.program.nodes:
        if isinstance(node.tree, ast.Constant) and isinstance(node.tree.value, float):
            places.setdefault(node.tree.value, []).append(node.number)
    for a, b in itertools.combinations(places, 2):
        swapped = {n: constant(b) for n in places[a]} | {n: constant(a) for n in places[b]}
        yield Edit(
            "constants_exchanged", f"the constants {a:g} and {b:g} are exchanged", Rank.EXCHANGED, swapped
        )
        if abs(a + b - 1) > 1e-9:
            continue
        for share in SHARES:
            if share not in (a, b):
                rest = round(1 - share, 9)
                changes = {n: constant(share) for n in places[a]} | {n: constant(rest) for n in places[b]}
                yield Edit(
                    "another_share",
                    f"the weights are {share:g} and {rest:g} where {a:g} and {b:g} belong",
                    Rank.CONSTANT,
                    changes,
                )


def _counted_numbers(context: Context) -> Iterator[Edit]:
    """A number that is an argument, taken one too high or too low wherever it is read."""
    for name, seen in context.observed.parameters.items():
        if not all(s is not None and s.kind == "number" for s in seen):
            continue
        reads = [
            node.number
            for node in context.program.nodes
            if node.function == 0
            and isinstance(node.tree, ast.Name)
            and node.tree.id == name
            and isinstance(node.tree.ctx, ast.Load)
        ]
        for by, word in ((1, "one more"), (-1, "one less")):
            text = f"_0 + {by}" if by > 0 else "_0 - 1"
            for numbers, where in [
                (reads, ", wherever it is read"),
                *(([r], " in one place") for r in reads),
            ]:
                yield Edit(
                    "number_off_by_one",
                    f"{word} than {name} is used{where}",
                    Rank.INDEX + (0 if len(numbers) == len(reads) else 1),
                    {number: wrapped(text) for number in numbers},
                )


def _old_arguments(context: Context) -> Iterator[Edit]:
    """An argument is updated, and then the old one read; or the state that was to be read is the new one."""
    for name in context.program.parameters:
        stores = [n for n in context.program.nodes if n.function == 0 and _stores(n.tree, name)]
        if not stores:
            continue
        keep = f"__old_{name}"
        first = min(store.number for store in stores)
        reads = [
            node
            for node in context.program.nodes
            if node.function == 0
            and isinstance(node.tree, ast.Name)
            and node.tree.id == name
            and isinstance(node.tree.ctx, ast.Load)
            and node.number > first
        ]
        for chosen in ([reads] if len(reads) > 1 else []) + [[read] for read in reads]:
            changes: dict[int, Make] = {read.number: _named(keep) for read in chosen}
            changes[0] = _remembering(keep, name)
            yield Edit(
                "old_value",
                f"{name} as it was given is used where its new value belongs",
                Rank.INDEX + (0 if len(chosen) == len(reads) else 0.5),
                changes,
            )


def _stores(tree: ast.AST, name: str) -> bool:
    return isinstance(tree, ast.Name) and tree.id == name and isinstance(tree.ctx, ast.Store)


def _named(name: str) -> Make:
    return lambda tree: ast.Name(name, ast.Load())


def _remembering(keep: str, name: str) -> Make:
    def make(function: ast.FunctionDef) -> ast.FunctionDef:
        remember = ast.parse(f"{keep} = {name}").body[0]
        return ast.FunctionDef(
            name=function.name, args=function.args, body=[remember, *function.body], decorator_list=[]
        )

    return make


def _weights_exchanged(context: Context, node: Node) -> Iterator[Edit]:
    """a·x + b·y becomes b·x + a·y."""
    tree = node.tree_as(ast.BinOp)
    one, two = _product(tree.left), _product(tree.right)
    if one is None or two is None:
        return
    x, y = context.say(one.right), context.say(two.right)

    def make(n: ast.BinOp) -> ast.BinOp:
        a, b = n.left, n.right
        assert isinstance(a, ast.BinOp)
        assert isinstance(b, ast.BinOp)
        left = ast.BinOp(left=b.left, op=a.op, right=a.right)
        right = ast.BinOp(left=a.left, op=b.op, right=b.right)
        return ast.BinOp(left=left, op=n.op, right=right)

    yield Edit(
        "weights_exchanged",
        f"what multiplies {x} and what multiplies {y} are exchanged",
        Rank.EXCHANGED,
        only(node.number, make),
        "weights exchanged",
        "in every sum of two products, what multiplies the one multiplies the other",
    )


def _product(tree: ast.expr) -> ast.BinOp | None:
    found = isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult | ast.MatMult)
    return tree if found and isinstance(tree, ast.BinOp) else None


def _enters_early(context: Context, node: Node) -> Iterator[Edit]:
    """x·y + b becomes (x + b)·y or x·(y + b): the term comes in before a product is taken."""
    tree = node.tree_as(ast.BinOp)
    sign = "+" if isinstance(tree.op, ast.Add) else "-"
    for side, other in (("left", tree.right), ("right", tree.left)):
        spine: object = getattr(tree, side)
        if not isinstance(spine, ast.BinOp) or not isinstance(spine.op, ast.MatMult | ast.Mult | ast.Div):
            continue
        if side == "right" and sign == "-":
            continue
        product = _product(spine.left)
        if isinstance(spine.op, ast.MatMult) and product is not None and side == "left":
            yield Edit(
                "term_enters_early",
                f"{context.say(other)} comes in too early, before the product with {context.say(product.left)} is taken",
                Rank.SCOPE,
                only(node.number, _reassociated(sign)),
            )
        for factor in _factors_of(spine):
            if not context.known(factor):
                continue
            says = f"{context.say(other)} comes in too early: it is added to {context.say(factor)}, before the product is taken"
            yield Edit(
                "term_enters_early",
                says if sign == "+" else says.replace("added to", "subtracted from"),
                Rank.SCOPE,
                {context.number(factor): _plus(sign, other), node.number: _side(side)},
                ("early", context.say(other)),
                "",
            )


def _reassociated(sign: str) -> Make:
    """(a b) c + d becomes a (b c + d)."""
    text = f"_0 @ (_1 @ _2 {sign} _3)"
    return lambda n: new(text, n.left.left.left, n.left.left.right, n.left.right, n.right)


def _factors_of(tree: ast.expr) -> Iterator[ast.expr]:
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult | ast.Mult | ast.Div):
        for inner in (tree.left, tree.right):
            yield inner
            yield from _factors_of(inner)


def _plus(sign: str, other: ast.expr) -> Make:
    return lambda tree: new(f"_0 {sign} _1", tree, other)


def _side(side: str) -> Make:
    return lambda tree: getattr(tree, side)


def _divided_by_length(context: Context, node: Node) -> Iterator[Edit]:
    tree = node.tree_as(ast.BinOp)
    if context.observed.kind(node.number) != "tensor":
        return
    a, b = context.say(tree.left), context.say(tree.right)
    for name in context.observed.names:
        for power, words in ((1.0, name), (0.5, f"√{name}")):
            yield Edit(
                "divided_by_length",
                f"{a} is divided by {words}, not by {b}",
                Rank.OTHER,
                only(node.number, _over_length(name, power)),
            )


def _over_length(name: str, power: float) -> Make:
    return lambda tree: new(f"_0 / __sizes__[{name!r}] ** {power}", tree.left)


def _never_updated(context: Context, node: Node) -> Iterator[Edit]:
    """Every round of a loop reads the state as it was before the loop."""
    tree = node.tree_as(ast.For)
    for name in sorted(_carried(tree)):
        keep = f"__first_{name}"
        reads = [
            inner.number
            for inner in context.program.under(node)
            if isinstance(inner.tree, ast.Name)
            and inner.tree.id == name
            and isinstance(inner.tree.ctx, ast.Load)
            and _is_in_update(context, inner, name)
        ]
        if not reads:
            continue
        changes: dict[int, Make] = {number: _named(keep) for number in reads}
        changes[node.number] = _kept_before(keep, name)
        yield Edit(
            "state_never_updated",
            f"every step of the loop starts from {_start(context, node, name)}, not from what the step before gave",
            Rank.STATEMENT - 4,
            changes,
            "never updated",
            "every step of every loop starts anew, not from what the step before gave",
        )


def _start(context: Context, loop: Node, name: str) -> str:
    """What a name is bound to before a loop, in words."""
    bound = [
        node.tree.value
        for node in context.program.nodes
        if node.number < loop.number
        and node.function == loop.function
        and isinstance(node.tree, ast.Assign)
        and any(_stores(target, name) for target in node.tree.targets)
    ]
    if bound:
        return context.say(bound[-1])
    return name if name in context.program.parameters else "the first state"


def _carried(loop: ast.For) -> set[str]:
    """The names that a round reads and binds."""
    return {
        target.id
        for statement in ast.walk(loop)
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
        and any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(statement.value))
    }


def _is_in_update(context: Context, node: Node, name: str) -> bool:
    return any(
        isinstance(above.tree, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == name for t in above.tree.targets)
        for above in context.program.above(node)
    )


def _kept_before(keep: str, name: str) -> Make:
    return lambda loop: several(ast.parse(f"{keep} = {name}").body[0], loop)


def _not_reset(context: Context, node: Node, name: str) -> Iterator[Edit]:
    """A name that is bound for the second time, not from itself: the first binding stays."""
    tree = node.tree_as(ast.Assign)
    if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(tree.value)):
        return
    earlier = any(
        other.number < node.number and other.function == node.function and _stores(other.tree, name)
        for other in context.program.nodes
    )
    if earlier or (node.function == 0 and name in context.program.parameters):
        yield Edit(
            "not_reset",
            "what was computed before is carried over, where a value should begin anew",
            Rank.STATEMENT,
            only(node.number, lambda statement: nothing()),
        )


SPOKEN = {
    "inv": "inverse",
    "inverse": "inverse",
    "pinv": "inverse",
    "diag": "diagonal matrix",
    "tril": "triangular mask",
    "triu": "triangular mask",
    "masked_fill": "mask",
    "clamp": "bound",
    "clip": "bound",
    "clamp_min": "lower bound",
    "dropout": "dropout",
    "diagonal": "diagonal",
    "cholesky": "Cholesky factor",
    "where": "case distinction",
    "pad": "padding",
    "round": "rounding",
    "floor": "rounding down",
    "det": "determinant",
    "trace": "trace",
    "sort": "sorting",
    "outer": "outer product",
}


def _left_out(context: Context, node: Node) -> Iterator[Edit]:
    """Any other function of a tensor left out, its operand in its place."""
    operation = context.operation(node.tree)
    if operation is None or operation.name not in SPOKEN or operation.operand is None:
        return
    call = node.tree_as(ast.Call)
    noun = SPOKEN[operation.name]
    for position, argument in enumerate(call.args if operation.name == "where" else [operation.operand]):
        if not context.known(argument):
            continue
        make: Make = _argument(position) if operation.name == "where" else operation.operand_of
        yield Edit(
            f"{operation.name}_left_out",
            f"the {noun} is left out: {context.say(argument)} is used as it is",
            Rank.LEFT_OUT,
            only(node.number, make),
            ("left out", operation.name),
            f"the {noun} is left out everywhere",
        )


def _argument(position: int) -> Make:
    return lambda call: call.args[position]


def _halves(context: Context, node: Node) -> Iterator[Edit]:
    """Every second entry becomes a half: 0::2 the first, 1::2 the second."""
    tree = node.tree_as(ast.Subscript)
    items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    last = items[-1]
    if not isinstance(last, ast.Slice) or not isinstance(last.step, ast.Constant) or last.step.value != 2:
        return
    odd = isinstance(last.lower, ast.Constant) and last.lower.value == 1
    axis = len(items) - 1 if not any(_is_ellipsis(item) for item in items) else -1

    def make(n: ast.Subscript) -> ast.Subscript:
        half = new(f"_0.shape[{axis}] // 2", n.value)
        part = ast.Slice(half, None, None) if odd else ast.Slice(None, half, None)
        own = n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice]
        whole = [*own[:-1], part]
        inner = ast.Tuple(whole, ast.Load()) if len(whole) > 1 else whole[0]
        return ast.Subscript(value=n.value, slice=inner, ctx=n.ctx)

    yield Edit(
        "halves",
        f"a half of {context.say(tree.value)} is used where every second entry belongs",
        Rank.LAYOUT,
        only(node.number, make),
        "halves",
        "halves are used where every second entry belongs",
    )


def _is_ellipsis(tree: ast.AST) -> bool:
    return isinstance(tree, ast.Constant) and tree.value is Ellipsis
