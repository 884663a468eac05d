"""Reports become pairs of students whose work is more alike than chance makes it, for a person to look at.

Two signs count. Wrong answers: where two students are both wrong at a part, both give the answer k by chance
with probability p_k², p_k being its share of the wrong answers; a match weighs log2(1/p_k) bits. The mean of
2^weight over a part is at most 2 - Σ p_k², so the chance that a pair's weights exceed the sum, over the parts
at which both are wrong, of log2(2 - Σ p_k²) by x bits is at most 2^-x. A pair is named where x exceeds the
logarithm of the number of pairs by SPARE_BITS. Code: prints of passages which hardly anybody else has, or the
same code as a whole. What is common is never evidence, so neither the stub nor the obvious solution is.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from autograder.grade.code_prints import likeness, read_prints
from autograder.grade.report import PartReport, Report, Status

Students = tuple[str, str]
Part = tuple[str, str]  # problem, part
MOST_SHARING = 30  # a print that more students share names no pair; it also keeps the search linear
SPARE_BITS = 3.0  # one false pair in eight classes, were students independent
ALIKE = 0.8  # share of passages
FEWEST_RARE = 6  # rare passages that a pair must share


@dataclass(frozen=True)
class AlikePair:
    """Two students and the reasons to look at their notebooks side by side."""

    students: Students
    reasons: tuple[str, ...]
    parts: tuple[Part, ...]
    strength: float  # from 0 to 1, for the bar


@dataclass
class _Evidence:
    bits: float = 0.0
    wrong: list[Part] = field(default_factory=list)
    code: dict[Part, tuple[float, str]] = field(default_factory=dict)


def find_pairs(reports: Sequence[Report]) -> list[AlikePair]:
    """The pairs, the most alike first."""
    students = {report.student for report in reports}
    needed = math.log2(max(2, math.comb(len(students), 2))) + SPARE_BITS
    found: dict[Students, _Evidence] = defaultdict(_Evidence)
    chances: dict[str, dict[Part, float]] = defaultdict(dict)
    for part, rows in _by_part(reports).items():
        _compare_wrong(part, rows, found, chances)
        _compare_code(part, rows, found)
    for (one, other), evidence in found.items():
        if evidence.bits >= needed:
            both = chances[one].keys() & chances[other].keys()
            evidence.bits -= math.fsum(chances[one][part] for part in both)
    pairs = [
        _pair(who, evidence, needed)
        for who, evidence in found.items()
        if evidence.code or evidence.bits >= needed
    ]
    return sorted(pairs, key=lambda pair: (-pair.strength, -len(pair.parts), pair.students))


def _by_part(reports: Sequence[Report]) -> dict[Part, dict[str, PartReport]]:
    """The rows of each part by student; of a problem handed in for two sets the last counts."""
    parts: dict[Part, dict[str, PartReport]] = defaultdict(dict)
    for report in reports:
        for row in report.parts:
            parts[report.problem, row.part][report.student] = row
    return parts


def _compare_wrong(
    part: Part,
    rows: Mapping[str, PartReport],
    found: dict[Students, _Evidence],
    chances: dict[str, dict[Part, float]],
) -> None:
    """Add the bits of every match, and note what chance is owed for each student who is wrong here."""
    answers = {student: wrong for student, row in rows.items() if (wrong := _wrong(row))}
    counts = Counter(answers.values())
    owed = math.log2(2 - math.fsum((count / len(answers)) ** 2 for count in counts.values()))
    for student in answers:
        chances[student][part] = owed
    for sharing in _sharing((wrong, student) for student, wrong in answers.items()):
        for pair in _pairs_of(sharing, MOST_SHARING):
            found[pair].bits += math.log2(len(answers) / len(sharing))
            found[pair].wrong.append(part)


def _wrong(row: PartReport) -> str:
    """What tells a wrong answer from others: the values of code, the text of the rest."""
    if row.status != Status.GRADED or row.full:
        return ""
    return row.wrong_values or row.read_as


def _compare_code(part: Part, rows: Mapping[str, PartReport], found: dict[Students, _Evidence]) -> None:
    prints = {student: read_prints(row.code_prints) for student, row in rows.items() if row.code_prints}
    count = len(prints)
    for sharing in _sharing((whole, student) for student, (whole, _) in prints.items()):
        for pair in _pairs_of(sharing, _few(count, 10)):
            found[pair].code[part] = (1.0, "the same code, names included")
    rare: dict[Students, int] = defaultdict(int)
    for sharing in _sharing(
        (each, student) for student, (_, passages) in prints.items() for each in sorted(passages)
    ):
        for pair in _pairs_of(sharing, _few(count, 20)):
            rare[pair] += 1
    for pair, shared in rare.items():
        if shared < FEWEST_RARE or (pair in found and part in found[pair].code):
            continue
        share = likeness(*(prints[student][1] for student in pair))
        if share >= ALIKE:
            found[pair].code[part] = (share, f"{share:.0%} of the code alike, {shared} passages rare")


def _few(count: int, share: int) -> int:
    """How many may share something for it still to be unusual in a class of this size."""
    return max(2, min(MOST_SHARING, count // share))


def _sharing(prints: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """The students behind each print that more than one has."""
    holders: dict[str, list[str]] = defaultdict(list)
    for value, student in prints:
        if value:
            holders[value].append(student)
    return (sorted(students) for students in holders.values() if len(students) > 1)


def _pairs_of(students: Sequence[str], most: int) -> Iterable[Students]:
    return combinations(students, 2) if len(students) <= most else ()


def _pair(who: Students, evidence: _Evidence, needed: float) -> AlikePair:
    reasons = [f"{part}: {says}" for (_, part), (_, says) in sorted(evidence.code.items())]
    parts = set(evidence.code)
    strength = max((share for share, _ in evidence.code.values()), default=0.0)
    if evidence.bits >= needed:
        names = ", ".join(part for _, part in sorted(evidence.wrong))
        reasons.append(f"the same unusual wrong answer{'s' if len(evidence.wrong) > 1 else ''}: {names}")
        parts |= set(evidence.wrong)
        strength = max(strength, min(1.0, evidence.bits / (2 * needed)))
    return AlikePair(who, tuple(reasons), tuple(sorted(parts)), strength)
