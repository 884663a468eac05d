"""One choice of lengths for a part: what every axis, numbered or not, then runs over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from autograder.errors import CourseError
from autograder.text.equation.cursor import Cursor
from autograder.text.equation.declarations import Vocabulary
from autograder.text.equation.lexer import read_tokens
from autograder.text.equation.parser import Parser
from autograder.text.equation.sizes import SHORTEST, assign, number_of
from autograder.text.equation.tree import Expr, Line, Lookup, Size, Variable, rebuild


@dataclass(frozen=True)
class Span:
    """The whole numbers an index runs through; `axis` names the axis it belongs to."""

    low: int
    high: int
    axis: str = ""
    written: bool = False  # the answer itself gave the bounds

    def __len__(self) -> int:
        return max(0, self.high - self.low + 1)


@dataclass(frozen=True)
class Setting:
    """Lengths, numbered axes and given indices. `base` is where unnumbered axes start to count."""

    vocabulary: Vocabulary
    sizes: Mapping[str, int]
    numbered: Mapping[str, Span]
    fixed: Mapping[str, Span]
    base: int = 0
    own: Mapping[str, Line] = field(default_factory=dict)  # the answer's own definitions
    rows: bool = False  # a vector lies down, as in q_i k_j^T

    def axis_span(self, axis: str) -> Span:
        if axis in self.numbered:
            return self.numbered[axis]
        return Span(self.base, self.base + self.sizes[axis] - 1, axis)

    def spans_of(self, tensor: str) -> tuple[Span, ...]:
        declared = self.vocabulary.tensors[tensor]
        return tuple(self.axis_span(axis) for axis in declared.axes)

    def pointed_at(self, arguments: tuple[Expr, ...], spans: Mapping[str, Span]) -> Span | None:
        """The axis into which the single argument of onehot points: a word's or an index's."""
        match arguments:
            case (Lookup(tensor),) if tensor in self.vocabulary.tensors:
                entries = self.vocabulary.tensors[tensor].entries
                return self.axis_span(entries) if entries else None
            case (Variable(name),):
                return spans.get(name)
        return None

    def length_name(self, length: int) -> str:
        """A length in the words of the part."""
        names = [axis for axis in self.vocabulary.axes if self.sizes[axis] == length]
        if names:
            return names[0]
        axes = self.vocabulary.axes
        pairs = ((a, b) for a in axes for b in axes if self.sizes[a] * self.sizes[b] == length)
        return next((f"{a}*{b}" for a, b in pairs), str(length))


def read_size(text: str, vocabulary: Vocabulary) -> Expr:
    """An author's size, such as K*I or T-2, as a tree."""
    words = tuple(re.findall(r"[A-Za-z]+'*", text))
    wider = replace(vocabulary, axes=(*vocabulary.axes, *words), tensors={}, spellings={})
    return _sized(Parser(Cursor(read_tokens(text)), wider, frozenset()).bound())


def _sized(expr: Expr) -> Expr:
    if isinstance(expr, Variable):
        return Size(expr.name)
    changed: Expr = rebuild(expr, _sized)
    return changed


def build_settings(vocabulary: Vocabulary) -> tuple[Setting, Setting]:
    """Two choices of lengths, so that no number in an answer can pass for a size in both."""
    derived = {name: read_size(text, vocabulary) for name, text in vocabulary.sizes.items()}
    words = [word for text in vocabulary.sizes.values() for word in re.findall(r"[A-Za-z]+'*", text)]
    free = tuple(name for name in dict.fromkeys([*vocabulary.axes, *words]) if name not in derived)
    found: list[Setting] = []
    for sizes in assign(free, derived):
        setting = _setting(vocabulary, sizes)
        if setting is None:
            continue
        if not found or all(sizes[name] != found[0].sizes[name] for name in free):
            found.append(setting)
        if len(found) == 2:
            return found[0], found[1]
    if not found:
        raise CourseError("no lengths fit the sizes and ranges of the equation: simplify them")
    return found[0], found[-1]


def _setting(vocabulary: Vocabulary, sizes: dict[str, int]) -> Setting | None:
    lengths = [sizes[axis] for axis in vocabulary.axes]
    if len(set(lengths)) < len(lengths):
        return None
    numbered = {axis: _span(text, axis, vocabulary, sizes) for axis, text in vocabulary.numbering.items()}
    fixed = {name: _span(text, "", vocabulary, sizes) for name, text in vocabulary.fixed.items()}
    if any(len(span) < SHORTEST for span in (*numbered.values(), *fixed.values())):
        return None
    return Setting(vocabulary, sizes, numbered, fixed)


def _span(text: str, axis: str, vocabulary: Vocabulary, sizes: Mapping[str, int]) -> Span:
    low, _, high = text.partition("..")
    ends = [number_of(read_size(end, vocabulary), sizes) for end in (low, high)]
    if any(end is None or end.denominator != 1 for end in ends):
        raise CourseError(f"cannot work out the range '{text}': write it as 1..T-2")
    named = axis or next((word for word in re.findall(r"[A-Z]\w*'*", high) if word in vocabulary.axes), "")
    return Span(int(ends[0] or 0), int(ends[1] or 0), named)
