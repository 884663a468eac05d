"""A reference function becomes a program whose every expression can be changed alone: its helpers copied once
for each use, its nodes numbered, and any set of changes compiled into a function again."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from types import CodeType, FunctionType
from typing import Any, TypeVar

from autograder.diagnose import substituted_operations
from autograder.diagnose.copies_per_use import share_out, twin_of
from autograder.diagnose.line_template import placed

MOST_COPIES = 40  # of helpers; a program with more of them is changed in all uses at once
MOST_KEPT = 1024  # changed nodes that pairs of changes share
MOST_STEPS = 20_000  # of one while loop of a changed program

T = TypeVar("T", bound=ast.AST)
Make = Callable[[Any], ast.AST]  # a node, its children already changed, becomes another


@dataclass(frozen=True, eq=False)
class Node:
    """One node of the program: where it stands, and the numbers of what lies under it."""

    number: int
    end: int  # one past the last number under it
    tree: ast.AST
    parent: int | None
    field: str  # of the parent
    function: int  # the number of the function definition around it

    def tree_as(self, kind: type[T]) -> T:
        """The tree, which is known to be of this kind."""
        assert isinstance(self.tree, kind)
        return self.tree


@dataclass(frozen=True, eq=False)
class Program:
    """The functions of a reference: the first is the one that is called, the others are its helpers."""

    parameters: tuple[str, ...]
    functions: tuple[ast.FunctionDef, ...]
    nodes: tuple[Node, ...]
    namespace: Mapping[str, object]
    helpers: Mapping[str, str] = field(default_factory=dict)  # each copy, and the name of what it copies
    twins: tuple[tuple[int, ...], ...] = ()  # copies of one value, each in the place of one use
    _numbers: dict[ast.AST, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole program as one line of text."""
        return "\x1f".join(ast.dump(function) for function in self.functions)

    def of(self, tree: ast.AST) -> Node:
        """The node of a tree that stands in the program."""
        return self.nodes[self._numbers[tree]]

    def has(self, tree: ast.AST) -> bool:
        return tree in self._numbers

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes around this one, the nearest first."""
        while node.parent is not None:
            node = self.nodes[node.parent]
            yield node

    def under(self, node: Node) -> Iterator[Node]:
        """The node itself and all nodes under it."""
        yield from self.nodes[node.number : node.end]

    def changed(self, changes: Mapping[int, Make], sizes: dict[str, int]) -> FunctionType:
        """The function with some of its nodes made into others."""
        return self.made(self.codes(changes), sizes)

    def codes(self, changes: Mapping[int, Make]) -> tuple[CodeType, ...]:
        """Every function compiled, some of its nodes made into others; equal codes are the same function."""
        touched = {self.nodes[number].function for number in changes}
        nodes = [self.of(function) for function in self.functions]
        return tuple(
            _compiled(self._rebuilt(node, changes)) if node.number in touched else self._codes[position]
            for position, node in enumerate(nodes)
        )

    def made(self, codes: Sequence[CodeType], sizes: dict[str, int]) -> FunctionType:
        """The function of these codes; one finds the others in its globals, so all are defined anew."""
        namespace = dict(self.namespace)
        namespace["__sizes__"] = sizes
        for code in codes:
            # What is run is the author's own function with a node of it changed by one of our rules.
            exec(code, namespace)
        made = namespace[self.functions[0].name]
        assert isinstance(made, FunctionType)
        return made

    @cached_property
    def _codes(self) -> list[CodeType]:
        return [_compiled(function) for function in self.functions]

    def _rebuilt(self, node: Node, changes: Mapping[int, Make]) -> ast.AST:
        within = [number for number in changes if node.number <= number < node.end]
        if not within:
            return node.tree
        if within == [node.number]:
            return self._made_alone(node, changes[node.number])
        copy = _copied(node.tree)
        for name, value in ast.iter_fields(node.tree):
            if isinstance(value, list):
                setattr(copy, name, list(self._rebuilt_items(value, changes)))
            elif isinstance(value, ast.AST) and self.has(value):
                setattr(copy, name, self._rebuilt(self.of(value), changes))
        make = changes.get(node.number)
        return copy if make is None else placed(make(copy))

    @cached_property
    def _made_alone(self) -> Callable[[Node, Make], ast.AST]:
        """What a change makes of a node under which nothing else changes: the same beside all others."""
        return lru_cache(maxsize=MOST_KEPT)(lambda node, make: placed(make(_copied(node.tree))))

    def _rebuilt_items(self, items: list[object], changes: Mapping[int, Make]) -> Iterator[object]:
        for item in items:
            if not isinstance(item, ast.AST) or not self.has(item):
                yield item
                continue
            made = self._rebuilt(self.of(item), changes)
            # A statement may become none or several.
            yield from made.body if isinstance(made, ast.Module) else (made,)


def read_program(function: Callable[..., object]) -> Program | None:
    """The program of a reference, or None where its source cannot be had."""
    if not isinstance(function, FunctionType) or function.__closure__:
        return None
    main = _definition(function)
    if main is None:
        return None
    functions = [main]
    _copy_helpers(main, function.__globals__, functions, ())
    names = {each.name: getattr(each, "copied", "") for each in functions[1:]}
    namespace: dict[str, object] = {
        **function.__globals__,
        "__ops__": substituted_operations,
        "__tick__": _ticker,
        "__sizes__": {},
        "__right__": function,
    }
    nodes: list[Node] = []
    numbers: dict[ast.AST, int] = {}
    for each in functions:
        _inline(each)
        share_out(each)
        _bound_loops(each)
        _unshare(each)
        _place_alike(each)
        _number(each, None, "", len(nodes), nodes, numbers)
    program = Program(
        tuple(inspect.signature(function).parameters),
        tuple(functions),
        tuple(nodes),
        namespace,
        names,
        _twins(nodes),
        numbers,
    )
    try:
        program.changed({}, {})
    except Exception:  # a reference that needs its own file around it
        return None
    return program


def _twins(nodes: list[Node]) -> tuple[tuple[int, ...], ...]:
    groups: dict[tuple[int, str], list[int]] = {}
    for node in nodes:
        if name := twin_of(node.tree):
            groups.setdefault((node.function, name), []).append(node.number)
    return tuple(tuple(numbers) for numbers in groups.values() if len(numbers) > 1)


def _copied(tree: T) -> T:
    """A node of its own with the same nodes under it, at the same place of the text."""
    copy = type(tree).__new__(type(tree))
    copy.__dict__.update({k: list(v) if isinstance(v, list) else v for k, v in tree.__dict__.items()})
    return copy


def _compiled(tree: ast.AST) -> CodeType:
    assert isinstance(tree, ast.stmt)
    module = ast.Module(body=[tree], type_ignores=[])
    return compile(module, "<edit>", "exec")


def _place_alike(tree: ast.AST) -> None:
    """All nodes at one place of the text: so the same program has the same code, however it was made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt | ast.keyword | ast.arg | ast.excepthandler | ast.alias):
            node.lineno = node.end_lineno = 1
            node.col_offset = node.end_col_offset = 0


