"""A formula and a point come in; its value there, a number or a matrix, goes out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.analysis import decimal_functions
from autograder.text.analysis.decimal_functions import ONE, ZERO, NoValue
from autograder.text.analysis.scope import UNORDERED, Scope
from autograder.text.expression.tree import RELATIONS, Add, Call, Const, Entry, Expr, Many, Mul, Num, Pow, Sym
from autograder.text.step_bound import spend

SIDE = 3  # of every matrix
ALL = 4  # entries over which a sum without ends runs
LONGEST_SUM = 60

Rows = tuple[tuple[Decimal, ...], ...]
Value = Decimal | Rows
IDENTITY: Rows = tuple(tuple(ONE if i == j else ZERO for j in range(SIDE)) for i in range(SIDE))


class Unfit(AnswerError):
    """Matrices that do not fit together, or a number where a matrix belongs."""


@dataclass(frozen=True)
class Point:
    """The values of names, and how those of entries and declared functions are made up."""

    values: Mapping[str, Value]
    scope: Scope
    seed: str
    chance: Callable[[Call, Point], Decimal] | None = None  # a model of probability, where one is asked
    bound: Mapping[str, Decimal] = field(default_factory=dict)

    def bind(self, name: str, value: Decimal) -> Point:
        return Point(self.values, self.scope, self.seed, self.chance, {**self.bound, name: value})

    def drawn(self, *what: object, negative: bool) -> Decimal:
        """A number made up from a description: the same for the same one."""
        digest = hashlib.blake2b(repr((self.seed, *what)).encode(), digest_size=16).digest()
        number = Decimal(int.from_bytes(digest[:8], "big") % 10**15) / 10**15 * 2 + Decimal("0.2")
        return -number if negative and digest[15] % 2 else number


def value(node: Expr, point: Point) -> Value:
    spend(4)
    match node:
        case Num(number):
            return decimal(number)
        case Const(name):
            return _constant(name)
        case Sym(name):
            return _name(name, point)
        case Entry(name, index):
            if name in point.scope.matrices:
                raise Unfit(f"entries of {name} cannot be read: write the formula with whole matrices")
            return point.drawn(name, _digits(value(index, point)), negative=name in point.scope.reals)
        case Add(terms):
            return _sum([value(term, point) for term in terms])
        case Mul(factors):
            product = value(factors[0], point)
            for factor in factors[1:]:
                product = times(product, value(factor, point))
            return product
        case Pow(Const("e"), exponent):
            return decimal_functions.exp(scalar(value(exponent, point)))
        case Pow(base, exponent):
            return _power(value(base, point), value(exponent, point))
        case Call():
            return _apply(node, point)
        case Many():
            return _many(node, point)


def decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def scalar(found: Value) -> Decimal:
    if isinstance(found, Decimal):
        return found
    raise Unfit("a matrix stands where a number belongs: check the formula's shapes")


def _name(name: str, point: Point) -> Value:
    found = point.bound.get(name, point.values.get(name))
    if found is None:
        raise NoValue
    return found


def _constant(name: str) -> Value:
    match name:
        case "e":
            return ONE.exp()
        case "pi":
            return decimal_functions.PI * ONE
    return IDENTITY


# ---------------------------------------------------------------- matrices


def shape(rows: Rows) -> str:
    across = len(rows[0])
    if (len(rows), across) == (SIDE, SIDE):
        return "a matrix"
    return "a row" if len(rows) == 1 else "a column"


def times(left: Value, right: Value) -> Value:
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left * right
    if isinstance(left, Decimal) or isinstance(right, Decimal):
        factor, rows = (left, right) if isinstance(left, Decimal) else (right, left)
        assert isinstance(factor, Decimal)
        assert not isinstance(rows, Decimal)
        return tuple(tuple(factor * entry for entry in row) for row in rows)
    if len(left[0]) != len(right):
        raise Unfit(f"{shape(left)} times {shape(right)} does not fit: check the order and the transposes")
    return _plain(
        tuple(
            tuple(
                sum((a * b for a, b in zip(row, column, strict=True)), ZERO)
                for column in zip(*right, strict=True)
            )
            for row in left
        )
    )


def _plain(rows: Rows) -> Value:
    """A matrix of one entry is a number."""
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else rows


def _sum(terms: Sequence[Value]) -> Value:
    if all(isinstance(term, Decimal) for term in terms):
        return sum((scalar(term) for term in terms), ZERO)
    terms = [term for term in terms if not isinstance(term, Decimal) or term]  # A + 0
    matrices = [term for term in terms if not isinstance(term, Decimal)]
    kinds = {(len(term), len(term[0])) for term in matrices}
    if len(matrices) < len(terms) or len(kinds) > 1:
        names = {shape(term) for term in matrices} | {
            "a number" for term in terms if isinstance(term, Decimal)
        }
        raise Unfit(f"{' and '.join(sorted(names))} are added: check the order and the transposes")
    return tuple(
        tuple(sum(entries, ZERO) for entries in zip(*rows, strict=True))
        for rows in zip(*matrices, strict=True)
    )


def transposed(found: Value) -> Value:
    return found if isinstance(found, Decimal) else tuple(zip(*found, strict=True))


def _square(found: Value) -> list[list[Decimal]]:
    if isinstance(found, Decimal) or len(found) != len(found[0]):
        raise Unfit("only a square matrix has this: check the formula's shapes")
    return [list(row) for row in found]


def _inverted(found: Value) -> Rows:
    """Gauss and Jordan, with the largest pivot."""
    rows = [[*row, *one] for row, one in zip(_square(found), IDENTITY, strict=True)]
    for at in range(SIDE):
        best = max(range(at, SIDE), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        pivot = rows[at][at]
        rows[at] = [decimal_functions.over(entry, pivot) for entry in rows[at]]
        for other in range(SIDE):
            if other != at:
                factor = rows[other][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return tuple(tuple(row[SIDE:]) for row in rows)


def _determinant(found: Value) -> Decimal:
    (a, b, c), (d, e, f), (g, h, i) = _square(found)
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(base, Decimal):
        return decimal_functions.power(base, scalar(exponent))
    power = scalar(exponent)
    if power != power.to_integral_value() or abs(power) > 20:
        raise Unfit("a matrix has whole powers only: check the exponents")
    if len(base) != len(base[0]):
        raise Unfit(f"{shape(base)} has no powers: write the product with a transpose")
    out: Value = IDENTITY
    for _ in range(abs(int(power))):
        out = times(out, base)
    return _inverted(out) if power < 0 else out


# ---------------------------------------------------------------- functions


def _apply(node: Call, point: Point) -> Value:
    if point.scope.is_function(node.name):
        return _declared(node, point)
    args = [value(arg, point) for arg in node.args]
    if any(not isinstance(arg, Decimal) for arg in args):
        return _of_matrices(node.name, args)
    return _of_numbers(node.name, [scalar(arg) for arg in args])


def _of_numbers(name: str, args: list[Decimal]) -> Value:
    match name:
        case "log" | "ln" if len(args) == 2:
            return decimal_functions.over(decimal_functions.ln(args[0]), decimal_functions.ln(args[1]))
        case "log":
            return decimal_functions.ln(args[0])
        case "max":
            return max(args)
        case "min":
            return min(args)
        case "binom":
            return decimal_functions.binom(*args)
        case "logsumexp":
            return decimal_functions.ln(sum((decimal_functions.exp(arg) for arg in args), ZERO))
        case "each" | "inner":
            return args[0] * args[1]
        case "inverse":
            return decimal_functions.over(ONE, args[0])
        case _ if name in decimal_functions.FUNCTIONS:
            return decimal_functions.FUNCTIONS[name](args[0])
    raise NoValue


def _of_matrices(name: str, args: list[Value]) -> Value:
    first = args[0]
    match name:
        case "transpose":
            return transposed(first)
        case "inverse":
            return _inverted(first)
        case "abs" if not isinstance(first, Decimal) and min(len(first), len(first[0])) == 1:
            return _of_matrices("norm", args)
        case "det" | "abs":
            return _determinant(first)
        case "tr":
            return sum((row[at] for at, row in enumerate(_square(first))), ZERO)
        case "norm" | "norm_2":
            assert not isinstance(first, Decimal)
            if name == "norm_2" and min(len(first), len(first[0])) > 1:
                raise Unfit("the norm of a matrix with 2 below it is not read: write \\|A\\|_F for the other")
            return sum((entry * entry for row in first for entry in row), ZERO).sqrt()
        case "inner":
            return times(transposed(first), args[1])
        case "each":
            left, right = args
            if isinstance(left, Decimal) or isinstance(right, Decimal) or shape(left) != shape(right):
                raise Unfit("an elementwise product needs two of the same shape")
            pairs = zip(left, right, strict=True)
            return tuple(tuple(a * b for a, b in zip(*rows, strict=True)) for rows in pairs)
    raise Unfit(f"{name} of a matrix cannot be read here: write it with products, transposes and inverses")


def _declared(node: Call, point: Point) -> Decimal:
    """A number made up for the function and the values of its arguments: nothing else is known of it."""
    if point.chance is not None:
        return point.chance(node, point)
    parts = []
    for side in (node.args, node.given):
        if node.name.rstrip("'").split("_")[0] in UNORDERED:
            parts.append(tuple(sorted({text for arg in side for text in _joint(arg, point)})))
        else:
            parts.append(tuple(text for arg in side for text in _described(arg, point)))
    return point.drawn(node.name, *parts, negative=False)


def _joint(arg: Expr, point: Point) -> list[str]:
    if isinstance(arg, Call) and arg.name == "and":
        return [text for part in arg.args for text in _joint(part, point)]
    return _described(arg, point)


def _described(arg: Expr, point: Point) -> list[str]:
    match arg:
        case Call("and" | "or" as name, args):
            return [f"{name}({sorted(text for part in args for text in _described(part, point))})"]
        case Call("not", (Call("not", (inner,)),)):
            return _described(inner, point)
        case Call("not", args):
            return [f"not({_described(args[0], point)})"]
        case Call(relation, (left, right)) if relation in RELATIONS:
            return [f"{relation}({_described(left, point)}, {_described(right, point)})"]
        case _:
            return [_digits(value(arg, point))]


def _digits(found: Value) -> str:
    """A number to thirty digits, whole ones plainly, so that equal arguments have equal texts."""
    if not isinstance(found, Decimal):
        return str([_digits(entry) for row in found for entry in row])
    rounded = round(found, 25)
    return f"{rounded.normalize():f}"


def _many(node: Many, point: Point) -> Value:
    if node.low is None or node.high is None:
        steps = range(1, ALL + 1)
    else:
        low, high = (scalar(value(end, point)) for end in (node.low, node.high))
        if low != low.to_integral_value() or high != high.to_integral_value() or high - low > LONGEST_SUM:
            raise NoValue
        steps = range(int(low), int(high) + 1)
    terms = [value(node.body, point.bind(node.index, Decimal(step))) for step in steps]
    if node.name == "sum":
        return _sum(terms) if terms else ZERO
    found = [scalar(term) for term in terms]
    if node.name == "prod":
        product = ONE
        for each in found:
            product *= each
        return product
    if not found:
        raise NoValue
    if node.name == "logsumexp":
        return decimal_functions.ln(sum((decimal_functions.exp(each) for each in found), ZERO))
    return max(found) if node.name == "max" else min(found)
