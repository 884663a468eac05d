"""A small graded class, and its desk answering in this very process."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from nbgrader.api import Gradebook
from tornado.httpclient import AsyncHTTPClient, HTTPResponse
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from autograder.as_json import to_json
from autograder.course.load import load_course
from autograder.desk.guard import Guard
from autograder.desk.open_class import OpenClass, open_class
from autograder.desk.server import make_app
from autograder.grade.report import Report
from autograder.gradebook.database_address import address
from autograder.gradebook.open_gradebook import open_gradebook
from tests.gradebook.conftest import Clerk, report
from tests.pages.classes import edited_parts

RUBRIC = 'Prose("why", points=2, rubric=[item(1, "weights are positive"), item(1, "they sum to one")], '


@dataclass
class Visitor:
    """A browser at the desk, as far as security goes: it keeps a cookie, and sends what browsers send."""

    loop: asyncio.AbstractEventLoop
    guard: Guard
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def fetch(
        self, path: str, form: dict[str, Any] | None = None, follow: bool = False, **headers: str
    ) -> HTTPResponse:
        """A page below the desk's root, or with `form` what a form of ours sends."""
        url = f"http://127.0.0.1:{self.guard.port}"
        url += path if path.startswith("/") else self.guard.root + path
        sent = {**({"Cookie": self.cookie} if self.cookie else {}), **self.headers}
        if form is not None:
            sent["Origin"] = f"http://127.0.0.1:{self.guard.port}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        client = AsyncHTTPClient(force_instance=True)
        answer = self.loop.run_until_complete(
            client.fetch(
                url,
                raise_error=False,
                follow_redirects=follow,
                headers={name: value for name, value in sent.items() if value},
                method="GET" if form is None else "POST",
                body=None if form is None else urlencode(form, doseq=True),
            )
        )
        client.close()
        return answer

    def enter(self) -> Visitor:
        answer = self.fetch(f"?token={self.guard.token}")
        assert answer.code == 303
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        return self

    def read(self, path: str) -> str:
        answer = self.fetch(path, follow=True)
        assert answer.code == 200, answer.body
        return answer.body.decode()

    def send(self, path: str, follow: bool = False, **form: Any) -> HTTPResponse:
        """A form with the token that the desk's own pages carry."""
        return self.fetch(path, {"_csrf": self.csrf, **form}, follow)

    @property
    def csrf(self) -> str:
        return re.search(r'name="_csrf" value="([^"]+)"', self.read(""))[1]

    def name(self, marker: str) -> Visitor:
        self.send("me", marker=marker)
        return self


@dataclass
class Desk:
    """An open class and its server."""

    root: Path
    out: Path
    opened: OpenClass
    guard: Guard
    loop: asyncio.AbstractEventLoop

    def visitor(self) -> Visitor:
        return Visitor(self.loop, self.guard)

    def ids(self, part: str = "why") -> dict[str, str]:
        """The ids of answers in addresses, by student."""
        from autograder.desk.reading_order import answer_id

        return {
            name: answer_id(mark.place)
            for name, mark in self.opened.hand.marks("basics", "scores", part).items()
        }

    def form(self, visitor: Visitor, student: str, part: str = "why") -> dict[str, str]:
        """What the form of an answer carries when its page has just been loaded."""
        page = visitor.read(f"read/basics/scores/{part}/{self.ids(part)[student]}")
        return {"seen": re.search(r'name="seen" value="([^"]+)"', page)[1]}

    def mark(self, visitor: Visitor, student: str, part: str = "why", **fields: Any) -> HTTPResponse:
        """Load an answer's page and send its form."""
        form = {**self.form(visitor, student, part), **fields}
        return visitor.send(f"mark/basics/scores/{part}/{self.ids(part)[student]}", **form)

    def kept(self, student: str, part: str = "why") -> tuple[float | None, str | None, bool]:
        """What nbgrader's own API finds: the mark, the comment, whether a person is waited for."""
        with Gradebook(f"sqlite:///{self.out / 'gradebook.db'}") as gradebook:
            cell = part if part == "why" else f"{part}-check"
            grade = gradebook.find_grade(cell, "scores", "basics", student)
            comment = gradebook.find_comment(part, "scores", "basics", student)
            return grade.manual_score, comment.manual_comment, grade.needs_manual_grade

    def page(self, student: str) -> str:
        return (self.out / "feedback" / student / "basics" / "scores.html").read_text()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty gradebook, made once."""
    folder = tmp_path_factory.mktemp("empty")
    with open_gradebook(address(None, folder)):
        return folder / "gradebook.db"


@pytest.fixture
def course(copied: Path) -> Path:
    """The small course, its prose with a rubric."""
    path = copied / "problems" / "scores.py"
    text = path.read_text().replace('Prose("why", points=2, ', RUBRIC)
    path.write_text(text.replace("Prose, case", "Prose, case, item"))
    return copied


@pytest.fixture
def clerk(course: Path, tmp_path: Path, empty: Path) -> Clerk:
    out = tmp_path / "out"
    out.mkdir()
    shutil.copy(empty, out)
    return Clerk(course, out)


def write_journal(out: Path, reports: list[Report]) -> None:
    with (out / "journal.jsonl").open("a") as file:
        for each in reports:
            file.write(json.dumps({"digest": "", "key": "", "report": to_json(each)}) + "\n")


def answered(student: str, why: str | None, **scores: float | None) -> Report:
    """A report on a notebook whose prose says `why`."""
    made = report(student, **scores, **({} if why is None else {"why": None}))
    return edited_parts(made, 2, read_as=why or "")


@pytest.fixture
def graded(clerk: Clerk) -> Callable[[dict[str, str]], None]:
    """Hand in prose answers, by student, as a run does."""

    def grade(answers: dict[str, str]) -> None:
        reports = [answered(student, why, scores=3.0, axis=1.0) for student, why in answers.items()]
        given = {"scores": "def scores(q, k):\n    return q", "axis": 'axis = "a"'}
        reports = [clerk.hand_in(each, why=answers[each.student], **given) for each in reports]
        clerk.write()
        write_journal(clerk.out, reports)

    return grade


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    asyncio.set_event_loop(made)
    yield made
    made.close()
    asyncio.set_event_loop(None)


@pytest.fixture
def open_desk(clerk: Clerk, loop: asyncio.AbstractEventLoop) -> Iterator[Callable[[], Desk]]:
    """Open the class that was graded; closed with the test."""
    closing: list[Callable[[], None]] = []

    def make() -> Desk:
        manager = open_class(load_course(clerk.root), clerk.out, None)
        opened = manager.__enter__()
        guard = Guard("marker")

        async def start() -> HTTPServer:
            server = HTTPServer(make_app(guard, opened))
            sockets = bind_sockets(0, "127.0.0.1")
            guard.port = sockets[0].getsockname()[1]
            server.add_sockets(sockets)
            return server

        async def stop() -> None:
            server.stop()
            await server.close_all_connections()

        server = loop.run_until_complete(start())
        closing.append(lambda: (loop.run_until_complete(stop()), manager.__exit__(None, None, None)))
        return Desk(clerk.root, clerk.out, opened, guard, loop)

    yield make
    for close in closing:
        close()


CLASS = {"ada": "Weights are positive and sum to one.", "boris": "They are positive.", "cleo": "I like it."}


@pytest.fixture
def desk(graded: Callable[[dict[str, str]], None], open_desk: Callable[[], Desk]) -> Desk:
    graded(CLASS)
    return open_desk()
