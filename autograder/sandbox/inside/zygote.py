"""The warm parent: imports what notebooks use, nothing of the course, and forks a child a submission."""

from __future__ import annotations

import base64
import contextlib
import gc
import importlib
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from autograder.sandbox import wire
from autograder.sandbox.inside import confine, large_pages, spare_memory
from autograder.sandbox.inside.mounts import take_own_mounts
from autograder.sandbox.inside.usage import descendants, usage_of

if TYPE_CHECKING:
    from typing import Unpack

    from autograder.sandbox.parent_messages import (
        ChildLimits,
        ForkOrder,
        ParentOrders,
        ParentReport,
        PlainOrder,
    )

NOBODY = 65534
MAX_LEFTOVERS = 50_000
OTHERS = 4_096  # threads that whoever grades may start beside a child, where the kernel counts them together
ORPHANS_ROUNDS = 5_000  # to end what a child that nothing confines has started
COUNT_SECONDS = 1.0
Serve = Callable[[int, int, int], object]  # descriptors to read and write, and how many threads there may be
MAX_FILES, WATCH_SECONDS = 10_000, 0.1  # a file without bytes still takes a kilobyte of the kernel's memory


def main(control: socket.socket, config: ParentOrders) -> None:
    if config["room_mb"] and not take_own_mounts(config["room_mb"]):
        raise SystemExit("it may not mount a folder for notebooks to write in, and could a moment ago")
    if config["drop"]:
        drop_privileges(config["user"], reader=config["drop"] == "reader")
    elif config["room_mb"]:
        confine.empty_the_bounding_set()  # of a namespace of its own
        confine.keep_capabilities(0)
    if config["die_with_parent"]:
        confine.prctl(confine.PR_SET_PDEATHSIG, signal.SIGKILL, "die with the parent")
    Zygote(control, config).run()


def drop_privileges(uid: int, reader: bool) -> None:
    try:
        confine.become(uid, reader)
    except OSError:
        confine.become(NOBODY, reader)  # a user namespace with few users


def warm_up(imports: list[str]) -> Serve:
    """Import what notebooks are likely to use and what the course allows, and run one operation so that torch
    looks at the machine."""
    home = tempfile.mkdtemp()
    # Both write below these while they are imported; nothing is kept.
    os.environ["MPLCONFIGDIR"] = os.environ["IPYTHONDIR"] = home
    # A child that is the first to use an optimizer would make a folder where it may write none.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.curdir
    try:
        import matplotlib.pyplot
        import torch

        torch.set_num_threads(1)
        torch.softmax(torch.ones(2, 2) @ torch.ones(2, 2), dim=0)
        matplotlib.pyplot.close(matplotlib.pyplot.figure())
        for name in imports:
            importlib.import_module(name)

        from autograder.calls.take_steps import seed
        from autograder.cost.trace.guarded_exits import guard
        from autograder.sandbox.inside import serve, shell

        seed()  # numpy imports its generators, two thousand pages, when they are first asked for
        guard()  # before a cell takes hold of what it guards
        gc.freeze()  # the reset below collects garbage: among what is imported there is none worth a search
        shell.IMPORTABLE.extend(name for name in imports if "." not in name)
        made = shell.make_shell()
        shell.run_cell(made, 0, "pass")
        made.reset(new_session=True)  # type: ignore[no-untyped-call]
        return lambda reader, writer, threads: serve.serve(made, reader, writer, threads)
    finally:
        shutil.rmtree(home, ignore_errors=True)


