"""Notes or slides without problems come in; what their formulas could ask goes out, a problem a section."""

from __future__ import annotations

import re

from autograder.draft.sheet import SheetProblem, SheetQuestion, plain_markdown
from autograder.draft.sheet_formulas import DISPLAY, INLINE

FILL_IN_ASK = "FILL IN: what is asked? The notes say it in a formula."
_HEADS = re.compile(
    r"^(?:#{1,6}[ \t]+|\\(?:sub)*section\*?\{|\d+(?:\.\d+)+\.?[ \t]+)(?P<title>[^\n]+)$", re.M
)
_LISTED_IN_CONTENTS = re.compile(r"[\t .]\d+$")
_SLIDE = re.compile(r"(?:\A|(?<=\n\n))[ \t]*(?P<title>[A-Z][^\n$\\.,;:?!=]{2,60})[ \t]*(?=\n[ \t]*\n|\Z)")
_SAYS = re.compile(r"=|\\(?:long)?rightarrow|\\to(?![A-Za-z])|(?<![A-Za-z])(?:O|\\Theta|\\mathcal\{O\})\s*\(")
_SPACES = {"\u2003": " ", "\u00a0": " ", "\u200b": "", "\ufeff": "", "\u202f": " ", "\x0c": "\n"}


def read_notes(text: str) -> tuple[SheetProblem, ...]:
    """Every section that has a formula which says something: an equation, a rate, what comes of what."""
    for strange, plain in _SPACES.items():
        text = text.replace(strange, plain)
    text = re.sub(r"[ \t]+\n", "\n", text.replace("\r\n", "\n"))
    heads = [found for found in _HEADS.finditer(text) if not _LISTED_IN_CONTENTS.search(found["title"])]
    heads = heads or list(_SLIDE.finditer(re.sub(r"\n{3,}", "\n\n", text)))
    text = text if heads and heads[0].re is _HEADS else re.sub(r"\n{3,}", "\n\n", text)
    ends = [*(found.start() for found in heads[1:]), len(text)][: len(heads)]
    pieces = [
        (found["title"].strip(" }*#"), text[found.end() : end])
        for found, end in zip(heads, ends, strict=True)
    ]
    first = heads[0].start() if heads else len(text)
    sections = [_section(title, body) for title, body in [("", text[:first]), *pieces]]
    return tuple(section for section in sections if section.questions)


def _section(title: str, body: str) -> SheetProblem:
    """What may be an answer is not in the statement: the place of each formula is left to fill in."""
    questions: list[SheetQuestion] = []

    def taken(found: re.Match[str]) -> str:
        said = re.sub(r"\\text\{[^{}]*\}", "", found[0]).strip("$ \n")
        if not _SAYS.search(said) or said.startswith("="):
            return found[0]
        label = str(len(questions) + 1)
        questions.append(SheetQuestion(label, FILL_IN_ASK, found[0].strip()))
        return f"(FILL IN: a formula of the notes, which part_{label} holds)"

    body = plain_markdown(body)
    statement = INLINE.sub(taken, DISPLAY.sub(taken, body))
    return SheetProblem(title, statement.strip(), tuple(questions))
