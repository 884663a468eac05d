"""The text of an equation comes in; its tensors with their indices, and its softmaxes, go out."""

from __future__ import annotations

import re

_NAME = (
    r"\\(?:text|mathrm|operatorname)\{[A-Za-z]+\}|\\(?:vec|tilde|hat|bar)\{[A-Za-z]\}|\\[A-Za-z]+|[A-Za-z]"
)
MARKS = r"(?:[_^](?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|\w))*"
OCCURS = re.compile(
    rf"(?P<name>{_NAME})(?P<marks>{MARKS})\s*(?:\\left)?\[(?P<axes>[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]"
)
_SOFTMAX = re.compile(
    r"\\underset\{(?P<under>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}\{\\(?:text|operatorname)\{softmax\}\}"
    r"|\\(?:text|operatorname)\{softmax\}_\{?(?P<below>[a-z](?:_\w|')?(?:\s*,\s*[a-z](?:_\w|')?)*)\}?"
)


def occurrences(text: str) -> list[re.Match[str]]:
    """Every name with brackets behind it, those within the brackets of another among them."""
    found = []
    for occurs in OCCURS.finditer(text):
        found += [occurs, *occurrences(occurs["axes"])]
    return found


def softmaxes(line: str) -> list[tuple[list[str], str]]:
    """The indices below each softmax, and the text behind it."""
    return [
        (spaceless(found["under"] or found["below"]).split(","), spaceless(line[found.end() :]))
        for found in _SOFTMAX.finditer(line)
    ]


def dangling(lines: list[str]) -> list[str]:
    """The softmaxes over an index that does not stand behind them: those make all entries equal."""
    loose = [
        index
        for line in lines
        for under, behind in softmaxes(line)
        for index in under
        if index and index not in behind
    ]
    return [
        f"a softmax over {index} is followed by no {index}: is another index meant?"
        for index in dict.fromkeys(loose)
    ]


def spaceless(text: str) -> str:
    return re.sub(r"[\s{}]", "", text)


def axis_of(index: str) -> str:
    """The axis that an index runs over: t_1, t' and t-1 run over T; a number says nothing of it."""
    if re.fullmatch(r"\s*\\?(?:Delta|Δ)\s*_?\{?[a-z]\}?\s*", index):
        return "D"
    letter = re.search(r"[A-Za-z]", re.sub(r"\\(?:text|mathrm)\{[^{}]*\}|\\[A-Za-z]+", "", index))
    return letter[0].upper() if letter else ""
