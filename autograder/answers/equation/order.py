"""Which lines of a system need which others, and an order in which each comes after those it needs."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.answers.equation.tree import Line, Lookup, walk


def uses(line: Line) -> set[str]:
    """Every tensor on the right side of a line."""
    return {node.tensor for right in line.rights for node in walk(right) if isinstance(node, Lookup)}


def recurrent(lines: Mapping[str, Line]) -> frozenset[str]:
    """Tensors whose own line uses them, as h[t] uses h[t-1]: their values are given on every right side."""
    return frozenset(name for name, line in lines.items() if name in uses(line))


def needed(lines: Mapping[str, Line], given: frozenset[str] = frozenset()) -> dict[str, set[str]]:
    """For each line, every line it needs, directly or through others; given tensors need no line."""
    needs = {name: (uses(line) & set(lines)) - given for name, line in lines.items()}
    for _ in lines:
        for name in needs:
            for other in tuple(needs[name]):
                needs[name] |= needs[other]
    return needs


def circle(
    name: str, line: Line, own: Mapping[str, Line], key: Mapping[str, Line], given: frozenset[str]
) -> str | None:
    """The tensor that brings a line back to what it defines, directly or through the key's other lines."""
    reached, new = set[str](), uses(line)
    while new:
        reached |= new
        new = {used for other in new & set(own) for used in uses(own[other])} - reached
    needs = needed(key, given)
    asked = [other for other in key if other in reached - given]
    return next((other for other in asked if other == name or name in needs[other]), None)


def in_order(lines: Mapping[str, Line], given: frozenset[str] = frozenset()) -> list[str]:
    """The names of the lines, each after those it needs."""
    needs = needed(lines, given)
    return sorted(lines, key=lambda name: len(needs[name] - {name}))