class Zygote:
    """One child at a time; commands and reports are lines of JSON on the control socket."""

    def __init__(self, control: socket.socket, config: ParentOrders) -> None:
        self._control, self._config = control, config
        self._child = 0
        self._threads, self._counted = 0, -COUNT_SECONDS
        self._crowded = False
        self._memory = 0  # bytes that the child is allowed
        self._scratch: str | None = None  # the folder that a child may write in
        self._beside: str | None = None  # the one that its files lie in, where it may not write
        self._rules: confine.Rules | None = None
        self._lines = b""
        self._fds: list[int] = []

    def run(self) -> None:
        gc.disable()  # what is imported stays: a fifth of the time would go into looking for garbage
        serve = warm_up(self._config["imports"])
        gc.freeze()  # a collection in a child would touch, and so copy, every page
        gc.enable()
        for name, module in sys.modules.items():
            if name.split(".")[0] == "autograder" and hasattr(module, "__path__"):
                module.__path__ = []  # nothing more of the package is to be imported
        if self._config["isolated"]:
            self._rules = confine.Rules.of(self._config["readable"])
            confine.prepare()
        else:
            confine.keep_the_orphans()
        large_pages.collapse()
        wake, notify = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(notify, False)
        signal.set_wakeup_fd(notify, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        if confine.LINUX:
            confine.prctl(confine.PR_SET_DUMPABLE, 0, "hide the memory of the process")
        self._report(ready=True, threads=1 if confine.one_thread() else 2)
        while True:
            watched = self._child and self._scratch and self._config["isolated"]
            wait = WATCH_SECONDS if watched else None
            readable, _, _ = select.select([self._control.fileno(), wake], [], [], wait)
            if watched and files_on(self._scratch) > MAX_FILES:
                self._crowded = True
                self._kill()
            if wake in readable:
                os.read(wake, 4096)
                self._reap(os.WNOHANG)
            if self._control.fileno() in readable:
                for command in self._commands():
                    self._obey(command, serve)

    def _commands(self) -> list[ForkOrder | PlainOrder]:
        data, fds, _, _ = socket.recv_fds(self._control, 1 << 16, 3)
        self._fds += fds
        if not data:
            self._kill()
            os._exit(0)  # the judge is gone
        *lines, self._lines = (self._lines + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def _obey(self, command: ForkOrder | PlainOrder, serve: Serve) -> None:
        if command["op"] == "kill":
            self._kill()
            return
        if command["op"] == "usage":
            family = not self._config["isolated"]  # behind the wall nobody starts a process
            self._report(usage=usage_of(self._child, family=family) if self._child else None)
            return
        if command["op"] == "room":
            self._report(short=spare_memory.is_short(self._child, self._memory))
            return
        fds, self._fds = self._fds, []
        try:
            self._scratch = self._make_scratch()
            if command["files"]:
                self._lay_out(fds.pop())
            self._fork(command["limits"], fds, serve)
            self._report(forked=True)
        except OSError as error:
            os.write(fds[1], fault(error))
            self._report(forked=True)
            self._report(exited=1, cpu=0.0, crowded=False, dirty=not self._clean())
        for fd in fds:
            os.close(fd)

    def _fork(self, limits: ChildLimits, fds: list[int], serve: Serve) -> None:
        """A child with these descriptors; the rules that it is to live by are added to them."""
        if not confine.one_thread():
            raise SystemExit("a thread is running in the warm parent; a forked child would hang")
        if self._rules:
            fds.append(self._rules.ruleset(self._scratch, self._beside))
        parent, threads = os.getpid(), self._threads_of_user()
        if self._config["shares_user"]:
            threads += OTHERS
        self._memory = spare_memory.size_of("self") + (limits["memory_mb"] << 20)
        self._child = os.fork()
        if not self._child:
            start(confine.Confinement(self._scratch, self._beside, **limits), parent, threads, fds, serve)

    def _threads_of_user(self) -> int:
        """Counted now and then: it takes as long as a fork on a machine with many processes."""
        if time.monotonic() - self._counted > COUNT_SECONDS:
            self._threads, self._counted = confine.threads_of(os.getuid()), time.monotonic()
        return self._threads

    def _make_scratch(self) -> str | None:
        root = self._config["scratch"]
        return tempfile.mkdtemp(dir=root) if root else None

    def _lay_out(self, store: int) -> None:
        """Put the files of a submission where its cells run: in its scratch folder, or one to read from."""
        with os.fdopen(store, "rb") as file:
            file.seek(0)
            files = json.load(file)
        if self._scratch is None:
            self._beside = tempfile.mkdtemp()
        for name, data in files.items():
            path = os.path.join(self._scratch or self._beside or "", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(base64.b64decode(data))
            os.chmod(path, 0o444)

    def _kill(self) -> None:
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            self._reap(0)

    def _reap(self, flags: int) -> None:
        if not self._child:
            return
        pid, status, usage = os.wait4(self._child, flags)
        if not pid:
            return
        self._child = 0
        crowded, self._crowded = self._crowded, False
        cpu = usage.ru_utime + usage.ru_stime
        if not self._config["isolated"] and confine.LINUX:
            cpu += end_orphans()
        code = os.waitstatus_to_exitcode(status)
        self._report(exited=code, cpu=cpu, crowded=crowded, dirty=not self._clean())

    def _clean(self) -> bool:
        """Empty the scratch directory; what cannot be removed is left to the end of the mount."""
        if self._beside:
            shutil.rmtree(self._beside, ignore_errors=True)
            self._beside = None
        if not self._scratch:
            return True
        scratch, self._scratch = self._scratch, None
        try:
            if more_than(MAX_LEFTOVERS, scratch):
                return False
            shutil.rmtree(scratch)
        except (OSError, RecursionError):
            return False  # folders too deep, or closed by whoever made them
        return True

    def _report(self, **message: Unpack[ParentReport]) -> None:
        self._control.sendall(json.dumps(message).encode() + b"\n")


def end_orphans() -> float:
    """End all that is left of what a child started; the processor time that it took."""
    cpu = 0.0
    for _ in range(ORPHANS_ROUNDS):
        for pid in descendants(os.getpid()):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        cpu += usage.ru_utime + usage.ru_stime
        if not pid:
            time.sleep(0.001)
    return cpu


def files_on(folder: str | None) -> int:
    """How many files the mount of a folder holds."""
    mount = os.statvfs(folder or "/")
    return mount.f_files - mount.f_ffree


def more_than(most: int, folder: str) -> bool:
    """Whether a folder holds more files than that, without listing them all."""
    with os.scandir(folder) as entries:
        for entry in entries:
            most -= 1
            if most < 0 or (entry.is_dir(follow_symlinks=False) and more_than(most, entry.path)):
                return True
    return False


def fault(error: BaseException) -> bytes:
    return wire.encode({"fault": repr(error)[:400], "errno": getattr(error, "errno", None)})


def start(limits: confine.Confinement, parent: int, threads: int, fds: list[int], serve: Serve) -> None:
    """The child's first steps. A fault before the student's code runs is the grader's, and said as such."""
    writer = fds[1]
    try:
        signal.set_wakeup_fd(-1)
        reader, writer, *rules = confine.keep_only(*fds)
        confine.give_up(limits, parent, threads, rules[0] if rules else None)
    except BaseException as error:
        os.write(writer, fault(error))
        os._exit(1)
    serve(reader, writer, limits.threads)
