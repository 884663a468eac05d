"""A class that stands as the last finished run left it is known again without loading what grades it.

Nothing heavy is imported here: whoever runs `grade` a second time waits for the reading of files alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from autograder.classroom.class_folders import OWN
from autograder.classroom.find_hand_ins import Found
from autograder.classroom.grading_digest import key_of
from autograder.classroom.hand_ins import Handin
from autograder.classroom.mark_changes import read_rows
from autograder.classroom.notebooks import digest_of
from autograder.classroom.settings_and_outcome import GradedClass, Settings
from autograder.classroom.tables import write_whole
from autograder.course.load import Course
from autograder.grade.report import PartReport, Report, ResultRow
from autograder.gradebook.said_by_person import AnswerPlace

NAME = ".finished.json"
# What a run writes: a file that is touched, and a folder with more or fewer files, are looked at again.
FILES = ("results.jsonl", "grades.csv", "report.html", "skipped.txt", "journal.jsonl", "gradebook.db")


def what_goes_in(course: Course, found: Found, settings: Settings) -> str:
    """One short text of all that decides what a run writes."""
    limits = {**course.limits, **(settings.limits or {})}
    whole = [
        [[name, hashlib.sha256(data).hexdigest()] for name, data in sorted(course.files.items())],
        {name: key_of(course, name, limits, isolation=settings.isolation) for name in course.problems},
        [settings.isolation, sorted((settings.limits or {}).items()), settings.gradebook],
        list(_told_of(found.handins)),
        [*found.skipped, *found.notes],
    ]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def remember(out: Path, into: str, done: GradedClass) -> None:
    """Note that a run has finished, unless there is something that the next one should try or say again."""
    if not done.notes and not done.faults and all(report.final for report in done.reports):
        by_hand = [[*place, score] for place, score in done.by_hand.items()]
        write_whole(out / NAME, json.dumps({"in": into, "out": _what_came_out(out), "by_hand": by_hand}))


def forget(out: Path) -> None:
    """What is written from now on is of a run that has not finished."""
    with suppress(OSError):
        (out / NAME).unlink()


def may_be_unchanged(settings: Settings) -> bool:
    """Whether it is worth a look: a gradebook that lies elsewhere may have been changed by anybody."""
    asked_again = settings.regrade or settings.again or settings.db or settings.cluster
    return not asked_again and (settings.out / NAME).is_file()


def known_again(course: Course, found: Found, settings: Settings) -> GradedClass | None:
    """The class as the last run left it, if nothing that went in or came out has changed since."""
    try:
        noted = json.loads((settings.out / NAME).read_bytes())
        by_hand = {AnswerPlace(*place): score for *place, score in noted["by_hand"]}
        same = (noted["in"], noted["out"]) == (
            what_goes_in(course, found, settings),
            json.loads(json.dumps(_what_came_out(settings.out))),
        )
    except (OSError, ValueError, LookupError, TypeError):
        return None
    reports = tuple(_reports(read_rows(settings.out / "results.jsonl"))) if same else ()
    if {report.identity for report in reports} != {handin.identity for handin in found.handins}:
        return None
    return GradedClass(reports, 0, by_hand=by_hand)


def _told_of(handins: Iterable[Handin]) -> Iterator[list[object]]:
    """Of each hand-in all that its marks and pages rest on, down to the bytes of its file."""
    archives: dict[Path, str] = {}  # many lie in one
    for handin in handins:
        if handin.inside and handin.path not in archives:
            archives[handin.path] = _digest_of_archive(handin.path)
        held = archives[handin.path] if handin.inside else digest_of(handin.path)
        place = [str(handin.path.resolve()), *handin.inside]
        submitted = handin.submitted.isoformat() if handin.submitted else None
        absent = handin.absent and [str(handin.absent[0]), handin.absent[1]]
        yield [*handin.identity, place, submitted, handin.late, absent, held]


def _digest_of_archive(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""  # it is gone by now: whoever grades from it says so


def _what_came_out(out: Path) -> list[object]:
    """Size and time of each file that a run writes once, and how many files lie in each folder."""
    found: list[object] = []
    for name in (*FILES, "gradebook.db-wal"):
        try:
            state = (out / name).stat()
            found.append([state.st_size, state.st_mtime_ns])
        except OSError:
            found.append(None)
    return [*found, *(sum(len(files) for _, _, files in os.walk(out / name)) for name in OWN)]


def _reports(rows: Iterable[ResultRow]) -> Iterator[Report]:
    """Reports with no more in them than the rows have."""
    for (student, set_id, problem), group in groupby(rows, lambda row: row.identity):
        parts = tuple(
            PartReport(row.part, row.score, row.max_score, row.status, row.verdict, row.feedback, row.mistake)
            for row in group
        )
        yield Report(student, set_id, problem, parts)
