"""The same class for nbgrader and for Otter: an environment each, our cases as check cells, and the marks."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import venv
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.load import Course
from autograder.course.model import Code
from autograder.notebook.stub_cells import CHECK_SUFFIX
from benchmarks.made_up_class import FUNCTION, PARTS, PROBLEM, RIGHT_TEXT, SET, Marks, blank
from benchmarks.measure import Run, run_command

ROOT = Path(__file__).resolve().parent.parent
NEEDS = {"nbgrader": ["nbgrader", "ipykernel"], "otter": ["otter-grader", "ipykernel"]}

# What our own judge does in a dozen lines: shape, dtype, values and a gradient, on the cases of the course.
CODE_CHECK = """
def _want(h_in, WQ, WK, WV):
    q, k, v = (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))
    return torch.cat(list(torch.softmax(q @ k.mT, dim=-1) @ v), dim=1)

for seed, (sizes, dtype, scale, strided, grad) in enumerate(CASES):
    T, K, U, I, J = (sizes[name] for name in "TKUIJ")
    torch.manual_seed(seed)
    given = [torch.randn(s, dtype=dtype) * f for s, f in
             [((T, J), 1), ((K, U, J), 0.5 * scale), ((K, U, J), 0.5 * scale), ((K, I, J), 1)]]
    if strided:
        given = [torch.stack([x, x], dim=-1)[..., 0] for x in given]
    given[0].requires_grad_(grad)
    got, want = FUNCTION(*given), _want(*given)
    assert got.shape == want.shape and got.dtype == want.dtype
    assert torch.allclose(got, want, rtol=1e-3, atol=1e-4)
    if grad:
        one, other = (torch.autograd.grad(x.sum(), given[0])[0] for x in (got, want))
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-4)
"""


@dataclass(frozen=True)
class Graded:
    """How a run went, and the marks by student and part."""

    run: Run
    marks: Marks


def environment(name: str, folder: Path) -> Path:
    """The bin folder of a peer's own environment, made on first use."""
    place = folder / name
    if not (place / "ready").is_file():
        venv.create(place, with_pip=True, clear=True)
        torch = next(
            line for line in (ROOT / "constraints.txt").read_text().splitlines() if "torch==" in line
        )
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        # Two steps, as in the Makefile: by its exact version, torch comes without its gigabytes of CUDA.
        subprocess.run([*pip, torch], check=True)
        subprocess.run([*pip, torch, *NEEDS[name]], check=True)
        (place / "ready").touch()
    return place / "bin"


def check_source(course: Course, part: str) -> str:
    """The text of a check cell that decides as we do, for the answers of the made-up class."""
    if part != FUNCTION:
        return f"assert {part} in {RIGHT_TEXT[part]!r}"
    code = course.problems[PROBLEM].part(FUNCTION)
    assert isinstance(code, Code)
    rows = ",\n    ".join(
        f"({dict(case.sizes)!r}, torch.{case.dtype}, {_scale(case.scale)}, "
        f"{case.layout == 'strided'}, {bool(case.grad)})"
        for case in code.cases
    )
    return f"CASES = [\n    {rows},\n]\n{CODE_CHECK.replace('FUNCTION', FUNCTION)}"


def _scale(scale: object) -> float:
    return float(scale["WQ"]) if isinstance(scale, dict) else 1.0


def run_nbgrader(course: Course, bin_folder: Path, notebooks: Sequence[Path], folder: Path) -> Graded:
    """Autograde and feedback, one command each for the whole class, as instructors run them."""
    shutil.rmtree(folder, ignore_errors=True)
    source = folder / "source" / SET
    source.mkdir(parents=True)
    notebook = json.loads(blank(course))
    for cell in notebook["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if name.endswith(CHECK_SUFFIX):
            cell["source"] = check_source(course, name.removesuffix(CHECK_SUFFIX))
    (source / f"{PROBLEM}.ipynb").write_text(json.dumps(notebook))
    (folder / "nbgrader_config.py").write_text('c = get_config()\nc.CourseDirectory.course_id = "bench"\n')
    for path in notebooks:
        target = folder / "submitted" / path.parts[-3] / SET / path.name
        target.parent.mkdir(parents=True)
        shutil.copyfile(path, target)
    nbgrader = str(bin_folder / "nbgrader")
    run_command([nbgrader, "generate_assignment", SET, "--create", "--force"], folder, bin_folder)
    first = run_command([nbgrader, "autograde", SET], folder, bin_folder)
    second = run_command([nbgrader, "generate_feedback", SET], folder, bin_folder)
    return Graded(first.then(second), _nbgrader_marks(folder / "gradebook.db"))


def _nbgrader_marks(database: Path) -> Marks:
    query = (
        "select s.student_id, c.name, coalesce(g.auto_score, 0) from grade g "
        "join base_cell c on g.cell_id = c.id "
        "join submitted_notebook n on g.notebook_id = n.id "
        "join submitted_assignment s on n.assignment_id = s.id"
    )
    marks: Marks = defaultdict(dict)
    with sqlite3.connect(database) as db:
        for student, cell, score in db.execute(query):
            marks[student][cell.removesuffix(CHECK_SUFFIX)] = float(score)
    return marks


def run_otter(course: Course, bin_folder: Path, notebooks: Sequence[Path], folder: Path) -> Graded:
    """`otter run` takes one notebook; one after another, as it ships."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    bundle = folder / "autograder.zip"
    with zipfile.ZipFile(bundle, "w") as archive:
        archive.writestr("otter_config.json", json.dumps({"lang": "python", "show_hidden": True}))
        for part, points in PARTS.items():
            archive.writestr(f"tests/{part}.py", _otter_test(part, points, check_source(course, part)))
    total, marks = Run(0.0, 0.0), Marks()
    for path in notebooks:
        student = path.parts[-3]
        place = folder / student
        place.mkdir()
        shutil.copyfile(path, place / path.name)
        command = [
            str(bin_folder / "otter"),
            "run",
            "-a",
            str(bundle),
            "-o",
            str(place),
            "--no-logo",
            path.name,
        ]
        total = total.then(run_command(command, place, bin_folder))
        results = json.loads((place / "results.json").read_text())
        scores = {test["name"].split()[0]: float(test.get("score") or 0) for test in results["tests"]}
        marks[student] = {part: scores[part] for part in PARTS}
    return Graded(total, marks)


def _otter_test(part: str, points: float, source: str) -> str:
    case = {"code": f">>> exec({source!r})", "hidden": False, "locked": False}
    suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
    return f"OK_FORMAT = True\ntest = { ({'name': part, 'points': points, 'suites': [suite]})!r}\n"


def run_ours(course: Course, submitted: Path, out: Path, workers: int) -> Graded:
    """Our own command, with everything on: isolation, feedback, gradebook, class report."""
    shutil.rmtree(out, ignore_errors=True)
    os.environ.setdefault("AUTOGRADER_SECRET", "of the benchmarks")
    command = [sys.executable, "-m", "autograder", "grade", str(submitted), "--out", str(out)]
    run = run_command(
        [*command, "--course", str(course.root), "--workers", str(workers), "--json"],
        course.root,
        Path(sys.executable).parent,
        watch=out / "journal.jsonl",
    )
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    marks: Marks = defaultdict(dict)
    for row in rows:
        marks[row["student"]][row["part"]] = row["score"]
    return Graded(run, marks)
