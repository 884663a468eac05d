"""Matrices as wholes: an inverse entry by entry, one triangle for the other, a root for what it is a root of, an
argument that is transposed for one result alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.arguments import at_entry
from autograder.diagnose.edits.edit import Context, Edit, Operation, Rank, only
from autograder.diagnose.line_template import new, wrapped
from autograder.diagnose.program import Make, Node

_INVERSES = (
    ("entries_inverted", "every entry of {} is inverted by itself, not the matrix", "1 / _0", Rank.OTHER),
    (
        "transpose_for_inverse",
        "{} is transposed where its inverse belongs",
        "__ops__.swapped(_0)",
        Rank.OTHER,
    ),
    (
        "diagonal_inverted",
        "only the diagonal of {} is inverted, as if all else were zero",
        "__ops__.diagonal_inverse(_0)",
        Rank.OTHER + 1,
    ),
)
_SQUARES = (
    ("root_for_square", "{} is multiplied by its own transpose first", "_0 @ __ops__.swapped(_0)"),
    ("matrix_squared", "{} is multiplied by itself first", "_0 @ _0"),
    ("diagonal_alone", "only the diagonal of {} is used", "__ops__.only_diagonal(_0)"),
)


def matrix_edits(context: Context) -> Iterator[Edit]:
    yield from _arguments(context)
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if operation is None or operation.operand is None or not context.known(operation.operand):
            continue
        if operation.name in ("inv", "inverse", "pinv"):
            yield from _inverted(context, node, operation)
        elif operation.name in ("tril", "triu"):
            yield from _other_triangle(context, node, operation)


def _inverted(context: Context, node: Node, operation: Operation) -> Iterator[Edit]:
    assert operation.operand is not None
    thing = context.say(operation.operand)
    for id, says, text, rank in _INVERSES:
        make: Make = lambda call, text=text: new(text, operation.operand_of(call))  # type: ignore[misc] # noqa: E731
        yield Edit(id, says.format(thing), rank, only(node.number, make))


def _other_triangle(context: Context, node: Node, operation: Operation) -> Iterator[Edit]:
    """Above the diagonal for below it, and the diagonal itself with the other side."""
    given = operation.argument(node.tree_as(ast.Call), 0, "diagonal")
    diagonal = 0 if given is None else context.observed.value(context.number(given))
    assert operation.operand is not None
    if not isinstance(diagonal, int):
        return
    thing = context.say(operation.operand)
    lower = operation.name == "tril"
    sides = ("below", "above") if lower else ("above", "below")
    for id, keep, by, says in (
        (
            "other_triangle",
            not lower,
            -diagonal,
            "{0} its diagonal is kept of {2}, where what lies {1} belongs",
        ),
        ("triangle_smaller", lower, diagonal + (-1 if lower else 1), "one diagonal less of {2} is kept"),
        ("triangle_larger", lower, diagonal + (1 if lower else -1), "one diagonal more of {2} is kept"),
    ):
        told = says.format(f"what lies {sides[1]}", f"{sides[0]} it", thing)
        text = f"__ops__.torch.{'tril' if keep else 'triu'}(_0, {by})"
        make: Make = lambda call, text=text: new(text, operation.operand_of(call))  # type: ignore[misc] # noqa: E731
        yield Edit(id, told, Rank.INDEX, only(node.number, make), (id, thing), f"{told}, in every place")


def _arguments(context: Context) -> Iterator[Edit]:
    """A square matrix in the place of which a root of it is given, say; one that is transposed for one result."""
    for name, seen in context.observed.parameters.items():
        if not all(s is not None and s.kind == "tensor" and s.floating for s in seen):
            continue
        axes = context.observed.names_of(seen)
        if len(axes) < 2 or axes[-1] != axes[-2]:
            continue
        for id, says, text in _SQUARES:
            yield Edit(id, says.format(name), Rank.PUT_IN, at_entry(text, (name,)))
        yield from _transposed_for_one_result(context, name)


def _transposed_for_one_result(context: Context, name: str) -> Iterator[Edit]:
    """F P F' with F and F' exchanged is one slip, wherever else F is read as it should be."""
    reads = [
        node
        for node in context.program.nodes
        if node.function == 0
        and isinstance(node.tree, ast.Name)
        and node.tree.id == name
        and isinstance(node.tree.ctx, ast.Load)
        and node.number in context.observed.seen
    ]
    for place in _places(context):
        inside = [read.number for read in reads if place.number <= read.number < place.end]
        if 1 < len(inside) < len(reads):
            what = context.say(place.tree)
            yield Edit(
                "argument_transposed",
                f"{name} is transposed, wherever it is read for {what}",
                Rank.TRANSPOSED - 0.5,
                {number: wrapped("__ops__.swapped(_0)") for number in inside},
            )


def _places(context: Context) -> Iterator[Node]:
    """What is bound or returned, each of several results for itself."""
    for node in context.program.nodes:
        if (
            node.function == 0
            and isinstance(node.tree, ast.Assign | ast.Return)
            and node.tree.value is not None
        ):
            value = node.tree.value
            for part in value.elts if isinstance(value, ast.Tuple) else [value]:
                if context.known(part):
                    yield context.program.of(part)
