"""Wrong answers that nothing explains yet become groups: of the same values, reading, words, or parting line.

What an edit of the reference explains has its name from the grader and is not here. Of the rest, those with
the same values are one variant; variants that part from a right solution in the same way, up to names and
numbers, are one group, for a person to look at one member of each.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.course.load import Course
from autograder.course.model import Code, Named, Part, Prose
from autograder.grade.code_prints import line_shape
from autograder.grade.named_at_desk import print_of
from autograder.grade.report import Identity, PartReport, Report, Status
from autograder.gradebook.said_by_person import AnswerPlace
from autograder.pages.frequent_mistakes import trouble_words

_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"`([^`\n]+)`")
TROUBLED = frozenset({Status.CRASHED, Status.TIMED_OUT, Status.KILLED})


@dataclass(frozen=True)
class Variant:
    """Answers of one print, the first of them to be looked at.

    `print` stands for the answer where the next run can tell it by that; it is empty where only words and
    lines are alike.
    """

    print: str
    places: tuple[AnswerPlace, ...]
    row: PartReport  # the first one's report


@dataclass(frozen=True)
class Cause:
    """Wrong answers to one part that are alike: the commonest variant comes first."""

    problem: str
    part: str
    variants: tuple[Variant, ...]

    @property
    def places(self) -> tuple[AnswerPlace, ...]:
        return tuple(place for variant in self.variants for place in variant.places)

    @property
    def row(self) -> PartReport:
        return self.variants[0].row

    @property
    def size(self) -> int:
        return len(self.places)

    @property
    def is_listable(self) -> bool:
        return any(variant.print for variant in self.variants)

    @property
    def id(self) -> str:
        first = self.variants[0]
        return hashlib.blake2b(f"{first.print}\0{first.places[0]}".encode(), digest_size=6).hexdigest()


def find_causes(
    course: Course, summaries: Mapping[Identity, Report], named: Mapping[str, Iterable[Named]]
) -> list[Cause]:
    """The groups, the largest first; what has been named already is left out."""
    known = {(problem, each.of, each.print) for problem, several in named.items() for each in several}
    variants: dict[tuple[str, str, str, str], list[tuple[AnswerPlace, PartReport]]] = defaultdict(list)
    for (student, set_id, problem), report in sorted(summaries.items()):
        judged = _judged_parts(course, problem)
        for row in report.parts:
            if row.part not in judged or not _is_unnamed(row):
                continue
            own = print_of(row.wrong_values, row.read_as) if row.status == Status.GRADED else ""
            if (problem, row.part, own) not in known:
                alike = own or _words(row, judged[row.part])
                place = AnswerPlace(student, set_id, problem, row.part)
                variants[problem, row.part, own, alike].append((place, row))
    groups: dict[tuple[str, str, str], list[Variant]] = defaultdict(list)
    for (problem, part, own, alike), members in variants.items():
        variant = Variant(own, tuple(place for place, _ in members), members[0][1])
        parting = _parting(variant.row, _judged_parts(course, problem)[part])
        groups[problem, part, parting or alike].append(variant)
    causes = [
        Cause(problem, part, tuple(sorted(several, key=lambda each: (-len(each.places), each.places))))
        for (problem, part, _), several in groups.items()
    ]
    return sorted(causes, key=lambda cause: (-cause.size, cause.problem, cause.part, cause.id))


def _judged_parts(course: Course, problem: str) -> dict[str, Part]:
    """The parts that are judged by rule."""
    known = course.problems.get(problem)
    return {part.name: part for part in (known.parts if known else ()) if not isinstance(part, Prose)}


def _is_unnamed(row: PartReport) -> bool:
    wrong = row.status == Status.GRADED and row.score < row.max_score
    return not row.mistake and (wrong or row.status in TROUBLED)


def _words(row: PartReport, part: Part) -> str:
    """What is said of it, without the numbers and the line: two crashes at other sizes are one."""
    cases = [case.name for case in part.cases] if isinstance(part, Code) else []
    return _NUMBER.sub("0", trouble_words(row, cases))


def _parting(row: PartReport, part: Part) -> str:
    """How the line reads at which a function parts from a right one; empty where that is not known."""
    if row.departs is None or row.status != Status.GRADED:
        return ""
    lines = _QUOTED.findall(row.departs.says)
    given = frozenset(part.parameters) if isinstance(part, Code) else frozenset[str]()
    return f"parts {line_shape(lines[-1], given)}" if lines else ""
