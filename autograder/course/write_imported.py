"""The cells of a foreign notebook become the files of a problem, and a list of what needs a person's eye."""

from __future__ import annotations

import ast
import builtins
import importlib.util
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from autograder.course.read_foreign import Meant, parse

NAMES = "names"


@dataclass
class Imported:
    """What is written: the problem, its answers, the code that is given, and what a person should look at."""

    problem: str
    solution: str
    given: str
    notes: list[str]


@dataclass
class _Draft:
    """A problem while its cells are gone through."""

    name: str
    statement: list[str] = field(default_factory=list)
    ask: list[str] = field(default_factory=list)
    stubs: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)  # stubs that no part has in its cell yet
    tests: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    given: list[ast.stmt] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)


def import_cells(name: str, cells: Sequence[Meant]) -> Imported:
    """The files of a problem of this name."""
    draft = _Draft(name)
    for cell in cells:
        match cell.kind:
            case "text":
                (draft.ask if draft.parts or draft.waiting else draft.statement).append(cell.source.strip())
                if "](" in cell.source and "![" in cell.source:
                    draft.notes.append("a picture is linked: put it into problems/figures/ and mend the link")
            case "code":
                _given(draft, cell)
            case "answer":
                _answer(draft, cell)
            case "test":
                _test(draft, cell)
            case _:
                _prose(draft, cell)
    for stub in draft.waiting:
        draft.notes.append(f"{stub} is asked for, and nothing tests it: write a Code or Tests part for it")
    return _written(draft)


def _given(draft: _Draft, cell: Meant) -> None:
    tree = parse(cell.source)
    if tree is None:
        draft.notes.append(f"a cell is no Python and is left out: {_first(cell.source)}")
        return
    for node in tree.body:
        keeps = isinstance(node, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Assign)
        if keeps and not _loads(node) & draft.asked:
            draft.given.append(node)
            for name in _absent(node):
                draft.notes.append(
                    f"{name} is not installed here: take its import out of the given code and the problem"
                )
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            draft.notes.append(
                f"a line of a cell that is not marked is left out: {_first(ast.unparse(node))}"
            )


def _absent(node: ast.stmt) -> list[str]:
    """The packages that an import asks for and that are not there."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
    tops = {name.partition(".")[0] for name in names} - {""}
    return sorted(top for top in tops if importlib.util.find_spec(top) is None)


def _answer(draft: _Draft, cell: Meant) -> None:
    tree = parse(cell.source)
    body = tree.body if tree else []
    found = [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    others = {name for node in body if node not in found for name in _sets(node)}
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            draft.given.append(node)
    for node in found:
        draft.stubs.append(ast.unparse(_emptied(node)))
        draft.answers.append(ast.unparse(node))
    draft.waiting += [node.name for node in found]
    draft.asked |= {node.name for node in found} | others
    if not found:
        what = ", ".join(sorted(others)) or "nothing by a name"
        draft.notes.append(
            f"{cell.name or 'an answer'} asks for {what}: ask for a function that returns it, or write a "
            "part of another kind"
        )


def _test(draft: _Draft, cell: Meant) -> None:
    base = _identifier(cell.name or f"{draft.name}_tests")
    listed: dict[str, str] = {}
    before = parse(cell.source)
    for kind, source in (("visible", cell.source), ("hidden", cell.hidden)):
        tree = parse(source)
        if kind == "hidden" and tree is not None and before is not None:
            tree = _with_what_it_uses(tree, before)
        if tree is None or not _does_something(tree):
            if tree is None:
                draft.notes.append(f"a test of {base} is no Python and is left out: {_first(source)}")
            continue
        touched = {name for node in ast.walk(tree) for name in _changes(node)} & draft.asked
        unasked = _loads(tree) & draft.asked - _defined_functions(draft)
        if touched or unasked:
            why = f"changes the student's {', '.join(sorted(touched))}" if touched else (
                f"looks at {', '.join(sorted(unasked))}, which is no function or class"
            )  # fmt: skip
            draft.notes.append(f"a {kind} test of {base} ({cell.points:g} points) is left out: it {why}")
            continue
        function = f"test_{base}" if kind == "visible" else f"test_{base}_hidden"
        unknown = _loads(tree) - _known(draft, tree)
        if unknown:
            draft.notes.append(f"{function} uses {', '.join(sorted(unknown))}, which no cell above it sets")
        draft.notes += [
            f"{function} compares nothing with {_first(ast.unparse(node))}: say what it should give"
            for node in tree.body
            if _only_calls(node, draft.asked)
        ]
        draft.used |= _loads(tree)
        draft.tests.append(_as_test(function, base, tree, draft.asked))
        listed[kind] = function
    if listed:
        fields = [f'"{base}"', f"points={cell.points:g}"]
        fields += [f"stubs=[{', '.join(draft.waiting)}]"] if draft.waiting else []
        fields += [
            f"{kind}=[{listed[kind]}]" if kind in listed else f"{kind}=[]" for kind in ("visible", "hidden")
        ]
        _part(draft, "Tests", fields)
        draft.waiting.clear()


def _with_what_it_uses(hidden: ast.Module, visible: ast.Module) -> ast.Module:
    """Hidden lines stand below visible ones in their cell: where they use a name of those, what sets it goes
    before them."""
    sets = {name for node in visible.body for name in _names(node)}
    if not _loads(hidden) & sets:
        return hidden
    above = [node for node in visible.body if not _only_asserts(node)]
    return ast.Module([*above, *hidden.body], [])


def _only_calls(node: ast.stmt, asked: set[str]) -> bool:
    """Whether a line runs what is asked for and looks at nothing of what it gives."""
    if not isinstance(node, ast.Expr):
        return False
    # A function that is handed the result may well look at it.
    runs = node.value.func if isinstance(node.value, ast.Call) else node.value
    return bool(_loads(runs) & asked)


def _only_asserts(node: ast.stmt) -> bool:
    """An assert, the call of a function that is named for one, or a text."""
    if not isinstance(node, ast.Expr):
        return isinstance(node, ast.Assert)
    return isinstance(node.value, ast.Constant) or "assert" in ast.unparse(node.value).partition("(")[0]


def _prose(draft: _Draft, cell: Meant) -> None:
    name = _identifier(cell.name or f"{draft.name}_prose")
    if parse(cell.source) is not None and re.search(r"^(def|class) ", cell.source, re.M):
        draft.notes.append(f"{name} is code that a person marked: it is asked for as prose")
    _part(draft, "Prose", [f'"{name}"', f"points={cell.points:g}"])
    model = cell.source.strip()
    if not model:
        draft.notes.append(f"{name} has no model answer: write one into the solutions file")
    draft.answers.append(f"{name} = {model or 'A model answer is still to be written.'!r}")


def _part(draft: _Draft, kind: str, fields: list[str]) -> None:
    ask = "\n\n".join(text for text in draft.ask if text)
    draft.ask.clear()
    if ask or kind == "Prose":
        fields = [*fields, f"ask={(ask or 'see above')!r}"]
    draft.parts.append(f"        {kind}({', '.join(fields)}),\n")


# ---------------------------------------------------------------- pieces of Python


def _emptied(node: ast.FunctionDef | ast.ClassDef) -> ast.stmt:
    """A stub: names, arguments and docstrings."""
    copy = ast.parse(ast.unparse(node)).body[0]
    for each in ast.walk(copy):
        if isinstance(each, ast.FunctionDef):
            doc = ast.get_docstring(each)
            each.body = [each.body[0] if doc is not None else ast.Expr(ast.Constant("Yours to write."))]
    return ast.fix_missing_locations(copy)


def _as_test(function: str, base: str, tree: ast.Module, asked: set[str]) -> str:
    body = list(tree.body)
    says = f"{base.replace('_', ' ')}: what is asserted holds"
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        says = str(body.pop(0).value.value).strip() or says  # type: ignore[attr-defined]
    renamed = [_Renamed(asked).visit(node) for node in body]
    test = ast.parse(f"def {function}({NAMES}):\n    {says!r}").body[0]
    assert isinstance(test, ast.FunctionDef)
    test.body += renamed
    return ast.unparse(ast.fix_missing_locations(test))


class _Renamed(ast.NodeTransformer):
    """The student's names as attributes of the argument that a test is given."""

    def __init__(self, asked: set[str]) -> None:
        self._asked = asked

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self._asked and isinstance(node.ctx, ast.Load):
            return ast.Attribute(ast.Name(NAMES, ast.Load()), node.id, ast.Load())
        return node


