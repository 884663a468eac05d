"""Write the list of what is read into docs/equations.md, from the table that the tests try.

Run it after tests/text/equation/notation.py has changed: python docs/make_equations.py
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.text.equation.notation import NOTATION

TARGET = Path(__file__).with_name("equations.md")
BEGIN = "<!-- written by docs/make_equations.py; do not edit -->"
END = "<!-- end of what docs/make_equations.py wrote -->"


def table() -> str:
    """Every meaning with its ways of writing; those of one meaning are read alike."""
    lines = [BEGIN]
    for ways in NOTATION:
        lines += ["", f"**{ways.meaning[0].upper()}{ways.meaning[1:]}**", "", "```"]
        lines += [way.replace(" // ", "\n") for way in ways.ways]
        lines.append("```")
    return "\n".join([*lines, "", END])


def fresh(text: str) -> str:
    """The page with its list written anew."""
    before, _, rest = text.partition(BEGIN)
    return before + table() + rest.partition(END)[2]


if __name__ == "__main__":
    TARGET.write_text(fresh(TARGET.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {TARGET}")
