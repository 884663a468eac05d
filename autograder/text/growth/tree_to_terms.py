"""An expression tree comes in; its growth goes out, as a maximum of minima of terms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.tree import (
    Add,
    Call,
    Const,
    E,
    Expr,
    Mul,
    Num,
    Pow,
    Sym,
    add,
    mul,
    names_in,
    neg,
)
from autograder.text.growth.exact import exact, log_of_base, multiply, stirling
from autograder.text.growth.exact_numbers import TooLarge, log_of_constant, value_of
from autograder.text.growth.max_of_min_terms import (
    ONE,
    Lattice,
    Undecided,
    below,
    join,
    leaf,
    meet,
    power,
    product,
)
from autograder.text.growth.terms import Form, Term, exp_term, log_form, point

# Says whether one term is always of lower order than the largest of others, under the assumptions.
Fades = Callable[[Term, tuple[Term, ...]], bool]
# Says whether an assumption holds one term at or below another: L <= T.
Under = Callable[[Term, Term], bool]
LOG_STAR_LEVEL = 6  # below every iterated logarithm that an answer may hold


class NotPositive(AnswerError):
    """An expression that is zero or negative, which no growth rate is."""

    def __init__(self) -> None:
        super().__init__("the answer is zero or negative somewhere: a growth rate is positive")


class NeedsSum(AnswerError):
    """A difference of logarithms that only the sum around it may make positive."""


def shape_of(node: Expr, fades: Fades, under: Under) -> Lattice:
    """The growth of an expression. `fades` and `under` are asked only about terms that are subtracted."""
    return _Shaper(fades, under).shape(node)


class _Shaper:
    def __init__(self, fades: Fades, under: Under) -> None:
        self.fades = fades
        self.under = under

    def shape(self, node: Expr) -> Lattice:
        constant = _sign(node)
        if constant is not None:
            if constant <= 0:
                raise NotPositive
            return ONE
        match node:
            case Sym(name):
                return leaf(point(name))
            case Add(terms):
                return self._sum(node, terms)
            case Mul(factors) if any(isinstance(f, Num) and f.value < 0 for f in factors):
                return self._signed(exact(node))
            case Mul(factors):
                out = ONE
                for factor in factors:
                    out = product(out, self.shape(factor))
                return out
            case Pow(base, exponent):
                return self._power(base, exponent)
            case Call():
                return self._call(node)
        raise Undecided("this expression cannot be decided")

    # ------------------------------------------------------------ sums

    def _sum(self, node: Expr, terms: tuple[Expr, ...]) -> Lattice:
        rest = [term for term in terms if _sign(term) != 0]
        if not any(_is_negative(term) for term in rest):
            try:
                return join(*(self.shape(term) for term in rest))
            except NeedsSum:
                pass
        return self._signed(exact(node))

    def _signed(self, form: Form, error: type[AnswerError] = AnswerError) -> Lattice:
        """The growth of a sum with some negative coefficients: of lower order, or they leave a rest."""
        up = tuple(term for term, coefficient in form.items() if coefficient > 0)
        left = {term: form[term] for term in up}  # of 2T - L with L <= T, one T
        if not up:
            raise NotPositive
        for term, coefficient in form.items():
            if coefficient > 0 or any(below(term, other) for other in up) or self.fades(term, up):
                continue
            above = next((t for t in up if left[t] + coefficient > 0 and self.under(term, t)), None)
            if above is not None:
                left[above] += coefficient
            else:
                raise error("the answer subtracts a term that may be as large as the rest: write it as a sum")
        return join(*(leaf(term) for term in up))

    # ------------------------------------------------------------ powers

    def _power(self, base: Expr, exponent: Expr) -> Lattice:
        try:
            constant = value_of(exponent)
        except TooLarge:
            raise Undecided("the answer has an exponent too large to compare: write a smaller one") from None
        if constant is not None:
            return power(self.shape(base), constant)
        if isinstance(exponent, Call) and exponent.name in ("max", "min"):
            rising = _sign(base) is None or log_of_constant(base) > 0
            chosen = join if (exponent.name == "max") == rising else meet
            return chosen(*(self._power(base, arg) for arg in exponent.args))
        out = ONE
        rest: list[Expr] = []
        for part in exponent.terms if isinstance(exponent, Add) else (exponent,):
            factor = self._easy_factor(base, part)
            if factor is None:
                rest.append(part)
            else:
                out = product(out, factor)
        if rest:
            form = multiply(exact(add(*rest), _own_base(base)), log_of_base(base))
            out = product(out, leaf(exp_term(form)))
        return out

    def _easy_factor(self, base: Expr, part: Expr) -> Lattice | None:
        """The factors of a power that need no exact exponent: b^2, and 2^(3 log X) = X^(3 log 2)."""
        constant = value_of(part)
        if constant is not None:
            return power(self.shape(base), constant)
        if _sign(base) is None:
            return None
        factors = part.factors if isinstance(part, Mul) else (part,)
        logs = [factor for factor in factors if isinstance(factor, Call) and factor.name in ("log", "ln")]
        others = value_of(mul(*(factor for factor in factors if factor not in logs)))
        if len(logs) != 1 or others is None:
            return None
        (log,) = logs
        below_log = log_of_constant(log.args[1]) if len(log.args) == 2 and _sign(log.args[1]) else None
        if len(log.args) == 2 and below_log is None:
            return None
        if below_log is None:
            below_log = log_of_constant(_own_base(base)) if log.name == "log" else Fraction(1)
        return power(self.shape(log.args[0]), others * log_of_constant(base) / below_log)

    # ------------------------------------------------------------ functions

    def _call(self, node: Call) -> Lattice:
        first = node.args[0]
        match node.name:
            case "max":
                return join(*(self.shape(arg) for arg in node.args))
            case "min":
                return meet(*(self.shape(arg) for arg in node.args))
            case "abs" | "ceil" | "floor":
                return self.shape(first)
            case "ln" | "log":
                out = self._log(self.shape(first))
                if len(node.args) == 2 and _sign(node.args[1]) is None:
                    out = product(out, power(self._log(self.shape(node.args[1])), -1))
                return out
            case "log*":
                return self._log_star(self.shape(first))
            case "factorial":
                return leaf(exp_term(stirling(exact(first))))
            case "binom":
                return self._binom(first, node.args[1])
        raise Undecided(f"'{node.name}' cannot be decided here: write it out")

    def _log(self, inner: Lattice) -> Lattice:
        """Logarithms are monotone: they pass through maxima and minima."""
        return join(*(meet(*(self._log_term(term) for term in low)) for low in inner))

    def _log_term(self, term: Term) -> Lattice:
        form = log_form(term)
        return self._signed(form, NeedsSum) if form else ONE

    def _log_star(self, inner: Lattice) -> Lattice:
        names = sorted({name for low in inner for term in low for (name, _), _ in term.powers})
        return join(*(leaf(point(name, LOG_STAR_LEVEL)) for name in names)) if names else ONE

    def _binom(self, above: Expr, chosen: Expr) -> Lattice:
        count = value_of(chosen)
        if count is not None:
            if count < 0 or count.denominator != 1:
                raise AnswerError("a binomial coefficient needs a whole number below: check it")
            return power(self.shape(above), count)
        form: Form = dict(stirling(exact(above)))
        for part in (chosen, add(above, neg(chosen))):
            for term, coefficient in stirling(exact(part)).items():
                form[term] = form.get(term, 0) - coefficient
        return leaf(exp_term({term: value for term, value in form.items() if value}))


def _sign(node: Expr) -> Fraction | None:
    """The value of a constant, or 1 for one too large to write out; None where there is a variable."""
    try:
        return value_of(node)
    except TooLarge:
        return None if names_in(node) else Fraction(1)


def _is_negative(term: Expr) -> bool:
    factors = term.factors if isinstance(term, Mul) else (term,)
    sign = 1
    for factor in factors:
        if isinstance(factor, Num) and factor.value < 0:
            sign = -sign
    return sign < 0


def _own_base(base: Expr) -> Expr:
    """The base of a bare 'log' in an exponent: e over e, 10 over 10, else 2, so that 2^(log n) is n."""
    if isinstance(base, Const):
        return E
    if base == Num(Fraction(10)):
        return base
    return Num(Fraction(2))
