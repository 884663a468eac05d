"""A report and the notebook it is about become the page that a student reads."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import lru_cache
from urllib.parse import quote

from markupsafe import Markup

from autograder.calls.requests_and_outcomes import ShownSlice, Smallest
from autograder.course.author_tests import Tests
from autograder.course.model import Problem, Prose
from autograder.drawing import heatmaps
from autograder.drawing.mathml import to_mathml
from autograder.grade.report import WAITS, CaseResult, PartReport, Report, Status
from autograder.gradebook.said_by_person import AnswerPlace, Said
from autograder.notebook.submitted import Submission, read_submission
from autograder.pages.cost_pictures import draw_cost
from autograder.pages.notebook_cells import Pointer, lay_out
from autograder.pages.page import marks, render
from autograder.pages.quoted_errors import told

LABELS = {
    Status.MANUAL: "to be read",
    Status.MISSING: "missing",
    Status.UNCHANGED: "not answered",
    Status.CRASHED: "crashed",
    Status.TIMED_OUT: "out of time",
    Status.KILLED: "stopped",
    Status.UNREADABLE: "cannot be read",
}
MARKS = {"right": "✓", "part": "◐", "wrong": "✗", "wait": "…", "open": "○"}
MOST_CHARACTERS = 4000  # of one sentence of a verdict, which may quote a student's error
QUESTION = re.compile(r"\{(student|set|problem|part)\}")


@dataclass(frozen=True)
class _CaseLine:
    """Cases of a part of which the same is to be said."""

    names: Sequence[str]
    passed: bool
    why: Sequence[Markup]


@dataclass(frozen=True)
class _Picture:
    """Tensors that are drawn below an answer, and what they are of."""

    case: str
    cut: bool
    html: Markup


@dataclass(frozen=True)
class _Verdict:
    """What a page says of one part."""

    part: str
    earned: str
    score: float
    waits: bool
    comment: tuple[str, ...]
    appeals: tuple[tuple[str, str], ...]
    max_score: float
    label: str
    colour: str
    mark: str
    says: Sequence[Markup]
    read_as: Markup | str
    visible: tuple[_CaseLine, ...]
    hidden: tuple[_CaseLine, ...]
    costs: tuple[Markup, ...]
    smallest: Smallest | None
    step: Sequence[Markup]  # of the small case, worked out
    pictures: tuple[_Picture, ...]
    summary: str
    question: str


def render_feedback(
    problem: Problem,
    report: Report,
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
        page = lay_out(read_submission(data), problem, _marked(report.parts))
    except Exception:  # no text of a student's shall keep the others from their pages
        page = lay_out(Submission(()), problem)
    verdicts = {
        part.part: _verdict(
            part,
            problem,
            said.get(part.part, Said()),
            question_address(questions, AnswerPlace(*report.identity, part.part)),
        )
        for part in report.parts
    }
    absent = [name for name in page.absent if name in verdicts]
    # Of a file that cannot be read, one sentence is true of all parts, and is said once.
    lost = [verdicts[name] for name in absent if verdicts[name].label == LABELS[Status.UNREADABLE]]
    alike = len(lost) == len(verdicts) and len({(tuple(v.says), v.comment, v.appeals) for v in lost}) == 1
    return render(
        "feedback.html",
        title=f"{problem.title}: feedback for {report.student}",
        isolation=isolation,
        drawn=any(verdict.pictures for verdict in verdicts.values()),
        problem=problem,
        report=report,
        page=page,
        verdicts=verdicts,
        absent=[] if alike else absent,
        lost=lost[0] if alike else None,
        score=sum(each.score for each in verdicts.values()),
        max_score=report.max_score,
        waiting=sum(each.max_score for each in verdicts.values() if each.waits),
        said=said_print(said),
    )


def said_print(said: Mapping[str, Said]) -> str:
    """A short text that a page carries: the same for the same words and marks of a person, on this page."""
    told = [[part, *astuple(each)] for part, each in sorted(said.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16] if told else "nothing"


def question_address(template: str, place: AnswerPlace) -> str:
    """Where a student asks about a mark; empty where the course names no address."""
    values = place._asdict()
    filled = QUESTION.sub(lambda found: quote(values[found[1]], safe=""), template)
    # No address has a blank in it; where a field is empty, neither has it those that stood around the field.
    return re.sub(r" +", "%20", re.sub(r"(?<==) +| +$", "", filled))


def _marked(parts: Sequence[PartReport]) -> dict[str, Pointer]:
    """The line of each answer at which it departs from a right one, or stops."""
    return {
        part.part: Pointer(part.departs.line, "it stops here" if part.departs.stops else "it departs here")
        for part in parts
        if part.departs
    }


def _verdict(part: PartReport, problem: Problem, by_hand: Said, question: str) -> _Verdict:
    label, colour = badge(part)
    said = told(_beyond_cases(part))
    apart = isinstance(problem.part(part.part), Tests)
    waits = part.status in WAITS
    score = part.score
    if by_hand.score is not None:
        label, colour, waits, score = *_by_hand(by_hand.score, part.max_score), False, by_hand.score
        said = [] if part.status in WAITS else said
    earned = "–" if waits else marks(score)
    return _Verdict(
        part=part.part,
        earned=earned,
        score=score,
        waits=waits,
        # A sentence that was given at the desk stands once, also when the grader says it by now.
        comment=tuple(
            line
            for line in by_hand.comment.split("\n")
            if line.strip() and re.split(r";|\n", part.feedback)[0] != line
        ),
        appeals=by_hand.appeals,
        max_score=part.max_score,
        label=label,
        colour=colour,
        mark=MARKS[colour],
        says=said,
        read_as="" if isinstance(problem.part(part.part), Prose) else read_as(part),
        visible=lines_of_cases((case for case in part.cases if not case.hidden), apart=apart),
        hidden=lines_of_cases((case for case in part.cases if case.hidden), apart=apart),
        costs=tuple(draw_cost(curve) for curve in part.costs),
        smallest=part.smallest,
        step=told(part.smallest.step) if part.smallest else (),
        pictures=(*_departing(part), *(drawn for case in part.cases if (drawn := _draw(case)))),
        summary=f"{part.part}: {label}, {earned} of {marks(part.max_score)}",
        question=question,
    )


def _by_hand(score: float, most: float) -> tuple[str, str]:
    if score >= most:
        return "right", "right"
    return ("partly right", "part") if score > 0 else ("no marks", "wrong")


def lines_of_cases(cases: Iterable[CaseResult], *, apart: bool) -> tuple[_CaseLine, ...]:
    """A sentence that is true of several cases is said once; tests stand `apart`, each a sentence itself."""
    names: dict[tuple[bool, str, str], list[str]] = {}
    for case in cases:
        alone = case.name if apart or (case.passed and not case.message) else ""
        names.setdefault((case.passed, case.message, alone), []).append(case.name)
    return tuple(
        _CaseLine(each, passed, () if passed else told(_of_several(message, len(each))[:MOST_CHARACTERS]))
        for (passed, message, _), each in names.items()
    )


def _of_several(message: str, count: int) -> str:
    return message.replace("fails ", "fail ", 1) if count > 1 and message.startswith("fails ") else message


def badge(part: PartReport) -> tuple[str, str]:
    """The word and the colour that sum a part up."""
    if part.status in WAITS:
        return LABELS[part.status], "wait"
    if part.status != Status.GRADED:
        return LABELS[part.status], "open" if part.status in (Status.UNCHANGED, Status.MISSING) else "wrong"
    if part.full or part.score > 0:
        return ("right", "right") if part.full else ("partly right", "part")
    return "cannot be read" if part.verdict == "unparseable" else "wrong", "wrong"


def _beyond_cases(part: PartReport) -> str:
    """The lines of the feedback that the list of cases does not repeat."""
    text = part.feedback
    if text in ("right", f"all {len(part.cases)} cases pass"):
        return ""
    repeated = [f"{case.name}: {case.message}" for case in part.cases if not case.passed]
    if part.smallest:
        repeated.append(text.rpartition("\n")[2])  # drawn beside the code
    for each in sorted(repeated, key=len, reverse=True):
        # Not in the middle of a sentence, which would break off there.
        text = re.sub(rf"(?<!\w ){re.escape(each)}", "", text)
    return "\n".join(line[:MOST_CHARACTERS] for line in text.split("\n"))


def read_as(part: PartReport) -> Markup:
    """A text answer as it was read: typeset, one equation a line, with the plain text as its label."""
    plain, latex = part.read_as, part.latex
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


def _departing(part: PartReport) -> list[_Picture]:
    """The tensor of the line that departs, beside a right solution's."""
    marked = part.departs
    if marked is None or marked.shown is None:
        return []
    if any(case.shown and case.shown.got == marked.shown.got for case in part.cases):
        return []
    axes = f", by the {'axes' if '×' in marked.axes else 'axis'} {marked.axes}" if marked.axes else ""
    title = f"what line {marked.line} gives{axes}, in the case: {marked.case}"
    drawn = _heat_maps(marked.shown, "a right solution's", "yours", f"the tensors of line {marked.line}")
    return [_Picture(title, marked.shown.cut, drawn)]


