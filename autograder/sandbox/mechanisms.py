"""What isolates here: each mechanism is tried, and what does not work says what to install."""

from __future__ import annotations

import functools
import os
import platform
import sys

from autograder.calls.requests_and_outcomes import Mechanism
from autograder.errors import UsageError
from autograder.sandbox.inside import landlock, seccomp
from autograder.sandbox.tiers import PACKAGE, bubblewrap_fault, choose, fault_in, mounts_fault

BUBBLEWRAP_HELP = (
    "the package bubblewrap; on Ubuntu 24.04 an administrator must also allow it user namespaces. "
    "Without it notebooks stay confined"
)
NO_ROOM = ", but have no folder to write in, and access times of files are kept"
# Run in a process of its own: both confine whoever tries them, for good.
TRY = """
import os, platform, sys, types
sys.modules["autograder"] = types.ModuleType("autograder")
sys.modules["autograder"].__path__ = [sys.argv[1]]
from autograder.sandbox.inside import confine, landlock, seccomp
confine.prctl(confine.PR_SET_NO_NEW_PRIVS, 1, "refuse new privileges")
if sys.argv[2] == "landlock":
    landlock.enforce(landlock.make_ruleset([]))
    try:
        os.listdir("/")
    except PermissionError:
        sys.exit(0)
else:
    seccomp.load(seccomp.filter_for(os.getpid(), platform.machine()))
    try:
        os.fork()
    except PermissionError:
        sys.exit(0)
sys.exit("it is accepted and has no effect")
"""


@functools.cache
def fault_of(mechanism: str) -> str:
    """Why Landlock or seccomp does not hold here; empty when it does."""
    if sys.platform != "linux":
        return f"{platform.system()} has none"
    return fault_in([sys.executable, "-P", "-S", "-c", TRY, str(PACKAGE), mechanism])


def probe() -> list[Mechanism]:
    """Every mechanism, required ones first."""
    return [_landlock(), _seccomp(), _rlimits(), _bubblewrap(), _user()]


def _landlock() -> Mechanism:
    fault = fault_of("landlock")
    detail = fault or f"version {landlock.version()} of the interface"
    install = "" if not fault else "Linux 5.13 or newer with landlock among its security modules"
    return Mechanism("landlock", not fault, detail, install, required=True)


def _seccomp() -> Mechanism:
    fault = fault_of("seccomp")
    if not fault and not seccomp.supported():
        fault = f"no filter is written for {platform.machine()}"
    install = "" if not fault else "a Linux kernel with seccomp filters, on x86_64 or aarch64"
    return Mechanism("seccomp", not fault, fault or "a list of allowed system calls", install, required=True)


def _rlimits() -> Mechanism:
    works = sys.platform == "linux"
    detail = "memory, processor time, file size, threads" if works else "no limit on memory"
    return Mechanism("rlimits", works, detail, "" if works else "Linux", required=True)


def _bubblewrap() -> Mechanism:
    fault = bubblewrap_fault() if sys.platform == "linux" else "there is none for this system"
    install = BUBBLEWRAP_HELP + (NO_ROOM if mounts_fault() else "") if fault else ""
    return Mechanism("bubblewrap", not fault, fault or "own mounts, processes and network", install)


def _user() -> Mechanism:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return Mechanism("another user", True, "not started as root, so there is nothing to give up")
    tier = choose(isolation=True, bubblewrap=True, file_mb=1)
    detail = "root becomes a user who owns nothing"
    if tier.drop == "reader":
        detail += ", but passes closed folders to read this Python; landlock alone keeps it out of others"
    return Mechanism("another user", True, detail)


def require_isolation() -> None:
    """Refuse, with the reason, on a system that cannot hold a submission."""
    missing = [mechanism for mechanism in (_landlock(), _seccomp(), _rlimits()) if not mechanism.works]
    if missing:
        reasons = "; ".join(f"{m.name} does not work ({m.detail}), it needs {m.install}" for m in missing)
        raise UsageError(
            f"notebooks cannot be isolated here: {reasons}; --no-isolation runs them unprotected"
        )
