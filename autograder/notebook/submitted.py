"""A submitted notebook's bytes become its cells, or one sentence on why they cannot."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograder.errors import AnswerError
from autograder.model import Part, Problem, Prose
from autograder.notebook import cells as stubs

MAX_BYTES = 64 * 2**20
MAX_CELLS = 2000
MAX_PARSED = 2**18  # characters of a whole notebook; Python takes seconds for a megabyte
_DEFINITION = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*=", re.M)
_MAGIC_LINE = re.compile(r"^\s*[%!?]|\?\s*$")


@dataclass(frozen=True)
class SubmittedCell:
    """One cell as handed in; `grade_id` is what its metadata claims, possibly nothing."""

    kind: str
    source: str
    grade_id: str
    names: frozenset[str]  # the globals it defines, as far as its text tells


@dataclass(frozen=True)
class Submission:
    """The cells of one student's notebook for one problem."""

    cells: tuple[SubmittedCell, ...]

    def code_to_run(self, problem: Problem) -> list[tuple[str, str]]:
        """(part, source) of each cell to run, in order; the part is empty where a cell answers none.

        Check and summary cells are left out: they are the student's own look at the answers. The set-up
        cell runs first in any case, and a stub that still lies beside an answer does not undo it.
        """
        parts = {part.name: part for part in problem.parts if not isinstance(part, Prose)}
        untouched = {stubs.stub(part): name for name, part in parts.items()}
        plan = [("", stubs.SETUP)]
        for cell in self.cells:
            if cell.kind != "code" or _is_ours(cell, problem):
                continue
            name = untouched.get(cell.source.strip())
            if name is not None and self._answered(name, untouched):
                continue
            plan.append((self._part_of(cell, parts), cell.source))
        return plan

    def is_untouched(self, part: Part) -> bool:
        """Whether the answer cell stands as it was handed out and no other cell answers it."""
        if isinstance(part, Prose):
            return self.prose(part) == stubs.stub(part)
        stub = stubs.stub(part)
        return any(cell.source.strip() == stub.strip() for cell in self.cells) and not self._answered(
            part.name, {stub.strip(): part.name}
        )

    def has_answer_cell(self, part: Part) -> bool:
        if isinstance(part, Prose):
            return self.prose(part) is not None
        return any(cell.grade_id == part.name or part.name in cell.names for cell in self.cells)

    def prose(self, part: Prose) -> str | None:
        """The text of a prose answer; the last one where several cells claim it."""
        texts = [cell.source.strip() for cell in self.cells if cell.grade_id == part.name]
        answered = [text for text in texts if text != stubs.stub(part)]
        return next(reversed(answered or texts), None)

    def code_of(self, part: Part) -> str:
        """The text of all code cells that define a part."""
        return "\n".join(
            cell.source for cell in self.cells if cell.kind == "code" and part.name in cell.names
        )

    def literal(self, name: str) -> str | None:
        """A text answer as it is written, for a notebook whose cells could not be run."""
        found = None
        for cell in self.cells:
            if cell.kind == "code" and (name in cell.names or cell.grade_id == name):
                found = _literal(cell.source, name) or found
        return found

    def _answered(self, name: str, untouched: Iterable[str]) -> bool:
        return any(
            name in cell.names and cell.source.strip() not in untouched
            for cell in self.cells
            if cell.kind == "code"
        )

    def _part_of(self, cell: SubmittedCell, parts: Iterable[str]) -> str:
        names = [name for name in parts if name in cell.names]
        if names:
            return names[0]
        return cell.grade_id if cell.grade_id in parts else ""


@lru_cache(maxsize=1)  # who grades a notebook writes its page next
def read_submission(data: bytes) -> Submission:
    """Parse a notebook; AnswerError says what is wrong with the file."""
    if len(data) > MAX_BYTES:
        raise AnswerError(
            f"the file is {len(data) / 2**20:.0f} MB; a notebook may have {MAX_BYTES // 2**20} MB"
        )
    if not data.strip():
        raise AnswerError("the file is empty")
    try:
        notebook = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise AnswerError(
            f"the file is not UTF-8 text (byte {error.start}): save it again as a notebook"
        ) from None
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"the file is not a notebook: {str(error)[:120]}") from None
    cells, left = [], MAX_PARSED
    for raw in _raw_cells(notebook):
        cells.append(_read_cell(raw, left))
        left -= len(cells[-1].source)
    return Submission(tuple(cells))


def _raw_cells(notebook: Any) -> list[dict[str, Any]]:
    if not isinstance(notebook, dict):
        raise AnswerError("the file is JSON, but not a notebook")
    version = notebook.get("nbformat")
    if version == 3:
        sheets = notebook.get("worksheets") or [{}]
        found = sheets[0].get("cells") if isinstance(sheets, list) and isinstance(sheets[0], dict) else None
    elif version == 4:
        found = notebook.get("cells")
    else:
        raise AnswerError(
            f"the notebook has format version {str(version)[:20]}; versions 3 and 4 can be read"
        )
    if not isinstance(found, list):
        raise AnswerError("the notebook has no cells")
    if len(found) > MAX_CELLS:
        raise AnswerError(f"the notebook has {len(found)} cells; {MAX_CELLS} can be read")
    return [cell for cell in found if isinstance(cell, dict)]


def _read_cell(cell: dict[str, Any], left: int) -> SubmittedCell:
    """One cell; its names are read by Python while there are characters `left`, else by a rule of thumb."""
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    source = source if isinstance(source, str) else ""
    # A lone surrogate can be written in JSON but not encoded again.
    source = source.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    fields = cell.get("metadata")
    fields = fields.get("nbgrader") if isinstance(fields, dict) else None
    grade_id = fields.get("grade_id") if isinstance(fields, dict) else None
    kind = cell.get("cell_type")
    kind = kind if isinstance(kind, str) else ""
    names: frozenset[str] = frozenset()
    if kind == "code":
        names = _defined(source) if len(source) <= left else _seem_defined(source)
    return SubmittedCell(kind, source, grade_id if isinstance(grade_id, str) else "", names)


def _is_ours(cell: SubmittedCell, problem: Problem) -> bool:
    """Check, summary and set-up cells, by their name or by their text."""
    if cell.grade_id in (stubs.SETUP_ID, stubs.SUMMARY_ID) or cell.grade_id.endswith(stubs.CHECK_SUFFIX):
        return not cell.names & {part.name for part in problem.parts}
    return cell.source.strip().startswith(f'check("{problem.id}"') and "\n" not in cell.source.strip()


def _parse(source: str) -> ast.Module | None:
    # Magics are no Python: they are blanked, so that the rest of the cell can still be read.
    lines = ["pass" if _MAGIC_LINE.search(line) else line for line in source.split("\n")]
    for text in (source, "\n".join(lines)):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _seem_defined(source: str) -> frozenset[str]:
    return frozenset(name for pair in _DEFINITION.findall(source) for name in pair if name)


@lru_cache(maxsize=64)  # half the cells of a notebook are as they were handed out
def _defined(source: str) -> frozenset[str]:
    tree = _parse(source)
    if tree is None:
        return _seem_defined(source)
    names: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {
                    leaf.id for target in targets for leaf in ast.walk(target) if isinstance(leaf, ast.Name)
                }
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {alias.asname or alias.name for alias in aliases}
    return frozenset(names)


def _literal(source: str, name: str) -> str | None:
    tree = _parse(source) if len(source) <= MAX_PARSED else None
    for node in reversed(tree.body if tree else []):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Constant(value=str() as text)) if (
                target == name
            ):
                return text
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.Constant(value=str() as text)) if (
                target == name
            ):
                return text
    return None
