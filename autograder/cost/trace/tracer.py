"""A torch program comes in and is run; its work, span and memory go out as exact integers.

This file and what it imports need torch alone, so that they can run beside a student's code.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import Module
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.cost.trace.guarded_exits import guard
from autograder.cost.trace.inner_product_rules import Rule
from autograder.cost.trace.ready_times import Shadow, on_cpu
from autograder.cost.trace.rules import TO_PYTHON, elementwise, find_rule, is_view, lifted
from autograder.cost.trace.time_model import Model, TooManyOperations, UnknownOperation
from autograder.cost.trace.views import pass_views_by

_TREES = Model()


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

    call: Callable[..., object]
    rule: Rule | None = None  # none for a view, which costs nothing
    first: int = 0  # it reads the arguments from here
    last: int = 0  # to here
    named: tuple[str, ...] = ()  # and these
    writes: tuple[tuple[int, str], ...] = ()  # positions and names
    makes: bool = True  # whether some of what it returns is new
    to_python: bool = False


# The same operations by a shorter way than torch takes to them by default.
_SHORTCUTS: dict[str, Callable[..., object]] = {
    "aten.mm.default": torch.mm,
    "aten.bmm.default": torch.bmm,
    "aten.mv.default": torch.mv,
    "aten.dot.default": torch.dot,
    "aten.add.Tensor": torch.add,
    "aten.sub.Tensor": torch.sub,
    "aten.mul.Tensor": torch.mul,
    "aten.div.Tensor": torch.div,
    "aten.exp.default": torch.exp,
    "aten.tanh.default": torch.tanh,
    "aten.sum.dim_IntList": torch.sum,
}

# Reading a schema takes longer than a small call: each operation's is read once.
_PLANS: dict[torch._ops.OpOverload, _Plan] = {}


class Tracer(TorchDispatchMode):  # type: ignore[no-untyped-call]  # its __init_subclass__
    """Counts every operation that reaches the dispatcher, backward passes included."""

    def __init__(self, serial: bool | Collection[int] = False, most: int | None = None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch's own
        pass_views_by()
        self._model = Model(serial) if serial else _TREES
        self._shadow = Shadow()
        self._floor = 0
        self._left = sys.maxsize if most is None else most
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

    def begin(self, values: Iterable[object]) -> None:
        """These are the arguments: their memory was there before."""
        for tensor in tensors_in(values):
            if tensor.layout is torch.strided:
                self._shadow.argument(tensor)

    def end(self, value: object) -> None:
        """This is the result: memory that nothing was seen of tells that something was not counted."""
        try:
            for tensor in tensors_in([value]):
                self._shadow.check(tensor)
        except UnknownOperation as error:
            self.refuse(error)

    def __torch_dispatch__(
        self,
        func: torch._ops.OpOverload,
        types: object,
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        # Every operation of the program comes through here: written for speed, calls within are few.
        plan = _PLANS.get(func)
        if plan is None:
            if func._can_decompose():
                with self:
                    return func.decompose(*args, **(kwargs or {}))
            plan = self._plan(func)
        try:
            out = plan.call(*args, **kwargs) if kwargs else plan.call(*args)
        except UnknownOperation as error:
            raise self.refuse(error) from None
        rule = plan.rule
        if rule is None:
            return out
        self._left -= 1
        if self._left < 0:
            raise self.refuse(TooManyOperations())
        shadow = self._shadow
        end = self._floor
        try:
            for value in args[plan.first : plan.last]:
                if value.__class__ is Tensor:
                    memory = shadow.known.get(value.untyped_storage()._cdata)
                    if memory is None:
                        on_cpu(value)
                        continue
                    at = memory.ready
                    if at.__class__ is not int:
                        at = shadow.ready(value)
                else:
                    at = shadow.ready(value)
                if at > end:
                    end = at
            for name in plan.named:
                end = max(end, shadow.ready(kwargs and kwargs.get(name)))
            if rule is elementwise and out.__class__ is Tensor:
                self.work += out.numel()
                end += 1
            else:
                work, span = rule(self._model, args, kwargs or {}, out)
                self.work += work
                end += span
            if plan.writes:
                for position, name in plan.writes:
                    _each(_argument(position, name, args, kwargs), shadow.write, end)
            if plan.to_python:
                self._floor = end
            elif not plan.makes:
                pass
            elif out.__class__ is Tensor:
                shadow.allocate(out, end)
            else:
                _each(out, shadow.allocate, end)
        except UnknownOperation as error:
            raise self.refuse(error) from None
        except (LookupError, TypeError, AttributeError, NotImplementedError) as error:
            # Sparse tensors and the like, which no rule was written for.
            raise self.refuse(UnknownOperation(str(func), "its rule does not fit its arguments")) from error
        if end > self.span:
            self.span = end
        return out

    def _plan(self, func: torch._ops.OpOverload) -> _Plan:
        try:
            plan = _PLANS[func] = make_plan(func)
        except UnknownOperation as error:
            raise self.refuse(error) from None
        return plan


def make_plan(func: torch._ops.OpOverload) -> _Plan:
    """How to charge an operation."""
    if is_view(func):
        return _Plan(func._op)
    rule = find_rule(func)
    if rule is None:
        raise UnknownOperation(str(func))
    arguments = list(enumerate(func._schema.arguments))
    writes = tuple((n, a.name) for n, a in arguments if a.alias_info is not None and a.alias_info.is_write)
    read = [(n, a) for n, a in arguments if "Tensor" in str(a.type) and not a.is_out]
    if writes and _overwrites(func):
        read = [(n, a) for n, a in read if (n, a.name) not in writes]
    placed = [n for n, a in read if not a.kwarg_only]
    return _Plan(
        call=_made_here(func._op) if _is_placed(func) else _SHORTCUTS.get(str(func), func._op),
        rule=rule,
        first=min(placed, default=0),
        last=max(placed, default=-1) + 1,
        named=tuple(a.name for _, a in read if a.kwarg_only),
        writes=writes,
        makes=rule is lifted or any(returned.alias_info is None for returned in func._schema.returns),
        to_python=func._opname in TO_PYTHON,
    )


def _is_placed(func: torch._ops.OpOverload) -> bool:
    return any(argument.name == "device" for argument in func._schema.arguments)


def _made_here(call: Callable[..., object]) -> Callable[..., object]:
    """The same operation, where it makes a tensor on the CPU."""

    def placed(*args: object, **kwargs: object) -> object:
        out = call(*args, **kwargs)
        if isinstance(out, Tensor):
            on_cpu(out)
        return out

    return placed


def _overwrites(func: torch._ops.OpOverload) -> bool:
    return func._opname in ("copy_", "fill_", "zero_", "normal_", "uniform_", "bernoulli_", "exponential_")


def _argument(position: int, name: str, args: tuple[object, ...], kwargs: dict[str, object] | None) -> object:
    return args[position] if position < len(args) else (kwargs or {}).get(name)


def _each(value: object, act: Callable[[Tensor, int], None], step: int) -> None:
    if isinstance(value, Tensor):
        act(value, step)
    elif isinstance(value, list | tuple):
        for item in value:
            _each(item, act, step)


def tensors_in(values: Iterable[object]) -> Iterator[Tensor]:
    """The tensors among some values, in lists and dictionaries among them, and those that a layer keeps."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from tensors_in(value)
        elif isinstance(value, dict):
            yield from tensors_in(value.values())
        elif isinstance(value, Module):
            yield from (*value.parameters(), *value.buffers())


