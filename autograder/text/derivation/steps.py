"""A step of a derivation: one line, held against the one before it."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.text.analysis.decide import Decision


@dataclass(frozen=True)
class DerivationStep:
    """One claim: that an expression or an equation follows from what stood before it."""

    line: int
    decision: Decision
    shown: str
    before: str
    because: str = ""  # what is wrong with the line itself
