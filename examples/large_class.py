"""A made-up class of any size: right answers, known mistakes, half-finished work, crashes, loops, cheats, ruins.

The same seed gives the same class, byte for byte. `python -m examples.make_class --students 60 OUT` writes it.
"""

import ast
import json
import random
import zipfile
from dataclasses import dataclass
from pathlib import Path

from autograder.course.load import Course, load_course
from autograder.course.model import Code, Key, Prose
from autograder.notebook.fill import answer_cell, reference_answers
from examples.make_class import CLASS, ROOT, filled

LAYOUTS = ("nbgrader", "flat", "canvas", "moodle", "gradescope")
FIRST = "Ada Boris Chen Dana Emil Fatima Goran Hana Igor Jun Kofi Lena Mira Nils Olu Priya Quinn Rosa Sven Tala".split()
LAST = "Abel Bose Curie Diaz Euler Fermat Gauss Hopper Ito Jones Kovacs Lovelace Mori Noether Okoye Pauli".split()

# What a student is like, and how many in a hundred are so.
KINDS = {
    "right": 36,
    "slips": 34,
    "half": 12,
    "crashing": 5,
    "looping": 3,
    "cheating": 3,
    "corrupt": 4,
    "untouched": 3,
}

CRASHING = "def {name}({args}):\n    weights = {first} @ {first}.reshape(-1, 7919)\n    return weights\n"
LOOPING = (
    "def {name}({args}):\n    step = 0\n    while step < 1:\n        total = step + 1\n    return total\n"
)
CHEATING = """\
import glob, os

found = glob.glob("/**/solutions/*.py", recursive=True)
print('{{"score": 100, "max_score": 100}}')

def {name}({args}):
    class Right(torch.Tensor):
        def __eq__(self, other):
            return True
    return torch.zeros(3, 3).as_subclass(Right)
"""


@dataclass(frozen=True)
class Student:
    """One of the class: a number on the platform, a name, a kind, and minutes before (or after) the deadline."""

    number: int
    first: str
    last: str
    kind: str
    minutes: int

    @property
    def id(self) -> str:
        return f"{self.first}_{self.last}".lower()


def draw_class(count: int, seed: int = 1) -> list[Student]:
    """The students, each kind at least once as soon as the class is large enough."""
    dice = random.Random(seed)
    names = [(first, last) for last in LAST for first in FIRST]
    dice.shuffle(names)
    kinds = list(KINDS)[:count] + dice.choices(
        list(KINDS), list(KINDS.values()), k=max(0, count - len(KINDS))
    )
    return [
        Student(1000 + n, *_name(names, n), kind, dice.randint(-60, 4000))
        for n, kind in enumerate(kinds[:count])
    ]


def _name(names: list[tuple[str, str]], n: int) -> tuple[str, str]:
    first, last = names[n % len(names)]
    return first, last if n < len(names) else f"{last}{n // len(names)}"


