"""A code part of the notebook becomes its view: each visible case called, compared and explained."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from torch import Tensor

from autograder.answers.suspects import common_suspect, find_suspects
from autograder.answers.tensors import Want, compare, compare_tensor, short
from autograder.check.call import STOP_SECONDS, Called, call
from autograder.check.picture import picture
from autograder.check.sheet import CodeSheet, VisibleCase
from autograder.check.view import CaseView, PartView, State

AGAIN = (
    "called again on the same input, the function gives another answer: it must not depend on earlier calls"
)


class Progress(Protocol):
    """Told before each case which one it is, and during a long one how many seconds have passed."""

    def __call__(self, part: str, case: str, seconds: float) -> None: ...


def check_code(
    problem: str,
    part: CodeSheet,
    function: Callable[..., Any],
    progress: Progress,
    limit: float = STOP_SECONDS,
) -> PartView:
    """Call the function on every visible case; after an interrupt the remaining ones are left."""
    views: list[CaseView] = []
    found: list[Mapping[str, str]] = []
    notes: list[str] = []
    for number, case in enumerate(part.cases):
        if views and views[-1].state == State.STOPPED:
            views.append(CaseView(case.name, State.NOT_RUN, "not run"))
            continue
        called = call(function, case, _watch(progress, part, case), limit)
        if called.status == "unanswered" and not views:
            return unanswered(part, "not answered yet: the function raises NotImplementedError")
        views.append(_view(problem, part, number, called))
        found += _structural(case, called)
        notes += _slow(part, case, called)
    if all(view.state == State.PASSES for view in views) and views:
        again = call(function, part.cases[0], _watch(progress, part, part.cases[0]), limit)
        if failure(part, part.cases[0], again):
            views[0] = CaseView(views[0].name, State.FAILS, AGAIN)
    suspect = common_suspect(found)
    return PartView(
        part.name,
        "code",
        part.points,
        _state(views),
        _headline(views),
        hint=suspect.says if suspect else "",
        cases=tuple(views),
        hidden=part.hidden,
        notes=(*notes, *_cost(part)),
    )


def unanswered(part: CodeSheet, headline: str, slips: tuple[str, ...] = ()) -> PartView:
    return PartView(part.name, "code", part.points, State.UNANSWERED, headline, slips, hidden=part.hidden)


def wrong_arguments(function: Callable[..., Any], part: CodeSheet) -> str:
    """A sentence where the function cannot be called with the arguments it will be given."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*part.parameters)
    except TypeError:
        has, given = len(signature.parameters), len(part.parameters)
        names = ", ".join(signature.parameters)
        takes = f"{has} argument{'' if has == 1 else 's'}" + (f" ({names})" if names else "")
        return (
            f"{part.name} takes {takes}; it is called with {given}: {part.name}({', '.join(part.parameters)})"
        )
    return ""


def _watch(progress: Progress, part: CodeSheet, case: VisibleCase) -> Callable[[float], None]:
    progress(part.name, case.name, 0.0)
    return lambda seconds: progress(part.name, case.name, seconds)


def _view(problem: str, part: CodeSheet, number: int, called: Called) -> CaseView:
    case = part.cases[number]
    message = failure(part, case, called)
    if not message:
        return CaseView(case.name, State.PASSES)
    if called.status == "stopped":
        return CaseView(case.name, State.STOPPED, message)
    return CaseView(
        case.name,
        State.FAILS,
        message,
        _facts(case, called),
        picture(part, case, called),
        _reproduction(problem, part, number),
        called.trace,
        called.printed.rstrip(),
    )


def failure(part: CodeSheet, case: VisibleCase, called: Called) -> str:
    """Why a case does not pass, or nothing."""
    match called.status:
        case "ok":
            pass
        case "raised":
            return f"raised {called.error}{_blame(called)}"
        case "too_long":
            return f"stopped after {called.seconds:.0f} s; {_allowance(part)}"
        case "stopped":
            return f"interrupted after {called.seconds:.1f} s"
        case "unanswered":
            return "not answered yet: the function raises NotImplementedError"
        case _:
            return called.error
    if called.kind == "none" and called.printed.strip():
        return "the function prints its result and returns nothing: end it with return"
    expected = case.expected
    difference = compare(called.kind, called.kinds, called.outputs, expected.outputs, expected.many)
    if difference is not None:
        return difference.message
    if called.mutated:
        names = ", ".join(part.parameters[position] for position in called.mutated)
        return f"the values are right, but the function changes its input {names}: work on a copy"
    return _gradients(case, called)


