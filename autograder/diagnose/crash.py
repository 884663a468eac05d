"""A call that stopped becomes what does not fit: the tensors of the line, and where a shape first was odd."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autograder.calls.failure import missing_import
from autograder.calls.note_tensors import UNSURE, Notes, Stop
from autograder.diagnose.cell_statements import quote_line, statement_at, statements
from autograder.diagnose.intermediates import Right
from autograder.diagnose.rearranged import is_plain

Shape = tuple[int, ...]
# Exceptions that no shape of a tensor is the reason of.
SHAPELESS = (
    "NameError",
    "UnboundLocalError",
    "AttributeError",
    "ImportError",
    "ModuleNotFoundError",
    "KeyError",
    "RecursionError",
    "SystemExit",
)


@dataclass(frozen=True)
class Crash:
    """The line, the shapes of the tensors in it, what does not fit, and the line with the first odd shape."""

    line: int
    shapes: tuple[tuple[str, Shape], ...]
    clash: str = ""
    odd: int = 0  # 0: there is none before, or none is known
    odd_shape: Shape = ()


def explain_crash(notes: Notes, source: str, right: Right | None, error: str = "") -> Crash | None:
    """What is to be said of the exception that ended a call, if it was raised in this source.

    `error` is the exception's own text, its name first.
    """
    stop = notes.stop
    if stop is None:
        return None
    tree = statement_at(source, stop.line)
    if tree is None:
        return None
    line = statements(source).get(stop.line, stop.line)
    if error.split(":")[0] in SHAPELESS:
        return Crash(line, (), missing_import(error))
    met = [node for part in _own_parts(tree) for node in ast.walk(part) if isinstance(node, ast.Name)]
    names = {node.id: None for node in sorted(met, key=lambda node: (node.lineno, node.col_offset))}
    shapes = tuple((name, tuple(stop.shapes[name])) for name in names if name in stop.shapes)
    clash = next((said for part in _own_parts(tree) for said in _clashes(part, stop)), "")
    odd, shape = _first_odd(notes, right, source, names) if right is not None else (0, ())
    return Crash(line, shapes, clash, odd if odd != line else 0, shape)


def _own_parts(tree: ast.stmt) -> list[ast.AST]:
    """A statement without the statements inside it."""
    return [node for node in ast.iter_child_nodes(tree) if not isinstance(node, ast.stmt | ast.excepthandler)]


def say_crash(crash: Crash, source: str) -> str:
    """The crash as a sentence."""
    shapes = ", ".join(f"`{name}` is {list(lengths)}" for name, lengths in crash.shapes)
    said = [f"it stops at {quote_line(source, crash.line)}" + (f", where {shapes}" if shapes else "")]
    said += [crash.clash] if crash.clash else []
    if crash.odd:
        odd = f"is the first with a shape that no tensor of our solution has, {list(crash.odd_shape)}"
        said.append(f"{quote_line(source, crash.odd)}, {odd}")
    return "; ".join(said)


# ---------------------------------------------------------------- what does not fit


def _clashes(tree: ast.AST, stop: Stop) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="einsum"), args=[ast.Constant(value=str(says)), *operands]):
                yield from _einsum(says, operands, stop.shapes)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                yield from _product(left, right, stop.shapes)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right=right):
                yield from _side_by_side(left, right, stop.shapes)


def _shape_of(node: ast.expr, shapes: Mapping[str, Shape]) -> Shape | None:
    match node:
        case ast.Name(id=name):
            return shapes.get(name)
        case ast.Attribute(value=ast.Name(id=name), attr="T") if len(shapes.get(name, ())) == 2:
            return shapes[name][::-1]
    return None


def _einsum(says: str, operands: list[ast.expr], shapes: Mapping[str, Shape]) -> Iterator[str]:
    terms = says.replace(" ", "").split("->")[0].split(",")
    if "." in says:
        return
    if len(terms) != len(operands):
        yield f"einsum's text has {len(terms)} tensors on the left, it is given {len(operands)}"
        return
    lengths: dict[str, tuple[int, str]] = {}
    for term, operand in zip(terms, operands, strict=True):
        shape, name = _shape_of(operand, shapes), ast.unparse(operand)
        if shape is None:
            continue
        if len(shape) != len(term):
            yield f"einsum's `{term}` has {len(term)} letters, `{name}` has {_axes(len(shape))}"
            return
        for letter, length in zip(term, shape, strict=True):
            other, where = lengths.setdefault(letter, (length, name))
            if other != length:
                lengths_of = f"it is {other} in `{where}` and {length} in `{name}`"
                yield f"einsum asks for one length of {letter}: {lengths_of}"
                return


def _product(left: ast.expr, right: ast.expr, shapes: Mapping[str, Shape]) -> Iterator[str]:
    one, two = _shape_of(left, shapes), _shape_of(right, shapes)
    if not one or not two:
        return
    first, second = one[-1], two[-2] if len(two) > 1 else two[0]
    if first != second:
        a, b = ast.unparse(left), ast.unparse(right)
        which = "last but one" if len(two) > 2 else "first"
        yield f"@ asks for the last axis of `{a}`, {first}, to be as long as the {which} of `{b}`, {second}"


def _side_by_side(left: ast.expr, right: ast.expr, shapes: Mapping[str, Shape]) -> Iterator[str]:
    one, two = _shape_of(left, shapes), _shape_of(right, shapes)
    if not one or not two:
        return
    for back, (a, b) in enumerate(zip(reversed(one), reversed(two), strict=False), start=1):
        if a != b and 1 not in (a, b):
            place = "last axes" if back == 1 else f"axes {back} from the end"
            names = f"`{ast.unparse(left)}` and `{ast.unparse(right)}`"
            yield f"the {place} of {names} are {a} and {b} long: they are to be the same, or 1"
            return


def _axes(count: int) -> str:
    return f"{count} axis" if count == 1 else f"{count} axes"


# ---------------------------------------------------------------- where it began


def _first_odd(notes: Notes, right: Right, source: str, names: Mapping[str, None]) -> tuple[int, Shape]:
    """The line that made a tensor of the last one in a shape that the reference has nowhere.

    Only of right tensors, and not in a loop: there a right way may have shapes of its own.
    """
    known = right.known
    usual = {_kind(note.values.shape) for note in right.notes.notes}
    fine = [note.line == 0 or is_plain(note.values) or known.has(note.values) for note in notes.notes]
    begins = statements(source)
    for position, note in enumerate(notes.notes):
        if fine[position] or _kind(note.values.shape) in usual:
            continue
        tree = statement_at(source, note.line)
        made = note.kind != UNSURE and all(fine[p] for p in note.sources) and note.sources
        if (
            made
            and isinstance(tree, ast.Assign)
            and _names_set(tree) & names.keys()
            and not _in_loop(source, tree)
        ):
            return begins.get(note.line, note.line), tuple(note.values.shape)
        return 0, ()
    return 0, ()


def _kind(shape: Shape) -> Shape:
    """A shape but for the order of its axes and those of length 1."""
    return tuple(sorted(length for length in shape if length != 1))


def _names_set(tree: ast.Assign) -> set[str]:
    return {node.id for target in tree.targets for node in ast.walk(target) if isinstance(node, ast.Name)}


def _in_loop(source: str, tree: ast.stmt) -> bool:
    loops = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.For | ast.While))
    return any(loop.lineno <= tree.lineno <= (loop.end_lineno or 0) for loop in loops)
