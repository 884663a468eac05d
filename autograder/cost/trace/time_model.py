"""The model of time: what a sum, an inner product and an elementwise step cost, as exact integers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


class UnknownOperation(Exception):
    """An operation that has no rule: its cost is not known, so nothing may be said about the program's."""

    def __init__(self, operation: str, why: str = "there is no rule for its cost") -> None:
        self.operation, self.why = operation, why
        super().__init__(f"{operation}: not measured: {why}")


# What one operation costs: its work, and the steps from its inputs to its outputs.
Charge = tuple[int, int]


class TooManyOperations(UnknownOperation):
    """A program that takes more operations than it was given."""

    def __init__(self) -> None:
        super().__init__("this call", "it takes too many operations at this size")


@dataclass(frozen=True)
class Model:
    """How sums are timed. A sum of n terms is a tree, log₂ n steps deep.

    `serial` says which inner products are added up one term after another instead: all of them, none,
    or those of certain lengths. Plain sums stay trees.
    """

    serial: bool | Collection[int] = False

    def sum(self, terms: int) -> int:
        """The depth of a tree of pairwise sums: log₂ n, rounded up."""
        return (terms - 1).bit_length() if terms > 1 else 0

    def inner(self, length: int) -> int:
        """One step to multiply, then the sum; or a step for each term."""
        serial = self.serial
        if serial is True or (serial is not False and length in serial):
            return length
        return 1 + (length - 1).bit_length() if length > 1 else 1
