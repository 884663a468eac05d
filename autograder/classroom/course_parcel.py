"""A course becomes bytes that can travel, with the versions it is to be graded by, and a folder again."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.grading_digest import versions
from autograder.course.load import SECRET, Course

FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of a zip file: the same course gives the same bytes


@dataclass(frozen=True)
class Head:
    """What is told of a parcel before it is opened: by what it is to be graded, and how."""

    digest: str
    limits: Mapping[str, float]
    isolation: bool
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Parcel:
    """The files of a course as a zip, and how its submissions are to be graded."""

    data: bytes
    limits: Mapping[str, float]
    isolation: bool
    digest: str

    def head(self) -> Head:
        """All but the files."""
        return Head(self.digest, dict(self.limits), self.isolation, versions())


def pack_course(course: Course, limits: Mapping[str, float], isolation: bool) -> Parcel:
    """The course with the secret that this machine draws hidden inputs from."""
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in course_files(course):
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), data)
    data = text.getvalue()
    return Parcel(data, limits, isolation, digest_of(data, limits, isolation))


def unpack_course(data: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)


def digest_of(data: bytes, limits: Mapping[str, float], isolation: bool) -> str:
    """Names a course and the way it is graded."""
    options = repr((sorted(limits.items()), isolation)).encode()
    return hashlib.sha256(hashlib.sha256(data).digest() + options).hexdigest()


def course_files(course: Course) -> Iterator[tuple[str, bytes]]:
    """The files as this machine has loaded them, with the secret that it draws from."""
    yield from ((name, data) for name, data in course.files.items() if name != SECRET.as_posix())
    yield SECRET.as_posix(), course.secret.encode()
