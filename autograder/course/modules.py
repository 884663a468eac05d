"""Classes as parts: the record of one, what its cases do with an object, and what can be wrong with them."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from autograder.course import object_steps as do
from autograder.course.author_tests import stub_text
from autograder.course.cases import DTYPES, Case, Draw, Sizes, faults_among
from autograder.course.docstring_shapes import names_in
from autograder.course.object_steps import Do, Leaf, TextGiven

SPEC = re.compile(r"(?P<name>[A-Za-z_]\w*)\[(?P<axes>[^\[\]]*)\]")
KEYWORDS = ("init", "load", "call", "steps")
EVERY = "all"  # the weights of the reference, every one of them
SHAPELESS = ("number", "given", "text", "drawn", "dtype", "function")  # draws that need no shape


@dataclass(frozen=True)
class Module:
    """A class: a torch.nn.Module, an optimiser, a tokenizer, anything with state.

    A case builds an object, gives it weights, and takes steps with it; what each gives is compared:
    case("small", init=dict(i=4, o=5), load={"weight": "W[o, i]"}, call="x[B, i]", B=3). More than one call
    is written as `steps=[do.train(), do.call("x[B, i]"), do.state()]`. Axes are keywords of the case, or
    whole numbers in `init`. `load="all"` draws every parameter of the reference. `draws` says how what has a
    name is drawn, where it is no tensor of normal numbers.
    """

    made: Callable[..., object]
    points: float
    cases: Sequence[Case]
    draws: Mapping[str, Draw] = field(default_factory=dict)
    ask: str = ""
    tolerance: float | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    share: float | None = None

    @property
    def name(self) -> str:
        return str(getattr(self.made, "__name__", ""))

    @property
    def parameters(self) -> tuple[str, ...]:
        """Of a call, which it is none."""
        return ()

    @cached_property
    def doc(self) -> str:
        return inspect.cleandoc(self.made.__doc__ or "")

    @cached_property
    def stub(self) -> str:
        """The text of the answer cell before a student touches it."""
        return stub_text(self.made)

    @cached_property
    def loaded(self) -> tuple[str, ...]:
        """The names of the weights that cases load, as far as they say them."""
        loads = (use_of(case).load for case in self.cases)
        return tuple(dict.fromkeys(name for load in loads if isinstance(load, Mapping) for name in load))


@dataclass(frozen=True)
class ObjectUse:
    """What a case does: how the object is built, its weights, the steps, and the sizes of axes."""

    init: Mapping[str, object]
    load: Mapping[str, object] | str
    steps: tuple[Do, ...]
    sizes: Mapping[str, object]


def use_of(case: Case) -> ObjectUse:
    """The script of a case, out of its keywords."""
    own = case.sizes
    init, steps = own.get("init", {}), tuple(own.get("steps", ()))
    if "call" in own:
        args = own["call"] if isinstance(own["call"], list | tuple) else (own["call"],)
        steps = (do.call(*args), *steps)
    sizes = {name: size for name, size in own.items() if name not in KEYWORDS}
    numbers = {name: value for name, value in dict(init).items() if type(value) is int}
    return ObjectUse(init, own.get("load", {}), steps, {**numbers, **sizes})


def values_in(value: object) -> Iterator[object]:
    """Every plain value, text and leaf of an argument, however deep."""
    match value:
        case Mapping():
            yield from values_in(list(value.values()))
        case list() | tuple() | set() | frozenset():
            for each in value:
                yield from values_in(each)
        case _:
            yield value


def axes_of(spec: str) -> tuple[str, tuple[str, ...]] | None:
    """The name and the axes of "x[B, i]", or nothing where it is none."""
    found = SPEC.fullmatch(spec.strip())
    if found is None:
        return None
    return found["name"], tuple(axis.strip() for axis in found["axes"].split(",") if axis.strip())


# ---------------------------------------------------------------- what can be wrong


def module_faults(part: Module) -> Iterator[str]:
    """Every fault of a part that asks for a class."""
    if not inspect.isclass(part.made) and not inspect.isfunction(part.made):
        yield f"a module is a class, and this is of type {type(part.made).__name__}: write class … above"
        return
    if not part.doc:
        yield "the class has no docstring: it is the question that the student reads"
    yield from _base_faults(part)
    yield from faults_among(part.cases)
    for case in part.cases:
        yield from (f"case {case.name!r}: {fault}" for fault in _case_faults(part, case))


def _base_faults(part: Module) -> Iterator[str]:
    """Names in the head of a class that the student's notebook does not have."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(part.made))).body[0]
    for base in tree.bases if isinstance(tree, ast.ClassDef) else ():
        root = next((node.id for node in ast.walk(base) if isinstance(node, ast.Name)), "torch")
        if root != "torch" and not hasattr(builtins, root):
            yield (
                f"it is a subclass of {ast.unparse(base)}, and the notebook imports torch alone: "
                f"write torch.{ast.unparse(base)}, or import {root} in given code"
                if root in ("nn", "optim")
                else f"it is a subclass of {ast.unparse(base)}, which the notebook does not have"
            )


