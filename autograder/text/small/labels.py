"""Several labels, or all of them in an order, are compared with the right ones."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from autograder.course.small_kinds import Order, Select
from autograder.errors import AnswerError
from autograder.text.verdict import Judgement

NONE = frozenset({"none", "none of them", "none of these", "none of the above", "nothing", "{}", "[]", "∅"})
ALL = frozenset({"all", "all of them", "all of these", "all of the above"})
_BETWEEN = re.compile(r"[\s,;/&+|]+|->|→|>|<|\band\b|\bthen\b|\bund\b|\\to\b")


def read_labels(answer: str, options: Iterable[str]) -> tuple[str, ...]:
    """The labels that were typed, in their order, each once; AnswerError names what is none of them."""
    known = {label.casefold(): label for label in options}
    text = answer.strip().strip("$`").strip().rstrip(".").strip()
    pieces = [piece.strip("()[]{}\"'.:") for piece in _BETWEEN.split(text.casefold())]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) == 1 and pieces[0] not in known and set(pieces[0]) <= known.keys():
        pieces = list(pieces[0])  # "acd", where every label is a letter
    found = []
    for piece in pieces:
        if piece not in known:
            labels = ", ".join(known.values())
            raise AnswerError(f"'{piece}' is none of {labels}: write labels with commas between them")
        found.append(known[piece])
    if len(set(found)) < len(found):
        twice = next(label for label in found if found.count(label) > 1)
        raise AnswerError(f"'{twice}' stands there twice: write each label once")
    return tuple(found)


def read_select(answer: str, part: Select) -> tuple[str, ...]:
    """The chosen labels in the order of the question."""
    said = answer.strip().strip("$`.").strip().casefold()
    if said in NONE and said not in {label.casefold() for label in part.options}:
        return ()
    if said in ALL and said not in {label.casefold() for label in part.options}:
        return tuple(part.options)
    chosen = set(read_labels(answer, part.options))
    return tuple(label for label in part.options if label in chosen)


def judge_select(answer: str, part: Select, key: str) -> Judgement:
    """Each right label earns its share of the marks, each wrong one takes as much away."""
    want, got = set(read_select(key, part)), read_select(answer, part)
    right, wrong = want & set(got), set(got) - want
    read_as = ", ".join(f"({label})" for label in got) or "none"
    if not wrong and right == want:
        return Judgement("equal", 1.0, read_as=read_as)
    share = max(0.0, (len(right) - len(wrong)) / len(want)) if want else 0.0
    said = f"{len(right)} of your {len(got)} labels are right" if got else "some label applies"
    if len(right) < len(want) and not wrong:
        said += "; there are more"
    return Judgement("partial" if share else "different", share, said, read_as=read_as)


def read_order(answer: str, part: Order) -> tuple[str, ...]:
    """All labels in the order that was typed."""
    found = read_labels(answer, part.options)
    if "<" in answer and ">" in answer:
        raise AnswerError("'<' and '>' point both ways: write the labels in order, with commas between them")
    absent = [label for label in part.options if label not in found]
    if absent:
        raise AnswerError(f"'{absent[0]}' is not in your order: write every label once")
    return found


def judge_order(answer: str, part: Order, key: str) -> Judgement:
    """The share of pairs that stand in the right order; half of them do by chance, and earn nothing."""
    want, got = read_order(key, part), read_order(answer, part)
    read_as = ", ".join(f"({label})" for label in got)
    pairs = list(itertools.combinations(want, 2))
    kept = sum(got.index(first) < got.index(second) for first, second in pairs)
    if kept == len(pairs):
        return Judgement("equal", 1.0, read_as=read_as)
    share = max(0.0, 2 * kept / len(pairs) - 1)
    said = f"{kept} of {len(pairs)} pairs stand in the right order"
    return Judgement("partial" if share else "different", share, said, read_as=read_as)
