"""Problems become notebooks/<set>/<problem>.ipynb, byte for byte the same on every run."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode, v4
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import compute_checksum

from autograder.course.load import Course
from autograder.course.model import Part, Problem, Prose
from autograder.course.varying_problem import variant
from autograder.errors import CourseError
from autograder.notebook import stub_cells

FOLDER = "notebooks"
_FIGURE = re.compile(r"!\[(?P<alt>[^\]]*)\]\(figures/(?P<name>[\w.-]+)\)")
_MIME = {".png": "image/png", ".svg": "image/svg+xml"}


Tell = Callable[[str], None]  # is told of each notebook
NotebookJson = dict[str, Any]  # a notebook of ours, one of its cells or of their fields, read as JSON


def _silent(note: str) -> None:
    pass


def build_all(course: Course, tell: Tell = _silent) -> dict[str, bytes]:
    """Every notebook of a course and the files that lie beside it, by their paths below the course."""
    built = {}
    for group, problem in course.assignments:
        folder = f"{FOLDER}/{group.id}"
        built[f"{folder}/{problem.id}.ipynb"] = build_notebook(problem, group.id, course.root).encode()
        built |= {f"{folder}/{name}": data for name, data in problem.data.items()}
        tell(problem.id)
    return built


def write_all(course: Course, tell: Tell = _silent) -> list[str]:
    """Write the notebooks that changed, remove those no longer asked for; returns what was done."""
    done = []
    wanted = build_all(course, tell)
    for path, data in wanted.items():
        target = course.root / path
        if _read(target) != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            done.append(f"wrote {path}")
    for path in _stray(course.root, wanted):
        if path.endswith(".ipynb"):
            (course.root / path).unlink()
            done.append(f"removed {path}, which no set lists")
    return done


def stale(course: Course, tell: Tell = _silent) -> list[str]:
    """Every notebook that is missing or out of date, and every stray file beside them."""
    wanted = build_all(course, tell)
    faults = []
    for path, data in wanted.items():
        found = _read(course.root / path)
        if found is None:
            faults.append(f"{path} is missing; run autograder build")
        elif found != data:
            faults.append(f"{path} is out of date; run autograder build")
    faults += [f"{path} belongs to no problem; delete it" for path in _stray(course.root, wanted)]
    return faults


def build_notebook(problem: Problem, set_id: str, root: Path) -> str:
    """One notebook as JSON text; of a problem that varies, the first variant."""
    problem = variant(problem, 0)
    own = {} if problem.variant is None else {"variant": problem.variant}
    notebook = v4.new_notebook(  # type: ignore[no-untyped-call]
        cells=list(_cells(problem, root)),
        metadata={
            "autograder": {"problem": problem.id, "set": set_id, **own},
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        nbformat_minor=5,
    )
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
    return text + "\n"


def _cells(problem: Problem, root: Path) -> Iterator[NotebookNode]:
    yield _markdown(stub_cells.STATEMENT_ID, stub_cells.head(problem), root)
    yield _cell("code", stub_cells.SETUP_ID, stub_cells.SETUP)
    if problem.given_code:
        yield _cell("code", stub_cells.GIVEN_ID, stub_cells.given(problem))
    for number, part in enumerate(problem.parts, start=1):
        yield _markdown(f"{part.name}{stub_cells.ASK_SUFFIX}", stub_cells.ask(part, number, problem), root)
        yield from _answer(problem, part)
    yield _cell("code", stub_cells.SUMMARY_ID, f'check("{problem.id}")')


def _answer(problem: Problem, part: Part) -> Iterator[NotebookNode]:
    if isinstance(part, Prose):
        yield _cell("markdown", part.name, stub_cells.stub(part), solution=True, points=part.points)
        return
    if stub_cells.stub(part):  # tests may be of what other parts ask for
        yield _cell("code", part.name, stub_cells.stub(part), solution=True)
    name = f"{part.name}{stub_cells.CHECK_SUFFIX}"
    yield _cell("code", name, stub_cells.check_call(problem, part), points=part.points)


def _markdown(grade_id: str, source: str, root: Path) -> NotebookNode:
    return _cell("markdown", grade_id, _embed_figures(source, root))


def _cell(
    kind: str, grade_id: str, source: str, *, solution: bool = False, points: float | None = None
) -> NotebookNode:
    """A cell with nbgrader's metadata; one with points is marked, one that is no solution is locked."""
    fields: dict[str, object] = {
        "cell_type": kind,
        "grade": points is not None,
        "grade_id": grade_id,
        "locked": not solution,
        "schema_version": MetadataValidator.schema_version,
        "solution": solution,
        "task": False,
    }
    if points is not None:
        fields["points"] = points
    metadata = {"nbgrader": fields} | ({} if solution else {"deletable": False, "editable": False})
    make = v4.new_code_cell if kind == "code" else v4.new_markdown_cell
    cell: NotebookNode = make(source, id=grade_id[:64], metadata=metadata)  # type: ignore[no-untyped-call]
    cell.metadata.nbgrader.checksum = compute_checksum(cell)
    return cell


def _embed_figures(source: str, root: Path) -> str:
    """Figures travel inside the notebook, as data in their own links.

    Not as attachments: JupyterLab does not show SVG ones, and leaves the whole cell untypeset.
    """

    def embed(match: re.Match[str]) -> str:
        path = root / "problems" / "figures" / match["name"]
        if not path.is_file() or path.suffix not in _MIME:
            raise CourseError(f"problems/figures/{match['name']} is missing, or is neither .svg nor .png")
        data = base64.b64encode(path.read_bytes()).decode("ascii")
        return f"![{match['alt']}](data:{_MIME[path.suffix]};base64,{data})"

    return _FIGURE.sub(embed, source)


def _stray(root: Path, wanted: Mapping[str, bytes]) -> list[str]:
    folder = root / FOLDER
    if not folder.is_dir():
        return []
    found = (
        path.relative_to(root)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    )
    return [path.as_posix() for path in found if path.as_posix() not in wanted]


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
