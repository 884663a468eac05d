"""A stub and answers become a filled-in notebook: a reference as a student would hand it in."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

from autograder.model import Code, Key, Part, Problem, Prose, Solution


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
    shared = _shared_code(source)
    for part in problem.parts:
        if isinstance(part, Code):
            answers[part.name] = f"{shared}\n\n{_definition(source, part.name)}".lstrip()
            shared = ""
        else:
            value = solution.answers[part.name]
            answers[part.name] = answer_cell(part, value.answer if isinstance(value, Key) else value)
    return answers


def _shared_code(source: str) -> str:
    pieces: list[ast.stmt] = []
    for node in ast.parse(source).body:
        match node:
            case ast.Import():
                pieces.append(node)
            case ast.ImportFrom(module=module) if module != "autograder":
                pieces.append(node)
            case ast.FunctionDef(name=name) if name.startswith("_"):
                pieces.append(node)
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("_"):
                pieces.append(node)
    return "\n\n".join(ast.get_source_segment(source, piece) or "" for piece in pieces)


def _definition(source: str, name: str) -> str:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(source, node) or ""
    raise KeyError(name)