class Writer:
    """Fills in notebooks of one set as its students would."""

    def __init__(self, course: Course, set_id: str, seed: int = 1) -> None:
        self.course, self.set, self._seed = course, set_id, seed
        (group,) = (group for group in course.sets if group.id == set_id)
        self.problems = group.problems
        self._sources = {
            name: (course.root / "solutions" / f"{name}.py").read_text(encoding="utf-8")
            for name in self.problems
        }
        self._pieces = {name: _cut(source) for name, source in self._sources.items()}
        self._right = {
            name: reference_answers(course.problems[name], course.solutions[name], self._sources[name])
            for name in self.problems
        }

    def notebooks(self, student: Student) -> dict[str, bytes]:
        """What one student hands in, by problem; not everybody hands in everything."""
        dice = random.Random(f"{self._seed}/{student.number}")
        problems = list(self.problems)
        if len(problems) > 1 and dice.random() < 0.2:
            problems.pop(dice.randrange(len(problems)))
        return {name: self._notebook(name, student.kind, dice) for name in problems}

    def _notebook(self, problem: str, kind: str, dice: random.Random) -> bytes:
        answers = {}
        for part in self.course.problems[problem].parts:
            answer = self._answer(problem, part, kind, dice)
            if answer is not None:
                answers[part.name] = answer
        text = filled(problem, answers, self.set).encode()
        if kind != "corrupt":
            return text
        return dice.choice([text[: len(text) // 2], b"", b"\xff\xfe" + text[2:], b"[]", b'{"nbformat": 2}'])

    def _answer(self, problem: str, part, kind: str, dice: random.Random) -> str | None:
        right = dice.choice(self._right_answers(problem, part))
        wrong = self._wrong_answers(problem, part)
        match kind:
            case "untouched":
                return None
            case "slips":
                return dice.choice(wrong) if wrong and dice.random() < 0.5 else right
            case "half":
                return right if dice.random() < 0.5 else None
            case "crashing" | "looping" | "cheating" if isinstance(part, Code):
                template = {"crashing": CRASHING, "looping": LOOPING, "cheating": CHEATING}[kind]
                arguments = ", ".join(part.parameters)
                return template.format(name=part.name, args=arguments, first=part.parameters[0])
            case "looping":
                return None
        return right

    def _right_answers(self, problem: str, part) -> list[str]:
        answers = [self._right[problem][part.name]]
        best = CLASS["ada"].get(problem, {}).get(part.name)
        if best is not None:
            answers.append(best)
        key = self.course.solutions[problem].answers[part.name]
        if isinstance(key, Key):
            answers += [answer_cell(part, reading.answer) for reading in key.readings if reading.share == 1]
        return answers

    def _wrong_answers(self, problem: str, part) -> list[str]:
        if isinstance(part, Prose):
            return ["Because it is faster."]
        mistakes = self.course.solutions[problem].mistakes_of(part.name)
        if not isinstance(part, Code):
            return [answer_cell(part, mistake.answer) for mistake in mistakes]
        names = [mistake.answer.__name__ for mistake in mistakes]
        return [cell for name in names if (cell := _cell(*self._pieces[problem], name, part.name))]


def _cut(source: str) -> tuple[list[str], dict[str, str]]:
    """A solution file cut up: what its functions share, and each function by its name."""
    shared, functions = [], {}
    for node in ast.parse(source).body:
        match node:
            case ast.Import():
                shared.append(node)
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("_"):
                shared.append(node)
            case ast.FunctionDef(name=name):
                functions[name] = ast.get_source_segment(source, node) or ""
    return [ast.get_source_segment(source, node) or "" for node in shared], functions


def _cell(shared: list[str], functions: dict[str, str], mistake: str, part: str) -> str:
    """A known mistake as an answer cell, with what it shares; empty where it calls the reference."""
    text = functions.get(mistake, "")
    if not text or part in text:
        return ""
    return "\n\n".join([*shared, text.replace(f"def {mistake}(", f"def {part}(", 1)])


def make_files(
    count: int, layout: str = "nbgrader", set_id: str = "transformers", seed: int = 1
) -> dict[str, bytes]:
    """Every file of a class, by its path, as one of the platforms lays it out."""
    writer = Writer(load_course(ROOT), set_id, seed)
    files: dict[str, bytes] = {}
    listed = []
    for student in draw_class(count, seed):
        listed.append(student)
        for number, (problem, data) in enumerate(writer.notebooks(student).items()):
            files[_place(student, set_id, problem, layout, number)] = data
        if layout == "nbgrader":
            files[f"{student.id}/{set_id}/timestamp.txt"] = f"{_moment(student)} UTC\n".encode()
    if layout == "gradescope":
        files["assignment_77_export/submission_metadata.yml"] = _metadata(listed)
    return files


def _place(student: Student, set_id: str, problem: str, layout: str, number: int) -> str:
    name = f"{problem}.ipynb"
    match layout:
        case "nbgrader":
            return f"{student.id}/{set_id}/{name}"
        case "flat":
            return f"{student.id}_{name}"
        case "canvas":
            late = "_LATE" if student.minutes < 0 else ""
            return (
                f"{student.last}{student.first}".lower() + f"{late}_{student.number}_{90000 + number}_{name}"
            )
        case "moodle":
            return f"{student.first} {student.last}_{student.number}_assignsubmission_file_/{name}"
        case "gradescope":
            return f"assignment_77_export/submission_{student.number}/{name}"
    raise ValueError(f"no layout {layout}: there are {', '.join(LAYOUTS)}")


def _moment(student: Student) -> str:
    """The deadline is midnight at the end of November; days before and minutes after it are a student's own."""
    left = student.minutes
    if left < 0:
        return f"2026-12-01 {-left // 60:02}:{-left % 60:02}:00.000000"
    day, rest = divmod(left, 24 * 60)
    return f"2026-11-{30 - day:02} {23 - rest // 60:02}:{59 - rest % 60:02}:00.000000"


def _metadata(students: list[Student]) -> bytes:
    lines = ["---"]
    for student in students:
        lines += [
            f"submission_{student.number}:",
            "  :submitters:",
            f"  - :name: {student.first} {student.last}",
            f"    :sid: '{student.number}'",
            f"    :email: {student.id}@example.org",
            f"  :created_at: {_moment(student)} Z",
        ]
    return ("\n".join(lines) + "\n").encode()


def write_files(files: dict[str, bytes], target: Path) -> None:
    """Into a folder, or into one archive where the target is named so."""
    if target.suffix == ".zip":
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(name, (2026, 12, 1, 12, 0, 0)), data, zipfile.ZIP_DEFLATED)
        return
    for name, data in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data)


def summary(count: int, seed: int = 1) -> str:
    """How many of each kind a class has."""
    kinds = [student.kind for student in draw_class(count, seed)]
    return json.dumps({kind: kinds.count(kind) for kind in KINDS})
