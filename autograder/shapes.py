"""Shapes as a docstring states them, `q[I, D]  k[J, D]  returns [I, J]`, become records with sizes."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_SHAPE = re.compile(r"(?P<name>\b[A-Za-z_]\w*)?\[(?P<axes>[^\[\]]*)\]")


@dataclass(frozen=True)
class Output:
    """One returned tensor: its name (may be empty) and its axes."""

    name: str
    axes: tuple[str, ...]


@dataclass(frozen=True)
class Shapes:
    """The axes of each tensor argument, and of what is returned."""

    inputs: Mapping[str, tuple[str, ...]]
    outputs: tuple[Output, ...]
    many: bool  # a tuple is returned, even of one

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
    asked, found, returned = doc.rpartition("returns")[::1]
    if not found:
        raise ValueError("its docstring does not say what it 'returns'")
    wanted = set(parameters)
    inputs = {
        match["name"]: _axes(match["axes"]) for match in _SHAPE.finditer(asked) if match["name"] in wanted
    }
    many = returned.lstrip().startswith("(")
    outputs = tuple(Output(m["name"] or "", _axes(m["axes"])) for m in _SHAPE.finditer(returned))
    if not outputs:
        raise ValueError("its docstring gives no shape after 'returns': write returns [T, J]")
    return Shapes(inputs, outputs if many else outputs[:1], many)


def size(axis: str, sizes: Mapping[str, Any]) -> int:
    """The length of an axis such as "K*I"; KeyError names an axis that has no size."""
    return _value(_parsed(axis), sizes)


@lru_cache(maxsize=1024)
def _parsed(axis: str) -> ast.expr:
    return ast.parse(axis, mode="eval").body


def names_in(axis: str) -> tuple[str, ...]:
    """The axis names in an expression: "K*I" has K and I."""
    return tuple(node.id for node in ast.walk(_parsed(axis)) if isinstance(node, ast.Name))


def shape(axes: Iterable[str], sizes: Mapping[str, Any]) -> tuple[int, ...]:
    return tuple(size(axis, sizes) for axis in axes)


def _axes(text: str) -> tuple[str, ...]:
    return tuple(axis.strip() for axis in text.split(",") if axis.strip())


def _value(node: ast.expr, sizes: Mapping[str, Any]) -> int:
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


def count(axes: Iterable[str], sizes: Mapping[str, Any]) -> int:
    """How many entries a tensor with these axes has."""
    return math.prod(shape(axes, sizes))
