"""The system calls a child may make, by name, with their numbers on x86_64 and aarch64."""

from __future__ import annotations

# None: the architecture has no such call. Whatever is not listed here is refused.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62), "close": (3, 57),
    "close_range": (436, 436), "fstat": (5, 80), "newfstatat": (262, 79), "stat": (4, None),
    "lstat": (6, None), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439), "getdents64": (217, 61),
    "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49),
    "fchdir": (81, 50), "mkdir": (83, None), "mkdirat": (258, 34), "unlink": (87, None),
    "unlinkat": (263, 35), "rmdir": (84, None), "rename": (82, None), "renameat": (264, 38),
    "renameat2": (316, 276), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "flock": (73, 32),
    "pipe": (22, None), "pipe2": (293, 59), "poll": (7, None), "ppoll": (271, 73), "select": (23, None),
    "pselect6": (270, 72), "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441), "eventfd2": (290, 19),
    "ftruncate": (77, 46), "fallocate": (285, 47), "fsync": (74, 82), "fdatasync": (75, 83),
    "sendfile": (40, 71), "copy_file_range": (326, 285), "fadvise64": (221, 223), "umask": (95, 166),
    "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    "brk": (12, 214), "msync": (26, 227), "futex": (202, 98), "set_robust_list": (273, 99),
    "set_tid_address": (218, 96), "rseq": (334, 293), "membarrier": (324, 283), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "getcpu": (309, 168),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getitimer": (36, 102), "setitimer": (38, 103), "alarm": (37, None), "pause": (34, None),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132), "restart_syscall": (219, 128), "getpid": (39, 172), "gettid": (186, 178),
    "getppid": (110, 173), "getpgid": (121, 155), "getpgrp": (111, None), "getsid": (124, 156),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158), "uname": (63, 160),
    "sysinfo": (99, 179), "getrlimit": (97, 163), "getrusage": (98, 165), "getrandom": (318, 278),
    "getpriority": (140, 141), "arch_prctl": (158, None), "exit": (60, 93), "exit_group": (231, 94),
    "wait4": (61, 260), "recvfrom": (45, 207), "getsockname": (51, 204), "getsockopt": (55, 209),
    "shutdown": (48, 210), "clone": (56, 220), "clone3": (435, 435), "open": (2, None), "openat": (257, 56),
    "openat2": (437, 437), "ioctl": (16, 29), "fcntl": (72, 25), "prctl": (157, 167),
    "prlimit64": (302, 261), "kill": (62, 129), "tgkill": (234, 131), "socketpair": (53, 199),
    "sendto": (44, 206),
}  # fmt: skip

# AUDIT_ARCH values, by what platform.machine() says, and the column of NUMBERS.
ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}

# Harmless with some arguments only; seccomp.py says which.
CONDITIONAL = frozenset(
    {
        "clone",
        "open",
        "openat",
        "ioctl",
        "fcntl",
        "prctl",
        "prlimit64",
        "kill",
        "tgkill",
        "socketpair",
        "sendto",
    }
)

# The C library falls back to an older call when it is told that these do not exist.
ABSENT = frozenset({"clone3", "openat2"})
