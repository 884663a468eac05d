"""One label chosen out of several is compared with the right one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from autograder.course.model import Choice, Key, Mistake
from autograder.text.small.labels import label_of, plain_words
from autograder.text.verdict import Judgement

SAME = (
    frozenset({"true", "t", "yes", "y", "correct", "right", "✓", "✔"}),
    frozenset({"false", "f", "no", "n", "incorrect", "untrue", "wrong", "✗", "✘"}),
)  # of one label
_STATEMENT = re.compile(r"^(?:(?:the|this)\s+)?(?:statement|claim|assertion|proposition)\s+is\s+")
_REASON = re.compile(r"\s*[,;:–-]?\s*\b(?:because|since|as)\b\s*\S.*", re.S)
_CHOOSE = re.compile(
    r"^i(?:\s+would|'d)?\s+(?:choose|chose|pick|take|select|say)\s+(?:that\s+)?(?:it(?:'s|\s+is)\s+)?"
)


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
    said = _CHOOSE.sub("", plain_words(answer))
    return _label(said, part) or _label(_REASON.sub("", said), part)


def _label(said: str, part: Choice) -> str | None:
    meant = _STATEMENT.sub("", said.strip("().:[]\"' "))
    labels = {label.casefold(): label for label in part.options}
    if meant.startswith("not ") and len(labels) == 2 and _is_of_truth(labels):
        denied = _said(meant.removeprefix("not "), labels)
        return next(label for label in part.options if label != denied) if denied else None
    return _said(meant, labels) or label_of(meant, part.options)


def _said(meant: str, labels: Mapping[str, str]) -> str | None:
    """A label by itself, or by another word for true or false where both can be chosen."""
    if meant in labels:
        return labels[meant]
    if not _is_of_truth(labels):
        return None  # left or right
    same = next((words for words in SAME if meant in words), frozenset[str]())
    found = [label for label in labels if label in same]
    return labels[found[0]] if len(found) == 1 else None


def _is_of_truth(labels: Mapping[str, str]) -> bool:
    return all(words & labels.keys() for words in SAME)


def _labels(part: Choice) -> str:
    return ", ".join(f"({label})" for label in part.options)
