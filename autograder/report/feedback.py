"""A report and the notebook it is about become the page that a student reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from autograder import pictures
from autograder.mathml import to_mathml
from autograder.model import Problem, Prose
from autograder.notebook.submitted import Submission, read_submission
from autograder.report.cells import lay_out
from autograder.report.curves import draw_cost
from autograder.report.page import marks, render
from autograder.verdict import Status

LABELS = {
    Status.MANUAL: "to be read",
    Status.MISSING: "missing",
    Status.UNCHANGED: "not answered",
    Status.CRASHED: "crashed",
    Status.TIMED_OUT: "out of time",
    Status.KILLED: "stopped",
    Status.UNREADABLE: "unreadable",
}
MARKS = {"right": "✓", "part": "◐", "wrong": "✗", "wait": "…", "open": "○"}
MOST_CHARACTERS = 4000  # of one sentence of a verdict, which may quote a student's error
Fields = Mapping[str, Any]


def render_feedback(problem: Problem, report: Fields, data: bytes, *, isolation: bool) -> str:
    """The feedback page of one notebook."""
    try:
        page = lay_out(read_submission(data), problem)
    except Exception:  # no text of a student's shall keep the others from their pages
        page = lay_out(Submission(()), problem)
    verdicts = {part["part"]: _verdict(part, problem) for part in report["parts"]}
    return render(
        "feedback.html",
        title=f"{problem.title}: feedback for {report['student']}",
        isolation=isolation,
        drawn=any(verdict["pictures"] for verdict in verdicts.values()),
        problem=problem,
        report=report,
        page=page,
        verdicts=verdicts,
        absent=[name for name in page.absent if name in verdicts],
        score=sum(part["score"] for part in report["parts"]),
        max_score=sum(part["max_score"] for part in report["parts"]),
        waiting=sum(part["max_score"] for part in report["parts"] if part["status"] == Status.MANUAL),
    )


def _verdict(fields: Fields, problem: Problem) -> dict[str, Any]:
    label, colour = badge(fields)
    said = list(_sentences(fields))
    return {
        "part": fields["part"],
        "score": fields["score"],
        "max_score": fields["max_score"],
        "label": label,
        "colour": colour,
        "mark": MARKS[colour],
        "says": said,
        "read_as": "" if isinstance(problem.part(fields["part"]), Prose) else read_as(fields),
        "visible": [case for case in fields["cases"] if not case["hidden"]],
        "hidden": [case for case in fields["cases"] if case["hidden"]],
        "costs": [draw_cost(curve) for curve in fields.get("costs", ())],
        "pictures": [drawn for case in fields["cases"] if (drawn := _draw(case))],
        "summary": f"{fields['part']}: {label}, {marks(fields['score'])} of {marks(fields['max_score'])}",
    }


def badge(fields: Fields) -> tuple[str, str]:
    """The word and the colour that sum a part up."""
    if fields["status"] != Status.GRADED:
        status = Status(fields["status"])
        colour = {Status.MANUAL: "wait", Status.UNCHANGED: "open", Status.MISSING: "open"}
        return LABELS[status], colour.get(status, "wrong")
    if fields["score"] >= fields["max_score"]:
        return "right", "right"
    return ("partly right", "part") if fields["score"] > 0 else ("wrong", "wrong")


def _sentences(fields: Fields) -> Iterator[str]:
    """The lines of the feedback that the list of cases does not repeat."""
    text = fields["feedback"]
    if text in ("right", f"all {len(fields['cases'])} cases pass"):
        return
    told = [f"{case['name']}: {case['message']}" for case in fields["cases"] if not case["passed"]]
    for each in sorted(told, key=len, reverse=True):
        # Not in the middle of a sentence, which would break off there.
        text = re.sub(rf"(?<!\w ){re.escape(each)}", "", text)
    yield from (line[:MOST_CHARACTERS] for line in text.split("\n") if line.strip())


def read_as(fields: Fields) -> Markup:
    """A text answer as it was read: typeset, one equation a line, with the plain text as its label."""
    plain, latex = fields["read_as"], fields["latex"]
    lines = [to_mathml(_flat(line)) for line in latex.split(r" \\ ")] if latex else []
    if lines and all(lines):
        typeset = Markup("").join(Markup("<span>{}</span>").format(Markup(line)) for line in lines)
        kind = "math lines" if len(lines) > 1 else "math"
        return Markup('<span class="{}" role="math" aria-label="{}">{}</span>').format(kind, plain, typeset)
    return Markup("<code>{}</code>").format(plain[:MOST_CHARACTERS]) if plain else Markup("")


def _flat(latex: str) -> str:
    """Brackets that grow are set too tall by browsers where nothing in them is."""
    if any(tall in latex for tall in (r"\frac", r"\sqrt", r"\sum", r"\begin", r"\under", r"\prod")):
        return latex
    return latex.replace(r"\left", "").replace(r"\right", "")


def _draw(case: Fields) -> dict[str, Any] | None:
    """Expected, got and difference of a visible case that fails."""
    shown = case.get("shown")
    if shown is None or case["hidden"]:
        return None
    want, got = (_numbers(shown[name]) for name in ("want", "got"))
    name = f"{shown['name']} " if shown["name"] else ""
    place = f" at [{', '.join(map(str, shown['where']))}, …]" if shown["where"] else ""
    maps = [pictures.HeatMap(f"{name}expected{place}", want), pictures.HeatMap("got", got)]
    if shown["wrong"]:
        difference = [
            [mine - right for mine, right in zip(a, b, strict=True)] for a, b in zip(got, want, strict=True)
        ]
        wrong = {(y, x) for y, row in enumerate(shown["wrong"]) for x, each in enumerate(row) if each == "1"}
        maps.append(pictures.HeatMap("got − expected", difference, wrong))
    words = ", ".join(each.title for each in maps)
    return {
        "case": case["name"],
        "cut": shown["cut"],
        "html": Markup(pictures.heat_maps(maps, f"heat maps of {words}: {case['message']}")),
    }


def _numbers(rows: Sequence[str]) -> list[list[float]]:
    return [[float(value) for value in row.split()] for row in rows]
