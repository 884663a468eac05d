"""Write the tables of docs/growth.md that show what is read, from the answers that the tests judge.

Run it after tests/text/growth_examples.toml has changed: python docs/make_growth.py
"""

import sys
import tomllib
from pathlib import Path

TARGET = Path(__file__).with_name("growth.md")
EXAMPLES = Path(__file__).parent.parent / "tests" / "text" / "growth_examples.toml"
BEGIN, END = "<!-- examples: made by docs/make_growth.py -->", "<!-- end of examples -->"


def tables(examples: Path = EXAMPLES) -> str:
    """One table a question: what may be written, and what is made of it."""
    lines = []
    for question in tomllib.loads(examples.read_text(encoding="utf-8"))["question"]:
        lines += [f"{question['title']}, asked in {' and '.join(question['variables'])}:", ""]
        lines += ["| you write | it is read as |", "|---|---|"]
        for answer, read in question["read"].items():
            lines.append(f"| {_code(answer)} | {_code(read)} |")
        for answer, why in question.get("refused", {}).items():
            lines.append(f"| {_code(answer)} | refused: {_plain(why)} |")
        lines.append("")
    return "\n".join(lines)


def _code(text: str) -> str:
    shown = text.replace("|", "\\|").replace("\n", " ↵ ")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def _plain(text: str) -> str:
    return text.replace("|", "\\|")


def page(text: str) -> str:
    """The page with its tables made anew."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n{END}{after}"


def main() -> None:
    text = TARGET.read_text(encoding="utf-8")
    made = page(text)
    if "--check" in sys.argv:
        sys.exit(0 if made == text else f"{TARGET} is out of date: run python docs/make_growth.py")
    TARGET.write_text(made, encoding="utf-8")
    print(f"wrote {TARGET}")


if __name__ == "__main__":
    main()
