"""The files of a bundle, by path: notebooks, the data of their checks, requirements, a wheel, a README."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import autograder
from autograder.check.find import FOLDER
from autograder.check.gather import gather
from autograder.check.store import encode
from autograder.course import Course, ProblemSet
from autograder.errors import UsageError
from autograder.notebook.build import build_notebook
from autograder.release.wheel import build_wheel, pack, wheel_name

Tell = Callable[[str], None]

REQUIREMENTS = """\
# What the notebooks need, on Windows, macOS and Linux with Python 3.11 or newer. In this folder run
#     python -m pip install -r requirements.txt
# This is autograder=={version}, from the file that was handed out. The index below has torch's CPU build:
# the one from the usual index brings gigabytes for graphics cards, which no problem here needs.
--extra-index-url https://download.pytorch.org/whl/cpu
./{wheel}
"""

README = """\
# {title}

1. Install once, in this folder, with Python 3.11 or newer: `python -m pip install -r requirements.txt`.
2. Open a notebook in JupyterLab, Notebook, VS Code or Colab: {sets}.
3. Run its first cell, then fill in the answer cells; keep their names.
4. Run the check cell below each: it shows what was read, which visible cases pass, and what differs.
5. The last cell sums up the notebook. `autograder check NOTEBOOK` does the same afresh from a terminal.
6. Save, and hand in the notebook under the name that it has. Keep the folders `checks` beside the notebooks.
7. Grading tries further cases, drawn for you alone; a check says what they are about.
8. Of an answer in words or symbols a check shows how it is read, never whether it is right.
"""


def build_bundle(
    course: Course, groups: Sequence[ProblemSet], tell: Tell = lambda note: None
) -> dict[str, bytes]:
    """Every file of the bundle; only what is named here goes out, and no answer of any kind."""
    data: dict[str, bytes] = {}
    files: dict[str, bytes] = {}
    for group in groups:
        for name in group.problems:
            problem = course.problems[name]
            if name not in data:
                data[name] = encode(gather(course, problem))
                tell(name)
            files[f"{group.id}/{name}.ipynb"] = build_notebook(problem, group.id, course.root).encode()
            files[f"{group.id}/{FOLDER}/{name}.safetensors"] = data[name]
    titles = ", ".join(f"`{group.id}` ({group.title})" for group in groups)
    files["README.md"] = README.format(title=course.title, sets=titles).encode()
    files["requirements.txt"] = REQUIREMENTS.format(
        version=autograder.__version__, wheel=wheel_name()
    ).encode()
    files[wheel_name()] = build_wheel()
    return dict(sorted(files.items()))


def write_bundle(files: Mapping[str, bytes], out: Path) -> None:
    """Write the files into a folder that holds nothing else."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder for the bundle")
    for path in sorted(out.rglob("*")) if out.exists() else ():
        inside = path.relative_to(out).as_posix()
        if path.is_file() and inside not in files:
            raise UsageError(f"{out} holds {inside}, which is not part of the bundle; name an empty folder")
    for inside, data in files.items():
        target = out / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def write_zip(files: Mapping[str, bytes], out: Path) -> Path:
    """The same as OUT.zip, with one folder in it; the same bytes on every run."""
    target = out.with_name(f"{out.name}.zip")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(pack({f"{out.name}/{inside}": data for inside, data in files.items()}))
    return target


def choose_sets(course: Course, names: Sequence[str]) -> tuple[ProblemSet, ...]:
    """The sets of these names, or all of them."""
    known = {group.id: group for group in course.sets}
    for name in names:
        if name not in known:
            raise UsageError(f"the course has no set {name!r}; it has {', '.join(known)}")
    return tuple(known[name] for name in names) or course.sets
