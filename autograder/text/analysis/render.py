"""A tree comes in; plain text or LaTeX that a student can check against what was typed goes out."""

from __future__ import annotations

from fractions import Fraction

from autograder.text.analysis.tree import Add, Apply, Entry, Many, Mul, Name, Node, Num, Pow
from autograder.text.symbols import GREEK

SUM, PRODUCT, POWER, ATOM = range(4)
HALF = Fraction(1, 2)
SIGNS = {"and": "∩", "or": "∪"}
LATEX_SIGNS = {"and": r"\cap", "or": r"\cup"}
OWN = ("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "ln",
       "max", "min", "det")  # fmt: skip

Shown = tuple[str, int]


def plain(node: Node) -> str:
    """Text in the notation that students type."""
    return _Plain().show(node)[0]


def latex(node: Node) -> str:
    """The same for a rendered cell."""
    return _Latex().show(node)[0]


class _Plain:
    """How each kind of node is written in plain text, and how tightly it holds together."""

    dot = "*"

    def wrap(self, node: Node, least: int) -> str:
        text, level = self.show(node)
        return text if level >= least else self.brackets(text)

    def brackets(self, text: str) -> str:
        return f"({text})"

    def show(self, node: Node) -> Shown:
        match node:
            case Num(number):
                return self.number(number)
            case Name(name):
                return self.name(name), ATOM
            case Entry(name, index):
                return self.lowered(self.name(name), self.show(index)[0]), ATOM
            case Add(terms):
                return self.sum(terms), SUM
            case Mul():
                return self.product(node)
            case Pow(base, exponent):
                return self.power(base, exponent)
            case Apply():
                return self.applied(node)
            case Many():
                return self.many(node), PRODUCT

    def number(self, number: Fraction) -> Shown:
        if number.denominator == 1:
            return str(number.numerator), ATOM if number >= 0 else SUM
        return self.fraction(str(abs(number.numerator)), str(number.denominator), number < 0)

    def fraction(self, above: str, below: str, negative: bool) -> Shown:
        return f"{'-' if negative else ''}{above}/{below}", SUM if negative else PRODUCT

    def name(self, name: str) -> str:
        return name

    def lowered(self, name: str, index: str) -> str:
        return f"{name}_{{{index}}}" if len(index) > 1 else f"{name}_{index}"

    def sum(self, terms: tuple[Node, ...]) -> str:
        out = ""
        for number, term in enumerate(terms):
            text, level = self.show(term)
            text = text if level >= PRODUCT or text.startswith("-") else self.brackets(text)
            if number == 0:
                out = text
            else:
                out += f" - {text[1:]}" if text.startswith("-") else f" + {text}"
        return out

    def product(self, node: Mul) -> Shown:
        """Factors with a power of -1 stand below the line; where matrices may be meant, order is kept."""
        factors = list(node.factors)
        negative = False
        if isinstance(factors[0], Num) and factors[0].value < 0:
            negative = True
            factors[0] = Num(-factors[0].value)
            if factors[0].value == 1 and len(factors) > 1:
                factors = factors[1:]
        above = [factor for factor in factors if not _is_inverse(factor)]
        below = [factor.base for factor in factors if isinstance(factor, Pow) and _is_inverse(factor)]
        text = self.joined(above) if above else "1"
        if below:
            text = self.over(text, len(above) == 1, above, below)
        return ("-" + text, SUM) if negative else (text, PRODUCT)

    def joined(self, factors: list[Node]) -> str:
        return self.dot.join(self.wrap(factor, POWER) for factor in factors)

    def over(self, text: str, single: bool, above: list[Node], below: list[Node]) -> str:
        inner = self.wrap(below[0], POWER) if len(below) == 1 else f"({self.joined(below)})"
        return f"{text}/{inner}"

    def power(self, base: Node, exponent: Node) -> Shown:
        if exponent == Num(HALF):
            return self.root(base), ATOM
        if exponent == Num(Fraction(-1)):
            return self.over("1", True, [], [base]), PRODUCT
        return f"{self.wrap(base, ATOM)}^{self.wrap(exponent, ATOM)}", POWER

    def root(self, base: Node) -> str:
        return f"sqrt({self.show(base)[0]})"

    def applied(self, node: Apply) -> Shown:
        texts = [self.show(arg)[0] for arg in node.args]
        match node.name:
            case "factorial":
                return f"{self.wrap(node.args[0], ATOM)}!", POWER
            case "transpose":
                return self.turned(self.wrap(node.args[0], ATOM)), POWER
            case "abs":
                return f"|{texts[0]}|", ATOM
            case "event":
                return f"{texts[1]} {texts[0]} {texts[2]}", ATOM
            case "not":
                return f"not {texts[0]}", ATOM
            case "and" | "or" as name:
                return f" {self.sign(name)} ".join(texts), SUM
            case _:
                given = ", ".join(self.show(arg)[0] for arg in node.given)
                return self.call(node.name, ", ".join(texts) + (f" | {given}" if given else "")), ATOM

    def sign(self, name: str) -> str:
        return SIGNS[name]

    def turned(self, text: str) -> str:
        return f"{text}^T"

    def call(self, name: str, inner: str) -> str:
        return f"{name}({inner})"

    def many(self, node: Many) -> str:
        ends = f"={self.show(node.low)[0]}" if node.low is not None else ""
        high = f"^{{{self.show(node.high)[0]}}}" if node.high is not None else ""
        return f"{self.big(node.name)}_{{{node.index}{ends}}}{high} {self.wrap(node.body, PRODUCT)}"

    def big(self, name: str) -> str:
        return name


