"""docs/tutorial.md: a course begun, released, filled in, checked, graded and exported, as it was really run.

Run as `python -m docs.make_tutorial` in the repository; its pictures, docs/images/tutorial*.png, need a
Chromium. `--autograder PATH` takes another installation's command, and `--check` only compares what is
printed with the page.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "tutorial.md"

PROBLEM = '''\
"""Attention weights: how strongly does each query look at each key?"""

from autograder import Code, Growth, Problem, case


def weights(q, k):
    """Softmax over keys of q·k.   q[I, D]   k[J, D]   returns [I, J]"""


problem = Problem(
    title="Attention weights",
    source="the second lecture",
    statement=r"""
Query $q_i$ looks at key $k_j$ with the weight $\\alpha_{ij} = \\mathrm{softmax}_j\\, q_i^\\top k_j$.
""",
    parts=[
        Code(
            weights,
            points=3,
            cases=[
                case("more keys than queries", I=2, J=5, D=3),
                case("more queries than keys", I=6, J=4, D=2),
                case(
                    "large scores",
                    I=3,
                    J=4,
                    D=8,
                    scale=40,
                    hidden=True,
                    hint="subtract the largest score of a row before you exponentiate",
                ),
            ],
        ),
        Growth(
            "weights_time",
            points=1,
            ask="How does the number of operations grow?",
            variables=["I", "J", "D"],
        ),
    ],
)
'''
SOLUTION = '''\
"""Attention weights, answered."""

import torch


def weights(q, k):
    return torch.softmax(q @ k.T, dim=1)


weights_time = "O(I J D)"
'''
ANSWERS = {
    "ada": {
        "weights": "def weights(q, k):\n    return torch.softmax(q @ k.T, dim=1)",
        "weights_time": 'weights_time = "I*J*D"',
    },
    "boris": {
        "weights": "def weights(q, k):\n    scores = q @ k.T\n    return scores.softmax(0)",
        "weights_time": 'weights_time = "O(I J)"',
    },
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--autograder", type=Path, default=Path(sys.executable).with_name("autograder"))
    options.add_argument("--check", action="store_true", help="compare, and write nothing")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = "\n".join(Tutorial(given.autograder, Path(folder)).lines()) + "\n"
        if not given.check:
            take_pictures(Path(folder) / "out")
    if not given.check:
        PAGE.write_text(made, encoding="utf-8")
    elif made != PAGE.read_text(encoding="utf-8"):
        sys.exit(f"{PAGE.name} is not what the commands print: run python -m docs.make_tutorial\n\n{made}")


def take_pictures(out: Path) -> None:
    """What was made, as a browser shows it by day and by night."""
    from docs.make_page_pictures import open_browser, shoot

    with open_browser() as browser:
        for scheme in ("light", "dark"):
            page = out / "feedback" / "boris" / "week1" / "weights.html"
            shoot(browser, page, f"tutorial-feedback-{scheme}.png", width=1180, height=900, scheme=scheme)
            report = out / "report.html"
            shoot(browser, report, f"tutorial-report-{scheme}.png", width=1000, height=900, scheme=scheme)


def picture(name: str, says: str) -> Iterator[str]:
    """The picture for pages of either colour."""
    yield ""
    for scheme in ("light", "dark"):
        yield f"![{says}](images/{name}-{scheme}.png#gh-{scheme}-mode-only)"


class Tutorial:
    """The page, line by line, while its commands are run in a folder."""

    def __init__(self, autograder: Path, folder: Path) -> None:
        self._autograder, self._folder = autograder, folder

    def lines(self) -> Iterator[str]:
        yield "# From nothing to marks"
        yield ""
        yield "A course of one problem: written, proved, handed out, filled in, graded. All of it was run by"
        yield "`docs/make_tutorial.py`, and the tests run it again; what you see is what was printed."
        yield from self._section(
            "A course",
            "`new` begins a course and a problem, two files that say FILL IN where you are to write.",
        )
        yield from self._run("autograder new weights --kind code --kind growth --course week")
        yield from self._section(
            "The question",
            "Write what is asked. Axes are named in the docstring; a case gives each of them a size.",
        )
        yield from self._write("week/problems/weights.py", PROBLEM)
        yield from self._section(
            "The answer",
            "The same names, answered. No list of mistakes is needed: they are derived from this.",
        )
        yield from self._write("week/solutions/weights.py", SOLUTION)
        yield from self._section(
            "The proof",
            "The reference must earn full marks, the empty notebook none, and every small change of the\n"
            "reference that is wrong must lose some.",
        )
        yield from self._run("autograder build --course week")
        yield from self._run("autograder verify --course week")
        yield from self._section(
            "The handout", "What students get: the notebooks, and the visible cases for their check cells."
        )
        yield from self._run("autograder release handout --course week")
        yield from self._section(
            "Two students",
            "Ada and Boris fill in their notebooks. Boris lets the softmax run over the wrong axis.",
        )
        for student, answers in ANSWERS.items():
            self._fill_in(student, answers)
        yield from self._code("python", ANSWERS["boris"]["weights"])
        yield from self._run("autograder check handout/week1/weights.ipynb", fails=True)
        yield from self._section("Marks", "The class, in one command.")
        yield from self._run("autograder grade submitted --out out --course week")
        yield from self._run("cat out/grades.csv")
        yield ""
        yield "What Boris reads on his page, `out/feedback/boris/week1/weights.html`:"
        yield from self._quote()
        yield from picture("tutorial-feedback", "The page: his code, the line that departs, what it gives")
        yield ""
        yield "And the class at a glance, `out/report.html`, which begins with what to do next:"
        yield from picture("tutorial-report", "The class report")
        yield from self._section("The platform", "Marks go to Canvas, Moodle, Gradescope or a spreadsheet.")
        yield from self._run("autograder export out --to canvas --course week")
        yield ""
        yield "Next: [a class in ten minutes](instructors.md), [writing problems](authors.md)."

    def _section(self, title: str, words: str) -> Iterator[str]:
        yield from ("", f"## {title}", "", words)

    def _write(self, path: str, text: str) -> Iterator[str]:
        (self._folder / path).write_text(text, encoding="utf-8")
        yield from ("", f"`{path}`:")
        yield from self._code("python", text)

    def _code(self, language: str, text: str) -> Iterator[str]:
        yield from ("", f"```{language}", text.rstrip("\n"), "```")

    def _run(self, command: str, *, fails: bool = False) -> Iterator[str]:
        """A command and what it prints; tables, which a terminal draws, with their columns aligned."""
        words = command.split()
        program = [str(self._autograder), *words[1:]] if words[0] == "autograder" else words
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run(
            program, cwd=self._folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != fails:
            sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        yield from self._code("console", f"$ {command}\n{aligned(done.stdout)}")

    def _fill_in(self, student: str, answers: dict[str, str]) -> None:
        """Fill the notebook in where it was unpacked, and hand it in."""
        path = self._folder / "handout/week1/weights.ipynb"
        stub = json.loads(path.read_text(encoding="utf-8"))
        for cell in stub["cells"]:
            name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            if name in answers:
                cell["source"] = answers[name]
        path.write_text(json.dumps(stub), encoding="utf-8")
        place = self._folder / "submitted" / student / "week1"
        place.mkdir(parents=True)
        shutil.copy(path, place)

    def _quote(self) -> Iterator[str]:
        rows = (self._folder / "out/results.jsonl").read_text(encoding="utf-8").splitlines()
        for row in map(json.loads, rows):
            if row["student"] == "boris":
                yield ""
                yield f"> **{row['part']}**, {row['score']:g} of {row['max_score']:g}: " + row[
                    "feedback"
                ].replace("\n", "  \n> ")


def aligned(text: str) -> str:
    """Lines with tabs as a table of columns, the others as they are."""
    rows = [line.split("\t") for line in text.splitlines()]
    table = [row for row in rows if len(row) > 1]
    widths = [
        max(len(row[n]) for row in table if n < len(row)) for n in range(max(map(len, table), default=0))
    ]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)).rstrip()
        if len(row) > 1
        else row[0]
        for row in rows
    ]
    return re.sub(r"\d+\.\d+ s\b", "… s", "\n".join(lines))


if __name__ == "__main__":
    main()