def trace(
    function: Callable[..., object],
    *args: object,
    serial: bool | Collection[int] = False,
    backward: bool = False,
    most: int | None = None,
) -> Cost:
    """Run a function and count what it takes; with `backward`, the gradients of all it returns too.

    With `serial`, inner products take a step for each term: all of them, or those of the given lengths. A
    program that takes more than `most` operations is stopped.
    """
    if backward:
        args = tuple(_differentiable(argument) for argument in args)
    tracer = Tracer(serial, most)
    tracer.begin((function, *args))
    # When cycles are collected depends on what else the process did: not while bytes are counted.
    collecting = gc.isenabled()
    gc.disable()
    try:
        with guard().closed(tracer.refuse), tracer, torch.enable_grad():
            value = function(*args)
            tracer.end(value)
            if backward:
                tracer.wait()
                _differentiate(value, args)
    finally:
        if collecting:
            gc.enable()
    if tracer.refused:
        raise tracer.refused
    return tracer.cost


def _differentiable(argument: object) -> object:
    if isinstance(argument, Tensor) and argument.is_floating_point():
        return argument.detach().requires_grad_()
    return argument


def _differentiate(value: object, args: tuple[object, ...]) -> None:
    items = value if isinstance(value, tuple | list) else (value,)
    outputs = [item for item in items if isinstance(item, Tensor) and item.requires_grad]
    inputs = [argument for argument in args if isinstance(argument, Tensor) and argument.requires_grad]
    if outputs and inputs:
        torch.autograd.grad(outputs, inputs, [torch.ones_like(out) for out in outputs], allow_unused=True)
