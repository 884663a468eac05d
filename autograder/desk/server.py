"""The desk's server: on loopback alone, until Ctrl-C, with every mark written before its page is answered."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import ClassVar

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from autograder.desk import appeals, first_page, left_open, marking, naming, prose_group_pages, rubrics, undo
from autograder.desk.guard import COOKIE, Guard
from autograder.desk.handler import DeskHandler, Refused
from autograder.desk.open_class import OpenClass
from autograder.errors import UsageError, reason
from autograder.pages.page import TEMPLATES

log = logging.getLogger(__name__)
HOST = "127.0.0.1"
OWN = Path(__file__).with_name("templates")
MOST_BODY = 2**20  # bytes of a form
NAME = r"([^/]+)"


class Enter(DeskHandler):
    """The first page: with the token in its address it hands out the cookie."""

    def prepare(self) -> None:
        token = self.get_query_argument("token", "")
        if not token:
            super().prepare()
            return
        says = self.guard.refusal(self.request.method or "", self.request.headers)
        cookie = None if says else self.guard.enter(token)
        if cookie is None:
            raise Refused(HTTPStatus.FORBIDDEN, says or "the token of this address is not this desk's")
        self.set_cookie(COOKIE, cookie, path=self.guard.root, httponly=True, samesite="Lax")
        self.go()

    def get(self) -> None:
        first_page.show_overview(self)


class OwnFile(DeskHandler):
    """The style sheet and the script: our own files, for those who are let in."""

    files: ClassVar = {
        "style.css": ("text/css", [TEMPLATES / "style.css", TEMPLATES / "feedback.css", OWN / "desk.css"]),
        "desk.js": ("text/javascript", [OWN / "desk.js"]),
    }

    def get(self, name: str) -> None:
        kind, paths = self.files[name]
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.finish("\n".join(path.read_text(encoding="utf-8") for path in paths))


class Nothing(DeskHandler):
    def get(self, *names: str) -> None:
        raise Refused(HTTPStatus.NOT_FOUND, "there is no such page at the desk")

    post = get


def make_app(guard: Guard, opened: OpenClass) -> Application:
    """Every address of the desk."""
    question = f"{NAME}/{NAME}/{NAME}"
    pages: list[tuple[str, type[DeskHandler]]] = [
        ("", Enter),
        (r"(style\.css|desk\.js)", OwnFile),
        ("me", first_page.Me),
        ("undo", undo.Undo),
        (f"read/{question}", marking.First),
        (f"read/{question}/{NAME}", marking.ReadingPage),
        (f"mark/{question}/{NAME}", marking.Save),
        (f"alike/{question}", prose_group_pages.Alike),
        ("left", left_open.LeftOpen),
        ("appeals", appeals.Appeals),
        (f"appeals/{NAME}", appeals.AnswerAppeal),
        ("wrong", naming.Causes),
        (f"wrong/{NAME}", naming.NameCause),
        (f"rubric/{question}", rubrics.Rubric),
        (f"rubric/{question}/{NAME}", rubrics.ChangeItem),
    ]
    shared = {"guard": guard, "opened": opened}
    return Application(
        [(guard.root + path, handler, shared) for path, handler in pages],
        default_handler_class=Nothing,
        default_handler_args=shared,
        log_function=_log,
    )


def _log(handler: RequestHandler) -> None:
    """Addresses name students, so they go nowhere but into a log that somebody asked for."""
    request = handler.request
    log.debug("%s %s %s", handler.get_status(), request.method, request.path)


def serve(
    opened: OpenClass, marker: str, port: int, announce: Callable[[str], None], *, browser: bool
) -> None:
    """Answer until Ctrl-C or an end signal."""
    asyncio.run(_serve(opened, Guard(marker), port, announce, browser))


async def _serve(
    opened: OpenClass, guard: Guard, port: int, announce: Callable[[str], None], browser: bool
) -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stopped.set)
    server = HTTPServer(make_app(guard, opened), max_body_size=MOST_BODY)
    try:
        sockets = bind_sockets(port, HOST)
    except OSError as error:
        raise UsageError(f"--port {port} cannot be used: {reason(error)}; name another") from error
    guard.port = sockets[0].getsockname()[1]
    server.add_sockets(sockets)
    announce(guard.address)
    with _pointer(guard.address) if browser else nullcontext():
        await stopped.wait()
        server.stop()
        await server.close_all_connections()
        await left_open.stop_run(opened)


@contextmanager
def _pointer(address: str) -> Iterator[None]:
    """Open a browser by a file that only we can read: other users see the arguments of every program."""
    with tempfile.TemporaryDirectory(prefix="desk-") as folder:
        path = Path(folder) / "open.html"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            url = escape(address)
            file.write(
                f'<!doctype html><meta http-equiv="refresh" content="0;url={url}"><a href="{url}">Open</a>'
            )
        webbrowser.open(path.as_uri())
        yield
