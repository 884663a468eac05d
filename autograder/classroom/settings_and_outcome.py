"""How a class is to be graded, and what has come of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.classroom.mark_changes import Move
from autograder.classroom.marks_by_people import MarksByHand
from autograder.errors import UsageError
from autograder.grade.report import Identity, Report

# As Dask writes the address of a scheduler: a host, also one in brackets, and a port.
SCHEDULER = re.compile(r"(?:(?:tcp|tls|wss?)://)?(?:[^\s:/\[\]]+|\[[0-9a-fA-F:.%]+\]):\d{1,5}/?")


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
    by_hand: MarksByHand = field(default_factory=dict)  # what people have marked: the reports say it not


def check_cluster(address: str) -> None:
    """Refuse what is neither a number of local workers nor the address of a scheduler."""
    kind, _, count = address.partition(":")
    if kind == "local":
        if not count.isdigit() or not int(count):
            raise UsageError(f"--cluster {address}: write local:N with a number of workers, local:4")
    elif not SCHEDULER.fullmatch(address):
        raise UsageError(
            f"--cluster {address}: write the scheduler's address, such as tcp://HOST:8786, "
            "or local:N for workers on this machine"
        )
