"""A notebook of nbgrader's or Otter's becomes what its cells mean: questions, answers, tests, given code."""

from __future__ import annotations

import ast
import doctest
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.errors import UsageError

_HIDDEN = re.compile(r"^\s*#+ *BEGIN HIDDEN TESTS.*?^\s*#+ *END HIDDEN TESTS[^\n]*\n?", re.M | re.S)
_MARKS = re.compile(r"^\s*#+ *(BEGIN|END) (SOLUTION|HIDDEN TESTS|PROMPT|MARK SCHEME)[^\n]*\n?", re.M)
_OTTER = re.compile(r"^\s*(?:<!--)?\s*#+ *(BEGIN|END) (QUESTION|SOLUTION|TESTS|PROMPT)", re.M)
_NUMPY = re.compile(r"\b(?:np|numpy)\.(?:(?P<truth>True|False)_|\w+\((?P<number>[-+.\w]+)\))")
# Functions and methods that say yes or no, by their names.
_ASKS = re.compile(
    r"(?:is|has)_\w+|all|any|allclose|isclose|array_equal|equal|callable|hasattr|bool|isinstance|issubclass"
    r"|startswith|endswith|isnan|isinf|isfinite|"
    + "|".join(name for kind in (str, set, float) for name in dir(kind) if name.startswith("is"))
)
_FIELD = re.compile(r"^\s*(name|points|manual)\s*:\s*([^\n]+?)\s*$", re.M)


@dataclass(frozen=True)
class Meant:
    """One cell: `kind` is text, answer, test, prose or code. A test's `hidden` text is not for students."""

    kind: str
    source: str = ""
    hidden: str = ""
    name: str = ""
    points: float = 0.0


def read_foreign(path: Path, form: str) -> list[Meant]:
    """The cells of a source notebook; UsageError where it is none."""
    if not path.is_file():
        raise UsageError(f"{path} is not a file: name the source .ipynb")
    try:
        cells = json.loads(path.read_bytes())["cells"]
        plain = [(str(cell["cell_type"]), _text(cell), cell.get("metadata", {})) for cell in cells]
        shown = [_shown(cell) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} is no notebook that can be read: name the source .ipynb") from error
    found = list(_nbgrader(plain) if form == "nbgrader" else _otter(plain, shown))
    if not any(cell.kind in ("answer", "prose") for cell in found):
        raise UsageError(f"{path} has no cell that {form} takes for an answer: name the instructor's version")
    return found


def parse(source: str) -> ast.Module | None:
    """The Python in a cell, its magics left out; None where it is none."""
    lines = ("" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())
    try:
        return ast.parse("\n".join(lines))
    except SyntaxError:
        return None


def _text(cell: Mapping[str, object]) -> str:
    source = cell["source"]
    return "".join(source) if isinstance(source, list) else str(source)


def _nbgrader(cells: list[tuple[str, str, Mapping[str, Any]]]) -> Iterator[Meant]:
    for kind, source, metadata in cells:
        fields = metadata.get("nbgrader", {})
        name, points = str(fields.get("grade_id", "")), float(fields.get("points") or 0)
        marked, asked = bool(fields.get("grade")), bool(fields.get("solution"))
        if fields.get("task"):
            yield Meant("text", _MARKS.sub("", source))
            yield Meant("prose", "", name=name, points=points)
        elif asked and (marked or kind != "code"):
            yield Meant("prose", _MARKS.sub("", source), name=name, points=points)
        elif asked:
            yield Meant("answer", _MARKS.sub("", source), name=name)
        elif marked:
            hidden = "\n".join(_MARKS.sub("", each) for each in _HIDDEN.findall(source))
            yield Meant("test", _HIDDEN.sub("", source), hidden, name, points)
        else:
            yield Meant("code" if kind == "code" else "text", source)


def _shown(cell: Mapping[str, object]) -> str:
    """The value that a cell showed when it was run."""
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        data = output.get("data") if isinstance(output, dict) else None
        text = data.get("text/plain") if isinstance(data, dict) else None
        if isinstance(text, list | str):
            return "".join(text)
    return ""


