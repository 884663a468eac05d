"""A folder or a zip of submissions becomes the notebooks in it with their students, and what was skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from autograder.classroom.archives import Entry, Shelf, list_files
from autograder.classroom.gradescope_export import NAME as GRADESCOPE_NAME
from autograder.classroom.gradescope_export import read_groups
from autograder.classroom.layouts import Group, Layout, Owner, read_title
from autograder.classroom.timestamps import NAME as TIMESTAMP_NAME
from autograder.classroom.timestamps import read_timestamp
from autograder.course import Course
from autograder.errors import AnswerError, UsageError
from autograder.notebook.submitted import MAX_BYTES


@dataclass(frozen=True, order=True)
class Handin:
    """One notebook of one student: where it lies, what it answers, and when it came if that is known.

    `inside` are the members that lead to it where `path` is an archive.
    """

    student: str
    set: str
    problem: str
    path: Path
    inside: tuple[str, ...] = ()
    submitted: datetime | None = field(default=None, compare=False)

    @property
    def identity(self) -> tuple[str, str, str]:
        return self.student, self.set, self.problem


@dataclass(frozen=True)
class Found:
    """What lies in a folder of submissions: hand-ins in order, and each skipped file with the reason."""

    handins: tuple[Handin, ...]
    skipped: tuple[str, ...]


@dataclass(frozen=True)
class _Claim:
    """A file that says it is a hand-in, and what tells a later one from an earlier one."""

    handin: Handin
    place: str
    order: tuple[Any, ...]


def find_handins(root: Path, course: Course) -> Found:
    """The notebooks of a class, whatever platform it comes from and however deep they lie."""
    if not root.is_dir() and not (root.is_file() and root.suffix.lower() == ".zip"):
        raise UsageError(f"{root} is not a folder of submissions, nor a zip of them")
    listing = list_files(root)
    entries = [entry for entry in listing.entries if entry.parts[-1] not in (GRADESCOPE_NAME, TIMESTAMP_NAME)]
    skipped = list(listing.skipped)
    claims: list[_Claim] = []
    with Shelf() as shelf:
        search = _Search(course, listing.entries, shelf)
        later = []
        for entry in entries:
            try:
                claims += search.claims(entry)
            except _Skip:
                later.append(entry)
        # A file that does not tell its set belongs with the others, where those are all of one set.
        used = frozenset(claim.handin.set for claim in claims)
        for entry in later:
            try:
                claims += search.claims(entry, used)
            except _Skip as reason:
                skipped.append(f"{entry.place}: {reason}")
    handins = _latest(claims, skipped)
    return Found(tuple(sorted(handins)), tuple(sorted(skipped)))


class _Skip(Exception):
    """Why a file is no hand-in."""


class _Search:
    """Asks of each file whose it is and what it answers."""

    def __init__(self, course: Course, entries: tuple[Entry, ...], shelf: Shelf) -> None:
        self._course, self._shelf = course, shelf
        self._problems = frozenset(course.problems)
        self._sets = {group.id: frozenset(group.problems) for group in course.sets}
        notebooks = [entry.parts for entry in entries if _is_notebook(entry)]
        self._layout = Layout(notebooks, self._sets, self._problems)
        self._groups: dict[tuple[str, ...], Group] = {}
        self._stamps: dict[tuple[str, ...], Entry] = {}
        for entry in entries:
            if entry.parts[-1] == TIMESTAMP_NAME:
                self._stamps[entry.parts[:-1]] = entry
            # Deeper down it would be a student's own file, who could claim to be another.
            elif entry.parts[-1] == GRADESCOPE_NAME and len(entry.parts) <= 2:
                with suppress(AnswerError):
                    self._groups |= read_groups(entry.parts[:-1], self._read(entry))

    def claims(self, entry: Entry, used: frozenset[str] = frozenset()) -> Iterator[_Claim]:
        """A claim for each student of the file; `used` are the sets of the class as far as they are known."""
        if not _is_notebook(entry):
            raise _Skip("not a notebook")
        owner = self._layout.owner(entry.parts, self._groups)
        if owner is None:
            raise _Skip(
                "it names no student: expected <student>/<set>/<problem>.ipynb or <student>_<problem>.ipynb"
            )
        set_id, problem = self._work(entry, owner, used)
        title = read_title(owner.name, self._problems)
        # A notebook that keeps its place and the name it was handed out under is the one that was worked on.
        exact = owner.number == 0 and owner.name == f"{problem}.ipynb"
        order = (
            set_id in entry.parts,
            exact,
            owner.number,
            title.copy,
            entry.modified or datetime.min,
            entry.parts,
        )
        submitted = owner.submitted or self._timestamp(entry)
        for student in owner.students:
            handin = Handin(student, set_id, problem, entry.path, entry.inside, submitted)
            yield _Claim(handin, entry.place, (submitted or datetime.min, *order))

    def _work(self, entry: Entry, owner: Owner, used: frozenset[str]) -> tuple[str, str]:
        """The set and the problem: by the names of file and folders, else by what the notebook says."""
        problem = read_title(owner.name, self._problems).problem
        named = next((name for name in reversed(entry.parts[:-1]) if name in self._sets), "")
        if problem and problem in self._sets.get(named, ()):
            return named, problem
        label = self._label(entry)
        problem = problem or label.get("problem", "")
        if problem not in self._problems:
            raise _Skip(
                "the course has no problem of this name, and the notebook does not say which one it is"
            )
        holding = [set_id for set_id, members in self._sets.items() if problem in members]
        for set_id in (named, label.get("set", "")):
            if set_id in holding:
                return set_id, problem
        if named:
            raise _Skip(f"the course has no problem {problem!r} in a set {named!r}")
        if len(holding) > 1:
            holding = [set_id for set_id in holding if set_id in used] or holding
        if len(holding) > 1:
            raise _Skip(
                f"the problem {problem!r} is in the sets {', '.join(holding)}: "
                "put it in a folder named after its set"
            )
        return holding[0], problem

    def _label(self, entry: Entry) -> Mapping[str, str]:
        """What the notebook's own metadata says; nothing where it cannot be read."""
        try:
            label = json.loads(self._read(entry).decode("utf-8-sig"))["metadata"]["autograder"]
            return {name: value for name, value in label.items() if isinstance(value, str)}
        except (AnswerError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}

    def _timestamp(self, entry: Entry) -> datetime | None:
        beside = self._stamps.get(entry.parts[:-1])
        if beside is None:
            return None
        try:
            return read_timestamp(self._shelf.read(beside.path, beside.inside, 1000))
        except AnswerError:
            return None

    def _read(self, entry: Entry) -> bytes:
        return self._shelf.read(entry.path, entry.inside, MAX_BYTES)


def _is_notebook(entry: Entry) -> bool:
    return entry.parts[-1].lower().endswith(".ipynb")


def _latest(claims: list[_Claim], skipped: list[str]) -> list[Handin]:
    """Of several notebooks of one student for one problem the last counts, and the others are named."""
    groups: dict[tuple[str, str, str], list[_Claim]] = {}
    for claim in claims:
        handin = claim.handin
        groups.setdefault((handin.student, handin.set, handin.problem), []).append(claim)
    for (student, set_id, problem), group in groups.items():
        group.sort(key=lambda claim: claim.order)
        skipped += [
            f"{claim.place}: {student} also handed in {group[-1].place} for {set_id}/{problem}, which counts"
            for claim in group[:-1]
        ]
    return [group[-1].handin for group in groups.values()]
