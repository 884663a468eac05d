"""A sheet becomes the files of draft problems, and a report of what was read and what is left to fill in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.course.load import INDEX, make_secret
from autograder.course.new_problem import list_problem, new_index
from autograder.draft.answers_without_question import draft_results
from autograder.draft.declare_equation import under_axes
from autograder.draft.drafted_part import Around, Drafted
from autograder.draft.notes import read_notes
from autograder.draft.question_to_part import draft_part
from autograder.draft.sheet import SheetProblem, SheetQuestion, read_sheet
from autograder.draft.sheet_formulas import blocks, rows
from autograder.draft.sheet_slips import slips_in
from autograder.errors import UsageError


@dataclass(frozen=True)
class DraftedProblem:
    """A problem of the sheet with its drafted parts."""

    name: str
    title: str
    parts: tuple[Drafted, ...]
    notes: tuple[str, ...]  # on what the problem says itself
    problem: str
    solution: str


def draft_sheet(
    text: str, source: str, prefix: str, tell: Callable[[str], None] = lambda note: None
) -> tuple[DraftedProblem, ...]:
    """Every problem of a sheet; UsageError where it has none that can be told apart. `tell` hears of each."""
    problems = problems_in(text)
    if not problems:
        raise UsageError(
            f"{source} has neither a problem nor a formula that says something: head problems with "
            "**Problem 1.** and **Solution:**, or use LaTeX's problem and solution environments"
        )
    # What was said so far: a problem may speak of an earlier one's sizes; notes of anything in them.
    said = "" if read_sheet(text) else text
    drafted = []
    for at, problem in enumerate(problems, start=1):
        own = "\n".join((problem.statement, *(question.ask for question in problem.questions)))
        said += own
        around = Around(said, own, _equations_of(problem))
        drafted.append(_drafted(problem, f"{prefix}_{at}", source, around))
        tell(drafted[-1].name)
    return tuple(drafted)


def problems_in(text: str) -> tuple[SheetProblem, ...]:
    """The problems of a sheet; of notes without any, what their formulas could ask."""
    return read_sheet(text) or read_notes(text)


def _equations_of(problem: SheetProblem) -> tuple[str, ...]:
    """The rows that a bound of this problem is about: those of its last solution with any, or of its text."""
    said = "\n".join((problem.statement, *(each.ask for each in problem.questions)))
    solved = [found for each in problem.questions if (found := _index_rows(each.solution, said))]
    return solved[-1] if solved else _index_rows(problem.statement, said)


def _index_rows(text: str, said: str) -> tuple[str, ...]:
    found = [row for block in blocks(text) for row in rows(block) if "=" in row and "[" in row]
    return tuple(under_axes(found, said))


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
    parts = tuple(part for question in _unlike(problem.questions) for part in _parts(question, around))
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
    said = "\n\n".join((problem.statement, *(f"{each.ask}\n\n{each.solution}" for each in problem.questions)))
    notes = tuple(slips_in(said))
    return DraftedProblem(
        name, title, parts, notes, text, f'"""The answers to {head}."""\n\n{uses_key}{keys}'
    )


def _unlike(questions: Sequence[SheetQuestion]) -> list[SheetQuestion]:
    """The questions, with a number to a label that stands there again: parts have names of their own."""
    found: list[SheetQuestion] = []
    for question in questions:
        again = sum(each.label.partition("_")[0] == question.label for each in found)
        found.append(replace(question, label=f"{question.label}_{again + 1}") if again else question)
    return found


def _parts(question: SheetQuestion, around: Around) -> list[Drafted]:
    """A question's part; of an answer without its question also what it works out."""
    name = f"part_{question.label}" if question.label else "answer"
    results = [] if question.ask else draft_results(name, question.solution)
    return [draft_part(name, question, around), *results]


def report(drafted: tuple[DraftedProblem, ...]) -> list[str]:
    """What was read, what is left to fill in, and what the sheet seems to have wrong, a line each."""
    lines = []
    for problem in drafted:
        lines.append(f"{problem.name}: {problem.title}")
        lines += [f"  {note}" for note in problem.notes]
        for part in problem.parts:
            lines.append(f"  {part.name}: {part.kind if part.is_read else 'FILL IN'}")
            lines += [f"    {note}" for note in part.notes]
    read = sum(part.is_read for problem in drafted for part in problem.parts)
    everything = sum(len(problem.parts) for problem in drafted)
    lines.append(f"{read} of {everything} parts read; {everything - read} left to fill in")
    return lines
