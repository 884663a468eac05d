"""A line against the key on random tensors: equal, different or ill-typed, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod

import torch

from autograder.text.equation.chosen_sizes import Setting
from autograder.text.equation.combine_shapes import BEFORE
from autograder.text.equation.declarations import Declared, Vocabulary
from autograder.text.equation.evaluate import Evaluator
from autograder.text.equation.faults import RANKS, TooMuch, TypeFault, shown
from autograder.text.equation.lines import in_order, recurrent
from autograder.text.equation.named_tensors import Stored, Uninterpreted, Value, aligned, union
from autograder.text.equation.shapes import Typer
from autograder.text.equation.tree import Array, Expr, Line, Lookup, StackOver, Sum, Variable, walk
from autograder.text.equation.typed_line import Typed, type_line

CLOSE = 1e-8  # of the largest entry, in float64


@dataclass(frozen=True)
class Finding:
    """What is found of one line. `values` has one entry a draw, None where there is none."""

    verdict: str
    feedback: str = ""
    values: tuple[Value, ...] = ()
    crossed: bool = False  # nothing was computed: an index stands where its sibling belongs


@dataclass(frozen=True)
class Reference:
    """The key on its draws."""

    lines: Mapping[str, Line]
    draws: Sequence[KeyDraw]


def build_reference(lines: Mapping[str, Line], settings: tuple[Setting, Setting]) -> Reference:
    return Reference(lines, key_draws(lines, settings))


def compare_line(
    line: Line, own: Mapping[str, Line], vocabulary: Vocabulary, reference: Reference
) -> Finding:
    """Judge one line; `own` are the answer's own definitions, which it may use."""
    found: Finding | None = None
    for right in line.rights:
        with one_thread():
            finding = _on_either_base(line, right, own, vocabulary, reference)
        if found is None or RANKS[finding.verdict] > RANKS[found.verdict]:
            found = finding
    assert found is not None
    return found


