"""An answer as typed becomes tokens: plain text, unicode and LaTeX give the same ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text import symbols
from autograder.text.equation.tree import Place
from autograder.text.fold import fold

LONGEST = 6_000  # characters; six equations in careful LaTeX take about 800
DEEPEST = 40  # nested brackets


@dataclass(frozen=True)
class Token:
    """`kind` is name, number, or the sign itself; `text` is the name or the number."""

    kind: str
    text: str
    place: Place
    spaced: bool = False  # white space stands before it


class Unreadable(AnswerError):
    """The answer breaks off or makes no sentence at a place."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message, place.column)
        self.place = place


_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_OURS = f"A-Za-zℓ{''.join(symbols.GREEK)}"
_FOREIGN = re.compile(rf"(?=[{_OURS}]*[^\W\d_{_OURS}])[^\W\d_]+")  # a word with a letter that no answer has
_COMPOUND = re.compile(
    r"(?P<onehot>one[-_ ]hot)(?![A-Za-z])"
    r"|(?P<rowsoftmax>row(?:[-_]?wise)?[-_ ]?softmax)(?![A-Za-z])"
    r"|(?P<colsoftmax>col(?:umn)?(?:[-_]?wise)?[-_ ]?softmax)(?![A-Za-z])",
    re.IGNORECASE,
)  # words of which the parts are no names: one_hot(w), row-softmax(A)
_QUOTED = re.compile(r"""['"]([A-Za-z][\w,\s]*->[\w\s]*)['"]|\\texttt\{([A-Za-z,]+->[A-Za-z]*)\}""")
_BOLD_ONE = re.compile(r"\\(?:mathbf|mathbb|mathds|boldsymbol|bm|vec|symbf|pmb)\s*(?:\{\s*1\s*\}|1)(?!\d)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?[eE]-?\d{1,2}(?![\w\[(])|\d+(?:\.\d+)?|\.\d+")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_OPERAND = (
    r"\s*(?:[\d(\\]|[A-Za-z](?![A-Za-z]|\s+[A-Za-z]{2})|[A-Za-z]+\()"  # x % 2 and n // k are no comments
)
COMMENT = re.compile(rf"(?:#|(?:(?<!\\)%|(?<!\S)//(?=[ A-Za-z]))(?!{_OPERAND}))[^\n]*")
_BREAK = re.compile(r"\\\\\*?(?:\s*\[\s*-?[\d.]+\s*(?:pt|em|ex|mm|cm)\s*\])?|\n")
_SPACE = re.compile(r"[ \t\r\f\v\u00a0\u2009\u200a\u202f&$~]+|\\[,;:!> \[\]()]")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([A-Za-z]+)\*?\}(?:\s*\{[lcr| ]*\})?")
_STEP = re.compile(r"(?:\\?Delta(?![A-Za-z])|Δ|∆)\s*_?\s*(?:\{\s*([a-z])\s*\}|([a-z]))(?![A-Za-z'\[(])")
_OPENING = re.compile(r"\s*\{")
_WRAPPED = re.compile(r"\s*\{\s*([A-Za-z][A-Za-z0-9]*)\s*\}")
_LONG_SIGNS = (
    ("...", "dots"), ("..", "dots"), (":=", "="), ("==", "="), ("<=", "<="), (">=", ">="), ("!=", "!="),
    ("<-", "="), ("||", "||"), ("**", "^"), ("//", "/"), (r"\|", "||"), (r"\{", "("), (r"\}", ")"),
    (r"\_", "_"),
)  # fmt: skip
_PLAIN_SIGNS = frozenset("+-*/^_()[]{},;=|<>':.@")
_KINDS = {
    "@": "matmul",
    "lvert": "|",
    "rvert": "|",
}  # of signs and meanings that have a token of another name
_NAMES = frozenset(["prod", "sim", "infty", "partial"])  # meanings that are words here


