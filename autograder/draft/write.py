"""A sheet becomes the files of draft problems, and a report of what was read and what is left to fill in."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.course.load import INDEX, make_secret
from autograder.course.new_problem import list_problem, new_index
from autograder.draft.drafted import Around, Drafted
from autograder.draft.formulas import blocks, rows
from autograder.draft.parts import draft_part
from autograder.draft.sheet import SheetProblem, read_sheet
from autograder.errors import UsageError


@dataclass(frozen=True)
class DraftedProblem:
    """A problem of the sheet with its drafted parts."""

    name: str
    title: str
    parts: tuple[Drafted, ...]
    problem: str
    solution: str


def draft_sheet(
    text: str, source: str, prefix: str, tell: Callable[[str], None] = lambda note: None
) -> tuple[DraftedProblem, ...]:
    """Every problem of a sheet; UsageError where it has none that can be told apart. `tell` hears of each."""
    problems = read_sheet(text)
    if not problems:
        raise UsageError(
            f"{source} has no problem with a solution: head each with **Problem 1.** and **Solution:**, "
            "or use LaTeX's problem and solution environments"
        )
    said = ""  # what the sheet has said so far: a problem may speak of an earlier one's sizes
    drafted = []
    for at, problem in enumerate(problems, start=1):
        own = "\n".join((problem.statement, *(question.ask for question in problem.questions)))
        said += own
        around = Around(said, own, _equations_of(problem))
        drafted.append(_drafted(problem, f"{prefix}_{at}", source, around))
        tell(drafted[-1].name)
    return tuple(drafted)


def _equations_of(problem: SheetProblem) -> tuple[str, ...]:
    """The rows that a bound of this problem is about: those of its last solution with any, or of its text."""
    solved = [question_rows for each in problem.questions if (question_rows := _index_rows(each.solution))]
    return solved[-1] if solved else _index_rows(problem.statement)


def _index_rows(text: str) -> tuple[str, ...]:
    return tuple(row for block in blocks(text) for row in rows(block) if "=" in row and "[" in row)


def write_draft(root: Path, drafted: tuple[DraftedProblem, ...], set_id: str) -> list[str]:
    """Write the files below a course, which begins here where there is none; returns what was written."""
    files: dict[Path, str] = {}
    index = root / INDEX
    text = index.read_text(encoding="utf-8") if index.is_file() else None
    for problem in drafted:
        files[Path("problems") / f"{problem.name}.py"] = problem.problem
        files[Path("solutions") / f"{problem.name}.py"] = problem.solution
        text = (
            new_index(root, problem.name, set_id)
            if text is None
            else list_problem(text, problem.name, set_id)
        )
    for path in files:
        if (root / path).exists():
            raise UsageError(f"{path} is there already: name another set, or move it away")
    files[INDEX] = text or ""  # last: until then the course does not know the problems
    for path, content in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(content, encoding="utf-8")
    make_secret(root)
    return [path.as_posix() for path in files]


def _drafted(problem: SheetProblem, name: str, source: str, around: Around) -> DraftedProblem:
    parts = tuple(
        draft_part(f"part_{question.label}" if question.label else "answer", question, around)
        for question in problem.questions
    )
    title = problem.title or f"FILL IN: a title for {name}"
    statement = problem.statement or "FILL IN: what the question is about."
    imports = ", ".join(sorted({"Problem", *(each for part in parts for each in part.imports)}))
    body = "".join(part.problem for part in parts)
    plain = '"""' not in statement and not statement.endswith("\\")
    quoted = f'r"""\n{statement}\n"""' if plain else repr(statement)
    head = re.sub(r'["\\]', "'", title)
    text = (
        f'"""{head}, drafted from {source}: every FILL IN is left to you."""\n\n'
        f"from autograder import {imports}\n\n"
        f"problem = Problem(\n    title={title!r},\n    source={source!r},\n    statement={quoted},\n"
        f"    parts=[\n{body}    ],\n)\n"
    )
    keys = "".join(part.solution for part in parts)
    uses_key = "from autograder import key\n\n" if "key(" in keys else ""
    return DraftedProblem(name, title, parts, text, f'"""The answers to {head}."""\n\n{uses_key}{keys}')


def report(drafted: tuple[DraftedProblem, ...]) -> list[str]:
    """What was read, what is left to fill in, and what the sheet seems to have wrong, a line each."""
    lines = []
    for problem in drafted:
        lines.append(f"{problem.name}: {problem.title}")
        for part in problem.parts:
            lines.append(f"  {part.name}: {part.kind if part.is_read else 'FILL IN'}")
            lines += [f"    {note}" for note in part.notes]
    read = sum(part.is_read for problem in drafted for part in problem.parts)
    everything = sum(len(problem.parts) for problem in drafted)
    lines.append(f"{read} of {everything} parts read; {everything - read} left to fill in")
    return lines
