"""An expression tree comes in; plain text or LaTeX that a student can check goes out."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from autograder.text.expression.tree import RELATIONS, Add, Call, Const, Entry, Expr, Many, Mul, Num, Pow, Sym
from autograder.text.expression.vocabulary import GREEK_NAMES

SUM, PRODUCT, POWER, ATOM = range(4)
HALF = Fraction(1, 2)
BETWEEN = {"and": ("∩", r"\cap"), "or": ("∪", r"\cup")}
COMMANDS = (
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "coth",
    "ln", "log", "max", "min", "sum", "prod", "det",
)  # fmt: skip
TALL = ("\\left(", "\\right)")


def plain(node: Expr) -> str:
    """Text in the notation that students type; reading it again gives the same tree."""
    return _plain(node)[0]


def latex(node: Expr) -> str:
    """The same for a rendered cell."""
    return _latex(node)[0]


def _wrap(pair: tuple[str, int], least: int, opening: str = "(", closing: str = ")") -> str:
    text, level = pair
    return text if level >= least else f"{opening}{text}{closing}"


def _number(node: Num) -> tuple[str, int]:
    value = node.value
    if (digits := _digits(node)) is not None:
        return digits, ATOM if value >= 0 else SUM
    return f"{value.numerator}/{value.denominator}", PRODUCT if value >= 0 else SUM


def _digits(node: Num) -> str | None:
    """A whole number, or one that was typed with a point and can be said exactly; None for a quotient."""
    if node.value.denominator == 1:
        return str(node.value.numerator)
    if not node.typed:
        return None
    digits = f"{Decimal(node.value.numerator) / node.value.denominator:f}"
    return digits if Fraction(digits) == node.value else None


def _signed(terms: tuple[Expr, ...], show: Callable[[Expr], tuple[str, int]]) -> str:
    out = ""
    for number, term in enumerate(terms):
        text = _wrap(show(term), PRODUCT) if not _is_negative(term) else show(term)[0]
        if number == 0:
            out = text
        elif text.startswith("-"):
            out += f" - {text[1:]}"
        else:
            out += f" + {text}"
    return out


def _is_negative(node: Expr) -> bool:
    lead = node.factors[0] if isinstance(node, Mul) else node
    return isinstance(lead, Num) and lead.value < 0


def _fraction_parts(node: Mul) -> tuple[list[Expr], list[Expr]]:
    """Factors above and below the bar."""
    above: list[Expr] = []
    below: list[Expr] = []
    for factor in node.factors:
        if isinstance(factor, Pow) and isinstance(factor.exponent, Num) and factor.exponent.value < 0:
            power = -factor.exponent.value
            below.append(factor.base if power == 1 else Pow(factor.base, Num(power, factor.exponent.typed)))
        else:
            above.append(factor)
    return above, below


def _plain(node: Expr) -> tuple[str, int]:
    match node:
        case Num():
            return _number(node)
        case Const(name) | Sym(name):
            return name, ATOM
        case Entry(name, index):
            below = _plain(index)[0]
            return f"{name}_{{{below}}}" if len(below) > 1 else f"{name}_{below}", ATOM
        case Many():
            return _over_index(node, node.name, _plain), PRODUCT
        case Add(terms):
            return _signed(terms, _plain), SUM
        case Mul():
            return _plain_product(node)
        case Pow(base, exponent):
            return _plain_power(base, exponent)
        case Call():
            return _plain_call(node)


def _plain_product(node: Mul) -> tuple[str, int]:
    above, below = _fraction_parts(node)
    if above and above[0] == Num(Fraction(-1)) and len(above) > 1:
        return f"-{_plain_factors(above[1:], below)}", SUM
    return _plain_factors(above, below), SUM if _is_negative(node) else PRODUCT


def _plain_factors(above: list[Expr], below: list[Expr]) -> str:
    top = "*".join(_wrap(_plain(factor), POWER) for factor in above) or "1"
    if not below:
        return top
    bottom = "*".join(_wrap(_plain(factor), POWER) for factor in below)
    return f"{top}/({bottom})" if len(below) > 1 else f"{top}/{bottom}"


def _plain_power(base: Expr, exponent: Expr) -> tuple[str, int]:
    if isinstance(exponent, Num) and exponent.value == HALF:
        return f"sqrt({_plain(base)[0]})", ATOM
    if exponent == Num(Fraction(-1)):
        return f"1/{_wrap(_plain(base), POWER)}", PRODUCT
    return f"{_wrap(_plain(base), ATOM)}^{_wrap(_plain(exponent), ATOM)}", POWER


def _plain_call(node: Call) -> tuple[str, int]:
    if node.name == "factorial":
        return f"{_wrap(_plain(node.args[0]), ATOM)}!", POWER
    if node.name == "abs":
        return f"|{_plain(node.args[0])[0]}|", ATOM
    if node.name == "log" and len(node.args) == 2:
        return f"log_{_wrap(_plain(node.args[1]), ATOM)}({_plain(node.args[0])[0]})", ATOM
    if node.name == "inner":
        return f"<{_plain(node.args[0])[0]}, {_plain(node.args[1])[0]}>", ATOM
    if node.name in ("transpose", "inverse"):
        return f"{_wrap(_plain(node.args[0]), ATOM)}^{'T' if node.name == 'transpose' else '(-1)'}", POWER
    if (shown := _event(node, _plain, 0)) is not None:
        return shown
    given = f" | {', '.join(_plain(arg)[0] for arg in node.given)}" if node.given else ""
    return f"{node.name}({', '.join(_plain(arg)[0] for arg in node.args)}{given})", ATOM


def _event(node: Call, show: Callable[[Expr], tuple[str, int]], way: int) -> tuple[str, int] | None:
    """A = 1, A ∩ B and the like, of which a probability may be."""
    match node:
        case Call(relation, (left, right)) if relation in RELATIONS:
            return f"{show(left)[0]} {relation} {show(right)[0]}", ATOM
        case Call("not", (arg,)):
            return f"{('not', chr(92) + 'neg')[way]} {show(arg)[0]}", ATOM
        case Call("and" | "or" as name, args):
            return f" {BETWEEN[name][way]} ".join(show(arg)[0] for arg in args), SUM
    return None


def _over_index(node: Many, sign: str, show: Callable[[Expr], tuple[str, int]]) -> str:
    """sum_{i=1}^{n} x_i, in both notations."""
    low = f"={show(node.low)[0]}" if node.low is not None else ""
    high = f"^{{{show(node.high)[0]}}}" if node.high is not None else ""
    return f"{sign}_{{{node.index}{low}}}{high} {_wrap(show(node.body), PRODUCT)}"


def _latex_name(name: str) -> str:
    head, _, tail = name.partition("_")
    digits = len(head.rstrip("0123456789"))
    if not tail and 0 < digits < len(head):
        head, tail = head[:digits], head[digits:]
    if head.lower() in GREEK_NAMES or head == "ell":
        head = f"\\{head}"
    elif len(head) > 1:
        head = f"\\mathrm{{{head}}}"
    if not tail:
        return head
    return f"{head}_{{{tail}}}" if len(tail) == 1 or tail.isdigit() else f"{head}_{{\\mathrm{{{tail}}}}}"


def _latex(node: Expr) -> tuple[str, int]:
    match node:
        case Num(value):
            if _digits(node) is not None:
                return _number(node)
            sign = "-" if value < 0 else ""
            return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}", SUM if sign else PRODUCT
        case Const(name) | Sym(name):
            return _latex_name(name), ATOM
        case Entry(name, index):
            return f"{_latex_name(name)}_{{{_latex(index)[0]}}}", ATOM
        case Many(name):
            sign = f"\\{name}" if name in COMMANDS else f"\\operatorname{{{name}}}"
            return _over_index(node, sign, _latex), PRODUCT
        case Add(terms):
            return _signed(terms, _latex), SUM
        case Mul():
            return _latex_product(node)
        case Pow(base, exponent):
            return _latex_power(base, exponent)
        case Call():
            return _latex_call(node)


def _latex_product(node: Mul) -> tuple[str, int]:
    above, below = _fraction_parts(node)
    sign = ""
    if above and above[0] == Num(Fraction(-1)) and len(above) > 1:
        sign, above = "-", above[1:]
    top = _latex_factors(above)
    text = f"\\frac{{{top}}}{{{_latex_factors(below)}}}" if below else top
    return sign + text, SUM if _is_negative(node) else PRODUCT


def _latex_factors(factors: list[Expr]) -> str:
    if len(factors) == 1:
        return _latex(factors[0])[0]
    out = ""
    for text in map(_latex_factor, factors):
        joint = " \\cdot " if text[:1].isdigit() else " "
        out = out + joint + text if out else text
    return out or "1"


def _latex_factor(factor: Expr) -> str:
    """A factor of a product; a fraction needs no brackets."""
    text, level = _latex(factor)
    return text if text.startswith("\\frac") else _wrap((text, level), POWER, *TALL)


def _latex_power(base: Expr, exponent: Expr) -> tuple[str, int]:
    if isinstance(exponent, Num) and exponent.value == HALF:
        return f"\\sqrt{{{_latex(base)[0]}}}", ATOM
    if isinstance(exponent, Num) and exponent.value.numerator == 1 and _digits(exponent) is None:
        return f"\\sqrt[{exponent.value.denominator}]{{{_latex(base)[0]}}}", ATOM
    if exponent == Num(Fraction(-1)):
        return f"\\frac{{1}}{{{_latex(base)[0]}}}", PRODUCT
    return f"{_wrap(_latex(base), ATOM, *TALL)}^{{{_latex(exponent)[0]}}}", POWER


def _latex_call(node: Call) -> tuple[str, int]:
    args = [_latex(arg)[0] for arg in node.args]
    match node.name:
        case "inner":
            return f"\\langle {args[0]}, {args[1]} \\rangle", ATOM
        case "norm" | "norm_2":
            return f"\\lVert {args[0]} \\rVert{node.name[4:]}", ATOM
        case "factorial":
            return f"{_wrap(_latex(node.args[0]), ATOM, *TALL)}!", POWER
        case "abs":
            return f"\\left|{args[0]}\\right|", ATOM
        case "ceil" | "floor" as name:
            return f"\\left\\l{name}{{{args[0]}}}\\right\\r{name}", ATOM
        case "binom":
            return f"\\binom{{{args[0]}}}{{{args[1]}}}", ATOM
        case "log" | "ln" as name:
            head = f"\\{name}_{{{args[1]}}}" if len(args) == 2 else f"\\{name}"
            if isinstance(node.args[0], Sym):
                return f"{head} {args[0]}", POWER
            return f"{head}\\left({args[0]}\\right)", ATOM
        case "log*":
            return f"\\log^{{*}}\\left({args[0]}\\right)", ATOM
        case "transpose" | "inverse" as name:
            turned = "\\top" if name == "transpose" else "-1"
            return f"{_wrap(_latex(node.args[0]), ATOM, *TALL)}^{{{turned}}}", POWER
        case name:
            if (shown := _event(node, _latex, 1)) is not None:
                return shown
            given = f" \\mid {', '.join(_latex(arg)[0] for arg in node.given)}" if node.given else ""
            return f"{_latex_function(name)}\\left({', '.join(args)}{given}\\right)", ATOM


def _latex_function(name: str) -> str:
    if name in COMMANDS:
        return f"\\{name}"
    if name == "sigmoid":
        return "\\sigma"
    return name if len(name.rstrip("'")) == 1 else f"\\operatorname{{{name}}}"
