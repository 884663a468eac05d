"""A freshly forked child gives up all it does not need, before it reads a byte of a submission."""

from __future__ import annotations

import ctypes
import fcntl
import os
import platform
import resource
import signal
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.sandbox.inside import landlock, seccomp
from autograder.sandbox.inside.libc import libc

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_NO_NEW_PRIVS = 1, 4, 8, 38
PR_SET_CHILD_SUBREAPER = 36
PR_CAPBSET_DROP, CAPABILITY_VERSION_3, DAC_READ_SEARCH = 24, 0x20080522, 1 << 2
MAX_OPEN_FILES = 256
DEVICES = ("/dev/zero", "/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo")
MB = 1 << 20
LINUX = sys.platform == "linux"


@dataclass(frozen=True)
class Confinement:
    """What a child is left with."""

    scratch: str | None  # the only writable directory, None for none
    beside: str | None  # a directory with files to read, where there is none to write in
    cpu_seconds: float
    memory_mb: int
    file_mb: int
    threads: int


def prctl(option: int, value: int, doing: str) -> None:
    if libc().prctl(option, ctypes.c_ulong(value), 0, 0, 0):
        raise OSError(ctypes.get_errno(), f"cannot {doing}")


@dataclass(frozen=True)
class Rules:
    """Landlock's rules for the children of one warm parent: all it can do for them before it forks."""

    readable: tuple[int, ...]
    writable: tuple[int, ...]

    @classmethod
    def of(cls, readable: Iterable[str]) -> Rules:
        open_for = (landlock.place(path) for path in (*readable, *DEVICES))
        write = (landlock.place(os.devnull),)
        return cls(*(tuple(fd for fd in fds if fd is not None) for fds in (open_for, write)))

    def ruleset(self, scratch: str | None, beside: str | None = None) -> int:
        """A descriptor of the rules with one more directory to write in, and one to read in."""
        write, read = ([] if (fd := _place(folder)) is None else [fd] for folder in (scratch, beside))
        try:
            return landlock.make_ruleset((*self.readable, *read), (*self.writable, *write))
        finally:
            for fd in (*write, *read):
                os.close(fd)


def _place(folder: str | None) -> int | None:
    return landlock.place(folder) if folder else None


def keep_only(*kept: int) -> range:
    """Move descriptors to 3 and up, nothing on 0 to 2, and close the rest."""
    places = range(3, 3 + len(kept))
    # Each may already sit on a number that is about to be overwritten.
    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, places.stop) for fd in kept]
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
    for fd, place in zip(moved, places, strict=True):
        os.dup2(fd, place, inheritable=False)
    os.closerange(places.stop, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return places


def limit_resources(confinement: Confinement, threads_of_user: int) -> None:
    """Set the limits, hard and soft at once where a signal is not wanted first."""
    cpu = max(1, round(confinement.cpu_seconds))
    limits = {
        # The soft limit ends the process with its own signal, which the judge can name; the hard one kills.
        resource.RLIMIT_CPU: (cpu, cpu + 1),
        resource.RLIMIT_FSIZE: (confinement.file_mb * MB,) * 2,
        resource.RLIMIT_NOFILE: (MAX_OPEN_FILES,) * 2,
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_MEMLOCK: (0, 0),
    }
    if LINUX:
        with open("/proc/self/statm") as file:
            pages = int(file.read().split()[0])
        room = pages * resource.getpagesize() + confinement.memory_mb * MB
        limits[resource.RLIMIT_AS] = (room, room)
        limits[resource.RLIMIT_MSGQUEUE] = (0, 0)
        limits[resource.RLIMIT_NPROC] = (threads_of_user + confinement.threads,) * 2
    for which, (soft, hard) in limits.items():
        _, allowed = resource.getrlimit(which)
        if allowed != resource.RLIM_INFINITY:
            soft, hard = min(soft, allowed), min(hard, allowed)
        resource.setrlimit(which, (soft, hard))


def give_up(confinement: Confinement, parent: int, threads_of_user: int, ruleset: int | None) -> None:
    """Everything but the pipes goes: limits, then privileges, then the file system, then system calls."""
    os.setsid()
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    os.chdir(confinement.scratch or confinement.beside or "/")
    limit_resources(confinement, threads_of_user)
    if LINUX:
        prctl(PR_SET_DUMPABLE, 0, "hide the memory of the process")
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL, "die with the parent")
        if os.getppid() != parent:
            os._exit(1)
    if ruleset is None:
        keep_the_orphans()
        return
    prctl(PR_SET_NO_NEW_PRIVS, 1, "refuse new privileges")
    landlock.enforce(ruleset)
    os.close(ruleset)
    seccomp.load(seccomp.filter_for(os.getpid(), platform.machine()))


def keep_the_orphans() -> None:
    """What this process starts stays below it, also where a process in between ends."""
    if LINUX:
        prctl(PR_SET_CHILD_SUBREAPER, 1, "keep orphans")


def prepare() -> None:
    """What every child would do for itself is done once, by the warm parent."""
    seccomp.filter_for(os.getpid(), platform.machine())


def become(uid: int, reader: bool) -> None:
    """Leave root for good: no groups, another user, no capability to come back by.

    A `reader` keeps one, to pass closed folders: for an interpreter that no other user can read. Landlock
    still says which files.
    """
    empty_the_bounding_set()
    prctl(PR_SET_KEEPCAPS, int(reader), "keep a capability")
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    keep_capabilities(DAC_READ_SEARCH if reader else 0)


def keep_capabilities(kept: int) -> None:
    """Give up all capabilities but these."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    if libc().capset(header, (ctypes.c_uint32 * 6)(kept, kept)):
        raise OSError(ctypes.get_errno(), "cannot drop the capabilities")


def empty_the_bounding_set() -> None:
    """No program started later gains a capability. Stops past the last one, or where it may not."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability, "drop a capability")
        except OSError:
            return


def threads_of(uid: int) -> int:
    """How many threads the user has now: the kernel's limit counts them all, not only the child's."""
    if not LINUX:
        return 0
    total = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/status") as file:
                status = dict(line.split(":", 1) for line in file)
        except OSError:
            continue  # it ended meanwhile
        if status["Uid"].split()[0] == str(uid):
            total += int(status["Threads"])
    return total


def one_thread() -> bool:
    """Whether forking is safe: a second thread's locks would stay locked in the child for ever."""
    return not LINUX or len(os.listdir("/proc/self/task")) == 1
