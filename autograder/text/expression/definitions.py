"""What an answer says of its letters comes in ('where n = T'); what each of them stands for goes out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from autograder.errors import AnswerError
from autograder.text.expression.clauses import DEFINITION, NAME, ORDER, Clause, Tie
from autograder.text.expression.names import names_of
from autograder.text.expression.quantities import Quantities
from autograder.text.expression.read import read
from autograder.text.expression.render import plain
from autograder.text.expression.tree import ONE, Expr, Sym, names_in, substitute

CONSTANT = re.compile(
    r"(?:(?:a|an|some|any|the)\s+)?(?:(?:small|fixed|large)\s+)?"
    r"(?:(?:constant|const|fixed|bounded)\b"
    r"(?!.*(?<![A-Za-z])(?:times|multiplied|multiples?|fraction|power|factor\s+of|in|per|each|every)(?![A-Za-z])).*"
    r"|O\(1\)|\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ITEM = re.compile(r"[,;\n]|\band\b|&")
_CHAIN = re.compile(r":?=(?!=)")
# sequence length n, sequences of length n = T
_NAMED = re.compile(
    r"(?P<words>[A-Za-z][A-Za-z -]+?)\s+\$?(?P<letter>\\?[A-Za-z](?:_\{?\w+\}?)?)\$?\s*(?:=(?P<value>.+))?\.?"
)
# n words, a sentence of n words
_COUNTED = re.compile(
    rf"(?:(?:an?|the|all)\s+(?:[a-z]+\s+of\s+)?)?({NAME})\s+([a-z][a-z -]*s)(?:\s+(?:of|in|at|on)\s.*)?"
)
_AMOUNT = re.compile(r"(?:the|its)\s+(?:[a-z]+\s+)?(?:number|length|size|depth|width|dimension)(?![a-z])")
# for fixed T
_FIXED = re.compile(rf"(?:an?\s+|any\s+)?(?:fixed|constant|bounded)\s+({NAME})")
_SIZED = re.compile(r"(?:(?:an?|the)\s+)?([a-z]+?)s?\s+of\s+(length|size|dimension|width|depth)")
# w the kernel size, X*Y pixels
_APPOSED = re.compile(
    r"(?P<value>\S+(?:\s*[*+/-]\s*\S+)*)\s+(?:(?:is|are|being)\s+)?(?P<words>[a-z][a-z -]+)"
)
# seq = T, c constant, T the sequence length
_LOOSE = re.compile(
    rf"([A-Za-z]+)\s*:?=\s*|({NAME})\s+(?:for\s+|as\s+|to\s+be\s+|(?=constant|const\b|fixed|(?:the|an?)\s))"
)
_OF_ANOTHER = re.compile(
    r"(?:an?\s+|the\s+)?(?:kernel|filter|window|batch|vocab(?:ulary)?|beam|chunk|block)\s+(?:size|width|length)"
)
_LETTER = re.compile(r"\\?[A-Za-zͰ-Ͽ](?:_\{?\w+\}?|\d+)?'*|[A-Za-z]+(?:_\{?\w+\}?)?")


@dataclass
class Definitions:
    """The answer's own letters: those that stand for something of the question, and constants."""

    values: dict[str, Expr] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    claims: list[tuple[str, Expr]] = field(default_factory=list)  # of the question's own letters: d = T

    def apply(self, tree: Expr) -> Expr:
        for _ in range(len(self.values)):
            tree = substitute(tree, self.values)
        return tree

    @property
    def notes(self) -> dict[str, str]:
        """What each letter was read as, for the student."""
        return {
            **{name: f"{name} was read as {plain(value)}, as you say" for name, value in self.values.items()},
            **{name: f"{name} was read as a constant, as you say" for name in sorted(self.constants)},
        }

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.values, *sorted(self.constants))


def find_definitions(clauses: list[Clause], known: tuple[str, ...], quantities: Quantities) -> Definitions:
    """Everything that the answer defines. A letter of the question that is called another one is an error."""
    found = Definitions()
    reader = _Reader(known, quantities, found)
    for clause in clauses:
        if defines(clause):
            reader.read(clause.text)
    return found


def defines(clause: Clause) -> bool:
    """Whether a clause may define letters."""
    if clause.tie in (Tie.WHERE, Tie.FOR):
        return True
    found = DEFINITION.match(clause.text.lstrip("$ "))
    if clause.tie == Tie.ASIDE and _COUNTED.fullmatch(clause.text):
        return True
    if found is None or ORDER.search(clause.text):
        return False
    if clause.tie == Tie.WHY:
        said = clause.text.lstrip("$ ")[found.end() :]
        # assuming d = 1, since d is fixed, as L is the length of the sentence
        return "=" in found[0] or CONSTANT.fullmatch(said) is not None or _AMOUNT.match(said) is not None
    return clause.tie == Tie.ASIDE or found[0].rstrip()[-1:].isalpha()  # (n = T), n is the length


