"""Wrong answers that nothing explains yet become groups: of the same values, reading or words."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.course.load import Course
from autograder.course.model import Named, Prose
from autograder.grade.named import print_of
from autograder.grade.report import Identity, PartReport, Report, Status
from autograder.gradebook.said import Place

_NUMBER = re.compile(r"\d+")
_COUNTS = re.compile(r"\d+ of \d+ cases pass")
TROUBLED = frozenset({Status.CRASHED, Status.TIMED_OUT, Status.KILLED})


@dataclass(frozen=True)
class Cause:
    """Wrong answers to one part that are alike, the first of them to be looked at.

    `print` stands for the answer where the next run can tell it by that; it is empty where only words and
    lines are alike.
    """

    problem: str
    part: str
    print: str
    places: tuple[Place, ...]
    row: PartReport  # the first one's report

    @property
    def size(self) -> int:
        return len(self.places)

    @property
    def id(self) -> str:
        return hashlib.blake2b(f"{self.print}\0{self.places[0]}".encode(), digest_size=6).hexdigest()


def find_causes(
    course: Course, summaries: Mapping[Identity, Report], named: Mapping[str, Iterable[Named]]
) -> list[Cause]:
    """The groups, the largest first; what has been named already is left out."""
    known = {(problem, each.of, each.print) for problem, several in named.items() for each in several}
    found: dict[tuple[str, str, str, str], list[tuple[Place, PartReport]]] = defaultdict(list)
    for (student, set_id, problem), report in sorted(summaries.items()):
        prose = _prose(course, problem)
        for row in report.parts:
            if row.part in prose or not _is_unnamed(row):
                continue
            own = print_of(row.wrong_values, row.read_as)
            own = own if row.status == Status.GRADED else ""
            if (problem, row.part, own) not in known:
                alike = own or _words(row)
                place = Place(student, set_id, problem, row.part)
                found[problem, row.part, own, alike].append((place, row))
    causes = [
        Cause(problem, part, own, tuple(place for place, _ in members), members[0][1])
        for (problem, part, own, _), members in found.items()
    ]
    return sorted(causes, key=lambda cause: (-len(cause.places), cause.problem, cause.part, cause.id))


def _prose(course: Course, problem: str) -> frozenset[str]:
    known = course.problems.get(problem)
    return frozenset(part.name for part in (known.parts if known else ()) if isinstance(part, Prose))


def _is_unnamed(row: PartReport) -> bool:
    wrong = row.status == Status.GRADED and row.score < row.max_score
    return not row.mistake and (wrong or row.status in TROUBLED)


def _words(row: PartReport) -> str:
    """Where it departs, or what is said of it, without the numbers: two crashes at other sizes are one."""
    lines = [line for line in row.feedback.split("\n") if not _COUNTS.fullmatch(line)]
    said = row.departs.says if row.departs else (lines or [""])[0]
    return _NUMBER.sub("0", said)
