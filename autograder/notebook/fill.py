"""A stub and answers become a filled-in notebook: a reference as a student would hand it in."""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from autograder.course.author_tests import Tests
from autograder.course.model import Code, Key, Part, Problem, Prose, Solution
from autograder.course.modules import Module

if TYPE_CHECKING:
    from autograder.notebook.build_notebooks import NotebookJson


def fill(notebook: str, answers: Mapping[str, str]) -> bytes:
    """Replace the source of each answer cell that `answers` names."""
    data: NotebookJson = json.loads(notebook)
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

    What they share goes with the first function.
    """
    answers: dict[str, str] = {}
    functions = [part.name for part in problem.parts if isinstance(part, Code | Module)]
    stubs = [stub.__name__ for part in problem.parts if isinstance(part, Tests) for stub in part.stubs]
    shared = _shared_code(source, [*functions, *stubs])
    for part in problem.parts:
        if isinstance(part, Code | Module):
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


def _shared_code(source: str, answers: Collection[str]) -> str:
    """Imports, and the helpers and constants that answers use, themselves or through one another."""
    body = ast.parse(source).body
    defined = {name: node for node in body for name in _defines(node)}
    used, left = set(answers), set(answers)
    while left:
        found = {name for each in left if each in defined for name in _names(defined[each])}
        left = found - used
        used |= found
    pieces = [node for node in body if _is_import(node) or _defines(node) & used - set(answers)]
    return "\n\n".join(_with_decorators(source, piece) for piece in pieces)


def _is_import(node: ast.stmt) -> bool:
    """An import that a student could have written: not of the words for writing a course."""
    return isinstance(node, ast.Import) or (
        isinstance(node, ast.ImportFrom) and node.module not in ("autograder", "__future__")
    )


def _defines(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _names(target)}
        case ast.AnnAssign(target=target, value=ast.expr()):
            return _names(target)
    return set()


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _with_decorators(source: str, node: ast.stmt) -> str:
    above = [ast.get_source_segment(source, each) for each in getattr(node, "decorator_list", ())]
    return "\n".join([*(f"@{each}" for each in above), ast.get_source_segment(source, node) or ""])


def _definition(source: str, name: str) -> str:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            return ast.get_source_segment(source, node) or ""
    raise KeyError(name)
