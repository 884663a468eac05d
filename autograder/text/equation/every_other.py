"""Code that sums every other entry of a tensor comes in; it goes out as a sum over even or odd positions."""

from __future__ import annotations

import re

from autograder.text.equation.declarations import Vocabulary

_SLICE = r"([A-Za-z]\w*)\s*\[\s*(\d?)\s*:\s*:\s*2\s*\]"
# X[2::2].sum(), np.sum(X[2::2])
_SUMMED = re.compile(
    rf"(?<![\w.])(?:(?:np|torch|numpy)\s*\.\s*)?sum\s*\(\s*{_SLICE}\s*\)"
    rf"|(?<![\w.]){_SLICE}\s*\.\s*sum\s*\(\s*\)"
)
_FROM_ZERO = re.compile(r"\[\s*0?\s*:\s*:\s*2\s*\]")


def without_steps(text: str, vocabulary: Vocabulary) -> str:
    """The text with `X[2::2].sum()` as the sum of X at even positions, where X is numbered from 1.

    Positions count as the question does, unless a slice of the answer begins at 0, as code does.
    """
    from_zero = _FROM_ZERO.search(text) is not None

    def summed(found: re.Match[str]) -> str:
        name, start = found[1] or found[3], found[2] or found[4] or "0"
        declared = vocabulary.tensors.get(name)
        axis = declared.axes[0] if declared and len(declared.axes) == 1 else ""
        first = int(start) + from_zero
        if not vocabulary.numbering.get(axis, "").startswith("1..") or first not in (1, 2):
            return found[0]
        return f"(sum_{{s {'even' if first == 2 else 'odd'}}} {name}[s])"

    return _SUMMED.sub(summed, text)
