"""What is returned: only a part of it, averaged over an axis, or in another shape."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from autograder.diagnose.edits.edit import Context, Edit, Rank, only
from autograder.diagnose.edits.put_in import FACTORS, POWERS
from autograder.diagnose.line_template import wrapped
from autograder.diagnose.program import Node


def result_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        if node.function != 0 or not isinstance(node.tree, ast.Return) or node.tree.value is None:
            continue
        value = node.tree.value
        items: list[Any] = value.elts if isinstance(value, ast.Tuple) else [value]
        nodes = []
        for position, item in enumerate(items):
            if context.known(item) and context.observed.rank(context.number(item)) is not None:
                which = "the result" if len(items) == 1 else context.phrases.result_name(position)
                nodes.append(context.program.of(item))
                yield from _of_one(context, nodes[-1], which)
        if 1 < len(nodes) == len(items):
            yield from _of_all(context, nodes)


def _of_all(context: Context, nodes: list[Node]) -> Iterator[Edit]:
    """The same done to every result: a factor, or two axes exchanged wherever both are there."""
    factors = [("-_0", "-1")]
    factors += [
        (f"_0 * __sizes__[{name!r}] ** {power}", words.format(name))
        for name in context.observed.names
        for power, words in POWERS
    ]
    factors += [(f"_0 * {number}", words) for number, words in FACTORS]
    for text, words in factors:
        yield Edit(
            "constant_factor",
            f"every result is {words.replace('-', '−')} times what it should be",
            Rank.SIGN - 3,
            {node.number: wrapped(text) for node in nodes},
        )
    shapes = [context.observed.axes(node.number) for node in nodes]
    for axes in dict.fromkeys(shape for shape in shapes if len(shape) > 1 and all(shape)):
        same = [node for node, shape in zip(nodes, shapes, strict=True) if shape == axes]
        if len(same) < 2:
            continue
        title = f"every result [{', '.join(axes)}]"
        for a, b in itertools.combinations(range(len(axes)), 2):
            pair = f"{context.axis(same[0].number, a)} and {context.axis(same[0].number, b)}"
            changes = {node.number: wrapped(f"_0.transpose({a}, {b})") for node in same}
            yield Edit("transposed", f"{title} comes with {pair} exchanged", Rank.EXCHANGED, changes)
        for axis in range(len(axes)):
            changes = {node.number: wrapped(f"_0.flip({axis})") for node in same}
            says = f"{title} runs backwards along {context.axis(same[0].number, axis)}"
            yield Edit("reversed", says, Rank.INDEX + 1, changes)


def _of_one(context: Context, node: Node, which: str) -> Iterator[Edit]:
    rank = context.observed.rank(node.number) or 0
    for axis in range(rank):
        where = context.axis(node.number, axis)
        for id, says, text in (
            ("result_summed", f"{which} is summed over {where}", f"_0.sum({axis})"),
            ("result_averaged", f"{which} is averaged over {where}", f"_0.mean({axis})"),
            ("result_largest", f"of {which}, only the largest along {where} is returned", f"_0.amax({axis})"),
            (
                "result_first",
                f"of {which}, only the first entry along {where} is returned",
                f"_0.select({axis}, 0)",
            ),
            (
                "result_last",
                f"of {which}, only the last entry along {where} is returned",
                f"_0.select({axis}, -1)",
            ),
            (
                "result_without_last",
                f"the last entry of {which} along {where} is missing",
                f"_0.narrow({axis}, 0, _0.shape[{axis}] - 1)",
            ),
            (
                "result_without_first",
                f"the first entry of {which} along {where} is missing",
                f"_0.narrow({axis}, 1, _0.shape[{axis}] - 1)",
            ),
        ):
            yield Edit(id, says, Rank.RESULT, only(node.number, wrapped(text)))
    for axis in range(rank + 1):
        yield Edit(
            "extra_axis",
            f"{which} has an axis of length 1 too many",
            Rank.RESULT,
            only(node.number, wrapped(f"_0.unsqueeze({axis})")),
        )
    if rank > 1:
        yield Edit(
            "result_flattened",
            f"{which} is flattened",
            Rank.RESULT,
            only(node.number, wrapped("_0.flatten()")),
        )
        yield Edit(
            "result_averaged",
            f"{which} is averaged over everything",
            Rank.RESULT + 1,
            only(node.number, wrapped("_0.mean()")),
        )
        yield Edit(
            "result_summed",
            f"{which} is summed over everything",
            Rank.RESULT + 1,
            only(node.number, wrapped("_0.sum()")),
        )
    yield Edit(
        "constant_factor", f"{which} has the other sign", Rank.SIGN - 3, only(node.number, wrapped("-_0"))
    )
    for name in context.observed.names:
        for power, words in POWERS:
            yield Edit(
                "constant_factor",
                f"{which} is {words.format(name)} times what it should be",
                Rank.SIGN - 2,
                only(node.number, wrapped(f"_0 * __sizes__[{name!r}] ** {power}")),
            )
    for number, words in FACTORS:
        yield Edit(
            "constant_factor",
            f"{which} is {words} times what it should be",
            Rank.SIGN - 1,
            only(node.number, wrapped(f"_0 * {number}")),
        )
    for a, b in itertools.combinations(range(rank), 2):
        pair = f"{context.axis(node.number, a)} and {context.axis(node.number, b)}"
        yield Edit(
            "transposed",
            f"{which} comes with {pair} exchanged",
            Rank.EXCHANGED,
            only(node.number, wrapped(f"_0.transpose({a}, {b})")),
        )
