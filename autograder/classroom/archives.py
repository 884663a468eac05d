"""A folder or a zip becomes a list of its files, those inside archives included, and of what was left out."""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from autograder.errors import AnswerError, UsageError

MB = 2**20
MAX_ENTRIES = 100_000  # of the archive of a class
MAX_INNER_ENTRIES = 2_000  # of an archive that a student made
MAX_INNER_BYTES = 256 * MB  # of such an archive, as it lies in the other
# Text packs to a tenth or less; an archive that promises far more than this is made to fill a disk.
MAX_RATIO, RATIO_FROM = 200, 256 * MB
MAX_DEPTH = 3  # a student's archive in the archive of a class, and one more
ABSOLUTE = re.compile(r"/|[A-Za-z]:/")
ENCRYPTED, UTF8 = 0x1, 0x800  # bits of a member's flags
IGNORED = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
IGNORED_FOLDERS = frozenset({"__MACOSX", ".ipynb_checkpoints", ".git"})
LINK = "a link to another file is not a submission"
BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, OSError, ValueError)


@dataclass(frozen=True)
class ListedFile:
    """One file: its names from the top, where it lies, and the members that lead to it inside archives."""

    parts: tuple[str, ...]
    path: Path
    inside: tuple[str, ...] = ()
    modified: datetime | None = None

    @property
    def place(self) -> str:
        return printable("/".join(self.parts))


@dataclass(frozen=True)
class FileListing:
    """The files of a class, its folders and archives, and a sentence on each thing that was left out.

    `broken` are the folders, archives and files that somebody handed in and that cannot be opened, with the
    reason.
    """

    entries: tuple[ListedFile, ...]
    skipped: tuple[str, ...]
    folders: tuple[tuple[str, ...], ...] = ()
    broken: Mapping[tuple[str, ...], str] = field(default_factory=dict)


def printable(name: str) -> str:
    """A file's name for people: what is no character of a line becomes a question mark."""
    return "".join(c if c.isprintable() else "?" for c in name)


def list_files(root: Path) -> FileListing:
    """Every file below a folder, or in a zip, in the order of their names."""
    walk = _Walk()
    if root.is_dir():
        walk.folder(root)
    else:
        walk.archive(ListedFile((), root), root)
    # What lies in one archive stands together: it is unpacked once.
    entries = sorted(walk.entries, key=lambda entry: (entry.path, entry.inside))
    return FileListing(tuple(entries), tuple(sorted(walk.skipped)), tuple(sorted(walk.folders)), walk.broken)


def check_level(listing: FileListing, level: int | None, root: Path) -> None:
    """Refuse a level of folders below which no file lies."""
    if level and listing.entries and level >= max(len(entry.parts) for entry in listing.entries):
        raise UsageError(f"--level {level}: there are not so many folders around any file in {root}")


