"""Which cells of the running notebook were run, and when: IPython tells, where there is one."""

from __future__ import annotations

import re
import symtable
import sys
import time
from dataclasses import dataclass, field
from typing import Any

_MAGIC = re.compile(r"^\s*[%!?].*|^.*\?\s*$", re.M)


@dataclass(frozen=True)
class Ran:
    """One cell that was run: its text, the names it sets, and when it began."""

    source: str
    names: frozenset[str]
    at: float


@dataclass
class History:
    """The cells run since the check was imported, in order."""

    ran: list[Ran] = field(default_factory=list)

    def note(self, source: str, at: float) -> None:
        self.ran.append(Ran(source.strip(), names_set(source), at))

    def last_to_set(self, name: str) -> Ran | None:
        return next((ran for ran in reversed(self.ran) if name in ran.names), None)


HISTORY = History()


def follow() -> None:
    """Note every cell from now on; without a running IPython nothing happens."""
    shell = running_shell()
    if shell is not None:
        shell.events.register("pre_run_cell", _note)


def _note(info: Any) -> None:
    HISTORY.note(str(getattr(info, "raw_cell", "") or ""), time.time())


def running_shell() -> Any | None:
    """The IPython that runs the notebook, or None in plain Python."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def names_set(source: str) -> frozenset[str]:
    """The globals that a cell sets; none where it is no Python."""
    try:
        table = symtable.symtable(_MAGIC.sub("", source), "<cell>", "exec")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported())
