"""What may be told of a hidden case that fails: no values, and its hint only where the hint can be true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.calls.compare_tensors import Difference, agrees, tolerance
from autograder.calls.compare_values import NO_GRADIENT
from autograder.calls.expected import Expected, Planned
from autograder.calls.failure import NO_VALUE, WITHOUT_VALUES, no_value_hidden
from autograder.calls.requests_and_outcomes import Outcome
from autograder.course.case_demands import is_large, is_ordinary

SAME_SLIP = "fails as well: mend the slip above first"
LIKE_VISIBLE = "fails like the visible cases: mend those first"
ANOTHER_NUMBER = "another number of results comes back than is asked for"
# Kinds whose names are ours: that of a student's own class may say anything.
OUR_KINDS = ("none", "ndarray", "tuple", "list", "number", "bool", "str", "bytes", "dict", "set")


@dataclass(frozen=True)
class Failures:
    """The cases of a part beside what came of them; `named` says that a slip explains all of it."""

    calls: Sequence[Planned]
    expected: Sequence[Expected]
    outcomes: Sequence[Outcome]
    failures: Sequence[Difference | None]
    named: bool

    def tell(self, position: int) -> str:
        """Why a hidden case fails."""
        failure, outcome = self.failures[position], self.outcomes[position]
        assert failure is not None
        if failure.what == NO_VALUE:
            return no_value_hidden(outcome)
        if self.named:
            return SAME_SLIP
        plain = self.expected[position].holds is None  # else the sentence shows what was expected
        if plain and failure.what == "kind" and {outcome.kind, *outcome.kinds} <= {*OUR_KINDS, "tensor"}:
            return ANOTHER_NUMBER if self._is_of_another_number(position) else failure.message
        if failure.what == NO_GRADIENT:
            return failure.message
        if self._visible_fail():
            return LIKE_VISIBLE
        fact, hint = WITHOUT_VALUES[failure.what], self.calls[position].case.hint
        if not hint or not self._hint_fits(position, failure.what):
            return fact
        return f"{fact}: {hint}" if failure.what == "shape" else hint

    def _is_of_another_number(self, position: int) -> bool:
        """Whether so many results came back that their number is what the message would tell: it is chosen
        by who knows the hidden input."""
        outcome, expected = self.outcomes[position], self.expected[position]
        return (
            expected.many
            and outcome.kind in ("tuple", "list")
            and len(outcome.outputs) != len(expected.outputs)
        )

    def _visible_fail(self) -> bool:
        return any(
            failure is not None and not call.case.hidden and is_ordinary(call.case)
            for call, failure in zip(self.calls, self.failures, strict=True)
        )

    def _hint_fits(self, position: int, what: str) -> bool:
        """A hint gives one reason: it fits a failure of that kind, or one that stands alone."""
        case = self.calls[position].case
        if case.dtype != "float32" and what in ("dtype", "values"):
            return what == "dtype" or self._only_rounded(position)
        if what not in ("values", "shape"):
            return False  # the fact itself says more
        if is_large(case) and what != "values":
            return False
        if is_large(case) and _overflows(self.outcomes[position]):
            return True
        return sum(failure is not None for failure in self.failures) == 1

    def _only_rounded(self, position: int) -> bool:
        """Whether the values are right as far as single precision goes."""
        return self.expected[position].holds is None and all(
            isinstance(got, Tensor)
            and agrees(got, want.values, 16 * max(tolerance(want.values, (), torch.float32), want.tolerance))
            for got, want in zip(
                self.outcomes[position].outputs, self.expected[position].outputs, strict=True
            )
        )


def _overflows(outcome: Outcome) -> bool:
    return any(isinstance(got, Tensor) and not bool(got.isfinite().all()) for got in outcome.outputs)
