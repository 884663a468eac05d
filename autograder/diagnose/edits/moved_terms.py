"""Terms and factors in another place: moved to the other side of a sum, exchanged with a divisor, added to an argument,
run along another axis; counts of other axes; the complement of a share."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograder.diagnose.edits.arguments import at_entry
from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.edits.ideas import SPOKEN
from autograder.diagnose.line_template import new, several, wrapped
from autograder.diagnose.program import Make, Node

MOST_COUNTED = 4  # axes whose lengths are multiplied


def term_edits(context: Context) -> Iterator[Edit]:
    yield from _complements(context)
    yield from _counts(context)
    for node in context.program.nodes:
        match node.tree:
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                yield from _factor_moved(context, node)
                yield from _to_argument(context, node)
                yield from _to_result(context, node)
                yield from _along_another_axis(context, node)
            case ast.BinOp(op=ast.Div()):
                yield from _divisor_exchanged(context, node)
            case ast.BinOp(left=ast.BinOp(op=ast.Sub()), op=ast.Pow(), right=ast.Constant(value=2 | 2.0)):
                yield from _without_squares(context, node)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
                yield from _before_function(context, node, name)
            case ast.Call(func=ast.Attribute(attr="unfold")) if len(node.tree.args) == 3:
                yield from _windows(context, node)


def _is_number(context: Context, tree: ast.AST) -> bool:
    """A number, or a tensor of one entry."""
    if not context.known(tree):
        return False
    number = context.number(tree)
    return context.observed.kind(number) == "number" or context.observed.rank(number) == 0


def _complements(context: Context) -> Iterator[Edit]:
    """p where 1 − p belongs, and the other way round."""
    for name in context.program.parameters:
        reads = [
            node
            for node in context.program.nodes
            if node.function == 0
            and isinstance(node.tree, ast.Name)
            and node.tree.id == name
            and isinstance(node.tree.ctx, ast.Load)
            and _is_number(context, node.tree)
        ]
        rests = [read for read in reads if _is_rest(context, read)]
        if not rests or len(rests) == len(reads):
            continue
        changes: dict[int, Make] = {read.number: wrapped("1 - _0") for read in reads}
        yield Edit(
            "share_and_rest",
            f"{name} and 1 − {name} are exchanged",
            Rank.EXCHANGED,
            changes,
            "share and rest",
            "every share and its rest, what is left of 1, are exchanged",
        )
        for statement in dict.fromkeys(_statement(context, read) for read in reads):
            own = {n: make for n, make in changes.items() if statement.number <= n < statement.end}
            if 0 < len(own) < len(changes):
                says = f"{name} and 1 − {name} are exchanged in one place"
                yield Edit("share_and_rest", says, Rank.EXCHANGED + 0.5, own)


def _is_rest(context: Context, read: Node) -> bool:
    around = context.parent(read)
    return (
        isinstance(around, ast.BinOp)
        and isinstance(around.op, ast.Sub)
        and around.right is read.tree
        and isinstance(around.left, ast.Constant)
        and around.left.value == 1
    )


def _statement(context: Context, node: Node) -> Node:
    return next(each for each in context.program.above(node) if isinstance(each.tree, ast.stmt))


def _counts(context: Context) -> Iterator[Edit]:
    """A count of entries, such as N·H·W: the lengths of other axes multiplied."""
    names = context.observed.names
    if len(names) > MOST_COUNTED:
        return
    for node in context.program.nodes:
        right = context.observed.name_of_number(node.number) if context.known(node.tree) else ""
        if "·" not in right or isinstance(node.tree, ast.Constant):
            continue
        for count in (1, 2, 3):
            for chosen in itertools.combinations(names, count):
                words = "·".join(chosen)
                if words != right:
                    product = " * ".join(f"__sizes__[{name!r}]" for name in chosen)
                    yield Edit(
                        "another_count",
                        f"{words} is used where {right}, the number of entries, belongs",
                        Rank.CONSTANT,
                        only(node.number, wrapped(product)),
                        ("count", right, words),
                        f"{words} is used everywhere where {right}, the number of entries, belongs",
                    )


def _factors(tree: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The factors of a product, each with the path to it: l and r for left and right."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Mult):
        for step, side in (("l", tree.left), ("r", tree.right)):
            inner = list(_factors(side))
            yield from ((step + path, each) for path, each in inner)
            if not inner:
                yield step, side
    elif isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Div):
        inner = list(_factors(tree.left))
        yield from (("l" + path, each) for path, each in inner)


def _at(tree: ast.expr, path: str) -> ast.expr:
    for step in path:
        assert isinstance(tree, ast.BinOp)
        tree = tree.left if step == "l" else tree.right
    return tree


def _put(tree: ast.expr, path: str, value: ast.expr) -> ast.expr:
    if not path:
        return value
    assert isinstance(tree, ast.BinOp)
    left = _put(tree.left, path[1:], value) if path[0] == "l" else tree.left
    right = tree.right if path[0] == "l" else _put(tree.right, path[1:], value)
    return ast.BinOp(left=left, op=tree.op, right=right)


def _factor_moved(context: Context, node: Node) -> Iterator[Edit]:
    """a + f·b becomes f·a + b: the factor is on the other term, or on both."""
    tree = node.tree_as(ast.BinOp)
    for path, other in (("r", tree.left), ("l", tree.right)):
        for inner, factor in _factors(_at(tree, path)):
            if isinstance(factor, ast.Constant):
                continue
            number = _is_number(context, factor)
            if not number and not _is_vector_beside(context, factor, other):
                continue
            said, one = context.say(factor), context.say(other)

            def moved(n: ast.expr, path: str = path, inner: str = inner, keep: bool = False) -> ast.expr:
                taken = _at(n, path + inner)
                rest = n if keep else _put(n, path + inner, ast.Constant(1))
                elsewhere = "l" if path == "r" else "r"
                return _put(rest, elsewhere, new("_0 * _1", taken, _at(n, elsewhere)))

            if number:
                says = f"{said} multiplies {one}, not the other term"
                yield Edit("factor_moved", says, Rank.SCOPE, only(node.number, moved))
            both: Make = lambda n, moved=moved: moved(n, keep=True)  # type: ignore[misc] # noqa: E731
            yield Edit(
                "factor_on_both", f"{said} multiplies {one} as well", Rank.SIGN, only(node.number, both)
            )


def _is_vector_beside(context: Context, factor: ast.expr, other: ast.expr) -> bool:
    """A factor of the other term's own shape, as a scale beside its shift."""
    if not context.known(factor) or not context.known(other):
        return False
    one, two = context.number(factor), context.number(other)
    return context.observed.floating(one) and context.observed.shapes(one) == context.observed.shapes(two)


