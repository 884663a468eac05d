"""A Dask scheduler and workers as processes of their own, which a test may start, kill and cut off."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys

DASK = (sys.executable, "-W", "ignore", "-m")


class Machines:
    """A scheduler and workers as processes of their own, which a test may kill."""

    def __init__(self, folder, host="127.0.0.1"):
        self._folder, self._host = folder, host
        self.processes = []
        with socket.socket() as free:
            free.bind((host, 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://{host}:{self.port}"
        self.scheduler = self.start_scheduler()

    def start(self, program, *arguments, inside=()):
        log = (self._folder / f"{program}{len(self.processes)}.log").open("wb")
        command = [*inside, *DASK, f"distributed.cli.dask_{program}", *arguments]
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        log.close()
        self.processes.append(process)
        return process

    def start_scheduler(self):
        return self.start("scheduler", "--host", self._host, "--port", str(self.port), "--no-dashboard")

    def start_worker(self, *arguments, inside=()):
        options = ("--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", str(self._folder))
        return self.start("worker", self.address, *options, *arguments, inside=inside)

    def stop(self):
        for process in self.processes:
            end(process)


def end(process):
    """Kill a process and all that it started, as a machine that loses its power does."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
