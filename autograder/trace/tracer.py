"""A torch program comes in and is run; its work, span and memory go out as exact integers.

This file and what it imports need torch alone, so that they can run beside a student's code.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.trace.charge import Model, UnknownOperation
from autograder.trace.rules import TO_PYTHON, Rule, find_rule, is_view
from autograder.trace.shadow import Shadow

# Through these doors numbers leave torch, and what happens to them is not seen.
EXITS = frozenset(["numpy", "tolist", "__array__", "__dlpack__", "data_ptr"])


@dataclass(frozen=True)
class Cost:
    """What one run of a program took.

    `work` counts multiply-adds and element operations, `span` the steps of the longest chain in which each
    waits for the one before, and `memory` the most bytes alive at once, arguments not included.
    """

    work: int
    span: int
    memory: int


@dataclass(frozen=True)
class _Plan:
    """What is known of an operation before it is called: its rule and which arguments it reads and writes."""

    rule: Rule
    writes: tuple[int, ...]  # positions among the arguments of the schema
    names: tuple[str, ...]
    reads: tuple[int, ...]
    to_python: bool


# Reading a schema takes longer than a small call: each operation's is read once.
_PLANS: dict[torch._ops.OpOverload, _Plan | None] = {}


class Tracer(TorchDispatchMode):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Counts every operation that reaches the dispatcher, backward passes included."""

    def __init__(self, serial: bool | Collection[int] = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch's own
        self._model = Model(serial)
        self._shadow = Shadow()
        self._floor = 0
        self.work = 0
        self.span = 0
        self.refused: UnknownOperation | None = None

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        # Nothing is compiled here; the guard would import the compiler and double the time of every call.
        return False

    @property
    def cost(self) -> Cost:
        return Cost(self.work, self.span, self._shadow.peak)

    def refuse(self, error: UnknownOperation) -> UnknownOperation:
        """Keep the error, so that a program which catches it is not taken for a measured one."""
        self.refused = self.refused or error
        return error

    def wait(self) -> None:
        """Whatever comes now waits for all that was done so far."""
        self._floor = self.span

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        try:
            plan = _PLANS[func]
        except KeyError:
            if func._can_decompose():
                with self:
                    return func.decompose(*args, **kwargs)
            plan = self._plan(func)
        if plan is None:
            return func(*args, **kwargs)
        out = func(*args, **kwargs)
        try:
            self._count(plan, args, kwargs, out)
        except (LookupError, TypeError, AttributeError, NotImplementedError) as error:
            # Sparse tensors and the like, which no rule was written for.
            raise self.refuse(UnknownOperation(str(func), "its rule does not fit its arguments")) from error
        return out

    def _plan(self, func: torch._ops.OpOverload) -> _Plan | None:
        try:
            plan = _PLANS[func] = make_plan(func)
        except UnknownOperation as error:
            raise self.refuse(error) from None
        return plan

    def _count(self, plan: _Plan, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> None:
        shadow = self._shadow
        work, span = plan.rule(self._model, args, kwargs, out)
        end = max(self._floor, shadow.ready(_read(plan, args, kwargs))) + span
        self.work += work
        if end > self.span:
            self.span = end
        if plan.to_python:
            self._floor = max(self._floor, end)
        elif plan.writes:
            for position in plan.writes:
                _each(_argument(plan, position, args, kwargs), shadow.write, end)
        else:
            _each(out, shadow.allocate, end)


def make_plan(func: torch._ops.OpOverload) -> _Plan | None:
    """How to charge an operation; None for a view, which costs nothing."""
    if is_view(func):
        return None
    rule = find_rule(func)
    if rule is None:
        raise UnknownOperation(str(func))
    arguments = func._schema.arguments
    writes = tuple(n for n, a in enumerate(arguments) if a.alias_info is not None and a.alias_info.is_write)
    unread = {n for n in writes if arguments[n].is_out or _overwrites(func)}
    reads = tuple(n for n in range(len(arguments)) if n not in unread)
    to_python = func._opname in TO_PYTHON
    return _Plan(rule, writes, tuple(a.name for a in arguments), reads, to_python)


def _overwrites(func: torch._ops.OpOverload) -> bool:
    return func._opname in ("copy_", "fill_", "zero_", "normal_", "uniform_", "bernoulli_")


def _read(plan: _Plan, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    if not plan.writes:
        yield from args
        yield from kwargs.values()
        return
    for position in plan.reads:
        yield _argument(plan, position, args, kwargs)


def _argument(plan: _Plan, position: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return args[position] if position < len(args) else kwargs.get(plan.names[position])


def _each(value: Any, act: Callable[[Tensor, int], None], step: int) -> None:
    if isinstance(value, Tensor):
        act(value, step)
    elif isinstance(value, list | tuple):
        for item in value:
            _each(item, act, step)


class _Exits(TorchFunctionMode):
    """Refuses what takes numbers out of torch's sight."""

    def __init__(self, tracer: Tracer) -> None:
        super().__init__()
        self._tracer = tracer

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        name = getattr(func, "__name__", "")
        if name in EXITS:
            why = "numbers leave torch here; keep them in tensors"
            raise self._tracer.refuse(UnknownOperation(f"Tensor.{name}", why))
        return func(*args, **(kwargs or {}))


@contextmanager
def _steady_memory() -> Iterator[None]:
    """When cycles are collected depends on what else the process did: not while bytes are counted."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def trace(
    function: Callable[..., Any],
    *args: Any,
    serial: bool | Collection[int] = False,
    backward: bool = False,
) -> Cost:
    """Run a function and count what it takes; with `backward`, the gradients of all it returns too.

    With `serial`, inner products take a step for each term: all of them, or those of the given lengths.
    """
    if backward:
        args = tuple(_differentiable(argument) for argument in args)
    tracer = Tracer(serial)
    with _steady_memory(), _Exits(tracer), tracer, torch.enable_grad():
        value = function(*args)
        if backward:
            tracer.wait()
            _differentiate(value, args)
    if tracer.refused:
        raise tracer.refused
    return tracer.cost


def _differentiable(argument: Any) -> Any:
    if isinstance(argument, Tensor) and argument.is_floating_point():
        return argument.detach().requires_grad_()
    return argument


def _differentiate(value: Any, args: tuple[Any, ...]) -> None:
    items = value if isinstance(value, tuple | list) else (value,)
    outputs = [item for item in items if isinstance(item, Tensor) and item.requires_grad]
    inputs = [argument for argument in args if isinstance(argument, Tensor) and argument.requires_grad]
    if outputs and inputs:
        torch.autograd.grad(outputs, inputs, [torch.ones_like(out) for out in outputs], allow_unused=True)
