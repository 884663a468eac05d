"""The names of folders and files tell whose notebook it is and which problem it answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache

# As the learning platforms name what they hand out; docs/instructors.md shows each of them. What comes
# after the platform's own numbers is the student's word, so the numbers that come first count.
CANVAS = re.compile(r"(?P<name>\w+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<rest>.+)")
CANVAS_ANONYMOUS = re.compile(r"(?P<late>LATE_)?(?P<name>anon)_(?P<user>\w+?)_(?P<number>\d+)_(?P<rest>.+)")
MOODLE = re.compile(r"(?P<name>.+?)_(?P<user>\d+)_assignsubmission_[a-z]+(?:_(?P<rest>.*))?")
GRADESCOPE = re.compile(r"submission_\d+")

# Folders that hold students and are none: an instructor's or a platform's words.
GENERIC = frozenset(
    {"submitted", "submissions", "submission", "assignments", "download", "downloads", "export"}
)
SECTION = re.compile(
    r"(?:section|sec|group|gruppe|tutorial|tut|lab|class|course|kurs|year|term|semester)s?"
    r"(?:[ ._-]*(?:\d+|[a-z]))?",
    re.IGNORECASE,
)
GRADESCOPE_EXPORT = re.compile(r"assignment_\d+_export")
# What browsers, Jupyter and Canvas append to the name of a further copy: "x (1)", "x-Copy1", "x-2".
COPY = re.compile(r"(?:[ _-]?\((?P<a>\d{1,3})\)|[ _-]?[Cc]opy[ _]?(?P<b>\d{0,3})|-(?P<c>\d{1,2}))$")
# A notebook's name ends so; some browsers save what they download as text, and some servers pack it.
NOTEBOOK = re.compile(r"\.ipynb(?:\.(?:txt|json|gz))?$", re.IGNORECASE)
MAX_NAME_BYTES = 120  # of a student's name, which becomes a folder's

Place = tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """Who handed in one submission of a Gradescope export, and when."""

    students: tuple[str, ...]
    submitted: datetime | None = None


@dataclass(frozen=True)
class Owner:
    """Whose a file is, and its name without what the platform put before it.

    `source` is what the students were named by, as it lies there: two sources are two students.
    """

    students: tuple[str, ...]
    name: str
    source: str
    submitted: datetime | None = None
    number: int = 0  # of the upload, as the platform counts them
    late: bool = False  # as Canvas says in the name, without telling by how much
    platform: bool = False  # whether a platform's own name told it


@dataclass(frozen=True)
class Title:
    """A file's name taken apart: the problem it names, what stands around that, and which copy it is."""

    problem: str
    before: str
    after: str
    copy: int


@dataclass
class _Folder:
    """A folder of the class: the notebooks that lie right in it, and its folders."""

    notebooks: list[str] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)
    archive: bool = False

    def put(self, place: Place, *, is_folder: bool) -> None:
        here = self
        for name in place if is_folder else place[:-1]:
            here = here.folders.setdefault(name, _Folder(archive=name.lower().endswith(".zip")))
        if not is_folder:
            here.notebooks.append(place[-1])


