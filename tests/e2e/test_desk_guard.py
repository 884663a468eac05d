"""Other pages of the browser, other users of the machine and hostile answers at a real desk: all of it is tried."""

from __future__ import annotations

import http.server
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Browser, Error, Page, expect

from autograder.course.load import load_course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.conftest import SMALL

pytestmark = pytest.mark.e2e
QUESTION = "basics/scores/why"
HOSTILE = (
    "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'> [x](javascript:window.ran=3) "
    "![y](https://outside.invalid/z.png) <svg onload='window.ran=4'> $\\href{javascript:window.ran=5}{x}$ "
    "<form action='//outside.invalid'><button autofocus>press</button></form>"
)
ANSWERS = {"ada": "The weights sum to one.", "mallory": HOSTILE, "zoe": "They are positive."}


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("guard")
    course = load_course(SMALL)
    for student, why in ANSWERS.items():
        path = folder / "in" / student / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(fill(build_notebook(course.problems["scores"], "basics", SMALL), {"why": why}))
    command = [sys.executable, "-m", "autograder", "grade", str(folder / "in"), "--out", str(folder / "out")]
    subprocess.run([*command, "--course", str(SMALL)], check=True, capture_output=True, timeout=900)
    return folder / "out"


@pytest.fixture
def address(out) -> Iterator[str]:
    command = [sys.executable, "-m", "autograder", "desk", str(out), "--course", str(SMALL), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        try:
            yield re.search(r"http\S+", process.stdout.readline())[0]
        finally:
            process.send_signal(signal.SIGINT)


def marks(out: Path) -> dict[str, float | None]:
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        return {name: gradebook.find_grade("why", "scores", "basics", name).manual_score for name in ANSWERS}


def what_ran(page: Page) -> object:
    """What a script in an answer has set, on the page that is there once a key has done its work."""
    while True:
        page.wait_for_load_state()
        try:
            return page.evaluate("window.ran")
        except Error as error:
            if "navigation" not in str(error):
                raise


def test_a_hostile_answer_runs_nothing_and_asks_nobody(browser: Browser, address):
    page = browser.new_context().new_page()
    page.set_default_timeout(120_000)
    asked, dialogs = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto(address)
    root = address.split("?")[0]
    for path in (f"read/{QUESTION}?show=all", f"alike/{QUESTION}"):
        page.goto(root + path)
        for _ in ANSWERS:
            page.keyboard.press("ArrowRight")
            assert what_ran(page) is None
    assert dialogs == []
    own = root.split("/", 3)[2]
    assert {url.split("/", 3)[2] for url in asked if not url.startswith("data:")} == {own}


ATTACK = """<!doctype html><title>trying</title>
<form id="f" method="post" action="{root}mark/{question}/{id}" target="hole">
<input name="score" value="2"><input name="seen" value="{seen}"><input name="_csrf" value="guess"></form>
<iframe name="hole"></iframe><iframe id="frame" src="{root}"></iframe>
<script src="{root}desk.js"></script>
<script>
document.getElementById("f").submit();
const told = [];
const tell = (what) => (said) => told.push(what + ": " + said);
const tries = [
  fetch("{root}", {{credentials: "include"}}).then((a) => a.text()).then(tell("read"), () => 0),
  fetch("{root}", {{credentials: "include", mode: "no-cors"}}).then((a) => a.text()).then((t) => t && tell("opaque")(t)),
  fetch("{root}mark/{question}/{id}", {{method: "POST", credentials: "include", mode: "no-cors",
    body: new URLSearchParams({{score: "2", seen: "{seen}"}})}}).then((a) => a.text()).then((t) => t && tell("post")(t)),
];
Promise.allSettled(tries).then(() => {{
  try {{ tell("frame")(document.getElementById("frame").contentDocument.body.innerText); }} catch (e) {{}}
  document.title = "tried " + JSON.stringify(told);
}});
</script>"""


def test_another_page_of_the_same_browser_reads_and_changes_nothing(browser: Browser, address, out):
    """The page knows even the secret path; it is on this machine, so that the cookie is sent along."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    root = address.split("?")[0]
    page.goto(f"{root}read/{QUESTION}?show=all")
    id, seen = page.url.split("?")[0].rsplit("/", 1)[1], page.locator("[name=seen]").input_value()
    text = ATTACK.format(root=root, question=QUESTION, id=id, seen=seen)

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *said: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    before = marks(out)
    other = context.new_page()
    other.goto(f"http://127.0.0.1:{server.server_address[1]}/")
    expect(other).to_have_title("tried []", timeout=120_000)
    server.shutdown()
    server.server_close()
    assert marks(out) == before


def test_two_markers_of_one_question_lose_nothing_and_the_second_is_told(browser: Browser, address, out):
    pages = []
    for name in ("one", "two"):
        page = browser.new_context().new_page()
        page.set_default_timeout(120_000)
        page.goto(address)
        page.locator(".who [name=marker]").fill(name)
        page.locator(".who [name=marker]").press("Enter")
        page.goto(address.split("?")[0] + f"read/{QUESTION}?show=all")
        pages.append(page)
    one, two = pages
    with one.expect_response(lambda answer: "/mark/" in answer.url):
        one.keyboard.press("f")
    with two.expect_response(lambda answer: "/mark/" in answer.url) as refused:
        two.keyboard.press("0")
    assert refused.value.status == 409
    expect(two.locator("#told")).to_contain_text("one has marked this answer meanwhile (2 of 2)")
    assert marks(out)["ada"] == 2.0
    with one.expect_navigation():
        one.keyboard.press("u")
    expect(one.locator("#told")).to_contain_text("taken back")
    assert marks(out)["ada"] is None


OTHER_USER = """
import sys, urllib.request, urllib.error
address = sys.argv[1]
for path in ("", "style.css", "read/basics/scores/why", "?token=guess"):
    try:
        urllib.request.urlopen(address + path)
        sys.exit("let in at " + path)
    except urllib.error.HTTPError as error:
        assert error.code == 403, error
import glob
for path in glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ"):
    try:
        text = open(path, "rb").read()
    except OSError:
        continue
    if b"?token=" in text and str(__import__("os").getpid()).encode() not in path.encode():
        sys.exit("the token stands in " + path)
"""


def test_another_user_of_the_machine_is_not_let_in(address):
    # Only root can become another user; whoever else runs this tries as a program without the token.
    become = {"user": "nobody", "group": "nogroup", "extra_groups": ()} if os.geteuid() == 0 else {}
    done = subprocess.run(
        ["/usr/bin/env", "-i", "python3", "-c", OTHER_USER, address.split("?")[0]],
        **become,
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
