"""What spares a process of ours the costliest part of its imports; called before they begin."""

from __future__ import annotations

import gc
import sys

# jsonschema, which nbformat brings, would build a grammar of internationalised addresses: for a second,
# and no notebook has one.
NEVER_ASKED = "rfc3987_syntax"


def import_lightly() -> None:
    gc.set_threshold(50_000)  # importing torch makes half a million objects, and none of them is garbage
    # Where a module would be, None makes its import fail at once.
    sys.modules.setdefault(NEVER_ASKED, None)  # type: ignore[arg-type]
