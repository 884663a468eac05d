"""One label chosen out of several is compared with the right one."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.model import Choice, Key, Mistake
from autograder.verdict import Judgement


def judge_choice(answer: str, part: Choice, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """Equality of labels; case, brackets and a full stop do not matter."""
    label = read_choice(answer, part)
    if label is None:
        return Judgement("unparseable", 0.0, f"{answer.strip()[:40]!r} is none of {_labels(part)}")
    if label == read_choice(key.answer, part):
        return Judgement("correct", 1.0, read_as=label)
    for mistake in mistakes:
        if read_choice(mistake.answer, part) == label:
            return Judgement("wrong", 0.0, mistake.says, read_as=label, mistake=mistake.id)
    return Judgement("wrong", 0.0, f"({label}) is not the right choice", read_as=label)


def read_choice(answer: str, part: Choice) -> str | None:
    """The label that was meant, or None."""
    meant = answer.strip().strip("().:[]\"' ").casefold()
    return next((label for label in part.options if label.casefold() == meant), None)


def _labels(part: Choice) -> str:
    return ", ".join(f"({label})" for label in part.options)