@dataclass
class _Reader:
    known: tuple[str, ...]
    quantities: Quantities
    found: Definitions

    def read(self, text: str) -> None:
        for item in _ITEM.split(text.replace("$", " ")):
            item = item.strip().rstrip(".")
            match = DEFINITION.match(item) or _LOOSE.match(item)
            if match:
                self._equate([match[1] or match[2], *_CHAIN.split(item[match.end() :])])
            elif (fixed := _FIXED.fullmatch(item)) and self._name(fixed[1]) in self.known:
                self.found.claims.append((self._name(fixed[1]), ONE))
            elif counted := _COUNTED.fullmatch(item):
                self._call(counted[1], self._counted(counted[2]))
            elif named := _NAMED.fullmatch(item):
                self._refuse_confusion(named["letter"], named["words"])
                self._call(named["letter"], self._spoken(named["words"]))
                if named["value"]:
                    self._equate([named["letter"], named["value"]])

    def _refuse_confusion(self, letter: str, words: str) -> None:
        """Kernel size T, where T is no such thing: there may be T of something more."""
        name = self._name(letter)
        if _OF_ANOTHER.fullmatch(words) and name in self.known and self._spoken(words) != name:
            raise AnswerError(f"you call {letter} the {words}: use the question's letters")

    def _call(self, letter: str, variable: str | None) -> None:
        if variable is not None:
            self._define(self._name(letter), Sym(variable), variable)

    def _counted(self, things: str) -> str | None:
        """The variable that counts things: T counts words."""
        return self.quantities.find(f"number of {things}")

    def _spoken(self, words: str) -> str | None:
        """The variable of 'sequence length', and of 'a sequence of length'."""
        sized = _SIZED.fullmatch(words)
        return self.quantities.find(f"{sized[1]} {sized[2]}" if sized else words.removeprefix("a ").strip())

    def _name(self, text: str) -> str:
        return names_of(self.known).unit(*_split(text)).text

    def _equate(self, sides: list[str]) -> None:
        """d = d_k = d_v, n is the sequence length: each name is what the last side says."""
        *names, last = (side.strip() for side in sides)
        letters = [name for name in names if _LETTER.fullmatch(name)]
        variable = self.quantities.find(last)
        value: Expr | None = Sym(variable) if variable else None
        if value is None and (not CONSTANT.fullmatch(last) or _NUMBER.fullmatch(last)):
            value = self._value(last) or self._value(self.quantities.put_in(last)) or self._apposed(last)
        for name in map(self._name, letters):
            if value is not None:
                self._define(name, value, last if variable else "")
            elif CONSTANT.fullmatch(last) and name in self.known:
                self.found.claims.append((name, ONE))
            elif CONSTANT.fullmatch(last):
                self.found.constants.add(name)

    def _apposed(self, text: str) -> Expr | None:
        """'w the kernel size', 'X*Y pixels': what the formula says, unless the words say another variable."""
        found = _APPOSED.fullmatch(text)
        value = self._value(found["value"]) if found else None
        if found is None or value is None:
            return None
        variable = self.quantities.find(found["words"]) or self._counted(found["words"])
        if variable is not None and value != Sym(variable):
            raise AnswerError(f"you call {plain(value)} what is {variable} here: use the question's letters")
        return value

    def _value(self, text: str) -> Expr | None:
        try:
            reading = read(text, (*self.known, *self.found.names))
        except AnswerError:
            return None
        return reading.sides[0] if len(reading.sides) == 1 and not reading.spoken else None

    def _define(self, name: str, value: Expr, words: str) -> None:
        value = self.found.apply(value)
        if name in self.found.values and self.found.values[name] != value:
            raise AnswerError(f"you give {name} two meanings: say once what it is")
        if name in self.known:
            self._claim(name, value, words)
        elif set(names_in(value)) <= {*self.known, *self.found.constants} and value != Sym(name):
            self.found.values[name] = value

    def _claim(self, name: str, value: Expr, words: str) -> None:
        """A letter of the question: T = n defines n; T as another letter's words is a confusion."""
        if value == Sym(name):
            return
        if isinstance(value, Sym) and value.name not in self.known:
            self.found.values[value.name] = Sym(name)
        elif words:
            if words == plain(value):
                raise AnswerError(f"you write {name} where the question has {words}: use its letters")
            words = re.sub(r"^(?:the|an?)\s+", "", words)
            raise AnswerError(
                f"you call {name} the {words}, which is {plain(value)} here: use the question's letters"
            )
        else:
            self.found.claims.append((name, value))


def said_of(name: str, value: Expr) -> str:
    """What an answer says of a letter of the question, in words."""
    return f"{name} = {plain(value)}" if names_in(value) else f"{name} is constant"


def _split(text: str) -> tuple[str, str]:
    letters = re.match(r"\\?([A-Za-zͰ-Ͽ]+)", text)
    assert letters is not None
    return letters[1], text[letters.end() :].strip("_{}' ")
