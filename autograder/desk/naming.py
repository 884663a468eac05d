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
from autograder.course.named_mistakes import named_text, place_of, read_named
from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.marking import code_of, shown_answer
from autograder.desk.open_class import OpenClass
from autograder.desk.reading_order import answer_id, digest_of
from autograder.desk.unexplained_groups import Cause, Variant, find_causes
from autograder.gradebook.by_hand import DeskStep, HandMark, OvertakenError, marked_by
from autograder.gradebook.said_by_person import AnswerPlace
from autograder.pages.todo import count

MOST_WORDS = 5  # of a sentence, in its id


def named_so_far(opened: OpenClass, problem: str) -> tuple[Named, ...]:
    """As the file has it now: somebody may have named one a moment ago, here or by hand."""
    path = opened.course.root / place_of(problem)
    return read_named(path.read_bytes(), []) if path.is_file() else ()


def causes_of(opened: OpenClass) -> list[Cause]:
    """What is still to be named: of groups that no list can hold, those with somebody whom a name moves."""
    named = {problem: named_so_far(opened, problem) for problem in opened.course.problems}
    found = find_causes(opened.course, opened.reports.summaries, named)
    marked = {mark.place for mark in opened.hand.all_marks() if mark.score is not None}
    return [cause for cause in found if cause.is_listable or not marked.issuperset(cause.places)]


class Causes(DeskHandler):
    """All groups, the largest first."""

    def get(self) -> None:
        self.show("causes.html", causes=causes_of(self.opened))


def moves_of(
    opened: OpenClass, cause: Cause, marker: str, says: str, share: float
) -> list[tuple[HandMark, HandMark]]:
    """What each member's mark is and would be; whom a person has marked already stays as marked."""
    moved = []
    for place in cause.places:
        mark = opened.hand.mark(place)
        if mark is not None and mark.score is None:
            score = max(mark.auto or 0.0, round(share * mark.most, 6))
            moved.append((mark, replace(marked_by(mark, [], says, score), marker=marker)))
    return moved


def name_group(
    opened: OpenClass, cause: Cause, marker: str, says: str, share: float
) -> tuple[AnswerPlace, ...]:
    """Give the sentence to a group and list it in the course; nothing of it where somebody was first."""
    moved = moves_of(opened, cause, marker, says, share)
    opened.hand.write(
        marker, _step(cause.problem, cause.part, says), [(now.seen, then) for now, then in moved]
    )
    _list(opened, cause, says, share)
    return tuple(then.place for _, then in moved)


def forget_name(opened: OpenClass, step: DeskStep) -> None:
    """A name that was taken back is no longer listed either."""
    for problem in opened.course.problems:
        known = named_so_far(opened, problem)
        kept = [each for each in known if _step(problem, each.of, each.says) != step.what]
        if len(kept) < len(known):
            write_whole(opened.course.root / place_of(problem), named_text(kept))


def _step(problem: str, part: str, says: str) -> str:
    return f"the name “{says}” in {problem}.{part}"


def _list(opened: OpenClass, cause: Cause, says: str, share: float) -> None:
    """Add it to the course, each variant with the code or the text by which `verify` proves it."""
    known = list(named_so_far(opened, cause.problem))
    taken = {each.id for each in known} | {
        each.id for each in opened.course.solutions[cause.problem].mistakes
    }
    for variant in cause.variants:
        answer = _answer(opened, variant)
        if variant.print and answer.strip():
            name = _fresh_id(says, taken)
            taken.add(name)
            known.append(Named(name, cause.part, says, share, variant.print, answer))
    write_whole(opened.course.root / place_of(cause.problem), named_text(known))


def _answer(opened: OpenClass, variant: Variant) -> str:
    place = variant.places[0]
    if not isinstance(opened.course.problems[place.problem].part(place.part), Code | Module):
        return variant.row.read_as
    return _without_comments(code_of(opened, place))


class NameCause(DeskHandler):
    """One group: an answer of each variant, what is wrong with it, who is in it, and a name for it."""

    def get(self, id: str) -> None:
        self._show(self._cause(id), "", 0.0)

    def post(self, id: str) -> None:
        cause = self._chosen(self._cause(id))
        # The grader goes on after it with a semicolon.
        says, percent = (
            " ".join(self.typed("says").split()).removesuffix("."),
            self.number("percent", 0.0, 99.0),
        )
        if not says:
            raise Refused(HTTPStatus.BAD_REQUEST, "a mistake needs a sentence: what should its author read?")
        share = (percent or 0.0) / 100
        moved = moves_of(self.opened, cause, self.session.marker, says, share)
        apply = self.typed("do") == "apply"
        if not apply or self.typed("shown") != digest_of(then for _, then in moved):
            if apply:
                self.tell("who would move is another list now, or with other marks: look, then name them")
            self._show(self._cause(id), says, share, moved, cause)
            return
        try:
            moved_to = name_group(self.opened, cause, self.session.marker, says, share)
        except OvertakenError as error:
            self.tell(self.overtaken(error.now))
            self.go("wrong", id)
            return
        self.spoken_of(*moved_to)
        where = (
            f" and {'is' if len(moved_to) == 1 else 'are'} listed in {place_of(cause.problem)}"
            if cause.is_listable
            else ""
        )
        have = "has" if len(moved_to) == 1 else "have"
        self.tell(f"{count(len(moved_to), 'answer')} {have} the sentence now{where}")
        self.go("wrong")

    def _cause(self, id: str) -> Cause:
        found = next((each for each in causes_of(self.opened) if each.id == id), None)
        if found is None:
            raise Refused(
                HTTPStatus.NOT_FOUND, "this group is no longer there: it has a name, or was graded again"
            )
        return found

    def _chosen(self, cause: Cause) -> Cause:
        """The variants that were ticked; the form of a group with one has no ticks."""
        if len(cause.variants) == 1:
            return cause
        ticked = set(self.get_body_arguments("variant"))
        kept = tuple(each for each in cause.variants if answer_id(each.places[0]) in ticked)
        if not kept:
            raise Refused(HTTPStatus.BAD_REQUEST, "tick at least one of the variants: whom is it true of?")
        return replace(cause, variants=kept)

    def _show(
        self,
        cause: Cause,
        says: str,
        share: float,
        moved: Sequence[tuple[HandMark, HandMark]] | None = None,
        chosen: Cause | None = None,
    ) -> None:
        ticked = (chosen or cause).variants
        self.show(
            "cause.html",
            cause=cause,
            says_typed=says,
            percent=round(100 * share, 2),
            moved=sorted(
                ((self._label(now.place), now, then) for now, then in moved or ()), key=lambda each: each[0]
            ),
            looked=moved is not None,
            shown=digest_of(then for _, then in moved or ()),
            selected=sum(len(each.places) for each in ticked),
            variants=[(each in ticked, self._shown(each)) for each in cause.variants],
            members=sorted((self._label(each), each, answer_id(each)) for each in cause.places),
        )

    def _shown(self, variant: Variant) -> dict[str, object]:
        place = variant.places[0]
        about = {"label": self._label(place), "id": answer_id(place), "size": len(variant.places)}
        return about | shown_answer(self, place, variant.row, variant.row.read_as)

    def _label(self, place: AnswerPlace) -> str:
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
