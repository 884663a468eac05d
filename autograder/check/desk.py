"""The check of a notebook: the names it has set and a problem's sheet come in, a panel goes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from autograder.check import slips
from autograder.check.call import STOP_SECONDS
from autograder.check.code import check_code, unanswered, wrong_arguments
from autograder.check.file import Saved
from autograder.check.history import History
from autograder.check.progress import Shown
from autograder.check.reading import check_text
from autograder.check.sheet import CodeSheet, PartSheet, Sheet, kind_of_part, stub_of
from autograder.check.view import Panel, PartView, State
from autograder.model import Prose


@dataclass(frozen=True)
class Desk:
    """One notebook being checked. `saved` is its file, `history` the cells it ran, as far as known."""

    sheet: Sheet
    namespace: Mapping[str, Any]
    saved: Saved | None = None
    history: History = field(default_factory=History)
    limit: float = STOP_SECONDS

    def check(self, part: str | None = None) -> Panel:
        """The panel of one part, or of all of them."""
        sheet = self.sheet
        if part is None:
            parts: tuple[PartSheet, ...] = sheet.parts
        else:
            found = sheet.part(part)
            if found is None:
                names = ", ".join(each.name for each in sheet.parts)
                return Panel(
                    sheet.problem,
                    sheet.title,
                    trouble=f"{sheet.problem} has no part {part!r}; it has {names}",
                )
            parts = (found,)
        progress = Shown(sum(len(each.cases) for each in parts if isinstance(each, CodeSheet)))
        views: list[PartView] = []
        try:
            for each in parts:
                views.append(self._part(each, progress))
                if views[-1].state == State.STOPPED:
                    break
        finally:
            progress.close()
        views += [_not_run(each) for each in parts[len(views) :]]
        general = tuple(slips.shadowed(self.namespace))
        return Panel(sheet.problem, sheet.title, tuple(views), part is None, general)

    def _part(self, part: PartSheet, progress: Shown) -> PartView:
        if isinstance(part, Prose):
            return self._prose(part)
        if part.name not in self.namespace:
            others = frozenset(each.name for each in self.sheet.parts)
            why = slips.absent(part, self.namespace, self.saved, self.history, others)
            return _open(part, why)
        value = self.namespace[part.name]
        view = self._code(part, value, progress) if isinstance(part, CodeSheet) else self._text(part, value)
        return replace(view, slips=(*view.slips, *self._of_the_file(part, value)))

    def _code(self, part: CodeSheet, function: Any, progress: Shown) -> PartView:
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
        return check_code(self.sheet.problem, part, function, progress, self.limit)

    def _text(self, part: PartSheet, value: Any) -> PartView:
        assert not isinstance(part, CodeSheet | Prose)
        if not isinstance(value, str):
            why = slips.not_text(part, value)
            return PartView(
                part.name, kind_of_part(part), part.points, State.UNREADABLE, "cannot be read", (why,)
            )
        return check_text(part, value)

    def _of_the_file(self, part: PartSheet, value: Any) -> Iterator[str]:
        yield from slips.doubled(part, self.saved)
        yield from slips.edited(part, self.saved, self.history)
        if isinstance(part, CodeSheet) and callable(value):
            yield from slips.stale(value, self.namespace, self.saved, self.history)

    def _prose(self, part: Prose) -> PartView:
        text = self.saved.prose(part.name) if self.saved else None
        view = PartView(part.name, "prose", part.points, State.BY_HAND, "a person reads this one")
        if self.saved is not None and text is None:
            return replace(view, state=State.UNANSWERED, headline="its answer cell is gone from the notebook")
        if text is not None and text in ("", stub_of(part).strip()):
            return replace(
                view, state=State.UNANSWERED, headline="not answered yet, in the notebook as it was saved"
            )
        return view


def _open(part: PartSheet, why: str) -> PartView:
    if isinstance(part, CodeSheet):
        return unanswered(part, "not answered yet", (why,))
    return PartView(part.name, kind_of_part(part), part.points, State.UNANSWERED, "not answered yet", (why,))


def _not_run(part: PartSheet) -> PartView:
    return PartView(
        part.name, kind_of_part(part), part.points, State.NOT_RUN, "not checked: the check was stopped"
    )


def example_of(
    sheet: Sheet, part: str, number: int, revive: Callable[[Any], Any]
) -> tuple[tuple[Any, ...], Any]:
    """The arguments of one visible case, and what is expected of them, in the precision of the case."""
    code = sheet.part(part)
    if not isinstance(code, CodeSheet) or not 0 <= number < len(code.cases):
        raise ValueError(f"{sheet.problem} has no case {number} of {part}")
    case = code.cases[number]
    values = tuple(want.values.to(want.dtype) for want in case.expected.outputs)
    return tuple(revive(argument) for argument in case.arguments), values if case.expected.many else values[0]
