"""A submission and its report become the notebook that nbgrader shows: the answers, and marks beside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from autograder.errors import AnswerError
from autograder.model import Problem, Prose
from autograder.notebook.cells import CHECK_SUFFIX
from autograder.notebook.submitted import Submission, SubmittedCell, read_submission
from autograder.verdict import Status

MAX_SHOWN = 200_000  # characters of one cell
MAX_ATTACHED = 8 * 2**20  # characters of all pictures of one cell
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif"})

Cell = dict[str, Any]
Parts = Mapping[str, Mapping[str, Any]]  # the fields of a part's report, by its name


def make_copy(problem: Problem, stub: Mapping[str, Any], data: bytes, parts: Parts) -> Cell:
    """Put a submission's answers into the cells that the course knows, each once and with its own metadata.

    What a student's file says of its cells' marks is not believed, and what it claims to have printed is
    left out. Cells with marks that are missing come back; the check cells carry what was found.
    """
    try:
        submission = read_submission(data)
        attached = _attachments(data) if b'"attachments"' in data else [{}] * len(submission.cells)
    except AnswerError:
        submission, attached = Submission(()), []
    originals = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in stub["cells"]}
    owners = _owners(problem, submission, originals, parts)
    cells: list[Cell] = []
    placed: dict[str, Cell] = {}
    for number, cell in enumerate(submission.cells):
        name = owners.get(number)
        if name is None or _runs(problem, cell, originals[name]):
            cells.append(_plain(number, cell, attached))
        if name is not None:
            placed[name] = _owned(originals[name], cell, attached[number], parts.get(name))
            cells.append(placed[name])
    _restore(cells, placed, stub["cells"], originals if not submission.cells else {})
    for part, fields in parts.items():
        if check := placed.get(f"{part}{CHECK_SUFFIX}"):
            check["outputs"] = list(_outputs(fields))
    return {**stub, "metadata": dict(stub["metadata"]), "cells": cells}


def answer_in(notebook: Mapping[str, Any], part: str) -> str | None:
    """The text of a part's answer cell, in a copy or a stub."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == part:
            return _text(cell)
    return None


def _owners(
    problem: Problem, submission: Submission, originals: Mapping[str, Cell], parts: Parts
) -> dict[int, str]:
    """Which cell stands for which known one: of several that claim a name, the one that was judged."""
    chosen: dict[str, int] = {}
    prose = {part.name: submission.prose(part) for part in problem.parts if isinstance(part, Prose)}
    for number, cell in enumerate(submission.cells):
        original = originals.get(cell.grade_id)
        if original is None:
            continue
        if cell.grade_id in prose:
            if cell.source.strip() == prose[cell.grade_id]:
                chosen[cell.grade_id] = number
        elif cell.kind == original["cell_type"] and (
            cell.grade_id in parts or cell.grade_id not in chosen  # the last answer, the first of the rest
        ):
            chosen[cell.grade_id] = number
    return {number: name for name, number in chosen.items()}


def _runs(problem: Problem, cell: SubmittedCell, original: Cell) -> bool:
    """Whether a locked cell was made to answer a part: it was run, so it is shown beside the restored one."""
    locked = original["metadata"]["nbgrader"]["locked"]
    return locked and bool(cell.names & {part.name for part in problem.parts})


def _owned(original: Cell, cell: SubmittedCell, attached: Cell, report: Mapping[str, Any] | None) -> Cell:
    """A known cell: its own metadata, and the student's text where the student may write."""
    source = _text(original)
    fields = original["metadata"]["nbgrader"]
    if fields["solution"]:
        untouched = fields["grade"] and report is not None and report["status"] != Status.MANUAL
        if not untouched:  # a prose cell that earns nothing without being read has no text worth reading
            source = _shown(cell.source)
    made = {**original, "source": source}
    if original["cell_type"] == "markdown":
        return {**made, **attached}
    return {**made, "outputs": [], "execution_count": None}


def _plain(number: int, cell: SubmittedCell, attached: Sequence[Cell]) -> Cell:
    kind = cell.kind if cell.kind in ("code", "markdown", "raw") else "raw"
    made = {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": _shown(cell.source)}
    if kind == "code":
        return {**made, "outputs": [], "execution_count": None}
    return {**made, **(attached[number] if kind == "markdown" else {})}


def _restore(
    cells: list[Cell], placed: dict[str, Cell], stub: Sequence[Cell], wanted: Mapping[str, Cell]
) -> None:
    """Put missing cells with marks back, each after the nearest known cell before it."""
    before: Cell | None = None
    for original in stub:
        fields = original["metadata"]["nbgrader"]
        name = fields["grade_id"]
        if name not in placed and (fields["grade"] or name in wanted):
            placed[name] = {**original, "source": _text(original)}
            place = next((i for i, cell in enumerate(cells) if cell is before), len(cells) - 1)
            cells.insert(place + 1, placed[name])
        before = placed.get(name, before)


def _outputs(fields: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What a check cell shows. nbgrader reads the score from the last output: a plain float."""
    head = f"{fields['score']:g} of {fields['max_score']:g} points"
    lines = [line for line in fields["feedback"].split("\n") if line.strip()]
    cases = [(case["passed"], case["name"], case["message"]) for case in fields["cases"]]
    text = [head, *lines, *(f"{'✓' if ok else '✗'} {name} {why}".rstrip() for ok, name, why in cases)]
    items = "".join(
        f"<li>{'✓' if ok else '✗'} {escape(name)}{f': {escape(why)}' if why else ''}</li>"
        for ok, name, why in cases
    )
    html = f"<p><strong>{head}</strong></p>" + "".join(f"<p>{escape(line)}</p>" for line in lines)
    html += f'<ul style="list-style: none; padding-left: 0">{items}</ul>' if items else ""
    yield {
        "output_type": "display_data",
        "metadata": {},
        "data": {"text/html": html, "text/plain": "\n".join(text)},
    }
    yield {
        "output_type": "execute_result",
        "metadata": {},
        "execution_count": None,
        "data": {"text/plain": repr(float(fields["score"]))},
    }


def _text(cell: Cell) -> str:
    return "".join(cell["source"])


def _shown(source: str) -> str:
    return source if len(source) <= MAX_SHOWN else f"{source[:MAX_SHOWN]}\n… cut here for display"


def _attachments(data: bytes) -> list[Cell]:
    """The pictures pasted into each cell, as fields of a cell; in the order of the submission's cells."""
    notebook = json.loads(data.decode("utf-8-sig"))
    cells = notebook["cells"] if notebook["nbformat"] == 4 else notebook["worksheets"][0]["cells"]
    return [_pictures(cell.get("attachments")) for cell in cells if isinstance(cell, dict)]


def _pictures(attached: Any) -> Cell:
    if not isinstance(attached, dict):
        return {}
    kept = {
        str(name): {kind: text for kind, text in bundle.items() if kind in PICTURES and isinstance(text, str)}
        for name, bundle in attached.items()
        if isinstance(bundle, dict)
    }
    size = sum(len(text) for bundle in kept.values() for text in bundle.values())
    return {"attachments": kept} if kept and size <= MAX_ATTACHED else {}
