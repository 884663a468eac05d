"""A student's wrong values beside those of the edits: the edit that gives them in every case, or none."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import torch
from torch import Tensor

from autograder.calls.compare_tensors import agrees, is_right, tolerance
from autograder.calls.expected import Expected, Planned
from autograder.calls.inputs import arguments, narrow, widen
from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.model import Code
from autograder.diagnose.edit_runs import Array, Changed, EditResult, carry_out, key_of_prints, near, print_of
from autograder.diagnose.edits.edit import Edit
from autograder.diagnose.index_of_edits import Index, Pairs, Whole
from autograder.diagnose.structural_mistakes import Suspect

MOST_CANDIDATES = 60  # edits whose prints lie near; more of them say that the cases tell too little
MOST_BESIDE = 200  # pairs of which one edit gives some of the results
LEAST_NUMBERS = 3  # different wrong numbers that an explanation must account for

Candidates = Callable[["CaseAnswers"], Iterator[tuple[int, ...]]]


@dataclass(frozen=True, eq=False)
class CaseAnswers:
    """One student's answers to every case, beside what was expected."""

    calls: Sequence[Planned]
    expected: Sequence[Expected]
    outcomes: Sequence[Outcome]
    _wrong: dict[int, list[int]] = field(default_factory=dict)

    @cached_property
    def print(self) -> tuple[Hashable, ...]:
        """What the visible cases gave, in a few numbers: the same for all of a class who made one slip."""
        found: list[Hashable] = [tuple(self.telling)]
        for call, want, outcome in zip(self.calls, self.expected, self.outcomes, strict=True):
            if not call.case.hidden:
                outputs = outcome.outputs
                rounded = key_of_prints(print_of(outputs, len(want.outputs)))
                kinds = tuple((out.dtype, out.shape) if isinstance(out, Tensor) else None for out in outputs)
                found += [outcome.status, kinds, rounded]
        return tuple(found)

    @property
    def share(self) -> float:
        """What one slip earns."""
        return self.calls[0].part.share or 0.0

    @cached_property
    def telling(self) -> list[int]:
        """The cases with values that are not the right ones."""
        return [p for p, outcome in enumerate(self.outcomes) if outcome.status == "ok" and self.wrong(p)]

    def wrong(self, case: int) -> list[int]:
        """The outputs that are wrong in one case; none where there are too few or too many."""
        if case not in self._wrong:
            got, want = self.outcomes[case].outputs, self.expected[case].outputs
            pairs = enumerate(zip(got, want, strict=True)) if len(got) == len(want) else ()
            self._wrong[case] = [p for p, (a, b) in pairs if isinstance(a, Tensor) and not is_right(a, b)]
        return self._wrong[case]

    @cached_property
    def wrong_outputs(self) -> list[int]:
        return sorted({output for case in self.telling for output in self.wrong(case)})

    @cached_property
    def tells_enough(self) -> bool:
        return bool(self.telling) and self.numbers() >= LEAST_NUMBERS

    def numbers(self) -> int:
        """How many different numbers there are to explain; zero and one tell little."""
        found: set[float] = set()
        some_right = len(self.telling) < sum(outcome.status == "ok" for outcome in self.outcomes)
        for case in self.telling:
            for output in self.wrong(case):
                given = self.outcomes[case].outputs[output]
                assert isinstance(given, Tensor)
                values = given.detach().double().reshape(-1)
                lost = values.isnan()
                if bool(lost.any()) and (some_right or not bool(lost.all())):
                    return LEAST_NUMBERS  # an overflow is a pattern of its own; nothing but NaN is none
                plain = values[values.isfinite() & (values != 0) & (values.abs() != 1)]
                found |= {float(f"{value:.4g}") for value in plain[:16].tolist()}
                if len(found) >= LEAST_NUMBERS:
                    return len(found)
        return len(found)


