"""A course becomes bytes that can travel, with the versions it is to be graded by, and a folder again."""

from __future__ import annotations

import hashlib
import io
import platform
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from autograder.course import SECRET, Course

PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS = ("problems", "solutions")
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of a zip file: the same course gives the same bytes


@dataclass(frozen=True)
class Parcel:
    """The files of a course as a zip, and how its submissions are to be graded."""

    data: bytes
    limits: Mapping[str, Any]
    isolation: bool
    digest: str

    def head(self) -> dict[str, Any]:
        """All but the files, as plain data."""
        return {
            "digest": self.digest,
            "limits": dict(self.limits),
            "isolation": self.isolation,
            "versions": versions(),
        }


def pack_course(course: Course, limits: Mapping[str, Any], isolation: bool) -> Parcel:
    """The course with the secret that this machine draws hidden inputs from."""
    text = io.BytesIO()
    with zipfile.ZipFile(text, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _files(course):
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), data)
    data = text.getvalue()
    return Parcel(data, limits, isolation, digest_of(data, limits, isolation))


def unpack_course(data: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)


def digest_of(data: bytes, limits: Mapping[str, Any], isolation: bool) -> str:
    """Names a course and the way it is graded."""
    options = repr((sorted(limits.items()), isolation)).encode()
    return hashlib.sha256(hashlib.sha256(data).digest() + options).hexdigest()


@cache
def versions() -> dict[str, str]:
    """What must be alike for two machines to give the same marks in the same words."""
    code = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        code.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    found = {name: version(name) for name in ("torch", "numpy", "sympy", "scipy")}
    python = ".".join(platform.python_version_tuple()[:2])
    return {"autograder": f"{version('autograder')} ({code.hexdigest()[:8]})", "python": python, **found}


def _files(course: Course) -> Iterator[tuple[str, bytes]]:
    for folder in FOLDERS:
        for path in sorted((course.root / folder).rglob("*")):
            name = path.relative_to(course.root)
            if path.is_file() and "__pycache__" not in name.parts and name != SECRET:
                yield name.as_posix(), path.read_bytes()
    yield SECRET.as_posix(), course.secret.encode()