def _divisor_exchanged(context: Context, node: Node) -> Iterator[Edit]:
    """a·f / d becomes a·d / f."""
    tree = node.tree_as(ast.BinOp)
    for path, factor in _factors(tree.left):
        if _is_number(context, factor) and _is_number(context, tree.right):
            make: Make = lambda n, path=path: ast.BinOp(  # type: ignore[misc] # noqa: E731
                left=_put(n.left, path, n.right), op=ast.Div(), right=_at(n.left, path)
            )
            one, two = context.say(factor), context.say(tree.right)
            says = f"the factor {one} / {two} is the wrong way round, {two} / {one}"
            if one == two:
                says = "a factor that is a quotient is the wrong way round"
            yield Edit("quotient_reversed", says, Rank.SIGN, only(node.number, make))


def _without_squares(context: Context, node: Node) -> Iterator[Edit]:
    """(a − b)² becomes −2ab, alone or with one of the squares."""
    difference = node.tree_as(ast.BinOp).left
    assert isinstance(difference, ast.BinOp)
    a, b = context.say(difference.left), context.say(difference.right)
    for id, text, says in (
        (
            "squares_left_out",
            "-2 * _0 * _1",
            f"the squares of {a} and of {b} are missing: only their product is taken",
        ),
        (
            "square_left_out",
            "_0 ** 2 - 2 * _0 * _1",
            f"the square of {b} is missing from the squared difference",
        ),
        (
            "square_left_out",
            "_1 ** 2 - 2 * _0 * _1",
            f"the square of {a} is missing from the squared difference",
        ),
        (
            "product_left_out",
            "_0 ** 2 + _1 ** 2",
            f"the product of {a} and {b} is missing from the squared difference",
        ),
        (
            "difference_of_squares",
            "_0 ** 2 - _1 ** 2",
            f"the squares of {a} and {b} are subtracted, where their difference is squared",
        ),
    ):
        make: Make = lambda n, text=text: new(text, n.left.left, n.left.right)  # type: ignore[misc] # noqa: E731
        yield Edit(id, says, Rank.OTHER, only(node.number, make))


