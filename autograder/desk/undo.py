"""The page that takes a step back: the marks that it gave, and the name that it listed."""

from __future__ import annotations

from autograder.desk.handler import DeskHandler
from autograder.desk.naming import forget_name
from autograder.desk.reading_order import Show, answer_id
from autograder.gradebook.by_hand import DeskStep, OvertakenError


class Undo(DeskHandler):
    """The last thing that this marker did is taken back, and shown."""

    def post(self) -> None:
        try:
            step = self.opened.hand.undo(self.session.marker)
        except OvertakenError as error:
            who = error.now.marker or "somebody"
            self.tell(f"nothing is taken back: {who} has marked one of these answers since")
            self.go()
            return
        if step is None:
            self.tell("there is nothing of yours to take back")
            self.go()
            return
        forget_name(self.opened, step)
        self.spoken_of(*step.places)
        self.tell(f"taken back: {self._what(step)}")
        if len(step.places) == 1:
            place = step.places[0]
            self.go("read", place.set, place.problem, place.part, answer_id(place), show=Show.ALL)
        else:
            self.go()

    def _what(self, step: DeskStep) -> str:
        """In the words of the step, which may be older than the wish to see no names."""
        place = step.places[0] if len(step.places) == 1 else None
        if not self.session.hide_names or place is None or step.what != f"the mark of {place.student}":
            return step.what
        return f"the mark of answer {answer_id(place)[:4]}"
