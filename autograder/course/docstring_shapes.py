"""Shapes as a docstring states them, `q[I, D]  k[J, D]  returns [I, J]`, become records with sizes."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from autograder.course.cases import Sizes

DOTS = "..."  # any number of leading axes
_IN_AN_AXIS = (ast.Name, ast.Load, ast.Constant, ast.BinOp, ast.Mult, ast.Add, ast.Sub, ast.FloorDiv)
_SHAPE = re.compile(r"(?P<name>\b[A-Za-z_]\w*)?\[(?P<axes>[^\[\]]*)\]")


# A type as Python writes it, up to the end of the sentence or the line.
TYPES: Mapping[str, type] = {
    "str": str,
    "bytes": bytes,
    "int": int,
    "float": float,
    "bool": bool,
    "None": type(None),
}
HOLDING: Mapping[str, type[Collection[object]]] = {"list": list, "tuple": tuple, "dict": dict, "set": set}
_WORDS = "|".join([*TYPES, *HOLDING])
_TENSOR = r"(?:torch\.)?Tensor\b(?!\s*\[)"  # of a shape that the docstring cannot say
_TYPE = re.compile(rf"\s*(?P<type>(?:(?:{_WORDS})\b|{_TENSOR})[\w\[\], |.]*?)(?:[.;:]?\s*(?:\n|$)|[.;:]\s)")


@dataclass(frozen=True)
class ReturnedTensor:
    """One returned tensor: its name (may be empty) and its axes."""

    name: str
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Shapes:
    """The axes of each tensor argument, and of what is returned."""

    inputs: Mapping[str, tuple[str, ...]]
    outputs: tuple[ReturnedTensor, ...]
    many: bool  # a tuple is returned, even of one
    type: str = ""  # of a result that is no tensor: "list[tuple[bytes, bytes]]"; then there are no outputs

    @property
    def has_dots(self) -> bool:
        """Whether any number of axes may stand in front."""
        return any(DOTS in axes for axes in self.inputs.values())

    @property
    def axes(self) -> tuple[str, ...]:
        """Every axis name of the inputs, once, in order."""
        names = (name for axes in self.inputs.values() for axis in axes for name in names_in(axis))
        return tuple(dict.fromkeys(names))


def parse_shapes(doc: str, parameters: Iterable[str]) -> Shapes:
    """Read the shapes out of a docstring; raises ValueError with what is missing."""
    return _parse_shapes(doc, tuple(parameters))


@lru_cache(maxsize=1024)
def _parse_shapes(doc: str, parameters: tuple[str, ...]) -> Shapes:
    asked, found, returned = doc.rpartition("returns")
    if not found:
        raise ValueError("its docstring does not say what it 'returns', nor does its annotation")
    wanted = set(parameters)
    inputs = {
        match["name"]: _axes(match["axes"]) for match in _SHAPE.finditer(asked) if match["name"] in wanted
    }
    late = [m for m in _SHAPE.finditer(returned) if m["name"] in wanted - inputs.keys()]
    if late:
        raise ValueError(
            f"{late[0][0]} stands behind 'returns': say the arguments first, then what it returns"
        )
    plain = _TYPE.match(returned)
    _check_dots(asked, returned if plain is None else "")
    if plain is not None:
        _check_axes(inputs.values())
        _check_type(plain["type"])
        return Shapes(inputs, (), False, plain["type"].strip())
    many = returned.lstrip().startswith("(")
    outputs = tuple(ReturnedTensor(m["name"] or "", _axes(m["axes"])) for m in _SHAPE.finditer(returned))
    if not outputs:
        raise ValueError(
            "its docstring gives no shape after 'returns': write returns [T, J], or a type: returns str"
        )
    _check_axes([*inputs.values(), *(out.axes for out in outputs)])
    return Shapes(inputs, outputs if many else outputs[:1], many)


def size(axis: str, sizes: Sizes) -> int:
    """The length of an axis such as "K*I"; KeyError names an axis that has no size."""
    return _value(_parsed(axis), sizes)


@lru_cache(maxsize=1024)
def _parsed(axis: str) -> ast.expr:
    return ast.parse(axis, mode="eval").body


@lru_cache(maxsize=1024)
def names_in(axis: str) -> tuple[str, ...]:
    """The axis names in an expression: "K*I" has K and I."""
    return tuple(node.id for node in ast.walk(_parsed(axis)) if isinstance(node, ast.Name))


def shape(axes: Iterable[str], sizes: Sizes) -> tuple[int, ...]:
    """The lengths of all axes; `...` stands for as many as the case has in front."""
    return tuple(
        length for axis in axes for length in (sizes.get(DOTS, ()) if axis == DOTS else (size(axis, sizes),))
    )


def _axes(text: str) -> tuple[str, ...]:
    return tuple(axis.strip() for axis in text.split(",") if axis.strip())


def _value(node: ast.expr, sizes: Sizes) -> int:
    match node:
        case ast.Name(id=name):
            return int(sizes[name])
        case ast.Constant(value=int() as number):
            return number
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _value(left, sizes), _value(right, sizes)
            match op:
                case ast.Mult():
                    return a * b
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.FloorDiv():
                    return a // b
    raise ValueError(f"an axis is made of names, whole numbers, +, -, * and //: not {ast.unparse(node)!r}")


def fits(value: object, type: str) -> bool:
    """Whether a value is of a type such as "dict[str, list[int]]"; Tensor stands for any tensor."""
    return _fits(value, _parsed(type))


def _check_type(text: str) -> None:
    try:
        _fits(None, _parsed(text.strip()))
    except (ValueError, SyntaxError):
        known = ", ".join([*TYPES, *HOLDING, "Tensor"])
        raise ValueError(
            f"cannot read the type {text.strip()!r} after 'returns': it is made of {known}, as in "
            "list[tuple[str, int]]"
        ) from None


def _fits(value: object, node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=None):
            return value is None
        case ast.Name(id="Tensor") | ast.Attribute(attr="Tensor"):
            return hasattr(value, "dtype") and hasattr(value, "shape")
        case ast.Name(id=name) if name in TYPES:
            return isinstance(value, TYPES[name]) and isinstance(value, bool) == (name == "bool")
        case ast.Name(id=name) if name in HOLDING:
            return isinstance(value, HOLDING[name])
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            either = [_fits(value, left), _fits(value, right)]
            return any(either)
        case ast.Subscript(value=ast.Name(id=name), slice=inner) if name in HOLDING:
            of = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _holds(value, name, of)
    raise ValueError(ast.unparse(node))


def _holds(value: object, name: str, of: list[ast.expr]) -> bool:
    if len(of) != {"dict": 2}.get(name, len(of) if name == "tuple" else 1):
        raise ValueError(name)
    if not isinstance(value, HOLDING[name]):
        _ = [_fits(None, node) for node in of if not isinstance(node, ast.Constant)]  # it can be read
        return False
    if isinstance(value, dict):
        return all(_fits(key, of[0]) and _fits(item, of[1]) for key, item in value.items())
    if isinstance(value, tuple) and not (isinstance(of[-1], ast.Constant) and of[-1].value is ...):
        return len(value) == len(of) and all(map(_fits, value, of))
    return all(_fits(item, of[0]) for item in value)


def _check_dots(asked: str, returned: str) -> None:
    for found in _SHAPE.finditer(f"{asked} {returned}"):
        if any(DOTS in axis for axis in _axes(found["axes"])[1:]):
            raise ValueError(f"{found[0]} has '...' behind another axis: it stands for all leading ones")


def _check_axes(shapes: Iterable[tuple[str, ...]]) -> None:
    for axis in (axis for axes in shapes for axis in axes if axis != DOTS):
        try:
            readable = all(isinstance(node, _IN_AN_AXIS) for node in ast.walk(_parsed(axis)))
        except SyntaxError:
            readable = False
        if not readable:
            whole = axis.replace("//", "/").replace("/", "//")
            fix = f"; write {whole}" if "/" in axis and whole != axis else ""
            raise ValueError(
                f"cannot read the axis {axis!r} of its docstring: one is made of names, whole numbers, "
                f"+, -, * and //{fix}"
            )


def count(axes: Iterable[str], sizes: Mapping[str, object]) -> int:
    """How many entries a tensor with these axes has."""
    return math.prod(shape(axes, sizes))
