"""Functions and methods with their arguments: softmax, stacks, and what torch and numpy call them."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from autograder.text.equation.declarations import ELEMENTWISE, Vocabulary
from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.tree import (
    Along,
    Call,
    Expr,
    Listing,
    Lookup,
    Number,
    Ones,
    Pair,
    Place,
    Power,
    Quotient,
    Size,
    Softmax,
    Spread,
    Stack,
    Total,
    Transpose,
    Variable,
)

MODULES = frozenset(
    [
        "torch",
        "einops",
        "np",
        "numpy",
        "math",
        "nn",
        "functional",
        "F",
        "jnp",
        "jax",
        "scipy",
        "special",
        "linalg",
        "tf",
    ]
)
PAIRS = frozenset(["kron", "inner", "outer", "matmul"])
REDUCTIONS = {"max": "max", "min": "min", "prod": "product", "mean": "mean", "avg": "mean", "average": "mean"}
AXES = {
    "col": "column", "cols": "column", "column": "column", "columns": "column",
    "row": "row", "rows": "row",
}  # fmt: skip


@dataclass(frozen=True)
class Arguments:
    """What stands between the brackets of a call; `named` are those such as dim=-1."""

    items: tuple[Expr, ...]
    named: dict[str, str]

    @property
    def whole(self) -> Expr:
        return self.items[0] if len(self.items) == 1 else Listing(self.items)

    def axis(self, position: int = 1) -> str:
        """The axis that is named, or given as a number in this position."""
        for word in ("dim", "axis"):
            if word in self.named:
                return self.named[word].strip("()[] ")  # dim=(-2, -1) names two
        given = self.items[position] if position < len(self.items) else None
        if isinstance(given, Listing):  # (0, 1)
            numbers = [integer(item) for item in given.items]
            if None in numbers:
                raise Unreadable("axes are numbers here, such as (0, 1), or stand below a sum", given.place)
            return ",".join(map(str, numbers))
        number = integer(given) if given is not None else None
        return "" if number is None else str(number)

    @property
    def keeps(self) -> bool:
        return "True" in (self.named.get("keepdim"), self.named.get("keepdims"))


def integer(expr: Expr) -> int | None:
    match expr:
        case Number(value) if value.denominator == 1:
            return int(value)
        case Total((-1,), (inner,)):
            positive = integer(inner)
            return None if positive is None else -positive
    return None


def build_call(function: str, given: Arguments, place: Place) -> Expr:
    """A function that is written with all its arguments in brackets."""
    items = given.items
    if function in PAIRS and len(items) == 2:
        return Pair("kron" if function == "outer" else function, items[0], _turned(function, items[1]), place)
    if function == "transpose":
        return transposed(items[0], given.items[1:], given.named, place)
    if function == "ones":
        return Ones()
    if function == "embedding" and len(items) == 2 and isinstance(items[1], Lookup):
        return replace(items[1], indices=(items[0], *items[1].indices))  # F.embedding(w, e) is e[w]
    if function == "take" and len(items) == 2 and isinstance(items[0], Lookup) and given.axis(9) == "0":
        return replace(items[0], indices=(items[1], *items[0].indices))  # np.take(e, w, axis=0)
    return Call(function, items, place)


def _turned(function: str, expr: Expr) -> Expr:
    """outer(a, b) is a bᵀ."""
    return Transpose(expr) if function == "outer" else expr


def transposed(body: Expr, axes: tuple[Expr, ...], named: dict[str, str], place: Place) -> Expr:
    if len(axes) == 1 and isinstance(axes[0], Listing):
        axes = axes[0].items
    numbers = [integer(axis) for axis in axes] if axes else [int(n) for n in named.values() if _is_whole(n)]
    return Transpose(body, place=place, axes=",".join(map(str, numbers)))


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def stacked(given: Arguments, sideways: bool, matrix: bool, place: Place) -> Expr:
    """concat(a, b), torch.cat([a, b], dim=0) or vstack([a; b])."""
    axis = given.named.get("dim") or given.named.get("axis") or ""
    sideways = (axis == "1" or (axis == "-1" and matrix)) if axis else sideways
    inside = given.whole
    if isinstance(inside, Listing) and len(inside.items) == 2 and integer(inside.items[1]) is not None:
        sideways, inside = integer(inside.items[1]) == 1, inside.items[0]
    if isinstance(inside, Stack):
        return replace(inside, sideways=sideways)
    return Stack(inside.items if isinstance(inside, Listing) else (inside,), sideways, place)


# ------------------------------------------------------------ methods

Method = Callable[[Expr, Arguments, Place], Expr]


def _along(kind: str) -> Method:
    def build(body: Expr, given: Arguments, place: Place) -> Expr:
        return Along(kind, body, given.axis(0), given.keeps, place)

    return build


def _pair(kind: str) -> Method:
    def build(body: Expr, given: Arguments, place: Place) -> Expr:
        if len(given.items) != 1:
            raise Unreadable(f"{kind} takes one argument, found {len(given.items)}", place)
        return Pair(kind, body, given.items[0], place)

    return build


def _call(function: str) -> Method:
    return lambda body, given, place: Call(function, (body, *given.items), place)


# Where a new axis goes: "upright" is behind all others, however many there are; the others are of a vector.
NEW_AXES = {"0": "row", "1": "column", "-1": "upright"}


def _lifted(body: Expr, given: Arguments, place: Place) -> Expr:
    """`x.unsqueeze(1)` stands a vector up as a column, `x.unsqueeze(0)` lays it down as a row."""
    axis = given.axis(0)
    if axis not in NEW_AXES:
        raise Unreadable("unsqueeze is read with 0, 1 or -1 here", place)
    return Call(NEW_AXES[axis], (body,), place)


METHODS: dict[str, Method] = {
    "T": lambda body, given, place: Transpose(body, place=place, axes="all"),
    "t": lambda body, given, place: Transpose(body, place=place, axes="all"),
    "mT": lambda body, given, place: Transpose(body, place=place, axes="-2,-1"),
    "transpose": lambda body, given, place: transposed(body, given.items, given.named, place),
    "swapaxes": lambda body, given, place: transposed(body, given.items, given.named, place),
    "permute": lambda body, given, place: transposed(body, given.items, given.named, place),
    "sum": _along("sum"),
    "mean": _along("mean"),
    "amax": _along("max"),
    "amin": _along("min"),
    "softmax": lambda body, given, place: Softmax((), body, given.axis(0), place),
    "dot": _pair("matmul"),
    "matmul": _pair("matmul"),
    "bmm": _pair("matmul"),
    "outer": lambda body, given, place: build_call("outer", Arguments((body, *given.items), {}), place),
    "unsqueeze": _lifted,
    "diag": _call("diag"),
    "div": lambda body, given, place: Quotient(body, given.whole, place),
    "mul": _pair("each"),
    "add": lambda body, given, place: Total((1, 1), (body, given.whole), place),
    "sub": lambda body, given, place: Total((1, -1), (body, given.whole), place),
    "pow": lambda body, given, place: Power(body, given.whole, place),
    **{name: _call(name) for name in sorted(ELEMENTWISE)},
}
UNCALLED = ("T", "mT")  # methods without brackets
METHODS_ONLY = frozenset(["T", "t", "mT", "shape", "size", "unsqueeze"])


def length_of(body: Expr, axis: str, vocabulary: Vocabulary, place: Place) -> Expr:
    """`WQ.shape[1]` or `WQ.size(1)`: the length of an axis of a declared tensor."""
    declared = vocabulary.tensors.get(body.tensor) if isinstance(body, Lookup) else None
    if declared is None or not isinstance(body, Lookup) or not _is_whole(axis):
        raise Unreadable("the shape is read of a tensor of the table, such as WQ.shape[1]", place)
    axes = declared.axes[len(body.indices) :]
    number = int(axis)
    if not -len(axes) <= number < len(axes):
        raise Unreadable(f"{declared.name} has no axis {number} here", place)
    return Size(axes[number], place)


def letters_of(pattern: str, place: Place) -> str:
    """A pattern of einsum with a letter for each index: `k i j1, k i j2 -> k j1 j2` is `abc,abd->acd`."""
    names = list(dict.fromkeys(re.findall(r"\w+", pattern)))
    spaced = any(len(part.split()) > 1 for part in re.split(r",|->", pattern))
    if not spaced and all(name.isalpha() for name in names):
        return "".join(pattern.split())
    if len(names) > len(string.ascii_lowercase):
        raise Unreadable("einsum has too many indices: write fewer", place)
    letters = dict(zip(names, string.ascii_lowercase, strict=False))
    return "".join(re.sub(r"\w+", lambda found: letters[found[0]], pattern).split())


def agreement(first: Expr, second: Expr, place: Place) -> Expr:
    """One where an index is what the other says: the entry of a one-hot vector."""
    if not isinstance(second, Variable):
        first, second = second, first
    if not isinstance(second, Variable):
        raise Unreadable("one side must be an index alone, as in 1[w[b,t] = v]", place)
    return Spread(second.name, Call("onehot", (first,), place), place)


def larger(inside: Expr, place: Place) -> Expr:
    """`max(0, z)` is relu(z)."""
    items = inside.items if isinstance(inside, Listing) else ()
    others = [item for item in items if item != Number(Fraction(0))]
    if len(items) != 2 or len(others) != 1:
        raise Unreadable("max is read with an index, max_{j} a[j], or as max(0, z)", place)
    return Call("relu", (others[0],), place)
