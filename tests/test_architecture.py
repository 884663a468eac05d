"""Imports point down, heavy dependencies stay in their rooms, and a name tells what it is: read from the code itself."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from autograder.sandbox.tiers import MINE

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "autograder"

# From the ground up: a module may import from its own floor and those before it.
FLOORS = [
    {"errors", "logs", "as_json", "light_imports", "docs_at_hand", "drawing"},
    {"course"},
    {"calls"},
    {"text", "diagnose"},
    {"cost", "notebook"},
    {"sandbox"},
    {"grade"},
    {"draft", "release", "check", "pages", "gradebook", "exports"},
    {"classroom"},
    {"packages", "desk", "verify"},
    {"cli"},
]
HEIGHT = {name: height for height, floor in enumerate(FLOORS) for name in floor}

ROOMS = {
    "nbgrader": {"gradebook", "notebook"},
    "nbformat": {"notebook", "gradebook"},
    "distributed": {"classroom"},
    "lark": {"text"},
    "latex2mathml": {"drawing"},
    "scipy": {"text", "cost", "desk"},
    "jinja2": {"pages", "check"},
    "tornado": {"desk"},
    "markdown_it": {"pages"},
    "IPython": {"sandbox", "check"},
    "_pytest": {"calls"},
    "torch": {
        "calls",
        "text",
        "diagnose",
        "cost",
        "sandbox",
        "grade",
        "verify",
        "check",
        "release",
        "classroom",
    },
}

# File names that stand in several rooms, since they are one idea there.
SAME_FILES = {
    "code": "parts of the kind Code: in the check and in the marks",
    "tests": "parts of the kind Tests: in the check and in the marks",
    "modules": "parts of the kind Module: as they are written, and as they are proved",
    "properties": "what must hold of a function: as it is written, decided, checked, marked and proved",
    "judge": "an answer and its key become a verdict: one for each language of written answers",
    "read": "an answer's text becomes trees: one for each language",
    "tree": "what an answer's text becomes: one for each language",
    "render": "a tree becomes text again: one for each language",
    "lexer": "an answer's text becomes tokens: one for each language",
    "names": "letters become names that the question declares: one for each language",
    "evaluate": "a tree becomes numbers: one for each language",
    "compare": "an answer beside its key: one for each language",
    "usual_mistakes": "what an answer is, beside its key: one for each language",
}
# Class names that stand in several modules, since they are one idea there.
SAME_CLASSES = {
    "Call": "a node of a tree, in each language of written answers",
    "Number": "a number: the kind of part, and the node of an equation's tree",
    "Shape": "the shape of a tensor: the kind of part, and what an equation's value has",
    "Output": "one of the answers to a part with several outputs: in each language",
    "Parser": "tokens become a tree: in each language",
    "Side": "what stands on one side of an equals sign: in each language",
}
LONGEST = 500  # lines of a module
MOST_ANY = 46  # places where a type is not said


def room(module: str) -> str:
    """The top-level room of a dotted module of ours: autograder.text.growth.read is in answers."""
    return [*module.split("."), ""][1]


def imports(path: Path, module: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide where they point"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found += names if node.module == "autograder" else [str(node.module)]
    return found


def modules() -> dict[str, list[str]]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        found[name] = imports(path, name)
    return found


def upward(found: dict[str, list[str]]) -> list[str]:
    faults = []
    for module, targets in found.items():
        here = room(module)
        if here in ("", "__main__"):
            continue  # the package itself and its entry point see everything
        for target in targets:
            there = room(target) if target.startswith("autograder.") else ""
            if there in HEIGHT and HEIGHT[there] > HEIGHT[here]:
                faults.append(f"{module} imports {target}")
    return faults


def misplaced(found: dict[str, list[str]]) -> list[str]:
    return [
        f"{module} imports {target}"
        for module, targets in found.items()
        for target in targets
        if room(module) not in ROOMS.get(target.split(".")[0], {room(module)})
    ]


def test_every_room_has_a_floor():
    rooms = {room(name) for name in modules()} - {"", "__main__"}
    assert rooms <= set(HEIGHT)


def test_imports_point_down():
    assert upward(modules()) == []


def test_heavy_dependencies_stay_in_their_rooms():
    assert misplaced(modules()) == []


def sources() -> dict[str, str]:
    return {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def repeated(names: Iterable[str], known: Iterable[str]) -> list[str]:
    return sorted(name for name, count in Counter(names).items() if count > 1 and name not in known)


def file_names(found: dict[str, str]) -> list[str]:
    return [Path(path).stem for path in found if not path.endswith("__init__.py")]


def class_names(found: dict[str, str]) -> list[str]:
    return [
        node.name
        for text in found.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
    ]


def engines_in_init(found: dict[str, str]) -> list[str]:
    """What an __init__.py defines; it may load a name late, and no more."""
    return [
        f"{path}: {node.name}"
        for path, text in found.items()
        if path.endswith("__init__.py")
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name != "__getattr__"
    ]


def too_long(found: dict[str, str]) -> list[str]:
    return [path for path, text in found.items() if len(text.splitlines()) > LONGEST]


def unsaid(found: dict[str, str]) -> list[str]:
    """The places whose type is Any."""
    return [
        f"{path}:{node.lineno}"
        for path, text in found.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Name) and node.id == "Any"
    ]


def test_no_file_name_occurs_twice_but_for_one_idea():
    assert repeated(file_names(sources()), SAME_FILES) == []


def test_no_class_name_occurs_twice_but_for_one_idea():
    assert repeated(class_names(sources()), SAME_CLASSES) == []


def test_no_engine_stands_in_an_init_file():
    assert engines_in_init(sources()) == []


def test_no_module_is_too_long_to_read():
    assert too_long(sources()) == []


def test_types_are_said():
    assert len(unsaid(sources())) <= MOST_ANY


def test_what_is_said_to_be_one_idea_stands_in_several_rooms():
    found = sources()
    assert set(SAME_FILES) == set(repeated(file_names(found), ()))
    assert set(SAME_CLASSES) == set(repeated(class_names(found), ()))


def imported_at_run_time(path: Path) -> set[str]:
    """The files of the package that one imports, those aside that only a type is taken from."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    places = [name.replace(".", "/").removeprefix("autograder/") + ".py" for name in names]
    return {place for place in places if (PACKAGE / place).is_file()}


