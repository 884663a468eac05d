"""Whether the machine may have refused a child memory that its own limit allows."""

from __future__ import annotations

import math
import os
import resource
import sys

LINUX = sys.platform == "linux"
MB = 1 << 20
RESERVED = 256 * MB  # of what is left, the kernel keeps some for root and for whoever is to mend the machine


def size_of(pid: int | str) -> int:
    """The bytes of a process's address space; none where it is gone."""
    try:
        with open(f"/proc/{pid}/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


def is_short(pid: int, limit: int) -> bool:
    """Whether the machine has less to give than `limit`, in bytes, leaves the child.

    Told from outside of the child, and after the fact: what it held it may have let go, but then both have
    got it back.
    """
    if not LINUX:
        return False
    used = size_of(pid) or size_of("self")
    _, ceiling = resource.getrlimit(resource.RLIMIT_AS)
    allowed = math.inf if ceiling == resource.RLIM_INFINITY else ceiling - used
    return limit - used > min(allowed, left_to_promise(_read("sys/vm/overcommit_memory"), _read("meminfo")))


def left_to_promise(mode: str, meminfo: str) -> float:
    """The bytes of the next piece of memory that the kernel would not refuse, for want of memory."""
    pairs = (line.split(":", 1) for line in meminfo.splitlines() if ":" in line)
    found = {name: int(rest.split()[0]) * 1024 for name, rest in pairs if rest.split()[:1]}
    match mode.strip():  # as proc(5) numbers the ways to promise memory; 1 never refuses
        case "2" if "CommitLimit" in found:
            return found["CommitLimit"] - found.get("Committed_AS", 0) - RESERVED
        case "0" if "MemTotal" in found:
            return found["MemTotal"] + found.get("SwapTotal", 0)
    return math.inf


def _read(name: str) -> str:
    try:
        with open(os.path.join("/proc", name)) as file:
            return file.read()
    except OSError:
        return ""
