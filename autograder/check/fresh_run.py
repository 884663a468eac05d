"""A notebook is run afresh, cell by cell as Jupyter does, and checked: its panel goes to a file as JSON.

Run as `python -m autograder.check.fresh_run NOTEBOOK OUT`, in a process of its own that ends with the check.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from autograder.check.broken_cell import explain
from autograder.check.cells_run import History
from autograder.check.checker import Checker
from autograder.check.panel import Panel
from autograder.check.saved_notebook import SavedNotebook, problem_of, read_saved
from autograder.errors import CourseError, UsageError
from autograder.notebook import stub_cells as stubs
from autograder.notebook.submitted import SubmittedCell
from autograder.release.handout import Handout, stub_of
from autograder.release.handout_file import find_handout

_CHECK = re.compile(r"""^check\(\s*["'](\w+)["']""", re.M)


def check_file(path: Path) -> Panel:
    """Run a notebook's cells in a fresh shell in its own folder, then check every part of it."""
    saved = read_saved(path)
    if saved is None:
        raise UsageError(
            f"{path.name} is not a notebook that can be read: name the .ipynb that was handed out, "
            "or save it again in Jupyter"
        )
    handout = _handout(path, saved)
    namespace, history = _run(saved, handout)
    panel = Checker(handout, namespace, saved, history).check()
    return replace(panel, slips=(*panel.slips, *_stopped(history, handout, namespace)))


def _stopped(history: History, handout: Handout, namespace: Mapping[str, object]) -> Iterator[str]:
    """A sentence for each cell that did not get to its end, but for those that a part tells of."""
    told = {part.name for part in handout.parts if part.name not in namespace}
    for ran in history.ran:
        if ran.error and not told & ran.names:
            fault = explain(ran.source)
            yield f"{ran.title} cannot be run: {fault.says}" if fault else f"{ran.title} stops: {ran.error}"


def _handout(path: Path, saved: SavedNotebook) -> Handout:
    """What the notebook is checked against; a notebook that is none of ours is told so."""
    named = problem_of(path) or _problem_in(saved)
    try:
        return find_handout(named or path.stem, path.resolve().parent)
    except UsageError:
        if named:
            raise
        raise UsageError(
            f"{path.name} is none of the notebooks that were handed out: no cell of it checks a problem; "
            "name one of the bundle's"
        ) from None


def _problem_in(saved: SavedNotebook) -> str:
    found = (match for cell in saved.cells if (match := _CHECK.search(cell.source)))
    return next((match[1] for match in found), "")


def _run(saved: SavedNotebook, handout: Handout) -> tuple[dict[str, object], History]:
    """The names that the cells leave behind, and what became of each cell."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False  # no file, no thread
    config.InteractiveShell.colors = "NoColor"
    shell = InteractiveShell.instance(config=config)
    for name in ("showtraceback", "showsyntaxerror"):
        setattr(shell, name, lambda *args, **kwargs: None)
    history = History(whole=True)
    for number, cell in enumerate(saved.cells, start=1):
        if cell.kind != "code" or _is_left_out(cell, saved, handout):
            continue
        if handout.given and cell.grade_id == stubs.GIVEN_ID:
            cell = replace(cell, source=handout.given)  # as it will be when it is graded
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            result = shell.run_cell(cell.source, store_history=True)  # type: ignore[no-untyped-call]
        history.note(cell.source, math.inf, number)  # later than the file was saved
        history.note_end(result.error_before_exec or result.error_in_exec)
    return shell.user_ns, history


def _is_left_out(cell: SubmittedCell, saved: SavedNotebook, handout: Handout) -> bool:
    """Checks are made at the end; and a stub that still lies beside an answer does not undo it."""
    if cell.source.startswith(f'check("{handout.problem}"') and "\n" not in cell.source:
        return True
    if cell.grade_id == stubs.SUMMARY_ID or cell.grade_id.endswith(stubs.CHECK_SUFFIX):
        return not cell.names & {part.name for part in handout.parts}
    for part in handout.parts:
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
