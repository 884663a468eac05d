"""A notebook is run afresh, cell by cell as Jupyter does, and checked: its panel goes to a file as JSON.

Run as `python -m autograder.check.session NOTEBOOK OUT`, in a process of its own that ends with the check.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.check.desk import Desk
from autograder.check.file import Saved, SavedCell, problem_of, read_saved
from autograder.check.find import find_sheet
from autograder.check.history import History
from autograder.check.sheet import Sheet, stub_of
from autograder.check.view import Panel
from autograder.errors import CourseError, UsageError
from autograder.notebook import cells as stubs

_CHECK = re.compile(r"""^check\(\s*["'](\w+)["']""", re.M)


def check_file(path: Path) -> Panel:
    """Run a notebook's cells in a fresh shell in its own folder, then check every part of it."""
    saved = read_saved(path)
    if saved is None:
        raise UsageError(f"{path} cannot be read as a notebook")
    problem = problem_of(path) or _problem_in(saved) or path.stem
    sheet = find_sheet(problem, path.resolve().parent)
    namespace, stopped = _run(saved, sheet)
    panel = Desk(sheet, namespace, saved, History()).check()
    return replace(panel, slips=(*panel.slips, *stopped))


def _problem_in(saved: Saved) -> str:
    found = (match for cell in saved.cells if (match := _CHECK.search(cell.source)))
    return next((match[1] for match in found), "")


def _run(saved: Saved, sheet: Sheet) -> tuple[dict[str, Any], list[str]]:
    """The names that the cells leave behind, and a sentence for each cell that stopped."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False  # no file, no thread
    config.InteractiveShell.colors = "NoColor"
    shell: Any = InteractiveShell.instance(config=config)
    shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: None
    stopped = []
    for number, cell in enumerate(saved.cells, start=1):
        if cell.kind != "code" or _is_left_out(cell, saved, sheet):
            continue
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            result = shell.run_cell(cell.source, store_history=True)
        error = result.error_before_exec or result.error_in_exec
        if error is not None:
            line = str(error).strip().split("\n")[0][:200]
            stopped.append(f"cell {number} stops: {type(error).__name__}: {line}".rstrip(": "))
    return shell.user_ns, stopped


def _is_left_out(cell: SavedCell, saved: Saved, sheet: Sheet) -> bool:
    """Checks are made at the end; and a stub that still lies beside an answer does not undo it."""
    if cell.source.startswith(f'check("{sheet.problem}"') and "\n" not in cell.source:
        return True
    if cell.grade_id == stubs.SUMMARY_ID or cell.grade_id.endswith(stubs.CHECK_SUFFIX):
        return not cell.names & {part.name for part in sheet.parts}
    for part in sheet.parts:
        if cell.source == stub_of(part).strip():
            return any(part.name in other.names and other.source != cell.source for other in saved.cells)
    return False


def main(notebook: str, out: str) -> None:
    os.chdir(Path(notebook).resolve().parent)
    sys.path.insert(0, os.getcwd())  # a notebook imports from its own folder
    try:
        panel = check_file(Path(notebook))
        answer = {"panel": panel.data(), "text": repr(panel)}
    except (UsageError, CourseError) as error:
        answer = {"error": str(error)}
    Path(out).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
