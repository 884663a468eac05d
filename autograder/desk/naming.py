"""Pages on wrong answers that nothing explains: the groups, one of them, and the sentence that names it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus

from autograder.classroom.tables import write_whole
from autograder.course.model import Code, Named
from autograder.course.modules import Module
from autograder.course.named import named_text, place_of, read_named
from autograder.desk.causes import Cause, find_causes
from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.marking import code_of, shown_answer
from autograder.desk.opened import OpenClass
from autograder.desk.reading import answer_id
from autograder.gradebook.by_hand import Mark, OvertakenError, marked_by
from autograder.gradebook.said import Place

MOST_WORDS = 5  # of a sentence, in its id


def named_so_far(opened: OpenClass, problem: str) -> tuple[Named, ...]:
    """As the file has it now: somebody may have named one a moment ago, here or by hand."""
    path = opened.course.root / place_of(problem)
    return read_named(path.read_bytes(), []) if path.is_file() else ()


def causes_of(opened: OpenClass) -> list[Cause]:
    named = {problem: named_so_far(opened, problem) for problem in opened.course.problems}
    return find_causes(opened.course, opened.reports.summaries, named)


class Causes(DeskHandler):
    """All groups, the largest first."""

    def get(self) -> None:
        self.show("causes.html", causes=causes_of(self.opened))


class NameCause(DeskHandler):
    """One group: a member's answer, what is wrong with it, who is in it, and a name for it."""

    def get(self, id: str) -> None:
        self._show(self._cause(id), "", 0.0, ())

    def post(self, id: str) -> None:
        cause = self._cause(id)
        says, percent = " ".join(self.typed("says").split()), self.number("percent", 0.0, 99.0)
        if not says:
            raise Refused(HTTPStatus.BAD_REQUEST, "a mistake needs a sentence: what should its author read?")
        share = (percent or 0.0) / 100
        moved = self._moves(cause, says, share)
        if self.typed("do") != "apply":
            self._show(cause, says, share, moved)
            return
        try:
            changes = [(now.seen, then) for now, then in moved]
            self.opened.hand.write(self.session.marker, f"the name “{says}”", changes)
        except OvertakenError as error:
            self.tell(self.overtaken(error.now))
            self.go("wrong", id)
            return
        self.spoken_of(*(then.place for _, then in moved))
        listed = bool(cause.print) and self._list(cause, says, share)
        where = f" and are listed in {place_of(cause.problem)}" if listed else ""
        self.tell(f"{len(moved)} answers have the sentence now{where}")
        self.go("wrong")

    def _cause(self, id: str) -> Cause:
        found = next((each for each in causes_of(self.opened) if each.id == id), None)
        if found is None:
            raise Refused(
                HTTPStatus.NOT_FOUND, "this group is no longer there: it has a name, or was graded again"
            )
        return found

    def _moves(self, cause: Cause, says: str, share: float) -> list[tuple[Mark, Mark]]:
        """What each member's mark is and would be; whom a person has marked already stays as marked."""
        moved = []
        for place in cause.places:
            mark = self.opened.hand.mark(place)
            if mark is not None and mark.score is None:
                score = max(mark.auto or 0.0, round(share * mark.most, 6))
                moved.append((mark, replace(marked_by(mark, [], says, score), marker=self.session.marker)))
        return moved

    def _list(self, cause: Cause, says: str, share: float) -> bool:
        """Add it to the course, with the code or the text by which `verify` proves it."""
        known = named_so_far(self.opened, cause.problem)
        answer = self._answer(cause.places[0], cause)
        if not answer.strip():
            return False
        taken = {each.id for each in known} | {
            each.id for each in self.opened.course.solutions[cause.problem].mistakes
        }
        name = _fresh_id(says, taken)
        path = self.opened.course.root / place_of(cause.problem)
        write_whole(path, named_text([*known, Named(name, cause.part, says, share, cause.print, answer)]))
        return True

    def _answer(self, place: Place, cause: Cause) -> str:
        part = self.opened.course.problems[place.problem].part(place.part)
        if not isinstance(part, Code | Module):
            return cause.row.read_as
        return _without_comments(code_of(self, place))

    def _show(self, cause: Cause, says: str, share: float, moved: Sequence[tuple[Mark, Mark]]) -> None:
        place = cause.places[0]
        self.show(
            "cause.html",
            cause=cause,
            says_typed=says,
            percent=round(100 * share, 2),
            moved=[(self._label(now.place), now, then) for now, then in moved],
            members=[(self._label(each), each, answer_id(each)) for each in cause.places],
            label=self._label(place),
            question=None,
            **shown_answer(self, place, cause.row, cause.row.read_as),
        )

    def _label(self, place: Place) -> str:
        return f"answer {answer_id(place)[:4]}" if self.session.hide_names else place.student


def _fresh_id(says: str, taken: set[str]) -> str:
    words = re.findall(r"[a-z0-9]+", says.lower())[:MOST_WORDS]
    name = "_".join(words) or "named"
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (name, *numbered) if each not in taken)


def _without_comments(code: str) -> str:
    """What a student wrote beside the code may tell who it was."""
    try:
        return ast.unparse(ast.parse(code)) + "\n"
    except SyntaxError:  # a notebook's own commands
        return code
