"""Imports point down, and heavy dependencies stay in their rooms: proved from the imports themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "autograder"

# From the ground up: a module may import from its own floor and those before it.
FLOORS = [
    {"errors", "logs", "as_json", "drawing"},
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