def _gradients(case: VisibleCase, called: Called) -> str:
    # Code that leaves torch inside is right without gradients; wrong gradients are not.
    if all(grad is None for grad in called.grads):
        return ""
    for got, want in zip(called.grads, case.expected.grads, strict=True):
        if got is None:
            return f"the values are right, but there is no {want.name}: something was detached on the way"
        difference = compare_tensor(got, want)
        if difference is not None:
            return f"the values are right, but the {want.name} is not: {difference.message}"
    return ""


def _blame(called: Called) -> str:
    """What an error usually means, where its own words do not say it."""
    if "numpy()" in called.error or called.origin == "numpy":
        return " (numpy is used on a torch tensor: use torch's own function)"
    if called.error_type == "NameError":
        return " (run the cells of the notebook from the top, or define the name in a cell)"
    return ""


def _facts(case: VisibleCase, called: Called) -> tuple[tuple[str, str], ...]:
    wants = case.expected.outputs
    facts = [("expected", ", ".join(_tensor_words(want.name, want.values, want.dtype) for want in wants))]
    if called.status == "ok":
        names = (
            [want.name for want in wants] if len(wants) == len(called.outputs) else [""] * len(called.outputs)
        )
        got = [
            _tensor_words(name, value, value.dtype) if isinstance(value, Tensor) else kind
            for name, value, kind in zip(names, called.outputs, called.kinds, strict=True)
        ]
        facts.append(("got", ", ".join(got)))
    return tuple(facts)


def _tensor_words(name: str, value: Tensor, dtype: Any) -> str:
    return f"{name}{list(value.shape)} {short(dtype)}"


def _structural(case: VisibleCase, called: Called) -> Iterator[Mapping[str, str]]:
    """The structural slips that explain each wrong tensor of one call."""
    if called.status != "ok" or len(called.outputs) != len(case.expected.outputs):
        return
    for got, want in zip(called.outputs, case.expected.outputs, strict=True):
        if isinstance(got, Tensor) and _is_wrong(got, want):
            yield find_suspects(got, want, case.sizes)


def _is_wrong(got: Tensor, want: Want) -> bool:
    return want.values.numel() > 1 and compare_tensor(got, want) is not None


def _slow(part: CodeSheet, case: VisibleCase, called: Called) -> Iterator[str]:
    if called.status == "ok" and called.seconds > part.call_seconds:
        yield f"{case.name}: took {called.seconds:.1f} s; {_allowance(part)}"


def _allowance(part: CodeSheet) -> str:
    return f"when it is graded, a call may take {part.call_seconds:g} s"


def _cost(part: CodeSheet) -> Iterator[str]:
    if part.measured:
        yield "when it is graded, the work and memory of the function are measured too"


def _reproduction(problem: str, part: CodeSheet, number: int) -> str:
    names = ", ".join(part.parameters)
    left = f"({names})" if len(part.parameters) > 1 else f"({names},)"
    return (
        "from autograder.check import example\n\n"
        f'{left}, expected = example("{problem}", "{part.name}", {number})\n'
        f"got = {part.name}({names})"
    )


def _state(views: list[CaseView]) -> State:
    for state in (State.FAILS, State.STOPPED):
        if any(view.state == state for view in views):
            return state
    return State.PASSES


def _headline(views: list[CaseView]) -> str:
    passed = sum(view.state == State.PASSES for view in views)
    if any(view.state == State.STOPPED for view in views):
        return f"stopped; {passed} of {len(views)} visible cases passed so far"
    if passed == len(views):
        return f"all {passed} visible cases pass" if passed > 1 else "the visible case passes"
    return f"{passed} of {len(views)} visible cases pass"
