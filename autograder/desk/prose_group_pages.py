"""Pages on which similar prose stands together, and one mark goes to all of it that was looked at."""

from __future__ import annotations

from http import HTTPStatus

from autograder.desk.group_prose import group_alike
from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.marking import beside_answer
from autograder.desk.reading_order import Answer, make_pile
from autograder.gradebook.by_hand import OvertakenError, marked_by
from autograder.gradebook.rubric import chosen
from autograder.pages.markdown import render_markdown
from autograder.pages.todo import count


class Alike(DeskHandler):
    """The unmarked answers to a question in groups; a form marks those members that somebody ticked."""

    def get(self, *names: str) -> None:
        question = self.question(*names)
        pile = make_pile(self.opened, question, hide_names=self.session.hide_names)
        waiting = [answer for answer in pile.answers if not answer.is_marked]
        groups = [[waiting[place] for place in group] for group in group_alike([a.text for a in waiting])]
        at = self.get_query_argument("group", "")
        place = next((number for number, group in enumerate(groups) if group[0].id == at), 0)
        self.show(
            "alike.html",
            question=question,
            groups=groups,
            place=place,
            group=[(answer, render_markdown(answer.text)) for answer in (groups[place] if groups else ())],
            most=self.opened.course.problems[question.problem].part(question.part).points,
            items=self.opened.hand.items(question.problem, question.part),
            pile=pile,
            **beside_answer(self, question),
        )

    def post(self, *names: str) -> None:
        """One mark for all that were ticked, each by a person who had it before their eyes."""
        question = self.question(*names)
        pile = make_pile(self.opened, question, hide_names=self.session.hide_names)
        seen = dict(each.split(" ", 1) for each in self.get_body_arguments("looked") if " " in each)
        members: list[Answer] = [answer for answer in pile.answers if answer.id in seen]
        if not members:
            raise Refused(
                HTTPStatus.BAD_REQUEST, "tick the answers that you have looked at: none is marked unseen"
            )
        known = self.opened.hand.items(question.problem, question.part)
        items = chosen(known, {int(each) for each in self.get_body_arguments("item") if each.isdigit()})
        score, words = self.number("score", 0.0, members[0].mark.most), self.typed("words")
        if score is None and not items:
            raise Refused(HTTPStatus.BAD_REQUEST, "a group needs a mark: tick an item or type one")
        changes = [(seen[a.id], marked_by(a.mark, items, words, score)) for a in members]
        try:
            self.opened.hand.write(
                self.session.marker, f"one mark for {count(len(members), 'answer')}", changes
            )
        except OvertakenError as error:
            self.tell(self.overtaken(error.now))
        else:
            self.spoken_of(*(answer.place for answer in members))
            self.tell(f"{count(len(members), 'answer')} marked")
        self.go("alike", *names)
