"""Names: two arguments exchanged, another tensor of the same kind read, an earlier value for a later one."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.observe import Seen
from autograder.diagnose.program import Make, Node

MOST_OTHERS = 10  # other names that are tried in the place of one


def name_edits(context: Context) -> Iterator[Edit]:
    yield from _exchanged_arguments(context)
    uses = [node for node in context.program.nodes if _is_value(context, node)]
    by_function: dict[int, dict[str, tuple[Seen | None, ...]]] = {}
    for node in uses:
        by_function.setdefault(node.function, {}).setdefault(_id(node), context.observed.seen[node.number])
    for name, seen in context.observed.parameters.items():
        by_function.setdefault(0, {}).setdefault(name, seen)
    for node in uses:
        yield from _other_names(context, node, by_function[node.function])
    yield from _other_values(context, by_function)


def _other_values(
    context: Context, by_function: dict[int, dict[str, tuple[Seen | None, ...]]]
) -> Iterator[Edit]:
    """A value that is used several times, and another one in the place of one use or of all."""
    groups = [[context.program.nodes[number] for number in group] for group in context.program.twins]
    groups = [group for group in groups if all(node.number in context.observed.seen for node in group)]
    for group in groups:
        own, function = context.observed.seen[group[0].number], group[0].function
        thing = context.say(group[0].tree)
        others: list[tuple[Make, str, bool]] = [
            (_named(name), _say_name(context, function, name), name in context.phrases.sources(group[0].tree))
            for name, seen in by_function.get(function, {}).items()
            if _alike(own, seen)
        ]
        others += [
            (_same(other[0].tree), context.say(other[0].tree), False)
            for other in groups
            if other is not group
            and other[0].function == function
            and _alike(own, context.observed.seen[other[0].number])
        ]
        for make, other, old in others[:MOST_OTHERS]:
            everywhere = f"{other} is used where {thing} belongs"
            idea = "old for new" if old else ("value", thing, other)
            told = "the old values are used where the new ones belong" if old else ""
            for node in group:
                if not isinstance(context.parent(node), ast.Tuple | ast.Return):
                    says = f"{other} is used in one place where {thing} belongs"
                    yield Edit("another_value", says, Rank.REPLACED, only(node.number, make), idea, told)
            changes = {node.number: make for node in group}
            yield Edit("another_value", everywhere, Rank.REPLACED + 1, changes)


def _same(tree: ast.AST) -> Make:
    return lambda other: tree


def _id(node: Node) -> str:
    assert isinstance(node.tree, ast.Name)
    return node.tree.id


def _is_value(context: Context, node: Node) -> bool:
    return (
        isinstance(node.tree, ast.Name)
        and isinstance(node.tree.ctx, ast.Load)
        and node.number in context.observed.seen
        and context.observed.kind(node.number) in ("tensor", "number", "list")
    )


def _exchanged_arguments(context: Context) -> Iterator[Edit]:
    """Every pair of arguments of one kind, each read where the other belongs."""
    parameters = context.observed.parameters
    for a, b in itertools.combinations(context.program.parameters, 2):
        if not _alike(parameters[a], parameters[b]):
            continue
        changes: dict[int, Make] = {}
        for node in context.program.nodes:
            if node.function == 0 and isinstance(node.tree, ast.Name) and isinstance(node.tree.ctx, ast.Load):
                other = {a: b, b: a}.get(node.tree.id)
                if other is not None:
                    changes[node.number] = _named(other)
        if changes:
            yield Edit("arguments_exchanged", f"{a} and {b} are exchanged", Rank.EXCHANGED, changes)


def _alike(one: tuple[Seen | None, ...], two: tuple[Seen | None, ...]) -> bool:
    """Of one kind and rank in every case; sizes may differ, for then most cases fail by themselves."""
    return all(
        a is not None and b is not None and (a.kind, len(a.shape)) == (b.kind, len(b.shape))
        for a, b in zip(one, two, strict=True)
    ) and any(a is not None and a.kind in ("tensor", "number") for a in one)


def _named(name: str) -> Make:
    return lambda n: ast.Name(name, ast.Load())


def _other_names(context: Context, node: Node, others: dict[str, tuple[Seen | None, ...]]) -> Iterator[Edit]:
    own = context.observed.seen[node.number]
    thing = context.say(node.tree)
    count = 0
    for name, seen in others.items():
        if name == _id(node) or not _alike(own, seen):
            continue
        count += 1
        if count > MOST_OTHERS:
            return
        same = [s.shape for s in own if s] == [s.shape for s in seen if s]
        arguments = same and thing in context.program.parameters and name in context.program.parameters
        other = _say_name(context, node.function, name)
        if other == thing:
            says = f"an earlier or a later value is used in one place where another, {other}, belongs"
            everywhere = f"an earlier or a later value is used where another, {other}, belongs"
        else:
            everywhere = f"{other} is used where {thing} belongs"
            once = _is_read_once(context, node)
            says = everywhere if once else f"{other} is used in one place where {thing} belongs"
        yield Edit(
            "another_name",
            says,
            Rank.EXCHANGED + 3 if arguments else Rank.REPLACED + (0 if same else 3),
            only(node.number, _named(name)),
            ("name", _id(node), name, node.function),
            everywhere,
        )


def _is_read(tree: ast.AST, name: str) -> bool:
    return isinstance(tree, ast.Name) and tree.id == name and isinstance(tree.ctx, ast.Load)


def _is_read_once(context: Context, node: Node) -> bool:
    same = (each for each in context.program.nodes if each.function == node.function)
    return sum(_is_read(each.tree, _id(node)) for each in same) == 1


def _say_name(context: Context, function: int, name: str) -> str:
    """The words for a name, by the first place that reads it."""
    for node in context.program.nodes:
        if node.function == function and _is_read(node.tree, name):
            return context.say(node.tree)
    return name
