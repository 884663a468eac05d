"""How well the desk groups wrong functions: a class of 200, twelve causes, six of them listed nowhere.

python -m benchmarks.twelve_causes [--students 200] [--work FOLDER]

The class is graded for real. Then the largest group without a name gets the sentence of its first member's
cause, ten times over, through the desk's own forms; what is counted is how pure the groups are, and how
many wrong answers carry a sentence that is true of them.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.course.load import load_course
from autograder.desk.naming import causes_of, name_group
from autograder.desk.open_class import OpenClass, open_class
from autograder.desk.unexplained_groups import Cause as Group
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill

ROOT = Path(__file__).resolve().parent.parent
SET, PROBLEM, PART = "sequence_models", "dot_product_attention", "dot_product_attention"
HEAD = "def dot_product_attention(q, keys, values):\n"
SENTENCES, SEED = 10, 5


@dataclass(frozen=True)
class Written:
    """One cause: the sentence that is true of it, and bodies that have it.

    `listed` are ids of mistakes whose sentences are true of it as well. Bodies differ in names, in style and,
    where the cause leaves a number open, in values.
    """

    says: str
    bodies: tuple[str, ...]
    listed: tuple[str, ...] = ()


def _each(template: str, *fillings: str) -> tuple[str, ...]:
    return tuple(template.replace("<>", filling) for filling in fillings)


LISTED = {
    "scaled": Written(
        "the scores are scaled by 1/√D",
        (
            "    s = keys @ q / len(q) ** 0.5\n    a = torch.softmax(s, 0)\n    return a, a @ values\n",
            "    w = ((keys * q).sum(1) / q.shape[0] ** 0.5).softmax(0)\n    return w, w @ values\n",
            "    d = q.numel()\n    w = torch.softmax(keys @ (q / d**0.5), dim=0)\n"
            "    return w, (w[:, None] * values).sum(0)\n",
        ),
        ("adds_sqrt_scaling", "axis_factor"),
    ),
    "no_softmax": Written(
        "the softmax is missing",
        (
            "    s = keys @ q\n    return s, s @ values\n",
            "    scores = torch.einsum('nd,d->n', keys, q)\n    return scores, values.T @ scores\n",
        ),
        ("missing_softmax",),
    ),
    "averages_keys": Written(
        "the weights average the keys",
        (
            "    a = torch.softmax(keys @ q, 0)\n    return a, a @ keys\n",
            "    w = (keys @ q).softmax(0)\n    return w, (w[:, None] * keys).sum(0)\n",
        ),
        ("keys_used_as_values", "another_name"),
    ),
    "sigmoid": Written(
        "each score went through a sigmoid by itself",
        (
            "    a = torch.sigmoid(keys @ q)\n    return a, a @ values\n",
            "    a = 1 / (1 + torch.exp(-(keys @ q)))\n    return a, a @ values\n",
        ),
        ("sigmoid_weights",),
    ),
    "hard": Written(
        "the best entry takes all the weight",
        (
            "    s = keys @ q\n    a = (s == s.max()).to(s.dtype)\n    return a, a @ values\n",
            "    s = keys @ q\n    a = 0 * s\n    a[s.argmax()] = 1\n    return a, a @ values\n",
        ),
        ("hard_attention",),
    ),
    "only_context": Written(
        "only the context is returned",
        (
            "    a = torch.softmax(keys @ q, 0)\n    return a @ values\n",
            "    return (keys @ q).softmax(0) @ values\n",
        ),
        ("only_context_returned",),
    ),
}

UNLISTED = {
    "temperature": Written(
        "the scores are divided by a temperature: the question has none",
        (
            *_each(
                "    scores = keys @ q\n    alpha = torch.softmax(scores / <>, dim=0)\n"
                "    return alpha, alpha @ values\n",
                "0.3",
                "1.7",
                "3.0",
            ),
            *_each(
                "    tau = <>\n    e = (keys @ q / tau).softmax(0)\n    return e, e @ values\n", "0.3", "1.7"
            ),
        ),
        ("scaled_scores", "factor"),
    ),
    "recency": Written(
        "later entries are favoured: the place of an entry in the memory does not count",
        (
            *_each(
                "    n = keys.shape[0]\n    scores = keys @ q + <> * torch.arange(n, dtype=q.dtype)\n"
                "    alpha = torch.softmax(scores, dim=0)\n    return alpha, alpha @ values\n",
                "0.1",
                "0.5",
            ),
            "    m = len(keys)\n    s = keys @ q + 0.1 * torch.arange(m, dtype=q.dtype)\n"
            "    a = torch.softmax(s, dim=0)\n    return a, a @ values\n",
        ),
    ),
    "threshold": Written(
        "small weights are set to 0: every entry counts by its weight",
        (
            *_each(
                "    w = torch.softmax(keys @ q, dim=0)\n    w = torch.where(w < <>, 0.0, w)\n"
                "    return w, w @ values\n",
                "0.1",
                "0.2",
            ),
            "    w = (keys @ q).softmax(0)\n    w = w * (w >= 0.1)\n    return w, w @ values\n",
        ),
    ),
    "tanh": Written(
        "the score is a sum of tanh: it is the plain dot product",
        (
            "    scores = torch.tanh(keys + q).sum(1)\n    alpha = torch.softmax(scores, dim=0)\n"
            "    return alpha, alpha @ values\n",
            "    a = (keys + q).tanh().sum(-1).softmax(0)\n    return a, a @ values\n",
        ),
    ),
    "without_first": Written(
        "the first entry of the memory is left out: all N entries count",
        (
            "    s = keys @ q\n    s[0] = -torch.inf\n    a = s.softmax(0)\n    return a, a @ values\n",
            "    a = torch.softmax(keys @ q, dim=0)\n    a[0] = 0\n    a = a / a.sum()\n"
            "    return a, a @ values\n",
            "    mask = torch.ones(len(keys), dtype=torch.bool)\n    mask[0] = False\n"
            "    a = (keys @ q).masked_fill(~mask, -torch.inf).softmax(0)\n    return a, a @ values\n",
        ),
    ),
    "best_two": Written(
        "only the two best entries share the weight: all N entries do",
        (
            "    s = keys @ q\n    best = s.topk(min(2, len(s))).indices\n    a = torch.zeros_like(s)\n"
            "    a[best] = torch.softmax(s[best], 0)\n    return a, a @ values\n",
            "    s = keys @ q\n    least = s.sort(descending=True).values[: min(2, len(s))][-1]\n"
            "    w = torch.softmax(s.masked_fill(s < least, -torch.inf), 0)\n    return w, w @ values\n",
        ),
    ),
}
CAUSES = LISTED | UNLISTED
RIGHT = (
    "    a = torch.softmax(keys @ q, 0)\n    return a, a @ values\n",
    "    w = (keys * q).sum(1).softmax(0)\n    return w, (w[:, None] * values).sum(0)\n",
)


def made_up(count: int) -> dict[str, tuple[str, str]]:
    """Who has which cause, and the body; a quarter of the class is right. The same for the same count."""
    chance = random.Random(SEED)
    weights = [3, 3, 2, 2, 1, 1, 4, 3, 3, 2, 3, 2]
    found = {}
    for number in range(count):
        cause = "" if number % 4 == 0 else chance.choices([*CAUSES], weights)[0]
        bodies = CAUSES[cause].bodies if cause else RIGHT
        found[f"student{number:03}"] = (cause, chance.choice(bodies))
    return found


def write_class(folder: Path, people: dict[str, tuple[str, str]]) -> None:
    course = load_course(ROOT)
    stub = build_notebook(course.problems[PROBLEM], SET, ROOT)
    for student, (_, body) in people.items():
        path = folder / student / SET / f"{PROBLEM}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(fill(stub, {PART: HEAD + body}))


@dataclass(frozen=True)
class Counted:
    """What was counted; `purity` is the share of answers that have their group's commonest cause."""

    students: int
    wrong: int
    recognised: int
    recognised_truly: int
    groups: int
    purity: float
    carried: tuple[float, ...]  # the share with a true sentence after none, one, two, … sentences


