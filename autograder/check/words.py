"""The words that every drawing of a panel shares: marks, points, and what the hidden cases are about."""

from __future__ import annotations

from autograder.check.view import Panel, PartView, State

MARKS = {
    State.PASSES: "✓",
    State.FAILS: "✗",
    State.UNANSWERED: "○",
    State.READ: "✎",
    State.UNREADABLE: "✗",
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
    cases = f"{count} more case{'' if count == 1 else 's'}, drawn for you alone"
    return f"when it is graded, {cases}: {'; '.join(part.hidden)}"


def summary_words(panel: Panel) -> str:
    """The whole notebook in a line: what is ready, and what is still open, by points."""
    ready = [part for part in panel.parts if part.done]
    total = sum(part.points for part in panel.parts)
    text = f"{len(ready)} of {len(panel.parts)} parts ready, worth {_sum(ready):g} of {points(total)}"
    if not panel.passed:
        still = [part for part in panel.parts if part.state == State.UNANSWERED]
        wrong = [part for part in panel.parts if not part.done and part not in still]
        text += f"; to mend: {_names(wrong)}" if wrong else ""
        text += f"; unanswered: {_names(still)}" if still else ""
    return text


def _sum(parts: list[PartView]) -> float:
    return sum(part.points for part in parts)


def _names(parts: list[PartView]) -> str:
    return ", ".join(part.name for part in parts)
