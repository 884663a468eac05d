"""What every edit of a reference gives on the cases of its part, computed once and looked up by values."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import CodeType

import numpy as np
from numpy.typing import NDArray

from autograder.calls.expected import Planned
from autograder.course.docstring_shapes import parse_shapes
from autograder.diagnose.edit_runs import (
    NEAR,
    Array,
    Changed,
    calls_of,
    carry_out,
    compiled,
    key_of_prints,
    near,
    print_of,
    ready,
    uncollected,
)
from autograder.diagnose.edits.all import all_edits
from autograder.diagnose.edits.edit import Context, Edit
from autograder.diagnose.expression_words import vagueness
from autograder.diagnose.observe import observe
from autograder.diagnose.program import Program, read_program

MOST_SINGLES = 12_000
PAIRED = 120  # so many of the simplest edits are tried in pairs, and as many of the simplest of each kind
PAIRED_OF_LONG = 45  # of a long program
LONG = 220  # nodes
MOST_RAISING = 400  # edits that raise in every visible case, for functions that do so too
FACTOR = "constant_factor"
USUAL_BESIDE = frozenset(
    [
        *[
            "axis_factor",
            "product_averaged",
            "extra_mask",
            "term_left_out",
            "factor_left_out",
            "divisor_left_out",
        ],
        *["minus_for_plus", "plus_for_minus", "sigmoid_for_tanh", "relu_for_tanh", "tanh_for_sigmoid"],
        *["relu_for_sigmoid", "sigmoid_for_softmax", "halves"],
    ]
)
# Nobody's second slip: another statistic for a sum, an activation that nobody has heard of, and the like.
RARE_BESIDE = re.compile(
    r"(gelu|silu|softplus|leaky_relu|elu|exp|abs)_for_\w+|argument_(?!unused|transposed)\w+"
    r"|(amax|amin|norm|\w+_sum|mean_square|\w*var|\w*std|logsumexp|sample_mean|prod)_for_(sum|mean)"
    r"|(first|last|length|median)_for_(sum|mean)"
    r"|extra_(exp|abs|square|sqrt|log|softplus|axis)|result_(?!transposed)\w+|\w+_everywhere|rolled|interleaved|unwoven"
)
USUAL_OF_ARGUMENTS = frozenset(["argument_transposed", "argument_unused", "reversed"])

Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Prints:
    """The prints of single edits on the cases."""

    singles: Array  # [edits, cases, outputs, 2]
    kept: Whole  # the edits that differ from the reference and from every simpler one
    right: Array  # [cases, outputs, 2]: of the reference
    same: Whole  # the edits that give what the reference gives, in every case that they can be called on
    raising: Whole  # the clearest of those that give nothing in any visible case


@dataclass(frozen=True, eq=False)
class Pairs:
    """The prints of pairs of edits on the first case."""

    pairs: Whole  # [pairs, 2]: positions of edits
    prints: Array  # [pairs, outputs, 2]


@dataclass(frozen=True, eq=False)
class Index:
    """The edits of one reference, with their prints."""

    program: Program
    context: Context
    edits: tuple[Edit, ...]
    prints: Prints
    key: str = ""

    def singles(self, case: int, wanted: Array) -> Whole:
        """The kept edits whose every output lies near what is wanted in one case."""
        return self.prints.kept[near(self.prints.singles[self.prints.kept, case], wanted).all(axis=1)]

    def of_output(self, case: int, wanted: Array, output: int) -> Whole:
        """The kept edits of which one output lies near."""
        return self.prints.kept[near(self.prints.singles[self.prints.kept, case], wanted)[:, output]]

    def scaled(self, wanted: Array) -> list[tuple[int, int]]:
        """The kept edits that lie near in the first case with one more factor on a result, and the factor."""
        kept, right = self.prints.kept, self.prints.right[0]
        with np.errstate(all="ignore"):
            # A factor changes the scale of a result, not what its print is of it, but for the sign.
            mine, theirs = (np.abs(prints[..., 0] / prints[..., 1]) for prints in (self._first, wanted))
            alike = kept[(np.abs(mine - theirs) <= 4 * NEAR).all(axis=1)]
            ratios = self.prints.singles[self._factors, 0, :, 0] / right[:, 0]
        found = []
        for factor, ratio in zip(self._factors, ratios, strict=True):
            if len(alike) and np.isfinite(ratio).all():
                times = self.prints.singles[alike, 0] * np.stack([ratio, np.abs(ratio)], axis=1)
                found += [(int(p), factor) for p in alike[near(times, wanted).all(axis=1)]]
        return [(edit, factor) for edit, factor in found if self.edits[edit].id != FACTOR]

    @cached_property
    def _first(self) -> Array:
        """The prints of the kept edits on the first case."""
        return np.ascontiguousarray(self.prints.singles[self.prints.kept, 0])

    @cached_property
    def _factors(self) -> list[int]:
        return [p for p, edit in enumerate(self.edits) if edit.id == FACTOR]

    def beside(self, wanted: Array, most: int) -> Iterator[tuple[int, int]]:
        """Of several results: edits that give some of the wrong ones, with edits of the others alone."""
        singles, right = self._first, self.prints.right[0]
        wrong = ~near(right[None], wanted)[0]
        gives = near(singles, wanted)
        useful = (gives & wrong).sum(axis=1)
        touches = ~near(singles, right)
        count = 0
        for one in np.argsort(-gives.sum(axis=1) * (useful > 0), kind="stable"):
            if not useful[one] or count >= most:
                return
            rest = ~gives[one]
            others = np.flatnonzero(~(touches & ~rest).any(axis=1) & touches.any(axis=1))
            for other in others[: most - count]:
                if other != one:
                    count += 1
                    yield int(self.prints.kept[one]), int(self.prints.kept[other])

    def pairs(self, pairs: Pairs, wanted: Array) -> list[tuple[int, int]]:
        """The pairs that lie near in the first case, the simplest first."""
        found = [(int(a), int(b)) for a, b in pairs.pairs[near(pairs.prints, wanted).all(axis=1)]]
        return sorted(found, key=lambda pair: (self.edits[pair[0]].rank + self.edits[pair[1]].rank, pair))


def read_edits(
    reference: Callable[..., object], calls: Sequence[Planned]
) -> tuple[Program, Context, tuple[Edit, ...]] | None:
    """The program of a reference and all its edits, or None where there is no source."""
    program = read_program(reference)
    if program is None:
        return None
    observed = observe(program, calls)
    if observed is None:
        return None
    part = calls[0].part
    names = tuple(each.name for each in parse_shapes(part.doc, part.parameters).outputs)
    context = Context(program, observed, names)
    return program, context, tuple(all_edits(context)[:MOST_SINGLES])


def compute_prints(program: Program, edits: Sequence[Edit], calls: Sequence[Planned], outputs: int) -> Prints:
    """Call every edit on the cases."""
    right = np.stack([print_of(given.outputs, outputs) for given in calls_of(carry_out(program), calls)])
    singles = _singles(program, edits, calls, right)
    kept = _kept(singles, right, edits, _reach(program))
    same = [p for p in range(len(edits)) if _is_right(singles[p], right)]
    return Prints(
        singles, kept, right, np.array(same, dtype=np.int64), _raising(singles, program, edits, calls)
    )


def _raising(singles: Array, program: Program, edits: Sequence[Edit], calls: Sequence[Planned]) -> Whole:
    visible = [position for position, call in enumerate(calls) if not call.case.hidden]
    raised = np.flatnonzero(np.isnan(singles[:, visible, :, 0]).all(axis=(1, 2))).tolist()
    made = sorted(raised, key=lambda p: clearness(edits[p]))[:MOST_RAISING]
    return np.array([p for p in made if carry_out(program, edits[p]) is not None], dtype=np.int64)


def compute_pairs(program: Program, edits: Sequence[Edit], first: Planned, prints: Prints) -> Pairs:
    """Call pairs of the commonest edits on the first case; what one of them gives alone is no pair."""
    outputs = prints.right.shape[1]
    pairs, found = [], []
    most = PAIRED if len(program.nodes) < LONG else PAIRED_OF_LONG
    with uncollected():
        for a, b in itertools.combinations(_chosen(program, edits, prints.kept, most), 2):
            changed = carry_out(program, edits[a], edits[b])
            if changed is None:
                continue
            both = print_of(changed.call(first).outputs, outputs)
            changed.forget()
            if not np.isnan(both).any() and not near(both[None], prints.right[0]).all():
                pairs.append((a, b))
                found.append(both)
    return Pairs(np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(found).reshape(-1, outputs, 2))


def _singles(program: Program, edits: Sequence[Edit], calls: Sequence[Planned], right: Array) -> Array:
    """The prints of every edit; edits that become the same program are called once."""
    found = np.full((len(edits), *right.shape), np.nan)
    known: dict[tuple[CodeType, ...], Array] = {}
    if (codes := compiled(program)) is not None:
        known[codes] = right
    with uncollected():
        for position, edit in enumerate(edits):
            codes = compiled(program, edit)
            if codes is None:
                continue
            if codes not in known:
                changed = ready(program, codes)
                known[codes] = _single(changed, calls, right)
                if changed is not None:
                    changed.forget()
            found[position] = known[codes]
    return found


def _single(changed: Changed | None, calls: Sequence[Planned], right: Array) -> Array:
    """On all visible cases, and on the hidden ones as long as nothing tells the edit from what is right."""
    found = np.full_like(right, np.nan)
    alike = changed is not None
    for case in sorted(range(len(calls)), key=lambda case: calls[case].case.hidden):
        if changed is not None and (alike or not calls[case].case.hidden):
            found[case] = print_of(changed.call(calls[case]).outputs, right.shape[1])
            alike = alike and bool(near(found[case], right[case]).all())
    return found


def _is_right(single: Array, right: Array) -> bool:
    return not np.isnan(single).any() and bool(near(single, right).all())


def _reach(program: Program) -> Callable[[Edit], tuple[int, int]]:
    """How much of the program a change reaches over: of two that are alike, the outer, later one is told."""
    return lambda edit: (
        -max(program.nodes[number].end - number for number in edit.changes),
        -min(edit.changes),
    )


def _kept(
    singles: Array, right: Array, edits: Sequence[Edit], reach: Callable[[Edit], tuple[int, int]]
) -> Whole:
    """One edit of every group that gives the same everywhere, the simplest; none that gives what is right."""
    seen: set[tuple[float, ...]] = {key_of_prints(right)}
    kept = []
    # Of edits that are the same function, the one is told whose sentence is clearest.
    for position in sorted(range(len(singles)), key=lambda p: (clearness(edits[p]), *reach(edits[p]), p)):
        if np.isnan(singles[position]).all():
            continue
        key = key_of_prints(singles[position])
        if key not in seen:
            seen.add(key)
            kept.append(position)
    return np.array(kept, dtype=np.int64)


def clearness(edit: Edit) -> float:
    """How simple an edit is, and how plainly it can be told; the least is best."""
    return edit.rank + 2 * vagueness(edit.says)


def _chosen(program: Program, edits: Sequence[Edit], kept: Whole, most: int) -> list[int]:
    """The edits to pair: the simplest, and the simplest of each kind, then the second of each, and so on."""
    counts: dict[str, int] = {}
    simple, various = [], []
    for position in kept:
        edit = edits[position]
        if edit.id == FACTOR:  # found by their ratio, beside every other edit
            continue
        often = edit.id in USUAL_BESIDE or _is_of_an_argument(program, edit)
        place = (
            f"{edit.id} at {min(edit.changes)}" if often else edit.id
        )  # what is usual is so in every place
        for each in {place, edit.id}:
            counts[each] = counts.get(each, 0) + 1
        usual = 10 - 0.5 * counts[edit.id] if often else -20.0 * bool(RARE_BESIDE.fullmatch(edit.id))
        again = (1 if often else 3) * (counts[place] - 1)
        simple.append((clearness(edit) - usual + again, int(position)))
        various.append((clearness(edit) / 3 - usual + again, int(position)))
    chosen = [position for _, position in (*sorted(simple)[:most], *sorted(various)[:most])]
    return list(dict.fromkeys(chosen))


def _is_of_an_argument(program: Program, edit: Edit) -> bool:
    """Whether an argument as a whole is read otherwise: transposed, say, or backwards."""
    return edit.id in USUAL_OF_ARGUMENTS and edit.says.split()[0] in program.parameters
