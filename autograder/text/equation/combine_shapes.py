"""How the shapes of numbers, vectors and matrices combine, and why some do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from autograder.text.equation.chosen_sizes import Setting
from autograder.text.equation.faults import TypeFault
from autograder.text.equation.tree import Expr, Number, Place

ANY = -1  # the length of a vector of ones
BEFORE = "axis"  # "axis-3" is the third axis from the end


@dataclass(frozen=True)
class Shape:
    """Open indices; rows and columns where it is a column, a row or a matrix."""

    names: frozenset[str] = frozenset()
    rows: int | None = None
    cols: int | None = None

    @property
    def scalar(self) -> bool:
        return self.rows is None and self.cols is None

    @property
    def turned(self) -> Shape:
        return Shape(self.names, self.cols, self.rows)


def axes_before(names: Iterable[str]) -> list[str]:
    """The axes before the last two, the foremost first; code has them, and broadcasts them."""
    found = [name for name in names if name.startswith(BEFORE)]
    return sorted(found, key=lambda name: int(name.removeprefix(BEFORE)))


def implied_axes(shape: Shape) -> list[str]:
    return axes_before(shape.names)


def fits(left: int | None, right: int | None) -> bool:
    return left == right or (left is not None and right is not None and ANY in (left, right))


class Algebra:
    """Products, quotients and sums of shapes, for one choice of lengths."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def length(self, written: str) -> int:
        """The length of an axis, or of a product of axes."""
        product = 1
        for name in written.split("*"):
            product *= self.setting.sizes[name.strip()]
        return product

    def times(self, left: Shape, right: Shape, place: Place) -> Shape:
        names = left.names | right.names
        if left.scalar or right.scalar:
            other = right if left.scalar else left
            return Shape(names, other.rows, other.cols)
        if left.cols is None and right.rows is None:  # column times row
            return Shape(names, left.rows, right.cols)
        if left.cols is not None and right.rows is not None and fits(left.cols, right.rows):
            return Shape(names, left.rows, right.cols)
        raise TypeFault(
            f"{self.words(left)} cannot be multiplied by {self.words(right)}: transpose one, or reorder",
            place,
        )

    def pair(self, kind: str, left: Shape, right: Shape, place: Place) -> Shape:
        """Two operands with a sign between them, or inside angle brackets."""
        names = left.names | right.names
        vectors = not left.scalar and not right.scalar and _single(left) and _single(right)
        if kind == "kron":
            return self.kron(left, right, place)
        if kind == "each" or (kind == "inner" and left.scalar and right.scalar):
            return self.entrywise(left, right, place)
        if kind == "matmul":
            return self.matmul(left, right, place)
        if vectors:
            if not fits(left.rows or left.cols, right.rows or right.cols):
                raise self.unlike(left, right, place)
            return Shape(names)
        if kind == "inner":
            raise TypeFault(
                f"an inner product needs two vectors, found {self.words(left)} and {self.words(right)}",
                place,
            )
        if left.cols is None and left.rows is not None and right.rows is not None:  # q . W
            left = left.turned
        return self.times(left, right, place)

    def entrywise(self, left: Shape, right: Shape, place: Place) -> Shape:
        """Entry by entry; a side of length 1 is stretched, as code does it."""
        names = left.names | right.names
        if left.scalar or right.scalar:
            other = right if left.scalar else left
            return Shape(names, other.rows, other.cols)
        alike = _rank(left) == _rank(right) and _stretches(left.rows, right.rows)
        if not alike or not _stretches(left.cols, right.cols):
            raise self.unlike(left, right, place)
        return Shape(names, _longer(left.rows, right.rows), _longer(left.cols, right.cols))

    def matmul(self, left: Shape, right: Shape, place: Place) -> Shape:
        """`@` of code: a vector has no direction, and what is left is a vector again."""
        if left.scalar or right.scalar:
            raise TypeFault("'@' joins vectors and matrices: multiply a number with '*'", place)
        if _single(left):
            left = Shape(left.names, None, left.rows or left.cols)
        if _single(right):
            right = Shape(right.names, right.rows or right.cols)
        shape = self.times(left, right, place)
        return shape.turned if shape.rows is None and shape.cols is not None else shape

    def kron(self, left: Shape, right: Shape, place: Place) -> Shape:
        if left.scalar or right.scalar:
            return self.times(left, right, place)
        rows = _times(left.rows, right.rows)
        return Shape(left.names | right.names, rows, _times(left.cols, right.cols))

    def quotient(self, above: Shape, below: Shape, place: Place) -> Shape:
        broadcast = above.rows is not None and below.rows is None and fits(above.cols, below.cols)
        if _rank(above) == _rank(below) == 2:
            return self.entrywise(above, below, place)
        if above.scalar and not below.scalar:  # 1 / (1 + exp(-A)), entry by entry
            return Shape(above.names | below.names, below.rows, below.cols)
        if not below.scalar and not broadcast:
            raise TypeFault(f"cannot divide by {self.words(below)}: divide by a number", place)
        return Shape(above.names | below.names, above.rows, above.cols)

    def total(self, terms: tuple[Expr, ...], shapes: list[Shape], place: Place) -> Shape:
        names = frozenset[str]().union(*(shape.names for shape in shapes))
        widest = max(shapes, key=lambda shape: (_rank(shape), shape.cols or 0))
        for term, shape in zip(terms, shapes, strict=True):
            if isinstance(term, Number):
                continue
            same = fits(shape.rows, widest.rows) and fits(shape.cols, widest.cols)
            if _rank(shape) == _rank(widest) == 2:
                same = _stretches(shape.rows, widest.rows) and _stretches(shape.cols, widest.cols)
            bias = shape.cols is None and shape.rows is not None and shape.rows == widest.rows
            if not same and not bias:
                raise TypeFault(
                    f"{self.words(widest)} and {self.words(shape)} cannot be added: all terms need one shape",
                    place,
                )
        return Shape(names, widest.rows, widest.cols)

    def unlike(self, left: Shape, right: Shape, place: Place) -> TypeFault:
        return TypeFault(f"{self.words(left)} and {self.words(right)} do not have the same shape", place)

    def words(self, shape: Shape) -> str:
        def name(length: int | None) -> str:
            return "1" if length in (None, ANY, 1) else self.setting.length_name(length or 0)

        if more := len(implied_axes(shape)):
            return f"an array with {more + _rank(shape)} axes"
        if shape.scalar:
            return "a number"
        if shape.cols is None or shape.rows is None:
            kind = "a vector" if shape.cols is None else "a row vector"
            return f"{kind} of length {name(shape.rows if shape.cols is None else shape.cols)}"
        return f"a {name(shape.rows)} x {name(shape.cols)} matrix"


