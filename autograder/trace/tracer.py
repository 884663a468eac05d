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
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.trace.charge import Model, UnknownOperation
from autograder.trace.exits import shut
from autograder.trace.rules import TO_PYTHON, Rule, elementwise, find_rule, is_view
from autograder.trace.shadow import Shadow
from autograder.trace.views import pass_views_by

_NUMBERS = frozenset([int, float, bool, complex, str, type(None), torch.dtype, torch.device])

@dataclass(frozen=True)
class Cost:
    """What one run of a program took.

    `work` counts multiply-adds and element operations, `span` the steps of the longest chain in which each
    waits for the one before, and `memory` the most bytes alive at once, arguments not included.
    """

    work: int
    span: int
    memory: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is known of an operation before it is called: its rule and which arguments it reads and writes."""

    call: Callable[..., Any]
    rule: Rule | None  # none for a view, which costs nothing
    plain: bool  # it reads all of its arguments and makes new tensors
    writes: tuple[int, ...] = ()  # positions among the arguments of the schema
    names: tuple[str, ...] = ()
    reads: tuple[int, ...] = ()
    to_python: bool = False


# Reading a schema takes longer than a small call: each operation's is read once.
_PLANS: dict[torch._ops.OpOverload, _Plan] = {}


class Tracer(TorchDispatchMode):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Counts every operation that reaches the dispatcher, backward passes included."""

    def __init__(self, serial: bool | Collection[int] = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch's own
        pass_views_by()
        self._model = Model(serial)
        self._shadow = Shadow()
        self._known = self._shadow.known
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
        # Every operation of the program comes through here: written for speed, calls within are few.
        plan = _PLANS.get(func)
        if plan is None:
            if func._can_decompose():
                with self:
                    return func.decompose(*args, **(kwargs or {}))
            plan = self._plan(func)
        out = plan.call(*args, **kwargs) if kwargs else plan.call(*args)
        rule = plan.rule
        if rule is None:
            return out
        try:
            if not plan.plain:
                self._count(plan, args, kwargs or {}, out)
                return out
            ready = self._floor
            for value in args:
                kind = value.__class__
                if kind is Tensor:
                    memory = self._known.get(value.untyped_storage()._cdata)
                    if memory is None:
                        continue
                    at = memory.ready
                    if at.__class__ is not int:
                        at = self._shadow.ready(value)
                elif kind in _NUMBERS or (kind is list and value and value[0].__class__ is int):
                    continue
                else:
                    at = self._shadow.ready(value)
                if at > ready:
                    ready = at
            if kwargs:
                ready = max(ready, self._shadow.ready(tuple(kwargs.values())))
            if rule is elementwise and out.__class__ is Tensor:
                self.work += out.numel()
                ready += 1
            else:
                work, span = rule(self._model, args, kwargs or {}, out)
                self.work += work
                ready += span
            if ready > self.span:
                self.span = ready
            if out.__class__ is Tensor:
                self._shadow.allocate(out, ready)
            else:
                _each(out, self._shadow.allocate, ready)
        except (LookupError, TypeError, AttributeError, NotImplementedError) as error:
            # Sparse tensors and the like, which no rule was written for.
            raise self.refuse(UnknownOperation(str(func), "its rule does not fit its arguments")) from error
        return out

    def _plan(self, func: torch._ops.OpOverload) -> _Plan:
        try:
            plan = _PLANS[func] = make_plan(func)
        except UnknownOperation as error:
            raise self.refuse(error) from None
        return plan

    def _count(self, plan: _Plan, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> None:
        """The same for operations that write into their arguments, or give a number to Python."""
        assert plan.rule is not None
        shadow = self._shadow
        work, span = plan.rule(self._model, args, kwargs, out)
        read = [_argument(plan, position, args, kwargs) for position in plan.reads]
        end = max(self._floor, shadow.ready(read)) + span
        self.work += work
        if end > self.span:
            self.span = end
        if plan.to_python:
            self._floor = max(self._floor, end)
        for position in plan.writes:
            _each(_argument(plan, position, args, kwargs), shadow.write, end)


def make_plan(func: torch._ops.OpOverload) -> _Plan:
    """How to charge an operation."""
    if is_view(func):
        return _Plan(func._op, None, True)
    rule = find_rule(func)
    if rule is None:
        raise UnknownOperation(str(func))
    arguments = func._schema.arguments
    writes = tuple(n for n, a in enumerate(arguments) if a.alias_info is not None and a.alias_info.is_write)
    unread = {n for n in writes if arguments[n].is_out or _overwrites(func)}
    reads = tuple(n for n in range(len(arguments)) if n not in unread)
    to_python = func._opname in TO_PYTHON
    plain = not writes and not to_python
    return _Plan(func._op, rule, plain, writes, tuple(a.name for a in arguments), reads, to_python)


def _overwrites(func: torch._ops.OpOverload) -> bool:
    return func._opname in ("copy_", "fill_", "zero_", "normal_", "uniform_", "bernoulli_")


def _argument(plan: _Plan, position: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return args[position] if position < len(args) else kwargs.get(plan.names[position])


def _each(value: Any, act: Callable[[Tensor, int], None], step: int) -> None:
    if isinstance(value, Tensor):
        act(value, step)
    elif isinstance(value, list | tuple):
        for item in value:
            _each(item, act, step)


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
    with _steady_memory(), shut(tracer.refuse), tracer, torch.enable_grad():
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
