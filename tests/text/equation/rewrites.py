"""Labelled answers written otherwise, and right ones changed in meaning: no verdict may flip.

A change of meaning is one place of the tree: a factor or term left out, a tensor taken for its sibling, two
indices exchanged, one shifted, another axis under a softmax, a function dropped. Such an answer may be
different, ill-typed or unparseable, but never equal.

`python -m tests.text.equation.rewrites 20000` tries so many and prints every flip; the suite tries a few.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from autograder.text.equation import judge_equation
from autograder.text.equation.implied import rename
from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.lines import ReadAnswer, read_answer, vocabulary_of
from autograder.text.equation.render import latex_lines, plain_lines
from autograder.text.equation.tree import (
    Binder,
    Call,
    Dots,
    Expr,
    Lookup,
    Number,
    Ones,
    Pair,
    Power,
    Product,
    Quotient,
    Softmax,
    Sum,
    Total,
    Transpose,
    Variable,
    Whole,
    children,
    rebuild,
    walk,
)
from tests.text.equation.labelled import rows
from tests.text.equation.parts import PARTS

WRONG = "wrong"  # anything but equal
FRESH = ("p", "r", "u", "g", "o2", "m'", "c3", "f7")  # none begins as a name of an answer does


@dataclass(frozen=True)
class Rewrite:
    """An answer written anew, the verdict it must get, and what it was made of."""

    part: str
    answer: str
    verdict: str
    origin: str


# ------------------------------------------------------------ of trees


def backwards(expr: Expr) -> Expr:
    """Terms in another order; factors too where all are numbers, as they are with all their indices."""
    if any(isinstance(node, Dots) for node in walk(expr)):
        return expr  # dots are read by what stands beside them
    expr = rebuild(expr, backwards)
    if isinstance(expr, Total):
        return replace(expr, signs=expr.signs[::-1], terms=expr.terms[::-1])
    if isinstance(expr, Product) and all(_is_entry(factor) for factor in expr.factors):
        return replace(expr, factors=expr.factors[::-1])
    return expr


def _is_entry(factor: Expr) -> bool:
    axes = {tensor.name: len(tensor.axes) for _, part, _, _ in PARTS.values() for tensor in part.tensors}
    if isinstance(factor, Lookup):
        whole = any(isinstance(index, Whole) for index in factor.indices)
        return len(factor.indices) == axes.get(factor.tensor, -1) and not whole
    return isinstance(factor, Number)


def one_sum_each(expr: Expr) -> Expr:
    """`sum_{x,y}` as sum_x sum_y."""
    expr = rebuild(expr, one_sum_each)
    if not isinstance(expr, Sum) or len(expr.binders) < 2 or any(_bounded(b) for b in expr.binders):
        return expr
    body: Expr = expr.body
    for binder in reversed(expr.binders):
        body = replace(expr, binders=(binder,), body=body)
    return body


def _bounded(binder: Binder) -> bool:
    return bool(binder.conditions or binder.low or binder.high)


def renamed_sums(random: Random) -> Callable[[Expr], Expr]:
    """Other names for the bound indices; where a sum is idle, it has its range from a namesake, and none is."""

    def visit(expr: Expr) -> Expr:
        used = _indices(expr)
        if isinstance(expr, Sum) and all(not _bounded(b) and b.name[0].islower() for b in expr.binders):
            called = {node.function for node in walk(expr) if isinstance(node, Call)}
            free = [name for name in FRESH if name not in used and name[0] not in called]
            names = dict(
                zip((b.name for b in expr.binders), random.sample(free, len(expr.binders)), strict=True)
            )
            body = rename(expr.body, {old: Variable(new) for old, new in names.items()})
            expr = replace(expr, binders=tuple(Binder(names[b.name]) for b in expr.binders), body=body)
        changed: Expr = rebuild(expr, visit)
        return changed

    def unless_idle(expr: Expr) -> Expr:
        sums = [node for node in walk(expr) if isinstance(node, Sum)]
        idle = any(b.name not in _indices(node.body) for node in sums for b in node.binders)
        return expr if idle else visit(expr)

    return unless_idle


def meddled(random: Random, part: str) -> Callable[[Expr], Expr]:
    """One place of a tree changed in meaning, chosen at random; the whole doubled where no place can be."""

    def visit(expr: Expr) -> Expr:
        kinds = Total | Product | Lookup | Softmax | Call
        nodes = [node for node in _counting(expr) if isinstance(node, kinds) and _has_tensor(node)]
        random.shuffle(nodes)
        for node in nodes:
            if (changed := _changed(node, random, part)) is not None:
                return _with(expr, node, changed)
        return Product((Number(Fraction(2)), expr))

    return visit


def _changed(node: Expr, random: Random, part: str) -> Expr | None:
    match node:
        case Total(signs, terms) if len(terms) > 1 and not any(
            isinstance(t, Dots) or _is_nothing(t) for t in terms
        ):
            at = random.randrange(len(terms))
            if random.random() < 0.5:
                return replace(node, signs=(*signs[:at], -signs[at], *signs[at + 1 :]))
            return replace(node, signs=(*signs[:at], *signs[at + 1 :]), terms=(*terms[:at], *terms[at + 1 :]))
        case Product(factors) if len(factors) > 1 and not any(isinstance(node, Ones) for node in walk(node)):
            at = random.randrange(len(factors))
            if isinstance(factors[at], Power | Transpose) and not _has_tensor(factors[at]):
                return None  # (-1)^T is 1 where T is even; before types are known it may be a transpose
            if _may_be_one(factors[at]):
                return None
            return replace(node, factors=(*factors[:at], *factors[at + 1 :]))
        case Lookup():
            return random.choice([_sibling, _exchanged, _shifted])(node, part)
        case Softmax(over=(_, *_)) if others := sorted(_indices(node.body) - set(node.over)):
            return replace(node, over=(random.choice(others), *node.over[1:]))
        case Call(function, (inner,)) if function in ("sigmoid", "sigma", "exp", "tanh", "sqrt"):
            return inner
    return None


def _may_be_one(expr: Expr) -> bool:
    """1 / sum_{x,y} alpha[x,y] is 1 where the weights alpha add up to 1."""
    below = expr.below if isinstance(expr, Quotient) else None
    return isinstance(below, Sum) and isinstance(below.body, Lookup) and not _has_tensor(expr.above)


def _counting(expr: Expr) -> Iterator[Expr]:
    """The places of a tree that no factor of 0 takes away."""
    if not _is_nothing(expr):
        yield expr
        for child in children(expr):
            yield from _counting(child)


def _is_nothing(expr: Expr) -> bool:
    zero = Number(Fraction(0))
    factors = expr.factors if isinstance(expr, Product) else ()
    return zero in (expr, *factors, *((expr.left, expr.right) if isinstance(expr, Pair) else ()))


def _has_tensor(expr: Expr) -> bool:
    """Arithmetic of indices alone may be changed and mean the same: (-1)^(1 - t) is (-1)^(t + 1)."""
    return any(isinstance(node, Lookup) for node in walk(expr))


def _with(expr: Expr, old: Expr, new: Expr) -> Expr:
    if expr is old:
        return new
    changed: Expr = rebuild(expr, lambda child: _with(child, old, new))
    return changed


def _indices(expr: Expr) -> set[str]:
    return {node.name for node in walk(expr) if isinstance(node, Variable)}


def _sibling(node: Lookup, part: str) -> Expr | None:
    """Another tensor with the same axes."""
    axes = {tensor.name: tuple(tensor.axes) for tensor in PARTS[part][1].tensors}
    others = [name for name in axes if name != node.tensor and axes[name] == axes.get(node.tensor)]
    return replace(node, tensor=others[0]) if others else None


def _exchanged(node: Lookup, part: str) -> Expr | None:
    """Two indices of one axis the other way round."""
    axes = next((tensor.axes for tensor in PARTS[part][1].tensors if tensor.name == node.tensor), [])
    for at in range(min(len(axes), len(node.indices)) - 1):
        if axes[at] == axes[at + 1] and node.indices[at] != node.indices[at + 1]:
            swapped = (node.indices[at + 1], node.indices[at])
            return replace(node, indices=(*node.indices[:at], *swapped, *node.indices[at + 2 :]))
    return None


def _shifted(node: Lookup, part: str) -> Expr | None:
    """An index of a numbered axis one further on."""
    equation = PARTS[part][1]
    axes = next((tensor.axes for tensor in equation.tensors if tensor.name == node.tensor), [])
    for at, (index, axis) in enumerate(zip(node.indices, axes, strict=False)):
        if axis in equation.ranges and not isinstance(index, Whole | Lookup):
            later = Total((1, 1), (index, Number(Fraction(1))))
            return replace(node, indices=(*node.indices[:at], later, *node.indices[at + 1 :]))
    return None


CHANGES: tuple[Callable[[Expr], Expr], ...] = (
    lambda right: Product((Number(Fraction(2)), right)),
    lambda right: Quotient(right, Number(Fraction(3))),
    lambda right: Total((-1,), (right,)),
    lambda right: Total((1, 1), (right, right)),
)  # each makes of a right side another meaning


# ------------------------------------------------------------ of text

Dialect = Callable[[str], str]


def _swap(pattern: str, by: str) -> Dialect:
    return lambda text: re.sub(pattern, lambda _: by, text)


PLAIN: tuple[Dialect, ...] = (
    _swap(r" = ", "="),
    _swap(r", ", ","),
    _swap(r" \+ ", "  +  "),
    _swap(r"\bsum_", "Σ_"),
    _swap(r"\balpha\b", "α"),
    _swap(r"\bsqrt\(I\)", "√I"),
    _swap(r" / ", " ÷ "),
    _swap(r"⊤", "T"),
)
LATEX: tuple[Dialect, ...] = (
    _swap(r"\\frac", r"\dfrac"),
    _swap(r"\\frac", r"\cfrac"),
    _swap(r"\\left\(", r"\bigl("),
    _swap(r"\\right\)", r"\bigr)"),
    _swap(r"\\text\{", r"\mathrm{"),
    _swap(r"\\operatorname\{", r"\text{"),
    _swap(r"\\sum_", r"\sum\limits_"),
    _swap(r" \\, ", r" \; "),
    _swap(r"\\top", r"{\intercal}"),
    _swap(r"\\langle", r"\left\langle"),
    _swap(r"\\rangle", r"\right\rangle"),
)
REMARKS: tuple[Dialect, ...] = (
    lambda text: f"{text}  # as in the notes",
    lambda text: f"{text}.",
    lambda text: f"{text} for all of them",
    lambda text: f"{text}, since it is asked",
    lambda text: f"{text} (as we have seen)",
    lambda text: f"Answer: {text}",
    lambda text: f"**{text}**",
    lambda text: f"- {text}",
    lambda text: f"`{text}`",
    lambda text: f"$${text}$$",
    lambda text: f"\\begin{{aligned}} {text} \\end{{aligned}}",
)


def _restyled(text: str, latex: bool, random: Random) -> str:
    for dialect in random.sample(LATEX if latex else PLAIN, random.randint(0, 3)):
        text = dialect(text)
    lines = text.split("\n")
    at = random.randrange(len(lines))
    if random.random() < 0.6:
        lines[at] = random.choice(REMARKS)(lines[at])
    return "\n".join(lines)


# ------------------------------------------------------------ both


def _readable() -> list[tuple[str, str, ReadAnswer]]:
    found = []
    for part, verdict, answer in rows():
        if verdict == "unparseable" or "=" not in answer:
            continue
        try:
            read = read_answer(answer, vocabulary_of(PARTS[part][1]), {})
        except Unreadable:
            continue
        if all(line.line for line in read.lines):
            found.append((part, verdict, read))
    return found


def rewrites(seed: int) -> Iterator[Rewrite]:
    """An endless row of rewrites, the same for the same seed."""
    random = Random(seed)
    readable = _readable()
    while True:
        part, verdict, read = random.choice(readable)
        lines = [line.line for line in read.lines if line.line]
        changes: list[Callable[[Expr], Expr]] = [backwards, one_sum_each, renamed_sums(random)]
        for change in random.sample(changes, random.randint(0, len(changes))):
            lines = [replace(line, rights=tuple(change(right) for right in line.rights)) for line in lines]
        if verdict == "equal" and random.random() < 0.4:
            own = read.vocabulary.own
            at = random.choice([at for at, line in enumerate(lines) if line.left.tensor not in own])
            change = random.choice(CHANGES) if random.random() < 0.2 else meddled(random, part)
            lines[at] = replace(lines[at], rights=tuple(change(right) for right in lines[at].rights))
            verdict = WRONG
        latex = random.random() < 0.5
        written = (latex_lines if latex else plain_lines)(lines, read.vocabulary)
        origin = "\n".join(plain_lines([line.line for line in read.lines if line.line], read.vocabulary))
        yield Rewrite(part, _restyled("\n".join(written), latex, random), verdict, origin)


def flip(rewrite: Rewrite) -> str | None:
    """What went wrong with a rewrite, if its verdict is not the one it must get."""
    _, equation, key, slips = PARTS[rewrite.part]
    judged = judge_equation(rewrite.answer, equation, key, slips)
    if judged.verdict == rewrite.verdict or (rewrite.verdict == WRONG and judged.verdict != "equal"):
        return None
    said = f"{rewrite.part}: {judged.verdict} for {rewrite.verdict}: {judged.feedback}"
    return f"{said}\n  {rewrite.answer!r}\n  of {rewrite.origin!r}"


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    flips = 0
    for number, rewrite in enumerate(rewrites(seed), 1):
        if found := flip(rewrite):
            flips += 1
            print(found)
        if number == count:
            break
    print(f"{count} rewrites, {flips} flips")


if __name__ == "__main__":
    main()
