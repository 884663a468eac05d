"""Equations that read x[2t + d] come in; the axis of t alone and how long x has to be go out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.draft.equation_axes import axis_of, occurrences

_SHIFTED = re.compile(
    r"(?P<by>\d*)\s*(?:\\cdot\s*)?(?P<index>[a-z])\s*\+\s*(?P<tap>\\?(?:Delta|Δ)\s*_?\{?[a-z]\}?|[a-z])"
)
_FREE = "SRNMPQ"


@dataclass(frozen=True)
class Stride:
    """An index that is read shifted: its letter, the axis of it alone, the longer axis, and its size."""

    index: str
    axis: str
    longer: str
    size: str


def strides_in(lines: list[str]) -> tuple[Stride, ...]:
    """One for each index that another one shifts, always by as many steps, and in no tensor both ways."""
    uses: dict[str, set[tuple[str, str]]] = {}
    alone: dict[str, set[str]] = {}
    shifted: dict[str, set[str]] = {}
    letters = set()
    for line in lines:
        for occurs in occurrences(line):
            for written in re.split(r",(?![^\[]*\])", occurs["axes"]):
                index = re.sub(r"\s+", " ", written).strip()
                letters.add(axis_of(index))
                if read := _SHIFTED.fullmatch(index):
                    uses.setdefault(read["index"], set()).add((read["by"] or "1", axis_of(read["tap"])))
                    shifted.setdefault(read["index"], set()).add(occurs["name"] + occurs["marks"])
                elif re.fullmatch("[a-z]", index):
                    alone.setdefault(index, set()).add(occurs["name"] + occurs["marks"])
    free = iter(letter for letter in _FREE if letter not in letters)
    found = []
    for index, ways in uses.items():
        if len(ways) > 1 or shifted[index] & alone.get(index, set()) or index not in alone:
            continue
        ((by, tap),) = ways
        axis = next(free, "")
        size = f"{tap} + {axis} - 1" if by == "1" else f"{tap} + {by}*{axis} - {by}"
        if axis and tap:
            found.append(Stride(index, axis, axis_of(index), size))
    return tuple(found)
