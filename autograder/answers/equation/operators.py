"""Sums, softmax, functions and stacks: the words and signs that take what stands to their right."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from autograder.answers.equation import symbols
from autograder.answers.equation.closing import unfinished
from autograder.answers.equation.lexer import Token
from autograder.answers.equation.names import NameReader
from autograder.answers.equation.tree import (
    Binder,
    Call,
    Expr,
    Listing,
    Pair,
    Place,
    Power,
    Softmax,
    Stack,
    StackOver,
    Sum,
    Transpose,
)

STARTS = frozenset(
    ["name", "number", "(", "[", "{", "sum", "frac", "sqrt", "<", "underset", "overbrace", "stack"]
)
REDUCTIONS = {"max": "max", "min": "min", "prod": "product", "mean": "mean", "avg": "mean", "average": "mean"}
_AXES = {
    "col": "column", "cols": "column", "column": "column", "columns": "column",
    "row": "row", "rows": "row",
}  # fmt: skip


class OperatorReader(NameReader, ABC):
    """Reads operators; sums and products themselves are read by the parser built on it."""

    @abstractmethod
    def total(self, first: Expr | None = None) -> Expr: ...

    @abstractmethod
    def term(self, first: Expr | None = None, below: bool = False) -> Expr: ...

    @abstractmethod
    def primary(self, below: bool = False) -> Expr: ...

    @abstractmethod
    def powers(self, left: Expr) -> Expr: ...

    @abstractmethod
    def group(self) -> Expr: ...

    @abstractmethod
    def exponent(self) -> Expr: ...

    def under(self, binders: tuple[Binder, ...]) -> frozenset[str]:
        """The scope with the bound indices added; returns the scope to go back to."""
        before = self.scope
        self.scope = before | {binder.name for binder in binders}
        return before

    def summation(self, below: bool) -> Expr:
        place = self.next().place
        return self.reduction("sum", place, below)

    def reduction(self, kind: str, place: Place, below: bool = False) -> Expr:
        binders = self.binders()
        before = self.under(binders)
        body = self.term(below=below)
        self.scope = before
        return Sum(binders, body, place, kind=kind)

    def underset(self) -> Expr:
        """`\\underset{x,y}{softmax}` is softmax_{x,y}; so is a sum."""
        start = self.at
        first = self.closing(self.at + 1)
        second = self.closing(first + 1)
        inside = [token for token in self.tokens[first + 2 : second] if token.kind not in ("{", "}")]
        lowered = [replace(self.tokens[start], kind="_", text="_"), *self.tokens[start + 1 : first + 1]]
        self.tokens[start : second + 1] = [*inside, *lowered]
        if self.sees("underset", "end"):
            raise self.surprise("expected softmax over an index")
        return self.primary()

    def annotated(self) -> Expr:
        """`\\underbrace{x}_{words}` is x."""
        self.next()
        body = self.group()
        while mark := self.mark_at(self.at):
            self.at = mark.end
        return self.powers(body)

    def call(self, function: str, token: Token) -> Expr:
        if function == "softmax":
            return self.softmax(token.place)
        if function in ("concat", "beside"):
            return self.concat(function == "beside", token.place)
        raised = None
        while mark := self.mark_at(self.at):  # CELL_Phi: a subscript that only decorates
            if mark.sign == "^":
                self.next()
                raised = self.exponent()
            self.at = max(self.at, mark.end)
        argument = self.argument(tight=function == "sqrt")
        arguments = argument.items if isinstance(argument, Listing) else (argument,)
        if function in ("kron", "inner") and len(arguments) == 2:
            return self.powers(Pair(function, *arguments, token.place))
        if function == "transpose":
            return self.powers(Transpose(argument, place=token.place))
        called = Call(function, arguments, token.place)
        return self.powers(Power(called, raised, token.place) if raised else called)

    def _had_commas(self, opening: Token) -> bool:
        """Were the items of the bracket just read separated by commas?"""
        start = self.tokens.index(opening)
        depth = 0
        for token in self.tokens[start : self.closing(start)]:
            depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
            if token.kind == "," and depth == 1:
                return True
        return False

    def argument(self, tight: bool = False) -> Expr:
        """What a function is applied to: a bracket, or else the product to its right."""
        if self.sees("(", "[", "{"):
            opening = self.peek()
            inside = self.group()
            if isinstance(inside, Stack) and opening.kind == "[" and self._had_commas(opening):
                return Listing(inside.items, inside.place)
            return inside
        return self.primary() if tight else self.term()

    def softmax(self, place: Place) -> Expr:
        binders: tuple[Binder, ...] = ()
        if self.sees("_"):
            binders = self.binders()
        names = tuple(binder.name for binder in binders)
        axis = _AXES.get(names[0].lower(), "") if len(names) == 1 else ""
        if axis:
            names = ()
        return self.powers(self._softmax(names, axis or "column", place))

    def _softmax(self, names: tuple[str, ...], axis: str, place: Place) -> Expr:
        """In brackets its argument is what they hold; otherwise it reaches to the end.

        A bracket that leaves an index open is only the first factor: softmax_t (1/sqrt(I)) Q[t,I] ...
        """
        if not self.sees("(", "[", "{"):
            return Softmax(names, self.total(), axis, place)
        axis = self._dimension() or axis
        body = self.group()
        goes_on = self.peek().kind in STARTS or self.sees("*", "/", "dot")
        if goes_on and names and unfinished(body, names, self.scope):
            body = self.total(self._dotted(self.powers(body)))
        return Softmax(names, body, axis, place)

    def _dimension(self) -> str:
        """`softmax(A, dim=0)`, as torch writes it, works down the columns."""
        end = self.closing(self.at)
        start = end - (5 if self.tokens[end - 2].kind == "-" else 4)
        if start <= self.at or self.tokens[start].kind != "," or self.tokens[start + 2].kind != "=":
            return ""
        written = "".join(token.text for token in self.tokens[start + 3 : end])
        del self.tokens[start:end]
        return "column" if written in ("0", "-2") else "row"

    def _dotted(self, left: Expr) -> Expr:
        while self.sees("dot"):
            place = self.next().place
            left = Pair("dot", left, self.primary(), place)
        return left

    def concat(self, sideways: bool, place: Place) -> Expr:
        if self.sees("_", "^"):
            return self.stack_over(place)
        inside = self.argument()
        if isinstance(inside, Stack):
            return replace(inside, sideways=sideways)
        items = inside.items if isinstance(inside, Listing) else (inside,)
        return Stack(items, sideways, place)

    def stack_over(self, place: Place) -> Expr:
        binders = self.binders()
        before = self.under(binders)
        body = self.argument()
        self.scope = before
        return StackOver(binders[0], body, place)
