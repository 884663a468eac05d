"""A tree becomes text again: plain notation for reports, LaTeX for the notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from autograder.text.equation.declarations import Vocabulary
from autograder.text.equation.tree import (
    Along,
    Binder,
    Call,
    Condition,
    Dots,
    Einsum,
    Expr,
    Line,
    Listing,
    Lookup,
    Number,
    Ones,
    Pair,
    Power,
    Product,
    Quotient,
    Size,
    Softmax,
    Spread,
    Stack,
    StackOver,
    Sum,
    Total,
    Transpose,
    Variable,
    Whole,
    walk,
)
from autograder.text.symbols import GREEK

TOTAL, OPEN, TERM, FACTOR, TIGHT, PRIMARY = range(6)  # how tightly a piece of text holds together
_GREEK = frozenset(GREEK.values()) - {"l"}
_PAIRS = {"dot": ("·", r"\cdot"), "matmul": ("@", "@"), "kron": ("⊗", r"\otimes"), "each": ("⊙", r"\odot")}
_RELATIONS = {"<": r"<", "<=": r"\le", "!=": r"\ne"}
_STANDARD = frozenset(["exp", "ln", "log", "tanh", "sin", "cos"])


class Writer:
    """Writes plain text, or LaTeX."""

    def __init__(self, vocabulary: Vocabulary, latex: bool) -> None:
        self.vocabulary = vocabulary
        self.latex = latex

    def line(self, line: Line) -> str:
        sides = [self.lookup(line.left), *(self.text(right, TOTAL) for right in line.rights)]
        return " = ".join(sides)

    def definitions(self) -> list[str]:
        """The functions that the answer itself defines, each as an equation."""
        found = []
        for name in sorted(self.vocabulary.coined):
            function = self.vocabulary.functions[name]
            assert function.tree is not None
            shown = rf"\operatorname{{{name}}}" if self.latex and len(name) > 1 else name
            found.append(f"{shown}({', '.join(function.arguments)}) = {self.text(function.tree, TOTAL)}")
        return found

    def text(self, expr: Expr, level: int) -> str:
        written, own = self._written(expr)
        return written if own >= level else self.bracketed(written)

    def bracketed(self, written: str) -> str:
        return rf"\left({written}\right)" if self.latex else f"({written})"

    def _written(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case Number(value):
                return _number(value)
            case Size(name):
                return self.index_name(name), PRIMARY
            case Variable(name):
                return self.index_name(name), PRIMARY
            case Lookup():
                return self.lookup(expr), PRIMARY
            case Ones():
                return (r"\mathbf{1}" if self.latex else "ones"), PRIMARY
            case Dots():
                return (r"\dots" if self.latex else "..."), PRIMARY
            case Sum(binders, body):
                return f"{self.sum_sign(binders, expr.kind)} {self.text(body, TERM)}", OPEN
            case Softmax():
                return self.softmax(expr), OPEN
            case Call(function, arguments):
                return self.call(function, arguments), PRIMARY
            case Product(factors):
                return self.product(factors), TERM
            case Pair():
                return self.pair(expr)
            case Quotient(above, below):
                return self.quotient(above, below)
            case Total(signs, terms):
                return self.total(signs, terms), TOTAL
            case Power(base, exponent):
                return f"{self.base(base)}^{{{self.text(exponent, TOTAL)}}}", TIGHT
            case Transpose(body, axes=axes) if axes:
                return self.turned(body, axes), PRIMARY
            case Transpose(body, letter):
                mark = "T" if letter else r"\top" if self.latex else "⊤"
                return f"{self.base(body)}^{mark}", TIGHT
            case Spread():
                return self.entry(expr), PRIMARY
            case Along() | Einsum():
                return self.in_code(expr), PRIMARY
            case Whole():
                return ":", PRIMARY
            case Stack() | StackOver() | Listing():
                return self.stack(expr), PRIMARY
        raise AssertionError(f"no text for {expr}")

    def base(self, expr: Expr) -> str:
        """What a power stands on: a name with a raised mark needs brackets around it."""
        written = self.text(expr, PRIMARY)
        return self.bracketed(written) if "^" in written and not written.endswith((")", "]")) else written

    # ------------------------------------------------------------ names

    def index_name(self, name: str) -> str:
        if not self.latex:
            return name
        primes = len(name) - len(name.rstrip("'"))
        stem, _, mark = name.rstrip("'").partition("_")
        numbered = re.fullmatch(r"([A-Za-z]+?)(\d+)", stem)
        if numbered:
            stem, mark = numbered[1], numbered[2] + mark
        if stem.startswith("Δ"):
            stem = rf"\Delta {stem[1:]}"
        elif stem in _GREEK:
            stem = rf"\{stem}"
        mark = mark.strip("{}")
        if mark.isalpha() and len(mark) > 1:
            mark = rf"\text{{{mark}}}"
        return stem + (f"_{{{mark}}}" if mark else "") + "'" * primes

    def tensor_name(self, tensor: str) -> str:
        declared = self.vocabulary.declared(tensor)
        if not self.latex:
            return tensor.replace(":", "")
        if declared and declared.latex:
            return declared.latex
        stem, _, mark = tensor.partition("_")
        if len(stem) > 1:
            stem = rf"\{stem}" if stem in _GREEK else rf"\text{{{stem}}}"
        mark = mark.strip("{}")
        if len(mark) > 1 and mark.isalpha():
            mark = rf"\text{{{mark}}}"
        return stem + (f"_{{{mark}}}" if mark else "")

    def lookup(self, expr: Lookup) -> str:
        name, indices = self.tensor_name(expr.tensor), list(expr.indices)
        if "*" in name and indices:
            first = self.text(indices.pop(0), TOTAL)
            name = name.replace("_*", f"_{{{first}}}" if len(first) > 1 else f"_{first}").replace("*", first)
        name = name.replace("*", "h")
        if not indices:
            return name
        return f"{name}[{', '.join(self.text(index, TOTAL) for index in indices)}]"

    # ------------------------------------------------------------ sums and products

    def sum_sign(self, binders: tuple[Binder, ...], kind: str) -> str:
        sign = {"product": "prod", "mean": "mean"}.get(kind, kind)
        if self.latex:
            sign = rf"\operatorname{{{sign}}}" if sign == "mean" else rf"\{sign}"
        under = ", ".join(self.binder(binder) for binder in binders)
        last = binders[-1]
        above = f"^{{{self.text(last.high, TOTAL)}}}" if last.high else ""
        return f"{sign}_{{{under}}}{above}"

    def binder(self, binder: Binder) -> str:
        name = self.index_name(binder.name)
        pieces = [self.condition(condition, name) for condition in binder.conditions]
        if binder.within:
            pieces.insert(0, rf"{name} \in {binder.within}" if self.latex else f"{name} in {binder.within}")
        if binder.low:
            pieces.insert(0, f"{name}={self.text(binder.low, TOTAL)}")
        return ", ".join(pieces) or name

    def condition(self, condition: Condition, name: str) -> str:
        if condition.relation in ("even", "odd"):
            return rf"{name}\ \text{{{condition.relation}}}" if self.latex else f"{name} {condition.relation}"
        relation = _RELATIONS[condition.relation] if self.latex else condition.relation
        return f"{self.text(condition.left, TOTAL)} {relation} {self.text(condition.right, TOTAL)}"

    def softmax(self, expr: Softmax) -> str:
        over = ", ".join(self.index_name(name) for name in expr.over)
        if expr.axis in ("row", "column"):
            over = rf"\text{{{expr.axis}}}" if self.latex else expr.axis
        elif expr.axis:
            axis = _numbers(expr.axis)
            over = rf"\text{{dim}}={axis}" if self.latex else f"dim={axis}"
        name = r"\operatorname{softmax}" if self.latex else "softmax"
        body = self.text(expr.body, TOTAL)
        inside = rf"\left[{body}\right]" if self.latex else f"[{body}]"
        return f"{name}_{{{over}}}{inside}" if over else name + inside

    def call(self, function: str, arguments: tuple[Expr, ...]) -> str:
        if axes := {"upright": "..., None", "column": ":, None", "row": "None, :"}.get(function):
            return f"{self.bracketed(self.text(arguments[0], TOTAL))}[{axes}]"
        known = self.vocabulary.functions.get(function)
        name = known.name if known else function
        inside = ", ".join(self.text(argument, TOTAL) for argument in arguments)
        if not self.latex:
            return f"{name}({inside})"
        if function == "sqrt":
            return rf"\sqrt{{{inside}}}"
        command = name in _STANDARD or name in _GREEK
        name = rf"\{name}" if command else rf"\operatorname{{{name}}}"
        return rf"{name}\left({inside}\right)"

    def product(self, factors: tuple[Expr, ...]) -> str:
        pieces = [self.text(factor, FACTOR) for factor in factors]
        written = pieces[0]
        for factor, piece in zip(factors[1:], pieces[1:], strict=True):
            held = piece.startswith(("(", "[", r"\left", r"\mathbf{1}"))
            mistaken = held and not any(
                isinstance(node, Lookup | Call) for node in walk(factor)
            )  # for indices
            times = (r" \times " if self.latex else " * ") if mistaken or piece[0].isdigit() else " "
            written += (r" \, " if self.latex and times == " " else times) + piece
        return written

    def pair(self, expr: Pair) -> tuple[str, int]:
        if expr.kind == "inner":
            left, right = self.text(expr.left, TOTAL), self.text(expr.right, TOTAL)
            inside = rf"\langle {left}, {right} \rangle" if self.latex else f"<{left}, {right}>"
            return inside, PRIMARY
        sign = _PAIRS[expr.kind][self.latex]
        left = self.text(expr.left, FACTOR if expr.kind == "dot" else TERM)
        closed = isinstance(expr.left, Product) or (isinstance(expr.left, Quotient) and not self.latex)
        left = self.bracketed(left) if closed and expr.kind != "dot" else left
        right = self.text(expr.right, TIGHT)
        return f"{left} {sign} {right}", FACTOR if expr.kind == "dot" else TERM

    def quotient(self, above: Expr, below: Expr) -> tuple[str, int]:
        if self.latex:
            return rf"\frac{{{self.text(above, TOTAL)}}}{{{self.text(below, TOTAL)}}}", PRIMARY
        return f"{self.text(above, TERM)} / {self.text(below, PRIMARY)}", TERM

    def total(self, signs: tuple[int, ...], terms: tuple[Expr, ...]) -> str:
        written = ""
        for at, (sign, term) in enumerate(zip(signs, terms, strict=True)):
            lead = ("-" if sign < 0 else "") if at == 0 else " - " if sign < 0 else " + "
            last = at == len(terms) - 1
            level = OPEN if last or not isinstance(term, Softmax) else TERM
            written += lead + self.text(term, level)
        return written

    def entry(self, expr: Spread) -> str:
        indices: list[str] = []
        body: Expr = expr
        while isinstance(body, Spread):
            indices.insert(0, self.index_name(body.index))
            body = body.body
        return f"{self.bracketed(self.text(body, TOTAL))}[{', '.join(indices)}]"

    def in_code(self, expr: Along | Einsum) -> str:
        """A sum along an axis and einsum, as numpy writes them."""
        name, inside = ("np.sum", "") if isinstance(expr, Along) else ("einsum", f"'{expr.pattern}'")
        if isinstance(expr, Along):
            name = {"sum": "np.sum", "mean": "np.mean", "max": "np.max", "min": "np.min"}[expr.kind]
            inside = self.text(expr.body, TOTAL)
            inside += f", axis={_numbers(expr.axis)}" if expr.axis else ""
            inside += ", keepdims=True" if expr.keeps else ""
        else:
            if self.latex:
                inside = rf"\texttt{{{expr.pattern}}}"
            inside = ", ".join([inside, *(self.text(operand, TOTAL) for operand in expr.operands)])
        return rf"\operatorname{{{name}}}\left({inside}\right)" if self.latex else f"{name}({inside})"

    def turned(self, body: Expr, axes: str) -> str:
        """A transpose as code writes it: `A.T`, or with the axes it swaps."""
        if axes == "all":
            return f"{self.base(body)}.T"
        name = r"\operatorname{transpose}" if self.latex else "transpose"
        return f"{name}({self.text(body, TOTAL)}, {axes.replace(',', ', ')})"

    # ------------------------------------------------------------ stacks

    def stack(self, expr: Stack | StackOver | Listing) -> str:
        if isinstance(expr, StackOver):
            word = "beside" if expr.last else "concat"
            name = rf"\operatorname{{{word}}}" if self.latex else word
            above = f"^{{{self.text(expr.binder.high, TOTAL)}}}" if expr.binder.high else ""
            return (
                f"{name}_{{{self.binder(expr.binder)}}}{above}{self.bracketed(self.text(expr.body, TOTAL))}"
            )
        if isinstance(expr, Listing):
            return self.bracketed(", ".join(self.text(item, TOTAL) for item in expr.items))
        between = ", " if expr.sideways else "; "
        inside = between.join(self.text(item, TOTAL) for item in expr.items)
        return rf"\left[{inside}\right]" if self.latex else f"[{inside}]"


def _number(value: Fraction) -> tuple[str, int]:
    if value < 0:
        return f"-{_number(-value)[0]}", TOTAL
    if value.denominator == 1:
        return str(value.numerator), PRIMARY
    decimal = f"{float(value):.15g}"
    return decimal, PRIMARY


def _numbers(axis: str) -> str:
    return f"({axis})" if "," in axis else axis


def plain_line(line: Line, vocabulary: Vocabulary) -> str:
    """A line in plain notation, as the grader has read it."""
    return Writer(vocabulary, latex=False).line(line)


def plain_lines(lines: Iterable[Line], vocabulary: Vocabulary) -> list[str]:
    """Lines in plain notation, after the functions that they call and the answer defines."""
    writer = Writer(vocabulary, latex=False)
    return [*writer.definitions(), *(writer.line(line) for line in lines)]


def latex_line(line: Line, vocabulary: Vocabulary) -> str:
    """A line in LaTeX, as the grader has read it."""
    return Writer(vocabulary, latex=True).line(line)


def latex_lines(lines: Iterable[Line], vocabulary: Vocabulary) -> list[str]:
    """Lines in LaTeX, after the functions that they call and the answer defines."""
    writer = Writer(vocabulary, latex=True)
    return [*writer.definitions(), *(writer.line(line) for line in lines)]
