"""One line of an answer against the key, on every draw: equal, different or ill-typed, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import torch

from autograder.answers.equation.draws import Draw, key_draws, store
from autograder.answers.equation.evaluate import Evaluator
from autograder.answers.equation.faults import RANKS, TooMuch, TypeFault, shown
from autograder.answers.equation.order import in_order, needed
from autograder.answers.equation.setting import Setting
from autograder.answers.equation.tree import Expr, Line, Lookup, StackOver, Sum, Variable, walk
from autograder.answers.equation.typing import Typed, type_line
from autograder.answers.equation.values import Stored, Value, aligned, union
from autograder.answers.equation.vocabulary import Vocabulary

CLOSE = 1e-8  # of the largest entry, in float64


@dataclass(frozen=True)
class Finding:
    """What is found of one line. `values` has one entry a draw, None where there is none."""

    verdict: str
    feedback: str = ""
    values: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Reference:
    """The key on its draws."""

    lines: Mapping[str, Line]
    draws: Sequence[Draw]


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
    """An axis that the part does not number may be counted from 0 or from 1."""
    first = _on_base(0, line, right, own, vocabulary, reference)
    sides = (line.left, right, *(side for other in own.values() for side in other.rights))
    if first.verdict == "equal" or not any(_counts(side) for side in sides):
        return first
    second = _on_base(1, line, right, own, vocabulary, reference)
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
    base: int, line: Line, right: Expr, own: Mapping[str, Line], vocabulary: Vocabulary, reference: Reference
) -> Finding:
    values: list[Value] = []
    worst: Finding | None = None
    known: dict[int, Typed] = {}  # draws that share their lengths share their types
    try:
        for draw in reference.draws:
            setting = replace(draw.setting, base=base, vocabulary=vocabulary)
            setting, tensors = _with_own(own, right, setting, draw)
            typed = known.get(id(draw.setting)) or type_line(line, right, setting)
            known[id(draw.setting)] = typed
            evaluator = Evaluator(setting, tensors, draw.functions)
            got = evaluator.run(typed)
            values.append(_named_by_place(got, typed))
            if worst is None:
                worst = _difference(got, typed, evaluator, draw)
    except TypeFault as fault:
        return Finding("ill-typed", str(fault))
    except TooMuch as fault:
        return Finding("unparseable", str(fault))
    return replace(worst or Finding("equal"), values=tuple(values))


def _with_own(
    own: Mapping[str, Line], right: Expr, setting: Setting, draw: Draw
) -> tuple[Setting, Mapping[str, Stored]]:
    """The setting and tensors with those definitions of the answer that the line needs."""
    used = {node.tensor for node in walk(right) if isinstance(node, Lookup)} & set(own)
    if not used:
        return setting, draw.tensors
    needs = needed(own)
    wanted = used.union(*(needs[name] for name in used))
    tensors = dict(draw.tensors)
    for name in in_order(own):
        if name not in wanted:
            continue
        line = own[name]
        if name in needs[name]:
            raise TypeFault(f"{name} is defined by itself: define it by the given tensors", line.place)
        typed = type_line(line, line.rights[-1], setting)
        tensors[name] = store(Evaluator(setting, tensors, draw.functions).run(typed), typed, setting)
        assert typed.own is not None
        setting = replace(setting, own={**setting.own, name: typed.own})
    return setting, tensors


def _named_by_place(value: Value, typed: Typed) -> Value:
    """The value with its indices called by their place on the left, to compare with other answers."""
    places = {
        index.name: str(at) for at, index in enumerate(typed.left.indices) if isinstance(index, Variable)
    }
    return replace(value, names=tuple(places.get(name, name) for name in value.names))


def _difference(got: Value, typed: Typed, evaluator: Evaluator, draw: Draw) -> Finding | None:
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
