"""How a class is to be graded, and what has come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.moved_marks import Move
from autograder.grade.report import Identity, Report


@dataclass(frozen=True)
class Settings:
    """How a class is graded."""

    out: Path
    workers: int = 1
    isolation: bool = True
    regrade: bool = False
    limits: Mapping[str, float] | None = None
    gradebook: bool = False
    db: str | None = None  # the gradebook's address; OUT/gradebook.db by default
    again: frozenset[Identity] = frozenset()  # what is graded again whatever is known of it
    cluster: str | None = None  # a Dask scheduler's address, or local:N


@dataclass(frozen=True)
class GradedClass:
    """A graded class: all reports in order, and how many of them were graded just now."""

    reports: tuple[Report, ...]
    graded: int
    notes: tuple[str, ...] = ()  # what an instructor should know, a sentence each
    moves: tuple[Move, ...] = ()  # marks that are others than after the last finished run
    faults: int = 0  # that the grader itself made, told in OUT/faults.log
