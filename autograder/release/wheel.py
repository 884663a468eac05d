"""The running autograder becomes a wheel, so that a bundle installs the very version it was made with."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from email.message import Message
from importlib.metadata import metadata, version
from pathlib import Path
from typing import cast

import autograder

PACKAGE = Path(autograder.__file__).resolve().parent
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest a zip can say: the same bytes on every day
DISTRIBUTION = "tensor-autograder"  # the name `autograder` on the package index is somebody else's
STEM = f"{DISTRIBUTION.replace('-', '_')}-{autograder.__version__}"
LEFT_OUT = ("__pycache__", ".ipynb_checkpoints")


def torch_pin() -> str:
    """torch by the version at work here: the newest one brings gigabytes for graphics cards."""
    return f"torch=={version('torch').partition('+')[0]}"


def wheel_name() -> str:
    return f"{STEM}-py3-none-any.whl"


def build_wheel() -> bytes:
    """The bytes of the wheel. It is written by hand: an installed autograder has no sources to build from."""
    info = f"{STEM}.dist-info"
    files = dict(_package())
    files[f"{info}/METADATA"] = _metadata()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: autograder\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nautograder = autograder.__main__:main\n"
    files[f"{info}/RECORD"] = _record(files, f"{info}/RECORD")
    return pack(files)


def pack(files: Mapping[str, bytes]) -> bytes:
    """A zip with the same bytes on every run."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            executable = data.startswith(b"#!")
            entry.external_attr = (0o755 if executable else 0o644) << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


def _package() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE.parent)
        if path.is_file() and not set(inside.parts) & set(LEFT_OUT) and path.suffix != ".pyc":
            yield inside.as_posix(), path.read_bytes()


def _metadata() -> bytes:
    """Name, version and dependencies as they were installed; the long description stays at home."""
    installed = cast(Message, metadata(DISTRIBUTION))
    lines = [
        f"{name}: {value}"
        for name, value in installed.items()
        if name.lower() in ("requires-dist", "requires-python", "provides-extra", "summary")
    ]
    head = ["Metadata-Version: 2.1", f"Name: {DISTRIBUTION}", f"Version: {autograder.__version__}"]
    return ("\n".join([*head, *lines]) + "\n").encode()


def _record(files: Mapping[str, bytes], own: str) -> bytes:
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    return ("\n".join([*lines, f"{own},,"]) + "\n").encode()
