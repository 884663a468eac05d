"""A formula answer's text comes in; its outputs go out, each with the label it gives itself and its sides."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.errors import AnswerError
from autograder.text.expression.names import squeeze
from autograder.text.fold import fold

LONGEST = 2000
# Arrows and approximate equality stand before an answer as an equals sign does.
EQUALS = re.compile(
    r":=|==|\bequals\b|->|=>|→|⟶|⇒|≈|\\(?:to|rightarrow|longrightarrow|approx|equiv|Rightarrow)\b|(?<![<>!])="
)
# between an equation and one that follows from it
IMPLIES = re.compile(
    r"\\(?:Rightarrow|Longrightarrow|implies|iff|Leftrightarrow)(?![A-Za-z])|⇒|⟹|⇔|=>"
    r"|(?:,\s*)?(?<![A-Za-z])(?:so|hence|thus|therefore)(?![A-Za-z])[,:]?"
)
# what stands in a left side, and its plain form
PLAIN = {
    r"\langle": "<", r"\rangle": ">", r"\lVert": "||", r"\rVert": "||", r"\Vert": "||", r"\|": "||",
    "‖": "||", r"\cdot": "*", "·": "*", ".": "*", r"\top": "T", r"\intercal": "T", r"\mathsf": "",
}  # fmt: skip
BRACKETED = re.compile(r"(?:\\left)?[(\[{](.*?)(?:\\right)?[)\]}]\.?", re.DOTALL)
SEPARATOR = re.compile(r"(?<!\\)[,;]|\n|\\\\|\band\b|\\quad|\\text\{\s*and\s*\}")
INEQUALITY = re.compile(
    r"(?<![A-Za-z])(?:at\s+(?:most|least)|(?:less|more|fewer|greater)\s+than)(?![A-Za-z])|<=|>=|≤|≥|\\leq?\b|\\geq?\b|(?<![-=])>|<|\\neq?\b|≠|!="
)


@dataclass(frozen=True)
class Output:
    """One output: the sides that equals signs separate, as text, from left to right."""

    sides: tuple[str, ...]

    @property
    def label(self) -> str:
        """The left side, squeezed, where there is one."""
        return label(self.sides[0]) if len(self.sides) > 1 else ""


def label(text: str) -> str:
    """The form in which two spellings of a left side agree: <x_1, x_3> and \\langle x_1, x_3\\rangle."""
    folded = fold(text).text
    for command, plain in PLAIN.items():
        folded = folded.replace(command, plain)
    folded = re.sub(r"\\(?:left|right|mathbf|vec|mathrm|text|,|;|!)", "", folded)
    squeezed = squeeze(re.sub(r"[\s$(){}\[\]]", "", folded)).replace("|||", "||")
    return squeezed[:-1] if squeezed.endswith("||2") else squeezed


def labels(defined: str) -> frozenset[str]:
    """Every left side that names the same thing: <a, b> is a·b, a^T b and dot(a, b), either way round."""
    inner = re.fullmatch(r"\s*<(.*),(.*)>\s*", defined)
    if not inner:
        return frozenset([label(defined)])
    a, b = map(label, inner.groups())
    return frozenset(
        form.format(*pair) for pair in ((a, b), (b, a)) for form in ("<{}{}>", "{}*{}", "{}^T{}", "dot{}{}")
    )


def split_outputs(text: str, several: bool) -> tuple[Output, ...]:
    """The outputs of an answer; commas, line ends and 'and' separate them where several are asked for."""
    if len(text) > LONGEST:
        raise AnswerError(f"the answer has {len(text)} characters: write at most {LONGEST}")
    text = (text.replace("$", " ") if text.count("$") % 2 == 0 else text).strip()
    if not several:
        return (_output(text),)
    pieces = [piece for piece in _pieces(_unwrapped(text)) if piece.strip(" \t$.")]
    return tuple(_output(piece) for piece in pieces)


def split_steps(text: str) -> tuple[Output, ...]:
    """Equations of which one follows from another: 2IJ = J^2, so I = J/2; none where a step is none."""
    steps = IMPLIES.split(text.replace("$", " "))
    return tuple(_output(step.strip(" ,.;")) for step in steps) if all("=" in step for step in steps) else ()


def _unwrapped(text: str) -> str:
    r"""Without the brackets around a list: (d + b, a, c + d), also after (y_1, y_2, y_3) = ."""
    left, equals, right = text.partition("=")
    if equals and _is_list(left) and _is_list(right):
        text = right
    inner = BRACKETED.fullmatch(text.strip())
    return inner[1] if inner and _is_list(text) else text


def _is_list(text: str) -> bool:
    inner = BRACKETED.fullmatch(text.strip())
    return inner is not None and len(_pieces(inner[1])) > 1 and len(_pieces(text)) == 1


def _pieces(text: str) -> list[str]:
    """The text split at separators outside brackets."""
    out: list[str] = []
    depth = start = 0
    at = 0
    while at < len(text):
        if text[at] in "([{<":
            depth += 1
        elif text[at] in ")]}>":
            depth = max(depth - 1, 0)
        found = SEPARATOR.match(text, at) if depth == 0 else None
        if found:
            out.append(text[start:at])
            start = at = found.end()
        else:
            at += 1
    return [*out, text[start:]]


def _output(text: str) -> Output:
    cuts = [found for found in EQUALS.finditer(text) if not _is_braced(text[: found.start()])]
    places = zip([0, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), len(text)], strict=True)
    sides = tuple(text[start:end].strip() for start, end in places)
    if len(sides) > 1 and not sides[0]:
        sides = sides[1:]
    return Output(sides)


def _is_braced(before: str) -> bool:
    """Whether braces are open: the sign in \\sum_{i=1} separates no sides."""
    return before.count("{") > before.count("}")
