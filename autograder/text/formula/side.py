"""One side of a formula in a student's words comes in; the expressions that it gives as equal go out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text.expression.clauses import (
    Clause,
    Tie,
    is_confining,
    is_doubtful,
    is_wordy,
    mentions,
    split_clauses,
)
from autograder.text.expression.definitions import Definitions, defines, find_definitions
from autograder.text.expression.names import names_of
from autograder.text.expression.quantities import quantities
from autograder.text.expression.read import ReadSides, prepare, read
from autograder.text.expression.strip_markup import without_marks
from autograder.text.expression.tree import Expr, add, names_in
from autograder.text.fold import fold
from autograder.text.step_bound import remembered

EXAMPLE = "2*I*J"
_MAY_DEFINE = re.compile(
    r"(?<![A-Za-z])(?:where|with|let|for|assuming|given|when)(?![A-Za-z])|\(", re.IGNORECASE
)
# what is no exact answer, and what is the count of a part only
_ROUGHLY = re.compile(
    r"(?<![A-Za-z])(?:about|roughly|approximately|around|nearly|almost|(?:on\s+)?(?:each|either|every|one)\s+side)(?![A-Za-z])",
    re.IGNORECASE,
)
# what no count of matrices has, and examples
_BESIDE = re.compile(
    r"[(,]?\s*(?:without|ignoring|excluding|neglecting|not\s+counting|no)\s+(?:any\s+|the\s+)?bias(?:es)?(?:\s+(?:terms?|vectors?))?\s*\)?"
    r"|[(,;.]?\s*(?<![A-Za-z])(?:e\.\s?g\.|eg(?=[\s,:])|for\s+(?:example|instance))"
    r"(?![\s\S]*(?<![A-Za-z])(?:but|however|otherwise|general|generally|instead|actually|while|whereas)(?![A-Za-z]))[\s\S]*\Z",
    re.IGNORECASE,
)
# …, \\quad Z = …: a letter of the answer's own
_OWN = re.compile(r"[,;](?:\s|\\q?quad|\\[,;])*(?P<name>[A-Za-z])\s*:?=")
REMARKS = (Tie.WHERE, Tie.WHY, Tie.FOR, Tie.FREE, Tie.CONTRAST, Tie.ASIDE)


@dataclass(frozen=True)
class Side:
    """What one side says: expressions that are given as the same, and notes on how they were read."""

    trees: tuple[Expr, ...]
    notes: tuple[str, ...] = ()


@remembered(maxsize=8192)
def read_side(text: str, names: tuple[str, ...]) -> Side:
    """One side of a formula: no relation inside."""
    if found := _ROUGHLY.search(text):
        raise AnswerError(f"cannot read '{found[0]}': write the whole, exactly")
    clauses = split_clauses(prepare(text, names_of(names)), names_of(names))
    if len(clauses) < 2:
        reading = _read(clauses[0] if clauses else text, names)
        return Side(reading.sides, reading.notes)
    claims = _claims(clauses, names)
    notes = [note for _, reading in claims for note in reading.notes]
    trees: list[Expr] = []
    for clause, reading in claims:
        (tree,) = reading.sides
        if clause.tie == Tie.PLUS and trees:
            trees[-1] = add(trees[-1], tree)
        else:
            trees.append(tree)
    return Side(tuple(trees), tuple(notes))


def take_definitions(text: str, names: tuple[str, ...]) -> tuple[str, Definitions]:
    """The answer without what it says of its letters ('where n = I'), and that."""
    text = _BESIDE.sub(lambda found: " " * len(found[0]), text)
    own = {
        found["name"]
        for found in _OWN.finditer(text)
        if found["name"] not in names
        and len(re.findall(rf"(?<![A-Za-z\\]){found['name']}(?![A-Za-z_])", text)) > 1
    }
    if not _MAY_DEFINE.search(text) and not own:
        return text, Definitions()
    folded = without_marks(fold(text))
    found: list[Clause] = []
    for clause in split_clauses(folded, names_of(names)):
        # after a mere comma there is another output
        named = re.split(r"\s*:?=", clause.text)[0].strip()
        said = bool(found) or named in own or _MAY_DEFINE.match(folded.text, clause.begins) is not None
        if said and defines(clause) and "=" in clause.text:
            found.append(clause)
    if not found:
        return text, Definitions()
    rest = folded.text
    for clause in found:
        rest = rest[: clause.begins] + " " * (clause.ends - clause.begins) + rest[clause.ends :]
    return rest, find_definitions(found, names, quantities(names, {}))


def _claims(clauses: list[Clause], names: tuple[str, ...]) -> list[tuple[Clause, ReadSides]]:
    """The expressions that are stated. What is said of one part counts only where nothing else is."""
    claims: list[tuple[Clause, ReadSides]] = []
    parts: list[tuple[Clause, ReadSides]] = []
    passed: list[AnswerError] = []
    asides: list[Clause] = []
    for clause, follows in zip(clauses, [*clauses[1:], None], strict=True):
        if clause.tie in REMARKS and is_confining(clause.text):
            raise _not_read(clause)
        if clause.tie in (Tie.FOR, Tie.ASIDE):
            asides.append(clause)
        if clause.tie in REMARKS:
            continue
        try:
            found = clause, _read(clause, names)
        except AnswerError as error:
            if not is_wordy(clause.text, names_of(names)) or is_doubtful(clause.text):
                raise
            passed.append(error)
            continue
        partial = follows is not None and (follows.tie == Tie.FOR or clause.leaves_out(follows))
        (parts if partial else claims).append(found)
    if any(clause.tie == Tie.PLUS for clause, _ in parts):
        claims = [*parts, *claims]  # IJ for this plus IJ for that
    if not claims and not parts:
        raise (
            passed[0]
            if passed
            else AnswerError(f"there is nothing to read: write an answer such as {EXAMPLE}")
        )
    chosen = claims or parts
    used = {name for _, reading in chosen for tree in reading.sides for name in names_in(tree)}
    for clause in asides:
        thing = re.match(r"(?:(?:each|every|one|a|single)\s+)*([a-z]+)", clause.text)
        counted = quantities(names, {}).find(f"number of {thing[1].removesuffix('s')}s") if thing else None
        others = mentions(clause.text, names_of(names)) - used
        if is_doubtful(clause.text) or others or (clause.tie == Tie.FOR and counted in used):
            raise _not_read(clause)
    return chosen


def _not_read(clause: Clause) -> AnswerError:
    return AnswerError(f"cannot read '{clause.text[:40]}': write it into the formula, or leave it out")


def _read(clause: Clause | str, names: tuple[str, ...]) -> ReadSides:
    reading = read(clause.folded if isinstance(clause, Clause) else clause, names, (), EXAMPLE)
    if reading.orders:
        raise AnswerError(f"O(…) leaves constants out: write the formula itself, such as {EXAMPLE}")
    if reading.signs:
        raise AnswerError(f"a formula is one expression: write {EXAMPLE}")
    return reading
