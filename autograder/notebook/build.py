"""Problems become notebooks/<set>/<problem>.ipynb, byte for byte the same on every run."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.course import Course
from autograder.errors import CourseError
from autograder.model import Part, Problem, Prose
from autograder.notebook import cells

FOLDER = "notebooks"
_FIGURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(figures/(?P<name>[\w.-]+)\)")
_MIME = {".png": "image/png", ".svg": "image/svg+xml"}


def build_all(course: Course) -> dict[str, str]:
    """The text of every notebook of a course, by its path below the course."""
    return {
        f"{FOLDER}/{group.id}/{problem.id}.ipynb": build_notebook(problem, group.id, course.root)
        for group, problem in course.assignments
    }


def write_all(course: Course) -> list[str]:
    """Write the notebooks that changed, remove those no longer asked for; returns what was done."""
    done = []
    wanted = build_all(course)
    for path, text in wanted.items():
        target = course.root / path
        if _read(target) != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            done.append(f"wrote {path}")
    for path in _stray(course.root, wanted):
        if path.endswith(".ipynb"):
            (course.root / path).unlink()
            done.append(f"removed {path}, which no set lists")
    return done


def stale(course: Course) -> list[str]:
    """Every notebook that is missing or out of date, and every stray file beside them."""
    wanted = build_all(course)
    faults = []
    for path, text in wanted.items():
        found = _read(course.root / path)
        if found is None:
            faults.append(f"{path} is missing; run autograder build")
        elif found != text:
            faults.append(f"{path} is out of date; run autograder build")
    faults += [f"{path} belongs to no problem; delete it" for path in _stray(course.root, wanted)]
    return faults


def build_notebook(problem: Problem, set_id: str, root: Path) -> str:
    """One notebook as JSON text."""
    notebook = {
        "cells": list(_cells(problem, root)),
        "metadata": {
            "autograder": {"problem": problem.id, "set": set_id},
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _cells(problem: Problem, root: Path) -> Iterator[dict[str, Any]]:
    head = f"# {problem.title}\n\n{problem.statement.strip()}\n\n*Source: {problem.source}*"
    yield _markdown(cells.STATEMENT_ID, head, root)
    yield _code(cells.SETUP_ID, cells.SETUP)
    for number, part in enumerate(problem.parts, start=1):
        yield _markdown(f"{part.name}{cells.ASK_SUFFIX}", cells.ask(part, number, problem), root)
        yield from _answer(problem, part)
    yield _code(cells.SUMMARY_ID, f'check("{problem.id}")')


def _answer(problem: Problem, part: Part) -> Iterator[dict[str, Any]]:
    source = cells.stub(part)
    if isinstance(part, Prose):
        fields = cells.metadata(part.name, source, "markdown", grade=True, solution=True, points=part.points)
        yield _cell("markdown", part.name, source, fields)
        return
    fields = cells.metadata(part.name, source, "code", grade=False, solution=True)
    yield _cell("code", part.name, source, fields)
    call, name = cells.check_call(problem, part), f"{part.name}{cells.CHECK_SUFFIX}"
    fields = cells.metadata(name, call, "code", grade=True, solution=False, points=part.points)
    yield _cell("code", name, call, fields)


def _code(grade_id: str, source: str) -> dict[str, Any]:
    fields = cells.metadata(grade_id, source, "code", grade=False, solution=False)
    return _cell("code", grade_id, source, fields)


def _markdown(grade_id: str, source: str, root: Path) -> dict[str, Any]:
    source = _embed_figures(source, root)
    fields = cells.metadata(grade_id, source, "markdown", grade=False, solution=False)
    return _cell("markdown", grade_id, source, fields)


def _cell(kind: str, grade_id: str, source: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": grade_id[:64],
        "metadata": {"nbgrader": dict(fields)},
        "source": source.splitlines(keepends=True),
    }
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    if not fields["solution"]:
        cell["metadata"] |= {"deletable": False, "editable": False}
    return cell


def _embed_figures(source: str, root: Path) -> str:
    """Figures travel inside the notebook, as data in their own links.

    Not as attachments: JupyterLab does not show SVG ones, and leaves the whole cell untypeset.
    """

    def embed(match: re.Match[str]) -> str:
        path = root / "problems" / "figures" / match["name"]
        if not path.is_file() or path.suffix not in _MIME:
            raise CourseError(f"problems/figures/{match['name']} is missing, or is neither .svg nor .png")
        data = base64.b64encode(path.read_bytes()).decode("ascii")
        return f"![{match['alt']}](data:{_MIME[path.suffix]};base64,{data})"

    return _FIGURE.sub(embed, source)


def _stray(root: Path, wanted: Mapping[str, str]) -> list[str]:
    folder = root / FOLDER
    if not folder.is_dir():
        return []
    found = (
        path.relative_to(root)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    )
    return [path.as_posix() for path in found if path.as_posix() not in wanted]


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