class _Latex(_Plain):
    """The same in LaTeX."""

    dot = r" \, "

    def brackets(self, text: str) -> str:
        return rf"\left({text}\right)"

    def fraction(self, above: str, below: str, negative: bool) -> Shown:
        return rf"{'-' if negative else ''}\frac{{{above}}}{{{below}}}", SUM if negative else ATOM

    def name(self, name: str) -> str:
        base, _, lower = name.partition("_")
        letter = f"\\{base}" if base in GREEK.values() else base if len(base) == 1 else rf"\mathrm{{{base}}}"
        return f"{letter}_{{{lower}}}" if lower else letter

    def lowered(self, name: str, index: str) -> str:
        return f"{name}_{{{index}}}"

    def over(self, text: str, single: bool, above: list[Node], below: list[Node]) -> str:
        inner = self.show(below[0])[0] if len(below) == 1 else self.joined(below)
        text = self.show(above[0])[0] if single and above else text
        return rf"\frac{{{text}}}{{{inner}}}"

    def power(self, base: Node, exponent: Node) -> Shown:
        if exponent in (Num(HALF), Num(Fraction(-1))):
            return super().power(base, exponent)
        return f"{self.wrap(base, ATOM)}^{{{self.show(exponent)[0]}}}", POWER

    def root(self, base: Node) -> str:
        return rf"\sqrt{{{self.show(base)[0]}}}"

    def sign(self, name: str) -> str:
        return LATEX_SIGNS[name]

    def turned(self, text: str) -> str:
        return rf"{text}^{{\top}}"

    def call(self, name: str, inner: str) -> str:
        if name in ("floor", "ceil"):
            return rf"\left\l{name} {inner}\right\r{name}"
        head = rf"\{name}" if name in OWN else r"\sigma" if name == "sigmoid" else rf"\operatorname{{{name}}}"
        return (head if len(name) > 1 else name) + self.brackets(inner.replace(" | ", r" \mid "))

    def big(self, name: str) -> str:
        return rf"\{name}" if name in ("sum", "prod", "max", "min") else rf"\operatorname{{{name}}}"


def _is_inverse(node: Node) -> bool:
    return isinstance(node, Pow) and node.exponent == Num(Fraction(-1))
