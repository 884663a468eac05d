"""What lies beyond the ends of an axis, an end that counts as nothing, and places that see their like alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.arguments import at_entry
from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.line_template import new, wrapped
from autograder.diagnose.program import Make, Node

BEYOND = (
    ("pads_wrapped", "wrapped", "beyond the ends of {}, its other end follows, not zeros"),
    (
        "pads_repeated",
        "repeated",
        "beyond the ends of {}, its first and last entries are repeated, not zeros",
    ),
    ("pads_before", "before", "all zeros stand before {}, none after it"),
    ("pads_after", "after", "all zeros stand after {}, none before it"),
)


def end_edits(context: Context) -> Iterator[Edit]:
    yield from _ends_of_arguments(context)
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if operation is not None and operation.name == "pad" and context.known(node.tree):
            yield from _beyond(context, node)
        if context.observed.floating(node.number):
            yield from _alike_alone(context, node)
    yield from _guessed(context)


def _ends_of_arguments(context: Context) -> Iterator[Edit]:
    """One end of an argument counts as zero."""
    for name, seen in context.observed.parameters.items():
        if not all(s is not None and s.kind == "tensor" and s.floating for s in seen):
            continue
        for axis in range(len(context.observed.names_of(seen))):
            where = context.axis_of_argument(name, axis)
            for word, place in (("first", 0), ("last", -1)):
                yield Edit(
                    "end_as_zero",
                    f"the {word} entry of {name} along {where} counts as zero",
                    Rank.INDEX + 2,
                    at_entry(f"__ops__.without_entry(_0, {axis}, {place})", (name,)),
                )


def _beyond(context: Context, node: Node) -> Iterator[Edit]:
    """F.pad(x, widths): something else than zeros, or all of them at one end."""
    tree = node.tree_as(ast.Call)
    if not tree.args or not context.known(tree.args[0]):
        return
    thing = context.say(tree.args[0])
    for id, how, says in BEYOND:
        yield Edit(
            id,
            says.format(thing),
            Rank.LEFT_OUT - 1,
            only(node.number, _padded(how)),
        )


def _padded(how: str) -> Make:
    def make(tree: ast.Call) -> ast.expr:
        return new(f"__ops__.padded_otherwise(_0, _1, {how!r})", tree, tree.args[0])

    return make


def _alike_alone(context: Context, node: Node) -> Iterator[Edit]:
    """Places with two coordinates: only those that share one of them see each other."""
    axes = context.observed.axes(node.number)
    twice = [name for name in dict.fromkeys(axes) if name and axes.count(name) == 2]
    if len(twice) < 2 or not _goes_into_softmax(context, node):
        return
    for name in twice:
        a, b = (place for place, each in enumerate(axes) if each == name)
        yield Edit(
            "alike_alone",
            f"places see only those with the same place along {name}, which nothing asks for",
            Rank.PUT_IN,
            only(node.number, wrapped(f"__ops__.same_place(_0, {a}, {b})")),
        )


def _goes_into_softmax(context: Context, node: Node) -> bool:
    above = [each.tree for each in context.program.above(node)][:4]
    found = (context.operation(tree) for tree in above)
    return any(operation is not None and operation.name == "softmax" for operation in found)


def _guessed(context: Context) -> Iterator[Edit]:
    """A given index gives way to the place of the largest entry of what is known along its axis."""
    for node in context.program.nodes:
        tree: object = node.tree
        if not isinstance(tree, ast.Subscript) or not isinstance(tree.slice, ast.Name):
            continue
        index = tree.slice
        if node.function != 0 or index.id not in context.program.parameters or not context.known(tree.value):
            continue
        axes = context.observed.axes(context.number(tree.value))
        for name in _vectors_before(context, node, axes[0] if axes else ""):
            yield Edit(
                "guessed_index",
                f"the place of the largest entry along {axes[0]} is used where {index.id} belongs",
                Rank.OTHER,
                only(context.number(index), lambda n, name=name: new(f"int({name}.argmax())")),  # type: ignore[misc]
            )


def _vectors_before(context: Context, node: Node, axis: str) -> Iterator[str]:
    """The names of vectors along an axis that are bound before."""
    for each in context.program.nodes[: node.number]:
        match each.tree:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if each.function == 0 and axis:
                if context.known(value) and context.observed.axes(context.number(value)) == (axis,):
                    yield name
