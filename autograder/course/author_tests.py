"""Tests as an author writes them: functions that take the student's names, and the text of them."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Tests:
    """Plain functions with asserts, each given the student's names; its docstring is what the student reads.

    `stubs` are the functions and classes that the student writes in this part's cell; without them the tests
    are of what other parts ask for. Every test, visible or hidden, is worth the same share of the points.
    """

    __test__ = False  # for pytest, which would take it for a class of its own

    name: str
    points: float
    visible: Sequence[Callable[..., object]]
    hidden: Sequence[Callable[..., object]] = ()
    stubs: Sequence[Callable[..., object]] = ()
    ask: str = ""
    limits: Mapping[str, float] = field(default_factory=dict)

    @property
    def all(self) -> tuple[Callable[..., object], ...]:
        return (*self.visible, *self.hidden)

    @cached_property
    def stub(self) -> str:
        """The text of the answer cell before a student touches it."""
        return "\n\n\n".join(stub_text(each) for each in self.stubs)

    @cached_property
    def defined(self) -> frozenset[str]:
        """The names that the answer cell defines."""
        return frozenset(each.__name__ for each in self.stubs)

    @cached_property
    def visible_source(self) -> str:
        """The visible tests and what they use of the problem file: this much of it is handed out."""
        return source_of(self.visible)

    @cached_property
    def source(self) -> str:
        """All tests and what they use."""
        return source_of(self.all)


def sentence(test: Callable[..., object]) -> str:
    """What a student reads of a test."""
    return " ".join(inspect.cleandoc(test.__doc__ or "").split())


def stub_text(answer: Callable[..., object]) -> str:
    """A function or a class as it is handed out: every function in it is not written yet."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(answer)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            doc = [node.body[0]] if ast.get_docstring(node) is not None else []
            says = f"{node.name}: replace this line with your answer"
            stop = f"raise NotImplementedError({says!r})"
            node.body = [*doc, *ast.parse(stop).body]
    return ast.unparse(ast.fix_missing_locations(tree))


def source_of(tests: Sequence[Callable[..., object]]) -> str:
    """The text of these functions, and of all that they use of the file which they are in."""
    if not tests:
        return ""
    text = inspect.getsource(sys.modules[tests[0].__module__])
    body = ast.parse(text).body
    wanted, seen = [test.__name__ for test in tests], set[str]()
    kept: set[int] = set()
    while wanted:
        name = wanted.pop()
        if name in seen:
            continue
        seen.add(name)
        for number, node in enumerate(body):
            if name in set(_defined(node)):
                kept.add(number)
                wanted += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    return "\n\n".join(ast.get_source_segment(text, body[number]) or "" for number in sorted(kept)) + "\n"


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases):
            yield from ((alias.asname or alias.name).split(".")[0] for alias in aliases)
        case ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name for alias in aliases)
        case ast.Assign(targets=targets):
            yield from (
                each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)
            )
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name


def tests_faults(part: Tests) -> Iterator[str]:
    """What is wrong with a part of tests."""
    if not part.all:
        yield "no tests: list functions in visible and hidden"
    names = [getattr(test, "__name__", "") for test in part.all]
    for test, name in zip(part.all, names, strict=True):
        if not inspect.isfunction(test) or name == "<lambda>":
            yield f"{test!r} is no test: write def test_something(names): …"
            continue
        if len(inspect.signature(test).parameters) != 1:
            loop = ", and goes through several values in a loop" if hasattr(test, "pytestmark") else ""
            took = f"{name} takes {inspect.signature(test)}"
            yield f"{took}: a test takes one argument, the student's names{loop}"
        if not sentence(test):
            yield f"{name} has no docstring: it is the sentence that a student reads when it fails"
    yield from (f"{name} is listed {names.count(name)} times" for name in set(names) if names.count(name) > 1)
    for stub in part.stubs:
        if not (inspect.isfunction(stub) or inspect.isclass(stub)):
            yield f"stubs lists {stub!r}, which is neither a function nor a class"
    known = {name for stub in part.stubs for name in [getattr(stub, "__name__", "")]}
    if part.name in known and len(known) > 1:
        yield f"the part is called like one of its stubs, {part.name}: give it a name of its own"
