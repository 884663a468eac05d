"""The visible tests of a part, run on the notebook's own names: each becomes a view, as a case does."""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import torch

from autograder.calls.bench import Bench, MissingError
from autograder.calls.failure import NOT_YET
from autograder.calls.records import Ask, Outcome
from autograder.calls.step import Held, Step
from autograder.calls.tested import load_tests, run_test
from autograder.calls.values import OutputError, pack_value, read_value
from autograder.check.panel import CaseView, PartView, State
from autograder.check.time_limit import TooLong, guarded
from autograder.release.handout import TestsHandout

Progress = Callable[[str, str, float], None]


def check_tests(
    part: TestsHandout, namespace: Mapping[str, Any], progress: Progress, limit: float
) -> PartView:
    """Run every visible test; after an interrupt the remaining ones are left."""
    place = f"<tests of {part.name}>"
    tests = load_tests(part.source, [name for name, _ in part.tests], place)
    views: list[CaseView] = []
    for test, (_, says) in zip(tests, part.tests, strict=True):
        if views and views[-1].state == State.STOPPED:
            views.append(CaseView(says, State.NOT_RUN, "not run"))
            continue
        progress(part.name, says, 0.0)
        printed = io.StringIO()
        try:
            watch = _watch(progress, part.name, says)
            with contextlib.redirect_stdout(printed), guarded(limit, watch):
                tested = run_test(test, local_ask(namespace), place)
        except TooLong:
            views.append(CaseView(says, State.FAILS, f"stopped after {limit:.0f} s"))
        except KeyboardInterrupt:
            views.append(CaseView(says, State.STOPPED, "interrupted"))
        else:
            state = State.PASSES if tested.passed else State.FAILS
            views.append(CaseView(says, state, tested.says, printed=printed.getvalue()[:2000].rstrip()))
    if not views:
        headline = "it is tested when it is graded"
        return PartView(part.name, "tests", part.points, State.BY_HAND, headline, hidden=part.hidden)
    passed = sum(view.state == State.PASSES for view in views)
    state = next((view.state for view in views if view.state in (State.FAILS, State.STOPPED)), State.PASSES)
    if views and all(NOT_YET.partition(":")[0] in view.message for view in views):
        return PartView(part.name, "tests", part.points, State.UNANSWERED, NOT_YET, hidden=part.hidden)
    headline = f"{passed} of {len(views)} visible tests pass"
    return PartView(part.name, "tests", part.points, state, headline, cases=tuple(views), hidden=part.hidden)


def _watch(progress: Progress, part: str, test: str) -> Callable[[float], None]:
    return lambda seconds: progress(part, test, seconds)


def local_ask(namespace: Mapping[str, Any]) -> Ask:
    """Steps taken right here, with what goes in and comes out by value as it is when it is graded."""
    bench = Bench(namespace)

    def ask(*steps: Step) -> Outcome:
        outputs: list[Any] = []
        for step in steps:
            try:
                outputs.append(
                    _copied(bench.take(step, lambda value: _copied(value, bench, give=True)), bench)
                )
            except MissingError as error:
                return Outcome("missing", tuple(outputs), error=str(error))
            except OutputError as error:
                return Outcome("bad_output", tuple(outputs), error=str(error))
            except (KeyboardInterrupt, TooLong):
                raise
            except NotImplementedError as error:
                return Outcome("not_implemented", tuple(outputs), error=str(error) or NOT_YET)
            except BaseException as error:
                said = "".join(traceback.format_exception_only(error)).strip()
                return Outcome("raised", tuple(outputs), error=said)
        return Outcome("ok", tuple(outputs))

    return ask


def _copied(value: Any, bench: Bench, *, give: bool = False) -> Any:
    """A copy of a value, its objects by their numbers; to `give` it, their numbers as the objects."""

    def other(thing: Any, add: Callable[[torch.Tensor], int]) -> Any:
        if isinstance(thing, Held):
            return {"held": thing.number, "type": thing.type}
        if isinstance(thing, torch.dtype):
            return {"dtype": str(thing).removeprefix("torch.")}
        return bench.hold(thing)

    def leaf(node: dict[str, Any]) -> Any:
        match node:
            case {"tensor": int(number), "kind": str()} if give:
                return packed.tensors[number].numpy().copy()
            case {"tensor": int(number)}:
                return packed.tensors[number].clone()
            case {"dtype": str(name)}:
                return getattr(torch, name)
        held = Held(node["held"], node["type"])
        return bench.object(held) if give else held

    packed = pack_value(value, other)
    return read_value(packed.tree, leaf)
