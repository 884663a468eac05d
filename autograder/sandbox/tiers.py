"""How the warm parent is started on this machine: in bubblewrap where that works, else plain."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.inside.mounts import ROOM

PACKAGE = Path(__file__).resolve().parent.parent
INSIDE_PACKAGE = "/opt/autograder"
INSIDE_SCRATCH = "/scratch"
# What a program costs is counted beside it, hence `trace`.
MINE = (
    "sandbox/inside",
    "sandbox/parent_messages.py",
    "sandbox/wire.py",
    "sandbox/tensors.py",
    "calls/take_steps.py",
    "calls/function_arguments.py",
    "calls/invoke.py",
    "calls/note_tensors.py",
    "calls/note_numpy.py",
    "calls/note_steps.py",
    "calls/packed_notes.py",
    "calls/syntax_fault.py",
    "calls/script_steps.py",
    "calls/value_as_json.py",
    "cost/trace",
)
SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache")
PYTHON_FLAGS = ("-P", "-s", "-S")  # no current directory, no user's packages, no .pth files
PROBE_SECONDS, PROBES = 300, 3  # a busy machine takes its time, and may end what nobody asked it to
# Run in a process of its own, which is of no use afterwards.
TRY_MOUNTS = """
import sys, types
sys.modules["autograder"] = types.ModuleType("autograder")
sys.modules["autograder"].__path__ = [sys.argv[1]]
from autograder.sandbox.inside.mounts import take_own_mounts
sys.exit("it may not mount" if not take_own_mounts(1) else 0)
"""


@dataclass(frozen=True)
class Tier:
    """One way to start the warm parent: the command, and what it is told."""

    name: str  # "bubblewrap", "landlock" or "none"
    command: tuple[str, ...]
    package: str
    scratch: str | None
    readable: tuple[str, ...]
    drop: str  # "user", "reader" or "": whom root becomes; a reader may pass closed folders
    isolated: bool
    room_mb: int = 0  # of the scratch folder, where the warm parent is to make one itself

    def orders(self) -> dict[str, object]:
        return {
            "packages": packages(),
            "package": self.package,
            "scratch": self.scratch,
            "readable": self.readable,
            "drop": self.drop,
            "isolated": self.isolated,
            "die_with_parent": self.name == "landlock",
            "room_mb": self.room_mb,
            # Behind a namespace or under another number the kernel counts the threads of one child alone.
            "shares_user": self.name != "bubblewrap" and not self.drop and not self.room_mb,
        }


def interpreter() -> str:
    """The interpreter itself, not a virtual environment's link to it: packages are listed instead."""
    return os.path.realpath(sys.executable)


def packages() -> list[str]:
    """The folders of installed packages on the path; never the folder of a course or an editable install."""
    names = ("site-packages", "dist-packages")
    return [path for path in sys.path if os.path.basename(path) in names and os.path.isdir(path)]


def interpreter_files() -> tuple[str, ...]:
    """What Python needs to read while it runs: its library, the packages, and the system's libraries."""
    paths = [sysconfig.get_path("stdlib"), os.path.join(sys.base_prefix, "lib"), *packages()]
    found = sorted({os.path.realpath(path) for path in [*SYSTEM, *paths] if os.path.exists(path)})
    return tuple(p for p in found if not any(p.startswith(other + os.sep) for other in found))


def environment() -> dict[str, str]:
    """All the environment there is on the other side."""
    single = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return {
        **single,
        "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",  # large pages from the start: see inside/pages.py
        "HOME": "/nonexistent",
        "LANG": "C.UTF-8",
        "LOGNAME": "student",
        "MALLOC_ARENA_MAX": "1",
        "MPLBACKEND": "agg",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "USER": "student",
    }


def closed_to_others(paths: tuple[str, ...], parents: bool) -> str | None:
    """The first of these paths, or with `parents` of the folders above, that another user cannot enter."""
    for path in paths:
        above = Path(path).parents if parents else ()
        for place in (Path(path), *above):
            mode = place.stat().st_mode
            if not mode & 0o004 or (place.is_dir() and not mode & 0o001):
                return str(place)
    return None


def python_command(package: str) -> tuple[str, ...]:
    return (interpreter(), *PYTHON_FLAGS, f"{package}/sandbox/inside/boot.py")


