"""Which cells may hold an answer that no name marks: prose, and text that stands where an answer should.

Students add cells below the stub, split it, turn it into another kind, or hand in a copy without metadata.
So a notebook is read by its sections: each begins with a question, and ends where the next one begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.course.model import Problem, Prose
from autograder.notebook import stub_cells as stubs
from autograder.notebook.submitted import Submission, SubmittedCell

_ASK = re.compile(r"#+ *\d+\. *`(\w+)` *\(")
_CHECK = re.compile(r"""check\(\s*["']\w+["']\s*(?:,\s*["'](\w+)["']\s*)?\)""")
_LETTER = re.compile(r"\w")


@dataclass(frozen=True)
class Sections:
    """The cells of a notebook beside the parts that were asked; `prose` names those that a person reads.

    `asks` has the questions as they are handed out, where they are known: what a student writes into one
    of them is found too.
    """

    cells: Sequence[SubmittedCell]
    parts: Sequence[str]
    prose: frozenset[str]
    asks: Mapping[str, str]

    def answer(self, part: str) -> str:
        """The text of a prose answer, or nothing: its cells, else any text that belongs to no other part."""
        own = [cell.source for cell in self.cells if cell.grade_id == part]
        written = _unique((*own, *self._loose(part), self._in_question(part)))
        return written or _unique(
            cell.source
            for cell, section in zip(self.cells, self._section, strict=True)
            if section is not None and section not in self.prose and self._is_loose_text(cell)
        )

    def beside(self, part: str) -> str:
        """Text around the cell of a part that may be meant as its answer."""
        return _unique((*self._loose(part), self._in_question(part)))

    def instead(self, part: str, stub: str) -> str:
        """What stands where a part's answer should, in a notebook that does not give it."""
        own = [cell.source for cell in self.cells if cell.grade_id == part or part in cell.names]
        return _unique((*(text for text in own if text.strip() != stub.strip()), self.beside(part)))

    def has_cell(self, part: str) -> bool:
        """Whether the cell that was handed out for a prose part is there, known by its name or its place."""
        return any(
            cell.grade_id == part or (section == part and cell.source.strip() == stubs.PROSE_STUB)
            for cell, section in zip(self.cells, self._section, strict=True)
        )

    def _loose(self, part: str) -> list[str]:
        anything = part in self.prose  # an answer in words may stand in a code cell, as a comment say
        return [
            cell.source
            for cell, section in zip(self.cells, self._section, strict=True)
            if section == part and (self._is_loose(cell) if anything else self._is_loose_text(cell))
        ]

    def _in_question(self, part: str) -> str:
        """Lines that were added to the question itself."""
        asked = self.asks.get(part, "").splitlines()
        if not asked:
            return ""
        known = {line.strip() for line in asked}
        changed = (cell.source for cell in self.cells if cell.grade_id == f"{part}{stubs.ASK_SUFFIX}")
        return "\n".join(line for text in changed for line in text.splitlines() if line.strip() not in known)

    def _is_loose_text(self, cell: SubmittedCell) -> bool:
        return cell.kind != "code" and self._is_loose(cell)

    def _is_loose(self, cell: SubmittedCell) -> bool:
        return (
            cell.grade_id not in stubs.OTHER_IDS
            and self._anchor(cell) is None
            and bool(_LETTER.search(cell.source))
        )

    @cached_property
    def _section(self) -> list[str | None]:
        """The part in whose section each cell stands: None before the first question, "" after the last."""
        found: list[str | None] = []
        here: str | None = None
        for cell in self.cells:
            anchor = self._anchor(cell)
            here = here if anchor is None else anchor
            found.append(here)
        return found if here is not None else [""] * len(found)

    def _anchor(self, cell: SubmittedCell) -> str | None:
        """The part to which a cell surely belongs, "" for the summary, None where it does not say."""
        name = cell.grade_id.removesuffix(stubs.ASK_SUFFIX).removesuffix(stubs.CHECK_SUFFIX)
        if name in self.parts:
            return name
        if cell.grade_id == stubs.SUMMARY_ID:
            return ""
        text = cell.source.strip()
        heading = _ASK.match(text)
        if heading and heading[1] in self.parts:
            return heading[1]
        check = _CHECK.fullmatch(text) if len(text) < 200 else None
        if check:
            return check[1] if check[1] in self.parts else ""
        return next((part for part in self.parts if part in cell.names), None)


def sections_of(submission: Submission, problem: Problem) -> Sections:
    return Sections(
        submission.cells,
        [part.name for part in problem.parts],
        frozenset(part.name for part in problem.parts if isinstance(part, Prose)),
        {part.name: stubs.ask(part, number, problem) for number, part in enumerate(problem.parts, start=1)},
    )


def _unique(texts: Iterable[str]) -> str:
    """The texts that say something, each once, in order; stubs say nothing."""
    stripped = (text.strip() for text in texts)
    return "\n\n".join(dict.fromkeys(t for t in stripped if _LETTER.search(t) and t != stubs.PROSE_STUB))
