"""What a late submission costs: the rule of course.toml, the due dates of the sets, and the extensions."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from autograder.course.load import INDEX
from autograder.errors import CourseError, reason

EXTENSIONS = Path("solutions") / "extensions.toml"  # names students, so it is never released
RULES = ("none", "zero", "per_day")
FIELDS = {"rule", "percent", "grace_minutes"}
DAY = 24 * 60 * 60


@dataclass(frozen=True)
class LateRule:
    """The marks that a late submission loses."""

    rule: str = "none"
    percent: float = 0.0  # of the marks earned, for each day or part of one
    grace_minutes: float = 0.0  # this late is not late; after that the days count from the due date

    @property
    def least_late(self) -> float:
        """Seconds of which only that they are late is known: the first day, and no more."""
        return self.grace_minutes * 60 + 1

    def penalty(self, score: float, seconds_late: float) -> float | None:
        """What is taken off a score, or nothing at all."""
        if self.rule == "none" or seconds_late <= self.grace_minutes * 60:
            return None
        if self.rule == "zero":
            return score
        return score * min(1.0, self.percent / 100 * math.ceil(seconds_late / DAY))


@dataclass(frozen=True)
class Deadlines:
    """The rule, when each set is due (UTC, as nbgrader stores it), and who has longer."""

    rule: LateRule = field(default_factory=LateRule)
    due: Mapping[str, datetime] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], timedelta] = field(default_factory=dict)  # by set and student


def read_deadlines(root: Path) -> Deadlines:
    """Read `[late]`, `due` in each set, and solutions/extensions.toml where there is one."""
    faults: list[str] = []
    index = _read(root / INDEX, str(INDEX))
    due = {}
    for name, table in index.get("sets", {}).items():
        if isinstance(table, dict) and "due" in table:
            moment = _utc(table["due"])
            if moment is None:
                faults.append(f"{INDEX}: set {name!r}: due is a date and time such as 2026-11-30T23:59:00Z")
            else:
                due[name] = moment
    rule = _rule(index.get("late", {}), faults)
    extensions = _extensions(root, due, faults)
    if faults:
        raise CourseError(faults)
    return Deadlines(rule, due, extensions)


def _read(path: Path, place: str) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{place}: cannot be read: {reason(error)}") from error


def _rule(table: object, faults: list[str]) -> LateRule:
    place = f"{INDEX}: [late]"
    if not isinstance(table, dict) or not table.keys() <= FIELDS:
        faults.append(f"{place} has the fields {', '.join(sorted(FIELDS))} and no others")
        return LateRule()
    rule = table.get("rule", "none")
    if rule not in RULES:
        faults.append(f"{place} rule is one of {', '.join(RULES)}, not {rule!r}")
        return LateRule()
    percent, grace = table.get("percent", 0), table.get("grace_minutes", 0)
    if not _number(percent) or not 0 <= percent <= 100 or (rule == "per_day") != (percent > 0):
        faults.append(f'{place} percent is above 0 and up to 100 with rule = "per_day", and absent otherwise')
        return LateRule()
    if not _number(grace) or grace < 0:
        faults.append(f"{place} grace_minutes is a number of minutes, 0 or more, not {grace!r}")
        return LateRule()
    return LateRule(rule, float(percent), float(grace))


def _extensions(
    root: Path, due: Mapping[str, datetime], faults: list[str]
) -> dict[tuple[str, str], timedelta]:
    if not (root / EXTENSIONS).is_file():
        return {}
    granted = {}
    for name, students in _read(root / EXTENSIONS, str(EXTENSIONS)).items():
        if name not in due or not isinstance(students, dict):
            faults.append(f"{EXTENSIONS}: [{name}] should name a set that has a due date in {INDEX}")
            continue
        for student, days in students.items():
            if _number(days) and days >= 0:
                granted[name, student] = timedelta(days=days)
            else:
                faults.append(f"{EXTENSIONS}: [{name}] {student} is a number of days, not {days!r}")
    return granted


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _utc(value: object) -> datetime | None:
    """A moment without its zone, in UTC; a plain date is due when it ends."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day) + timedelta(days=1)
    return None
