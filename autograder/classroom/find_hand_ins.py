"""A folder or a zip of submissions becomes the notebooks in it with their students, and what was skipped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.classroom.archives import (
    FileListing,
    ListedFile,
    Shelf,
    check_level,
    list_files,
    printable,
)
from autograder.classroom.class_folders import check_submissions
from autograder.classroom.folder_names import Group, Layout, Owner, is_notebook, read_title
from autograder.classroom.gradescope_export import NAME as GRADESCOPE_NAME
from autograder.classroom.gradescope_export import read_groups
from autograder.classroom.hand_ins import Claim, Handin, latest, refuse_clashes
from autograder.course.load import Course
from autograder.errors import AnswerError, UsageError
from autograder.grade.report import Status
from autograder.gradebook.timestamps import NAME as TIMESTAMP_NAME
from autograder.gradebook.timestamps import read_timestamp
from autograder.notebook.file_bytes import MAX_BYTES, read_label

NOTHING = "nothing was handed in: there is no notebook of this problem in the folder"
WAITS = "until then it waits for a person"
INSTEAD = f"hand in the .ipynb that was handed out; {WAITS}"


@dataclass(frozen=True)
class Found:
    """What lies in a folder of submissions: hand-ins in order, each skipped file with the reason, and notes
    on how the class was read."""

    handins: tuple[Handin, ...]
    skipped: tuple[str, ...]
    notes: tuple[str, ...] = ()


def find_handins(root: Path, course: Course, level: int | None = None) -> Found:
    """The notebooks of a class, whatever platform it comes from and however deep they lie.

    `level` is how many folders lie around each student's; without it, their names tell.
    """
    check_submissions(root)
    listing = list_files(root)
    check_level(listing, level, root)
    if () in listing.broken:
        raise UsageError(f"{root}: {listing.broken[()]}")
    entries = [entry for entry in listing.entries if entry.parts[-1] not in (GRADESCOPE_NAME, TIMESTAMP_NAME)]
    skipped = list(listing.skipped)
    claims: list[Claim] = []
    with Shelf() as shelf:
        search = _FileSearch(course, listing, shelf, root, level)
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
                search.set_aside(entry)
        if not claims:
            told = f": {skipped[0]}" if skipped else ""
            raise UsageError(f"{root} holds no notebook of this course{told}")
        refuse_clashes([*((claim.handin.student, claim.source) for claim in claims), *search.folders()])
        search.set_broken_aside()
        handins = latest(claims, skipped)
        handins += search.absent(tuple(handins))
    return Found(tuple(sorted(handins)), tuple(sorted(skipped)), search.notes)


class _Skip(Exception):
    """Why a file is no hand-in."""


class _FileSearch:
    """Asks of each file whose it is and what it answers."""

    def __init__(
        self, course: Course, listing: FileListing, shelf: Shelf, root: Path, level: int | None
    ) -> None:
        self._course, self._shelf, self._root, self._listing = course, shelf, root, listing
        self._problems = frozenset(course.problems)
        self._sets = {group.id: tuple(group.problems) for group in course.sets}
        notebooks = [entry.parts for entry in listing.entries if _is_notebook(entry)]
        name = root.stem if root.is_file() else root.resolve().name
        self._layout = Layout(notebooks, listing.folders, self._sets, self._problems, name, level)
        self._groups: dict[tuple[str, ...], Group] = {}
        self._stamps: dict[tuple[str, ...], ListedFile] = {}
        self._aside: dict[str, tuple[ListedFile, Owner]] = {}  # by student, what could not be placed
        self._broken: dict[str, str] = {}  # by student, what could not be opened
        for entry in listing.entries:
            if entry.parts[-1] == TIMESTAMP_NAME and self._is_the_exchanges(entry):
                self._stamps[entry.parts[:-1]] = entry
            # Deeper down it would be a student's own file, who could claim to be another.
            elif entry.parts[-1] == GRADESCOPE_NAME and len(entry.parts) == self._layout.level + 1:
                with suppress(AnswerError):
                    self._groups |= read_groups(entry.parts[:-1], self._read(entry))

    @property
    def notes(self) -> tuple[str, ...]:
        if not self._layout.may_lie_deeper:
            return ()
        deeper = self._layout.level + 1
        return (
            f"each folder of {self._root} is taken for one student, with all that lies in it; "
            f"if the students are the folders inside these, run this again with --level {deeper}",
        )

    def _is_the_exchanges(self, stamp: ListedFile) -> bool:
        """nbgrader's exchange leaves its time in <student>/<set>; anywhere else, or in an archive of the
        student's own, it is a file that the student wrote."""
        folders = stamp.parts[:-1]
        if len(stamp.inside) > self._root.is_file() or not any(name in self._sets for name in folders):
            return False
        above = any(name in self._sets for name in folders[: self._layout.level])
        return len(folders) == self._layout.level + (1 if above else 2)

    def claims(self, entry: ListedFile, used: frozenset[str] = frozenset()) -> Iterator[Claim]:
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
        submitted = owner.submitted or (None if owner.platform else self._timestamp(entry))
        for student in owner.students:
            handin = Handin(student, set_id, problem, entry.path, entry.inside, submitted, owner.late)
            yield Claim(handin, entry.place, owner.source, (submitted or datetime.min, *order))

    def set_aside(self, entry: ListedFile) -> None:
        """Keep in mind what surely came from a student, though nobody can tell what it answers."""
        owner = self._layout.owner(entry.parts, self._groups)
        if owner is None or not (owner.platform or len(entry.parts) > self._layout.level + 1):
            return
        for student in owner.students:
            known = self._aside.get(student)
            if known is None or (_is_notebook(entry) and not _is_notebook(known[0])):
                self._aside[student] = entry, owner

    def set_broken_aside(self) -> None:
        """Keep in mind what surely came from a student and cannot be opened."""
        for place, reason in self._listing.broken.items():
            if len(place) > self._layout.level + 1:
                owner = self._layout.owner(place, self._groups)
                for student in owner.students if owner else ():
                    self._broken.setdefault(student, f"{printable(place[-1])}: {reason}: {INSTEAD}")

    def _said_of(self, entry: ListedFile) -> str:
        """What the student is to do about a file that could not be placed."""
        name = printable(entry.parts[-1])
        if not _is_notebook(entry):
            return f"{name} is not a notebook: {INSTEAD}"
        try:
            read_label(self._read(entry))
        except AnswerError as error:
            return f"{name}: {error}; {WAITS}"
        return (
            f"{name} does not say which problem it answers: hand it in under the name, and in the folder, "
            f"that it was handed out in; {WAITS}"
        )

    def folders(self) -> Iterator[tuple[str, str]]:
        """The students who have a folder or an archive, with its name, whatever lies in it."""
        for _, owner in self._own_folders():
            yield from ((student, owner.source) for student in owner.students)

    def _own_folders(self) -> Iterator[tuple[tuple[str, ...], Owner]]:
        for folder in self._listing.folders:
            if len(folder) == self._layout.level + 1:
                owner = self._layout.owner((*folder, ""), self._groups)
                if owner is not None:
                    yield folder, owner

    def absent(self, found: Collection[Handin]) -> Iterator[Handin]:
        """What students owe who handed in something in which no notebook of the course was found."""
        there = {(handin.student, handin.set) for handin in found}
        students = {student for student, _ in there}
        asked: dict[str, dict[str, None]] = {}
        for handin in sorted(found):
            asked.setdefault(handin.set, {})[handin.problem] = None
        below: dict[tuple[str, ...], set[str]] = {}
        for place in self._listing.folders:
            below.setdefault(place[:-1], set()).add(place[-1])
        for folder, owner in self._own_folders():
            named = {*folder[:-1], *below.get(folder, ())} & set(self._sets)
            broken = self._listing.broken.get(folder)
            path = self._root.joinpath(*folder) if self._root.is_dir() else self._root
            for student in owner.students:
                aside = self._aside.pop(student, None)
                said = (Status.MISSING, NOTHING)
                if broken:
                    said = (Status.UNREADABLE, f"{broken}: hand it in again; {WAITS}")
                elif student in self._broken:
                    said = (Status.UNREADABLE, self._broken[student])
                elif aside:
                    said = (Status.UNREADABLE, self._said_of(aside[0]))
                sets = sorted(named) if named else asked if student not in students else ()
                for set_id in sets:
                    if (student, set_id) not in there:
                        for problem in asked.get(set_id) or self._sets[set_id]:
                            yield Handin(student, set_id, problem, path, late=owner.late, absent=said)
        for student, (entry, owner) in self._aside.items():  # a file of its own, as Canvas hands them out
            said = (Status.UNREADABLE, self._said_of(entry))
            for set_id, problems in asked.items() if student not in students else ():
                for problem in problems:
                    yield Handin(student, set_id, problem, entry.path, late=owner.late, absent=said)

    def _work(self, entry: ListedFile, owner: Owner, used: frozenset[str]) -> tuple[str, str]:
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

    def _label(self, entry: ListedFile) -> Mapping[str, str]:
        """What the notebook's own metadata says; nothing where it cannot be read."""
        try:
            return read_label(self._read(entry))
        except AnswerError:
            return {}

    def _timestamp(self, entry: ListedFile) -> datetime | None:
        beside = self._stamps.get(entry.parts[:-1])
        if beside is None:
            return None
        try:
            return read_timestamp(self._shelf.read(beside.path, beside.inside, 1000))
        except AnswerError:
            return None

    def _read(self, entry: ListedFile) -> bytes:
        return self._shelf.read(entry.path, entry.inside, MAX_BYTES)


def _is_notebook(entry: ListedFile) -> bool:
    return is_notebook(entry.parts[-1])
