"""A report and the notebook it is about become the page that a student reads."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from autograder.course.model import Problem, Prose
from autograder.drawing import heatmaps
from autograder.drawing.mathml import to_mathml
from autograder.grade.report import Status
from autograder.gradebook.said import Said
from autograder.notebook.submitted import Submission, read_submission
from autograder.pages.cells import Pointer, lay_out
from autograder.pages.curves import draw_cost
from autograder.pages.page import marks, render
from autograder.pages.told import told

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
QUESTION = re.compile(r"\{(student|set|problem|part)\}")
Fields = Mapping[str, Any]


def render_feedback(
    problem: Problem,
    report: Fields,
    data: bytes,
    *,
    isolation: bool,
    said: Mapping[str, Said] | None = None,
    questions: str = "",
) -> str:
    """The feedback page of one notebook; `said` is what a person said of its parts.

    `questions` is the address for a question on a mark, with {student}, {set}, {problem} and {part} in it.
    """
    said = said or {}
    try:
        page = lay_out(read_submission(data), problem, _marked(report["parts"]))
    except Exception:  # no text of a student's shall keep the others from their pages
        page = lay_out(Submission(()), problem)
    verdicts = {
        part["part"]: {
            **_verdict(part, problem, said.get(part["part"], Said())),
            "question": question_address(questions, report, part["part"]),
        }
        for part in report["parts"]
    }
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
        score=sum(each["score"] for each in verdicts.values()),
        max_score=sum(part["max_score"] for part in report["parts"]),
        waiting=sum(each["max_score"] for each in verdicts.values() if each["waits"]),
        said=said_print(said),
    )


def said_print(said: Mapping[str, Said]) -> str:
    """A short text that a page carries: the same for the same words and marks of a person, on this page."""
    told = [[part, *astuple(each)] for part, each in sorted(said.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16] if told else "nothing"


def question_address(template: str, report: Fields, part: str) -> str:
    """Where a student asks about a mark; empty where the course names no address."""
    values = {**{name: report.get(name, "") for name in ("student", "set", "problem")}, "part": part}
    return QUESTION.sub(lambda found: quote(str(values[found[1]]), safe=""), template)


def _marked(parts: Sequence[Fields]) -> dict[str, Pointer]:
    """The line of each answer at which it departs from a right one, or stops."""
    return {
        part["part"]: Pointer(
            int(marked["line"]), "it stops here" if marked.get("stops") else "it departs here"
        )
        for part in parts
        if (marked := part.get("departs"))
    }


def _verdict(fields: Fields, problem: Problem, by_hand: Said) -> dict[str, Any]:
    label, colour = badge(fields)
    said = told(_beyond_cases(fields))
    waits = fields["status"] == Status.MANUAL
    score = fields["score"]
    if by_hand.score is not None:
        label, colour, waits, score = *_by_hand(by_hand.score, fields["max_score"]), False, by_hand.score
        said = [] if fields["status"] == Status.MANUAL else said
    earned = "–" if waits else marks(score)
    return {
        "part": fields["part"],
        "earned": earned,
        "score": score,
        "waits": waits,
        "comment": [line for line in by_hand.comment.split("\n") if line.strip()],
        "appeals": by_hand.appeals,
        "max_score": fields["max_score"],
        "label": label,
        "colour": colour,
        "mark": MARKS[colour],
        "says": said,
        "read_as": "" if isinstance(problem.part(fields["part"]), Prose) else read_as(fields),
        "visible": [_case(case) for case in fields["cases"] if not case["hidden"]],
        "hidden": [_case(case) for case in fields["cases"] if case["hidden"]],
        "costs": [draw_cost(curve) for curve in fields.get("costs", ())],
        "smallest": fields.get("smallest"),
        "pictures": [*_departing(fields), *(drawn for case in fields["cases"] if (drawn := _draw(case)))],
        "summary": f"{fields['part']}: {label}, {earned} of {marks(fields['max_score'])}",
    }


def _by_hand(score: float, most: float) -> tuple[str, str]:
    if score >= most:
        return "right", "right"
    return ("partly right", "part") if score > 0 else ("no marks", "wrong")


def _case(case: Fields) -> dict[str, Any]:
    return {"name": case["name"], "passed": case["passed"], "why": told(case["message"][:MOST_CHARACTERS])}


def badge(fields: Fields) -> tuple[str, str]:
    """The word and the colour that sum a part up."""
    if fields["status"] != Status.GRADED:
        status = Status(fields["status"])
        colour = {Status.MANUAL: "wait", Status.UNCHANGED: "open", Status.MISSING: "open"}
        return LABELS[status], colour.get(status, "wrong")
    if fields["score"] >= fields["max_score"]:
        return "right", "right"
    if fields["verdict"] == "unparseable":
        return "cannot be read", "wrong"
    return ("partly right", "part") if fields["score"] > 0 else ("wrong", "wrong")


def _beyond_cases(fields: Fields) -> str:
    """The lines of the feedback that the list of cases does not repeat."""
    text = str(fields["feedback"])
    if text in ("right", f"all {len(fields['cases'])} cases pass"):
        return ""
    repeated = [f"{case['name']}: {case['message']}" for case in fields["cases"] if not case["passed"]]
    if fields.get("smallest"):
        repeated.append(text.rpartition("\n")[2])  # drawn beside the code
    for each in sorted(repeated, key=len, reverse=True):
        # Not in the middle of a sentence, which would break off there.
        text = re.sub(rf"(?<!\w ){re.escape(each)}", "", text)
    return "\n".join(line[:MOST_CHARACTERS] for line in text.split("\n"))


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


def _departing(fields: Fields) -> list[dict[str, Any]]:
    """The tensor of the line that departs, beside a right solution's."""
    marked = fields.get("departs") or {}
    shown = marked.get("shown")
    drawn_already = [case["shown"] for case in fields["cases"] if case.get("shown")]
    if not shown or any(each["got"] == shown["got"] for each in drawn_already):
        return []
    axes = f", {marked['axes']}" if marked["axes"] else ""
    drawn = _heat_maps(shown, "a right solution's", "yours", f"the tensors of line {marked['line']}")
    return [{"case": f"what line {marked['line']} gives{axes}, in the case: {marked['case']}", **drawn}]


