"""Derivations made by rule: true steps of algebra and analysis, and the same with one slip in a line."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Planted:
    """A derivation, its result, and the line that is false (none where there is no slip)."""

    lines: tuple[str, ...]
    key: str
    false: int | None

    @property
    def text(self) -> str:
        return "\n= ".join(self.lines)


# Each family: equal lines from the first to the last, with numbers a, b, c put in.
FAMILIES = [
    ["({a} x + {b})^2 - {b}^2", "({a} x)^2 + 2*{a}*{b} x", "{a}^2 x^2 + 2*{a}*{b} x", "{a} x ({a} x + 2*{b})"],
    ["sigmoid({a} x) - sigmoid({a} x)^2", "sigmoid({a} x)(1 - sigmoid({a} x))", "sigmoid({a} x) sigmoid(-{a} x)",
     "e^(-{a} x)/(1 + e^(-{a} x))^2"],
    ["sin({a} x)^2 - cos({a} x)^2", "1 - cos({a} x)^2 - cos({a} x)^2", "1 - 2 cos({a} x)^2", "-cos(2*{a} x)"],
    ["ln(y^{a} * e^({b} x))", "ln(y^{a}) + ln(e^({b} x))", "{a} ln(y) + {b} x"],
    ["sum_{{i=1}}^n ({a} i + {b})", "{a} sum_{{i=1}}^n i + sum_{{i=1}}^n {b}", "{a} n (n+1)/2 + {b} n",
     "n ({a} (n + 1) + 2*{b})/2"],
    ["tanh({a} x)", "(e^({a} x) - e^(-{a} x))/(e^({a} x) + e^(-{a} x))", "(1 - e^(-2*{a} x))/(1 + e^(-2*{a} x))",
     "2 sigmoid(2*{a} x) - 1"],
    ["(A + {a} B)^T (A + {a} B)", "(A^T + {a} B^T)(A + {a} B)", "A^T A + {a} A^T B + {a} B^T A + {a}^2 B^T B"],
    ["{a} x/({b} y) + {c}/y", "{a} x/({b} y) + {b}*{c}/({b} y)", "({a} x + {b}*{c})/({b} y)"],
    ["max({a} x, 0) - max(-{a} x, 0)", "(({a} x + |{a} x|) - (-{a} x + |{a} x|))/2", "{a} x"],
    ["({b}/(1 + x))^2 (1 - x^2)", "{b}^2 (1 - x)(1 + x)/(1 + x)^2", "{b}^2 (1 - x)/(1 + x)"],
]  # fmt: skip
# A slip, as a hand makes it: what is written instead.
SLIPS = [("+", "-"), ("-", "+"), ("^2", ""), ("2*", ""), ("(1", "(2"), (" x", " (x + 1)"), ("sigmoid", "tanh"), ("cos", "sin"),
         ("/2", ""), ("A^T B", "A B"), (" y", " x"), ("n+1", "n-1")]  # fmt: skip


def value(line: str, at: dict[str, float]) -> float | None:
    """A line worked out in plain Python, by rules of our own: the judge's reader has no part in it."""
    text = re.sub(r"sum_\\?\{?i=1\}?\^n (\(.*?\)|\w+)", r"sum(\1 for i in range(1, n + 1))", line)
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", text).replace("^", "**")
    text = re.sub(r"(?<![\w.])(\d+|[xyni])\s+(?=[xyni]\b|\(|sum|sigmoid|tanh|cos|sin|ln)", r"\1*", text)
    text = re.sub(r"\)\s*(?=[(xyn]|sigmoid|tanh)", ")*", text)
    known = {
        "sigmoid": lambda x: 1 / (1 + math.exp(-x)), "tanh": math.tanh, "sin": math.sin, "cos": math.cos,
        "ln": math.log, "max": max, "abs": abs, "sum": sum, "range": range, "e": math.e,
    }  # fmt: skip
    try:
        return float(eval(text, {"__builtins__": {}, **known}, dict(at)))  # our own lines, and nobody else's
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def differ(first: str, second: str) -> bool:
    """Whether two lines have another value at some of a few points."""
    points = [{"x": 0.37, "y": 1.9, "n": 4}, {"x": -0.81, "y": 0.6, "n": 3}, {"x": 2.3, "y": 2.2, "n": 5}]
    pairs = [(value(first, at), value(second, at)) for at in points]
    return any(
        a is not None and b is not None and abs(a - b) > 1e-9 * max(1, abs(a), abs(b)) for a, b in pairs
    )


def planted(seed: int, *, slip: bool = True) -> Planted:
    """One derivation; with a slip, its line and the ones after it go on from what was written."""
    source = random.Random(seed)
    family = source.choice(FAMILIES)
    a, b, c = source.sample(range(2, 9), 3)
    lines = [line.format(a=a, b=b, c=c) for line in family]
    if not slip:
        return Planted(tuple(lines), lines[-1], None)
    options = [
        (at, old, new) for at in range(1, len(lines)) for old, new in SLIPS if old in lines[at] and old != new
    ]
    at, old, new = source.choice(options)
    places = [place for place in range(len(lines[at])) if lines[at].startswith(old, place)]
    place = source.choice(places)
    wrong = lines[at][:place] + new + lines[at][place + len(old) :]
    # What comes after goes on from the wrong line: the difference is carried along.
    carried = [f"{line} + ({wrong}) - ({lines[at]})" for line in lines[at + 1 :]]
    return Planted((*lines[:at], wrong, *carried), lines[-1], at + 1)
