"""A word with what it takes: functions, sums, softmax, stacks, einsum, and the names that mean nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from autograder.text import symbols
from autograder.text.equation import calls
from autograder.text.equation.binders import BinderReader, lengths_of, numbered_axis, whole_axes
from autograder.text.equation.calls import Arguments
from autograder.text.equation.cursor import Cursor, listed, text_of
from autograder.text.equation.declarations import Vocabulary, function_name
from autograder.text.equation.lexer import Token, Unreadable
from autograder.text.equation.names import NameFinder, spell_index
from autograder.text.equation.tree import (
    Along,
    Binder,
    Call,
    Dots,
    Einsum,
    Expr,
    Lookup,
    Number,
    Pair,
    Place,
    Power,
    Softmax,
    StackOver,
    Sum,
    Total,
    Variable,
    walk,
)

STARTS = frozenset(
    ["name", "number", "(", "[", "{", "sum", "frac", "sqrt", "<", "underset", "overbrace", "stack", "ones"]
)  # kinds of token that a factor may begin with
_AXIS = re.compile(r",(?:dim|axis)=(-?\d)")
_MADE = re.compile(r"(?:dim|axis)=(-?\d)")
WORDS = ("name", "sum", "sqrt")  # kinds of token that are a word, as after torch.


class Grammar(Protocol):
    """What reading a function asks of the grammar around it."""

    cursor: Cursor
    vocabulary: Vocabulary
    scope: frozenset[str]
    names: NameFinder

    def total(self, first: Expr | None = None) -> Expr: ...

    def term(self, first: Expr | None = None, below: bool = False) -> Expr: ...

    def primary(self, below: bool = False) -> Expr: ...

    def powers(self, left: Expr) -> Expr: ...

    def sequence(self) -> Expr: ...

    def whole(self) -> Expr: ...

    def group(self) -> Expr: ...

    def exponent(self) -> Expr: ...

    def ones(self) -> Expr: ...

    def binders(self) -> tuple[Binder, ...]: ...

    def binder_reader(self) -> BinderReader: ...

    def under(self, binders: tuple[Binder, ...]) -> frozenset[str]: ...

    def index_list(self, close: str) -> tuple[Expr, ...]: ...

    def index_of(self, tokens: tuple[Token, ...]) -> Expr: ...

    def bound_of(self, tokens: tuple[Token, ...]) -> Expr: ...


class Functions:
    """Reads words, at the cursor of a grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def summation(self, below: bool) -> Expr:
        place = self.grammar.cursor.next().place
        if not self.grammar.cursor.sees("("):
            return self._reduction("sum", self.grammar.binders(), place, below)
        start = self.grammar.cursor.spot
        if (counted := self.comprehension()) is not None and not counted[2]:
            summed = counted[1]
            for binder in reversed(counted[0]):
                summed = Sum((binder,), summed, place)
            return self.grammar.powers(summed)
        given = self.arguments()
        if not given.axis() or len(given.items) > 2:
            self.grammar.cursor.spot = start
            raise self.grammar.cursor.surprise("expected the index of the sum, such as sum_{j}")
        return self.grammar.powers(Along("sum", given.items[0], given.axis(), given.keeps, place))

    def comprehension(self) -> tuple[tuple[Binder, ...], Expr, str] | None:
        """`(a[t] for t in range(1, T+1))`, at its bracket: what is counted, each entry, and the axis."""
        grammar, cursor = self.grammar, self.grammar.cursor
        inside, axis = cursor.inside(cursor.at) if cursor.sees("(", "[") else (), ""
        if inside and inside[0].kind == "[":  # ([… for …], dim=0)
            end = Cursor(inside).closing(0)
            found = _AXIS.fullmatch(text_of(inside[end + 1 :])) if end + 1 < len(inside) else None
            if end + 1 < len(inside) and found is None:
                return None
            inside, axis = inside[1:end], found[1] if found else ""
        level = Cursor.level
        loops = [at for at, each in enumerate(inside) if each.text == "for" and level(inside, at) == 0]
        if not loops:
            return None
        binders = tuple(
            self._loop(inside[start:stop])
            for start, stop in zip(loops, [*loops[1:], len(inside)], strict=True)
        )
        after = cursor.closing(cursor.at) + 1
        before = grammar.under(binders)
        grammar.cursor = Cursor(inside[: loops[0]])
        body = grammar.whole()
        grammar.scope, grammar.cursor = before, cursor
        cursor.skip(after - cursor.at)
        return binders, body, axis

    def _loop(self, tokens: tuple[Token, ...]) -> Binder:
        """`for t in range(1, T+1)`."""
        counts = Cursor(tokens[4:])
        head = [token.text for token in tokens[2:5]]
        if head != ["in", "range", "("] or counts.closing(0) != len(counts.tokens) - 1:
            raise Unreadable("a loop is read as in 'for k in range(K)': write it out", tokens[0].place)
        return self._counted(tokens[1], counts.inside(0))

    def _counted(self, token: Token, bounds: tuple[Token, ...]) -> Binder:
        """`t in range(1, T+1)` runs from 1 to T."""
        ends = [self.grammar.bound_of(item) for item in listed(bounds)]
        if not 1 <= len(ends) <= 2:
            raise Unreadable("range is read with where it begins and where it ends", token.place)
        low = ends[0] if len(ends) == 2 else Number(Fraction(0))
        name, _ = spell_index(Cursor((token,)), token)
        one = Number(Fraction(1))
        high: Expr = Total((1, -1), (ends[-1], one))
        if isinstance(ends[-1], Total) and ends[-1].signs == (1, 1) and ends[-1].terms[1] == one:
            high = ends[-1].terms[0]
        return Binder(name, low, high, place=token.place)

    def _reduction(self, kind: str, binders: tuple[Binder, ...], place: Place, below: bool = False) -> Expr:
        before = self.grammar.under(binders)
        body = self.grammar.term(below=below)
        self.grammar.scope = before
        return Sum(binders, body, place, kind=kind)

    # ------------------------------------------------------------ names and functions

    def named(self) -> Expr:
        cursor = self.grammar.cursor
        module = self._skip_module()
        token = cursor.peek()
        function = function_name(token.text, self.grammar.vocabulary)
        if function and token.text in self.grammar.vocabulary.tensors:  # a declared tensor wins
            function = None
        if function:
            cursor.next()
            return self._call(function, token)
        kind = "sum" if token.kind == "sum" else calls.REDUCTIONS.get(token.text)
        if kind and cursor.peek(1).kind == "_":
            cursor.next()
            return self._reduction(kind, self.grammar.binders(), token.place)
        if kind and cursor.peek(1).kind == "(" and (module or token.text in ("max", "mean")):
            cursor.next()
            return self._reduced(kind, module, token.place)
        found = None if self._is_exponential(token) else self.grammar.names.symbol()
        if found is not None:
            return self.grammar.powers(found)
        cursor.next()
        if token.text == "e" and cursor.sees("^"):
            cursor.next()
            return self.grammar.powers(Call("exp", (self.grammar.exponent(),), token.place))
        return self.grammar.powers(self.undeclared(token))

    def _skip_module(self) -> bool:
        """Step over `torch.` or `np.linalg.`; what follows is read as without it."""
        cursor, found = self.grammar.cursor, False
        while cursor.peek().text in calls.MODULES and cursor.peek(1).kind == ".":
            if (
                cursor.peek(2).kind not in ("name", "sum", "sqrt")
                or cursor.peek(2).text in calls.METHODS_ONLY
            ):
                break
            cursor.skip(2)
            found = True
        return found

    def _reduced(self, kind: str, module: bool, place: Place) -> Expr:
        """`np.sum(A, axis=1)`; `max(0, z)` is relu(z)."""
        given = self.arguments()
        if kind == "max" and not given.axis():
            return self.grammar.powers(calls.larger(given.whole, place))
        if not given.items or not (module or given.axis()):
            raise Unreadable(f"{kind} does not say over what it runs: write {kind}_{{j}}", place)
        return self.grammar.powers(Along(kind, given.items[0], given.axis(), given.keeps, place))

    def _is_exponential(self, token: Token) -> bool:
        """`e^x` is a number even where e[w,I] is a tensor; `e^T` is the tensor turned round."""
        tensor = self.grammar.vocabulary.find("e", 0)
        if token.text != "e" or self.grammar.cursor.peek(1).kind != "^" or not (tensor and tensor.axes):
            return False
        raised = self.grammar.cursor.mark_at(self.grammar.cursor.spot_after(1))
        return raised is None or raised.texts not in (("T",), ("top",))

    def undeclared(self, token: Token) -> Expr:
        """A name that means nothing here keeps its place, for the type checker to complain about."""
        cursor = self.grammar.cursor
        mark = cursor.mark_at(cursor.spot) if token.text == "delta" else None
        if mark and mark.sign == "_" and len(mark.items) == 2:  # of Kronecker
            cursor.spot = mark.end
            first, second = (self.grammar.index_of(item) for item in mark.items)
            return calls.agreement(first, second, token.place)
        name, cursor.spot = spell_index(cursor, token)
        if cursor.sees("[") and self.grammar.names.looks_like_indices() is not None:
            cursor.next()
            return Lookup(name, self.grammar.index_list("]"), token.place)
        if cursor.sees("(") and len(token.text) > 2:  # sim(q, k), which nobody defined
            return Call(name, self.arguments().items, token.place)
        if token.text[0].islower() and len(token.text.rstrip("'")) <= 2:
            return Variable(name, token.place)
        return Lookup(name, (), token.place)

    def _call(self, function: str, token: Token) -> Expr:
        cursor = self.grammar.cursor
        if function.endswith("softmax"):
            axis = {"rowsoftmax": "row", "colsoftmax": "column"}.get(function, "")
            return self.grammar.powers(self._softmax(axis, token.place))
        if function in ("concat", "beside"):
            return self.grammar.powers(self._concat(function == "beside", token.place))
        if function == "ones" and not cursor.sees("("):
            return self.grammar.ones()
        if function == "einsum":
            return self.grammar.powers(self._einsum(token.place))
        raised = None
        while mark := cursor.mark_at(cursor.spot):  # CELL_Phi: a subscript that only decorates
            if mark.sign == "^":
                cursor.next()
                raised = self.grammar.exponent()
                continue
            cursor.spot = mark.end
        if cursor.sees("(", "["):
            called = calls.build_call(function, self._full_arguments(function), token.place)
        else:
            called = calls.build_call(
                function, Arguments((self.argument(function == "sqrt"),), {}), token.place
            )
        return self.grammar.powers(Power(called, raised, token.place) if raised else called)

    def _full_arguments(self, function: str) -> Arguments:
        given = self.arguments()
        if not given.items:
            raise self.grammar.cursor.surprise(f"expected something in the brackets of {function}")
        return given

    def arguments(self) -> Arguments:
        """Everything in the brackets of a call, those with a name such as dim=-1 apart."""
        cursor = self.grammar.cursor
        close = symbols.OPENING[cursor.next().kind]
        items: list[Expr] = []
        named: dict[str, str] = {}
        while not cursor.take(close):
            if items or named:
                cursor.expect(",", "to close the bracket" if cursor.sees("end") else f"or '{close}'")
                if close == ")" and cursor.sees(close):
                    continue
            if cursor.sees("name") and cursor.peek(1).kind == "=":
                word = cursor.next().text
                cursor.next()
                named[word] = self._literal()
            else:
                items.append(Dots(cursor.next().place) if cursor.sees("dots") else self.grammar.sequence())
        return Arguments(tuple(items), named)

    def _literal(self) -> str:
        """The value of a named argument: a number, a word or a list of numbers."""
        cursor, text, depth = self.grammar.cursor, "", 0
        while not cursor.sees("end") and (depth or not cursor.sees(",", ")", "]")):
            token = cursor.next()
            depth += (token.kind in symbols.OPENING) - (token.kind in symbols.CLOSING)
            text += token.text
        if not text:
            raise cursor.surprise("expected a number")
        return text

    def argument(self, tight: bool = False) -> Expr:
        """What a function is applied to: a bracket, or else the product to its right."""
        if self.grammar.cursor.sees("(", "[", "{"):
            return self.grammar.group()
        return self.grammar.primary() if tight else self.grammar.term()

    def _softmax(self, axis: str, place: Place) -> Expr:
        cursor = self.grammar.cursor
        binders: tuple[Binder, ...] = ()
        if cursor.sees("_"):
            below = cursor.inside(cursor.at + 1) if cursor.peek(1).kind in ("{", "(") else ()
            number = numbered_axis(below)
            if number:
                axis = number
                cursor.skip(len(below) + 3)
            else:
                binders = self.grammar.binders()
        return self._softmax_over(binders, axis, place)

    def _softmax_over(self, binders: tuple[Binder, ...], axis: str, place: Place) -> Expr:
        """In brackets its argument is what they hold; otherwise it reaches to the end.

        A bracket without any tensor is only the first factor: softmax_t (1/sqrt(I)) Q[t,I] ...
        """
        cursor = self.grammar.cursor
        names, ends = whole_axes(binders), lengths_of(binders)
        word = calls.AXES.get(names[0].lower(), "") if len(names) == 1 else ""
        if word:
            names, axis = (), word
        made = _MADE.fullmatch(text_of(cursor.inside(cursor.at))) if cursor.sees("(") else None
        after = cursor.closing(cursor.at) + 1 if made else 0
        if made and after < len(cursor.tokens) and cursor.tokens[after].kind == "(":  # nn.Softmax(dim=-1)(x)
            axis = made[1]
            cursor.skip(after - cursor.at)
        before, self.grammar.scope = self.grammar.scope, self.grammar.scope | set(names)
        if not cursor.sees("(", "[", "{"):
            body = self.grammar.total()
            self.grammar.scope = before
            return Softmax(names, body, axis, place, ends)
        given = self._full_arguments("softmax")
        self.grammar.scope = before
        axis = given.axis() or axis
        body = given.items[0] if given.axis() else given.whole
        goes_on = cursor.peek().kind in STARTS or cursor.sees("*", "/", "dot")
        if goes_on and names and not any(isinstance(node, Lookup) for node in walk(body)):
            self.grammar.scope = before | set(names)
            left = self.grammar.powers(body)
            while cursor.sees("dot"):
                dot = cursor.next().place
                left = Pair("dot", left, self.grammar.primary(), dot)
            body = self.grammar.total(left)
            self.grammar.scope = before
        return Softmax(names, body, axis, place, ends)

    def _einsum(self, place: Place) -> Expr:
        cursor = self.grammar.cursor
        cursor.expect("(", "after einsum")
        operands: list[Expr] = []
        while not cursor.sees("string"):  # einops names the indices last
            operands.append(self.grammar.sequence())
            if not cursor.take(","):
                break
        pattern = cursor.expect("string", "that names the indices, such as 'kia,kib->kab'").text
        while cursor.take(","):
            operands.append(self.grammar.sequence())
        cursor.expect(")", "to close the bracket")
        return Einsum(calls.letters_of(pattern, place), tuple(operands), place)

    def _concat(self, sideways: bool, place: Place) -> Expr:
        if self.grammar.cursor.sees("_", "^"):
            return replace(self.stack_over(place), last=sideways)
        if (counted := self.comprehension()) is not None:
            (binder, *others), body, axis = counted
            if others:
                raise Unreadable("one loop is read here: write the parts out", place)
            if sideways or axis == "1" or (axis == "-1" and self.grammar.vocabulary.matrix):
                raise Unreadable("parts side by side are read where they are written out: [A, B]", place)
            return StackOver(binder, body, place, last=axis == "-1")
        if self.grammar.cursor.sees("(", "[", "{"):
            given = self._full_arguments("concat")
        else:
            given = Arguments((self.grammar.term(),), {})
        return calls.stacked(given, sideways, self.grammar.vocabulary.matrix, place)

    def stack_over(self, place: Place) -> StackOver:
        binders = self.grammar.binders()
        before = self.grammar.under(binders)
        body = self.argument()
        self.grammar.scope = before
        return StackOver(binders[0], body, place)

    def underset(self) -> Expr:
        """`\\underset{x,y}{softmax}` is softmax_{x,y}; so is a sum."""
        cursor = self.grammar.cursor
        place = cursor.next().place
        below = cursor.inside(cursor.at)
        cursor.skip(len(below) + 2)
        word = [token for token in cursor.inside(cursor.at) if token.kind not in ("{", "}")]
        cursor.skip(len(cursor.inside(cursor.at)) + 2)
        binders = self.grammar.binder_reader().listed(below)
        if len(word) == 1 and word[0].kind == "sum":
            return self._reduction("sum", binders, place)
        if len(word) == 1 and word[0].text in calls.REDUCTIONS:
            return self._reduction(calls.REDUCTIONS[word[0].text], binders, place)
        if len(word) == 1 and function_name(word[0].text, self.grammar.vocabulary) == "softmax":
            return self.grammar.powers(self._softmax_over(binders, "", place))
        raise Unreadable("expected softmax or a sum over an index", place)

    def annotated(self) -> Expr:
        """`\\underbrace{x}_{words}` is x."""
        self.grammar.cursor.next()
        body = self.grammar.group()
        while mark := self.grammar.cursor.mark_at(self.grammar.cursor.spot):
            self.grammar.cursor.spot = mark.end
        return self.grammar.powers(body)
