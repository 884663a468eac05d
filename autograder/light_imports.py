"""What spares a process of ours the costliest part of its imports; called before they begin."""

from __future__ import annotations

import gc
import sys
from types import ModuleType

# jsonschema, which nbformat brings, would build a grammar of internationalised addresses: for a second,
# and no notebook has one.
NEVER_ASKED = "rfc3987_syntax"
# nbgrader imports these for a notebook server, and with them the server and what converts notebooks.
OF_A_SERVER = ("assignment_list", "course_list", "validate_assignment", "formgrader")


def import_lightly() -> None:
    gc.set_threshold(50_000)  # importing torch makes half a million objects, and none of them is garbage
    # Where a module would be, None makes its import fail at once.
    sys.modules.setdefault(NEVER_ASKED, None)  # type: ignore[arg-type]


def without_notebook_server() -> None:
    """For a process that uses nbgrader's tables and serves nothing."""
    for name in OF_A_SERVER:
        module = ModuleType(f"nbgrader.server_extensions.{name}")
        module.load_jupyter_server_extension = None  # type: ignore[attr-defined]
        sys.modules.setdefault(module.__name__, module)
