"""A folder with problems/ and solutions/ becomes a Course, or one error that lists every fault in it."""

from __future__ import annotations

import contextlib
import difflib
import importlib.util
import linecache
import os
import re
import secrets
import sys
import tomllib
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.course.author_faults import (
    diagnosis_faults,
    find_further,
    find_mistakes,
    limit_faults,
    lost_definitions,
    problem_faults,
    problem_misfits,
    question_faults,
    solution_faults,
)
from autograder.course.given_files import (
    given_faults,
    import_names,
    package_faults,
    sets_problem,
    with_given,
)
from autograder.course.model import Code, Diagnosis, Key, Named, Problem, Prose, Solution
from autograder.course.modules import Module
from autograder.course.named_mistakes import named_faults, place_of, read_named
from autograder.course.varying_problem import faults as variation_faults
from autograder.course.varying_problem import variant
from autograder.errors import CourseError, UsageError, reason

INDEX = Path("problems") / "course.toml"
ENTRIES = ("title", "sets", "limits", "packages", "questions", "late", "diagnosis")
SECRET = Path("solutions") / "secret.txt"
SECRET_VARIABLE = "AUTOGRADER_SECRET"
FOLDERS = ("problems", "solutions")
SHIPPED = "change-this-line-before-you-grade-a-real-class"  # how a secret that everybody can read begins


@dataclass(frozen=True)
class ProblemSet:
    """A named group of problems that is handed out together."""

    id: str
    title: str
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Course:
    """Everything a course says, loaded and checked."""

    root: Path
    title: str
    sets: tuple[ProblemSet, ...]
    problems: Mapping[str, Problem]
    solutions: Mapping[str, Solution]
    secret: str
    limits: Mapping[str, float] = field(default_factory=dict)
    packages: tuple[str, ...] = ()  # that submissions may import beside the usual ones
    questions: str = ""  # the address for a question on a mark, with {student}, {part}, … to be filled in
    diagnosis: Diagnosis = field(default_factory=Diagnosis)
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)  # as they were when it was loaded

    @property
    def assignments(self) -> Iterator[tuple[ProblemSet, Problem]]:
        """Every set with each of its problems, in the order of course.toml."""
        for group in self.sets:
            for name in group.problems:
                yield group, self.problems[name]

    @property
    def imports(self) -> tuple[str, ...]:
        """What a warm parent imports beside the usual, before any notebook is there."""
        return _imports(self.packages, self.files)

    def find(self, set_id: str, problem_id: str) -> Problem | None:
        """The problem, if the set has it."""
        listed = any(group.id == set_id and problem_id in group.problems for group in self.sets)
        return self.problems[problem_id] if listed else None


def find_course(start: Path, given: Path | None = None) -> Path:
    """The given folder, or the nearest one upwards that has problems/course.toml."""
    if given is not None:
        if not (given / INDEX).is_file():
            raise UsageError(f"{given} is not a course: name the folder that has {INDEX} in it")
        return given.resolve()
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / INDEX).is_file():
            return folder
    raise UsageError(
        f"no course here: no {INDEX} in {start.resolve()} or above it; name one with --course DIR"
    )


def imports_of(root: Path) -> tuple[str, ...]:
    """What a course's warm parents import, known before it is loaded; of one that cannot be read, nothing."""
    try:
        files = _read_files(root, FOLDERS)
        packages = _read_index(files).get("packages", {})
        if not any(package_faults(packages, installed=True)):
            return _imports(packages.get("allow", ()), files)
    except CourseError:
        pass  # told when it is loaded to grade by
    return ()


