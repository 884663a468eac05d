"""An answer that no rule marks becomes the report that says so: not there, not read, or not its own doing."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from autograder.calls.compare_tensors import with_article
from autograder.calls.failure import student_line
from autograder.calls.requests_and_outcomes import CellOutcome, Outcome
from autograder.course.model import Part, Prose
from autograder.grade.report import PartReport, Status
from autograder.notebook.loose_text import Sections

logger = logging.getLogger(__name__)

NO_VALUE = {
    "raised": Status.CRASHED,
    "timed_out": Status.TIMED_OUT,
    "killed": Status.KILLED,
    "crashed": Status.KILLED,
    "missing": Status.MISSING,
    "not_implemented": Status.UNCHANGED,
}


def prose_report(part: Prose, sections: Sections) -> PartReport:
    text = sections.answer(part.name)
    if text:
        return lost(part, Status.MANUAL, "ungraded", "waits for a person to read it", read_as=text)
    if not sections.has_cell(part.name):
        return lost(part, Status.MISSING, "unanswered", "the answer cell is not in the notebook")
    return unchanged(part)


def unchanged(part: Part, why: str = "the cell is as it was handed out") -> PartReport:
    return lost(part, Status.UNCHANGED, "unanswered", f"not answered yet: {why}")


def not_defined(part: Part, names: Sequence[str], broken: CellOutcome | None) -> PartReport:
    """None of the names that are asked for is there; `broken` is the answer cell where it raised."""
    if broken is not None:
        line = "" if " (line " in broken.error else student_line(broken.traceback)
        verb = "is" if len(names) == 1 else "are"
        text = f"the cell stops before {' and '.join(names)} {verb} defined: {broken.error}{line}"
        return lost(part, NO_VALUE.get(broken.status, Status.CRASHED), "wrong", text)
    keep = "the name as it was" if len(names) == 1 else "the names as they were"
    text = f"no cell defines {' or '.join(names)}: keep {keep} handed out"
    return lost(part, Status.MISSING, "unanswered", text)


def unread(part: Part, text: str) -> PartReport:
    """Something that may be meant as the answer, but cannot be judged by rule."""
    says = f"no cell sets {part.name} to text in quotes; what stands there waits for a person"
    return lost(part, Status.MANUAL, "ungraded", says, read_as=text)


def no_text(part: Part, outcome: Outcome) -> PartReport:
    match outcome.status:
        case "timed_out":
            return lost(
                part, Status.TIMED_OUT, "wrong", f"the notebook ran out of time before {part.name} was set"
            )
        case "killed" | "crashed":
            return lost(
                part, Status.KILLED, "wrong", f"the notebook's process died before {part.name} was set"
            )
        case "missing":
            return lost(
                part, Status.MISSING, "unanswered", f'no cell sets {part.name}: write {part.name} = "…"'
            )
        case _ if outcome.kind == "none":
            return unchanged(part, f"{part.name} is None")
        case _:
            found = with_article(outcome.kind or "value")
            says = f'{part.name} should be text in quotes, not {found}: write {part.name} = "…"'
            return lost(part, Status.GRADED, "unparseable", says)


def disturbed(part: Part, why: str) -> PartReport:
    """The machine's doing is nobody's mark: a person looks, and the next run tries again."""
    text = f"not graded yet: {why}; grade again, or mark it by hand"
    return PartReport(part.name, 0.0, part.points, Status.MANUAL, "ungraded", text, machine=True)


def stumbled(part: Part, error: Exception) -> PartReport:
    """An answer that the judge stumbles over shall not stop the class, nor cost marks unseen."""
    logger.error("the judge failed on an answer to %s", part.name, exc_info=error)
    text = f"the grader failed on this answer ({type(error).__name__}): a person will look at it"
    return lost(part, Status.MANUAL, "ungraded", text)


def lost(part: Part, status: Status, verdict: str, feedback: str, read_as: str = "") -> PartReport:
    return PartReport(part.name, 0.0, part.points, status, verdict, feedback, read_as=read_as)