def _draw(case: Fields) -> dict[str, Any] | None:
    """Expected, got and difference of a visible case that fails."""
    shown = case.get("shown")
    if shown is None or case["hidden"]:
        return None
    return {"case": case["name"], **_heat_maps(shown, "expected", "got", case["message"])}


def _heat_maps(shown: Fields, right: str, mine: str, message: str) -> dict[str, Any]:
    """What should be, what is, and where they differ."""
    want, got = (_numbers(shown[name]) for name in ("want", "got"))
    name = f"{shown['name']} " if shown["name"] else ""
    place = f" at [{', '.join(map(str, shown['where']))}, …]" if shown["where"] else ""
    maps = [heatmaps.HeatMap(f"{name}{right}{place}", want), heatmaps.HeatMap(mine, got)]
    if shown["wrong"]:
        difference = [
            [mine - right for mine, right in zip(a, b, strict=True)] for a, b in zip(got, want, strict=True)
        ]
        wrong = {(y, x) for y, row in enumerate(shown["wrong"]) for x, each in enumerate(row) if each == "1"}
        maps.append(heatmaps.HeatMap(f"{mine} − {right}", difference, wrong))
    words = ", ".join(each.title for each in maps)
    return {
        "cut": shown["cut"],
        "html": Markup(heatmaps.heat_maps(maps, f"heat maps of {words}: {message}")),
    }


def _numbers(rows: Sequence[str]) -> list[list[float]]:
    return [[float(value) for value in row.split()] for row in rows]