class Shelf:
    """Reads files in and out of archives; the one that was read last, and those around it, stay open."""

    def __init__(self) -> None:
        self._open: list[tuple[Path | str, zipfile.ZipFile]] = []  # from the disk inwards

    def __enter__(self) -> Shelf:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close(0)

    def read(self, path: Path, inside: tuple[str, ...], limit: int) -> bytes:
        """The bytes of a file; AnswerError where it cannot be read or has more than `limit`."""
        try:
            if not inside:
                size = path.stat().st_size
                return path.read_bytes() if size <= limit else _too_large(size, limit)
            return _member(self._archive(path, inside[:-1]), inside[-1], limit)
        except (*BROKEN, KeyError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise AnswerError(f"the file cannot be opened: {reason}") from error

    def _archive(self, path: Path, inside: Sequence[str]) -> zipfile.ZipFile:
        """The archive to which these members of one on the disk lead; what is open on the way is used."""
        wanted: list[Path | str] = [path, *inside]
        known = [name for name, _ in self._open]
        while known != wanted[: len(known)]:
            known.pop()
        self._close(len(known))
        if not self._open:
            self._open.append((path, zipfile.ZipFile(path)))
        for name in inside[len(self._open) - 1 :]:
            data = _member(self._open[-1][1], name, MAX_INNER_BYTES)
            self._open.append((name, zipfile.ZipFile(io.BytesIO(data))))
        return self._open[-1][1]

    def _close(self, left: int) -> None:
        while len(self._open) > left:
            self._open.pop()[1].close()


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    info = archive.getinfo(name)
    if info.file_size > limit:
        return _too_large(info.file_size, limit)
    # A member never yields more than it announces, so that this bounds the memory.
    return archive.read(info)


def _too_large(size: int, limit: int) -> bytes:
    raise AnswerError(f"the file is {size / MB:.0f} MB; {limit // MB} MB can be read")


@dataclass
class _Room:
    """How many more files, and bytes, an archive that somebody made may hold, with the archives inside it."""

    entries: int
    bytes: int

    @classmethod
    def of(cls, packed: int, entries: int) -> _Room:
        """Of an archive that takes as many bytes where it lies."""
        return cls(entries, max(RATIO_FROM, MAX_RATIO * packed))

    def take(self, members: Sequence[zipfile.ZipInfo], size: int, most: int) -> str:
        """Take up what an archive of this size promises; why not, where that is too much."""
        if len(members) > min(self.entries, most):
            return f"the zip has {len(members)} files; {min(self.entries, most)} are opened"
        total = sum(info.file_size for info in members)
        if total > self.bytes:
            return f"the zip has {size / MB:.1f} MB and would unpack to {total / MB:.0f} MB: it is not opened"
        self.entries -= len(members)
        self.bytes -= total
        return ""


class _Walk:
    """Collects entries and reasons, folder by folder and archive by archive."""

    def __init__(self) -> None:
        self.entries: list[ListedFile] = []
        self.skipped: list[str] = []
        self.folders: set[tuple[str, ...]] = set()
        self.broken: dict[tuple[str, ...], str] = {}

    def folder(self, root: Path) -> None:
        waiting: list[tuple[str, tuple[str, ...]]] = [(str(root), ())]
        while waiting:
            where, parts = waiting.pop()
            try:
                with os.scandir(where) as listed:
                    entries = list(listed)
            except OSError as error:
                self._give_up(parts, f"the folder cannot be opened: {error.strerror}")
                continue
            for found in entries:
                # Links to folders are not followed: they could lead out of the class or round in circles.
                if found.is_dir(follow_symlinks=False):
                    waiting.append((found.path, (*parts, found.name)))
                    self._enter((*parts, found.name))
                else:
                    self._file(found, (*parts, found.name))

    def _file(self, found: os.DirEntry[str], parts: tuple[str, ...]) -> None:
        if is_ignored(parts):
            return
        entry = ListedFile(parts, Path(found.path), modified=_moment(found))
        if found.is_symlink():
            self._lose(parts, LINK)
        elif not found.is_file():
            self._skip(entry.place, "not a plain file")
        elif entry.path.suffix.lower() == ".zip":
            self.archive(entry, entry.path, _Room.of(entry.path.stat().st_size, MAX_ENTRIES))
        else:
            self.entries.append(entry)

    def archive(
        self, entry: ListedFile, source: Path | bytes, room: _Room | None = None, depth: int = 1
    ) -> None:
        """List an archive on the disk, or one that lies inside another.

        What one student handed in has `room` in common; the archive of a class has none of its own.
        """
        size = source.stat().st_size if isinstance(source, Path) else len(source)
        try:
            archive = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
        except BROKEN as error:
            self._give_up(entry.parts, f"the zip cannot be opened: {error}")
            return
        with archive:
            members = list(archive.NameToInfo.values())
            here = room or _Room.of(size, MAX_ENTRIES)
            if reason := here.take(members, size, MAX_INNER_ENTRIES if depth > 1 else MAX_ENTRIES):
                self._give_up(entry.parts, reason)
                return
            self._enter(entry.parts)
            for info in members:
                self._member(entry, archive, info, room, depth)

    def _member(
        self,
        outer: ListedFile,
        archive: zipfile.ZipFile,
        info: zipfile.ZipInfo,
        room: _Room | None,
        depth: int,
    ) -> None:
        name = _true_name(info)
        parts = (*outer.parts, *(part for part in name.split("/") if part not in ("", ".")))
        entry = ListedFile(parts, outer.path, (*outer.inside, info.filename), _zip_moment(info))
        if is_ignored(parts):
            return
        if _leads_out(name):
            self._skip(entry.place, "its name leads out of the archive")
        elif reason := _unfit(info):
            (self._give_up if name.lower().endswith(".zip") else self._lose)(parts, reason)
        elif info.is_dir():
            self._enter(parts)
        elif not name.lower().endswith(".zip"):
            self.entries.append(entry)
        elif depth == MAX_DEPTH:
            self._give_up(parts, f"a zip inside {depth} others is not opened")
        else:
            own = room or _Room.of(info.compress_size, MAX_INNER_ENTRIES)
            try:
                self.archive(entry, _member(archive, info.filename, MAX_INNER_BYTES), own, depth + 1)
            except (AnswerError, *BROKEN) as error:
                self._give_up(parts, f"the zip cannot be opened: {error}")

    def _enter(self, parts: tuple[str, ...]) -> None:
        if parts and not is_ignored(parts) and not parts[-1].startswith("."):
            self.folders.add(parts)

    def _give_up(self, parts: tuple[str, ...], reason: str) -> None:
        """A folder or an archive that is not opened: it may be all that somebody handed in."""
        self._enter(parts)
        self._lose(parts, reason)

    def _lose(self, parts: tuple[str, ...], reason: str) -> None:
        self.broken[parts] = reason
        self._skip("/".join(parts), reason)

    def _skip(self, place: str, reason: str) -> None:
        self.skipped.append(f"{printable(place) or 'the class'}: {reason}")


def is_ignored(parts: tuple[str, ...]) -> bool:
    """What systems and editors leave behind, which nobody handed in."""
    return parts[-1] in IGNORED or parts[-1].startswith("._") or not IGNORED_FOLDERS.isdisjoint(parts)


def _leads_out(name: str) -> bool:
    return bool(ABSOLUTE.match(name)) or ".." in name.split("/")


def _unfit(info: zipfile.ZipInfo) -> str:
    if stat.S_ISLNK(info.external_attr >> 16):
        return LINK
    if info.flag_bits & ENCRYPTED:
        return "it is encrypted, and needed without a password"
    return ""


def _true_name(info: zipfile.ZipInfo) -> str:
    """A member's name with slashes; some systems write UTF-8 or their own separators without saying so."""
    name = info.filename
    if not info.flag_bits & UTF8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _moment(found: os.DirEntry[str]) -> datetime | None:
    try:
        return datetime.fromtimestamp(found.stat().st_mtime, UTC).replace(tzinfo=None)
    except (OSError, ValueError, OverflowError):
        return None


def _zip_moment(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)
    except ValueError:
        return None
