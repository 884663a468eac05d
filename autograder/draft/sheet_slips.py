"""What a sheet writes comes in; what contradicts itself, for certain, goes out in words."""

from __future__ import annotations

import re

from autograder.draft.refuted_claims import refuted_in
from autograder.draft.sheet_formulas import DISPLAY, INLINE, blocks, rows, without_name
from autograder.errors import AnswerError
from autograder.text.analysis.decide import Decision, World, decide
from autograder.text.analysis.scope import SPELLINGS, Scope
from autograder.text.derivation.read import DerivationLine, read_derivation
from autograder.text.expression.tree import Expr, names_in
from autograder.text.symbols import GREEK

_FENCE = re.compile(r"^```\w*\n(.*?)^```", re.M | re.S)
_NAME = re.compile(r"(?<![A-Za-z\\])\\?[A-Za-z]+(?:_(?:\{\w+\}|\w))?")
_WORDS = re.compile(r"\\text\{[^{}]*\}|(?<!\\)\b[A-Za-z]{2,}\b(?!\s*[({\\_])")
_OWN_INDEX = re.compile(r"^\s*(?!\\sum|\\prod)\\?[A-Za-z]+_\{?([a-z])\}?\s*=")
_SUMMED = re.compile(r"(?:\\sum|\\Sigma|\\prod)\s*_\{?\s*([a-z])\s*=")
_SIZE_OF = re.compile(r"\\mathbb\{[RZ]\}\^\{?\s*([A-Za-z])(?:\s*\\times\s*([A-Za-z]))?\s*\}?")
_VECTOR_IN = re.compile(
    r"\bvector\s+\$+([^$]*?)\\in\s*\\mathbb\{R\}\^\{?\s*(\w+)\s*\\times\s*(\w+)\s*\}?\s*\$", re.I
)
_BOLD = re.compile(r"\\mathbf\{([A-Z])\}")
# What is applied or transposed is no product of numbers: E[X], f(x), A^T.
_APPLIED = re.compile(
    r"(?<![A-Za-z\\])(?:[A-Z]|[fghp])'*\s*(?:\\left)?[\[(|]|\^\s*\{?\s*-?\s*(?:T\b|\\top|\\intercal)|\\mathbb|\\partial"
)
MOST_ROWS = 40


def slips_in(text: str) -> list[str]:
    """Every contradiction, once."""
    written = [row for row in formula_rows(text) if "=" in row]
    found = [*_unclosed(written), *_summed_twice(written), *_unlike_lines(written[:MOST_ROWS])]
    found += [f"CHECK: {each.says}" for each in refuted_in(written)]
    found += _two_meanings(text)
    found += _false_steps(text)
    return list(dict.fromkeys(found))


def formula_rows(text: str) -> list[str]:
    """The rows of what is displayed, fenced or set inline."""
    fenced = [row for found in _FENCE.finditer(text) for row in found[1].split("\n")]
    text = _FENCE.sub("", text)
    pieces = [found[1] or found[2] for found in DISPLAY.finditer(text)]
    pieces += INLINE.findall(DISPLAY.sub(" ", text))
    return [row for piece in [*pieces, *fenced] for row in rows(piece)]


def _unclosed(written: list[str]) -> list[str]:
    found = []
    for row in (re.sub(r"\\text\{[^{}]*\}|^\s*\w\)", "", row) for row in written):
        opened, closed = row.count("("), row.count(")")
        if opened != closed and row.count("[") == row.count("]"):
            found.append(f"CHECK: {_short(row)} opens {opened} round brackets and closes {closed}")
    return found


def _summed_twice(written: list[str]) -> list[str]:
    """y_i as a sum over i: the index of the left side is used up on the right."""
    found = []
    for row in written:
        own = _OWN_INDEX.match(row)
        if own and own[1] in _SUMMED.findall(row):
            found.append(f"CHECK: {_short(row)} sums over {own[1]}, which its left side has")
    return found


def _unlike_lines(written: list[str]) -> list[str]:
    """Lines for one thing that are not equal: Y = 1000 x, and Y = x."""
    return [
        f"CHECK: {label} is said to be {_short(one)} and {_short(other)}: these differ"
        for label, one, other in _unlike(written)
    ]


