"""Files that say whose they are become hand-ins, one a student and problem, and none by a silent choice."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from autograder.errors import UsageError
from autograder.grade.report import Report, Status

MOST_CLASHES = 10  # that are told at once


@dataclass(frozen=True, order=True)
class Handin:
    """One notebook of one student: where it lies, what it answers, and when it came if that is known.

    `inside` are the members that lead to it where `path` is an archive. Where a student handed in a folder
    or an archive without a notebook, `absent` says what became of it and why.
    """

    student: str
    set: str
    problem: str
    path: Path
    inside: tuple[str, ...] = ()
    submitted: datetime | None = field(default=None, compare=False)
    late: bool = field(default=False, compare=False)  # the platform says so, without telling the time
    absent: tuple[Status, str] | None = field(default=None, compare=False)

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.student, self.set, self.problem


def told_of(handin: Handin, report: Report) -> Report:
    """The report with what it keeps of its hand-in, no part of the marks: where it lies, when it came."""
    return replace(
        report,
        path=str(handin.path.resolve()),
        inside=handin.inside,
        absent=handin.absent,
        submitted=handin.submitted.isoformat() if handin.submitted else None,
        late=handin.late,
    )


def handin_of(report: Report) -> Handin:
    """The hand-in that a report was made of; a report of an older version does not say where that lies."""
    came = datetime.fromisoformat(report.submitted) if report.submitted else None
    return Handin(*report.identity, Path(report.path), report.inside, came, report.late, report.absent)


@dataclass(frozen=True)
class Claim:
    """A file that says it is a hand-in, and what tells a later one from an earlier one.

    `source` is what named the student, as it lies there.
    """

    handin: Handin
    place: str
    source: str
    order: tuple[object, ...]


def refuse_clashes(named: Iterable[tuple[str, str]]) -> None:
    """No two names of folders or files may become one student: whose marks would they be?

    `named` are students with what named them. Names that differ in capitals only would share a folder on
    some systems.
    """
    sources: dict[str, dict[str, str]] = {}
    for student, source in named:
        sources.setdefault(student.casefold(), {}).setdefault(source, student)
    clashes = [
        f"{' and '.join(sorted(_spelled(each)))} would both be the student {min(each.values())!r}"
        for each in sources.values()
        if len(each) > 1
    ]
    if clashes:
        more = f"; and {len(clashes) - MOST_CLASHES} more" if len(clashes) > MOST_CLASHES else ""
        raise UsageError(
            f"{'; '.join(sorted(clashes)[:MOST_CLASHES])}{more}: rename one of each, "
            "or take it out, and run this again"
        )


def _spelled(sources: Iterable[str]) -> list[str]:
    """Names in quotes; with their code points where the same letters are written in two ways."""
    spelled = list(sources)
    names = [source.rstrip("/") for source in spelled]
    if len({*names}) < len(names):  # a folder, and a file that is named after it
        names = spelled
    alike = len({unicodedata.normalize("NFC", name) for name in names}) < len(names)
    return [ascii(name) if alike else repr(name) for name in names]


def latest(claims: Sequence[Claim], skipped: list[str]) -> list[Handin]:
    """Of several notebooks of one student for one problem the last counts, and the others are named."""
    groups: dict[tuple[str, str, str], list[Claim]] = {}
    for claim in claims:
        groups.setdefault(claim.handin.identity, []).append(claim)
    for (student, set_id, problem), group in groups.items():
        group.sort(key=lambda claim: claim.order)
        skipped += [
            f"{claim.place}: {student} also handed in {group[-1].place} for {set_id}/{problem}, which counts"
            for claim in group[:-1]
        ]
    return [group[-1].handin for group in groups.values()]