def _draw(case: CaseResult) -> _Picture | None:
    """Expected, got and difference of a visible case that fails."""
    if case.shown is None or case.hidden:
        return None
    return _Picture(case.name, case.shown.cut, _heat_maps(case.shown, "expected", "got", case.message))


@lru_cache(maxsize=128)  # a usual slip gives the same values in all notebooks that have it
def _heat_maps(shown: ShownSlice, right: str, mine: str, message: str) -> Markup:
    """What should be, what is, and where they differ."""
    want, got = _numbers(shown.want), _numbers(shown.got)
    name = f"{shown.name} " if shown.name else ""
    place = f" at [{', '.join(map(str, shown.where))}, …]" if shown.where else ""
    maps = [heatmaps.HeatMap(f"{name}{right}{place}", want), heatmaps.HeatMap(mine, got)]
    if shown.wrong:
        difference = [
            [mine - right for mine, right in zip(a, b, strict=True)] for a, b in zip(got, want, strict=True)
        ]
        wrong = {(y, x) for y, row in enumerate(shown.wrong) for x, each in enumerate(row) if each == "1"}
        maps.append(heatmaps.HeatMap(f"{mine} − {right}", difference, wrong))
    words = ", ".join(each.title for each in maps)
    return Markup(heatmaps.heat_maps(maps, f"heat maps of {words}: {message}"))


def _numbers(rows: Sequence[str]) -> list[list[float]]:
    return [[float(value) for value in row.split()] for row in rows]