def _definition(function: FunctionType) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, TypeError, SyntaxError):
        return None
    if not isinstance(tree, ast.FunctionDef):
        return None
    tree.decorator_list = []
    tree.returns = None
    for argument in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs):
        argument.annotation = None
    body = tree.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) and len(body) > 1:
        tree.body = body[1:]
    return tree


def _copy_helpers(
    tree: ast.FunctionDef,
    names: Mapping[str, object],
    functions: list[ast.FunctionDef],
    around: tuple[str, ...],
) -> None:
    """Give every use of a helper a copy of its own."""
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not _is_read(node)}
    for node in [n for n in ast.walk(tree) if isinstance(n, ast.Name) and _is_read(n)]:
        helper = names.get(node.id)
        if node.id in own or not isinstance(helper, FunctionType) or node.id in around:
            continue
        if helper.__globals__ is not names or helper.__closure__ or len(functions) > MOST_COPIES:
            continue
        copy = _definition(helper)
        if copy is None:
            continue
        original = node.id
        copy.copied = original  # type: ignore[attr-defined]
        node.id = copy.name = f"__{original.strip('_')}_{len(functions)}"
        functions.append(copy)
        _copy_helpers(copy, names, functions, (*around, original))


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _inline(tree: ast.FunctionDef) -> None:
    """Put what is named only to be read once, by a later statement, into that statement.

    So a rule sees the softmax of the scores whether or not the scores have a name.
    """
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    for name in dict.fromkeys(node.id for node in names if not _is_read(node)):
        reads = [node for node in names if node.id == name and _is_read(node)]
        stores = [node for node in names if node.id == name and not _is_read(node)]
        if len(reads) == len(stores) == 1:
            for body in _blocks(tree):
                _inline_in(body, name, reads[0])


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for field_name in ("body", "orelse"):
            body = getattr(node, field_name, None)
            if isinstance(body, list):
                yield body