def _to_argument(context: Context, node: Node) -> Iterator[Edit]:
    """A term of arguments alone is added to an argument first, and no more where it belongs."""
    tree = node.tree_as(ast.BinOp)
    if node.function != 0 or context.observed.kind(node.number) != "tensor":
        return
    sign = "+" if isinstance(tree.op, ast.Add) else "-"
    for term, rest in ((tree.right, "left"), (tree.left, "right")):
        names = {n.id for n in ast.walk(term) if isinstance(n, ast.Name)}
        if (
            not context.known(term)
            or not names <= {*context.program.parameters, "torch"}
            or (rest == "right" and sign == "-")
        ):
            continue
        shapes = context.observed.shapes(context.number(term))
        for name, seen in context.observed.parameters.items():
            if name in names or [s.shape for s in seen if s is not None and s.floating] != shapes:
                continue
            changes = at_entry(f"_0 {sign} ({ast.unparse(term)})", (name,))
            changes[node.number] = lambda n, rest=rest: getattr(n, rest)  # type: ignore[misc]
            yield Edit(
                "term_enters_early",
                f"{context.say(term)} comes in too early: it is {'added to' if sign == '+' else 'subtracted from'} {name} first",
                Rank.SCOPE,
                changes,
            )


def _to_result(context: Context, node: Node) -> Iterator[Edit]:
    """A term of arguments alone is added to the result, and not where it belongs."""
    tree = node.tree_as(ast.BinOp)
    returns = [n for n in context.program.nodes if n.function == 0 and isinstance(n.tree, ast.Return)]
    if node.function != 0 or len(returns) != 1 or not isinstance(tree.op, ast.Add):
        return
    value = returns[0].tree_as(ast.Return).value
    if value is None or value is tree or not context.known(value):
        return
    shapes = context.observed.shapes(context.number(value))
    for side, rest in (("left", "right"), ("right", "left")):
        term = getattr(tree, side)
        if not isinstance(term, ast.Name) or term.id not in context.program.parameters:
            continue
        if context.observed.shapes(context.number(term)) != shapes or context.observed.rank(node.number) == 0:
            continue
        changes = {
            node.number: _side(rest),
            context.number(value): wrapped(f"_0 + {term.id}"),
        }
        if any(each.number in changes for each in context.program.under(context.program.of(term))):
            continue
        same = [each for each in _copies(context, node) if each.number != node.number]
        changes |= {each.number: _side(rest) for each in same}
        says = f"{term.id} comes in too late: it is added to the result"
        yield Edit("term_enters_late", says, Rank.SCOPE, changes)


def _side(name: str) -> Make:
    return lambda tree: getattr(tree, name)


def _copies(context: Context, node: Node) -> Iterator[Node]:
    """The other uses of the same sum."""
    text = ast.dump(node.tree)
    for each in context.program.nodes:
        if (
            each.function == node.function
            and isinstance(each.tree, ast.BinOp)
            and ast.dump(each.tree) == text
        ):
            yield each


def _along_another_axis(context: Context, node: Node) -> Iterator[Edit]:
    """A vector that is added runs along another axis of what it is added to."""
    tree = node.tree_as(ast.BinOp)
    rank = context.observed.rank(node.number) or 0
    if rank < 2:
        return
    for vector, other, side in ((tree.right, tree.left, "right"), (tree.left, tree.right, "left")):
        if not context.known(vector) or not context.known(other):
            continue
        shapes = context.observed.shapes(context.number(vector))
        full = context.observed.shapes(context.number(other))
        if any(sum(length > 1 for length in shape) > 1 for shape in shapes) or any(
            len(s) != rank for s in full
        ):
            continue
        if all(max(shape, default=1) == 1 for shape in shapes):
            continue
        for axis in range(rank):
            where = context.axis(node.number, axis)
            make: Make = lambda n, side=side, axis=axis: _spread(n, side, axis)  # type: ignore[misc] # noqa: E731
            yield Edit(
                "along_another_axis",
                f"{context.say(vector)} runs along {where}, which is not its axis",
                Rank.TRANSPOSED - 1,
                only(node.number, make),
            )


def _spread(tree: ast.BinOp, side: str, axis: int) -> ast.AST:
    text = f"_0 {'+' if isinstance(tree.op, ast.Add) else '-'} _1"
    own, other = (tree.right, tree.left) if side == "right" else (tree.left, tree.right)
    spread = new(f"__ops__.spread(_0, _1, {axis})", own, other)
    return new(text, other, spread) if side == "right" else new(text, spread, other)