class Layout:
    """How one class is laid out: the level of names at which its students stand.

    One level for the whole class, told by the words of the outermost folders, or by the instructor, and never
    by how many files lie anywhere: whatever lies inside a student's folder or archive, and however it is
    called, is that student's.
    """

    def __init__(
        self,
        notebooks: Iterable[Place],
        folders: Iterable[Place],
        sets: Collection[str],
        problems: Collection[str],
        root_name: str = "",
        level: int | None = None,
    ) -> None:
        self._sets, self._problems = frozenset(sets), frozenset(problems)
        root = _Folder()
        for place in folders:
            root.put(place, is_folder=True)
        for place in notebooks:
            root.put(place, is_folder=False)
        self._root_name = root_name
        self.level = 0
        here = [root]
        while self.level < level if level is not None else self._are_around(here):
            here = [below for each in here for below in each.folders.values()]
            self.level += 1
        # Such a class may be wrapped in folders of which no name tells it: only the instructor can.
        inside = [folder for each in here for folder in each.folders.values()]
        self.may_lie_deeper = (
            level is None
            and not any(each.notebooks for each in here)
            and bool(inside)
            and all(self._may_wrap(folder) for folder in inside)
        )

    def _are_around(self, here: list[_Folder]) -> bool:
        """Whether the folders in these lie around the students instead of being theirs."""
        inside = [(name, folder) for each in here for name, folder in each.folders.items()]
        names, folders = [name for name, _ in inside], [folder for _, folder in inside]
        if not inside or any(each.notebooks for each in here):
            return False
        if any(_platform(name, is_file=False) for name in names):
            return False
        # A zip of a folder, and what a program unpacked from one, hold a folder of their own name.
        if self.level == 0 and names == [self._root_name]:
            return not self._is_handin(folders[0]) or self._is_flat(folders)
        if all(_is_container(name) or name in self._sets for name in names):
            handins = [folder for folder in folders if self._is_handin(folder)]
            return not handins or self._is_flat(handins)
        return False

    def _may_wrap(self, folder: _Folder) -> bool:
        """Whether it looks like a folder of several students, which a student's own folder may do too."""
        below = folder.folders
        if folder.archive:
            return False
        if folder.notebooks or self._is_handin(folder):
            return self._is_flat([folder])
        return sum(self._is_handin(each) for each in below.values()) > 1 or any(
            _platform(name, is_file=False) or _is_container(name) for name in below
        )

    def _is_handin(self, folder: _Folder) -> bool:
        """Whether notebooks lie right in it, or right in folders of its own that are named like sets."""
        return bool(folder.notebooks) or any(
            name in self._sets and below.notebooks for name, below in folder.folders.items()
        )

    def _is_flat(self, folders: Sequence[_Folder]) -> bool:
        """Whether the files right in these folders name students, several in all.

        Of several folders each must be so: one of them does not decide about the others.
        """
        named = [self._names_in(folder) for folder in folders]
        return all(named) and len(frozenset().union(*named)) > 1

    def _names_in(self, folder: _Folder) -> frozenset[str]:
        """Those whom the notebooks right in a folder name beside their problem, or as platforms do."""
        if any(name in self._sets and below.notebooks for name, below in folder.folders.items()):
            return frozenset()
        if any(_platform(name, is_file=True) for name in folder.notebooks):
            return frozenset(folder.notebooks)
        titles = [read_title(name, self._problems) for name in folder.notebooks]
        return frozenset(title.before or title.after for title in titles if title.problem) - {""}

    def owner(self, place: Place, groups: Mapping[Place, Group]) -> Owner | None:
        """Whose file or folder it is, by the one name that stands at the students' level."""
        if len(place) <= self.level:
            return None
        name, is_file = place[self.level], len(place) == self.level + 1
        # A set above its students is no other source of a student than the next set.
        above = [each for each in place[: self.level] if each not in self._sets]
        source = "/".join((*above, name, ""))
        if match := _platform(name, is_file=is_file):
            return self._by_platform(match, place, source, groups)
        if is_file and is_notebook(name):
            title = read_title(name, self._problems)
            name = title.before or title.after
            # The copies that one student made of one file have one name before them, and are one source.
            source = "/".join((*above, name))
        student = clean_student(re.sub(r"\.zip$", "", name, flags=re.IGNORECASE))
        return Owner((student,), place[-1], source) if student else None

    def _by_platform(
        self, match: re.Match[str], place: Place, source: str, groups: Mapping[Place, Group]
    ) -> Owner | None:
        if match.re is GRADESCOPE:
            group = groups.get(place[: self.level + 1], Group((match[0],)))
            return Owner(group.students, place[-1], source, group.submitted, platform=True)
        fields = match.groupdict()
        rest = fields["rest"] if len(place) == self.level + 1 and fields["rest"] else place[-1]
        said = f"{fields['name']}_{fields['user']}"
        student = clean_student(said)
        number, late = int(fields.get("number") or 0), bool(fields.get("late"))
        return Owner((student,), rest, said, number=number, late=late, platform=True) if student else None


def is_notebook(name: str) -> bool:
    """Whether a file is a notebook by its name."""
    return NOTEBOOK.search(name) is not None


def _platform(name: str, *, is_file: bool) -> re.Match[str] | None:
    """How a platform's pattern fits a name; of several, the one whose number comes first."""
    if not is_file and (match := GRADESCOPE.fullmatch(name)):
        return match
    found = [match for pattern in (CANVAS, CANVAS_ANONYMOUS, MOODLE) if (match := pattern.fullmatch(name))]
    return min(found, key=lambda match: match.start("user"), default=None)


def _is_container(name: str) -> bool:
    return name.lower() in GENERIC or any(each.fullmatch(name) for each in (SECTION, GRADESCOPE_EXPORT))


@lru_cache(maxsize=1024)  # most of a class hands in under the same few names
def read_title(name: str, problems: frozenset[str]) -> Title:
    """Take a notebook's file name apart; the longest problem in it counts."""
    stem, copy = NOTEBOOK.sub("", name), 0
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
