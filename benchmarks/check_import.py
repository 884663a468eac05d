"""What a student waits for before the first check: processor seconds of its import, beside torch and IPython.

    python -m benchmarks.check_import

A notebook's kernel has IPython, and its first cell imports torch: the check's own share comes after both.
Modules are compiled before, as an installer does it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

TURNS = 5
CODE = """
import time
began = time.process_time()
import torch
had_torch = time.process_time()
import IPython.core.interactiveshell
had_both = time.process_time()
from autograder import check
print(had_torch - began, time.process_time() - had_both)
"""


def one_start() -> list[float]:
    """The seconds of torch's import and of the check's own."""
    keeps = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, "-c", CODE], env=keeps, check=True, capture_output=True)
    return [float(seconds) for seconds in done.stdout.split()]


def main() -> None:
    one_start()
    torch, own = zip(*(one_start() for _ in range(TURNS)), strict=True)
    for what, seconds in {"import torch": torch, "the check's own share": own}.items():
        print(f"{what:<24}{statistics.median(seconds):6.2f} s of processor time")


if __name__ == "__main__":
    main()
