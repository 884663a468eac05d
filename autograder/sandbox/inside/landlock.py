"""Landlock by system call: the paths a child may read, the one directory it may write, and nothing else."""

from __future__ import annotations

import ctypes
import functools
import os
import stat
import struct
from collections.abc import Iterable

from autograder.sandbox.inside.libc import libc

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on every architecture
VERSION_FLAG, RULE_PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << n for n in range(6))
MAKE_DIR, MAKE_REG = 1 << 7, 1 << 8
TRUNCATE = 1 << 14
READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | TRUNCATE
ON_A_FILE = READ_FILE | WRITE_FILE | TRUNCATE | EXECUTE
# Rights that exist from each version of the interface on: 1, 2 (refer), 3 (truncate), 5 (devices).
HANDLED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
NETWORK, NETWORK_FROM = 0b11, 4  # bind and connect by TCP
SCOPES, SCOPES_FROM = 0b11, 6  # abstract sockets and signals beyond the process


def _call(number: int, *arguments: object) -> int:
    syscall = libc().syscall
    syscall.restype = ctypes.c_long
    result: int = syscall(ctypes.c_long(number), *arguments)
    return result


def _checked(result: int, doing: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"landlock cannot {doing}")
    return result


@functools.cache
def version() -> int:
    """The version of the kernel's interface; 0 without Landlock."""
    return max(0, _call(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION_FLAG)))


def handled(abi: int) -> int:
    """Every right of the file system that this version knows, all taken away unless a rule gives it back."""
    return HANDLED[max(known for known in HANDLED if known <= abi)]


@functools.cache
def _attributes() -> tuple[int, ...]:
    """What a ruleset takes away here: rights of the file system, of the network, and of reach."""
    abi = version()
    if not abi:
        raise OSError("this kernel has no landlock")
    network = (NETWORK,) if abi >= NETWORK_FROM else ()
    return (handled(abi), *network, *((SCOPES,) if abi >= SCOPES_FROM else ()))


def place(path: str) -> int | None:
    """A path held open to make rules for it; one that is not there needs no rule."""
    try:
        return os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return None


def make_ruleset(readable: Iterable[int], writable: Iterable[int] = ()) -> int:
    """A descriptor of rules: what may be read and what may be written beneath these places, and no more."""
    fields = _attributes()
    packed = struct.pack(f"={len(fields)}Q", *fields)
    size = ctypes.c_size_t(len(packed))
    ruleset = _checked(_call(CREATE_RULESET, packed, size, ctypes.c_uint32(0)), "make a ruleset")
    try:
        for place in readable:
            _allow(ruleset, place, READ & fields[0])
        for place in writable:
            _allow(ruleset, place, WRITE & fields[0])
    except OSError:
        os.close(ruleset)
        raise
    return ruleset


def enforce(ruleset: int) -> None:
    """Confine the calling thread for good. Needs NO_NEW_PRIVS."""
    _checked(_call(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)), "restrict the process")


def _allow(ruleset: int, place: int, rights: int) -> None:
    if not stat.S_ISDIR(os.fstat(place).st_mode):
        rights &= ON_A_FILE
    rule = struct.pack("=Qi", rights, place)
    result = _call(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(RULE_PATH_BENEATH), rule, ctypes.c_uint32(0))
    _checked(result, "add a rule")
