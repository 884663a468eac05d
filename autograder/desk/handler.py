"""What every page of the desk has in common: who is let in, what a form must carry, how a page is filled."""

from __future__ import annotations

import logging
from http import HTTPStatus
from types import TracebackType
from urllib.parse import quote, urlsplit

from markupsafe import Markup
from tornado.web import HTTPError, RequestHandler

from autograder.course.varying_problem import in_general, own_problem
from autograder.desk.guard import COOKIE, HEADERS, BrowserSession, Guard
from autograder.desk.open_class import OpenClass, OpenQuestion
from autograder.errors import reason
from autograder.gradebook.by_hand import HandMark, OvertakenError
from autograder.gradebook.said_by_person import AnswerPlace
from autograder.pages.page import inlined, render

log = logging.getLogger(__name__)
ROOM = "autograder.desk"
FIELD = Markup('<input type="hidden" name="_csrf" value="{}">')  # that every form of ours carries
MOST = 20_000  # characters of what a marker types


class Refused(HTTPError):
    """A request that is not answered, with the sentence that says why."""

    def __init__(self, status: HTTPStatus, says: str) -> None:
        super().__init__(status.value, reason=status.phrase)
        self.says = says


class DeskHandler(RequestHandler):
    """Lets in whoever has the token or its cookie, and nothing that another page has sent."""

    session: BrowserSession
    let_in = False

    def initialize(self, guard: Guard, opened: OpenClass) -> None:
        self.guard, self.opened = guard, opened
        self._spoken_of: set[tuple[str, str, str]] = set()

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        says = self.guard.refusal(self.request.method or "", self.request.headers)
        if says:
            raise Refused(HTTPStatus.FORBIDDEN, says)
        session = self.guard.session(self.get_cookie(COOKIE))
        if session is None:
            raise Refused(
                HTTPStatus.FORBIDDEN,
                "open the desk by the whole address that the terminal shows: it carries the token",
            )
        self.session, self.let_in = session, True
        form = self.request.method == "POST"
        if form and not self.guard.is_own_form(session, self.get_body_argument("_csrf", "")):
            raise Refused(HTTPStatus.FORBIDDEN, "this form is of an earlier visit: load its page again")
        self.opened.reports.refresh()

    # ------------------------------------------------------------ in

    def question(self, *names: str) -> OpenQuestion:
        found = self.opened.find(*names) if len(names) == 3 else None
        if found is None:
            raise Refused(HTTPStatus.NOT_FOUND, "the course asks no such question")
        return found

    def typed(self, name: str) -> str:
        text = self.get_body_argument(name, "")
        if len(text) > MOST:
            raise Refused(HTTPStatus.BAD_REQUEST, f"that is {len(text)} characters; {MOST} fit")
        return text.replace("\r\n", "\n").strip()

    def number(self, name: str, least: float, most: float) -> float | None:
        """A number that was typed; None where the field is empty."""
        text = self.typed(name).replace(",", ".").replace("−", "-")
        if not text:
            return None
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise Refused(
                HTTPStatus.BAD_REQUEST, f"{text!r} is no number from {least:g} to {most:g}: type one"
            )
        return value

    # ------------------------------------------------------------ out

    def url(self, *path: str, **query: str) -> str:
        asked = "&".join(f"{name}={quote(value, safe='')}" for name, value in query.items() if value)
        return (
            self.guard.root + "/".join(quote(each, safe="") for each in path) + (f"?{asked}" if asked else "")
        )

    def title_of(self, problem: str, student: str = "") -> str:
        """As the student has it; of all students, what varies by its name."""
        course = self.opened.course
        if student:
            return own_problem(course, problem, student).title
        return in_general(course.problems[problem].title, course.problems[problem])

    def show(self, template: str, question: OpenQuestion | None = None, **values: object) -> None:
        def at(kind: str, *more: str, **query: str) -> str:
            """A page on the question at hand."""
            asked = (question.set, question.problem, question.part) if question else ()
            return self.url(kind, *asked, *more, **query)

        told, self.session.told = self.session.told, ""
        self.finish(
            render(
                template,
                room=ROOM,
                url=self.url,
                at=at,
                question=question,
                session=self.session,
                csrf=FIELD.format(self.session.csrf),
                course=self.opened.course,
                title_of=self.title_of,
                told=told,
                **values,
            )
        )

    def spoken_of(self, *places: AnswerPlace) -> None:
        """Their students' pages are written again, once this request is answered."""
        self._spoken_of.update(place[:3] for place in places)

    def on_finish(self) -> None:
        if self._spoken_of:
            self.opened.renew_pages(self._spoken_of)

    def tell(self, says: str) -> None:
        """A sentence for the next page."""
        self.session.told = says

    def go(self, *path: str, **query: str) -> None:
        self.redirect(self.url(*path, **query), status=HTTPStatus.SEE_OTHER.value)

    def overtaken(self, now: HandMark) -> str:
        who = now.marker or "somebody"
        mark = "unmarked" if now.score is None else f"{now.score:g} of {now.most:g}"
        return f"{who} has marked this answer meanwhile ({mark}); yours is not written: look, then mark again"

    def write_error(self, status_code: int, **about: object) -> None:
        about_error = about.get("exc_info")
        error = about_error[1] if isinstance(about_error, tuple) else None
        if isinstance(error, OvertakenError):
            self.set_status(HTTPStatus.CONFLICT.value)
            says = self.overtaken(error.now)
        elif isinstance(error, Refused):
            says = error.says
        elif isinstance(error, HTTPError):
            says = "there is no such page at the desk"
        else:
            says = f"a fault of the desk's own: {reason(error) if isinstance(error, OSError) else error}"
        if self.wants_json:
            self.finish({"told": says})
        else:
            self._show_refused(says)

    def _show_refused(self, says: str) -> None:
        """Whoever is not let in gets no file and learns no address of ours: the page carries its style."""
        style = inlined("style.css")
        policy = HEADERS["Content-Security-Policy"]
        self.set_header(
            "Content-Security-Policy",
            policy.replace("style-src 'self'", f"style-src 'sha256-{style.digest}'"),
        )
        self.finish(render("refused.html", room=ROOM, says=says, style=style.text, back=self._came_from))

    @property
    def _came_from(self) -> str:
        """The page of ours that asked; the first one where none did; nothing for strangers."""
        if not self.let_in:
            return ""
        asked = urlsplit(self.request.headers.get("Referer", ""))
        itself = self.request.method == "GET" and asked.path == self.request.path
        if itself or not asked.path.startswith(self.guard.root):
            return self.guard.root
        return asked.path + (f"?{asked.query}" if asked.query else "")

    @property
    def wants_json(self) -> bool:
        return "application/json" in self.request.headers.get("Accept", "")

    def log_exception(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, HTTPError | OvertakenError):
            log.error("a page of the desk failed", exc_info=error)