def plain(isolated: bool, file_mb: int) -> Tier:
    """Every child confines itself. It has a folder to write in where its parent may mount one of that size:
    nothing would bound another."""
    readable = interpreter_files()
    room_mb = max(1, file_mb) if isolated and not mounts_fault() else 0
    drop = ""
    if isolated and os.geteuid() == 0:
        mine = tuple(str(PACKAGE / path) for path in MINE)
        closed = closed_to_others((*readable, interpreter(), *mine), parents=True)
        drop = "reader" if closed else "user"
    return Tier(
        name="landlock" if isolated else "none",
        command=python_command(str(PACKAGE)),
        package=str(PACKAGE),
        scratch=tempfile.gettempdir() if not isolated else ROOM if room_mb else None,
        readable=readable,
        drop=drop,
        isolated=isolated,
        room_mb=room_mb,
    )


def bubblewrapped(file_mb: int) -> Tier | None:
    """The tier inside bubblewrap, or None without the program."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    readable = interpreter_files()
    root = os.geteuid() == 0
    drop = ""
    if root:
        drop = "reader" if closed_to_others((*readable, interpreter()), parents=False) else "user"
    # Root keeps the user namespace of the machine, so that it can become a user that owns nothing there.
    rights = ["--cap-drop", "ALL"] if root else ["--unshare-user", "--disable-userns"]
    if drop:
        rights += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    if drop == "reader":
        rights += ["--cap-add", "CAP_DAC_READ_SEARCH"]
    command = (
        program, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
        "--die-with-parent", *rights, *mounts(readable, file_mb), "--chdir", "/", "--",
    )  # fmt: skip
    return Tier(
        name="bubblewrap",
        command=(*command, *python_command(INSIDE_PACKAGE)),
        package=INSIDE_PACKAGE,
        scratch=INSIDE_SCRATCH,
        readable=readable,
        drop=drop,
        isolated=True,
    )


def mounts(readable: tuple[str, ...], file_mb: int) -> list[str]:
    """The whole file system of the other side, as bubblewrap's arguments."""
    arguments = ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--tmpfs", "/tmp"]
    arguments += ["--perms", "1777", "--size", str(max(1, file_mb) << 20), "--tmpfs", INSIDE_SCRATCH]
    for path in SYSTEM:
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
    binds = {path: path for path in (*readable, interpreter())}
    binds |= {f"{INSIDE_PACKAGE}/{name}": str(PACKAGE / name) for name in MINE}
    # Folders above a mount would be closed to all but root, and the notebooks' user is not root.
    above = {str(folder) for path in binds for folder in Path(path).parents} - {"/"}
    for folder in sorted(above):
        arguments += ["--perms", "0755", "--dir", folder]
    for target, source in binds.items():
        arguments += ["--ro-bind", source, target]
    for folder in packages():
        installed = os.path.join(folder, "autograder")
        if os.path.isdir(installed):
            arguments += ["--tmpfs", installed]
    # Links and folders of its own keep no access times either.
    return [*arguments, "--remount-ro", "/"]


def fails(tier: Tier) -> str:
    """Why the tier's command cannot run Python here; empty when it can."""
    before = tier.command[: -len(python_command(tier.package))]
    drop = "os.setgroups([]); os.setresuid(65534, 65534, 65534)" if tier.drop == "user" else "pass"
    # A package of Python's own and an installed one are read as the user that will read them.
    check = f"import os, sys; {drop}; import json; [os.listdir(path) for path in {packages()!r}]"
    return fault_in([*before, interpreter(), *PYTHON_FLAGS, "-c", check])


def fault_in(command: Sequence[str]) -> str:
    """Why a command fails here; empty where it does not. One that the machine ended is tried again."""
    for _ in range(PROBES):
        try:
            done = subprocess.run(
                command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True,
                timeout=PROBE_SECONDS, cwd="/", check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        if 0 <= done.returncode < 128:  # bubblewrap tells by more that a signal ended what it ran
            break
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return "" if done.returncode == 0 else (lines or ["it failed silently"])[-1]


@functools.cache
def mounts_fault() -> str:
    """Why a warm parent cannot have mounts of its own without bubblewrap; empty when it can."""
    return fault_in([interpreter(), *PYTHON_FLAGS, "-c", TRY_MOUNTS, str(PACKAGE)])


@functools.cache
def bubblewrap_fault() -> str:
    """Why bubblewrap cannot be used; empty when it can. Asked once, the answer does not change."""
    tier = bubblewrapped(file_mb=1)
    return "there is no bwrap on the path" if tier is None else fails(tier)


def choose(isolation: bool, bubblewrap: bool, file_mb: int) -> Tier:
    """The strongest tier that works here and is wanted."""
    if not isolation:
        return plain(isolated=False, file_mb=file_mb)
    if bubblewrap and not bubblewrap_fault():
        tier = bubblewrapped(file_mb)
        if tier is not None:
            return tier
    return plain(isolated=True, file_mb=file_mb)
