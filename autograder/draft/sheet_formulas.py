"""The text of a sheet comes in; its displayed and inline formulas go out, row by row, and what it assumes."""

from __future__ import annotations

import re

DISPLAY = re.compile(
    r"\$\$(.*?)\$\$|\\begin\{(?:align|equation|gather)\*?\}(.*?)\\end\{(?:align|equation|gather)\*?\}", re.S
)
INLINE = re.compile(r"(?<!\$)\$(?!\$)([^$]+)\$(?!\$)")
_BOUND = re.compile(r"([A-Z])\s*(<|\\leq?|≤|<=|=)\s*(\d*\s*[A-Z](?:\s*/\s*(?:[A-Z]|\d+))?)")

# What only names what is worked out: dL/dw =, \frac{\partial f}{\partial x} =, \nabla f =, f'(x) =.
_NAME = re.compile(
    r"^\s*(?:\\[dt]?frac\s*\{\s*(?:\\partial|\\mathrm\{d\}|d)[^{}=]*\}\s*\{\s*(?:\\partial|\\mathrm\{d\}|d)[^{}=]*\}"
    r"|\\[dt]?frac\s*\{\s*(?:\\partial|\\mathrm\{d\}|d)\s*\}\s*\{\s*(?:\\partial|\\mathrm\{d\}|d)[^{}=]*\}[^=]*?"
    r"|(?:d|\\partial)\s*[A-Za-z]\w?\s*/\s*(?:d|\\partial)\s*\w+|(?:\\nabla|∇)(?:_\{?\w+\}?)?\s*[A-Za-z]"
    r"|(?P<function>[A-Za-z])'*(?=\())(?:\([^()=]*\))?\s*&?=\s*(?=\S)"
)


def without_name(formula: str) -> str:
    """A formula without a left side that only names it."""
    found = _NAME.match(formula)
    if not found:
        return formula
    behind = formula[found.end() :]
    again = found["function"] and re.search(rf"(?<![A-Za-z\\]){found['function']}'*\(", behind)
    return formula if again else behind


def in_digits(formula: str) -> str:
    """Numbers without the commas between their thousands: 73{,}728 and 73,728, but not (1, 200)."""
    plain = formula.replace("{,}", ",")
    return re.sub(
        r"(?<![\d,.(\[{])\d{1,3}(?:,\d{3})+(?![\d,])", lambda found: found[0].replace(",", ""), plain
    )


def blocks(text: str) -> list[str]:
    return [found[1] or found[2] for found in DISPLAY.finditer(text)]


def rows(block: str) -> list[str]:
    """The rows of a displayed formula; one without a sign of equality goes on in the next."""
    block = re.sub(r"\\(?:begin|end)\{(?:aligned|align|array|cases|split)\*?\}(?:\{[lcr ]*\})?", "", block)
    written = [row.replace("&", " ").strip() for row in re.split(r"\\\\(?:\[[^\]]*\])?", block)]
    joined: list[str] = []
    for row in written:
        if row.startswith("=") and joined and "=" not in joined[-1]:
            joined[-1] += " " + row
        elif row:
            joined.append(re.sub(r"\s+", " ", row))
    return joined


def math_in(text: str) -> list[str]:
    return [*blocks(text), *INLINE.findall(DISPLAY.sub(" ", text))]


def assumed(text: str, variables: list[str]) -> list[str]:
    """The bounds between sizes that a sheet states, U < J or I = J/K, where they speak of the variables."""
    found = []
    for math in INLINE.findall(DISPLAY.sub(" ", text)):
        if (match := _BOUND.fullmatch(math.strip())) and set(re.findall("[A-Z]", math)) & set(variables):
            sign = "=" if match[2] == "=" else "<="
            found.append(f"{match[1]} {sign} {match[3].replace(' ', '')}")
    return list(dict.fromkeys(found))