def _does_something(tree: ast.Module) -> bool:
    return any(
        not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in tree.body
    )


def _loads(tree: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _sets(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def _changes(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Global):
        yield from node.names


def _defined_functions(draft: _Draft) -> set[str]:
    return {name for text in draft.stubs for name in _names(ast.parse(text).body[0])}


def _names(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return {(alias.asname or alias.name).split(".")[0] for alias in aliases}
    return set(_sets(node))


def _known(draft: _Draft, tree: ast.Module) -> set[str]:
    given = {name for node in draft.given for name in _names(node)}
    own = {name for node in ast.walk(tree) for name in _changes(node)}
    arguments = {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    caught = {n.name for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler) and n.name}
    imported = {
        name for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom) for name in _names(n)
    }
    return given | own | arguments | caught | imported | draft.asked | set(dir(builtins))


def _identifier(name: str) -> str:
    found = re.sub(r"\W+", "_", name).strip("_").lower()
    return found if found and not found[0].isdigit() else f"part_{found}"


def _first(source: str) -> str:
    line = next((line.strip() for line in source.splitlines() if line.strip()), "")
    return line if len(line) <= 60 else f"{line[:57]}…"


# ---------------------------------------------------------------- files


def _written(draft: _Draft) -> Imported:
    title = draft.name.replace("_", " ").capitalize()
    given = "\n".join(ast.unparse(node) for node in draft.given)
    kinds = sorted({"Problem", *(part.strip().split("(")[0] for part in draft.parts)})
    helpers = _needed(draft)
    statement = "\n\n".join(text for text in draft.statement if text) or title
    head = f'"""{title}."""\n\nfrom autograder import {", ".join(kinds)}\n'
    pieces = [head, *helpers, *draft.stubs, *draft.tests]
    fields = [f"title={title!r}", "source='an imported notebook'", f"statement={statement!r}"]
    fields += [f'given="given/{draft.name}.py"'] if given else []
    problem = "problem = Problem(\n" + "".join(f"    {each},\n" for each in fields)
    problem += f"    parts=[\n{''.join(draft.parts)}    ],\n)\n"
    solution = f'"""{title}, answered."""\n\n\n' + "\n\n\n".join(draft.answers) + "\n"
    return Imported("\n\n".join([*pieces, problem]), solution, f"{given}\n" if given else "", draft.notes)


def _needed(draft: _Draft) -> list[str]:
    """What the tests use of the code that is given, in its order."""
    wanted, kept = set(draft.used), list[str]()
    for node in reversed(draft.given):
        if _names(node) & wanted:
            wanted |= _loads(node)
            kept.append(ast.unparse(node))
    return kept[::-1]