def unlike_labels(text: str) -> set[str]:
    """What two lines say different things of."""
    return {label for label, _, _ in _unlike([row for row in formula_rows(text) if "=" in row][:MOST_ROWS])}


def _unlike(written: list[str]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    last: dict[str, tuple[str, DerivationLine, Scope]] = {}
    for row in written:
        left, _, right = row.partition("=")
        label = label_of(left)
        read = _read(right)
        if read is None or not label:
            continue
        line, scope = read
        before = last.get(label)
        last[label] = right, line, scope
        if before is None:
            continue
        mine, other = line.sides[-1].first, before[1].sides[-1].first
        if set(names_in(mine)) != set(names_in(other)):
            continue  # what the one has may be given in terms of the other
        both = Scope(tuple(sorted({*scope.positive, *before[2].positive})))
        if decide(mine, other, World(both)) == Decision.DIFFERENT:
            found.append((label, before[0], right))
    return found


def label_of(left: str) -> str:
    """What a left side names, behind words that introduce it; nothing where it is a product: 2 I."""
    *before, label = left.split() or [""]
    return label if not before or re.fullmatch(r".*:|[A-Za-z]{2,}[,.]?", before[-1]) else ""


def _read(right: str, letters: list[str] | None = None) -> tuple[DerivationLine, Scope] | None:
    """An expression in names of its own, where all of it can be read."""
    if _WORDS.search(re.sub(r"\\[A-Za-z]+|sigmoid", "", right)) or "..." in right:
        return None
    right = re.sub(r"(?<!\\)sigmoid", r"\\sigma", right)
    scope = Scope(tuple(letters_of(right) if letters is None else letters))
    try:
        (line,) = read_derivation(right, scope)
    except (AnswerError, ValueError):
        return None
    return line, scope


def letters_of(text: str) -> list[str]:
    """The names of an expression: single letters and Greek ones; X alone where X_{2i} is an entry of it."""
    names = {name.lstrip("\\").replace("{", "").replace("}", "") for name in _NAME.findall(text)}
    bases = {name.partition("_")[0] for name in names if "_" in name and not name[-1].isdigit()}
    reals = {name for name in names if name.partition("_")[0] not in bases} | bases
    known = {*SPELLINGS, "sum", "frac", "left", "right", "cdot", "sigma", "e"}
    return sorted(
        name for name in reals - known if len(name.partition("_")[0]) == 1 or name in GREEK.values()
    )


def _false_steps(text: str) -> list[str]:
    """A line of a chain of equal expressions that is not equal to the one above it."""
    found = []
    for block in blocks(text):
        if _APPLIED.search(block):
            continue
        last: Expr | None = None
        for row in rows(block)[:MOST_ROWS]:
            continues = row.lstrip(" &").startswith("=")
            read = _read(without_name(row.replace("&", " ")).strip(" ,."), letters_of(block))
            mine = read[0].sides if read else ()
            if continues and last is not None and mine and _differ(last, mine[0].first, letters_of(block)):
                found.append(f"CHECK: {_short(row)} does not follow from the line above it")
            last = mine[-1].first if mine else None
    return found


def _differ(one: Expr, other: Expr, letters: list[str]) -> bool:
    return decide(one, other, World(Scope(tuple(letters)))) == Decision.DIFFERENT


def _two_meanings(text: str) -> list[str]:
    """A letter that is a size and a matrix, and a vector that lies in R^{D x K}."""
    sizes = {letter for found in _SIZE_OF.findall(text) for letter in found if letter}
    found = [
        f"CHECK: {letter} is the size of an axis and a matrix of its own"
        for letter in sorted(sizes & set(_BOLD.findall(text)))
    ]
    for vector in _VECTOR_IN.finditer(text):
        found.append(
            f"CHECK: {vector[1].strip()} is called a vector and lies in R^{{{vector[2]} x {vector[3]}}}"
        )
    return found


def _short(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip(" &.,")
    return text if len(text) <= 90 else f"{text[:87]}…"
