"""Which cells of the running notebook were run, and when: IPython tells, where there is one."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.notebook.submitted import names_set

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult, InteractiveShell


@dataclass(frozen=True)
class Ran:
    """One cell that was run: its text, the names it sets, and when it began."""

    source: str
    names: frozenset[str]
    at: float
    number: int = 0  # in the file, where the whole file was run
    error: str = ""  # why it did not get to its end

    @property
    def title(self) -> str:
        return f"cell {self.number}" if self.number else "its cell"


@dataclass
class History:
    """The cells run since the check was imported, in order; with `whole`, all those of the file."""

    ran: list[Ran] = field(default_factory=list)
    whole: bool = False

    def note(self, source: str, at: float, number: int = 0, error: str = "") -> None:
        self.ran.append(Ran(source.strip(), names_set(source), at, number, error))

    def note_end(self, error: BaseException | None) -> None:
        """What became of the cell that was noted last."""
        if self.ran and error is not None:
            self.ran[-1] = replace(self.ran[-1], error=in_a_line(error))

    def last_to_set(self, name: str) -> Ran | None:
        return next((ran for ran in reversed(self.ran) if name in ran.names), None)


HISTORY = History()


def follow() -> bool:
    """Note every cell from now on; without a running IPython nothing happens, and nobody follows."""
    shell = running_shell()
    if shell is None:
        return False
    shell.events.register("pre_run_cell", _note)
    shell.events.register("post_run_cell", _note_end)
    return True


def _note(info: object) -> None:
    HISTORY.note(str(getattr(info, "raw_cell", "") or ""), time.time())


def _note_end(result: ExecutionResult) -> None:
    HISTORY.note_end(result.error_before_exec or result.error_in_exec)


def in_a_line(error: BaseException) -> str:
    """An error's name and the first line of its words."""
    words = str(error).strip().split("\n")[0][:200]
    return f"{type(error).__name__}: {words}".rstrip(": ")


def running_shell() -> InteractiveShell | None:
    """The IPython that runs the notebook, or None in plain Python."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None
