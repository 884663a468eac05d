"""The filter, decided by a small interpreter of BPF: a second opinion on what the kernel will do."""

from __future__ import annotations

import errno

import pytest

from autograder.sandbox.inside import seccomp
from autograder.sandbox.inside.syscalls import ABSENT, ARCHITECTURES, CONDITIONAL, NUMBERS

PID = 4242
MACHINES = sorted(ARCHITECTURES)
REFUSED = -errno.EPERM


def decide(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says: 0 allowed, a negative error, or 1 for killed."""
    words = {0: number, 4: ARCHITECTURES[machine][0] if arch is None else arch}
    for position in range(6):
        value = arguments[position] if position < len(arguments) else 0
        words[16 + 8 * position], words[20 + 8 * position] = value & 0xFFFFFFFF, value >> 32
    register, at = 0, 0
    code = seccomp.assemble(PID, machine)
    while True:
        operation, yes, no, value = code[at]
        at += 1
        if operation == seccomp.RETURN:
            return {seccomp.ALLOW: 0, seccomp.KILL_PROCESS: 1}.get(value, -(value & 0xFFFF))
        if operation == seccomp.LOAD:
            register = words[value]
        elif operation == seccomp.AND:
            register &= value
        else:
            holds = {
                seccomp.JUMP_EQUAL: register == value,
                seccomp.JUMP_SET: bool(register & value),
                seccomp.JUMP_AT_LEAST: register >= value,
            }[operation]
            at += yes if holds else no


def named(machine: str, name: str, *arguments: int) -> int:
    number = NUMBERS[name][ARCHITECTURES[machine][1]]
    assert number is not None
    return decide(machine, number, *arguments)


@pytest.mark.parametrize("machine", MACHINES)
def test_every_number_is_decided_by_the_list(machine: str) -> None:
    column = ARCHITECTURES[machine][1]
    free = {numbers[column] for name, numbers in NUMBERS.items() if name not in CONDITIONAL | ABSENT}
    absent = {NUMBERS[name][column] for name in ABSENT}
    conditional = {NUMBERS[name][column] for name in CONDITIONAL}
    for number in range(600):
        if number not in conditional:
            want = 0 if number in free else -errno.ENOSYS if number in absent else REFUSED
            assert decide(machine, number) == want, number


@pytest.mark.parametrize("machine", MACHINES)
def test_no_two_calls_share_a_number(machine: str) -> None:
    numbers = [
        n[ARCHITECTURES[machine][1]] for n in NUMBERS.values() if n[ARCHITECTURES[machine][1]] is not None
    ]
    assert len(numbers) == len(set(numbers))


CONDITIONS = {
    "a thread": ("clone", (0x3D0F00,), 0),
    "a process": ("clone", (17,), REFUSED),
    "a namespace": ("clone", (0x3D0F00 | 0x10000000,), REFUSED),
    "a thread with high bits": ("clone", (0x3D0F00 | 1 << 32,), REFUSED),
    "reading": ("openat", (0, 0, 0), 0),
    "writing anew": ("openat", (0, 0, 0o1 | 0o100 | 0o1000), 0),
    "emptying by reading": ("openat", (0, 0, 0o1000), REFUSED),
    "a signal to itself": ("kill", (PID, 11), 0),
    "the end of itself": ("kill", (PID, 9), REFUSED),
    "a halt of itself": ("kill", (PID, 19), REFUSED),
    "a halt of a thread": ("tgkill", (PID, PID, 20), REFUSED),
    "a signal to another": ("kill", (PID + 1, 9), REFUSED),
    "a signal to all": ("kill", (0xFFFFFFFF, 9), REFUSED),
    "a thread's signal to itself": ("tgkill", (PID, PID, 6), 0),
    "a thread's signal to another": ("tgkill", (1, 1, 9), REFUSED),
    "its own limits": ("prlimit64", (0, 7), 0),
    "its own limits by number": ("prlimit64", (PID, 7, 0), 0),
    "a lower limit": ("prlimit64", (0, 0, 0x7F0000001000), REFUSED),
    "a lower limit at a high address": ("prlimit64", (PID, 0, 1 << 32), REFUSED),
    "another's limits": ("prlimit64", (1, 7), REFUSED),
    "its size": ("ioctl", (1, 0x5413), 0),
    "typing into a terminal": ("ioctl", (1, 0x5412), REFUSED),
    "a flag": ("fcntl", (1, 2), 0),
    "an owner for signals": ("fcntl", (1, 8), REFUSED),
    "a name": ("prctl", (15,), 0),
    "outliving the parent": ("prctl", (1,), REFUSED),
    "a pair of streams": ("socketpair", (1, 1 | 0o2000000), 0),
    "a pair for datagrams": ("socketpair", (1, 2), REFUSED),
    "a pair of another family": ("socketpair", (16, 1), REFUSED),
    "sending on": ("sendto", (3, 99, 1, 0, 0), 0),
    "sending to an address": ("sendto", (3, 99, 1, 0, 0x7F0000001000), REFUSED),
    "sending to a high address": ("sendto", (3, 99, 1, 0, 1 << 32), REFUSED),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "arguments", "want"), CONDITIONS.values(), ids=CONDITIONS.keys())
def test_conditional_calls_depend_on_their_arguments(
    machine: str, name: str, arguments: tuple[int, ...], want: int
) -> None:
    assert named(machine, name, *arguments) == want


@pytest.mark.parametrize("machine", MACHINES)
def test_another_architecture_is_fatal(machine: str) -> None:
    assert decide(machine, 0, arch=0x40000003) == 1


def test_the_third_way_to_call_on_x86_is_fatal() -> None:
    assert decide("x86_64", 0x40000000 | 1) == 1


def test_a_filter_fits_into_the_kernels_limit() -> None:
    assert all(len(seccomp.assemble(PID, machine)) < 4096 for machine in MACHINES)