@dataclass(frozen=True, eq=False)
class Recogniser:
    """Names the edits of one reference in the answers of a class."""

    index: Index
    compute_pairs: Callable[[], Pairs]
    _visible: dict[tuple[tuple[int, ...], Planned], EditResult] = field(default_factory=dict)

    def find(self, answer: CaseAnswers) -> Suspect | None:
        """The edit, or two, that explain an answer; None where there is none or where it stays open which."""
        for strict in (True, False):
            positions = [
                p
                for p, call in enumerate(answer.calls)
                if strict or call.case.costs == 1 or p == answer.telling[0]
            ]
            if not any(position in answer.telling for position in positions):
                continue
            for candidates in (self._singles, self._pairs):
                fitting = self._seen_to_fit(candidates, answer, positions, strict=strict)
                for place, edits in enumerate(fitting):
                    if self._explains(edits, answer, positions, strict=strict):
                        rivals = (
                            other
                            for other in fitting[place + 1 :]
                            if not self._equal(edits, other, answer)
                            and self._explains(other, answer, positions, strict=strict)
                        )
                        # Two that are not the same function: it stays open which of them it is.
                        return None if next(rivals, None) is not None else self._told(edits, answer, strict)
        return self._by_output(answer)

    # ---------------------------------------------------------------- candidates

    def _seen_to_fit(
        self, candidates: Candidates, answer: CaseAnswers, positions: Sequence[int], *, strict: bool
    ) -> list[tuple[int, ...]]:
        """Those that explain the visible cases: found once for all who gave the same there."""
        key = (candidates.__name__, strict, answer.print)
        if key not in self._fitting:
            visible = [p for p in positions if not answer.calls[p].case.hidden]
            self._fitting[key] = [
                edits for edits in candidates(answer) if self._explains(edits, answer, visible, strict=strict)
            ]
        return self._fitting[key]

    @cached_property
    def _fitting(self) -> dict[Hashable, list[tuple[int, ...]]]:
        return {}

    def _singles(self, answer: CaseAnswers) -> Iterator[tuple[int, ...]]:
        chosen = self._near(answer, lambda case, wanted: self.index.singles(case, wanted))
        most = MOST_CANDIDATES if self._has_visible(answer) else len(chosen)
        yield from ((int(position),) for position in chosen[:most])

    @staticmethod
    def _has_visible(answer: CaseAnswers) -> bool:
        return any(
            outcome.status == "ok" and not call.case.hidden
            for call, outcome in zip(answer.calls, answer.outcomes, strict=True)
        )

    def _near(self, answer: CaseAnswers, look: Callable[[int, Array], Whole]) -> list[int]:
        """Edits whose prints lie near in every visible case that has values."""
        found: list[int] | None = None
        for case, (call, outcome) in enumerate(zip(answer.calls, answer.outcomes, strict=True)):
            if call.case.hidden or outcome.status != "ok":
                continue
            if call.case.costs < 1 and case not in answer.telling[:1]:
                continue
            wanted = print_of(outcome.outputs, len(answer.expected[case].outputs))
            chosen = look(case, wanted)
            near = set(chosen.tolist())
            found = list(chosen) if found is None else [p for p in found if p in near]
        return [int(p) for p in found] if found is not None else self._raising(answer)

    def _raising(self, answer: CaseAnswers) -> list[int]:
        """Where all visible cases raise: the edits that raise there, too."""
        return [int(p) for p in self.index.prints.raising]

    def _pairs(self, answer: CaseAnswers) -> Iterator[tuple[int, ...]]:
        first = answer.outcomes[0]
        if first.status != "ok" or answer.calls[0].case.hidden:
            return
        outputs = len(answer.expected[0].outputs)
        wanted = print_of(first.outputs, outputs)
        yield from self.index.scaled(wanted)[:MOST_CANDIDATES]
        yield from self.index.pairs(self._all_pairs, wanted)[:MOST_CANDIDATES]
        if outputs > 1:
            yield from self._beside(answer.calls[0], wanted)

    def _beside(self, call: Planned, wanted: Array) -> Iterator[tuple[int, ...]]:
        for edits in self.index.beside(wanted, MOST_BESIDE):
            changed = self._carry_out(edits)
            if changed is not None:
                given = print_of(self._call(edits, changed, call).outputs, len(wanted))
                if near(given[None], wanted).all():
                    yield edits

    @cached_property
    def _all_pairs(self) -> Pairs:
        return self.compute_pairs()

    # ---------------------------------------------------------------- confirmation

    def _explains(
        self,
        edits: tuple[int, ...],
        answer: CaseAnswers,
        positions: Sequence[int],
        *,
        strict: bool,
        outputs: Sequence[int] | None = None,
    ) -> bool:
        changed = self._carry_out(edits)
        if changed is None:
            return False
        for case in sorted(positions, key=lambda p: p not in answer.telling):
            outcome = answer.outcomes[case]
            if outcome.status != "ok":
                continue  # only values are compared
            given = self._call(edits, changed, answer.calls[case])
            if given.raised or len(given.outputs) != len(outcome.outputs):
                return False
            for output in outputs if outputs is not None else range(len(given.outputs)):
                if not self._same(changed, answer, case, output, given, strict=strict):
                    return False
        return True

    def _same(
        self,
        changed: Changed,
        answer: CaseAnswers,
        case: int,
        output: int,
        given: EditResult,
        *,
        strict: bool,
    ) -> bool:
        got, mine = answer.outcomes[case].outputs[output], given.outputs[output]
        if not isinstance(got, Tensor) or got.shape != mine.shape or (strict and got.dtype != mine.dtype):
            return False
        want = answer.expected[case].outputs[output]
        close = max(want.tolerance, _least(mine, want.dtype))
        if agrees(got, mine, close):
            return True
        # Only what lies near is worth two more calls: how far the edit's own values may lie apart.
        if not agrees(got, mine, 1e-2 * (_largest(mine) + 1e-30)):
            return False
        wide, single = changed.call(answer.calls[case], widen), changed.call(answer.calls[case], narrow)
        if wide.raised or single.raised or wide.outputs[output].shape != mine.shape:
            return False
        spread = tolerance(wide.outputs[output].double(), [single.outputs[output]], want.dtype)
        return agrees(got, wide.outputs[output], min(spread, 1e-3 * _largest(mine)))

    def _carry_out(self, edits: tuple[int, ...]) -> Changed | None:
        if edits not in self._made:
            self._made[edits] = carry_out(self.index.program, *(self.index.edits[e] for e in edits))
        return self._made[edits]

    @cached_property
    def _made(self) -> dict[tuple[int, ...], Changed | None]:
        return {}

    def _call(self, edits: tuple[int, ...], changed: Changed, call: Planned) -> EditResult:
        """What visible cases give is the same for the whole class."""
        if call.case.hidden:
            return changed.call(call)
        known = self._visible.get((edits, call))
        if known is None:
            known = self._visible[edits, call] = changed.call(call)
        return known

    # ---------------------------------------------------------------- what is said

    def _told(self, edits: tuple[int, ...], answer: CaseAnswers, strict: bool) -> Suspect:
        """What is said of the edits that fit; one slip that explains every case earns its share."""
        told = suspect([self.index.edits[position] for position in edits])
        everywhere = strict and all(outcome.status == "ok" for outcome in answer.outcomes)
        return replace(told, share=answer.share) if len(edits) == 1 and everywhere else told

    def _equal(self, one: tuple[int, ...], two: tuple[int, ...], answer: CaseAnswers) -> bool:
        """Whether two explanations give the same on further inputs of every case."""
        if (one, two) not in self._alike:
            self._alike[one, two] = self._give_the_same(one, two, answer)
        return self._alike[one, two]

    @cached_property
    def _alike(self) -> dict[tuple[tuple[int, ...], tuple[int, ...]], bool]:
        return {}

    def _give_the_same(self, one: tuple[int, ...], two: tuple[int, ...], answer: CaseAnswers) -> bool:
        a, b = self._carry_out(one), self._carry_out(two)
        if a is None or b is None:
            return False
        for case, call in enumerate(answer.calls):
            again = fresh_inputs(call, case)
            left, right = a.call(again, widen), b.call(again, widen)
            if left.raised != right.raised or len(left.outputs) != len(right.outputs):
                return False
            for x, y in zip(left.outputs, right.outputs, strict=True):
                if not agrees(x, y, 1e-7 * (_largest(x) + 1e-30)):
                    return False
        return True

    # ---------------------------------------------------------------- several results, each for itself

    def _by_output(self, answer: CaseAnswers) -> Suspect | None:
        """Where some results are right, or each is wrong in its own way: at most two edits."""
        count = len(answer.expected[0].outputs)
        core = [p for p, call in enumerate(answer.calls) if call.case.costs == 1]
        if count < 2 or not set(core) & set(answer.telling):
            return None
        names = [want.name for want in answer.expected[0].outputs]
        chosen: dict[int, list[int]] = {}
        for output in answer.wrong_outputs:
            edit = self._for_output(answer, output, core)
            if edit is None:
                return None
            chosen.setdefault(edit, []).append(output)
        if len(chosen) > 2:
            return None
        parts = []
        for edit, outputs in chosen.items():
            named = ", ".join(names[o] or f"result {o + 1}" for o in outputs)
            parts.append(f"in {named}: {self.index.edits[edit].says}")
        first = self.index.edits[next(iter(chosen))]
        return Suspect(first.id, "; ".join(parts))

    def _for_output(self, answer: CaseAnswers, output: int, core: Sequence[int]) -> int | None:
        key = ("output", output, answer.print)
        if key not in self._fitting:
            near = self._near(answer, lambda case, wanted: self.index.of_output(case, wanted, output))
            visible = [p for p in core if not answer.calls[p].case.hidden]
            self._fitting[key] = [
                (edit,)
                for edit in near[:MOST_CANDIDATES]
                if self._explains((edit,), answer, visible, strict=False, outputs=[output])
            ]
        found = [
            edits
            for edits in self._fitting[key]
            if self._explains(edits, answer, core, strict=False, outputs=[output])
        ]
        if not found or any(not self._equal_in(found[0], other, answer, output) for other in found[1:6]):
            return None
        return found[0][0]

    def _equal_in(self, one: tuple[int, ...], two: tuple[int, ...], answer: CaseAnswers, output: int) -> bool:
        """Whether two edits give the same in one result, on further inputs of every case."""
        key = (one, two, output)
        if key not in self._alike_in:
            self._alike_in[key] = self._give_the_same_in(one, two, answer, output)
        return self._alike_in[key]

    @cached_property
    def _alike_in(self) -> dict[tuple[tuple[int, ...], tuple[int, ...], int], bool]:
        return {}

    def _give_the_same_in(
        self, one: tuple[int, ...], two: tuple[int, ...], answer: CaseAnswers, output: int
    ) -> bool:
        a, b = self._carry_out(one), self._carry_out(two)
        assert a is not None
        assert b is not None
        for case, call in enumerate(answer.calls):
            again = fresh_inputs(call, case)
            left, right = a.call(again, widen), b.call(again, widen)
            if left.raised or right.raised:
                return left.raised == right.raised
            x, y = left.outputs[output], right.outputs[output]
            if not agrees(x, y, 1e-7 * (_largest(x) + 1e-30)):
                return False
        return True


def suspect(edits: Sequence[Edit]) -> Suspect:
    if len(edits) == 1:
        return Suspect(edits[0].id, edits[0].says)
    if len({edit.says for edit in edits}) == 1:
        return Suspect(edits[0].id, f"{edits[0].says}; and the same in another place")
    return Suspect("+".join(edit.id for edit in edits), f"two slips: {'; and '.join(e.says for e in edits)}")


def fresh_inputs(call: Planned, number: int) -> Planned:
    """The same case with other numbers."""
    assert isinstance(call.part, Code)
    drawn = arguments(call.part, call.case, 7919 * (number + 1))
    return Planned(call.part, call.case, drawn, (), ())


def _largest(values: Tensor) -> float:
    finite = values.double()[values.isfinite()].abs()
    return float(finite.max()) if finite.numel() else 0.0


def _least(values: Tensor, dtype: torch.dtype) -> float:
    """A few last places of the largest value."""
    eps = torch.finfo(dtype).eps if dtype.is_floating_point else 0.0
    return 16 * eps * _largest(values)
