"""Which lines of a system need which others, and an order in which each comes after those it needs."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.answers.equation.tree import Line, Lookup, walk


def needed(lines: Mapping[str, Line]) -> dict[str, set[str]]:
    """For each line, every line it needs, directly or through others."""
    needs = {
        name: {node.tensor for right in line.rights for node in walk(right) if isinstance(node, Lookup)}
        & set(lines)
        for name, line in lines.items()
    }
    for _ in lines:
        for name in needs:
            for other in tuple(needs[name]):
                needs[name] |= needs[other]
    return needs


def in_order(lines: Mapping[str, Line]) -> list[str]:
    """The names of the lines, each after those it needs."""
    needs = needed(lines)
    return sorted(lines, key=lambda name: len(needs[name] - {name}))
