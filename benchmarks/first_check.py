"""From unpacking what was handed out to the first check: seconds, processor time and disk of each step.

    python -m benchmarks.first_check [--set transformers]

A bundle is released, unpacked into an empty folder, and installed as its README.md says, in an environment
made for it; then the first cell and the first check are run as Jupyter runs them, by that environment's own
kernel. How long the download takes is the network's: pip's cache is switched off, and its settings are used.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST = """
import json, sys
from pathlib import Path
from jupyter_client.manager import KernelManager

path = Path(sys.argv[1])
manager = KernelManager(kernel_name="python3")
manager.start_kernel(cwd=str(path.parent))
client = manager.blocking_client()
client.start_channels()
client.wait_for_ready()
shown = []
see = lambda message: shown.append(message["content"].get("data", {}).get("text/plain", ""))
cells = [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
for cell in cells[:3]:
    client.execute_interactive("".join(cell["source"]), output_hook=see)
client.stop_channels()
manager.shutdown_kernel()
print("".join(shown))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", default="transformers")
    group = parser.parse_args().set
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        step("release", [sys.executable, "-m", "autograder", "release", "week", "--set", group, "--zip",
                         "--course", str(ROOT)], folder)  # fmt: skip
        home = folder / "home"
        with zipfile.ZipFile(folder / "week.zip") as archive:
            archive.extractall(home)
        bundle = home / "week"
        print(f"{'unpacked':<28}{'':>16}{megabytes(bundle):10.1f} MB")
        step("python -m venv", [sys.executable, "-m", "venv", "env"], bundle)
        python = bundle / "env" / "bin" / "python"
        install = [str(python), "-m", "pip", "install", "--quiet", "--no-cache-dir", "-r", "requirements.txt"]
        step("pip install", install, bundle)
        print(f"{'installed':<28}{'':>16}{megabytes(bundle):10.1f} MB")
        notebook = next((bundle / group).glob("*.ipynb"))
        first = [str(python), "-c", FIRST, str(notebook)]
        for what in ("first check", "first check, again"):
            said = step(what, first, bundle)
            assert "not answered yet" in said, said


def step(what: str, command: Sequence[str], folder: Path) -> str:
    """Run one command, print what it took, children included, and give back what it printed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stdout + done.stderr
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{what:<28}{seconds:8.1f} s {processor:8.1f} s of processor time", flush=True)
    return done.stdout


def megabytes(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


if __name__ == "__main__":
    main()
