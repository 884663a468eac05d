"""A submitted notebook's bytes become its cells, or one sentence on why they cannot."""

from __future__ import annotations

import ast
import re
import symtable
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from autograder.course.author_tests import Tests
from autograder.course.model import Part, Problem, Prose
from autograder.notebook import stub_cells as stubs
from autograder.notebook.file_bytes import RawCell, read_cells

MAX_PARSED = 2**18  # characters of a whole notebook; Python takes seconds for a megabyte
_DEFINITION = re.compile(r"^(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*=", re.M)
_MAGIC_LINE = re.compile(r"^\s*[%!?]|\?\s*$")
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*\n(.*?)^ {0,3}\1", re.M | re.S)
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»″", '"') | dict.fromkeys("‘’‚‛′", "'"))


@dataclass(frozen=True)
class SubmittedCell:
    """One cell as handed in; `grade_id` is what its metadata claims, possibly nothing."""

    kind: str
    source: str
    grade_id: str
    names: frozenset[str]  # the globals it defines, as far as its text tells
    attachments: object = None  # pictures pasted into it, as the file has them


@dataclass(frozen=True)
class Submission:
    """The cells of one student's notebook for one problem."""

    cells: tuple[SubmittedCell, ...]

    def code_to_run(self, problem: Problem) -> list[tuple[str, str]]:
        """(part, source) of each cell to run, in order; the part is empty where a cell answers none.

        Check and summary cells are left out: they are the student's own look at the answers. The set-up
        cell and the code that is given run first in any case, as they were handed out, and a stub that still
        lies beside an answer does not undo it.
        """
        parts = {part.name: part for part in problem.parts if not isinstance(part, Prose)}
        untouched = {stubs.stub(part): name for name, part in parts.items()}
        plan = [("", stubs.SETUP)]
        if problem.given_code:
            plan.append(("", stubs.given(problem)))
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
        stub = stubs.stub(part)
        if isinstance(part, Tests):  # its name is no name of Python's
            found = [cell for cell in self.cells if cell.kind == "code" and part.defined & cell.names]
            return bool(stub and found) and all(cell.source.strip() == stub.strip() for cell in found)
        return any(cell.source.strip() == stub.strip() for cell in self.cells) and not self._answered(
            part.name, {stub.strip(): part.name}
        )

    def mended(self, problem: Problem) -> Submission:
        """With answers as code cells that were turned into Markdown or raw text, or split in two.

        Only for parts that no code cell answers: an earlier try in a note is no answer.
        """
        parts = {part.name: stubs.stub(part).strip() for part in problem.parts if not isinstance(part, Prose)}
        for part in problem.parts:
            if isinstance(part, Tests):
                parts.pop(part.name)
        unanswered = {name for name, stub in parts.items() if not self._answered(name, {stub: name})}
        return Submission(_joined(_turned(self.cells, unanswered)))

    def code_of(self, part: Part) -> str:
        """The text of all code cells that define a part."""
        return "\n".join(
            cell.source for cell in self.cells if cell.kind == "code" and part.name in cell.names
        )

    def last_code_of(self, part: Part) -> str:
        """The text of the last code cell that defines a part: the one that counts."""
        return next((c.source for c in reversed(self.cells) if c.kind == "code" and part.name in c.names), "")

    def literal(self, name: str) -> str | None:
        """A text answer as it is written, for a cell that could not be run; a number stands for its text."""
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

    def _part_of(self, cell: SubmittedCell, parts: Mapping[str, Part]) -> str:
        names = [
            name
            for name, part in parts.items()
            if name in cell.names or (isinstance(part, Tests) and part.defined & cell.names)
        ]
        if names:
            return names[0]
        return cell.grade_id if cell.grade_id in parts else ""


@lru_cache(maxsize=1)  # who grades a notebook writes its page next
def read_submission(data: bytes) -> Submission:
    """Parse a notebook; AnswerError says what is wrong with the file."""
    cells, left = [], MAX_PARSED
    for raw in read_cells(data):
        cells.append(_read_cell(raw, left))
        left -= len(cells[-1].source)
    return Submission(tuple(cells))


def _read_cell(cell: RawCell, left: int) -> SubmittedCell:
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
        names = names_set(source) if len(source) <= left else _seem_defined(source)
    return SubmittedCell(
        kind, source, grade_id if isinstance(grade_id, str) else "", names, cell.get("attachments")
    )


# ---------------------------------------------------------------- what students do to cells


def _may_be_code(cell: SubmittedCell) -> bool:
    return (
        cell.kind != "code"
        and cell.grade_id != stubs.STATEMENT_ID
        and not cell.grade_id.endswith(stubs.ASK_SUFFIX)
    )


