"""The desk's first page: everything that is open, the most of it first."""

from __future__ import annotations

from autograder.desk.handler import DeskHandler
from autograder.desk.left_open import find_left
from autograder.desk.naming import causes_of
from autograder.desk.reading_order import make_pile

MOST_NAME = 60


def show_overview(handler: DeskHandler) -> None:
    opened = handler.opened
    piles = [make_pile(opened, question, hide_names=False) for question in opened.prose()]
    handler.show(
        "open.html",
        piles=piles,
        students=len({student for student, _, _ in opened.reports.summaries}),
        notebooks=len(opened.reports.summaries),
        gradebook=opened.gradebook,
        causes=causes_of(opened),
        heaps=find_left(opened),
        appeals=[each for each in opened.hand.appeals() if not each.answer],
    )


class Me(DeskHandler):
    """Who marks, and whether names are shown."""

    def post(self) -> None:
        if "marker" in self.request.body_arguments:
            self.session.marker = self.typed("marker")[:MOST_NAME] or self.guard.marker
        if "names" in self.request.body_arguments:
            self.session.hide_names = self.typed("names") == "hidden"
        back = self.typed("back")
        # Within the desk alone: a path of ours, and no other address that looks like one.
        self.redirect(back if back.startswith(self.guard.root) else self.guard.root, status=303)