def _before_function(context: Context, node: Node, name: str) -> Iterator[Edit]:
    """x = f(y), and y is read where x belongs."""
    tree = node.tree_as(ast.Assign)
    operation = context.operation(tree.value)
    if operation is None or operation.operand is None or not context.known(operation.operand):
        return
    inner, outer = context.number(operation.operand), context.number(tree.value)
    if context.observed.shapes(inner) != context.observed.shapes(outer) or not context.observed.floating(
        inner
    ):
        return
    keep = f"__before_{name}"

    def make(statement: ast.Assign) -> ast.Module:
        assert isinstance(statement.value, ast.Call)
        first = ast.Assign(targets=[ast.Name(keep, ast.Store())], value=operation.operand_of(statement.value))
        return several(first, statement)

    around = next(context.program.above(node))
    reads = [
        each.number
        for each in context.program.under(around)
        if each.number >= node.end
        and isinstance(each.tree, ast.Name)
        and each.tree.id == name
        and isinstance(each.tree.ctx, ast.Load)
    ]
    what = operation.name.replace("_", "-")
    for chosen in [[read] for read in reads] + ([reads] if len(reads) > 1 else []):
        changes: dict[int, Make] = {number: _named(keep) for number in chosen}
        changes[node.number] = make
        one = (
            f" {context.use([context.program.nodes[chosen[0]]], 'in one place')}"
            if len(chosen) < len(reads)
            else ""
        )
        says = f"what goes into the {what} is used{one} where its result belongs"
        if operation.name in SPOKEN:
            says = f"the {SPOKEN[operation.name]} is left out{one}"
        yield Edit(
            "value_before_function",
            says,
            Rank.OTHER,
            changes,
        )


def _named(name: str) -> Make:
    return lambda tree: ast.Name(name, ast.Load())


def _windows(context: Context, node: Node) -> Iterator[Edit]:
    """unfold(axis, size, step): other steps, gaps inside the windows, zeros put in at the ends."""
    tree = node.tree_as(ast.Call)
    axis = context.observed.value(context.number(tree.args[0])) if context.known(tree.args[0]) else None
    assert isinstance(tree.func, ast.Attribute)
    if not isinstance(axis, int) or not context.known(tree.func.value):
        return
    thing = context.say(tree.func.value)
    size, step = "_1", "_2"
    for id, says, text in (
        (
            "windows_too_close",
            "the windows start one place after another, as many as there should be",
            f"_0.unfold({axis}, {size}, 1).narrow({axis}, 0, _3.shape[{axis}])",
        ),
        (
            "windows_apart",
            "each window starts where the one before ends",
            f"_0.unfold({axis}, {size}, {size})",
        ),
        (
            "windows_start_later",
            "the first window starts one place later",
            f"_0.narrow({axis}, 1, _0.shape[{axis}] - 1).unfold({axis}, {size}, {step})",
        ),
        (
            "windows_padded",
            "zeros are put in before and after, so that windows reach over the ends",
            f"__ops__.padded(_0, {axis}, {size} // 2, {size} // 2).unfold({axis}, {size}, {step})",
        ),
        (
            "windows_padded",
            "zeros are put in before and after, so that the first windows start too early",
            f"__ops__.padded(_0, {axis}, {size} // 2, {size} // 2).unfold({axis}, {size}, {step}).narrow({axis}, 0, _3.shape[{axis}])",
        ),
        (
            "windows_padded",
            "one zero is put in before and one after",
            f"__ops__.padded(_0, {axis}, 1, 1).unfold({axis}, {size}, {step})",
        ),
        (
            "windows_padded",
            "zeros are put in before the first window",
            f"__ops__.padded(_0, {axis}, {size} - 1, 0).unfold({axis}, {size}, {step})",
        ),
        (
            "windows_padded",
            "zeros are put in after the last entry, so that windows reach over the end",
            f"__ops__.padded(_0, {axis}, 0, {size} - 1).unfold({axis}, {size}, {step})",
        ),
        (
            "windows_with_gaps",
            "there are gaps inside the windows, and every window is there",
            f"_0.unfold({axis}, 2 * {size} - 1, 1)[..., ::2]",
        ),
        (
            "windows_with_gaps",
            "there are gaps inside the windows",
            f"_0.unfold({axis}, 2 * {size} - 1, {step})[..., ::2]",
        ),
    ):
        make: Make = lambda n, text=text: new(text, n.func.value, n.args[1], n.args[2], n)  # type: ignore[misc] # noqa: E731
        yield Edit(id, f"in {thing}, {says}", Rank.INDEX + 1, only(node.number, make))
