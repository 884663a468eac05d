"""A command becomes the time it took, the most memory it held, and when its first result came."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

LOOK_SECONDS = 0.05
MEMORY_SECONDS = 0.5
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024


@dataclass(frozen=True)
class Run:
    """Seconds in all, the most memory of the tree of processes in MB, and when the first result came."""

    seconds: float
    peak_mb: float
    first: float = 0.0

    def then(self, other: Run) -> Run:
        return Run(self.seconds + other.seconds, max(self.peak_mb, other.peak_mb), self.first)


def run_command(command: list[str], folder: Path, bin_folder: Path, watch: Path | None = None) -> Run:
    """Run to the end; `watch` is a file that grows by each result. A command that fails is an error."""
    environment = {**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "JUPYTER_PLATFORM_DIRS": "1"}
    first = [0.0]
    peak = [0.0]
    os.sync()  # what was written to prepare the run shall not hold up what is measured
    with tempfile.TemporaryFile() as output:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
        watcher = threading.Thread(target=_watch, args=(process, watch, started, first, peak))
        watcher.start()
        code = process.wait()
        seconds = time.perf_counter() - started
        watcher.join()
        if code:
            output.seek(0)
            said = output.read().decode(errors="replace")[-2000:]
            raise SystemExit(f"{' '.join(command[:4])} … failed ({code}): {said}")
    return Run(seconds, peak[0], first[0])


def _watch(
    process: subprocess.Popen[bytes],
    watch: Path | None,
    started: float,
    first: list[float],
    peak: list[float],
) -> None:
    looked = 0.0
    while process.poll() is None:
        now = time.perf_counter()
        if watch is not None and not first[0] and watch.exists() and watch.stat().st_size:
            first[0] = now - started
        if now - looked > MEMORY_SECONDS:
            looked = now
            peak[0] = max(peak[0], memory_mb(process.pid))
        time.sleep(LOOK_SECONDS)


def memory_mb(root: int) -> float:
    """Memory of a process and all below it; pages that several share count once, in parts (PSS)."""
    children: dict[int, list[int]] = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parent = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(pid))
    tree, total = [root], 0
    for pid in tree:
        tree += children.get(pid, [])
        total += memory_kb(pid)
    return total / 1024


def memory_kb(pid: int) -> int:
    # A warm parent hides from all but root: then what it shares with others counts in full.
    for file, read in (("smaps_rollup", _shared_out), ("statm", _resident)):
        try:
            return read(Path(f"/proc/{pid}/{file}").read_text())
        except OSError:
            continue
    return 0  # it ended


def _shared_out(rollup: str) -> int:
    return next((int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")), 0)


def _resident(statm: str) -> int:
    return int(statm.split()[1]) * PAGE_KB
