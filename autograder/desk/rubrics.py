"""Pages on which a rubric grows while answers are marked: items are added, and get other points and words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus

from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.open_class import OpenClass, OpenQuestion
from autograder.desk.reading_order import answer_id, digest_of
from autograder.gradebook.by_hand import HandMark, OvertakenError, marked_by
from autograder.gradebook.rubric import Item, chosen

MOST_POINTS = 1000.0


@dataclass(frozen=True)
class Moved:
    """An answer that has an item: its mark as it is, and as it becomes."""

    now: HandMark
    then: HandMark

    @property
    def moves(self) -> bool:
        return self.now.score != self.then.score


def find_moves(opened: OpenClass, question: OpenQuestion, item: Item) -> list[Moved]:
    """Everyone who has the item, in every set that asks the question. A mark that was typed stays."""
    known = opened.hand.items(question.problem, question.part)
    items = [item if each.id == item.id else each for each in known]
    found = []
    for group in opened.course.sets:
        if question.problem in group.problems:
            marks = opened.hand.marks(group.id, question.problem, question.part)
            for mark in marks.values():
                if item.id in mark.items:
                    typed = mark.score if mark.typed else None
                    then = marked_by(mark, chosen(items, mark.items), mark.words, typed)
                    found.append(Moved(mark, replace(then, waits=mark.waits)))
    return found


class Rubric(DeskHandler):
    """The items of a question, and a form for one more."""

    def get(self, *names: str) -> None:
        question = self.question(*names)
        items = self.opened.hand.items(question.problem, question.part)
        self.show(
            "rubric.html",
            question=question,
            part=self.opened.course.problems[question.problem].part(question.part),
            items=[(item, len(find_moves(self.opened, question, item))) for item in items],
            back=self.get_query_argument("back", ""),
        )

    def post(self, *names: str) -> None:
        question = self.question(*names)
        points, says = self.number("points", -MOST_POINTS, MOST_POINTS), self.typed("says")
        if points is None or not says:
            raise Refused(HTTPStatus.BAD_REQUEST, "an item needs its points and its words")
        self.opened.hand.add_items(question.problem, question.part, [(points, " ".join(says.split()))])
        back = self.typed("back")
        self.go("read", *names, back) if back else self.go("rubric", *names)


class ChangeItem(DeskHandler):
    """Other points or words for an item: who would move, and then who has."""

    def _item(self, question: OpenQuestion, id: str) -> Item:
        items = self.opened.hand.items(question.problem, question.part)
        found = next((item for item in items if str(item.id) == id), None)
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "the rubric has no such item")
        return found

    def post(self, *names: str) -> None:
        *asked, id = names
        question = self.question(*asked)
        item, points = self._item(question, id), self.number("points", -MOST_POINTS, MOST_POINTS)
        back, says = self.typed("back"), " ".join(self.typed("says").split())
        then = replace(item, points=item.points if points is None else points, says=says or item.says)
        if then == item:
            self.go("rubric", *asked, back=back)
            return
        others = self.opened.hand.items(question.problem, question.part)
        if any(each.says == then.says and each.id != item.id for each in others):
            raise Refused(HTTPStatus.BAD_REQUEST, "the rubric has another item of these words")
        moved = find_moves(self.opened, question, then)
        moved.sort(key=lambda each: self._label(each.now))
        apply, shown = self.typed("do") == "apply", digest_of(each.then for each in moved)
        if then.points != item.points and (not apply or self.typed("shown") != shown):
            if apply:
                self.tell("who would move is another list now: look, then change it")
            labels = [self._label(each.now) for each in moved]
            rows = [(each, label) for each, label in zip(moved, labels, strict=True) if each.moves]
            typed = sum(each.now.typed for each in moved)
            self.show(
                "moves.html",
                question=question,
                item=item,
                then=then,
                rows=rows,
                typed=typed,
                shown=shown,
                back=back,
            )
            return
        what = _what_changes(item, then)
        try:
            changes = [(each.now.seen, each.then) for each in moved]
            self.opened.hand.change_item(self.session.marker, what, item, then, changes)
        except (OvertakenError, LookupError):
            self.tell("somebody has changed the rubric or a mark meanwhile; nothing is changed: try again")
            self.go("rubric", *asked, back=back)
            return
        self.spoken_of(*(each.now.place for each in moved))
        told = [
            f"{self._label(each.now)} {each.now.score:g} → {each.then.score:g}"
            for each in moved
            if each.moves
        ]
        self.tell(f"{what}. {'Moved: ' + ', '.join(told) if told else 'Nobody moves'}")
        self.go("rubric", *asked, back=back)

    def _label(self, mark: HandMark) -> str:
        return f"answer {answer_id(mark.place)[:4]}" if self.session.hide_names else mark.place.student


def _what_changes(item: Item, then: Item) -> str:
    words = repr(item.says) if then.says == item.says else f"{item.says!r} reads {then.says!r} now"
    if then.points == item.points:
        return words
    return f"{words}{'' if then.says == item.says else ','} worth {then.points:g} instead of {item.points:g}"
