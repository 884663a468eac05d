"""Steps taken in this very process, by value: of the reference, or of a student who checks an answer."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping

import torch

from autograder.calls.failure import NOT_YET
from autograder.calls.requests_and_outcomes import Ask, Outcome
from autograder.calls.script_steps import Held, Step
from autograder.calls.take_steps import Bench, MissingError, like
from autograder.calls.value_as_json import OutputError, pack_value, read_value, tensor_of


def local_ask(namespace: Mapping[str, object], *through: type[BaseException]) -> Ask:
    """Steps taken right here, with what goes in and comes out by value as it is when it is graded.

    Interrupts and the exceptions named in `through` are not the code's own.
    """
    bench = Bench(namespace)
    passing: tuple[type[BaseException], ...] = (KeyboardInterrupt, *through)

    def ask(*steps: Step) -> Outcome:
        outputs: list[object] = []
        for step in steps:
            try:
                outputs.append(copied(bench.take(step, lambda value: copied(value, bench, give=True)), bench))
            except MissingError as error:
                return Outcome("missing", tuple(outputs), error=str(error))
            except OutputError as error:
                return Outcome("bad_output", tuple(outputs), error=str(error))
            except passing:
                raise
            except NotImplementedError as error:
                return Outcome("not_implemented", tuple(outputs), error=str(error) or NOT_YET)
            except BaseException as error:
                said = "".join(traceback.format_exception_only(error)).strip()
                return Outcome("raised", tuple(outputs), error=said, like=like(error))
        return Outcome("ok", tuple(outputs))

    return ask


def copied(value: object, bench: Bench, *, give: bool = False) -> object:
    """A copy of a value, its objects by their numbers; to `give` it, their numbers as the objects."""

    def other(thing: object, add: Callable[[torch.Tensor], int]) -> object:
        if isinstance(thing, Held):
            return {"held": thing.number, "type": thing.type}
        if isinstance(thing, torch.dtype):
            return {"dtype": str(thing).removeprefix("torch.")}
        return bench.hold(thing)

    def leaf(node: dict[str, object]) -> object:
        match node:
            case {"held": int(number), "type": str(kind)}:
                held = Held(number, kind)
                return bench.held(held) if give else held
            case {"dtype": str(name)}:
                return getattr(torch, name)
        tensor = tensor_of(node, packed.tensors)
        return tensor.numpy().copy() if give and "kind" in node else tensor.clone()

    packed = (None if give else bench.built(value)) or pack_value(value, other)
    return read_value(packed.tree, leaf)
