"""The page that takes a step back: the marks that it gave, and the name that it listed."""

from __future__ import annotations

from autograder.desk.handler import DeskHandler
from autograder.desk.naming import forget_name
from autograder.desk.reading_order import Show, answer_id
from autograder.gradebook.by_hand import OvertakenError


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
        self.tell(f"taken back: {step.what}")
        if len(step.places) == 1:
            place = step.places[0]
            self.go("read", place.set, place.problem, place.part, answer_id(place), show=Show.ALL)
        else:
            self.go()
