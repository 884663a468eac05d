"""A solved sheet, in Markdown or LaTeX, comes in; its problems go out: statement, questions, solutions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# What opens a problem, a question of it, and a solution, in Markdown and in LaTeX.
_PROBLEM = re.compile(
    r"^[ \t]*(?:\*\*|#{1,6}[ \t]*|\\(?:sub)*section\*?\{|\\textbf\{|\\begin\{(?:problem|exercise)\})"
    r"[ \t]*(?:\d+\.?[ \t]+)?(?P<head>(?:Problem|Exercise|Question|Q)?\s*(?P<number>\d*)[^\n]*)$",
    re.M,
)
_NAMED = re.compile(r"(?:Problem|Exercise|Question|Q)\b\s*\d*|Q\d+", re.I)
_SOLUTION = re.compile(
    r"(?:\*\*|\\textbf\{|\*|\\emph\{)\s*(?:Solution|Answer)\s*[:.]?\s*(?:\*\*|\}|\*)\s*[:.]?|\\begin\{solution\}",
    re.I,
)
_ENVIRONMENT = re.compile(r"\\begin\{(?:problem|exercise|question)\}(?:\[(?P<title>[^\]\n]*)\])?")
_QUESTION = re.compile(
    r"^[ \t]*(?:\*\*)?(?:\((?P<label>[a-z]|[ivx]{1,4}|\d{1,2})\)|(?P<bare>[a-h])\))(?:\*\*)?[ \t]*(?=\s)",
    re.M,
)
_END = "\\end{solution}"
_LIST = re.compile(r"\\begin\{enumerate\}(?:\[[^\]]*\])?(.*?)\\end\{enumerate\}", re.S)
_LATEX_ONLY = re.compile(
    r"\\(?:begin|end)\{(?:document|problem|exercise|question|solution|enumerate|itemize)\}(?:\[[^\]]*\])?"
    r"|\\documentclass.*|\\usepackage.*|\\maketitle|^\s*%.*$",
    re.M,
)


@dataclass(frozen=True)
class SheetQuestion:
    """One thing that is asked, and how the sheet answers it."""

    label: str
    ask: str
    solution: str


@dataclass(frozen=True)
class SheetProblem:
    """A problem of the sheet: its title as written, what stands before its questions, and these."""

    title: str
    statement: str
    questions: tuple[SheetQuestion, ...] = field(default=())


def read_sheet(text: str) -> tuple[SheetProblem, ...]:
    """Every problem that has a heading of its own; a sheet without one is a single problem."""
    text = re.sub(r"\\item\s*\[?\(?([a-z])[.)]\]?", r"(\1)", text.replace("\r\n", "\n"))
    text = _LIST.sub(_lettered, text)
    if begun := list(_ENVIRONMENT.finditer(text)):
        ends = [*(found.start() for found in begun[1:]), len(text)]
        return tuple(
            _problem((found["title"] or "").strip(), "", text[found.end() : end])
            for found, end in zip(begun, ends, strict=True)
        )
    heads = [found for found in _PROBLEM.finditer(text) if _NAMED.match(found["head"])]
    if not heads:
        return (_problem("", text),) if _SOLUTION.search(text) else ()
    ends = [*(found.start() for found in heads[1:]), len(text)]
    if not _SOLUTION.search(text):  # answers alone, as handed in: what was asked is not said
        return tuple(
            SheetProblem(_title(found["head"])[0], "", _answers(text[found.end() : end]))
            for found, end in zip(heads, ends, strict=True)
        )
    return tuple(
        _problem(*_title(found["head"]), text[found.end() : end])
        for found, end in zip(heads, ends, strict=True)
    )


def _lettered(found: re.Match[str]) -> str:
    """The items of a list that no one labelled, with letters, as LaTeX shows them."""
    if re.search(r"^[ \t]*\([a-z]\)", found[1], re.M) or "\\begin" in found[1].replace(
        "\\begin{solution}", ""
    ):
        return found[0]
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    return re.sub(r"\\item(?![A-Za-z])", lambda _: f"\n({next(letters, 'z')}) ", found[1])


def _answers(text: str) -> tuple[SheetQuestion, ...]:
    """Answers without their questions: one for each letter that heads one."""
    labels = list(_QUESTION.finditer(text))
    if not labels:
        return (SheetQuestion("", "", text.strip()),)
    ends = [*(found.start() for found in labels[1:]), len(text)]
    return tuple(
        SheetQuestion(_label(found), "", text[found.end() : end].strip())
        for found, end in zip(labels, ends, strict=True)
    )


def _label(found: re.Match[str]) -> str:
    return found["label"] or found["bare"]


def _title(head: str) -> tuple[str, str]:
    """The bold part of a heading, and what stands behind it on the same line."""
    bold, _, rest = head.partition("**")
    if not rest and "}" in head:
        bold, _, rest = head.partition("}")
    title = re.sub(r"^(?:Problem|Exercise|Question|Q)\s*\d*\s*[.:)]?\s*", "", bold.strip(" #*}"), flags=re.I)
    return title.strip(" .:"), rest


def _problem(title: str, rest: str = "", body: str = "") -> SheetProblem:
    text = f"{rest}\n{body}"
    labels = list(_QUESTION.finditer(text))
    if not labels or ((first := _SOLUTION.search(text)) is not None and first.start() < labels[0].start()):
        ask, solution = _solved(text)
        return SheetProblem(title, "", (SheetQuestion("", ask, solution),))
    ends = [*(found.start() for found in labels[1:]), len(text)]
    questions = []
    for found, end in zip(labels, ends, strict=True):
        ask, solution = _solved(text[found.end() : end])
        questions.append(SheetQuestion(_label(found), ask, solution))
    return SheetProblem(title, plain_markdown(text[: labels[0].start()]), tuple(questions))


def _solved(text: str) -> tuple[str, str]:
    found = _SOLUTION.search(text)
    if found is None:
        return plain_markdown(text), ""
    solution, _, behind = text[found.end() :].partition(_END)
    return plain_markdown(f"{text[: found.start()]}\n{behind}"), plain_markdown(solution)


def plain_markdown(text: str) -> str:
    """Without the commands that only frame a LaTeX document, and without doubled spaces."""
    text = _LATEX_ONLY.sub("", text)
    text = re.sub(r"\\\[(.*?)\\\]", r"$$\1$$", text, flags=re.S)
    text = re.sub(r"\\\((.*?)\\\)", r"$\1$", text, flags=re.S)
    text = re.sub(r"(?<=\S)[ \t]{2,}", " ", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
