"""One formula and its key come in; whether they are equal under the assumptions goes out, by two opinions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.read import read
from autograder.text.expression.tree import Expr, Sym, add, div, names_in, neg, worked_out
from autograder.text.formula.algebra import Poly, Ratio, TooBig
from autograder.text.formula.evaluate import agree, close, points, value_at
from autograder.text.formula.given_norms import Given, split_given
from autograder.text.formula.normal import normal
from autograder.text.ordered_sets import canonical
from autograder.text.step_bound import remembered


class Disagreement(AnswerError):
    """The symbolic and the numerical opinion differ: a person has to look."""


@dataclass(frozen=True)
class QuestionSetting:
    """The names of a question and the variables that its assumptions express by others."""

    names: tuple[str, ...]
    values: dict[str, Expr] = field(default_factory=dict)
    given: Given = field(default_factory=lambda: Given({}, {}))

    def place(self, tree: Expr) -> Expr:
        return worked_out(tree, self.values)


@remembered(maxsize=512)
def setting_of(names: tuple[str, ...], assumptions: tuple[str, ...]) -> QuestionSetting:
    """What the assumptions give: I = J/K replaces I. Bounds say nothing about equality of formulas."""
    known = list(names)
    values: dict[str, Expr] = {}
    given, rest = split_given(assumptions)
    for text in rest:
        try:
            reading = read(text, known, (), "I = J/K")
        except AnswerError as error:
            raise AnswerError(f"assumption '{text}': {error}") from None
        known += [name for side in reading.sides for name in names_in(side) if name not in known]
        if reading.signs == ("=",) and not reading.orders:
            left, right = reading.sides
            if not isinstance(left, Sym):
                left, right = right, left
            if isinstance(left, Sym) and left.name not in names_in(right):
                values[left.name] = right
    return QuestionSetting(tuple(known), values, given)


def equal(left: Expr, right: Expr, setting: QuestionSetting) -> bool:
    """Whether two expressions are equal for all positive values that the assumptions allow."""
    left, right = setting.place(left), setting.place(right)
    names = sorted({*names_in(left), *names_in(right)})
    numeric = agree(left, right, names)
    try:
        symbolic: bool | None = normal(left).equals(normal(right))
    except TooBig:
        symbolic = None
    if numeric is False and not symbolic:
        return False
    if numeric is None and symbolic is not None:
        return symbolic
    if numeric and symbolic:
        return True
    raise Disagreement("two ways of comparing this formula disagree: your instructor has to look at it")


def ratio(left: Expr, right: Expr, setting: QuestionSetting) -> Ratio | None:
    """The quotient of two expressions in normal form, where it can be had."""
    try:
        return normal(div(setting.place(left), setting.place(right)))
    except AnswerError:
        return None


# ---------------------------------------------------------------- equations between variables


def same_equation(got: tuple[Expr, Expr], want: tuple[Expr, Expr], setting: QuestionSetting) -> bool:
    """Whether two equations hold for the same positive values: 2I = J, I = J/2 and 2IJ = J² do."""
    mine, key = (setting.place(add(left, neg(right))) for left, right in (got, want))
    return _same_zeros(normal(mine).above, normal(key).above, setting) and _zero_together(mine, want, setting)


def _same_zeros(mine: Poly, key: Poly, setting: QuestionSetting) -> bool:
    mine, key = _stripped(mine), _stripped(key)
    if mine == key:
        return True
    if not mine or not key or not _is_plain(mine) or not _is_plain(key):
        return False
    unknown = next((name for name in setting.names if _degree(key, name) == 1), None)
    return unknown is not None and _degree(mine, unknown) > 0 and _only_root(mine, key, unknown)


def _degree(poly: Poly, name: str) -> int:
    return max(int(dict(monomial).get(("name", name), 0)) for monomial in poly)


def _only_root(mine: Poly, key: Poly, unknown: str) -> bool:
    """Whether the key's root is the one positive root, at a few exact points for the other variables."""
    names = sorted({str(name[1]) for poly in (mine, key) for monomial in poly for name, _ in monomial})
    for point in points(names):
        at = {name: Fraction(value) for name, value in point.items()}
        bottom, slope = _coefficients(key, unknown, at)
        rest = _coefficients(mine, unknown, at)
        if not slope or not any(rest):
            return False
        root = -bottom / slope
        if _horner(rest, root):
            return False
        while len(rest) > 1 and not _horner(rest, root):
            rest = _divided(rest, root)
        # Descartes: without a change of sign there is no positive root left.
        if len({value > 0 for value in rest if value}) > 1:
            return False
    return True


def _coefficients(poly: Poly, unknown: str, at: dict[str, Fraction]) -> list[Fraction]:
    """The polynomial in one variable, lowest power first."""
    out = [Fraction(0)] * (_degree(poly, unknown) + 1)
    for monomial, value in poly.items():
        power = 0
        for (_, name), exponent in monomial:
            if name == unknown:
                power = int(exponent)
            else:
                value *= at[str(name)] ** int(exponent)
        out[power] += value
    return out


def _horner(coefficients: list[Fraction], at: Fraction) -> Fraction:
    total = Fraction(0)
    for value in reversed(coefficients):
        total = total * at + value
    return total


def _divided(coefficients: list[Fraction], root: Fraction) -> list[Fraction]:
    """The quotient by (x − root)."""
    out: list[Fraction] = []
    carry = Fraction(0)
    for value in reversed(coefficients[1:]):
        carry = carry * root + value
        out.append(carry)
    return out[::-1]


def _stripped(poly: Poly) -> Poly:
    """Without common factors, which are never zero, and with a fixed scale."""
    if not poly:
        return poly
    least: dict[object, Fraction] = {}
    names = {name for monomial in poly for name, _ in monomial}
    for name in names:
        least[name] = min(dict(monomial).get(name, Fraction(0)) for monomial in poly)
    shifted: Poly = {}
    for monomial, value in poly.items():
        powers = {**dict.fromkeys(names, Fraction(0)), **dict(monomial)}
        moved = ((name, power - least[name]) for name, power in powers.items())
        shifted[frozenset((name, power) for name, power in moved if power)] = value
    first = min(shifted, key=canonical)
    return {monomial: value / shifted[first] for monomial, value in shifted.items()}


def _is_plain(poly: Poly) -> bool:
    """A polynomial in variables alone, of modest degree."""
    powers = [(name, power) for monomial in poly for name, power in monomial]
    return len(poly) < 20 and all(name[0] == "name" and power in range(7) for name, power in powers)


def _zero_together(mine: Expr, want: tuple[Expr, Expr], setting: QuestionSetting) -> bool:
    """The second opinion: zero where the key gives a variable its value, not zero at other points."""
    left, right = want if isinstance(want[0], Sym) else want[::-1]
    names = sorted({*names_in(mine), *names_in(left), *names_in(right)})
    if not isinstance(left, Sym) or left.name in setting.values:
        return True
    for point in points(names, mine):
        off = value_at(mine, point)
        there = value_at(right, point)
        if there is None or off is None:
            continue
        on = value_at(mine, {**point, left.name: there})
        if on is None or not close(on, on - on) or close(off, off - off):
            raise Disagreement(
                "two ways of comparing this equation disagree: your instructor has to look at it"
            )
    return True
