"""A code part of the notebook becomes its view: each visible case called, compared and explained."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence

from torch import Tensor
from torch import dtype as Dtype

from autograder.calls.arrays import only_tensors
from autograder.calls.compare_tensors import short
from autograder.calls.compare_values import show, whole
from autograder.calls.failure import AGAIN, NO_VALUE, NOT_YET, missing_import, wrong_result
from autograder.calls.requests_and_outcomes import Smallest
from autograder.check.call_again import (
    departing_words,
    look_small,
    looping_words,
    squeezing_words,
    stopping_words,
)
from autograder.check.panel import CaseView, PartView, State
from autograder.check.picture import picture
from autograder.check.progress import Progress, begin
from autograder.check.run_case import STOP_SECONDS, Called, call
from autograder.diagnose.departure_words import briefly
from autograder.diagnose.habits import differs, habit, unasked
from autograder.diagnose.squeezes import Tried, has_axis_of_one
from autograder.diagnose.structural_mistakes import Beside, structural_slip
from autograder.release.handout import CodeHandout, VisibleCase


def check_code(
    problem: str,
    part: CodeHandout,
    function: Callable[..., object],
    progress: Progress,
    limit: float = STOP_SECONDS,
) -> PartView:
    """Call the function on every visible case; after an interrupt the remaining ones are left."""
    views: list[CaseView] = []
    returned: list[Called] = []
    notes: list[str] = []
    for number, case in enumerate(part.cases):
        if views and views[-1].state == State.STOPPED:
            views.append(CaseView(case.name, State.NOT_RUN, "not run"))
            continue
        called = call(function, case, begin(progress, part.name, case.name), limit, arrays=part.numpy)
        if called.status == "unanswered" and not views:
            return unanswered(part, NOT_YET)
        views.append(_view(problem, part, number, called))
        returned.append(called)
        notes += _slow(part, case, called)
    closer, smallest = _look_closer(part, function, views, returned)
    hint = ""
    if returned and returned[0].status == "ok" and views[-1].state not in (State.STOPPED, State.NOT_RUN):
        first = part.cases[0]
        again = call(function, first, begin(progress, part.name, first.name), limit, arrays=part.numpy)
        steps = first.expected.holds.steps.values if first.steps and first.expected.holds is not None else ()
        chance = unasked(first.steps, steps, returned[0].outputs) or AGAIN
        if views[0].state == State.PASSES and failure(part, part.cases[0], again):
            views[0] = CaseView(views[0].name, State.FAILS, chance)
        elif differs(returned[0], again):
            hint = chance
    gave = zip(views, returned, strict=False)
    wrong = any(view.state == State.FAILS and called.status == "ok" for view, called in gave)
    whole = not any(case.steps for case in part.cases)
    if not hint and wrong and whole:
        hint = looping_words(function)
    closer = "" if hint else closer
    steps = _steps(part, returned) if any(view.state == State.FAILS for view in views) else ()
    told = hint or ("" if steps else _squeezed(part, function, returned) or _slip(part, returned))
    if told and closer and wrong:  # what it is and where it departs are one thing
        told, closer = f"{told}; {briefly(closer)}", ""
    return PartView(
        part.name,
        "code",
        part.points,
        _state(views),
        _headline(views),
        hint=told,
        steps=() if hint else steps,
        cases=tuple(views),
        hidden=part.hidden,
        notes=(*notes, *_cost(part)),
        smallest=smallest if hint != AGAIN else None,
        closer=closer,
    )


def _look_closer(
    part: CodeHandout, function: Callable[..., object], views: Sequence[CaseView], returned: Sequence[Called]
) -> tuple[str, Smallest | None]:
    """Of the first failing case, what does not fit where it stops or the line at which it departs; and a
    small case on which it differs."""
    scripted = any(case.steps for case in part.cases)
    if scripted or any(view.state in (State.STOPPED, State.NOT_RUN) for view in views):
        return "", None
    for case, view, called in zip(part.cases, views, returned, strict=True):
        if view.state == State.FAILS:
            if called.status == "raised":
                return stopping_words(function, case, called.error_type), None
            departs = departing_words(part.name, function, case, called)
            return departs, look_small(part, function, case, called)
    return "", None


def unanswered(part: CodeHandout, headline: str, slips: tuple[str, ...] = ()) -> PartView:
    return PartView(part.name, "code", part.points, State.UNANSWERED, headline, slips, hidden=part.hidden)


def wrong_arguments(function: Callable[..., object], part: CodeHandout) -> str:
    """A sentence where the function cannot be called with the arguments it will be given."""
    if any(case.steps for case in part.cases):
        return ""
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


def _view(problem: str, part: CodeHandout, number: int, called: Called) -> CaseView:
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


def failure(part: CodeHandout, case: VisibleCase, called: Called) -> str:
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
            return NOT_YET
        case _:
            return called.error
    if called.kind == "none" and called.printed.strip():
        return "the function prints its result and returns nothing: end it with return"
    wrong = wrong_result(called, case.expected, part.parameters)
    return wrong.message if wrong else ""


def _blame(called: Called) -> str:
    """What an error usually means, where its own words do not say it."""
    if "numpy()" in called.error or called.origin == "numpy":
        return " (numpy is used on a torch tensor: use torch's own function)"
    if called.error_type == "NameError":
        if fix := missing_import(called.error):
            return f" ({fix})"
        return " (run the cells of the notebook from the top, or define the name in a cell)"
    return ""


def _facts(case: VisibleCase, called: Called) -> tuple[tuple[str, str], ...]:
    if case.steps:  # the message says of which step what is expected
        return ()
    wants = case.expected.outputs
    if case.expected.holds is not None:
        told = [("expected", show(case.expected.holds.value))]
        if called.status == "ok":
            told.append(("got", show(whole(called.kind, called.outputs))))
        return tuple(told)
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


def _tensor_words(name: str, value: Tensor, dtype: Dtype) -> str:
    return f"{name}{list(value.shape)} {short(dtype)}"


def _steps(part: CodeHandout, returned: Sequence[Called]) -> tuple[tuple[str, str], ...]:
    """The hint of the edit whose values these are, in as many steps as were handed out."""
    if part.hints is None or len(returned) < len(part.cases):
        return ()
    answers = [_tensors(case, called) for case, called in zip(part.cases, returned, strict=True)]
    hint = part.hints.open(part.name, answers) if any(answer is not None for answer in answers) else None
    if hint is None:
        return ()
    told = (("where to look", hint.where), ("what kind of slip", hint.kind), ("what it is", hint.says))
    return tuple((about, says) for about, says in told if says)


def _tensors(case: VisibleCase, called: Called) -> Sequence[Tensor] | None:
    """What a call returned, where it is tensors, one or several as asked."""
    fits = (called.kind in ("tuple", "list")) == case.expected.many and {*called.kinds} == {"tensor"}
    return only_tensors(called.outputs) if called.status == "ok" and fits else None


def _slip(part: CodeHandout, returned: Sequence[Called]) -> str:
    """The slip that explains what is wrong in the cases that returned tensors, one or several as asked."""
    beside = [
        Beside(called.outputs, case.expected.outputs, case.sizes, _given(part, case))
        for case, called in zip(part.cases, returned, strict=False)
        if called.status == "ok"
        and case.expected.has_numbers
        and {*called.kinds} == {"tensor"}
        and (called.kind in ("tuple", "list")) == case.expected.many
    ]
    suspect = habit(beside) or structural_slip(beside)
    return suspect.says if suspect else ""


def _squeezed(part: CodeHandout, function: Callable[..., object], returned: Sequence[Called]) -> str:
    """The squeeze() of a function that fails only where an axis has length 1."""
    if len(returned) < len(part.cases) or any(case.steps for case in part.cases):
        return ""
    tried = [
        Tried(has_axis_of_one(case.arguments, case.expected.outputs), _kind_of_failure(part, case, called))
        for case, called in zip(part.cases, returned, strict=True)
    ]
    return squeezing_words(function, tried)


def _kind_of_failure(part: CodeHandout, case: VisibleCase, called: Called) -> str:
    if called.status != "ok":
        return NO_VALUE
    wrong = wrong_result(called, case.expected, part.parameters)
    return wrong.what if wrong else ""


def _given(part: CodeHandout, case: VisibleCase) -> dict[str, Tensor]:
    named = zip(part.parameters, case.arguments, strict=True)
    return {name: value for name, value in named if isinstance(value, Tensor)}


def _slow(part: CodeHandout, case: VisibleCase, called: Called) -> Iterator[str]:
    if called.status == "ok" and called.seconds > part.call_seconds:
        yield f"{case.name}: took {called.seconds:.1f} s; {_allowance(part)}"


def _allowance(part: CodeHandout) -> str:
    return f"when it is graded, a call may take {part.call_seconds:g} s"


def _cost(part: CodeHandout) -> Iterator[str]:
    if part.measured:
        yield "when it is graded, the work and memory of the function are measured too"


def _reproduction(problem: str, part: CodeHandout, number: int) -> str:
    if part.cases[number].steps:
        return ""
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
