"""A stub and answers become a filled-in notebook: a reference as a student would hand it in."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

from autograder.course.author_tests import Tests
from autograder.course.model import Code, Key, Part, Problem, Prose, Solution


def fill(notebook: str, answers: Mapping[str, str]) -> bytes:
    """Replace the source of each answer cell that `answers` names."""
    data: dict[str, Any] = json.loads(notebook)
    for cell in data["cells"]:
        source = answers.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
        if source is not None:
            cell["source"] = source.splitlines(keepends=True)
    return json.dumps(data, indent=1, ensure_ascii=False).encode()


def answer_cell(part: Part, answer: str) -> str:
    """The text of an answer cell that gives this text answer."""
    return answer if isinstance(part, Prose) else f"{part.name} = {answer!r}"


def reference_answers(problem: Problem, solution: Solution, source: str) -> dict[str, str]:
    """The answer cells of a perfect student, cut out of the solutions file.

    Helpers (names with an underscore), constants and imports go with the first function.
    """
    answers: dict[str, str] = {}
    shared = _shared_code(source, frozenset(part.name for part in problem.parts))
    for part in problem.parts:
        if isinstance(part, Code):
            answers[part.name] = f"{shared}\n\n{_definition(source, part.name)}".lstrip()
            shared = ""
        elif isinstance(part, Tests):
            if part.stubs:
                own = (_definition(source, stub.__name__) for stub in part.stubs)
                answers[part.name] = "\n\n\n".join([shared, *own]).lstrip()
                shared = ""
        else:
            value = solution.answers[part.name]
            answers[part.name] = answer_cell(part, value.answer if isinstance(value, Key) else value)
    return answers


MARKS = frozenset(
    {"key", "slip", "mistake", "Key", "Mistake", "Reading"}
)  # what is about answers, not in them


def _shared_code(source: str, parts: frozenset[str]) -> str:
    """Imports, helpers and constants: all that is neither an answer nor about answers."""
    pieces = [node for node in ast.parse(source).body if _is_shared(node, parts)]
    return "\n\n".join(_with_decorators(source, piece) for piece in pieces)


def _is_shared(node: ast.stmt, parts: frozenset[str]) -> bool:
    match node:
        case ast.Import():
            return True
        case ast.ImportFrom(module=module):
            return module not in ("autograder", "__future__")
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name not in parts and not _names(*node.decorator_list) & MARKS
        case ast.Assign(targets=targets, value=value):
            return not (_names(*targets) & parts or _names(value) & MARKS)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return not (_names(target) & parts or _names(value) & MARKS)
    return False


def _names(*nodes: ast.expr) -> set[str]:
    return {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}


def _with_decorators(source: str, node: ast.stmt) -> str:
    above = [ast.get_source_segment(source, each) for each in getattr(node, "decorator_list", ())]
    return "\n".join([*(f"@{each}" for each in above), ast.get_source_segment(source, node) or ""])


def _definition(source: str, name: str) -> str:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return ast.get_source_segment(source, node) or ""
    raise KeyError(name)