def not_mounted(mine: Iterable[str]) -> set[str]:
    """What a student's process imports of the package and would not find there."""
    there = {path.relative_to(PACKAGE).as_posix() for each in mine for path in files_at(PACKAGE / each)}
    return {found for place in there for found in imported_at_run_time(PACKAGE / place)} - there


def files_at(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def test_a_students_process_finds_all_that_it_imports():
    assert not_mounted(MINE) == set()
    assert not_mounted(set(MINE) - {"sandbox/wire.py"}) == {"sandbox/wire.py"}


def lost(page: str) -> list[str]:
    """Files that a page names and that are not there: by their room, else in the room named last."""
    missing, room = [], ""
    for folder, name in re.findall(r"`((?:\w+/)*)(\w+\.(?:py|lark))?`", page):
        room = folder or room
        places = [PACKAGE / room / name, ROOT / room / name, PACKAGE / folder / name]
        if not any(place.is_file() if name else place.is_dir() for place in places):
            missing.append(folder + name)
    return missing


def test_the_page_on_the_house_names_files_that_are_there():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert lost(page) == []
    assert lost("see `calls/compare_tensors.py` and `calls/gone.py`") == ["calls/gone.py"]
    assert lost("in `calls/`, `invoke.py`, `gone.py`, `errors.py`") == ["gone.py"]


def test_the_tests_of_names_and_lengths_can_fail():
    found = {
        "calls/compare.py": "class Call: ...",
        "cost/compare.py": "class Call: ...",
        "cost/__init__.py": "def fit(): ...",
        "cost/long.py": "\n" * (LONGEST + 1),
        "cost/loose.py": "from typing import Any\n\ndef fit(x: Any) -> list[Any]: ...",
    }
    assert repeated(file_names(found), ()) == ["compare"]
    assert repeated(class_names(found), ()) == ["Call"]
    assert engines_in_init(found) == ["cost/__init__.py: fit"]
    assert too_long(found) == ["cost/long.py"]
    assert unsaid(found) == ["cost/loose.py:3", "cost/loose.py:3"]


@pytest.mark.parametrize(
    ("module", "target", "finds"),
    [
        ("autograder.course.model", "autograder.cli", upward),
        ("autograder.text.growth", "autograder.grade.submission", upward),
        ("autograder.cli.app", "nbgrader.api", misplaced),
        ("autograder.course.model", "torch", misplaced),
    ],
    ids=["model-cli", "answers-grade", "cli-nbgrader", "model-torch"],
)
def test_these_tests_can_fail(module, target, finds):
    assert finds({module: [target]}) == [f"{module} imports {target}"]