def count(opened: OpenClass, people: dict[str, tuple[str, str]]) -> Counted:
    """Name the largest group ten times over, and count after each sentence."""
    wrong = {student: cause for student, (cause, _) in people.items() if cause}
    true: set[str] = set()
    recognised = 0
    for (student, _, _), report in opened.reports.summaries.items():
        row = next(row for row in report.parts if row.part == PART)
        if student in wrong and row.mistake:
            recognised += 1
            if row.mistake in CAUSES[wrong[student]].listed:
                true.add(student)
    known, carried = len(true), [len(true) / len(wrong)]
    groups = _groups(opened)
    purity = _purity(groups, wrong)
    for _ in range(SENTENCES):
        left = _groups(opened)
        if left:
            said = wrong[left[0].places[0].student]
            moved = name_group(opened, left[0], "benchmark", CAUSES[said].says, 0.0)
            true |= {place.student for place in moved if wrong[place.student] == said}
        carried.append(len(true) / len(wrong))
    return Counted(len(people), len(wrong), recognised, known, len(groups), purity, tuple(carried))


def _groups(opened: OpenClass) -> list[Group]:
    return [group for group in causes_of(opened) if group.part == PART]


def _purity(groups: Iterable[Group], wrong: dict[str, str]) -> float:
    tallies = [Counter(wrong[place.student] for place in group.places) for group in groups]
    return sum(max(tally.values()) for tally in tallies) / max(1, sum(map(Counter.total, tallies)))


def measure(students: int, work: Path) -> Counted:
    """Write, grade and name a class in a copy of the course: names are written into its solutions."""
    people = made_up(students)
    write_class(work / "submitted", people)
    course = copied_course(work / "course")
    command = [
        sys.executable,
        "-m",
        "autograder",
        "grade",
        str(work / "submitted"),
        "--out",
        str(work / "out"),
    ]
    subprocess.run([*command, "--course", str(course)], check=True, capture_output=True)
    with open_class(load_course(course), work / "out", None) as opened:
        return count(opened, people)


def copied_course(folder: Path) -> Path:
    for name in ("problems", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "solutions" / "secret.txt").write_text("of a made-up class\n")
    return folder


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--students", type=int, default=200)
    options.add_argument("--work", type=Path, help="an empty folder that stays")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        print(json.dumps(vars(measure(given.students, given.work or Path(scratch))), indent=1))


if __name__ == "__main__":
    main()
