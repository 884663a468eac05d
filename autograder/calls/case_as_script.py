"""A case with an object becomes the steps of a script; trusted code takes them right here."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor, nn

from autograder.calls.compare_values import GRADIENTS, show
from autograder.calls.inputs import draw, narrow, nudge, of_torch, revive, widen
from autograder.calls.local_names import copied
from autograder.calls.requests_and_outcomes import DtypeArg
from autograder.calls.script_steps import Held, Step
from autograder.calls.take_steps import Bench, precision
from autograder.course.cases import Case
from autograder.course.docstring_shapes import Shapes
from autograder.course.modules import Module, axes_of, use_of
from autograder.course.object_steps import COMPARED, Do, Leaf, TextGiven

MOST_SHOWN = 40  # characters of an argument in the name of a step
Cast = Callable[[object], object]
_WORDS = {"parameters": "its parameters", "gradients": GRADIENTS, "state": "its state"}


class CaseScript:
    """The steps of one case as they are written down, with what each is called where its result counts."""

    def __init__(self, part: Module, case: Case, reference: object, seed: int) -> None:
        self.steps: list[Step] = []
        self.labels: list[str] = []
        self.shapes: list[bool] = []
        self._use = use_of(case)
        self._part, self._case = part, replace(case, sizes=self._use.sizes)
        self._rng = np.random.default_rng(seed)
        self._drawn: dict[str, object] = {}
        self._leaves: dict[str, Held] = {}
        self._result: Held | None = None
        self._mode = ""  # of a module, where it is not the one that it is made in
        self._build(reference)
        for step in self._use.steps:
            self._write(step)

    def _build(self, reference: object) -> None:
        args, named = _bound(self._part.made, {k: self._value(v) for k, v in self._use.init.items()})
        self._it = self._take(Step("call", self._part.name, args=args, named=named))
        load = self._use.load
        weights: Mapping[str, object]
        if isinstance(load, str):
            weights = self._weights_of(reference)
        else:
            weights = {name: self._value(value) for name, value in load.items()}
        if weights:
            self._take(Step("load", on=self._it, named=weights))

    def _weights_of(self, reference: object) -> dict[str, Tensor]:
        """A drawn tensor for every parameter that the reference has, small enough for deep ones."""
        bench = Bench({self._part.name: reference})
        for step in self.steps:
            bench.take(step, lambda value: given(value, bench, revive))
        made = bench.held(self._it)
        named = nn.Module.named_parameters(made) if isinstance(made, nn.Module) else ()
        scale = self._case.scale if not isinstance(self._case.scale, Mapping) else 1.0
        return {
            name: torch.as_tensor(
                self._rng.standard_normal(tuple(weight.shape))
                * scale
                / math.sqrt(weight.shape[-1] if weight.dim() > 1 else 4)
            ).to(getattr(torch, self._case.dtype))
            for name, weight in named
        }

    def _write(self, step: Do) -> None:
        args = tuple(self._value(each) for each in step.args)
        named = {name: self._value(value) for name, value in step.named.items()}
        match step.verb:
            case "call" | "method":
                done = Step("method", step.name, on=self._it, args=args, named=named)
                words = [f"{k}={self._shown(v)}" for k, v in step.named.items()]
                shown = ", ".join([*map(self._shown, step.args), *words])
                called = f"it{f'.{step.name}' if step.name else ''}({shown}){self._mode}"
                self._result = self._take(done, called)
            case "get":
                self._take(Step("get", step.name, on=self._it), f"it.{step.name}")
            case "look":
                name, _, path = step.name.partition(".")
                on = self._held(name)
                self._take(Step("get", path, on=on) if path else Step("put", args=(on,)), step.name)
            case "gradient":
                self._take(Step("set", "grad", on=self._held(step.name), args=args))
            case "backward":
                assert self._result is not None
                self._take(Step("method", "backward", on=self._result, args=args))
            case "train" | "eval":
                self._mode = " in evaluation mode" if step.verb == "eval" else ""
                self._take(Step("method", step.verb, on=self._it))
            case "shapes":
                self._take(Step("state", on=self._it), "the names and shapes of its state", shapes=True)
            case verb:
                self._take(Step(verb, on=self._it), _WORDS[verb])
        assert (step.verb in COMPARED) == bool(self.labels[-1])

    def _take(self, step: Step, label: str = "", *, shapes: bool = False) -> Held:
        self.steps.append(step)
        self.labels.append(label)
        self.shapes.append(shapes)
        return Held(len(self.steps) - 1)

    def _held(self, name: str) -> Held:
        """A drawn thing that stays in the process, so that it can be looked at again."""
        if name not in self._leaves:
            self._leaves[name] = self._take(Step("put", args=(self._drawn[name],)))
        return self._leaves[name]

    def _value(self, value: object) -> object:
        match value:
            case TextGiven():
                return value.value
            case Leaf():
                found = axes_of(value.spec)
                assert found is not None
                name, axes = found
                if name not in self._leaves:
                    put = Step("put", "leaf" if value.collects else "", args=(self._draw(name, axes),))
                    self._leaves[name] = self._take(put)
                    if value.grad:
                        along = self._draw(f"gradient of {name}", axes)
                        self._take(Step("set", "grad", on=self._leaves[name], args=(along,)))
                return self._leaves[name]
            case str():
                found = axes_of(value)
                if found is not None:
                    return self._draw(*found)
                if value in self._leaves:
                    return self._leaves[value]
                known = value in self._drawn or value in self._part.draws
                return self._draw(value, ()) if known else value
            case list():
                return [self._value(each) for each in value]
            case tuple() if type(value) is tuple:
                return tuple(self._value(each) for each in value)
            case dict():
                return {key: self._value(each) for key, each in value.items()}
        return of_torch(value)

    def _shown(self, value: object) -> str:
        match value:
            case Leaf(spec=text) | str(text):
                found = axes_of(text)
                named = text in self._drawn or text in self._leaves or text in self._part.draws
                return found[0] if found else text if named else _briefly(text)
            case TextGiven(value=text):
                return _briefly(text)
        return _briefly(value)

    def _draw(self, name: str, axes: tuple[str, ...]) -> object:
        if name not in self._drawn:
            shapes = Shapes({name: axes}, (), False)
            self._drawn[name] = draw(name, self._part.draws, self._case, shapes, self._rng, {})
        return self._drawn[name]


def _bound(
    made: Callable[..., object], init: Mapping[str, object]
) -> tuple[tuple[object, ...], dict[str, object]]:
    """Arguments in the order of the stub: a student may call them otherwise."""
    bound = inspect.signature(made).bind(**init)
    return bound.args, bound.kwargs


def _briefly(value: object) -> str:
    """A value as an argument in a sentence."""
    text = show(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def _told(step: Step) -> str:
    """Which step an error was raised at, in the words of a problem file."""
    match step.do, step.name:
        case "method", "backward":
            return 'at do.backward(): of more than one number it goes along a tensor, do.backward("g[B, i]")'
        case "method", name:
            return f"at it{f'.{name}' if name else ''}(…)"
        case "get", name:
            return f"at it.{name}"
        case "call", name:
            return f"as {name}(…) is built"
        case "load", _:
            return "as its weights are loaded"
        case do, _:
            return f"at do.{do}()"


# ---------------------------------------------------------------- taken here, by trusted code


def given(value: object, bench: Bench, cast: Cast) -> object:
    """An argument as the code itself receives it: numbers of objects as the objects."""
    match value:
        case Held():
            return bench.held(value)
        case list() | tuple():
            return type(value)(given(each, bench, cast) for each in value)
        case dict():
            return {key: given(each, bench, cast) for key, each in value.items()}
    return revive(cast(value))


def take(answer: object, steps: tuple[Step, ...], cast: Cast, dtype: str) -> list[object]:
    """What each step gives, by value; whatever the code raises goes through."""
    made = next(step.name for step in steps if step.do == "call")
    bench, values = Bench({made: answer}), []
    precise = "float64" if cast in (widen, nudge) else "float32" if cast is narrow else dtype
    with precision(getattr(torch, precise)):
        for step in steps:
            try:
                value = copied(bench.take(step, lambda value: given(value, bench, cast)), bench)
            except (Exception, SystemExit) as error:
                error.add_note(_told(step))
                raise
            values.append(DtypeArg(str(value)[6:]) if isinstance(value, torch.dtype) else value)
    return values
