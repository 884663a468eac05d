"""An answer's text comes in; raw tokens go out, each with its place in the text as typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from autograder.errors import AnswerError
from autograder.text.expression.names import Names, Unit
from autograder.text.expression.vocabulary import (
    FUNCTIONS,
    GREEK_NAMES,
    LIBRARIES,
    OF_MODULES,
    THETA,
    TOKENS,
    WORDS,
)
from autograder.text.fold import Folded
from autograder.text.symbols import COMMANDS, IGNORED

NO_MEANING = "this character has no meaning in an answer"
MOST_TOKENS = 300
DEEPEST = 30
LARGEST_EXPONENT = 400  # of a number such as 1e6

LETTER = r"A-Za-zͰ-Ͽℓ∂"
ANY_LETTER = re.compile(f"[{LETTER}]")
WHOLE_WORD = re.compile(r"[^\W\d_]+")  # in any alphabet
SCANNER = re.compile(
    rf"""(?P<space>\s+|\\[,;:!\s]|\\\\)
    |(?P<star>\\?[lL](?:og|g|n)\s*(?:\^\s*)?(?:\{{\s*\\?(?:ast|star|\*)\s*\}}|\*(?=\s*[\^({LETTER}]))(?!\*))
    |(?P<command>\\[A-Za-z]+)
    |(?P<escaped>\\[()\[\]{{}}|])
    |(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+(?![A-Za-z]))?)
    |(?P<letters>[{LETTER}]+)
    |(?P<op>\*\*|//|<<|<=|>=|==|=<|=>|[-+*/^!()\[\]{{}}|,=<>_.:~$;])""",
    re.VERBOSE,
)
OPS = {
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES",
    "/": "SLASH",
    "//": "WHOLES",
    "^": "CARET",
    "**": "CARET",
    "!": "BANG",
    "(": "LPAR",
    ")": "RPAR",
    "[": "LSQ",
    "]": "RSQ",
    "{": "LBRACE",
    "}": "RBRACE",
    "|": "BAR",
    ",": "COMMA",
    "=": "EQUALS",
    "<": "REL",
    "<=": "REL",
    ">": "REL",
    ">=": "REL",
    "<<": "REL",
    "_": "SUB",
    ".": "DOT",
    ":": "COLON",
    ";": "COMMA",
    "~": "TILDE",
}
LITTLE = "little o says that the cost stays strictly below it; write O(…), with a capital O"
SOFT = "a soft O leaves logarithms out; write O(…) with all its factors"
ENDS_OPERAND = ("RPAR", "RSQ", "RBRACE", "BAR", "BAR_CLOSE", "NUMBER", "NAME", "CONST", "BANG", "SQUARED")
POWER_NEXT = re.compile(r"\s*(?:\^|\*\*)")
MODULE = re.compile(rf"\.({'|'.join(OF_MODULES)})\s*(?=\()")
LIBRARY = re.compile(rf"\.(?=(?:{'|'.join(sorted(FUNCTIONS, key=len, reverse=True))})\d*\s*\()")


@dataclass(frozen=True)
class Tok:
    """A token: its type in the grammar, its value, and where it stands in the folded text."""

    type: str
    value: str
    at: int


def fail(folded: Folded, at: int, length: int, fix: str) -> AnswerError:
    """An error that quotes the text from a place on."""
    column = folded.column(at)
    found = folded.quote(at, at + length).strip() or folded.quote(at, at + length) or "end of the answer"
    return AnswerError(f"cannot read '{found}' at column {column}: {fix}", column)


def scan(folded: Folded, names: Names) -> list[Tok]:
    """The raw tokens of an answer; words are still single tokens of type WORD."""
    return _Scan(folded, names).run()


