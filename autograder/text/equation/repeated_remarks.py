"""A remark behind an equation comes in; where it says again what the equation runs over, it is taken out."""

from __future__ import annotations

import re
from collections import Counter

from autograder.text.equation.lexer import Unreadable
from autograder.text.equation.tree import Place

_INDEX = r"\$?\\?(?:Delta\s*)?[A-Za-z](?:_?\{?[A-Za-z\d]\}?|[a-z])?'*\$?"
_PLACES = r"keys|positions|places|tokens|locations|pixels|words|vocabulary|indices|axes"
_BACK = r"(?:is|are|being|runs?|running|goes|going|taken|normali[sz]ed|applied|computed|summed)"
# …, softmax over t2; …, summing over J1 and J2; (normalised over the keys)
_RUNS_OVER = re.compile(
    rf"[ \t]*(?:[,;.]|(?P<open>\(|\\text\{{))[ \t]*(?:(?:and|where|with|the|a|i\.e\.)\s+)*"
    rf"(?P<kind>softmax|normali[sz]\w+|distribution|sum(?:s|med|ming)?)(?:\s+{_BACK})*\s+(?:over|along|across)\s+"
    rf"(?P<words>(?:(?:all|both|the|every|each|{_PLACES})(?![A-Za-z_])\s*)*)"
    rf"(?P<names>{_INDEX}(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+){_INDEX})*)?"
    r"[ \t]*(?(open)[)}])[ \t]*[.,;]?[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
# …, i.e. a weighted average of the features
IN_WORDS = re.compile(
    r"[ \t]*[,;][ \t]*(?:i\.\s?e\.,?|that\s+is,?|which\s+is)\s+(?:a|the)\s+"
    r"weighted\s+(?:average|mean|sum|combination)"
    r"(?:\s+of\s+(?:all\s+)?(?:the\s+)?[a-z]+s)?[ \t]*[.]?[ \t]*$",
    re.MULTILINE,
)
# …, stacked on top of each other
_STACKED = re.compile(
    r"[ \t]*[,;(][ \t]*(?:stack|concatenat)(?:ed|ing)\s+"
    r"(?:vertically|on\s+top\s+of\s+(?:each\s+other|one\s+another)|(?:along|by)\s+(?:the\s+)?rows)"
    r"\)?[ \t]*[.]?[ \t]*$",
    re.MULTILINE,
)
_SOFTMAX = re.compile(
    r"(?:softmax\w*\s*\}?\s*_|\\underset)\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\w+)|softmax\w*", re.IGNORECASE
)
_SUM = re.compile(r"(?:(?<![A-Za-z])\\?sum|Σ|∑)(?:\\limits)?\s*_\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\w+)")
_LISTED = re.compile(r"\[([^\[\]]*)\]")
# the letters of what words speak of
_LETTERS = {
    "vocabulary": "wv",
    "words": "wvt",
    **dict.fromkeys(("keys", "positions", "places", "tokens", "locations", "pixels"), "tsxyijnmab"),
}


def without_repeats(text: str) -> str:
    """The text without remarks that say what an equation's softmax or sums run over, as it does itself."""
    if "over" in text or "along" in text or "across" in text:
        text = _RUNS_OVER.sub(_agreed, text)
    if "tack" in text or "oncatenat" in text:
        text = _STACKED.sub(lambda found: _blank(found) if ";" in _equation(found) else found[0], text)
    return text


def _agreed(found: re.Match[str]) -> str:
    equation = _equation(found)
    if "=" not in equation:
        return found[0]
    summed = found["kind"].lower().startswith("sum")
    runs = _summed(equation) if summed else _normalised(equation)
    named = {_plain(name) for name in re.split(r",|\band\b", found["names"] or "") if name.strip(" $")}
    words = set(re.findall(r"[a-z]+", found["words"].lower())) & set(_LETTERS)
    if not runs or not (named or words):
        return found[0]
    fits = all(name[:1] in _LETTERS[word] for word in words for each in runs[:1] for name in each)
    if (not named or named in runs) and (named or fits) and not (named and words and not fits):
        return _blank(found)
    at = found.start() + len(found[0]) - len(found[0].lstrip(" ,;.("))
    place = Place(found.string.count("\n", 0, at) + 1, at - found.string.rfind("\n", 0, at))
    said = " ".join(found[0].split()).strip(" ,;.()")
    raise Unreadable(f"cannot read '{said[:40]}': the equation runs over {_shown(runs[0])}", place)


def _equation(found: re.Match[str]) -> str:
    """The line in front of a remark."""
    return found.string[found.string.rfind("\n", 0, found.start()) + 1 : found.start()]


def _normalised(equation: str) -> list[frozenset[str]]:
    """What the one softmax of an equation runs over, or the one sum below its exponentials."""
    softmaxes = _SOFTMAX.findall(equation)
    if len(softmaxes) == 1 and softmaxes[0]:
        return [_below(softmaxes[0])]
    sums = _SUM.findall(equation)
    return [_below(sums[0])] if not softmaxes and len(sums) == 1 and "exp" in equation else []


def _summed(equation: str) -> list[frozenset[str]]:
    """What an equation sums over: what it writes, what its repeated capitals mean, and both."""
    left, _, right = equation.partition("=")
    written = frozenset(name for below in _SUM.findall(right) for name in _below(below))
    capitals = Counter(_plain(name) for inner in _LISTED.findall(right) for name in inner.split(","))
    kept = {_plain(name) for inner in _LISTED.findall(left) for name in inner.split(",")}
    implied = frozenset(
        name for name, count in capitals.items() if count > 1 and name[:1].isupper() and name not in kept
    )
    return [each for each in dict.fromkeys((written | implied, written, implied)) if each]


def _below(text: str) -> frozenset[str]:
    inner = re.sub(r"^\{(.*)\}$", r"\1", text.strip())
    return frozenset(_plain(name.partition("=")[0]) for name in inner.split(",") if name.strip())


def _plain(name: str) -> str:
    return re.sub(r"\\Delta\s*", "d", name).replace("\\", "").translate(str.maketrans("", "", "_{}$ \t"))


def _shown(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
