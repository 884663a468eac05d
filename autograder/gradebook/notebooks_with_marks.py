"""A submission and its report become the notebook that nbgrader shows: the answers, and marks beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from autograder.course.model import Problem, Prose
from autograder.errors import AnswerError
from autograder.grade.report import PartReport, Status
from autograder.notebook.build_notebooks import NotebookJson
from autograder.notebook.stub_cells import CHECK_SUFFIX, FIGURE, figures_in_words, words_of
from autograder.notebook.submitted import Submission, SubmittedCell, read_submission

MAX_SHOWN = 200_000  # characters of one cell
MAX_ATTACHED = 8 * 2**20  # characters of all pictures of one cell
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif"})

Cell = NotebookJson
Parts = Mapping[str, PartReport]  # by the names of the parts


def make_copy(problem: Problem, stub: NotebookJson, data: bytes, parts: Parts) -> NotebookJson:
    """Put a submission's answers into the cells that the course knows, each once and with its own metadata.

    What a student's file says of its cells' marks is not believed, and what it claims to have printed is
    left out. Cells with marks that are missing come back; the check cells carry what was found. The figures
    of the questions, ten times as large as an answer and the same for a whole class, are told by their words.
    """
    try:
        submission = read_submission(data)
    except AnswerError:
        submission = Submission(())
    attached = [_pictures(cell.attachments) for cell in submission.cells]
    originals = {cell["metadata"]["nbgrader"]["grade_id"]: _told(cell) for cell in stub["cells"]}
    figures = _figures(stub["cells"])
    owners = _owners(problem, submission, originals, parts)
    cells: list[Cell] = []
    placed: dict[str, Cell] = {}
    for number, cell in enumerate(submission.cells):
        name = owners.get(number)
        if name is None or _runs(problem, cell, originals[name]):
            cells.append(_plain(number, cell, attached, figures))
        if name is not None:
            placed[name] = _owned(originals[name], cell, attached[number], parts.get(name))
            cells.append(placed[name])
    _restore(cells, placed, originals, parts, whole=not submission.cells)
    for name, part in parts.items():
        if check := placed.get(f"{name}{CHECK_SUFFIX}"):
            check["outputs"] = list(_outputs(part))
    return {**stub, "metadata": dict(stub["metadata"]), "cells": cells}


def answer_in(notebook: NotebookJson, part: str) -> str | None:
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
    prose = {part.name for part in problem.parts if isinstance(part, Prose)}
    for number, cell in enumerate(submission.cells):
        original = originals.get(cell.grade_id)
        if original is None:
            continue
        name, first = cell.grade_id, cell.grade_id not in chosen
        if name in prose:
            counts = first or cell.source.strip() != _text(original)  # the last that was written
        else:
            counts = cell.kind == original["cell_type"] and (first or name in parts)
        if counts:  # the last answer, the first of the rest
            chosen[name] = number
    return {number: name for name, number in chosen.items()}


def _runs(problem: Problem, cell: SubmittedCell, original: Cell) -> bool:
    """Whether a locked cell was made to answer a part: it was run, so it is shown beside the restored one."""
    locked = original["metadata"]["nbgrader"]["locked"]
    return locked and bool(cell.names & {part.name for part in problem.parts})


def _owned(original: Cell, cell: SubmittedCell, attached: Cell, report: PartReport | None) -> Cell:
    """A known cell: its own metadata, and the student's text where the student may write."""
    source = _text(original)
    fields = original["metadata"]["nbgrader"]
    if fields["solution"]:
        source = _read(original, report, cell.source) if fields["grade"] else _shown(cell.source)
    made = {**original, "source": source}
    if original["cell_type"] == "markdown":
        return {**made, **attached}
    return {**made, "outputs": [], "execution_count": None}


def _read(original: Cell, report: PartReport | None, own: str = "") -> str:
    """What a person reads as prose, wherever in the notebook it stood; the stub where there is nothing."""
    if report is None or report.status != Status.MANUAL:
        return _text(original)
    return _shown(report.read_as or own)


def _plain(number: int, cell: SubmittedCell, attached: Sequence[Cell], figures: Mapping[str, str]) -> Cell:
    kind = cell.kind if cell.kind in ("code", "markdown", "raw") else "raw"
    source = cell.source
    for figure, words in figures.items():  # a question that has lost its name
        source = source.replace(figure, words)
    made = {"id": f"cell-{number}", "cell_type": kind, "metadata": {}, "source": _shown(source)}
    if kind == "code":
        return {**made, "outputs": [], "execution_count": None}
    return {**made, **(attached[number] if kind == "markdown" else {})}


def _restore(
    cells: list[Cell],
    placed: dict[str, Cell],
    originals: Mapping[str, Cell],
    parts: Parts,
    *,
    whole: bool,
) -> None:
    """Put missing cells with marks back (or all of them), each after the nearest known cell before it."""
    before: Cell | None = None
    for name, original in originals.items():
        fields = original["metadata"]["nbgrader"]
        if name not in placed and (fields["grade"] or whole):
            source = _read(original, parts.get(name)) if fields["solution"] else _text(original)
            placed[name] = {**original, "source": source}
            place = next((i for i, cell in enumerate(cells) if cell is before), len(cells) - 1)
            cells.insert(place + 1, placed[name])
        before = placed.get(name, before)


def _figures(stub: Sequence[Cell]) -> dict[str, str]:
    """The figures in the questions as they were handed out, each with the words that stand for it."""
    found = (match for cell in stub for match in FIGURE.finditer(_text(cell)))
    return {match[0]: words_of(match) for match in found}


def _told(cell: Cell) -> Cell:
    """A cell as handed out; of one that only asks, the figures in words."""
    if cell["metadata"]["nbgrader"]["solution"]:
        return cell
    return {**cell, "source": figures_in_words(_text(cell))}


def _outputs(part: PartReport) -> Iterator[Cell]:
    """What a check cell shows. nbgrader reads the score from the last output: a plain float."""
    head = f"{part.score:g} of {part.max_score:g} points"
    lines = [line for line in part.feedback.split("\n") if line.strip()]
    cases = [(case.passed, case.name, case.message) for case in part.cases]
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
        "data": {"text/plain": repr(float(part.score))},
    }


def _text(cell: Cell) -> str:
    return "".join(cell["source"])


def _shown(source: str) -> str:
    return source if len(source) <= MAX_SHOWN else f"{source[:MAX_SHOWN]}\n… cut here for display"


def _pictures(attached: object) -> Cell:
    """The pictures pasted into a cell, as fields of a cell."""
    if not isinstance(attached, dict):
        return {}
    kept = {
        str(name): {kind: text for kind, text in bundle.items() if kind in PICTURES and isinstance(text, str)}
        for name, bundle in attached.items()
        if isinstance(bundle, dict)
    }
    size = sum(len(text) for bundle in kept.values() for text in bundle.values())
    return {"attachments": kept} if kept and size <= MAX_ATTACHED else {}
