"""The check of a notebook: the names it has set and a problem's handout come in, a panel goes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from autograder.calls.compare_values import plainly
from autograder.check import notebook_slips as slips
from autograder.check.broken_cell import explain
from autograder.check.cells_run import History
from autograder.check.code import check_code, unanswered, wrong_arguments
from autograder.check.panel import LineView, Panel, PartView, State
from autograder.check.progress import ProgressLine
from autograder.check.properties import check_properties
from autograder.check.run_case import STOP_SECONDS
from autograder.check.saved_notebook import SavedNotebook
from autograder.check.tests import check_tests
from autograder.check.written_answer import check_text
from autograder.course.model import Prose
from autograder.notebook.loose_text import Sections
from autograder.release.handout import CodeHandout, Handout, PartHandout, TestsHandout, kind_of_part

NOT_YET = "not answered yet"


@dataclass(frozen=True)
class Checker:
    """One notebook being checked. `saved` is its file, `history` the cells it ran, as far as known."""

    handout: Handout
    namespace: Mapping[str, object]
    saved: SavedNotebook | None = None
    history: History = field(default_factory=History)
    limit: float = STOP_SECONDS

    def check(self, part: str | None = None) -> Panel:
        """The panel of one part, or of all of them."""
        handout = self.handout
        if part is None:
            parts: tuple[PartHandout, ...] = handout.parts
        else:
            found = handout.part(part)
            if found is None:
                names = ", ".join(each.name for each in handout.parts)
                return Panel(
                    handout.problem,
                    handout.title,
                    trouble=f"{handout.problem} has no part {part!r}; it has {names}",
                )
            parts = (found,)
        progress = ProgressLine(sum(_tries(each) for each in parts))
        views: list[PartView] = []
        try:
            for each in parts:
                views.append(self._part(each, progress))
                if views[-1].state == State.STOPPED:
                    break
        finally:
            progress.close()
        views += [_not_run(each) for each in parts[len(views) :]]
        general = (
            *slips.shadowed(self.namespace),
            *slips.changed_given(handout.given, self.saved),
            *slips.imported(handout.imports, self.saved),
        )
        return Panel(handout.problem, handout.title, tuple(views), part is None, general)

    def _part(self, part: PartHandout, progress: ProgressLine) -> PartView:
        if isinstance(part, Prose):
            return self._prose(part)
        if isinstance(part, TestsHandout):
            return check_tests(part, self.namespace, progress, self.limit)
        if part.name not in self.namespace:
            return self._absent(part)
        value = self.namespace[part.name]
        view = self._code(part, value, progress) if isinstance(part, CodeHandout) else self._text(part, value)
        return replace(view, slips=(*view.slips, *self._of_the_file(part, value)))

    def _absent(self, part: PartHandout) -> PartView:
        ran = self.history.last_to_set(part.name)
        fault = explain(ran.source) if ran is not None else None
        if ran is not None and fault is not None:
            fault = replace(fault, says=fault.says + slips.unquoted(part, ran.source))
            view = PartView(part.name, kind_of_part(part), part.points, State.UNREADABLE, "")
            return replace(view, headline=f"{ran.title} cannot be run", lines=(LineView(fault=fault),))
        others = frozenset(each.name for each in self.handout.parts)
        why = slips.absent(part, self.namespace, self.saved, self.history, others)
        if isinstance(part, CodeHandout):
            return unanswered(part, NOT_YET, (why,))
        return PartView(part.name, kind_of_part(part), part.points, State.UNANSWERED, NOT_YET, (why,))

    def _code(self, part: CodeHandout, function: object, progress: ProgressLine) -> PartView:
        if not callable(function):
            why = (
                f"{part.name} is not a function: a cell sets it to something else; run its answer cell again"
            )
            return PartView(part.name, "code", part.points, State.FAILS, "cannot be called", (why,))
        wrong = wrong_arguments(function, part)
        if wrong:
            return PartView(
                part.name, "code", part.points, State.FAILS, "cannot be called", (wrong,), hidden=part.hidden
            )
        if part.holds:
            return check_properties(part, self.namespace, progress, self.limit)
        return check_code(self.handout.problem, part, function, progress, self.limit)

    def _text(self, part: PartHandout, value: object) -> PartView:
        assert not isinstance(part, CodeHandout | TestsHandout | Prose)
        if value is None:
            why = f'{part.name} is None: write the answer as text in quotes, {part.name} = "…"'
            return PartView(part.name, kind_of_part(part), part.points, State.UNANSWERED, NOT_YET, (why,))
        if not isinstance(value, str):
            why = slips.not_text(part, value)
            return PartView(
                part.name, kind_of_part(part), part.points, State.UNREADABLE, "cannot be read", (why,)
            )
        return check_text(part, value)

    def _of_the_file(self, part: PartHandout, value: object) -> Iterator[str]:
        yield from slips.doubled(part, self.saved)
        yield from slips.from_below(part, self.saved)
        yield from slips.failed_since(part, self.history)
        yield from slips.edited(part, self.saved, self.history)
        if isinstance(part, CodeHandout) and callable(value):
            yield from slips.stale(value, self.namespace, self.saved, self.history)

    def _prose(self, part: Prose) -> PartView:
        view = PartView(part.name, "prose", part.points, State.BY_HAND, "a person reads this one")
        if self.saved is None:
            return view
        names = [each.name for each in self.handout.parts]
        prose = frozenset(each.name for each in self.handout.parts if isinstance(each, Prose))
        sections = Sections(self.saved.cells, names, prose, {})
        if sections.answer(part.name):
            return view
        there = sections.has_cell(part.name)
        why = "not answered yet, in the notebook as it was saved" if there else "its answer cell is gone"
        return replace(view, state=State.UNANSWERED, headline=why)


def _tries(part: PartHandout) -> int:
    match part:
        case CodeHandout():
            return len(part.cases)
        case TestsHandout():
            return len(part.tests)
    return 0


def _not_run(part: PartHandout) -> PartView:
    return PartView(
        part.name, kind_of_part(part), part.points, State.NOT_RUN, "not checked: the check was stopped"
    )


def example_of(
    handout: Handout, part: str, number: int, revive: Callable[[object], object]
) -> tuple[tuple[object, ...], object]:
    """The arguments of one visible case, and what is expected of them, in the precision of the case."""
    code = handout.part(part)
    if not isinstance(code, CodeHandout) or not 0 <= number < len(code.cases):
        raise ValueError(f"{handout.problem} has no case {number} of {part}")
    case = code.cases[number]
    arguments = tuple(revive(argument) for argument in case.arguments)
    if case.expected.holds is not None:
        return arguments, plainly(case.expected.holds.value)
    values = tuple(want.values.to(want.dtype) for want in case.expected.outputs)
    return arguments, values if case.expected.many else values[0]
