"""Reports become OUT/results.jsonl and OUT/grades.csv, the same bytes whatever order they came in."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from autograder.as_json import to_json
from autograder.errors import UsageError
from autograder.grade.report import Report, ResultRow


def rows(reports: Sequence[Report]) -> Iterator[ResultRow]:
    """One row a student, problem and part."""
    return (row for report in reports for row in report.rows())


def results_text(reports: Sequence[Report]) -> str:
    return "".join(json.dumps(to_json(row), ensure_ascii=False) + "\n" for row in rows(reports))


def grades_text(reports: Sequence[Report]) -> str:
    """Students by problems: an empty field where nothing was handed in."""
    problems = list(dict.fromkeys(report.column for report in reports))
    marks: dict[str, dict[str, float]] = {}
    for report in reports:
        marks.setdefault(report.student, {})[report.column] = report.score
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["student", *problems, "total"])
    for student, scores in sorted(marks.items()):
        fields = [f"{scores[name]:g}" if name in scores else "" for name in problems]
        table.writerow([student, *fields, f"{round(sum(scores.values()), 6):g}"])
    return text.getvalue()


def write_whole(path: Path, content: str | bytes, *, durable: bool = True) -> None:
    """Replace a file in one step: a reader sees the old or the new, never half of one.

    What is not `durable` outlives the process, but perhaps not the machine: it can be made again.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def cannot_write(path: Path, error: OSError) -> UsageError:
    """What is said when the disk is full, or the folder is not ours."""
    return UsageError(
        f"cannot write {path}: {error.strerror}; what was graded before is kept: "
        "make room or name another folder, and run the same command again"
    )
