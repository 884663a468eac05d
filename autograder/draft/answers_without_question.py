"""An answer whose question is not said comes in; what it works out goes out as formulas to be asked for."""

from __future__ import annotations

import re

from autograder.course.model import Formula, Key
from autograder.draft.drafted_part import Drafted, part_lines, quoted, sound
from autograder.draft.refuted_claims import refuted_in
from autograder.draft.sheet_slips import formula_rows, label_of, letters_of, unlike_labels
from autograder.errors import AnswerError, CourseError

_NAMED = re.compile(r"(?:\|\||\\\|)?\\?[A-Za-z]+(?:_(?:\{\w+\}|\w))?(?:\|\||\\\|)?")
MOST = 12


def draft_results(name: str, answer: str) -> list[Drafted]:
    """A part for each name that is worked out in more than one step, where the last one can be read."""
    steps: dict[str, list[str]] = {}
    for row in formula_rows(answer):
        left, *sides = (side.strip() for side in row.split("="))
        label = label_of(left)
        if sides and _NAMED.fullmatch(label):
            steps.setdefault(label, []).extend(sides)
    refuted = refuted_in(formula_rows(answer))
    doubtful = unlike_labels(answer) | {label for each in refuted for label in each.rests_on}
    found: list[Drafted] = []
    for label, sides in steps.items():
        if len(sides) > 1 and label not in doubtful and len(found) < MOST:
            false = [each.says for each in refuted if each.label == label]
            drafted = _result(f"{name}_{len(found) + 1}", label, sides[-1].strip(" .,"), false)
            found += [drafted] if drafted else []
    return found


def _result(name: str, label: str, value: str, false: list[str]) -> Drafted | None:
    if "text" in value or re.search(r"[A-Za-z]{2,}\s+[A-Za-z]{2,}", re.sub(r"\\[A-Za-z]+", "", value)):
        return None
    ask = f"FILL IN: what is asked? The sheet works out ${label}$."
    variables = letters_of(value)
    try:
        sound(Formula(name, 1, ask, variables), Key(value))
    except (AnswerError, CourseError):
        return None
    fields = {"points": "1", "ask": quoted(ask), "variables": repr(variables)}
    notes = (
        *(f"CHECK: on the way to it, {says}" for says in false),
        f"key {value}, at which the sheet arrives for {label}",
        "FILL IN: no question says what is asked; whether the answer is right is not looked into",
    )
    return Drafted(
        name,
        "formula",
        part_lines("Formula", name, fields),
        f"{name} = key({quoted(value)})\n",
        notes,
        ("Formula",),
    )