@contextmanager
def one_thread() -> Iterator[None]:
    """Tensors this small are done before a second thread has woken up."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _on_either_base(
    line: Line, right: Expr, own: Mapping[str, Line], vocabulary: Vocabulary, reference: Reference
) -> Finding:
    """An axis that the part does not number may be counted from 0 or from 1, and vectors may lie down."""
    first = _on_base(0, False, line, right, own, vocabulary, reference)
    if first.verdict == "ill-typed":
        lying = _on_base(0, True, line, right, own, vocabulary, reference)
        first = lying if RANKS[lying.verdict] < RANKS[first.verdict] else first
    sides = (line.left, right, *(side for other in own.values() for side in other.rights))
    if first.verdict == "equal" or not any(_counts(side) for side in sides):
        return first
    second = _on_base(1, False, line, right, own, vocabulary, reference)
    return second if RANKS[second.verdict] < RANKS[first.verdict] else first


def _counts(expr: Expr) -> bool:
    """Does the line number positions itself?"""
    for node in walk(expr):
        if isinstance(node, Lookup) and any(not isinstance(index, Variable) for index in node.indices):
            return True
        if isinstance(node, Sum) and any(binder.low for binder in node.binders):
            return True
        if isinstance(node, StackOver) and node.binder.low:
            return True
    return False


def _on_base(
    base: int,
    rows: bool,
    line: Line,
    right: Expr,
    own: Mapping[str, Line],
    vocabulary: Vocabulary,
    reference: Reference,
) -> Finding:
    values: list[Value] = []
    worst: Finding | None = None
    typed: dict[int, Typed] = {}  # draws that share their lengths share their types
    try:
        for draw in reference.draws:
            setting = replace(draw.setting, base=base, vocabulary=vocabulary, own=own, rows=rows)
            found = typed.get(draw.lengths) or type_line(line, right, setting)
            typed[draw.lengths] = found
            if found.crossed:
                return Finding("different", found.crossed, crossed=True)
            evaluator = Evaluator(setting, draw.tensors, draw.functions)
            got = evaluator.run(found)
            values.append(_named_by_place(got, found))
            if worst is None:
                worst = _difference(got, found, evaluator, draw)
    except TypeFault as fault:
        return Finding("ill-typed", str(fault))
    except TooMuch as fault:
        return Finding("unparseable", str(fault))
    return replace(worst or Finding("equal"), values=tuple(values))


def _named_by_place(value: Value, typed: Typed) -> Value:
    """The value with its indices called by their place on the left, to compare with other answers."""
    places = {
        index.name: str(at) for at, index in enumerate(typed.left.indices) if isinstance(index, Variable)
    }
    return replace(value, names=tuple(places.get(name, name) for name in value.names))


def _difference(got: Value, typed: Typed, evaluator: Evaluator, draw: KeyDraw) -> Finding | None:
    """What is wrong with the values of one draw; None where they agree."""
    name = typed.left.tensor
    if typed.outside:
        return Finding("different", typed.outside[0].message)
    want = evaluator.left(typed, draw.targets[name])
    if not _covers_target(typed, want, draw.targets[name]):
        return Finding("different", "the left side leaves out some of the entries: define all of them")
    names, a, b = _together(got, want)
    wrong = _unequal(a, b)
    if not bool(wrong.any()):
        return None
    first = [int(at) for at in wrong.nonzero()[0]]
    labels = (*map(shown, names), *("row", "column")[: len(first) - len(names)])
    where = ", ".join(f"{label}={at}" for label, at in zip(labels, first, strict=True))
    values = f"expected {float(b[tuple(first)]):.4g}, got {float(a[tuple(first)]):.4g}"
    if not where:
        return Finding("different", f"on random inputs: {values}")
    count = f"{int(wrong.sum())} of {wrong.numel()} entries differ on random tensors"
    return Finding("different", f"{count}; first at {where}: {values}")


def _covers_target(typed: Typed, want: Value, target: Stored) -> bool:
    """A left side such as h[x, k*I+i] must reach every entry."""
    if all(isinstance(index, Variable) for index in typed.left.indices):
        return True
    reached = torch.unique(want.data).numel()
    return bool(reached == torch.unique(target.data).numel())


def _together(got: Value, want: Value) -> tuple[tuple[str, ...], torch.Tensor, torch.Tensor]:
    names = union(want, got)
    a, b = aligned(got, names), aligned(want, names)
    return names, a + torch.zeros_like(b), b + torch.zeros_like(a)


def _unequal(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    finite = b[torch.isfinite(b)].abs()
    scale = float(finite.max()) if finite.numel() else 0.0
    return ~((a - b).abs() <= CLOSE * scale)


LEAST_NUMBERS = 3  # different ones, zero and one aside, by which an answer is known to be another's


def tells(values: Sequence[Value]) -> bool:
    """Whether values are so many that another answer gives them by no chance: a steep sigmoid's are not."""
    found = {
        round(float(number), 9)
        for value in values
        for number in value.data.reshape(-1)[:64].tolist()
        if number == number and abs(number) > 1e-9 and abs(number - 1) > 1e-9
    }
    return len(found) >= LEAST_NUMBERS


def same_values(first: Sequence[Value], second: Sequence[Value]) -> bool:
    """Do two answers agree on every draw, right or wrong?"""
    if not first or len(first) != len(second):
        return False
    for got, want in zip(first, second, strict=True):
        if (got.rows, got.cols) != (want.rows, want.cols):
            return False
        _, a, b = _together(got, want)
        if bool(_unequal(a, b).any()):
            return False
    return True


SCALES = (
    (0, 1.0),
    (1, 1.0),
    (1, 1e-3),
)  # which lengths, and how large; tiny entries keep sigmoid(1000 x) alive


@dataclass(frozen=True)
class KeyDraw:
    """One setting with all its tensors, and what the key gives for each line."""

    setting: Setting
    lengths: int  # which of the two choices of lengths this is
    tensors: Mapping[str, Stored]
    targets: Mapping[str, Stored]
    functions: Mapping[str, Uninterpreted]


