"""A measured growth rate and one that is claimed or demanded come in; whether they agree goes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.course.model import Growth, Key
from autograder.text.growth.judge import judge_growth

AGREES = ("equivalent",)
WITHIN = ("equivalent", "tighter")


@dataclass(frozen=True)
class Agreement:
    """Whether a claim about a cost holds, and the sentence that says so."""

    holds: bool
    says: str


def verdict(measured: str, wanted: str, variables: Sequence[str], assumptions: Sequence[str] = ()) -> str:
    """What a measured rate is to another: equivalent, tighter, looser or incomparable."""
    part = Growth("cost", 0, "", variables, assumptions)
    return judge_growth(measured, part, Key(wanted)).verdict


def agrees(measured: str, claimed: str, variables: Sequence[str], assumptions: Sequence[str] = ()) -> bool:
    return verdict(measured, claimed, variables, assumptions) in AGREES


def within(measured: str, bound: str, variables: Sequence[str], assumptions: Sequence[str] = ()) -> bool:
    return verdict(measured, bound, variables, assumptions) in WITHIN


def contradiction(part: Growth, answer: str, measured: str, function: str, right: bool) -> str:
    """What to tell a student whose growth rate is not that of the student's own program, or nothing.

    An answer that is right for what was asked stays right; then the program is another matter.
    """
    found = judge_growth(answer, part, Key(measured)).verdict
    if found in ("equivalent", "unparseable"):
        return ""
    own = f"the {part.quantity} of your own {function} grows like {measured} when it is measured"
    if right:
        return f"this answers what was asked; the program you wrote is another matter: {own}"
    return f"{own}, which is not the rate you give either"
