"""The cells of a stub: what stands in each before a student touches it, and nbgrader's metadata for it."""

from __future__ import annotations

import hashlib
from typing import Any

from autograder.model import Choice, Code, Equation, Formula, Growth, Part, Problem, Prose

CHECK_SUFFIX = "-check"
ASK_SUFFIX = "-ask"
SETUP = "import torch\n\nfrom autograder import check"
SETUP_ID, SUMMARY_ID, STATEMENT_ID = "setup", "summary", "statement"
PROSE_STUB = "*Write your answer here.*"


def stub(part: Part) -> str:
    """The text of a part's answer cell as it is handed out."""
    match part:
        case Code():
            return part.stub
        case Growth():
            return f'# a growth rate as text, such as "O(n log n)"\n{part.name} = ""'
        case Formula():
            return f'# an exact expression as text, such as "2*n + 1"\n{part.name} = ""'
        case Equation():
            return f'# one equation a line, such as  y[i] = sum_j A[i,j] x[j]\n{part.name} = r"""\n\n"""'
        case Choice():
            labels = ", ".join(f'"{label}"' for label in part.options)
            return f'# one of {labels}\n{part.name} = ""'
        case Prose():
            return PROSE_STUB


def check_call(problem: Problem, part: Part) -> str:
    return f'check("{problem.id}", "{part.name}")'


def ask(part: Part, number: int, problem: Problem) -> str:
    """The question above an answer cell, with its points."""
    points = f"{part.points:g} point{'' if part.points == 1 else 's'}"
    lines = [f"### {number}. `{part.name}` ({points})"]
    if part.ask.strip():
        lines += ["", part.ask.strip()]
    if isinstance(part, Code) and (part.work or part.memory):
        lines += ["", cost_note(part, problem)]
    if isinstance(part, Choice):
        lines += ["", *(f"- **{label}**: {text}" for label, text in part.options.items())]
    return "\n".join(lines)


def cost_note(part: Code, problem: Problem) -> str:
    """That the cost is counted and what it is worth; the bound too, unless that answers another question."""
    bounds = {name: bound for name, bound in (("work", part.work), ("memory", part.memory)) if bound}
    asked = any(isinstance(other, Growth) and other.measures == part.name for other in problem.parts)
    limits = ", ".join(f"{name} no faster than `{bound}`" for name, bound in bounds.items())
    are, grow = ("are", "they grow") if len(bounds) > 1 else ("is", "it grows")
    return (
        f"*The {' and '.join(bounds)} of your function {are} counted while it runs, at several sizes: "
        f"{part.points * part.cost_share:g} of the {part.points:g} points are for how {grow}"
        f"{'' if asked else f' ({limits})'}. The feedback draws the curve.*"
    )


def metadata(
    grade_id: str, source: str, kind: str, *, grade: bool, solution: bool, points: float = 0.0
) -> dict[str, Any]:
    """nbgrader's schema-3 metadata of one cell, checksum included."""
    fields: dict[str, Any] = {
        "cell_type": kind,
        "checksum": checksum(source, kind, grade, solution, grade_id, points),
        "grade": grade,
        "grade_id": grade_id,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    if grade:
        fields["points"] = points
    return fields


def checksum(source: str, kind: str, grade: bool, solution: bool, grade_id: str, points: float) -> str:
    """The md5 that nbgrader computes for a cell; every cell of ours that is no solution is locked."""
    digest = hashlib.md5(usedforsecurity=False)
    digest.update(source.encode())
    for field in (kind, grade, solution, not solution, grade_id):
        digest.update(str(field).encode())
    if grade:
        digest.update(str(float(points)).encode())
    return digest.hexdigest()
