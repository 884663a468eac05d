"""A folder or a zip becomes a list of its files, those inside archives included, and of what was left out."""

from __future__ import annotations

import io
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from autograder.errors import AnswerError

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

    `broken` are the folders and archives that could not be opened, with the reason.
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
    entries = sorted(walk.entries, key=lambda entry: entry.parts)
    return FileListing(tuple(entries), tuple(sorted(walk.skipped)), tuple(sorted(walk.folders)), walk.broken)


class Shelf:
    """Reads files in and out of archives; the archives of a class stay open while it is in use."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._open: dict[Path, zipfile.ZipFile] = {}

    def __enter__(self) -> Shelf:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def read(self, path: Path, inside: tuple[str, ...], limit: int) -> bytes:
        """The bytes of a file; AnswerError where it cannot be read or has more than `limit`."""
        try:
            if not inside:
                size = path.stat().st_size
                return path.read_bytes() if size <= limit else _too_large(size, limit)
            archive = self._archive(path)
            for name in inside[:-1]:
                archive = zipfile.ZipFile(io.BytesIO(_member(archive, name, MAX_INNER_BYTES)))
            return _member(archive, inside[-1], limit)
        except (*BROKEN, KeyError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise AnswerError(f"the file cannot be opened: {reason}") from error

    def _archive(self, path: Path) -> zipfile.ZipFile:
        if path not in self._open:
            self._open[path] = self._stack.enter_context(zipfile.ZipFile(path))
        return self._open[path]


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    info = archive.getinfo(name)
    if info.file_size > limit:
        return _too_large(info.file_size, limit)
    # A member never yields more than it announces, so that this bounds the memory.
    return archive.read(info)


def _too_large(size: int, limit: int) -> bytes:
    raise AnswerError(f"the file is {size / MB:.0f} MB; {limit // MB} MB can be read")


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
            self._skip(entry.place, "a link to another file is not a submission")
        elif not found.is_file():
            self._skip(entry.place, "not a plain file")
        elif entry.path.suffix.lower() == ".zip":
            self.archive(entry, entry.path)
        else:
            self.entries.append(entry)

    def archive(self, entry: ListedFile, source: Path | bytes, depth: int = 1) -> None:
        """List an archive on the disk, or one that lies inside another."""
        size = source.stat().st_size if isinstance(source, Path) else len(source)
        try:
            archive = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
        except BROKEN as error:
            self._give_up(entry.parts, f"the zip cannot be opened: {error}")
            return
        with archive:
            members = list(archive.NameToInfo.values())
            if reason := _bomb(members, size, MAX_INNER_ENTRIES if depth > 1 else MAX_ENTRIES):
                self._give_up(entry.parts, reason)
                return
            self._enter(entry.parts)
            for info in members:
                self._member(entry, archive, info, depth)

    def _member(self, outer: ListedFile, archive: zipfile.ZipFile, info: zipfile.ZipInfo, depth: int) -> None:
        name = _true_name(info)
        parts = (*outer.parts, *(part for part in name.split("/") if part not in ("", ".")))
        entry = ListedFile(parts, outer.path, (*outer.inside, info.filename), _zip_moment(info))
        if is_ignored(parts):
            return
        if reason := _unfit(info, name):
            self._skip(entry.place, reason)
        elif info.is_dir():
            self._enter(parts)
        elif not name.lower().endswith(".zip"):
            self.entries.append(entry)
        elif depth == MAX_DEPTH:
            self._give_up(parts, f"a zip inside {depth} others is not opened")
        else:
            try:
                self.archive(entry, _member(archive, info.filename, MAX_INNER_BYTES), depth + 1)
            except (AnswerError, *BROKEN) as error:
                self._give_up(parts, f"the zip cannot be opened: {error}")

    def _enter(self, parts: tuple[str, ...]) -> None:
        if parts and not is_ignored(parts) and not parts[-1].startswith("."):
            self.folders.add(parts)

    def _give_up(self, parts: tuple[str, ...], reason: str) -> None:
        """A folder or an archive that is not opened: somebody may have handed it in."""
        self._enter(parts)
        self.broken[parts] = reason
        self._skip("/".join(parts), reason)

    def _skip(self, place: str, reason: str) -> None:
        self.skipped.append(f"{printable(place) or 'the class'}: {reason}")


def is_ignored(parts: tuple[str, ...]) -> bool:
    """What systems and editors leave behind, which nobody handed in."""
    return parts[-1] in IGNORED or parts[-1].startswith("._") or not IGNORED_FOLDERS.isdisjoint(parts)


def _bomb(members: Sequence[zipfile.ZipInfo], size: int, most: int) -> str:
    if len(members) > most:
        return f"the zip has {len(members)} files; {most} are opened"
    total = sum(info.file_size for info in members)
    if total > RATIO_FROM and total > MAX_RATIO * size:
        return f"the zip has {size / MB:.1f} MB and would unpack to {total / MB:.0f} MB: it is not opened"
    return ""


def _unfit(info: zipfile.ZipInfo, name: str) -> str:
    if ABSOLUTE.match(name) or ".." in name.split("/"):
        return "its name leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "a link to another file is not a submission"
    if info.flag_bits & ENCRYPTED:
        return "it is encrypted; ask for it without a password"
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