class _Lexer:
    def __init__(self, typed: str) -> None:
        self.folded = fold(typed)
        self.text = self.folded.text
        self.at = 0
        self.tokens: list[Token] = []
        self.spaced = False
        self.decoration = ""
        self.dropped: set[int] = set()  # braces that only held a font
        self.starts = [0, *(match.end() for match in re.finditer("\n", typed))]
        self.line = 0

    def place(self) -> Place:
        typed = self.folded.column(self.at) - 1
        while self.line + 1 < len(self.starts) and self.starts[self.line + 1] <= typed:
            self.line += 1
        return Place(self.line + 1, typed - self.starts[self.line] + 1)

    def emit(self, kind: str, text: str = "") -> None:
        if kind == "name" and self.decoration:
            text, self.decoration = f"{self.decoration}:{text}", ""
        self.tokens.append(Token(kind, text or kind, self.place(), self.spaced))
        self.spaced = False

    def run(self) -> list[Token]:
        while self.at < len(self.text):
            self.step()
        return self.tokens

    def step(self) -> None:
        text, at = self.text, self.at
        if match := _ENVIRONMENT.match(text, at):
            if match[2] in symbols.MATRICES:
                self.emit("[" if match[1] == "begin" else "]", match[2])
        elif match := _BREAK.match(text, at):
            self.emit("newline")
            self.spaced = True
        elif match := _SPACE.match(text, at) or COMMENT.match(text, at):
            self.spaced = True
        elif match := _QUOTED.match(text, at):
            self.emit("string", match[1] or match[2])
        elif match := _BOLD_ONE.match(text, at):
            self.emit("ones", "1")
        elif match := _COMPOUND.match(text, at):
            self.emit("name", str(match.lastgroup))
        elif match := _STEP.match(text, at):
            self.emit("name", "Δ" + (match[1] or match[2]))
        elif match := _COMMAND.match(text, at):
            return self.command(match)
        elif text.startswith("(x)", at) and self.spaced and text[at + 3 : at + 4].isspace():
            match = re.compile(r"\(x\)").match(text, at)
            self.emit("kron")
        elif match := _FOREIGN.match(text, at):
            self.emit("strange", match[0])
        elif match := _WORD.match(text, at):
            self.word(match[0])
        elif match := _NUMBER.match(text, at):
            self.emit("number", match[0])
        else:
            return self.sign()
        assert match is not None
        self.at = match.end()
        return None

    def word(self, word: str) -> None:
        self.emit("sum" if word in ("sum", "Sum") else "name", word)

    def command(self, match: re.Match[str]) -> None:
        name, end = match[1], match.end()
        if name in symbols.DROPPED and self.text[end : end + 1] == "{":
            end = self._closing(end) + 1
        elif name in symbols.FONTS or name in symbols.DECORATIONS:
            self.decoration = symbols.DECORATIONS.get(name, self.decoration)
            end = self._unwrapped(end)
        elif name in symbols.COMMANDS:
            meaning = symbols.COMMANDS[name]
            if meaning in _NAMES:
                self.emit("name", name)
            else:
                self.emit(_KINDS.get(meaning, meaning))
        elif name not in symbols.IGNORED:
            self.emit("name", "l" if name == "ell" else name)
        else:
            self.spaced = True
        self.at = end

    def _unwrapped(self, at: int) -> int:
        """Step into the braces of a font or a decoration, which then count for nothing."""
        if wrapped := _WRAPPED.match(self.text, at):
            self.word(wrapped[1])
            return wrapped.end()
        opening = _OPENING.match(self.text, at)
        if opening is None:
            return at
        depth = 0
        for end in range(opening.end() - 1, len(self.text)):
            depth += {"{": 1, "}": -1}.get(self.text[end], 0)
            if depth == 0:
                self.dropped.add(end)
                return opening.end()
        return at

    def _closing(self, at: int) -> int:
        end = self.text.find("}", at)
        return end if end >= 0 else len(self.text)

    def sign(self) -> None:
        text, at = self.text, self.at
        for sign, kind in _LONG_SIGNS:
            if text.startswith(sign, at):
                self.emit(kind, sign if sign == "//" else "")
                self.at += len(sign)
                return
        char = text[at]
        if at in self.dropped:
            self.at += 1
        elif text.startswith(" . ", at - 1):
            self.emit("dot")
            self.at += 1
        elif char in symbols.GREEK:
            self.emit("sum" if char == "Σ" else "name", symbols.GREEK[char])
            self.at += 1
        elif char in _PLAIN_SIGNS:
            self.emit(_KINDS.get(char, char))
            self.at += 1
        else:
            self.emit("strange", char)
            self.at += 1


def _joined(tokens: list[Token]) -> list[Token]:
    """Primes join the name they follow, and digits lowered one by one join into a number."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if last and token.kind == "'" and last.kind == "name" and not token.spaced:
            joined[-1] = Token("name", last.text + "'", last.place, last.spaced)
        elif last and token.kind == last.kind == "number" and not token.spaced and "." not in last.text:
            joined[-1] = Token("number", last.text + token.text, last.place, last.spaced)
        else:
            joined.append(token)
    return joined


def read_tokens(text: str) -> list[Token]:
    """The tokens of an answer. Text that is far too long is refused before it is read."""
    if len(text) > LONGEST:
        raise Unreadable(
            f"the answer has {len(text)} characters: write the equations alone, in at most {LONGEST}",
            Place(1, 1),
        )
    return _joined(_Lexer(text.replace("\r\n", "\n")).run())


def check_brackets(tokens: list[Token]) -> None:
    """Every bracket is closed by its own kind, and none is buried too deep."""
    stack: list[Token] = []
    for token in tokens:
        if token.kind in symbols.OPENING:
            stack.append(token)
            if len(stack) > DEEPEST:
                raise Unreadable(f"more than {DEEPEST} brackets are nested: simplify the line", token.place)
        elif token.kind in symbols.CLOSING:
            if not stack:
                raise Unreadable(f"'{token.kind}' closes nothing: remove it or open it", token.place)
            opening = stack.pop()
            if symbols.OPENING[opening.kind] != token.kind:
                raise Unreadable(
                    f"'{opening.kind}' at column {opening.place.column} is closed by '{token.kind}': "
                    f"close it with '{symbols.OPENING[opening.kind]}'",
                    token.place,
                )
    if stack:
        last = stack[-1]
        raise Unreadable(f"'{last.kind}' is never closed: add '{symbols.OPENING[last.kind]}'", last.place)
