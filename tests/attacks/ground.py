"""What there is to attack beside the sandbox: files that everybody may write, listeners, and a process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.attacks.attack import RIGHT


@dataclass(frozen=True)
class Ground:
    """The targets, and what they looked like before."""

    root: Path
    course: Path
    table: str
    servers: tuple[socket.socket, ...]
    victim: subprocess.Popen[bytes]

    def fill(self, source: str) -> str:
        """A source with the targets' names in it."""
        tcp, _, unix, abstract = self.servers
        words = {
            "@COURSE@": str(self.course),
            "@GROUND@": str(self.root),
            "@TABLE@": self.table,
            "@TCP@": str(tcp.getsockname()[1]),
            "@UNIX@": str(unix.getsockname()),
            "@ABSTRACT@": abstract.getsockname()[1:].decode(),
            "@VICTIM@": str(self.victim.pid),
        }
        for word, value in words.items():
            source = source.replace(word, value)
        return source

    def snapshot(self) -> dict[str, tuple[int, int, float, bytes]]:
        """Every file with its mode, links, time and content."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            state = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            found[str(path)] = (state.st_mode, state.st_nlink, state.st_mtime, content)
        return found

    def heard(self) -> list[bytes]:
        """What reached a listener."""
        return [word for server in self.servers if (word := listen(server)) is not None]


def listen(server: socket.socket) -> bytes | None:
    try:
        if server.type == socket.SOCK_DGRAM:
            return server.recv(64)
        with server.accept()[0]:
            return b"a connection"
    except BlockingIOError:
        return None


@contextmanager
def open_ground(root: Path, course: Path, table: str) -> Iterator[Ground]:
    for folder in (root, *root.parents[:2]):  # the ones that pytest made
        folder.chmod(0o755)
    write(root / "out" / "journal.jsonl", '{"report": {"student": "ada"}}\n')
    write(root / "submitted" / "ada.ipynb", json.dumps({"cells": [{"source": [RIGHT]}]}))
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        udp = stack.enter_context(socket.socket(type=socket.SOCK_DGRAM))
        udp.bind(tcp.getsockname())
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(str(root / "socket"))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{os.getpid()}{root}")
        for server in (unix, abstract):
            server.listen()
        for server in (tcp, udp, unix, abstract):
            server.setblocking(False)
        for path in [root, *root.rglob("*")]:
            path.chmod(0o666 if path.is_file() or path.is_socket() else 0o777)
        victim = stack.enter_context(subprocess.Popen(["sleep", "infinity"]))
        stack.callback(victim.kill)
        yield Ground(root, course, table, (tcp, udp, unix, abstract), victim)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True)
    path.write_text(text)


def processes_below(pid: int) -> set[int]:
    """Every process below this one."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue  # it ended meanwhile
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}
