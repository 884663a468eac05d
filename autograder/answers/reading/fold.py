"""Text as typed comes in; the same text in plain characters goes out, each with the column it came from."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

OPERATORS = {
    **dict.fromkeys("×·⋅∙•∗✕✖⨯⊗", "*"),
    **dict.fromkeys("÷∕⁄", "/"),
    **dict.fromkeys("−–—‐‑‒﹣", "-"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys("‘’‚‛′", "'"),
    "≤": "<=",
    "⩽": "<=",
    "≥": ">=",
    "⩾": ">=",
    "≪": "<<",
    "√": " sqrt ",
    "∛": " cbrt ",
    "∥": "||",
    "∣": "|",
    "⟨": "<",
    "⟩": ">",
    "〈": "<",
    "〉": ">",
    "∼": "~",
    "≈": "~",
    "∝": "~",
    "⌈": "\\lceil ",
    "⌉": "\\rceil ",
    "⌊": "\\lfloor ",
    "⌋": "\\rfloor ",
}
# Letters of other alphabets that a reader cannot tell from the Latin ones.
LOOKALIKES = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧАВЕКМНОРСТХаеорсухοϹ", "ABEZHIKMNOPTYXABEKMHOPCTXaeopcyxoC")


@dataclass(frozen=True)
class Folded:
    """Plain text, and for each of its characters the 1-based column of the typed text."""

    text: str
    columns: tuple[int, ...]

    def column(self, at: int) -> int:
        if at < len(self.columns):
            return self.columns[at]
        return self.columns[-1] + 1 if self.columns else 1


def fold(typed: str) -> Folded:
    """Superscripts become ^(…), subscripts _{…}, operators and look-alike letters their ASCII selves."""
    if typed.isascii():
        return Folded(typed, tuple(range(1, len(typed) + 1)))
    out: list[str] = []
    columns: list[int] = []
    script = ""
    for column, char in enumerate(typed, 1):
        kind = unicodedata.decomposition(char).partition(" ")[0]
        now = kind if kind in ("<super>", "<sub>") else ""
        piece = _opening(script, now) + _plain(char, kind)
        out.append(piece)
        columns.extend([column] * len(piece))
        script = now
    end = _opening(script, "")
    columns.extend([len(typed)] * len(end))
    return Folded("".join(out) + end, tuple(columns))


def _opening(before: str, now: str) -> str:
    """What closes the script before this character and opens its own."""
    if before == now:
        return ""
    closing = {"<super>": ")", "<sub>": "}", "": ""}[before]
    return closing + {"<super>": "^(", "<sub>": "_{", "": ""}[now]


def _plain(char: str, kind: str) -> str:
    if char in OPERATORS:
        return OPERATORS[char]
    if kind == "<fraction>":
        return f"({unicodedata.normalize('NFKC', char).replace('⁄', '/')})"
    if unicodedata.category(char) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKC", char).translate(LOOKALIKES)
    return "".join(OPERATORS.get(each, each) for each in plain)
