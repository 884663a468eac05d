"""What the variables of a question are called in words: 'linear in the sequence length' is linear in T."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from autograder.text.expression.vocabulary import words

_LENGTH = """sequence length, input length, sentence length, context length, text length, seq length, seq len,
    length, number of words, number of tokens, number of positions, number of time steps, number of timesteps,
    number of inputs, number of elements, number of items, number of symbols"""
_DIMENSION = """dimension, dimensionality, embedding dimension, model dimension, feature dimension,
    hidden dimension, representation dimension, vector dimension, head dimension, embedding size, hidden size,
    feature size, vector size, vector length, number of features, number of dimensions"""
# Used where the author says nothing, and only where no other variable of the question has the same name.
USUAL: Mapping[str, str] = {
    **dict.fromkeys(("T", "N", "n"), _LENGTH),
    **dict.fromkeys(("d", "D", "J", "U"), _DIMENSION),
    **dict.fromkeys(("L", "l"), "number of layers, depth, network depth, number of levels"),
    **dict.fromkeys(("H", "h", "K"), "number of heads, number of attention heads"),
    **dict.fromkeys(
        ("w", "k"),
        "width, window width, window size, window, kernel width, kernel size, filter width, filter size",
    ),
    "X": "width, image width, number of columns",
    "Y": "height, image height, number of rows",
    "V": "vocabulary size, number of vertices, number of nodes",
    "E": "number of edges",
    "B": "batch size",
}
_ARTICLE = r"(?:(?:the|a|an|its|their|our|this|each|one)[\s-]+)?"
_BETWEEN = r"(?:\s+between\s+(?:the\s+)?(?:two\s+)?(?:words|tokens|positions|them))?"
_SEQUENCES = words("x xs seq sequence sentence tokens words input inputs text a arr array")
# len(x), x.shape[0]
_IN_CODE = re.compile(
    r"(?<![\w.])(?:len\s*\(\s*(?P<of>[A-Za-z_]\w*)\s*\)"
    r"|(?P<first>[A-Za-z_]\w*)\s*\.\s*(?:shape\s*\[\s*0\s*\]|size\s*\(\s*0\s*\)))"
)
_COUNT = r"(?:number|count|amount|\#)"


@dataclass(frozen=True)
class Quantities:
    """The variables of a question by their names in words."""

    patterns: tuple[tuple[re.Pattern[str], str], ...]  # longest phrases first

    def find(self, phrase: str) -> str | None:
        """The variable that a whole phrase names."""
        for pattern, name in self.patterns:
            if pattern.fullmatch(phrase.strip()):
                return name
        return None

    def in_code(self, text: str, variables: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The text, as long as before, with lengths in code as their variable, and notes: len(x) is N.

        The length of a sequence is the question's one variable, or the sequence length.
        """
        length = variables[0] if len(variables) == 1 else self.find("sequence length")
        notes: list[str] = []

        def put(found: re.Match[str]) -> str:
            of = found["of"] or found["first"]
            if length is None or of in variables or of not in _SEQUENCES:
                return found[0]
            notes.append(f"{found[0]} was read as {length}")
            return length.ljust(len(found[0]))

        return _IN_CODE.sub(put, text), tuple(dict.fromkeys(notes))

    def put_in(self, text: str, inside: bool = False) -> str:
        """The text, as long as before, with phrases replaced by their variables: 'linear in T              '.

        A phrase beside its own letter ('the sequence length T') is that letter, not a product. `inside` asks
        for phrases within brackets only: the words around O(…) are no factors of it.
        """
        for pattern, name in self.patterns:
            for found in [*pattern.finditer(text)]:
                start, stop = found.span()
                if inside and text.count("(", 0, start) <= text.count(")", 0, start):
                    continue
                beside = r"[\w)\]}] *$" if inside else r"[\w)\]}][ ,(]*$"
                if re.search(beside, text[:start]) and not _after_word(text[:start], name):
                    continue
                own = re.compile(rf"\s*[,(]?\s*{re.escape(name)}(?![\w(])\)?{_BETWEEN}").match(text, stop)
                if own:
                    stop = own.end()
                text = text[:start] + name.ljust(stop - start) + text[stop:]
        return text


def _after_word(before: str, name: str) -> bool:
    """Whether what stands before a phrase is a word such as 'in', and not a factor."""
    word = re.search(r"([A-Za-z]+)[ ,(]*$", before)
    return word is not None and len(word[1]) > 1 and word[1] != name


def quantities(
    variables: tuple[str, ...], words: Mapping[str, str], others: tuple[str, ...] = ()
) -> Quantities:
    """The names in words of a question's variables; `others` are known, too, but only as the author says."""
    return _quantities(variables, tuple(sorted(words.items())), others)


@lru_cache(maxsize=512)
def _quantities(
    variables: tuple[str, ...], words: tuple[tuple[str, str], ...], others: tuple[str, ...]
) -> Quantities:
    declared = dict(words)
    owners: dict[str, list[str]] = {}
    for name in (*variables, *others):
        for phrase in _phrases(declared.get(name, "")):
            owners.setdefault(phrase, []).append(name)
    said = {phrase for phrase, names in owners.items() if len(names) == 1}
    usual: dict[str, list[str]] = {}
    for name in variables:
        for phrase in _phrases(USUAL.get(name, "")):
            usual.setdefault(phrase, []).append(name)
    table = {phrase: owners[phrase][0] for phrase in said}
    table |= {p: names[0] for p, names in usual.items() if len(names) == 1 and p not in owners}
    ordered = sorted(table.items(), key=lambda item: (-len(item[0]), item[0]))
    return Quantities(tuple((_pattern(phrase), name) for phrase, name in ordered))


def _phrases(listed: str) -> list[str]:
    return [" ".join(phrase.lower().split()) for phrase in listed.split(",") if phrase.strip()]


def _pattern(phrase: str) -> re.Pattern[str]:
    """A phrase in its usual variants: number of layers or layer count, length of the sequence."""
    words = phrase.split()
    joined = r"[\s-]+".join(map(_either_number, words))
    ways = [joined]
    if words[:2] == ["number", "of"]:
        things = r"[\s-]+".join(map(_either_number, words[2:]))
        ways = [rf"{_COUNT}[\s-]*(?:of[\s-]+)?{_ARTICLE}{things}", rf"{things}[\s-]+count"]
    elif len(words) == 2 and words[1] in ("length", "size", "dimension", "width", "height", "depth"):
        ways.append(rf"{words[1]}s?\s+of\s+{_ARTICLE}{_either_number(words[0])}")
    return re.compile(rf"(?<![A-Za-z\\]){_ARTICLE}(?:{'|'.join(ways)}){_BETWEEN}(?![A-Za-z])", re.IGNORECASE)


def _either_number(word: str) -> str:
    if word == "dimension":
        return "dim(?:ension)?s?"
    return re.escape(word.removesuffix("s") if len(word) > 3 else word) + ("s?" if len(word) > 3 else "")
