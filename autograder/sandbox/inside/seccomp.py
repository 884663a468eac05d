"""A seccomp filter assembled by hand: a list of system calls that a child may make, as BPF instructions."""

from __future__ import annotations

import ctypes
import errno
import functools
import platform
import struct
from collections.abc import Sequence

from autograder.sandbox.inside.libc import libc
from autograder.sandbox.inside.syscalls import ABSENT, ARCHITECTURES, CONDITIONAL, NUMBERS

LOAD, JUMP_EQUAL, JUMP_SET, JUMP_AT_LEAST, AND, RETURN = 0x20, 0x15, 0x45, 0x35, 0x54, 0x06
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER_AT, ARCH_AT, ARGS_AT = 0, 4, 16
X32_BIT = 0x40000000
PR_SET_SECCOMP, MODE_FILTER = 22, 2
NOBODY = 0x7FFFFFFE  # stands for a process id; the kernel gives none that large

PTHREAD_FLAGS = 0x3D0F00  # what pthread_create asks for; a process would lack CLONE_THREAD
O_ACCMODE, O_TRUNC = 0o3, 0o1000
AF_UNIX, SOCK_STREAM, SOCK_TYPE_MASK = 1, 1, 0xF
IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # terminal queries, FIONREAD, FIONBIO, FIO(N)CLEX
FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 1030)  # duplicate, flags, locks; no owners, signals, leases or pipe sizes
# KILL, TERM, HUP, QUIT, STOP, TSTP, TTIN, TTOU: the same on both architectures.
OUTSIDE_SIGNALS = (9, 15, 1, 3, 19, 20, 21, 22)
PRCTLS = (15, 16, 0x53564D41)  # names of threads and of memory

Instruction = tuple[int, int, int, int]
ALLOWED: Instruction = (RETURN, 0, 0, ALLOW)


def refuse(number: int) -> Instruction:
    return (RETURN, 0, 0, ERRNO | number)


REFUSED = refuse(errno.EPERM)


def low(argument: int) -> Instruction:
    """Load the low half of an argument; both architectures are little-endian."""
    return (LOAD, 0, 0, ARGS_AT + 8 * argument)


def high(argument: int) -> Instruction:
    return (LOAD, 0, 0, ARGS_AT + 8 * argument + 4)


def only_if_equal(argument: int, *values: int) -> list[Instruction]:
    """Allow when the low half of the argument, all that an int has, is one of the values."""
    code = [low(argument)]
    for value in values:
        code += [(JUMP_EQUAL, 0, 1, value), ALLOWED]
    return [*code, REFUSED]


def own_process(pid: int, signal: int) -> list[Instruction]:
    """Signals to itself; none that kill or stop it: when these come, they come from the machine."""
    code = [low(0), (JUMP_EQUAL, 1, 0, pid), REFUSED, low(signal)]
    for number in OUTSIDE_SIGNALS:
        code += [(JUMP_EQUAL, 0, 1, number), REFUSED]
    return [*code, ALLOWED]


def own_limits(pid: int) -> list[Instruction]:
    """Its own limits are read, not changed: a lower one would kill it in the machine's name."""
    return [low(0), (JUMP_EQUAL, 2, 0, 0), (JUMP_EQUAL, 1, 0, pid), REFUSED, *only_if_zero(2)]


def only_if_zero(argument: int) -> list[Instruction]:
    """Allow when the whole argument is zero: a null pointer."""
    return [
        low(argument), (JUMP_EQUAL, 1, 0, 0), REFUSED,
        high(argument), (JUMP_EQUAL, 1, 0, 0), REFUSED, ALLOWED,
    ]  # fmt: skip


def only_threads() -> list[Instruction]:
    return [
        high(0), (JUMP_EQUAL, 1, 0, 0), REFUSED,
        low(0), (JUMP_EQUAL, 1, 0, PTHREAD_FLAGS), REFUSED, ALLOWED,
    ]  # fmt: skip


def no_silent_truncation(flags: int) -> list[Instruction]:
    """Opening for reading with O_TRUNC empties a file, and older Landlocks take it for a mere read."""
    return [
        low(flags), (JUMP_SET, 1, 0, O_TRUNC), ALLOWED,
        (AND, 0, 0, O_ACCMODE), (JUMP_EQUAL, 0, 1, 0), REFUSED, ALLOWED,
    ]  # fmt: skip


def stream_pairs_only() -> list[Instruction]:
    """An event loop wakes itself through a pair of stream sockets; a datagram one could reach others."""
    return [
        low(0), (JUMP_EQUAL, 1, 0, AF_UNIX), REFUSED,
        low(1), (AND, 0, 0, SOCK_TYPE_MASK), (JUMP_EQUAL, 1, 0, SOCK_STREAM), REFUSED, ALLOWED,
    ]  # fmt: skip


def conditions(pid: int) -> dict[str, list[Instruction]]:
    """For each conditional call, the instructions that decide it."""
    return {
        "clone": only_threads(),
        "open": no_silent_truncation(1),
        "openat": no_silent_truncation(2),
        "ioctl": only_if_equal(1, *IOCTLS),
        "fcntl": only_if_equal(1, *FCNTLS),
        "prctl": only_if_equal(0, *PRCTLS),
        "prlimit64": own_limits(pid),
        "kill": own_process(pid, 1),
        "tgkill": own_process(pid, 2),
        "socketpair": stream_pairs_only(),
        "sendto": only_if_zero(4),
    }


def assemble(pid: int, machine: str) -> list[Instruction]:
    """The whole filter for a process that may send signals to `pid` only."""
    arch, column = ARCHITECTURES[machine]
    decide = conditions(pid)
    if set(decide) != CONDITIONAL:
        raise AssertionError("every conditional call has its rule")
    kill = (RETURN, 0, 0, KILL_PROCESS)
    code = [(LOAD, 0, 0, ARCH_AT), (JUMP_EQUAL, 1, 0, arch), kill, (LOAD, 0, 0, NUMBER_AT)]
    if machine == "x86_64":
        code += [(JUMP_AT_LEAST, 0, 1, X32_BIT), kill]
    for name, numbers in NUMBERS.items():
        number = numbers[column]
        if number is None:
            continue
        body = [refuse(errno.ENOSYS)] if name in ABSENT else decide.get(name, [ALLOWED])
        code += [(JUMP_EQUAL, 0, len(body), number), *body]
    return [*code, REFUSED]


def pack(code: Sequence[Instruction]) -> bytes:
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


@functools.cache
def _template(machine: str) -> tuple[bytes, tuple[int, ...]]:
    """The packed filter for a process that has no number yet, and where the number goes."""
    code = assemble(NOBODY, machine)
    places = (8 * position + 4 for position, each in enumerate(code) if each[3] == NOBODY)
    return pack(code), tuple(places)


def filter_for(pid: int, machine: str) -> bytes:
    """The packed filter: assembled once by the warm parent, a child only puts its number in."""
    template, places = _template(machine)
    code = bytearray(template)
    for place in places:
        struct.pack_into("=I", code, place, pid)
    return bytes(code)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def load(code: bytes) -> None:
    """Install the filter on the calling thread and whatever it starts. Needs NO_NEW_PRIVS."""
    program = _Program(len(code) // 8, code)
    if libc().prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp is refused")


def supported() -> bool:
    return platform.machine() in ARCHITECTURES
