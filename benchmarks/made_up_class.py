"""A number of students becomes a folder of their notebooks, each with the marks that it must earn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.load import Course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.notebook.stub_cells import CHECK_SUFFIX, SETUP_ID, SUMMARY_ID

SET, PROBLEM = "transformers", "self_attention"
FUNCTION = "multi_head_self_attention"
PARTS = {FUNCTION: 6.0, "softmax_time": 2.0, "layer_time": 2.0}

_HEAD = f"def {FUNCTION}(h_in, WQ, WK, WV):\n"
RIGHT_CODE = (
    '    q, k, v = (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))\n'
    "    alpha = torch.softmax(q @ k.transpose(1, 2), dim=-1)\n"
    "    return torch.cat(list(alpha @ v), dim=1)\n",
    "    q, k, v = h_in @ WQ.mT, h_in @ WK.mT, h_in @ WV.mT\n"
    "    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, scale=1.0)\n"
    "    return out.transpose(0, 1).flatten(1)\n",
    "    heads = []\n"
    "    for k in range(WQ.shape[0]):\n"
    "        scores = (h_in @ WQ[k].T) @ (h_in @ WK[k].T).T\n"
    "        heads.append(torch.softmax(scores, dim=1) @ (h_in @ WV[k].T))\n"
    "    return torch.cat(heads, dim=1)\n",
)
WRONG_CODE = (
    "    q, k, v = h_in @ WQ.mT, h_in @ WK.mT, h_in @ WV.mT\n"
    "    out = torch.nn.functional.scaled_dot_product_attention(q, k, v)\n"
    "    return out.transpose(0, 1).flatten(1)\n",
    "    q, k, v = h_in @ WQ.mT, h_in @ WK.mT, h_in @ WV.mT\n"
    "    out = torch.softmax(q @ k.mT, dim=-2) @ v\n"
    "    return out.transpose(0, 1).flatten(1)\n",
)
RIGHT_TEXT = {
    "softmax_time": ("O(ln T + ln U)", "O(log(T U))", r"$O(\log T + \log U)$"),
    "layer_time": ("O(ln T + ln J)", "O(log(T J))", r"$O(\log T + \log J)$"),
}
WRONG_TEXT = {"softmax_time": ("O(T U)", "O(T)"), "layer_time": ("O(T^2 J)", "O(ln J)")}


Marks = dict[str, dict[str, float]]  # by student and part


@dataclass(frozen=True)
class Student:
    """A name, the answer cells, and the marks they must earn, part by part."""

    name: str
    answers: dict[str, str]
    marks: dict[str, float]


def students(count: int) -> Iterator[Student]:
    """Three in four functions and four in five growth rates are right; the same class for the same count."""
    for number in range(count):
        answers, marks = {}, {}
        for position, part in enumerate(PARTS):
            # Numbers without a common divisor, so that all combinations of answers turn up.
            right = number % 4 != 3 if part == FUNCTION else (number // (position + 1)) % 5 != 4
            answers[part] = _answer(part, right, number + position)
            marks[part] = PARTS[part] if right else 0.0
        yield Student(f"student{number:05}", answers, marks)


def _answer(part: str, right: bool, number: int) -> str:
    if part == FUNCTION:
        bodies = RIGHT_CODE if right else WRONG_CODE
        return _HEAD + bodies[number % len(bodies)]
    texts = (RIGHT_TEXT if right else WRONG_TEXT)[part]
    return f"{part} = {texts[number % len(texts)]!r}\n"


def blank(course: Course) -> str:
    """The notebook as handed out, without a trace of us: its check cells are empty, its set-up is torch."""
    notebook = json.loads(build_notebook(course.problems[PROBLEM], SET, course.root))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if name == SETUP_ID:
            cell["source"] = ["import torch"]
        elif name == SUMMARY_ID or name.endswith(CHECK_SUFFIX):
            cell["source"] = []
    return json.dumps(notebook)


def write_class(course: Course, count: int, folder: Path) -> list[Student]:
    """Write the notebooks below a folder, in the layout that graders expect."""
    stub, made = blank(course), list(students(count))
    for student in made:
        path = folder / student.name / SET / f"{PROBLEM}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(fill(stub, student.answers))
    return made
