"""A submitted notebook becomes what a page shows of it: its cells in order, each answer marked as one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from autograder.course.model import Part, Problem, Prose
from autograder.notebook import stub_cells as stubs
from autograder.notebook.submitted import Submission, SubmittedCell
from autograder.pages.highlight import highlight
from autograder.pages.markdown import render_markdown

MOST_OF_A_CELL = 20_000  # characters
MOST_OF_A_PAGE = 120_000
MOST_KEPT = 500_000
MOST_MARKDOWN = 30_000  # characters of a page that are typeset; more is shown as it is written
HERE = Markup(' <span class="here">← {}</span>')
_FIGURE = re.compile(r"\(data:image/[a-z+]{3,9};base64,[A-Za-z0-9+/=]{0,400000}\)")


@dataclass(frozen=True)
class ShownCell:
    """One cell on the page: its HTML, and the parts whose verdicts stand beside it."""

    kind: str  # question, text, code or prose
    html: Markup
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Pointer:
    """A line of an answer, counted from the first that is not blank, and the words to stand beside it."""

    line: int
    says: str


@dataclass(frozen=True)
class Page:
    """The statement, the other cells in order, and what is not on the page."""

    statement: Markup
    cells: tuple[ShownCell, ...]
    absent: tuple[str, ...]  # parts that no cell answers
    left_out: int  # cells beyond what a page holds


def lay_out(submission: Submission, problem: Problem, marked: Mapping[str, Pointer] | None = None) -> Page:
    """Set-up, check and summary cells are left out: the verdict stands where the check stood.

    A question that was emptied is put back, so that the answer below it can be understood. `marked` are the
    lines to point at in the answers to some parts.
    """
    places = {part.name: _place(submission, part) for part in problem.parts}
    questions = {
        f"{part.name}{stubs.ASK_SUFFIX}": stubs.ask(part, number, problem)
        for number, part in enumerate(problem.parts, start=1)
    }
    budget = _Budget()
    statement, shown, left_out = Markup(""), [], 0
    for position, cell in enumerate(submission.cells):
        parts = tuple(name for name, place in places.items() if place == position)
        if cell.grade_id == stubs.STATEMENT_ID and not statement:
            asked = cell.source if cell.source.strip() else problem.statement
            statement = budget.markdown(stubs.figures_in_words(asked))
        elif cell.grade_id in questions and not cell.source.strip():
            shown.append(ShownCell("question", render_markdown(questions[cell.grade_id])))
        elif parts or (cell.source.strip() and not _is_ours(cell)):
            if not parts and budget.left <= 0:
                left_out += 1
                continue
            lines = [marked[name] for name in parts if marked and name in marked]
            shown.append(ShownCell(_kind(cell, problem, parts), budget.draw(cell, lines), parts))
    absent = tuple(name for name, place in places.items() if place is None)
    return Page(statement, tuple(shown), absent, left_out)


def _place(submission: Submission, part: Part) -> int | None:
    """The cell that counts as a part's answer: the last that defines it, else the last that claims to."""
    stub = stubs.stub(part).strip()
    named = [n for n, cell in enumerate(submission.cells) if cell.grade_id == part.name]
    defining = [n for n, cell in enumerate(submission.cells) if part.name in cell.names]
    for places in (defining, named):
        written = [place for place in places if submission.cells[place].source.strip() != stub]
        if written:
            return written[-1]
    return max((*named, *defining), default=None)


def _is_ours(cell: SubmittedCell) -> bool:
    fixed = cell.grade_id in (stubs.SETUP_ID, stubs.SUMMARY_ID)
    return fixed or (cell.grade_id.endswith(stubs.CHECK_SUFFIX) and cell.source.strip().startswith("check("))


def _kind(cell: SubmittedCell, problem: Problem, parts: tuple[str, ...]) -> str:
    if cell.kind == "code":
        return "code"
    if any(isinstance(problem.part(name), Prose) for name in parts):
        return "prose"
    return "question" if cell.grade_id.endswith(stubs.ASK_SUFFIX) else "text"


class _Budget:
    """What is left of the characters that one page may show."""

    def __init__(self) -> None:
        self.left = MOST_OF_A_PAGE
        self._markdown = MOST_MARKDOWN

    def draw(self, cell: SubmittedCell, lines: Sequence[Pointer] = ()) -> Markup:
        if cell.kind == "markdown":
            asks = cell.grade_id.endswith(stubs.ASK_SUFFIX)
            return self.markdown(stubs.figures_in_words(cell.source) if asks else cell.source)
        text, cut = _shorten(cell.source, MOST_OF_A_CELL)
        self.left -= len(text)
        return (_with_lines(text, lines) if cell.kind == "code" else Markup.escape(text)) + cut

    def markdown(self, source: str) -> Markup:
        length = _length(source)
        self.left -= length
        self._markdown -= length
        if self._markdown >= 0 and length <= MOST_OF_A_CELL:
            return render_markdown(source)
        text, cut = _shorten(source, MOST_OF_A_CELL)
        return Markup("<pre>") + text + cut + Markup("</pre>")


def _with_lines(text: str, marked: Sequence[Pointer]) -> Markup:
    """Code with some lines marked."""
    lines = text.split("\n")
    blank = next((n for n, line in enumerate(lines) if line.strip()), 0)
    pieces, start = [], 0
    says = {blank + pointer.line - 1: pointer.says for pointer in marked}
    for number in sorted(says):
        if start <= number < len(lines):
            pieces.append(highlight("".join(f"{line}\n" for line in lines[start:number])))
            pieces.append(
                Markup("<mark>{}</mark>{}").format(highlight(lines[number]), HERE.format(says[number]))
            )
            start = number + 1
            pieces.append(Markup("\n") if start < len(lines) else Markup(""))
    return Markup("").join([*pieces, highlight("\n".join(lines[start:]))])


def _length(markdown: str) -> int:
    """Characters, figures left out; known for the cells of a stub, a long one of a student's is not kept."""
    return (_counted if len(markdown) <= MOST_KEPT else _counted.__wrapped__)(markdown)


@lru_cache(maxsize=64)
def _counted(markdown: str) -> int:
    return len(_FIGURE.sub("", markdown))


def _shorten(text: str, most: int) -> tuple[str, str]:
    text = text.strip("\n")
    return (text, "") if len(text) <= most else (text[:most], f"\n… {len(text) - most} more characters")
