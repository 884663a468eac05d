"""What a check shows: the panel, its parts and cases as plain records, and the words of every drawing."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from enum import StrEnum

from autograder.calls.requests_and_outcomes import Smallest
from autograder.calls.syntax_fault import Pointed
from autograder.drawing.heatmaps import HeatMap


class State(StrEnum):
    """What is said of a part or a case; never whether a text answer is right."""

    PASSES = "passes"
    FAILS = "fails"
    UNANSWERED = "unanswered"
    READ = "read"
    UNREADABLE = "unreadable"
    BY_HAND = "by hand"
    STOPPED = "stopped"
    NOT_RUN = "not run"


DONE = (State.PASSES, State.READ, State.BY_HAND)


@dataclass(frozen=True)
class Picture:
    """Heat maps of what was expected and what came, and the same in words."""

    maps: tuple[HeatMap, ...]
    alt: str


@dataclass(frozen=True)
class CaseView:
    """One visible case: what is wrong, and what helps to see why."""

    name: str
    state: State
    message: str = ""
    facts: tuple[tuple[str, str], ...] = ()  # expected and got, each in a few words
    picture: Picture | None = None
    reproduction: str = ""
    trace: str = ""
    printed: str = ""


@dataclass(frozen=True)
class LineView:
    """A text answer, or one equation of several, as it is read."""

    plain: str = ""
    latex: str = ""
    about: str = ""
    fault: Pointed | None = None


@dataclass(frozen=True)
class PartView:
    """One part of a problem."""

    name: str
    kind: str
    points: float
    state: State
    headline: str
    slips: tuple[str, ...] = ()  # of the notebook itself, each with its fix
    hint: str = ""
    cases: tuple[CaseView, ...] = ()
    hidden: tuple[str, ...] = ()
    lines: tuple[LineView, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[tuple[str, str], ...] = ()  # of a hint: what each is about, and what it says
    smallest: Smallest | None = None
    closer: str = ""  # the line at which a function departs, or what does not fit where it stops

    @property
    def done(self) -> bool:
        return self.state in DONE


@dataclass(frozen=True)
class Panel:
    """What one check cell shows: a part, or with `whole` all parts of a problem."""

    problem: str
    title: str
    parts: tuple[PartView, ...] = ()
    whole: bool = False
    slips: tuple[str, ...] = ()
    trouble: str = ""  # why nothing could be checked
    passed: bool = field(init=False)

    def __post_init__(self) -> None:
        fine = bool(self.parts) and not self.trouble and all(part.done for part in self.parts)
        object.__setattr__(self, "passed", fine)

    def data(self) -> dict[str, object]:
        """For a program: everything but the pictures."""
        words = asdict(self)
        for part in words["parts"]:
            for case in part["cases"]:
                case.pop("picture")
        return words

    def __repr__(self) -> str:
        from autograder.check.panel_text import draw_text

        return draw_text(self)

    def _repr_html_(self) -> str:
        from autograder.check.panel_html import draw_html

        return draw_html(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}


# ---------------------------------------------------------------- the words of every drawing

MARKS = {
    State.PASSES: "✓",
    State.FAILS: "✗",
    State.UNANSWERED: "○",
    State.READ: "✎",
    State.UNREADABLE: "?",
    State.BY_HAND: "✎",
    State.STOPPED: "■",
    State.NOT_RUN: "○",
}


def points(value: float) -> str:
    return f"{value:g} point{'' if value == 1 else 's'}"


def hidden_words(part: PartView) -> str:
    """How many cases wait where it is graded, and what they are about."""
    if not part.hidden:
        return ""
    count = len(part.hidden)
    kind, drawn = ("test", "") if part.kind == "tests" else ("case", ", drawn for you alone")
    cases = f"{count} more {kind}{'' if count == 1 else 's'}{drawn}"
    return f"when it is graded, {cases}: {'; '.join(part.hidden)}"


def summary_words(panel: Panel) -> str:
    """The whole notebook in a line: what passes and what can be read; nothing is marked here."""
    code = [part for part in panel.parts if part.kind == "code"]
    tested = [part for part in panel.parts if part.kind == "tests"]
    written = [part for part in panel.parts if part.kind not in ("code", "tests")]
    said = [_count(code, "function", "passes its visible cases", "pass their visible cases")] if code else []
    said += (
        [_count(tested, "answer", "passes its visible tests", "pass their visible tests")] if tested else []
    )
    said += [_count(written, "answer", "can be read", "can be read")] if written else []
    text = f"{'; '.join(said)}; marked after you hand in"
    if not panel.passed:
        still = [part for part in panel.parts if part.state == State.UNANSWERED]
        wrong = [part for part in panel.parts if not part.done and part not in still]
        text += f"; to mend: {_names(wrong)}" if wrong else ""
        text += f"; unanswered: {_names(still)}" if still else ""
    return text


def _count(parts: list[PartView], noun: str, one: str, many: str) -> str:
    done = sum(part.done for part in parts)
    single = len(parts) == 1
    return f"{done} of {len(parts)} {noun}{'' if single else 's'} {one if single or done == 1 else many}"


def _names(parts: list[PartView]) -> str:
    return ", ".join(part.name for part in parts)