def _case_faults(part: Module, case: Case) -> Iterator[str]:
    wrong = [*_keyword_faults(case)]
    yield from wrong
    if wrong:
        return
    use = use_of(case)
    if not any(step.verb in do.COMPARED for step in use.steps):
        yield 'nothing is compared: add call="x[…]", or steps=[do.method("…")]'
    try:
        inspect.signature(part.made).bind(**use.init)
    except TypeError as error:
        yield f"init does not fit {part.name}{inspect.signature(part.made)}: {error}"
    known: set[str] = set(part.draws)
    for value in _written(use):
        text = value.spec if isinstance(value, Leaf) else value
        found = axes_of(text) if isinstance(text, str) else None
        if isinstance(value, Leaf) and found is None:
            yield f"leaf({value.spec!r}) has no shape: write leaf({value.spec + '[I, J]'!r})"
        elif found is not None:
            known.add(found[0])
            yield from _axis_faults(found[1], use.sizes, str(text))
    for name in sorted(set(use.sizes) - set(use.init) - _axes_used(part, use)):
        if not any(draw.kind in ("drawn", "number", "given") for draw in part.draws.values()):
            yield f"{name} is no axis of its tensors: beside their sizes a case has {', '.join(KEYWORDS)}"
    if use.steps and use.steps[0].verb == "backward":
        yield "do.backward() comes first, and there is nothing to differentiate: call it before"
    for step in use.steps:
        if step.verb in ("look", "gradient") and step.name.split(".")[0] not in known:
            yield f"do.{step.verb}({step.name!r}): nothing of that name is drawn before"
    yield from _setting_faults(case)


def _axes_used(part: Module, use: ObjectUse) -> set[str]:
    """The names in the shapes of a case, and in the settings of draws."""
    texts = [value.spec if isinstance(value, Leaf) else value for value in _written(use)]
    found = [axes_of(text) for text in texts if isinstance(text, str)]
    axes = [axis for each in found if each is not None for axis in each[1]]
    settings = [str(value) for draw in part.draws.values() for value in draw.options.values()]
    return {name for axis in axes for name in _names_in(axis)} | set(settings) | {"norm", *part.draws}


def _names_in(axis: str) -> tuple[str, ...]:
    """The names of an axis, none where it cannot be read."""
    try:
        return names_in(axis)
    except SyntaxError:
        return ()


def _keyword_faults(case: Case) -> Iterator[str]:
    init, load, steps = (case.sizes.get(name) for name in ("init", "load", "steps"))
    if init is not None and not isinstance(init, Mapping):
        yield f"init is {init!r}; write the arguments by name: init=dict(i=4, o=5)"
    if load is not None and load != EVERY and not isinstance(load, Mapping):
        yield f'load is {load!r}; write load={{"weight": "W[o, i]"}}, or load="all"'
    if steps is not None and not (
        isinstance(steps, list | tuple) and all(isinstance(each, Do) for each in steps)
    ):
        yield 'steps is a list of do.…: steps=[do.train(), do.call("x[B, i]")]'
    if case.grad:
        yield "grad is for functions; here steps say it: do.backward(…), do.gradients()"
    if case.layout != "contiguous":
        yield "layout is for functions; leave it out"


def _axis_faults(axes: Sequence[str], sizes: Sizes, spec: str) -> Iterator[str]:
    for axis in axes:
        try:
            names = names_in(axis)
        except SyntaxError:
            yield f"cannot read the axis {axis!r} of {spec!r}: name every axis, as in x[B, i]"
            continue
        for name in names:
            if name not in sizes:
                yield f"axis {name} of {spec} has no size; add {name}=…"
            elif type(sizes[name]) is not int or sizes[name] < 0:
                yield f"axis {name} has size {sizes[name]!r}; a size is a whole number"


def _setting_faults(case: Case) -> Iterator[str]:
    if case.dtype not in DTYPES:
        yield f"dtype is {case.dtype!r}; it is one of {', '.join(DTYPES)}"
    if case.hidden and not case.hint:
        yield "it is hidden and has no hint: a student who fails it sees no values, and needs one"
    if not 0 < case.costs <= 1:
        yield f"costs is {case.costs}; it is a share of the marks above 0 and at most 1"


def _written(use: ObjectUse) -> Iterator[object]:
    """Every value that an author wrote, in the order in which it is met."""
    yield from values_in(use.init)
    yield from values_in(use.load if isinstance(use.load, Mapping) else ())
    for step in use.steps:
        yield from values_in([step.args, step.named])


__all__ = [
    "EVERY",
    "Leaf",
    "Module",
    "ObjectUse",
    "TextGiven",
    "axes_of",
    "module_faults",
    "use_of",
    "values_in",
]
