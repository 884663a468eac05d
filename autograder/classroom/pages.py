"""A graded notebook's feedback page, written where its student's pages are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.classroom.find import Handin
from autograder.classroom.tables import write_whole
from autograder.model import Problem
from autograder.report.feedback import render_feedback


def page_path(out: Path, handin: Handin) -> Path:
    return out / "feedback" / handin.student / handin.set / f"{handin.problem}.html"


def write_page(
    path: Path, problem: Problem, report: Mapping[str, Any], data: bytes, *, isolation: bool
) -> None:
    """Not durable: a page can be made again from the journal."""
    write_whole(path, render_feedback(problem, report, data, isolation=isolation), durable=False)
