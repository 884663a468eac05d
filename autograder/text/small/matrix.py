"""A matrix, written as nested lists, in LaTeX or a row a line, is compared entry by entry."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from autograder.course.small_kinds import Matrix
from autograder.errors import AnswerError
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Expr, names_in
from autograder.text.fold import fold
from autograder.text.formula.equality import QuestionSetting, equal, setting_of
from autograder.text.formula.evaluate import value_at
from autograder.text.small.entries import read_entry
from autograder.text.small.lists import read_rows, split_outside
from autograder.text.verdict import Judgement

EXAMPLE = "[[2, 1], [4, 3]]"
MOST = 400  # entries


@dataclass(frozen=True)
class Entries:
    """The entries by row, all rows alike; a flat list of them may lie or stand."""

    rows: tuple[tuple[Expr, ...], ...]
    is_flat: bool = False

    @property
    def size(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])


def read_matrix(answer: str, part: Matrix) -> Entries:
    """The entries by row, of a chain the last; AnswerError says what to write."""
    return read_chain(answer, part)[-1]


def read_chain(answer: str, part: Matrix) -> list[Entries]:
    """A = 2 [[1, 2]] = [[2, 4]] says one matrix twice: every one that is said, without its name."""
    try:
        first, *others = [side for side in split_outside(answer, "=") if side.strip("$` ")]
    except (AnswerError, ValueError):
        first, others = answer, []
    if not others:
        return [_read_one(first, part)]
    try:
        said = [_read_one(first, part)]
    except AnswerError:
        said = []  # only a name: \\nabla f =
        if "\n" in first.strip() or ";" in first:
            raise
    return [*said, *(_read_one(side, part) for side in others)]


def _read_one(answer: str, part: Matrix) -> Entries:
    read = read_rows(answer)
    rows = read.entries
    if not rows or not all(rows):
        raise AnswerError(f"there is nothing to read: write a matrix such as {EXAMPLE}")
    if len({len(row) for row in rows}) > 1:
        lengths = ", ".join(str(len(row)) for row in rows)
        raise AnswerError(f"the rows have {lengths} entries: write as many in each, such as {EXAMPLE}")
    if len(rows) * len(rows[0]) > MOST:
        raise AnswerError(f"a matrix of {len(rows)} × {len(rows[0])} entries is too large to be read")
    names = tuple(part.variables)

    def entry(text: str) -> Expr:
        return read_entry(fold(text).text, names, answer, f"a matrix such as {EXAMPLE}")

    return Entries(tuple(tuple(entry(text) for text in row) for row in rows), read.is_flat)


def shown(read: Entries) -> str:
    return "[" + ", ".join("[" + ", ".join(plain(entry) for entry in row) + "]" for row in read.rows) + "]"


def judge_matrix(answer: str, part: Matrix, key: str) -> Judgement:
    """Each entry against the key's; what differs is named by its place, not by its value."""
    want, chain = read_matrix(key, part), read_chain(answer, part)
    judged = [_judge_one(got, want, part) for got in chain]
    return next((each for each in judged if each.share < 1), judged[-1])


def _judge_one(got: Entries, want: Entries, part: Matrix) -> Judgement:
    read_as = shown(got)
    size, asked, rows = got.size, want.size, got.rows
    if 1 in asked and size == asked[::-1] and size != asked and (got.is_flat or want.is_flat):
        rows = tuple(zip(*rows, strict=True))
    elif size != asked:
        return Judgement(
            "different", 0.0, f"a {size[0]} × {size[1]} matrix is not of the size asked for", read_as=read_as
        )
    setting = setting_of(tuple(part.variables), ())
    wrong = [
        f"({row}, {column})"
        for row, pair in enumerate(zip(rows, want.rows, strict=True), start=1)
        for column, (mine, right) in enumerate(zip(*pair, strict=True), start=1)
        if not _same(mine, right, part, setting)
    ]
    if not wrong:
        return Judgement("equal", 1.0, read_as=read_as)
    entries = asked[0] * asked[1]
    if len(wrong) == entries:
        return Judgement("different", 0.0, "no entry is right", read_as=read_as)
    places = ", ".join(wrong[:4]) + (", …" if len(wrong) > 4 else "")
    said = f"{entries - len(wrong)} of {entries} entries are right; look at {places} (row, column)"
    return Judgement("different", 0.0, said, read_as=read_as)


def _same(mine: Expr, right: Expr, part: Matrix, setting: QuestionSetting) -> bool:
    if part.tolerance and not names_in(mine) and not names_in(right):
        a, b = value_at(mine, {}), value_at(right, {})
        return a is not None and b is not None and abs(a - b) <= Decimal(str(part.tolerance))
    return equal(mine, right, setting)
