"""A check that takes long says so while it runs; one that is quick shows nothing but its panel."""

from __future__ import annotations

import sys
from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Protocol

from autograder.check.cells_run import running_shell

if TYPE_CHECKING:
    from IPython.display import DisplayHandle

PATIENCE = 1.0  # seconds before anything is shown


class Progress(Protocol):
    """Told before each case which one it is, and during a long one how many seconds have passed."""

    def __call__(self, part: str, case: str, seconds: float) -> None: ...


def begin(progress: Progress, part: str, case: str) -> Callable[[float], None]:
    """Tell that a case begins; what comes back is called while it takes long."""
    progress(part, case, 0.0)
    return lambda seconds: progress(part, case, seconds)


class ProgressLine:
    """Progress in a notebook's output or on a terminal's last line; gone when the panel is there."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._case = total, 0, ""
        self._handle: DisplayHandle | None = None
        self._line = False
        self._notebook = running_shell() is not None and "ipykernel" in sys.modules

    def __call__(self, part: str, case: str, seconds: float) -> None:
        if seconds == 0.0:
            self._done += 1
            if self._handle is None and not self._line:
                return
        elif seconds < PATIENCE:
            return
        passed = f" · {seconds:.0f} s" if seconds else ""
        self._show(f"checking {part}: case {min(self._done, self._total)} of {self._total}, {case}{passed}")

    def _show(self, text: str) -> None:
        if self._notebook:
            from IPython.display import HTML, display

            words = f'<div role="status" style="opacity:.8;font-size:13px">{escape(text)} …</div>'
            body = HTML(words)  # type: ignore[no-untyped-call]
            if self._handle is None:
                self._handle = display(body, display_id=True)  # type: ignore[no-untyped-call]
            else:
                self._handle.update(body)  # type: ignore[no-untyped-call]
        elif sys.__stderr__ is not None and sys.__stderr__.isatty():
            self._line = True
            print(f"\r\033[K{text}", end="", file=sys.__stderr__, flush=True)

    def close(self) -> None:
        if self._handle is not None:
            from IPython.display import clear_output

            clear_output(wait=True)  # type: ignore[no-untyped-call]
        if self._line:
            print("\r\033[K", end="", file=sys.__stderr__, flush=True)
