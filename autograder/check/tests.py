"""The visible tests of a part, run on the notebook's own names: each becomes a view, as a case does."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping

from autograder.calls.failure import NOT_YET
from autograder.calls.local_names import local_ask
from autograder.calls.run_author_tests import load_tests, run_test
from autograder.check.panel import CaseView, PartView, State
from autograder.check.progress import Progress, begin
from autograder.check.time_limit import TooLong, guarded
from autograder.release.handout import TestsHandout


def check_tests(
    part: TestsHandout, namespace: Mapping[str, object], progress: Progress, limit: float
) -> PartView:
    """Run every visible test; after an interrupt the remaining ones are left."""
    place = f"<tests of {part.name}>"
    tests = load_tests(part.source, [name for name, _ in part.tests], place)
    views: list[CaseView] = []
    for test, (_, says), plain in zip(tests, part.tests, part.plain, strict=True):
        if views and views[-1].state == State.STOPPED:
            views.append(CaseView(says, State.NOT_RUN, "not run"))
            continue
        watch = begin(progress, part.name, says)
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed), guarded(limit, watch):
                tested = run_test(test, local_ask(namespace, TooLong), place, frozenset(plain))
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
