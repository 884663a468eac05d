"""A solved sheet, in Markdown or LaTeX, comes in; its problems go out: statement, questions, solutions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

# What opens a problem, a question of it, and a solution, in Markdown and in LaTeX.
_PROBLEM = re.compile(
    r"^[ \t]*(?:\*\*|#{1,6}[ \t]*|\\(?:sub)*section\*?\{|\\textbf\{|\\begin\{(?:problem|exercise)\})"
    r"[ \t]*(?:\d+\.?[ \t]+)?(?P<head>(?:Problem|Exercise|Question|Q)?\s*(?P<number>\d*)[^\n]*)$",
    re.M,
)
_NAMED = re.compile(r"(?:Problem|Exercise|Question|Q)\b(?!\s+(?:set|sheet|list)\b)\s*\d*|Q\d+", re.I)
_SOLUTION = re.compile(
    r"(?:\*\*|\\textbf\{|\*|\\emph\{)\s*(?:Solution|Answer)\s*[:.]?\s*(?:\*\*|\}|\*)\s*[:.]?|\\begin\{(?:solution|answer)\*?\}(?:\[[^\]\n]*\])?",
    re.I,
)
_ENVIRONMENT = re.compile(r"\\begin\{(?:problem|exercise|question)\}(?:\[(?P<title>[^\]\n]*)\])?")
_QUESTION = re.compile(
    r"^[ \t]*(?:\*\*)?(?:\((?P<label>[a-z]|[ivx]{1,4}|\d{1,2})\)|(?P<bare>[a-h])\))(?:\*\*)?[ \t]*(?=\s)",
    re.M,
)
_NUMBERED = re.compile(r"^[ \t]{0,3}(?:\*\*)?\(?(?P<label>\d{1,2})[.)](?:\*\*)?[ \t]+(?=\S)", re.M)
_HEADING = re.compile(
    r"^[ \t]*(?:(?P<marks>#{1,6})[ \t]+(?P<title>[^\n]+)"
    r"|\\(?P<sub>(?:sub)*)section\*?\{(?P<named>[^{}\n]*)\}.*)$",
    re.M,
)
_WORTH = re.compile(r"[(\[]?(\d+(?:\.\d+)?)\s*(?:pts?|points?|marks?)\b\.?[)\]]?", re.I)
_END = re.compile(r"\\end\{(?:solution|answer)\*?\}")
_EXAM_PART = re.compile(r"\\part(?![A-Za-z])(?:\[[^\]\n]*\])?")  # of LaTeX's class exam
_EXAM_QUESTION = re.compile(r"\\(?:titled)?question(?![A-Za-z])(?:\{(?P<title>[^{}]*)\})?(?:\[[^\]\n]*\])?")
_LIST = re.compile(r"\\begin\{enumerate\}(?:\[[^\]]*\])?(.*?)\\end\{enumerate\}", re.S)
_LATEX_ONLY = re.compile(
    r"\\(?:begin|end)\{(?:document|problem|exercise|question|solution\*?|answer\*?|enumerate|itemize|questions)\}(?:\[[^\]]*\])?"
    r"|\\documentclass.*|\\usepackage.*|\\(?:re)?newcommand.*|\\(?:title|author|date)\{.*\}|\\maketitle|^\s*%.*$",
    re.M,
)


ASKING = 4  # words, and more, that a question has


@dataclass(frozen=True)
class SheetQuestion:
    """One thing that is asked, and how the sheet answers it; what it is worth, where that is said."""

    label: str
    ask: str
    solution: str
    points: str = ""


@dataclass(frozen=True)
class SheetProblem:
    """A problem of the sheet: its title as written, what stands before its questions, and these."""

    title: str
    statement: str
    questions: tuple[SheetQuestion, ...] = field(default=())


def read_sheet(text: str) -> tuple[SheetProblem, ...]:
    """Every problem that has a heading of its own; a sheet without one is a single problem."""
    text = re.sub(r"\\item\s*\[?\(?([a-z])[.)]\]?", r"(\1)", text.replace("\r\n", "\n"))
    text = re.sub(r"\\(begin|end)\{parts\}", r"\\\1{enumerate}", _EXAM_PART.sub(r"\\item ", text))
    text = _LIST.sub(_lettered, text)
    if "\\begin{questions}" in text:
        text = _EXAM_QUESTION.sub(lambda found: rf"\begin{{question}}[{found['title'] or ''}]", text)
    if begun := list(_ENVIRONMENT.finditer(text)):
        ends = [*(found.start() for found in begun[1:]), len(text)]
        return tuple(
            _problem((found["title"] or "").strip(), "", text[found.end() : end])
            for found, end in zip(begun, ends, strict=True)
        )
    heads = [found for found in _PROBLEM.finditer(text) if _NAMED.match(found["head"])]
    if not heads:
        return _by_sections(text) if _SOLUTION.search(text) else ()
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


def _by_sections(text: str) -> tuple[SheetProblem, ...]:
    """A problem for each section with solutions, what stands before it in front; else one."""
    found = list(_HEADING.finditer(text))
    depths = [len(head["marks"] or head["sub"] or "") for head in found]
    for depth in sorted(set(depths)):
        heads = [head for head, mine in zip(found, depths, strict=True) if mine == depth]
        ends = [*(head.start() for head in heads[1:]), len(text)]
        bodies = [text[head.end() : end] for head, end in zip(heads, ends, strict=True)]
        if sum(bool(_SOLUTION.search(body)) for body in bodies) < 2:
            continue
        problems, before = [], _HEADING.sub("", text[: heads[0].start()])
        for head, body in zip(heads, bodies, strict=True):
            if not _SOLUTION.search(body):
                before += body
                continue
            title = _title(head["title"] or head["named"])[0]
            problems.append(_problem(title, before, body))
            before = ""
        return tuple(problems)
    return (_problem("", text),)


def _lettered(found: re.Match[str]) -> str:
    """The items of a list that no one labelled, with letters, as LaTeX shows them."""
    if re.search(r"^[ \t]*\([a-z]\)", found[1], re.M) or re.search(
        r"\\begin\{(?:enumerate|itemize)\}", found[1]
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
    return str(found["label"] or found.groupdict().get("bare"))


def _numbered(text: str) -> list[re.Match[str]]:
    """The items 1., 2., … where each has one solution; a list within a solution has none."""
    items = list(_NUMBERED.finditer(text))
    ends = [*(found.start() for found in items[1:]), len(text)][: len(items)]
    solved = [len(_SOLUTION.findall(text[item.end() : end])) for item, end in zip(items, ends, strict=True)]
    counts = [item["label"] for item in items] == [str(number) for number in range(1, len(items) + 1)]
    return items if counts and solved == [1] * len(items) and len(items) > 1 else []


def _question(label: str, ask: str, solution: str) -> SheetQuestion:
    """The question without what it is worth in front of it: (4 pts)."""
    worth = re.match(rf"\W*?{_WORTH.pattern}\W*?(?=[\w$\\\[])", ask, re.I)
    return (
        SheetQuestion(label, ask[worth.end() :], solution, worth[1])
        if worth
        else SheetQuestion(label, ask, solution)
    )


def _title(head: str) -> tuple[str, str]:
    """The bold part of a heading, or its number where that is all, and what stands behind it on the line."""
    bold, _, rest = head.partition("**")
    if not rest and "}" in head:
        bold, _, rest = head.partition("}")
    bold = _WORTH.sub("", bold)
    title = re.sub(r"^(?:Problem|Exercise|Question|Q)\s*\d*\s*[.:)]?\s*", "", bold.strip(" #*}"), flags=re.I)
    numbered = re.match(r"(?:Problem|Exercise|Question|Q)\s*\d+", bold.strip(" #*"), re.I)
    return title.strip(" .:") or (numbered[0] if numbered else ""), rest


def _problem(title: str, rest: str = "", body: str = "") -> SheetProblem:
    text = f"{rest}\n{body}"
    labels = list(_QUESTION.finditer(text)) or _numbered(text)
    if not labels or ((first := _SOLUTION.search(text)) is not None and first.start() < labels[0].start()):
        solved = [_solved(piece) for piece in _by_solutions(text)]
        if len(solved) == 1:
            statement, ask = _last_paragraph(solved[0][0])
            return SheetProblem(title, statement, (_question("", ask, solved[0][1]),))
        letters = "abcdefghijklmnopqrstuvwxyz"
        asked = (_question(label, *each) for label, each in zip(letters, solved, strict=False))
        return SheetProblem(title, "", tuple(asked))
    ends = [*(found.start() for found in labels[1:]), len(text)]
    questions = []
    for found, end in zip(labels, ends, strict=True):
        questions.append(_question(_label(found), *_solved(text[found.end() : end])))
    return SheetProblem(title, plain_markdown(text[: labels[0].start()]), tuple(questions))


def _last_paragraph(text: str) -> tuple[str, str]:
    """What a problem without letters says, and the paragraph at its end, which asks."""
    before, _, last = text.rpartition("\n\n")
    return (before, last) if before and len(re.findall(r"[A-Za-z]{2,}", last)) >= ASKING else ("", text)


def _by_solutions(text: str) -> list[str]:
    """The text in pieces that end with a solution each, where it says where solutions end."""
    ends = [found.end() for found in _END.finditer(text)]
    if len(ends) < 2:
        return [text]
    return [text[start:end] for start, end in pairwise([0, *ends[:-1], len(text)])]


def _solved(text: str) -> tuple[str, str]:
    """What is asked, and all that is headed as a solution: none of it is left in the question."""
    asked, solutions, rest = [], [], text
    while found := _SOLUTION.search(rest):
        asked.append(rest[: found.start()])
        end = _END.search(rest, found.end())
        solutions.append(rest[found.end() : end.start() if end else len(rest)])
        rest = rest[end.end() :] if end else ""
    return plain_markdown("\n".join([*asked, rest])), plain_markdown("\n\n".join(solutions))


def plain_markdown(text: str) -> str:
    """Without the commands that only frame a LaTeX document, and without doubled spaces."""
    text = _LATEX_ONLY.sub("", text)
    text = re.sub(r"\\\[(.*?)\\\]", r"$$\1$$", text, flags=re.S)
    text = re.sub(r"\\\((.*?)\\\)", r"$\1$", text, flags=re.S)
    text = re.sub(r"(?<=\S)[ \t]{2,}", " ", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