def _inline_in(body: list[ast.stmt], name: str, read: ast.Name) -> None:
    for place, statement in enumerate(body):
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        if not isinstance(target, ast.Name) or target.id != name or place + 1 >= len(body):
            continue
        following = body[place + 1]
        # Only into the very next statement, and not into a loop or a branch: what it reads is then the same.
        if isinstance(following, ast.Assign | ast.Return) and _put(following.value, read, statement.value):
            if following.value is read:
                following.value = statement.value
            del body[place]
        return


def _put(tree: ast.AST | None, read: ast.Name, value: ast.expr) -> bool:
    """Put a value in the place of the one read of its name; not into what is evaluated several times."""
    if tree is None or isinstance(tree, ast.Lambda | ast.comprehension | ast.GeneratorExp | ast.ListComp):
        return False
    if tree is read:
        return True
    for name, inside in ast.iter_fields(tree):
        items = inside if isinstance(inside, list) else [inside]
        for position, item in enumerate(items):
            if item is read:
                if isinstance(inside, list):
                    inside[position] = value
                else:
                    setattr(tree, name, value)
                return True
            if isinstance(item, ast.AST) and _put(item, read, value):
                return True
    return False


def _bound_loops(tree: ast.FunctionDef) -> None:
    """A changed condition may never come true: count the rounds of every while loop."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While)]
    for position, loop in enumerate(loops):
        loop.body.insert(0, ast.parse(f"__ticks{position}__()").body[0])
        tree.body.insert(0, ast.parse(f"__ticks{position}__ = __tick__({MOST_STEPS})").body[0])


def _ticker(most: int) -> Callable[[], None]:
    rounds = iter(range(most))

    def tick() -> None:
        if next(rounds, None) is None:
            raise RuntimeError("too many rounds of a loop")

    return tick


def _unshare(tree: ast.AST) -> None:
    """Python's parser gives one Load() to all names; contexts and operators are no nodes of ours."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.Constant):
                setattr(node, name, ast.Constant(value.value))


def _number(
    tree: ast.AST,
    parent: int | None,
    name: str,
    function: int,
    nodes: list[Node],
    numbers: dict[ast.AST, int],
) -> None:
    number = len(nodes)
    nodes.append(Node(number, number, tree, parent, name, function))  # until its end is known
    for under, value in ast.iter_fields(tree):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.expr | ast.stmt | ast.keyword | ast.comprehension | ast.Slice):
                _number(item, number, under, function, nodes, numbers)
    numbers[tree] = number
    nodes[number] = Node(number, len(nodes), tree, parent, name, function)