def _rank(shape: Shape) -> int:
    return (shape.rows is not None) + (shape.cols is not None)


def _stretches(first: int | None, second: int | None) -> bool:
    return fits(first, second) or (first is not None and second is not None and 1 in (first, second))


def _longer(first: int | None, second: int | None) -> int | None:
    return first if second is None or (first or 0) > second else second


def _single(shape: Shape) -> bool:
    return (shape.rows is None) != (shape.cols is None)


def _times(left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return left if right is None else right
    return left * right


# ------------------------------------------------------------ in which order a product is summed

GREEDY = 10  # factors; beyond these the order of writing is kept


@dataclass(frozen=True)
class ContractionStep:
    """Join two factors (by position among those left) and keep these indices."""

    left: int
    right: int
    keep: frozenset[str]


def plan_contraction(
    factors: Sequence[frozenset[str]], keep: frozenset[str], lengths: Mapping[str, int]
) -> tuple[list[ContractionStep], int]:
    """Pairwise steps, smallest result first, and the entries of the largest intermediate."""
    left = list(factors)
    steps: list[ContractionStep] = []
    largest = max((_entries(names, lengths) for names in left), default=1)
    while len(left) > 1:
        pairs = combinations(range(len(left)), 2) if len(left) <= GREEDY else iter([(0, 1)])
        best: ContractionStep | None = None
        cost = 0
        for first, second in pairs:
            names = _kept(left, first, second, keep)
            entries = _entries(names, lengths)
            if best is None or entries < cost:
                best, cost = ContractionStep(first, second, names), entries
        assert best is not None
        steps.append(best)
        largest = max(largest, cost)
        left = [names for at, names in enumerate(left) if at not in (best.left, best.right)] + [best.keep]
    return steps, largest


def _kept(factors: list[frozenset[str]], first: int, second: int, keep: frozenset[str]) -> frozenset[str]:
    others = [names for at, names in enumerate(factors) if at not in (first, second)]
    needed = keep.union(*others)
    return (factors[first] | factors[second]) & needed


def _entries(names: frozenset[str], lengths: Mapping[str, int]) -> int:
    return prod(lengths[name] for name in names)