def _imports(packages: Sequence[str], files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The allowed packages, and what the first optimizer would import, for a second, in every child."""
    trains = any(b"optim" in text for place, text in files.items() if place.endswith(".py"))
    return (*import_names(packages), *(["torch._dynamo"] if trains else []))


def load_course(root: Path, *, solutions: bool = True, sealed: bool = False) -> Course:
    """Load and check a course; without `solutions` nothing heavy is imported.

    A `sealed` course has the bytes of its solutions and its secret, and runs no solution.
    """
    faults: list[str] = []
    files = _read_files(root, FOLDERS if solutions or sealed else FOLDERS[:1])
    index = _read_index(files)
    problems = _load_problems(root, files, faults)
    sets = _read_sets(index, problems, faults)
    faults.extend(f"{INDEX}: {fault}" for fault in _unknown(index))
    faults.extend(f"{INDEX}: {fault}" for fault in limit_faults(index.get("limits", {})))
    packages = index.get("packages", {})
    faults.extend(f"{INDEX}: {fault}" for fault in package_faults(packages, installed=solutions))
    faults.extend(f"{INDEX}: {fault}" for fault in question_faults(index.get("questions", "")))
    answers = _load_solutions(root, files, problems, faults) if solutions else {}
    table = index.get("diagnosis", {})
    misset = [f"{INDEX}: {fault}" for fault in diagnosis_faults(table)]
    faults.extend(misset)
    diagnosis = Diagnosis() if misset else Diagnosis(**table)
    problems = {name: _with_share(problem, diagnosis.share) for name, problem in problems.items()}
    if not diagnosis.listed:
        answers = {name: replace(solution, mistakes=(), named=()) for name, solution in answers.items()}
    secret = _read_secret(files, faults) if solutions or sealed else ""
    if faults:
        raise CourseError(faults)
    title, limits = str(index.get("title", root.name)), index.get("limits", {})
    allowed = tuple(packages.get("allow", ()))
    questions = index.get("questions", "")
    return Course(root, title, sets, problems, answers, secret, limits, allowed, questions, diagnosis, files)


def _unknown(index: Mapping[str, object]) -> Iterator[str]:
    """Entries of course.toml that nobody would read: a limit that is misspelt limits nothing."""
    for name in (name for name in index if name not in ENTRIES):
        near = difflib.get_close_matches(name, ENTRIES, n=1)
        meant = f"did you mean {near[0]}?" if near else f"there are {', '.join(ENTRIES)}"
        yield f"it has no entry {name!r}; {meant}"


def _with_share(problem: Problem, share: float) -> Problem:
    """What a slip earns in the parts that do not say it themselves."""
    parts = [
        replace(part, share=share)
        if isinstance(part, Code | Module) and part.share is None and not getattr(part, "holds", ())
        else part
        for part in problem.parts
    ]
    return replace(problem, parts=tuple(parts)) if share else problem


def _read_files(root: Path, folders: Sequence[str]) -> dict[str, bytes]:
    """Every file once, before any is used: what is graded by and what is said of it are the same bytes."""
    files = {}
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                place = path.relative_to(root).as_posix()
                try:
                    files[place] = path.read_bytes()
                except OSError as error:
                    raise CourseError(f"{place}: cannot be read: {reason(error)}") from error
    return files


def _read_index(files: Mapping[str, bytes]) -> dict[str, Any]:
    try:
        if INDEX.as_posix() not in files:
            raise FileNotFoundError
        return tomllib.loads(files[INDEX.as_posix()].decode("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise CourseError(f"{INDEX}: cannot be read: {reason(error)}") from error


def _read_sets(
    index: Mapping[str, object], problems: Mapping[str, Problem], faults: list[str]
) -> tuple[ProblemSet, ...]:
    sets = []
    named = index.get("sets", {})
    for id, table in named.items() if isinstance(named, dict) else ():
        listing = table.get("problems") if isinstance(table, dict) else None
        members = tuple(map(str, listing)) if isinstance(listing, list) else ()
        if not members:
            faults.append(f'{INDEX}: set {id!r} lists no problems; write problems = ["…"]')
        faults.extend(
            f"{INDEX}: set {id!r} lists {name!r}, but there is no problems/{name}.py"
            for name in members
            if name not in problems and not _broken(faults, name)
        )
        title = str(table.get("title", id)) if isinstance(table, dict) else id
        sets.append(ProblemSet(id, title, members))
    if not sets:
        faults.append(f'{INDEX}: no sets; write [sets.NAME] with problems = ["…"]')
    listed = {name for group in sets for name in group.problems}
    faults.extend(
        f"problems/{name}.py is in no set; list it in {INDEX}" for name in problems if name not in listed
    )
    return tuple(sets)


def _broken(faults: list[str], name: str) -> bool:
    """Whether a problem is absent only because its file has a fault of its own."""
    return any(fault.startswith(f"problems/{name}.py") for fault in faults)


def _stems(files: Mapping[str, bytes], folder: str) -> list[str]:
    """The names of the Python files right in a folder."""
    places = (Path(place) for place in files)
    return [place.stem for place in places if place.suffix == ".py" and place.parent.as_posix() == folder]


def _load_problems(root: Path, files: Mapping[str, bytes], faults: list[str]) -> dict[str, Problem]:
    problems = {}
    stems = _stems(files, "problems")
    others = [stem for stem in stems if not sets_problem(files[f"problems/{stem}.py"])]
    for stem in stems:
        place = f"problems/{stem}.py"
        if stem in others:
            continue
        module = import_file(root / place, place, files[place], faults)
        if module is None:
            continue
        problem = getattr(module, "problem", None)
        if not isinstance(problem, Problem):
            faults.append(f"{place} has no problem; end it with problem = Problem(…)")
            continue
        misfits = list(problem_misfits(problem))
        faults.extend(f"{place}: {fault}" for fault in misfits)
        if misfits:
            continue
        varied = variation_faults(problem.varies)
        faults.extend(f"{place}: {fault}" for fault in varied or problem_faults(variant(problem, 0)))
        wrong = list(given_faults(problem, files))
        faults.extend(f"{place}: {fault}" for fault in wrong)
        problem = problem if wrong else with_given(problem, files)
        problems[stem] = replace(problem, id=stem, parts=tuple(problem.parts))
    given = {problem.given for problem in problems.values()}
    for stem in others:
        if f"{stem}.py" not in given:
            faults.append(
                f"problems/{stem}.py has no problem; end it with problem = Problem(…), or name it in the "
                "given= of one"
            )
    return problems


def _load_solutions(
    root: Path, files: Mapping[str, bytes], problems: Mapping[str, Problem], faults: list[str]
) -> dict[str, Solution]:
    solutions = {}
    for stem in _stems(files, "solutions"):
        if stem not in problems and not _broken(faults, stem):
            faults.append(f"solutions/{stem}.py answers no problem: there is no problems/{stem}.py")
    for name, problem in problems.items():
        place = f"solutions/{name}.py"
        if place not in files:
            faults.append(f"{place} is missing; problems/{name}.py needs its answers there")
            continue
        module = _with_what_is_given(root, problem, files[place], faults)
        if module is None:
            continue
        faults.extend(f"{place}{fault}" for fault in solution_faults(problem, module))
        solutions[name] = replace(_solution(problem, module), named=_read_named(problem, files, faults))
    return solutions


def _with_what_is_given(root: Path, problem: Problem, source: bytes, faults: list[str]) -> ModuleType | None:
    """A solutions file, run below the problem's given code and beside its files, as a student's cells are."""
    names: dict[str, object] = {}
    place = f"solutions/{problem.id}.py"
    with contextlib.chdir(root / "problems") if problem.data else contextlib.nullcontext():
        if problem.given_code:
            at, code = f"problems/{problem.given}", problem.given_code.encode()
            given = import_file(root / at, at, code, faults)
            if given is None:
                return None
            names = {name: value for name, value in vars(given).items() if not name.startswith("__")}
        return import_file(root / place, place, source, faults, names)


def _read_named(problem: Problem, files: Mapping[str, bytes], faults: list[str]) -> tuple[Named, ...]:
    place = place_of(problem.id)
    found: list[str] = []
    named = read_named(files.get(place, b""), found)
    faults.extend(f"{place}: {fault}" for fault in (*found, *named_faults(problem, named)))
    return named


def _solution(problem: Problem, module: ModuleType) -> Solution:
    answers: dict[str, object] = {}
    for part in problem.parts:
        answer = getattr(module, part.name, None)
        if isinstance(answer, str) and not isinstance(part, Code | Module | Prose):
            answer = Key(answer)
        answers[part.name] = answer
    names = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    return Solution(answers, tuple(find_mistakes(module)), names=names, further=tuple(find_further(module)))


def _read_secret(files: Mapping[str, bytes], faults: list[str]) -> str:
    if secret := os.environ.get(SECRET_VARIABLE):
        return secret
    text = files.get(SECRET.as_posix(), b"").decode("utf-8", "replace").strip()
    if not text:
        faults.append(
            f"{SECRET} is missing or empty: hidden inputs are drawn from it; "
            f"write any long random text into it, or set {SECRET_VARIABLE}"
        )
    return text


def refuse_shipped_secret(course: Course) -> None:
    """A secret that is published with the course hides nothing: good for a demo, not for a class."""
    if course.secret.startswith(SHIPPED):
        raise UsageError(
            f"{course.root / SECRET} came with the course, so anybody can work out its hidden inputs: "
            f"delete it and run `autograder build`, which makes a new one, or set {SECRET_VARIABLE}"
        )


def make_secret(root: Path) -> bool:
    """A secret for a course that has none; whether one was made."""
    path = root / SECRET
    if os.environ.get(SECRET_VARIABLE) or (path.is_file() and path.read_text(encoding="utf-8").strip()):
        return False
    if not path.parent.is_dir():
        return False  # a folder of problems alone, as it is handed out
    path.write_text(secrets.token_urlsafe(32) + "\n", encoding="utf-8")
    path.chmod(0o600)
    return True


_LACKS = re.compile(r"(\w+)(?:\.__init__)?\(\) missing \d+ required [\w-]+ arguments?: (.+)")


def _missing(error: str) -> str:
    """What Python says of a field that is left out, as what to write; nothing of any other error."""
    found = _LACKS.fullmatch(error)
    if found is None:
        return ""
    names = re.findall(r"'(\w+)'", found[2])
    return f"{found[1]}(…) lacks {' and '.join(names)}: add {', '.join(f'{name}=…' for name in names)}"


def import_file(
    path: Path, place: str, source: bytes, faults: list[str], names: Mapping[str, object] | None = None
) -> ModuleType | None:
    """Run a file of a course as it was read, with `names` in reach; what goes wrong is added to `faults`."""
    name = f"autograder_course_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    vars(module).update(names or {})
    sys.modules[name] = module
    write_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        text = source.decode("utf-8")
        # Whoever asks Python for the source of a stub gets this text, not what the file holds by then.
        linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
        exec(compile(source, str(path), "exec"), vars(module))
    except Exception as error:  # any fault of an author's file is reported with its line
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
        ]
        said = _missing(str(error)) or f"{type(error).__name__}: {error}"
        line = lines[-1] if lines else None
        if isinstance(error, SyntaxError) and error.filename == str(path):
            said, line = f"{type(error).__name__}: {error.msg}", error.lineno
        faults.append(f"{place}{f':{line}' if line else ''} cannot be loaded: {said}")
        return None
    finally:
        sys.dont_write_bytecode = write_bytecode
    faults.extend(f"{place}: {fault}" for fault in lost_definitions(text))
    return module
