"""Words of the question for an expression of a reference: what it does, and what it is made from."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from autograder.diagnose.observe import Observed, is_module
from autograder.diagnose.program import Program

# What only rearranges or converts: spoken of as what it is applied to.
VIEWS = frozenset(
    [
        "T",
        "mT",
        "t",
        "transpose",
        "permute",
        "swapaxes",
        "movedim",
        "moveaxis",
        "reshape",
        "view",
        "flatten",
        "unflatten",
        "squeeze",
        "unsqueeze",
        "expand",
        "expand_as",
        "view_as",
        "contiguous",
        "to",
        "float",
        "double",
        "long",
        "int",
        "type_as",
        "clone",
        "detach",
        "repeat",
        "values",
        "ravel",
        "broadcast_to",
        "as_tensor",
        "tensor",
    ]
)
NAMED = {
    "softmax": "the softmax",
    "log_softmax": "the log-softmax",
    "tanh": "the tanh",
    "sigmoid": "the sigmoid",
    "relu": "the relu",
    "gelu": "the gelu",
    "silu": "the silu",
    "exp": "the exponential",
    "log": "the logarithm",
    "sqrt": "the square root",
    "rsqrt": "the inverse square root",
    "sin": "the sine",
    "cos": "the cosine",
    "inv": "the inverse",
    "inverse": "the inverse",
    "diag": "the diagonal matrix",
    "eye": "the identity matrix",
    "zeros": "the zeros",
    "ones": "the ones",
    "arange": "the positions",
    "outer": "the outer product",
}
TAKEN = frozenset(["softmax", "log_softmax", "tanh", "sigmoid", "relu", "gelu", "silu", "exp", "log", "sqrt"])
REDUCTIONS = {
    "sum": "sum",
    "mean": "mean",
    "prod": "product",
    "max": "maximum",
    "amax": "maximum",
    "min": "minimum",
    "amin": "minimum",
    "norm": "norm",
    "var": "variance",
    "std": "standard deviation",
    "logsumexp": "log-sum-exp",
    "cumsum": "running sum",
    "cumprod": "running product",
    "argmax": "place of the maximum",
    "argmin": "place of the minimum",
}
MOST_NAMES = 3
LONGEST = 60  # characters of a phrase that tells how something is made
_JOINED = {ast.Add: "sum", ast.Sub: "difference", ast.Mult: "product", ast.Div: "quotient"}
VAGUE = "what is made from"

Variable = tuple[int, str, int]  # the function, the name, how often it was begun anew before


def vagueness(says: str) -> int:
    """How often a sentence must speak of something by the arguments alone that it is made from."""
    return says.count(VAGUE) + says.count("of two terms") + says.count("of two factors")


@dataclass(frozen=True, eq=False)
class Phrases:
    """The words for the expressions of one program."""

    program: Program
    observed: Observed
    results: tuple[str, ...] = ()  # the names of what is returned
    named: frozenset[str] = frozenset()  # numbers that are called by their names, not by their values

    def thing(self, tree: ast.AST, depth: int = 0) -> str:
        """A noun phrase for an expression."""
        return (
            self._number(tree)
            or self._short(tree, depth)
            or self._by_place(tree)
            or self.result(tree)
            or self.made_from(tree)
        )

    def result(self, tree: ast.AST) -> str:
        """What stands in the return of the function itself: the result, or one of several by its name."""
        if not self.program.has(tree):
            return ""
        node = self.program.of(tree)
        above = [each.tree for each in self.program.above(node)][:2]
        if node.function != 0 or not above:
            return ""
        if isinstance(above[0], ast.Return):
            return "the result"
        if isinstance(above[0], ast.Tuple) and isinstance(above[1], ast.Return):
            return self.result_name(above[0].elts.index(tree))  # type: ignore[arg-type]
        return ""

    def result_name(self, place: int) -> str:
        """A result by its name in the docstring, else by its number."""
        name = self.results[place] if place < len(self.results) else ""
        return name or f"result {place + 1}"

    def _by_place(self, tree: ast.AST) -> str:
        """What goes into the only softmax, say, is told by that."""
        if not self.program.has(tree):
            return ""
        node = self.program.of(tree)
        around = self.program.nodes[node.parent].tree if node.parent is not None else None
        if isinstance(around, ast.Attribute) and around.attr in VIEWS:
            above = self.program.nodes[self.program.of(around).parent or 0].tree
            called = isinstance(above, ast.Call) and above.func is around
            return self._by_place(above if called else around)
        if isinstance(around, ast.Attribute) and around.attr in NAMED:
            name = around.attr
        elif isinstance(around, ast.Call) and isinstance(around.func, ast.Attribute) and node.field == "args":
            name = around.func.attr
            if not around.args or around.args[0] is not tree:
                return ""
        else:
            return ""
        return f"what {NAMED[name]} is taken of" if name in TAKEN and self._counts.get(name) == 1 else ""

    def made_from(self, tree: ast.AST) -> str:
        names = self.sources(tree)
        number = self._number(tree)
        if number:
            return number
        axes = self.observed.axes(self.program.of(tree).number) if self.program.has(tree) else ()
        shape = f" [{', '.join(axes)}]" if axes and all(axes) else ""
        return f"{VAGUE} {joined(names)}{shape}" if names else f"what depends on sizes alone{shape}"

    def _number(self, tree: ast.AST) -> str:
        """A number by its value, or by the axis whose length it is."""
        if not self.program.has(tree) or self.observed.kind(self.program.of(tree).number) != "number":
            return ""
        number = self.program.of(tree).number
        value = self.observed.value(number)
        if isinstance(tree, ast.Name) and tree.id in self.named and self.program.of(tree).function == 0:
            return tree.id
        if isinstance(value, int | float):
            return f"{value:g}"
        return self.observed.name_of_number(number) or self.observed.name_of_root(number)

    def sources(self, tree: ast.AST) -> list[str]:
        """The arguments that an expression depends on, in the order of the signature."""
        if not self.program.has(tree):
            return []
        function = self.program.of(tree).function
        names = {
            name for read in reads_in(tree) for name in self._flows.get(self._variable(function, read), ())
        }
        return [name for name in self.program.parameters if name in names]

    def _short(self, tree: ast.AST, depth: int) -> str:
        if depth > 4:
            return ""
        match tree:
            case ast.Name(id=name):
                return self._name(tree, name, depth)
            case ast.UnaryOp(operand=value):
                inner = self._short(value, depth + 1)
                return inner if inner in self.program.parameters else ""
            case ast.Subscript(value=value, slice=index):
                inner = self._short(value, depth + 1)
                return f"what is read from {inner}" if inner and self._looks_up(index) else inner
            case ast.Attribute(value=value, attr=attr) if attr in VIEWS:
                return self._short(value, depth + 1)
            case ast.BinOp(left=left, op=ast.MatMult(), right=right):
                return self._product([left, right], depth)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _JOINED:
                return self._joined(_JOINED[type(op)], left, right, depth)
            case ast.Call():
                return self._call(tree, depth)
            case _:
                return ""

    def _looks_up(self, index: ast.AST) -> bool:
        """Whether an index is a tensor of places: what is read with it has other axes."""
        return self.program.has(index) and self.observed.kind(self.program.of(index).number) == "tensor"

    def _name(self, tree: ast.Name, name: str, depth: int) -> str:
        if not self.program.has(tree):
            return ""
        function = self.program.of(tree).function
        if function == 0 and name in self.program.parameters and (0, name) not in self._assigned:
            return name
        value = self._assigned.get((function, name))
        if value is not None and len(value) == 1 and value[0] is not None:
            return self._short(value[0], depth + 1)
        if self._carried == {(function, name)}:
            return "what is carried from step to step"
        return ""

    @cached_property
    def _carried(self) -> set[tuple[int, str]]:
        """The names that a round of a loop binds anew from what they were."""
        return {
            (node.function, target.id)
            for node in self.program.nodes
            if isinstance(node.tree, ast.Assign)
            and any(isinstance(above.tree, ast.For | ast.While) for above in self.program.above(node))
            for target in node.tree.targets
            if isinstance(target, ast.Name)
            and any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(node.tree.value))
        }

    def _joined(self, noun: str, left: ast.expr, right: ast.expr, depth: int) -> str:
        """The difference of z and the product of H and x: where both have short names."""
        one, two = (self._number(side) or self._short(side, depth + 1) for side in (left, right))
        phrase = f"the {noun} of {one} and {two}"
        return phrase if one and two and one != two and len(phrase) <= LONGEST else ""

    def _product(self, factors: list[ast.expr], depth: int) -> str:
        names = [self._short(factor, depth + 1) for factor in factors]
        if all(name in self.program.parameters for name in names):
            return f"the product of {joined(names)}"
        sources = [name for factor in factors for name in self.sources(factor)]
        if 1 < len(sources) <= MOST_NAMES and len(set(sources)) == len(sources):
            return f"the product of {joined(sources)}"
        return ""

    def _call(self, tree: ast.Call, depth: int) -> str:
        if isinstance(tree.func, ast.Name):
            asked = self.program.helpers.get(tree.func.id, "_")
            return "" if asked.startswith("_") else f"what {asked} gives"
        if not isinstance(tree.func, ast.Attribute):
            return ""
        name, module = tree.func.attr, is_module(tree.func.value, self.program.namespace)
        operand = (tree.args[0] if tree.args else None) if module else tree.func.value
        if name in VIEWS and operand is not None:
            return self._short(operand, depth + 1)
        if name == "einsum":
            return self._product([a for a in tree.args[1:] if isinstance(a, ast.expr)], depth)
        if name in ("matmul", "mm", "mv", "bmm", "dot"):
            both = list(tree.args) if module else [tree.func.value, *tree.args]
            return self._product(both, depth)
        if name in NAMED:
            return self._told_apart(name, tree)
        if name in REDUCTIONS and operand is not None:
            inner = self._short(operand, depth + 1)
            return f"the {REDUCTIONS[name]} of {inner}" if inner in self.program.parameters else ""
        return ""

    def _told_apart(self, name: str, tree: ast.Call) -> str:
        """The softmax, where there is one only; else with what it is made from."""
        if self.is_only(name):
            return NAMED[name]
        names = self.sources(tree)
        return f"{NAMED[name]} of {self.made_from(tree)}" if names else NAMED[name]

    def is_only(self, name: str) -> bool:
        """Whether there is but one operation of a name."""
        return self._counts.get(name, 0) <= 1

    @cached_property
    def _counts(self) -> dict[str, int]:
        """How often each operation occurs; copies of one value count once."""
        found: dict[str, set[str]] = {}
        for node in self.program.nodes:
            if isinstance(node.tree, ast.Call) and isinstance(node.tree.func, ast.Attribute):
                same = f"{ast.dump(node.tree)}{node.function}"
                found.setdefault(node.tree.func.attr, set()).add(same)
        return {name: len(trees) for name, trees in found.items()}

    def is_piece(self, function: int, name: str) -> bool:
        """Whether a name is bound to a part of something: one of several results, an element of a loop."""
        return None in self._assigned.get((function, name), [])

    # ---------------------------------------------------------------- which arguments a name stands for

    @cached_property
    def _assigned(self) -> dict[tuple[int, str], list[ast.expr | None]]:
        """Every name of every function with what it is bound to; None for a part of something."""
        found: dict[tuple[int, str], list[ast.expr | None]] = {}
        for function, target, value in self._bindings():
            if isinstance(target, ast.Name):
                found.setdefault((function, target.id), []).append(value)
                continue
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.setdefault((function, node.id), []).append(None)
        return found

    def _bindings(self) -> Iterator[tuple[int, ast.AST, ast.expr]]:
        for node in self.program.nodes:
            match node.tree:
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(
                    targets
                ) == len(values):
                    yield from ((node.function, t, v) for t, v in zip(targets, values, strict=True))
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        yield node.function, target, value
                case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                    yield node.function, target, value
                case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                    yield node.function, ast.Tuple([target], ast.Store()), value
                case ast.Call(func=ast.Name(id=name)) if name in self.program.helpers:
                    yield from self._arguments(node.tree, name)

    def _arguments(self, call: ast.Call, name: str) -> Iterator[tuple[int, ast.AST, ast.expr]]:
        helper = next(each for each in self.program.functions if each.name == name)
        number = self.program.of(helper).number
        names = [argument.arg for argument in helper.args.args]
        for parameter, value in zip(names, call.args, strict=False):
            yield number, ast.Name(parameter, ast.Store()), value
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield number, ast.Name(keyword.arg, ast.Store()), keyword.value

    @cached_property
    def _flows(self) -> dict[Variable, frozenset[str]]:
        """The arguments that each name depends on, by running the bindings until nothing changes."""
        flows: dict[Variable, frozenset[str]] = {
            (0, name, 0): frozenset([name]) for name in self.program.parameters
        }
        bindings = [(f, t, v, self._home(v)) for f, t, v in self._bindings()]
        for _ in range(6):
            before = dict(flows)
            for function, target, value, home in bindings:
                sources = self._read(value, home, flows)
                for node in _stored(target):
                    variable = self._variable(function, node)
                    flows[variable] = flows.get(variable, frozenset()) | sources
            if flows == before:
                break
        return flows

    def _home(self, value: ast.expr) -> int:
        return self.program.of(value).function if self.program.has(value) else 0

    def _read(self, value: ast.AST, function: int, flows: dict[Variable, frozenset[str]]) -> frozenset[str]:
        found: frozenset[str] = frozenset()
        for read in reads_in(value):
            found |= flows.get(self._variable(function, read), frozenset())
        return found

    def _variable(self, function: int, name: ast.Name) -> Variable:
        """A name since it was last begun anew, by a statement of the function that does not read it."""
        begun = self._begun.get((function, name.id), ())
        number = self.program.of(name).number if self.program.has(name) else 0
        return function, name.id, bisect.bisect(begun, number)

    @cached_property
    def _begun(self) -> dict[tuple[int, str], list[int]]:
        found: dict[tuple[int, str], list[int]] = {}
        for node in self.program.nodes:
            match node.tree:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if node.parent == node.function:
                    if not any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(value)):
                        found.setdefault((node.function, name), []).append(node.number)
        return found


def _stored(target: ast.AST) -> Iterator[ast.Name]:
    """The names that a target of an assignment gives a value, or a place of it one."""
    match target:
        case ast.Name():
            yield target
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            for each in targets:
                yield from _stored(each)
        case ast.Starred(value=value) | ast.Subscript(value=value) | ast.Attribute(value=value):
            yield from _stored(value)


SIZES = frozenset(["shape", "dtype", "ndim", "device"])


def reads_in(tree: ast.AST) -> Iterator[ast.Name]:
    """The names whose values are read; not those of which the size or the dtype alone is."""
    match tree:
        case ast.Attribute(attr=attr) if attr in SIZES:
            return
        case ast.Call(func=ast.Name(id="len")) | ast.Call(func=ast.Attribute(attr="size" | "numel" | "dim")):
            return
        case ast.Name():
            yield tree
    for child in ast.iter_child_nodes(tree):
        yield from reads_in(child)


def joined(names: list[str]) -> str:
    """A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