def _turned(cells: Sequence[SubmittedCell], wanted: Iterable[str]) -> list[SubmittedCell]:
    """Cells of text that are Python and define one of these names become code."""
    found, left = list(cells), MAX_PARSED
    for number, cell in enumerate(cells):
        if not _may_be_code(cell) or not any(name in cell.source for name in wanted):
            continue
        left -= len(cell.source)
        code = code_in_text(cell.source) if left >= 0 else ""
        if code and any(name in names_set(code) for name in wanted):
            found[number] = replace(cell, kind="code", source=code, names=names_set(code))
    return found


def code_in_text(text: str) -> str:
    """The Python in a cell of text: its fenced blocks, else all of it; nothing where it is no Python."""
    fenced = "\n".join(block for _, block in _FENCED.findall(text))
    code = textwrap.dedent(fenced or text).strip("\n")
    return code if _parse(code) is not None else ""


def _joined(cells: Sequence[SubmittedCell]) -> tuple[SubmittedCell, ...]:
    """A cell that is no Python by itself, but is with the next one, was split in the middle."""
    found: list[SubmittedCell] = []
    left = MAX_PARSED
    for cell in cells:
        last = found[-1] if found else None
        if last is None or {last.kind, cell.kind} != {"code"} or not last.grade_id:
            found.append(cell)
            continue
        if cell.grade_id not in ("", last.grade_id) or left < 0 or _is_python(last.source):
            found.append(cell)
            continue
        both = f"{last.source}\n{cell.source}"
        left -= len(both)
        if left >= 0 and _is_python(both):
            found[-1] = replace(last, source=both, names=names_set(both))
        else:
            found.append(cell)
    return tuple(found)


def _is_ours(cell: SubmittedCell, problem: Problem) -> bool:
    """Check, summary, set-up and given cells, by their name or by their text."""
    source = cell.source.strip()
    if problem.given_code and (cell.grade_id == stubs.GIVEN_ID or source == stubs.given(problem)):
        return True
    if cell.grade_id in (stubs.SETUP_ID, stubs.SUMMARY_ID) or cell.grade_id.endswith(stubs.CHECK_SUFFIX):
        return not cell.names & {part.name for part in problem.parts}
    return source.startswith(f'check("{problem.id}"') and "\n" not in source


def _readings(source: str) -> Iterator[str]:
    """The text, then without magics, which are no Python: the rest of the cell can still be read."""
    yield source
    yield "\n".join("pass" if _MAGIC_LINE.search(line) else line for line in source.split("\n"))


def _parse(source: str) -> ast.Module | None:
    for text in _readings(source):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def _seem_defined(source: str) -> frozenset[str]:
    plain = source.translate(dict.fromkeys(map(ord, "\ufeff\u200b\u2060")))  # pasted in, and not seen
    return frozenset(name for pair in _DEFINITION.findall(plain) for name in pair if name)


@lru_cache(maxsize=64)  # half the cells of a notebook are as they were handed out
def names_set(source: str) -> frozenset[str]:
    """The globals that a cell sets; by a rule of thumb where it is no Python."""
    for text in _readings(source):
        try:
            table = symtable.symtable(text, "<cell>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return frozenset(s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported())
    return _seem_defined(source)


def names_needed(source: str) -> frozenset[str]:
    """The globals that must be there when a cell is run: what its functions use is looked up later."""
    for text in _readings(source):
        try:
            table = symtable.symtable(text, "<cell>", "exec")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        found = (s for s in table.get_symbols() if s.is_referenced())
        return frozenset(s.get_name() for s in found if not (s.is_assigned() or s.is_imported()))
    return frozenset()


def modules_in(source: str) -> Iterator[str]:
    """The modules that a cell's own lines import, as far as it can be read."""
    tree = _parse(source)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@lru_cache(maxsize=64)
def _is_python(source: str) -> bool:
    return len(source) <= MAX_PARSED and _parse(source) is not None


def _literal(source: str, name: str) -> str | None:
    """The text that a cell gives a name, also in quotes that are none to Python."""
    if len(source) > MAX_PARSED:
        return None
    tree = _parse(source) or _parse(source.translate(_QUOTES))
    for node in reversed(tree.body if tree else []):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=target)], value=value)
                | ast.AnnAssign(target=ast.Name(id=target), value=value)
            ) if target == name:
                return _text_of(value)
    return None


def _text_of(value: ast.expr | None) -> str | None:
    match value:
        case ast.Constant(value=str() as text):
            return text
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return str(number)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return f"-{number}"
    return None