@dataclass
class _Scan:
    """One pass over the text."""

    folded: Folded
    names: Names
    out: list[Tok] = field(default_factory=list)
    depth: int = 0
    at: int = 0

    def run(self) -> list[Tok]:
        text = self.folded.text
        while self.at < len(text):
            found = SCANNER.match(text, self.at)
            if found is None or found.lastgroup is None:
                raise self._strange(self.at)
            start, self.at = self.at, found.end()
            getattr(self, f"_{found.lastgroup}")(found[0], start)
            if len(self.out) > MOST_TOKENS:
                raise AnswerError("the answer has too many parts: write it in a shorter form")
        return self.out

    def _strange(self, start: int) -> AnswerError:
        """A word with letters that no answer has is quoted whole."""
        word = WHOLE_WORD.match(self.folded.text, start)
        if word is None or len(word[0]) == 1:
            return fail(self.folded, start, 1, NO_MEANING)
        odd = next(sign for sign in word[0] if not ANY_LETTER.match(sign))
        return fail(self.folded, start, len(word[0]), f"'{odd}' has no meaning in an answer")

    def _emit(self, kind: str, value: str, at: int) -> None:
        if kind in ("LPAR", "LSQ", "LBRACE"):
            self.depth += 1
            if self.depth > DEEPEST:
                raise fail(self.folded, at, 1, "the brackets are nested too deeply")
        elif kind in ("RPAR", "RSQ", "RBRACE"):
            self.depth -= 1
        self.out.append(Tok(kind, value, at))

    def _rest(self) -> str:
        return self.folded.text[self.at :].lstrip()

    def _space(self, found: str, start: int) -> None:
        pass

    def _star(self, found: str, start: int) -> None:
        self._emit("LOGSTAR", "log*", start)

    def _command(self, found: str, start: int) -> None:
        word = found[1:]
        meaning = COMMANDS.get(word, "")
        if word in IGNORED:
            return
        if word in ("lceil", "lfloor"):
            self._emit("FUNC", word[1:], start)
            self._emit("LPAR", "(", start)
        elif word in ("rceil", "rfloor"):
            self._emit("RPAR", ")", start)
        elif word in ("Omega", "omega") and self._rest().startswith("("):
            raise self._lower_bound(start, found)
        elif word in ("tilde", "widetilde") and re.match(r"\s*\{?\s*\\?O", self.folded.text[self.at :]):
            raise fail(self.folded, start, len(found), SOFT)
        elif word in ("Theta", "O"):
            declared = self.names.find(word)
            order = ("ORDER", "O" if word == "O" else THETA)
            self._emit(*(("NAME", declared) if declared else order), start)
        elif meaning in TOKENS:
            self._emit(*TOKENS[meaning], start)
        elif word in FUNCTIONS:
            self._emit(*FUNCTIONS[word], start)
        elif word == "ell" or word.removeprefix("var").lower() in GREEK_NAMES:
            self._letters("l" if word == "ell" else word.removeprefix("var"), start)
        else:
            raise fail(self.folded, start, len(found), "this LaTeX command has no meaning in an answer")

    def _lower_bound(self, start: int, found: str) -> AnswerError:
        return fail(
            self.folded, start, len(found), "a lower bound says nothing of the cost from above; write O(…)"
        )

    def _escaped(self, found: str, start: int) -> None:
        if found[1] == "{":
            self._emit("LPAR", "(", start)
        elif found[1] == "}":
            self._emit("RPAR", ")", start)
        elif found[1] == "|":
            raise fail(self.folded, start, 2, "a norm cannot stand here")

    def _number(self, found: str, start: int) -> None:
        exponent = re.search(r"[eE]([+-]?\d+)$", found)
        if exponent and (len(exponent[1]) > 5 or abs(int(exponent[1])) > LARGEST_EXPONENT):
            raise fail(self.folded, start, len(found), "this number is too large to mean anything")
        if self.out and self.out[-1].type == "FRAC" and found.isdigit() and len(found) > 1:
            # \frac12 is one half
            found = found[0]
            self.at = start + 1
        if percent := re.compile(r"\s?\\?%(?!\s*[A-Za-z]{3})").match(self.folded.text, self.at):
            found, self.at = f"{found}/100", percent.end()  # 60% v1
        self._emit("NUMBER", found, start)

    def _letters(self, found: str, start: int) -> None:
        whole = WHOLE_WORD.match(self.folded.text, start)
        if whole and whole.end() > start + len(found):
            raise self._strange(start)
        lower = found.lower()
        declared = self.names.find(found) is not None
        if not declared and found in LIBRARIES and (dot := LIBRARY.match(self.folded.text, self.at)):
            self.at = dot.end()  # np.log(T)
            return
        if not declared and found in LIBRARIES and (dot := MODULE.match(self.folded.text, self.at)):
            self.at = dot.end()
            self._emit("FUNC", OF_MODULES[dot[1]], start)
            return
        if found == "x" and not declared and self._stands_alone(start):
            self._emit("TIMES", "*", start)
        elif not declared and self._is_word(lower, found):
            self._emit("WORD", lower, start)
        elif self.out and self.out[-1].type in ("SUB", "FRAC"):
            # log_b n: the base is the first letter; so is the numerator of \frac J2
            self.at -= len(found) - 1
            unit = self.names.unit(found[0])
            self._emit(unit.kind, unit.text, start)
        else:
            self._run_of_letters(found, start)

    def _after_operand(self) -> bool:
        return bool(self.out) and self.out[-1].type in (*ENDS_OPERAND, "COMMA")

    def _stands_alone(self, start: int) -> bool:
        """T x T: a small x between spaces, after one operand and before another, is a cross."""
        around = self.folded.text[start - 1 : start], self.folded.text[self.at : self.at + 1]
        return around == (" ", " ") and self._after_operand() and self._operand_follows()

    def _is_word(self, lower: str, found: str) -> bool:
        if lower in ("theta", "omega", "factorial") and self._rest().startswith("("):
            return False
        if lower == "a" or (lower in FUNCTIONS and lower != "factorial"):
            return lower == "a" and bool(re.match(r"[A-Za-z]{3,}", self._rest()))
        if found.isupper() and (len(found) < 3 or all(map(self.names.find, found))):
            return False
        return len(lower) > 1 and lower in WORDS

    def _run_of_letters(self, found: str, start: int) -> None:
        suffix = self._suffix(found)
        try:
            units = self.names.split(found, suffix)
        except AnswerError as error:
            raise AnswerError(str(error), self.folded.column(start)) from None
        opens = self._rest()[:1] in ("(", "[", "{")
        for number, unit in enumerate(units):
            last = number == len(units) - 1
            self._unit(unit, start, opens and last, last and len(units) == 1)
        if suffix.isdigit() and units[-1].kind not in ("NAME", "CONST"):
            # log2(n) and log2 n have base 2; ln2 is a number
            if units[-1].kind == "LOG" and units[-1].text == "log" and self._operand_follows():
                self._emit("SUB", "_", start)
            self._emit("NUMBER", suffix, start)

    def _operand_follows(self) -> bool:
        return bool(re.match(rf"[{LETTER}\d(\[{{\\|]", self._rest()))

    def _suffix(self, run: str) -> str:
        """Digits or a subscript straight after the letters, unless these end in a function."""
        text = self.folded.text
        digits = re.compile(r"\d+(?!\.?\d)").match(text, self.at)
        if digits and not (POWER_NEXT.match(text, digits.end()) and self.names.find(run + digits[0]) is None):
            self.at = digits.end()
            return digits[0]
        below = re.compile(r"\s?_\s?(\{[A-Za-z0-9+\-, ]*\}|\d+|[A-Za-z]+)").match(text, self.at)
        if below is None or run.lower().endswith(("log", "ln", "lg")):
            return ""
        self.at = below.end()
        return below[1].strip("{}").replace(" ", "")

    def _unit(self, unit: Unit, start: int, opens: bool, alone: bool) -> None:
        if unit.kind == "NAME" and not unit.known:
            if unit.text in ("Omega", "omega") and opens:
                raise self._lower_bound(start, unit.text)
            if unit.text == "o" and opens:
                raise fail(self.folded, start, 1, LITTLE)
            if (unit.text == "O" and (opens or alone)) or (unit.text in ("Theta", "theta") and opens):
                self._emit("ORDER", "O" if unit.text == "O" else THETA, start)
                return
        self._emit(unit.kind, unit.text, start)

    def _op(self, found: str, start: int) -> None:
        if found == "$":
            return
        if found not in OPS:
            raise fail(self.folded, start, len(found), "this has no meaning in an answer")
        self._emit(OPS[found], found, start)
