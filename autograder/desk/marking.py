"""Pages on which answers are read and marked, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from markupsafe import Markup

from autograder.classroom.feedback_pages import copy_of
from autograder.course.model import Code, Prose
from autograder.course.modules import Module
from autograder.course.varying_problem import in_general, number_for, put_in, values_of
from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.open_class import OpenClass, OpenQuestion
from autograder.desk.reading_order import Answer, Pile, Show, answer_id, make_pile
from autograder.grade.hidden_hints import LIKE_VISIBLE
from autograder.grade.report import PartReport, Status
from autograder.gradebook.by_hand import HandMark, OvertakenError, marked_by
from autograder.gradebook.rubric import chosen
from autograder.gradebook.said_by_person import AnswerPlace
from autograder.notebook.submitted import read_submission
from autograder.pages.highlight import highlight
from autograder.pages.markdown import render_markdown
from autograder.pages.quoted_errors import told

KEYS = 9  # items that have a key of their own
MOST_CODE = 20_000  # characters


class MarkingHandler(DeskHandler):
    """What reading and marking share: a pile of answers, and the one that lies on top."""

    def pile(self, question: OpenQuestion) -> Pile:
        return make_pile(self.opened, question, hide_names=self.session.hide_names)

    @property
    def filter(self) -> Show:
        asked = self.get_argument("show", "")
        return Show(asked) if asked in [*Show] else Show.UNMARKED

    def answer(self, pile: Pile, id: str) -> Answer:
        """The answer of this id, also one that nobody is asked to read: it can be marked by hand as well."""
        found = pile.find(id) or self._other(pile.question, id)
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "there is no such answer: it may have been taken back")
        return found

    def _other(self, question: OpenQuestion, id: str) -> Answer | None:
        for student, mark in self.opened.hand.marks(question.set, question.problem, question.part).items():
            if answer_id(mark.place) == id:
                report = self.opened.reports.summaries.get((student, question.set, question.problem))
                row = next((r for r in (report.parts if report else ()) if r.part == question.part), None)
                label = f"answer {id[:4]}" if self.session.hide_names else student
                return Answer(id, label, row.read_as if row else "", mark, row)
        return None


class First(MarkingHandler):
    """The first answer that a filter lets through."""

    def get(self, *names: str) -> None:
        question = self.question(*names)
        pile, show = self.pile(question), self.filter
        kept = pile.shown(show, self.session.marker)
        if kept:
            self.go("read", *names, kept[0].id, show=show)
        else:
            self.show("nothing.html", question=question, show=show, kinds=[*Show], pile=pile)


class ReadingPage(MarkingHandler):
    """One answer: its words, the rubric, the guide and the model answer."""

    def get(self, *names: str) -> None:
        *asked, id = names
        question = self.question(*asked)
        pile, show = self.pile(question), self.filter
        answer = self.answer(pile, id)
        parts = self._same_student(answer)
        before, after = self._by_parts(answer, parts) if _is_absent(answer) else self._in_pile(pile, id)
        self.show(
            "read.html",
            question=question,
            part=self.opened.course.problems[question.problem].part(question.part),
            answer=answer,
            items=self.opened.hand.items(question.problem, question.part),
            keys=KEYS,
            show=show,
            kinds=[*Show],
            pile=pile,
            before=before,
            after=after,
            step=lambda place: (*place[1:], answer_id(place)),
            others=parts,
            appeals=[each for each in self.opened.hand.appeals() if each.place == answer.place],
            **shown_answer(self, answer.place, answer.row, answer.text),
            **beside_answer(self, question, answer.place.student),
        )

    def _in_pile(self, pile: Pile, id: str) -> tuple[AnswerPlace | None, AnswerPlace | None]:
        """The answers before and after this one, as the filter lets them through."""
        kept = pile.shown(self.filter, self.session.marker, beside=id)
        # Of the unmarked one goes back to what was marked a moment ago, which is none of them any more.
        passed = pile.answers if self.filter == Show.UNMARKED else kept
        at, back = (next((n for n, a in enumerate(each) if a.id == id), 0) for each in (kept, passed))
        others = [each for each in kept if each.id != id]
        following = kept[at + 1 : at + 2] or others[:1]
        return passed[back - 1].place if back > 0 else None, following[0].place if following else None

    def _by_parts(
        self, answer: Answer, parts: Sequence[tuple[HandMark, str]]
    ) -> tuple[AnswerPlace | None, AnswerPlace | None]:
        """Part by part: what was handed in on paper is marked student by student."""
        places = [mark.place for mark, _ in parts]
        at = places.index(answer.place)
        return places[at - 1] if at > 0 else None, places[at + 1] if at + 1 < len(places) else None

    def _same_student(self, answer: Answer) -> list[tuple[HandMark, str]]:
        """The parts of the same notebook, and of the whole set where nothing was handed in."""
        student, set_id, asked, _ = answer.place
        absent = _is_absent(answer)
        marks = self.opened.hand.marks_of(student, set_id)
        places = [
            AnswerPlace(student, set_id, problem.id, part.name)
            for group, problem in self.opened.course.assignments
            if group.id == set_id and (absent or problem.id == asked)
            for part in problem.parts
        ]
        return [(marks[place], answer_id(place)) for place in places if place in marks]


def _is_absent(answer: Answer) -> bool:
    """Whether there is no file of it, so that nobody comes by it who reads the others."""
    return answer.row is None or answer.row.status == Status.MISSING


class Save(MarkingHandler):
    """A mark, as the form of an answer sends it."""

    def post(self, *names: str) -> None:
        *asked, id = names
        question = self.question(*asked)
        answer = self.answer(self.pile(question), id)
        known = self.opened.hand.items(question.problem, question.part)
        ticked = {int(each) for each in self.get_body_arguments("item") if each.isdigit()}
        score = self.number("score", 0.0, answer.mark.most)
        items = chosen(known, ticked)
        mark = marked_by(answer.mark, items, self.typed("words"), score)
        what = f"the mark of {answer.label}"
        try:
            self.opened.hand.write(self.session.marker, what, [(self.typed("seen"), mark)])
        except OvertakenError as error:
            if self.wants_json:
                raise
            self.tell(self.overtaken(error.now))
            self.go("read", *names, show=self.filter)
            return
        self.spoken_of(answer.place)
        if self.wants_json:
            self.finish(self._saved(question, id))
        elif self.get_body_argument("then", "") == "next" and (after := self.get_body_argument("after", "")):
            self.go("read", *after.split("/"), show=self.filter)
        else:
            self.go("read", *names, show=self.filter)

    def _saved(self, question: OpenQuestion, id: str) -> dict[str, object]:
        pile = self.pile(question)
        now = self.answer(pile, id).mark
        return {
            "seen": now.seen,
            "mark": "" if now.score is None else f"{now.score:g}",
            "marked": pile.marked,
            "of": len(pile.answers),
            "told": "",
        }


def shown_answer(
    handler: DeskHandler, place: AnswerPlace, row: PartReport | None, text: str
) -> dict[str, object]:
    """An answer as it is read: prose typeset, code with the line at which it departs."""
    part = handler.opened.course.problems[place.problem].part(place.part)
    if isinstance(part, Prose):
        return {"html": render_markdown(text), "code": Markup(""), "says": [], "prose": True}
    code = code_of(handler.opened, place) if isinstance(part, Code | Module) else ""
    says = told(_telling(row.feedback[:MOST_CODE]) if row else "")
    return {"html": Markup.escape(text), "code": highlight(code), "says": says, "prose": False}


def _telling(feedback: str) -> str:
    """Without the cases of which a student reads only that another tells more."""
    return "\n".join(line for line in feedback.split("\n") if not line.endswith(LIKE_VISIBLE))


def code_of(opened: OpenClass, place: AnswerPlace) -> str:
    """The cell that was judged, from the copy that the gradebook keeps."""
    path = copy_of(opened.out, place.student, place.set, place.problem)
    try:
        cells = read_submission(path.read_bytes()).cells
    except (OSError, ValueError):
        return ""
    defining = [cell.source for cell in cells if place.part in cell.names]
    named = [cell.source for cell in cells if cell.grade_id == place.part]
    return (defining or named or [""])[-1][:MOST_CODE]


def beside_answer(handler: DeskHandler, question: OpenQuestion, student: str = "") -> dict[str, object]:
    """What a marker holds an answer against, with the student's own numbers; of several, with their names."""
    course = handler.opened.course
    problem = course.problems[question.problem]
    part = problem.part(question.part)
    key = course.solutions[question.problem].answers.get(question.part)
    said = {
        "ask": part.ask,
        "guide": getattr(part, "guide", ""),
        "reference": str(key if isinstance(key, str) else getattr(key, "answer", "")),
    }
    values = values_of(problem, number_for(problem, course.secret, student)) if student else {}
    shown = {
        name: put_in(text, values) if values else in_general(text, problem) for name, text in said.items()
    }
    return {name: render_markdown(text) if text else Markup("") for name, text in shown.items()}
