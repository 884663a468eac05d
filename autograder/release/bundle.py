"""The files of a bundle, by path: notebooks, the data of their checks, requirements, a wheel, a README."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import autograder
from autograder.course.given_files import import_names, importable, installed_version
from autograder.course.load import Course, ProblemSet
from autograder.course.varying_problem import number_for, with_variant
from autograder.errors import UsageError
from autograder.notebook.build_notebooks import Tell, build_notebook
from autograder.release.handout_file import FOLDER, encode
from autograder.release.make_handout import make_handout
from autograder.release.wheel import build_wheel, pack, torch_pin, wheel_name

_FOLDER = re.compile(r"[\w@-][\w.@-]{0,99}")

REQUIREMENTS = """\
# What the notebooks need, on Windows, macOS and Linux with Python 3.11 or newer. In this folder run
#     python -m pip install -r requirements.txt
# This is autograder {version}, from the file that was handed out. The index below has torch's CPU build: the
# newest torch of the usual index brings gigabytes for graphics cards, which no problem here needs.
--extra-index-url https://download.pytorch.org/whl/cpu
{torch}
./{wheel}
jupyterlab
{packages}"""

README = """\
# {title}

Notebooks: {sets}.

## Once

Python 3.11 or newer is needed, and a machine for which torch is made: Linux, Windows, or a Mac with a
processor of Apple's own. Where pip finds no `{torch}`, this Python is too new for it or the machine
too old: take another Python, or Colab. In a terminal in this folder, on macOS and Linux:

    python3 -m venv env
    source env/bin/activate
    python -m pip install -r requirements.txt

On Windows, in a Command Prompt:

    py -m venv env
    env\\Scripts\\activate
    python -m pip install -r requirements.txt

## Open a notebook

**JupyterLab**, in the same terminal:

1. Run `jupyter lab` in this folder.
2. Open a notebook in the list on the left.
3. Run its first cell: if something is missing, it says what.

**VS Code**, with its extensions Python and Jupyter:

1. *File, Open Folder*: this folder, then a notebook in it.
2. *Select Kernel, Python Environments*: the one called `env`.
3. Run the first cell.

**Colab** needs nothing of the above. Upload this folder to your Drive, open a notebook from there, and run
these lines in a cell of your own above the first one:

    from google.colab import drive; drive.mount("/content/drive")
    %cd "/content/drive/MyDrive/THIS FOLDER/{first}"
    %pip install -q ../{wheel}

## Work

1. Run the first cell, then fill in the answer cells; keep their names.
2. Run the check cell below each: it shows what was read, which visible cases pass, and what differs.
3. The last cell sums up the notebook. `autograder check NOTEBOOK` does the same afresh from a terminal.
4. Save, and hand in the notebook under the name that it has. Keep the folders `checks` beside the notebooks.

An answer may import Python's own modules, {imports}; no others are sure to be there when it is graded.
Grading tries further cases, drawn for you alone; a check says what they are about. Of an answer in words or
symbols a check shows how it is read, never whether it is right.
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
                data[name] = encode(make_handout(course, problem))
                tell(name)
            files[f"{group.id}/{name}.ipynb"] = build_notebook(problem, group.id, course.root).encode()
            files[f"{group.id}/{FOLDER}/{name}.safetensors"] = data[name]
            files |= {f"{group.id}/{given}": held for given, held in problem.data.items()}
    titles = ", ".join(f"`{group.id}` ({group.title})" for group in groups)
    files["README.md"] = README.format(
        title=course.title,
        sets=titles,
        imports=importable(import_names(course.packages)),
        first=groups[0].id,
        wheel=wheel_name(),
        torch=torch_pin(),
    ).encode()
    packages = "".join(f"{name}=={installed_version(name)}\n" for name in course.packages)
    files["requirements.txt"] = REQUIREMENTS.format(
        version=autograder.__version__, torch=torch_pin(), wheel=wheel_name(), packages=packages
    ).encode()
    files[wheel_name()] = build_wheel()
    return dict(sorted(files.items()))


def build_bundles(
    course: Course, groups: Sequence[ProblemSet], students: Sequence[str], tell: Tell = lambda note: None
) -> dict[str, dict[str, bytes]]:
    """A bundle for each student, with the student's own variant of every problem that has them."""
    shared = build_bundle(course, groups)
    bundles = {}
    for student in students:
        files = dict(shared)
        for group in groups:
            for problem in (course.problems[name] for name in group.problems):
                if problem.varies:
                    own = with_variant(course, problem, number_for(problem, course.secret, student))
                    mine = own.problems[problem.id]
                    data = encode(make_handout(own, mine))
                    files[f"{group.id}/{problem.id}.ipynb"] = build_notebook(
                        mine, group.id, course.root
                    ).encode()
                    files[f"{group.id}/{FOLDER}/{problem.id}.safetensors"] = data
        bundles[student] = files
        tell(student)
    return bundles


def read_roster(text: str) -> tuple[str, ...]:
    """The students of a table with a column `student` or `id`."""
    rows = [row for row in csv.reader(io.StringIO(text.removeprefix("\ufeff"))) if any(map(str.strip, row))]
    head = [field.strip().lower() for field in rows[0]] if rows else []
    named = next((head.index(name) for name in ("student", "id", "student_id") if name in head), None)
    if named is None:
        raise UsageError(
            "the roster has no column 'student' or 'id': name the column of the folders' names so"
        )
    students = [row[named].strip() for row in rows[1:] if len(row) > named and row[named].strip()]
    if not students:
        raise UsageError("the roster names no student: write one a line below its head")
    for student in students:
        if not _FOLDER.fullmatch(student):
            raise UsageError(
                f"the roster's student {student!r} can be no folder: use letters, digits, . _ @ -"
            )
    if len(set(students)) < len(students):
        twice = next(student for student in students if students.count(student) > 1)
        raise UsageError(f"the roster names {twice} twice")
    return tuple(students)


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