def _asserting(source: str, shown: str) -> str:
    """A test of Otter's: what its last line gives is compared with what stood below it, or is to be true."""
    if ">>>" in source:
        try:
            examples = doctest.DocTestParser().get_examples(source)
        except ValueError:  # what it says is no Python either
            return source
        return "".join(_asserting(each.source, each.want) for each in examples)
    tree = parse(source)
    last = tree.body[-1] if tree and tree.body else None
    if not isinstance(last, ast.Expr) or tree is None:
        return f"{source}\n"
    match last.value:
        case ast.Call(func=ast.Name("print"), args=[one], keywords=[]) if shown.strip():
            test = f"assert str({ast.unparse(one)}) == {shown.strip()!r}"
        case value:
            test = _with_value(value, shown.strip())
    if not test:
        return f"{source}\n"
    return "\n".join([*map(ast.unparse, tree.body[:-1]), test, ""])


def _with_value(given: ast.expr, shown: str) -> str:
    """An assert that an expression gives what was shown; empty where that is no value of Python's."""
    try:
        return f"assert ({ast.unparse(given)}) == {ast.literal_eval(_NUMPY.sub(_plainly, shown))!r}"
    except (ValueError, SyntaxError, TypeError):
        return f"assert {ast.unparse(given)}" if _is_question(given) else ""


def _plainly(shown: re.Match[str]) -> str:
    """A scalar as numpy shows it, `np.True_` or `np.float64(0.5)`, in Python's own words."""
    return shown["number"] or shown["truth"]


def _is_question(node: ast.expr) -> bool:
    """Whether an expression says yes or no: a comparison, a `not`, or what is named so."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return _ASKS.fullmatch(name) is not None
    return False


def _otter(cells: list[tuple[str, str, object]], outputs: list[str]) -> Iterator[Meant]:
    """Otter marks begin and end of everything by cells of their own."""
    name, points, manual, inside = "", 1.0, False, ""
    tests: list[tuple[str, bool]] = []
    for (kind, source, _), shown in zip(cells, outputs, strict=True):
        mark = _OTTER.search(source) if kind != "code" else None
        if kind == "raw" and "ASSIGNMENT CONFIG" in source:
            continue
        if mark is None:
            yield from _otter_cell(kind, source, name, points, manual, inside, tests, shown)
            continue
        edge, what = mark[1], mark[2]
        if what == "QUESTION" and edge == "BEGIN":
            fields = {key: value.strip("\"'") for key, value in _FIELD.findall(source)}
            name, manual = fields.get("name", ""), fields.get("manual", "").lower() in ("true", "yes")
            points = float(fields["points"]) if _is_number(fields.get("points", "")) else 1.0
        elif what == "TESTS" and edge == "END":
            seen, hidden = ("\n".join(t for t, hides in tests if hides == wanted) for wanted in (False, True))
            yield Meant("test", seen, hidden, name, points)
            tests.clear()
        inside = "" if edge == "END" else what
        if what == "QUESTION":
            inside = "" if edge == "BEGIN" else "outside"
        if what == "QUESTION" and edge == "END":
            name = ""


def _otter_cell(
    kind: str,
    source: str,
    name: str,
    points: float,
    manual: bool,
    inside: str,
    tests: list[tuple[str, bool]],
    shown: str,
) -> Iterator[Meant]:
    if inside == "TESTS":
        hides = bool(re.match(r"\s*#+ *HIDDEN", source))
        body = re.sub(r"\A\s*#+ *HIDDEN[^\n]*\n", "", source)
        body = re.sub(r'\A\s*""" *# *BEGIN TEST CONFIG.*?"""[^\n]*\n', "", body, flags=re.S)
        asserting = _asserting(body, shown)
        if parse(asserting) is None:
            yield Meant("code", source)  # which is told as none
        else:
            tests.append((asserting, hides))
    elif inside == "PROMPT":
        return
    elif name and manual and inside == "SOLUTION":
        yield Meant("prose", source, name=name, points=points)
    elif name and kind == "code" and inside == "SOLUTION":
        clean = re.sub(r"^\s*#+ *(BEGIN|END) SOLUTION[^\n]*\n?", "", source, flags=re.M)
        yield Meant("answer", re.sub(r" *# *SOLUTION *$", "", clean, flags=re.M), name=name)
    else:
        yield Meant("code" if kind == "code" else "text", source)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None