def draw_tensors(setting: Setting, seed: int, scale: float) -> dict[str, Stored]:
    """Every declared tensor, by a generator of its own."""
    found = {}
    for number, declared in enumerate(setting.vocabulary.tensors.values()):
        generator = torch.Generator().manual_seed(7919 * seed + number)
        found[declared.name] = Stored(_drawn(declared, setting, generator, scale))
    return found


def _drawn(declared: Declared, setting: Setting, generator: torch.Generator, scale: float) -> torch.Tensor:
    shape = [setting.sizes[axis] for axis in declared.axes]
    if declared.entries:
        count = setting.sizes[declared.entries]
        return torch.randint(0, count, shape, generator=generator).double()
    if declared.draw == "identity":
        return torch.eye(*shape, dtype=torch.float64)
    if declared.draw == "positive":
        return scale * (0.1 + torch.rand(shape, generator=generator, dtype=torch.float64))
    return scale * torch.randn(shape, generator=generator, dtype=torch.float64)


def build_functions(setting: Setting) -> dict[str, Uninterpreted]:
    """The functions of a part about which nothing is known, as long as this setting asks."""
    typer = Typer(setting, {})
    found = {}
    for number, (name, function) in enumerate(setting.vocabulary.functions.items()):
        takes = tuple(prod(typer.length(axis) for axis in axes) for axes in function.takes)
        found[name] = Uninterpreted(number, takes, tuple(typer.length(axis) for axis in function.gives))
    return found


def key_draws(lines: Mapping[str, Line], settings: tuple[Setting, Setting]) -> list[KeyDraw]:
    """The draws on which every answer is compared with the key."""
    given = recurrent(lines)
    draws = []
    for seed, (which, scale) in enumerate(SCALES):
        setting = settings[which]
        tensors = draw_tensors(setting, seed, scale)
        functions = build_functions(setting)
        targets: dict[str, Stored] = {}
        for name in in_order(lines, given):
            typed, counted = type_key_line(lines[name], setting)
            targets[name] = store(Evaluator(counted, tensors, functions).run(typed), typed, counted)
            if name not in given:
                tensors[name] = targets[name]
        draws.append(KeyDraw(setting, which, tensors, targets, functions))
    return draws


def type_key_line(line: Line, setting: Setting) -> tuple[Typed, Setting]:
    """A line of the key, counting unnumbered axes from 0 or from 1, whichever stays inside them."""
    try:
        typed = type_line(line, line.rights[0], setting)
    except TypeFault:
        typed = None
    if typed is not None and not typed.outside:
        return typed, setting
    counted = replace(setting, base=1)
    return type_line(line, line.rights[0], counted), counted


def store(value: Value, typed: Typed, setting: Setting) -> Stored:
    """A value laid out by the axes of what the line defines."""
    whole = typed.target.body if isinstance(typed.target, Array) else typed.target
    assert isinstance(whole, Lookup)
    if not all(isinstance(index, Variable) for index in whole.indices):
        raise TypeFault(f"{whole.tensor} is defined for some of its entries: give each axis a single letter")
    left_out = typed.target.indices if isinstance(typed.target, Array) else ()
    every = [index.name for index in whole.indices if isinstance(index, Variable)]
    named = [name for name in every if name not in left_out]
    outer = tuple(name for name in value.names if name in setting.fixed and name not in named)
    before = tuple(name for name in value.names if name.startswith(BEFORE))
    data = aligned(value, (*outer, *named, *before))
    lengths = [len(typed.spans[name]) for name in (*outer, *named)]
    data = data.expand([*lengths, *data.shape[len(lengths) :]])
    order = [*outer, *named, *left_out]
    data = data.permute([order.index(name) for name in (*outer, *every)])
    partial = []
    for name, axis in zip(every, setting.spans_of(typed.left.tensor), strict=True):
        span = typed.spans[name]
        partial.append(None if (span.low, span.high) == (axis.low, axis.high) else span)
    return Stored(data, outer, tuple(partial))
