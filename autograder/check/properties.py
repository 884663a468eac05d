"""The properties of a code part, decided on the notebook's own function for each visible case."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping

from autograder.calls.failure import NOT_YET
from autograder.calls.local_names import local_ask
from autograder.calls.properties import Promise, decide
from autograder.calls.run_author_tests import load_tests
from autograder.check.panel import CaseView, PartView, State
from autograder.check.progress import Progress, begin
from autograder.check.time_limit import TooLong, guarded
from autograder.release.handout import CodeHandout


def check_properties(
    part: CodeHandout, namespace: Mapping[str, object], progress: Progress, limit: float
) -> PartView:
    """Every visible case; after an interrupt the remaining ones are left."""
    place = f"<properties of {part.name}>"
    checks = load_tests(part.source, [name for name, _ in part.holds], place)
    holds = [(says, check) for (_, says), check in zip(part.holds, checks, strict=True)]
    views: list[CaseView] = []
    for case in part.cases:
        if views and views[-1].state == State.STOPPED:
            views.append(CaseView(case.name, State.NOT_RUN, "not run"))
            continue
        watch = begin(progress, part.name, case.name)
        printed = io.StringIO()
        promise = Promise(part.doc, part.parameters, case.sizes, case.dtype)
        try:
            with contextlib.redirect_stdout(printed), guarded(limit, watch):
                found = decide(
                    holds, part.name, promise, case.arguments, local_ask(namespace, TooLong), place
                )
        except TooLong:
            views.append(CaseView(case.name, State.FAILS, f"stopped after {limit:.0f} s"))
        except KeyboardInterrupt:
            views.append(CaseView(case.name, State.STOPPED, "interrupted"))
        else:
            state = State.PASSES if found.passed else State.FAILS
            views.append(CaseView(case.name, state, found.says, printed=printed.getvalue()[:2000].rstrip()))
    if all(NOT_YET.partition(":")[0] in view.message for view in views):
        return PartView(part.name, "code", part.points, State.UNANSWERED, NOT_YET, hidden=part.hidden)
    passed = sum(view.state == State.PASSES for view in views)
    state = next((view.state for view in views if view.state in (State.FAILS, State.STOPPED)), State.PASSES)
    headline = f"{passed} of {len(views)} visible cases pass"
    return PartView(part.name, "code", part.points, state, headline, cases=tuple(views), hidden=part.hidden)
