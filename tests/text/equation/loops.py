"""Random equations written twice: as text in several styles, and as nested loops over their values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from autograder.course.model import Equation, Tensor

PART = Equation(
    "random_equation",
    points=1,
    ask="",
    tensors=[
        Tensor("R", ["I", "K"]),
        Tensor("A", ["I", "J"]),
        Tensor("B", ["J", "K"], [r"\tilde{B}"]),
        Tensor("C", ["I", "K"], ["C^Q"]),
        Tensor("D", ["J", "J"]),
        Tensor("s", ["I"], [r"\alpha"]),
        Tensor("w", ["I"], entries="J"),
    ],
)

Node = tuple[Any, ...]
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "tanh": math.tanh,
    "exp": lambda x: math.exp(x) if x < 700 else math.inf,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)) if x > -50 else 0.0,
}


def expressions() -> st.SearchStrategy[Node]:
    """Numbers that depend on the free indices i and k."""
    leaves = st.sampled_from(
        [
            ("tensor", "C", "i", "k"),
            ("tensor", "s", "i"),
            ("number", 2),
            ("size", "J"),
            ("sum", ("j",), (("tensor", "A", "i", "j"), ("tensor", "B", "j", "k"))),
            (
                "sum",
                ("j", "m"),
                (("tensor", "A", "i", "j"), ("tensor", "D", "j", "m"), ("tensor", "B", "m", "k")),
            ),
            ("sum", ("j",), (("tensor", "A", "i", "j"), ("tensor", "D", "j", "j"))),
            ("sum", ("p",), (("tensor", "s", "p"), ("tensor", "C", "p", "k"))),
            ("lookup", "B", "w", "i", "k"),
        ]
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.just("add"), inner, inner),
            st.tuples(st.just("sub"), inner, inner),
            st.tuples(st.just("mul"), inner, inner),
            st.tuples(st.just("softmax"), st.sampled_from(["i", "k"]), inner),
            st.tuples(st.just("call"), st.sampled_from(sorted(FUNCTIONS)), inner),
        ),
        max_leaves=5,
    )


def equations() -> st.SearchStrategy[Node]:
    """Right sides that certainly depend on both free indices."""
    return expressions().map(lambda node: ("add", ("tensor", "C", "i", "k"), node))


@dataclass(frozen=True)
class Style:
    """How to write an equation: names of indices, written or implied sums, order of factors, LaTeX."""

    names: Mapping[str, str]
    implied: bool = False
    backwards: bool = False
    latex: bool = False

    def equation(self, node: Node) -> str:
        return f"R[{self.names['i']},{self.names['k']}] = {self.text(node)}"

    def text(self, node: Node) -> str:
        match node:
            case ("number", value) | ("size", value):
                return str(value)
            case ("tensor", name, *indices):
                return f"{self._tensor(name)}[{','.join(self.names[index] for index in indices)}]"
            case ("lookup", name, by, index, other):
                return f"{self._tensor(name)}[{by}[{self.names[index]}],{self.names[other]}]"
            case ("sum", bound, factors):
                return self._sum(bound, factors)
            case ("softmax", index, inner):
                sign = r"\operatorname{softmax}" if self.latex else "softmax"
                return f"({sign}_{{{self.names[index]}}}[{self.text(inner)}])"
            case ("call", name, inner):
                return (
                    rf"\{name}\left({self.text(inner)}\right)"
                    if self.latex
                    else f"{name}({self.text(inner)})"
                )
            case (kind, left, right):
                return self._pair(kind, left, right)
        raise AssertionError(node)

    def _tensor(self, name: str) -> str:
        latex = {"B": r"\tilde{B}", "C": "C^Q", "s": r"\alpha"}
        return latex.get(name, name) if self.latex else name

    def _sum(self, bound: tuple[str, ...], factors: tuple[Node, ...]) -> str:
        inner = Style({**self.names, **{name: self._bound(name) for name in bound}}, *self._flags())
        ordered = factors[::-1] if self.backwards else factors
        body = " ".join(inner.text(factor) for factor in ordered)
        if self.implied:
            return f"({body})"
        under = ",".join(inner.names[name] for name in bound)
        return rf"\left(\sum_{{{under}}} {body}\right)" if self.latex else f"(sum_{{{under}}} {body})"

    def _flags(self) -> tuple[bool, bool, bool]:
        return self.implied, self.backwards, self.latex

    def _bound(self, name: str) -> str:
        return f"{name.upper()}_1" if self.implied else self.names.get(name, name)

    def _pair(self, kind: str, left: Node, right: Node) -> str:
        if self.backwards and kind in ("add", "mul"):
            left, right = right, left
        sign = {"add": "+", "sub": "-", "mul": r"\cdot" if self.latex else "*"}[kind]
        return f"({self.text(left)} {sign} {self.text(right)})"


PLAIN = Style({"i": "i", "k": "k"})


def value(node: Node, at: dict[str, int], tensors: Mapping[str, Any], sizes: Mapping[str, int]) -> float:
    """One entry, computed by nested loops over plain lists."""
    match node:
        case ("number", number):
            return float(number)
        case ("size", name):
            return float(sizes[name])
        case ("tensor", name, *indices):
            return float(_entry(tensors[name], [at[index] for index in indices]))
        case ("lookup", name, by, index, other):
            return float(_entry(tensors[name], [int(tensors[by][at[index]]), at[other]]))
        case ("sum", bound, factors):
            return _loop(list(bound), factors, at, tensors, sizes)
        case ("softmax", index, inner):
            rows = [value(inner, {**at, index: here}, tensors, sizes) for here in range(sizes[_AXES[index]])]
            top = max(rows)
            return math.exp(rows[at[index]] - top) / sum(math.exp(row - top) for row in rows)
        case ("call", name, inner):
            return FUNCTIONS[name](value(inner, at, tensors, sizes))
        case (kind, left, right):
            a, b = value(left, at, tensors, sizes), value(right, at, tensors, sizes)
            return {"add": a + b, "sub": a - b, "mul": a * b}[kind]
    raise AssertionError(node)


_AXES = {"i": "I", "k": "K", "j": "J", "m": "J", "p": "I"}


def _entry(nested: Any, indices: list[int]) -> Any:
    for index in indices:
        nested = nested[index]
    return nested


def _loop(
    bound: list[str],
    factors: tuple[Node, ...],
    at: dict[str, int],
    tensors: Mapping[str, Any],
    sizes: Mapping[str, int],
) -> float:
    if not bound:
        return math.prod(value(factor, at, tensors, sizes) for factor in factors)
    first, *rest = bound
    return sum(
        _loop(rest, factors, {**at, first: here}, tensors, sizes) for here in range(sizes[_AXES[first]])
    )
