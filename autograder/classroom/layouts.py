"""The names of folders and files tell whose notebook it is and which problem it answers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

# As the learning platforms name what they hand out; docs/instructors.md shows each of them.
CANVAS = re.compile(r"(?P<name>\w+?)(?:_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<rest>.+)")
CANVAS_ANONYMOUS = re.compile(r"(?:LATE_)?(?P<name>anon)_(?P<user>\w+?)_(?P<number>\d+)_(?P<rest>.+)")
MOODLE = re.compile(r"(?P<name>.+)_(?P<user>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?")
GRADESCOPE = re.compile(r"submission_\d+")

GENERIC = frozenset({"submitted", "submissions", "submission", "assignments", "downloads"})
# What browsers, Jupyter and Canvas append to the name of a further copy: "x (1)", "x-Copy1", "x-2".
COPY = re.compile(r"(?:[ _-]?\((?P<a>\d{1,3})\)|[ _-]?[Cc]opy[ _]?(?P<b>\d{0,3})|-(?P<c>\d{1,2}))$")
MAX_COLLISIONS = 0.25
MAX_NAME_BYTES = 120  # of a student's name, which becomes a folder's


@dataclass(frozen=True)
class Group:
    """Who handed in one submission of a Gradescope export, and when."""

    students: tuple[str, ...]
    submitted: datetime | None = None


@dataclass(frozen=True)
class Owner:
    """Whose a file is, and its name without what the platform put before it."""

    students: tuple[str, ...]
    name: str
    submitted: datetime | None = None
    number: int = 0  # of the upload, as the platform counts them


@dataclass(frozen=True)
class Title:
    """A file's name taken apart: the problem it names, what stands around that, and which copy it is."""

    problem: str
    before: str
    after: str
    copy: int


class Layout:
    """How one class is laid out: which of its folders are the students'."""

    def __init__(
        self, places: Sequence[tuple[str, ...]], sets: Collection[str], problems: Collection[str]
    ) -> None:
        self._sets, self._problems = frozenset(sets), frozenset(problems)
        names = [self._folders(place) for place in places]
        self._shared = _shared(names)
        self._flat = all(len(each) == self._shared for each in names)
        if self._flat:
            # A folder is the instructor's word and counts, unless the files in it name several students.
            telling = len(self._prefixes([place[-1] for place in places])) > 1
            self._depth = self._shared if telling else max(0, self._shared - 1)
        else:
            self._depth = self._find_depth(places, names)

    def owner(self, place: tuple[str, ...], groups: Mapping[tuple[str, ...], Group]) -> Owner | None:
        """Whose file it is. The outermost name that tells counts: below it are the student's own names."""
        names = (*self._folders(place), place[-1])
        for name in names[: self._shared + 1]:
            if found := self._by_platform(name, place, groups):
                return found
        folders = names[self._depth : -1]
        student = folders[0] if folders else self._prefix(place[-1])
        if not student and len(names) > 1:
            student = names[-2]
        student = clean_student(re.sub(r"\.zip$", "", student, flags=re.IGNORECASE))
        return Owner((student,), place[-1]) if student else None

    def _by_platform(
        self, name: str, place: tuple[str, ...], groups: Mapping[tuple[str, ...], Group]
    ) -> Owner | None:
        last = name == place[-1]
        for pattern in (MOODLE, CANVAS, CANVAS_ANONYMOUS):
            if match := pattern.fullmatch(name):
                fields = match.groupdict()
                rest = fields["rest"] if last and fields["rest"] else place[-1]
                student = clean_student(f"{fields['name']}_{fields['user']}")
                return Owner((student,), rest, number=int(fields.get("number") or 0)) if student else None
        if GRADESCOPE.fullmatch(name) and not last:
            group = groups.get(place[: place.index(name) + 1], Group((name,)))
            return Owner(group.students, place[-1], group.submitted)
        return None

    def _folders(self, place: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in place[:-1] if name not in self._sets and name.lower() not in GENERIC)

    def _prefix(self, name: str) -> str:
        title = read_title(name, self._problems)
        return title.before or title.after

    def _prefixes(self, names: Sequence[str]) -> set[str]:
        titles = [read_title(name, self._problems) for name in names]
        named = [title for title in titles if title.problem] or titles
        return {title.before or title.after for title in named} - {""}

    def _find_depth(self, places: Sequence[tuple[str, ...]], names: Sequence[tuple[str, ...]]) -> int:
        """The first level of folders that tells the students apart: above it are sections or years."""
        deepest = max(map(len, names))
        for depth in range(self._shared, deepest):
            whose = [
                (each[depth] if len(each) > depth else self._prefix(place[-1]), *self._work(place))
                for place, each in zip(places, names, strict=True)
            ]
            collisions = sum(count - 1 for count in Counter(whose).values())
            if collisions <= MAX_COLLISIONS * len(places):
                return depth
        return self._shared

    def _work(self, place: tuple[str, ...]) -> tuple[str, str]:
        return next((name for name in place if name in self._sets), ""), place[-1]


def _shared(names: Sequence[tuple[str, ...]]) -> int:
    """How many leading folders all notebooks have in common."""
    depth = 0
    while names and all(len(each) > depth and each[depth] == names[0][depth] for each in names):
        depth += 1
    return depth


@lru_cache(maxsize=1024)  # most of a class hands in under the same few names
def read_title(name: str, problems: frozenset[str]) -> Title:
    """Take a notebook's file name apart; the longest problem in it counts."""
    stem, copy = name.removesuffix(".ipynb"), 0
    while match := COPY.search(stem):
        copy = copy or next((int(number) for number in match.groups() if number), 1)
        stem = stem[: match.start()]
    plain = re.sub(r"[\s.-]", "_", stem).lower()
    best: re.Match[str] | None = None
    for problem in sorted(problems):
        for match in re.finditer(rf"(?<![^_]){re.escape(problem.lower())}(?![^_])", plain):
            if best is None or len(match[0]) >= len(best[0]):
                best = match
    if best is None:
        return Title("", stem, "", copy)
    problem = next(problem for problem in sorted(problems) if problem.lower() == best[0])
    return Title(problem, stem[: best.start()].strip("_-. "), stem[best.end() :].strip("_-. "), copy)


def clean_student(name: str) -> str:
    """A name that is safe as a folder, in a table and on a page; empty where nothing is left of it."""
    name = unicodedata.normalize("NFC", name)
    name = "".join(c if c.isprintable() and c not in '/\\:*?"<>|' else "_" for c in name).strip()
    # A leading dot hides a folder, and a spreadsheet takes the others for the start of a formula.
    name = name.lstrip(".=+-@ ")
    while len(name.encode()) > MAX_NAME_BYTES:
        name = name[:-1]
    return name.rstrip(". ")
