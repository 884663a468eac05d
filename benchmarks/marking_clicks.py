"""Keys, clicks, pages and seconds for sixty prose answers: at the desk, by its groups, and in Formgrader.

python -m benchmarks.marking_clicks [--students 60] [--out GRADED]

One script marks the same class four times, each time from a fresh copy of the gradebook: the points of each
answer and, for its author, a sentence for every point that was earned. Each way is taken at its leanest:
Formgrader by its fields and its keys (Tab, and Control with a full stop for the next), with sentences typed
in full and, beside that, with marks alone. Seconds are those of the pages; nobody reads anything. The marks
must come out the same.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from autograder.course.load import load_course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill

ROOT = Path(__file__).resolve().parent.parent
SET, PROBLEM, PART = "deep_learning_hw2", "linear_attention", "why_linear"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
PATIENT = 120_000  # milliseconds
LOOK = 20  # milliseconds
MOST_TABS = 6
# Formgrader's keys begin to work with MathJax, which it asks an address outside for: this is in its place.
NO_MATHJAX = """
const begun = call => setTimeout(() => call("End"));
window.MathJax = {Hub: {Config() {}, Queue() {}, Startup: {signal: {Interest: begun}}}};
"""
# Formgrader's marks and comments come after its page; what is typed before is lost.
FILLED_IN = (
    "field => document.querySelector('[placeholder=\"0\"]') && document.querySelector(field).placeholder"
)
ITEMS = (
    "the sum of k v is formed once and shared",
    "the exponential does not split into two factors",
    "there are still matrix products, only smaller ones",
)
# What students write: the sentence, and which of the items it earns.
KINDS = (
    ("The sum over keys times values does not depend on i, so it is formed once and shared by all.", (0,)),
    ("An exponential of a product cannot be split into a factor of the query and one of the key.", (1,)),
    ("Matrix products remain, they are smaller; the sum of k v is computed once for all positions.", (0, 2)),
    (
        "The shared sums are formed once. exp does not factor. There still are small matrix products.",
        (0, 1, 2),
    ),
    ("It is faster because the softmax takes long.", ()),
    ("We can re-bracket: first keys with values, once, then every query; with exp we could not.", (0, 1)),
    ("No exponential means no overflow, and that is why it is linear.", ()),
)


@dataclass
class Hand:
    """A marker's hand on a page: what it does is counted."""

    page: Page
    keys: int = 0
    clicks: int = 0
    pages: int = 0

    def press(self, key: str) -> None:
        self.keys += 1
        self.page.keyboard.press(key)

    def write(self, text: str) -> None:
        self.keys += len(text)
        self.page.keyboard.type(text)

    def tab_to(self, field: str) -> None:
        """Tab, as often as it takes; Formgrader has a field for extra marks on the way."""
        for _ in range(MOST_TABS):
            self.press("Tab")
            if self.page.evaluate("field => document.activeElement.matches(field)", field):
                return
        raise SystemExit(f"{field} is not reached by Tab")

    def click(self, place: Locator) -> None:
        self.clicks += 1
        place.click()

    @contextmanager
    def turning(self) -> Iterator[None]:
        """Wait until another page is there."""
        self.pages += 1
        with self.page.expect_navigation():
            yield


@dataclass(frozen=True)
class Counted:
    """What marking a class by one way took."""

    way: str
    answers: int
    keys: int
    clicks: int
    pages: int
    seconds: float


def kind_of(student: str) -> tuple[str, tuple[int, ...]]:
    return KINDS[int(re.sub(r"\D", "", student)) % len(KINDS)]


def write_class(folder: Path, count: int) -> list[str]:
    stub = build_notebook(load_course(ROOT).problems[PROBLEM], SET, ROOT)
    students = [f"student{number:02}" for number in range(count)]
    for student in students:
        path = folder / student / SET / f"{PROBLEM}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(fill(stub, {PART: f"{kind_of(student)[0]} ({student[-2:]})"}))
    return students


def grade(work: Path, count: int) -> Path:
    write_class(work / "submitted", count)
    command = [
        sys.executable,
        "-m",
        "autograder",
        "grade",
        str(work / "submitted"),
        "--out",
        str(work / "out"),
    ]
    environment = {**os.environ, "AUTOGRADER_SECRET": "of a made-up class"}
    subprocess.run([*command, "--course", str(ROOT)], check=True, env=environment, capture_output=True)
    return work / "out"


# ------------------------------------------------------------ the three ways


def at_the_desk(hand: Hand, address: str, out: Path, answers: int) -> None:
    """Answer by answer: a key an item, and the arrow."""
    question = f"{SET}/{PROBLEM}/{PART}"
    hand.page.goto(address)
    root = address.split("?")[0]
    hand.page.goto(f"{root}read/{question}")
    _write_items(hand)
    for number in range(answers):
        student = hand.page.locator(".paper-head h2").first.inner_text()
        for key in [str(each + 1) for each in kind_of(student)[1]] or ["0"]:
            with hand.page.expect_response(lambda answer: "/mark/" in answer.url):
                hand.press(key)
        if number + 1 < answers:
            with hand.turning():
                hand.press("ArrowRight")


def by_groups(hand: Hand, address: str, out: Path, answers: int) -> None:
    """Group by group: the arrow to an answer, the space where it fits, a key an item, one to mark them."""
    question = f"{SET}/{PROBLEM}/{PART}"
    hand.page.goto(address)
    root = address.split("?")[0]
    hand.page.goto(f"{root}read/{question}")
    _write_items(hand)
    with hand.turning():
        hand.press("g")
    left = answers
    while left:
        members = hand.page.locator(".member")
        names = members.locator("h2").all_inner_texts()
        earned = kind_of(names[0])[1]
        fitting = [place for place, name in enumerate(names) if kind_of(name)[1] == earned]
        for place in range(fitting[-1] + 1):
            hand.press("ArrowDown")
            if place in fitting:
                hand.press("Space")
        for key in [str(item + 1) for item in earned] or ["0"]:
            hand.press(key)
        with hand.turning():
            hand.press("Control+Enter")
        left -= len(fitting)


def in_formgrader(hand: Hand, address: str, out: Path, answers: int, *, words: bool) -> None:
    """Submission by submission: a click into the first field, Tab, and the key for the next."""
    students = _students_of(out)
    hand.page.route(re.compile("mathjax", re.IGNORECASE), lambda route: route.fulfill(body=NO_MATHJAX))
    hand.page.goto(f"{address}/formgrader/gradebook/{SET}/{PROBLEM}")
    # A click on the first submission in its list, in whichever order that is: the shortcuts go by id.
    hand.clicks, hand.pages = hand.clicks + 1, hand.pages + 1
    hand.page.goto(f"{address}/formgrader/submissions/{min(students)}")
    score, comment = f"input.score#{PART}", f"textarea#{PART}-comment"
    for number in range(answers):
        hand.page.wait_for_function(FILLED_IN, arg=comment, timeout=PATIENT)
        hand.page.wait_for_function("document.activeElement.matches('.tabbable')")
        if number == 0:
            hand.click(hand.page.locator(score))
        hand.page.wait_for_function("field => document.activeElement.matches(field)", arg=score)
        submission = re.split(r"[/?]", hand.page.url.split("/submissions/")[1])[0]
        earned = kind_of(students[submission])[1]
        hand.write(str(len(earned)))
        if words and earned:
            hand.tab_to(comment)
            hand.write("\n".join(f"+1 {ITEMS[each]}" for each in earned))
        if number + 1 < answers:
            hand.pages += 1
            hand.press("Control+.")
            # It saves twice, and so goes on twice; on its way it changes its own address as well.
            while submission in hand.page.url:
                hand.page.wait_for_timeout(LOOK)
            hand.page.wait_for_load_state()
        else:
            with hand.page.expect_response(lambda answer: "/formgrader/api/" in answer.url):
                hand.press("Escape")


def _students_of(out: Path) -> dict[str, str]:
    """Whose a submission is: Formgrader's addresses and pages do not tell."""
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        return {each.id: each.student.id for each in gradebook.notebook_submissions(PROBLEM, SET)}


def _write_items(hand: Hand) -> None:
    """The rubric, made on the way; it is counted as well."""
    for item in ITEMS:
        with hand.turning():
            hand.press("r")
        hand.write(item)
        with hand.turning():
            hand.press("Enter")


# ------------------------------------------------------------ servers


@contextmanager
def desk(out: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "autograder", "desk", str(out), "--course", str(ROOT), "--no-browser"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http\S+", process.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)


@contextmanager
def formgrader(out: Path) -> Iterator[str]:
    """A JupyterLab in the graded folder, with no token: it ends with the benchmark."""
    port = 8899
    home = out.parent / "home"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    environment = {**os.environ, "HOME": str(home), "JUPYTER_CONFIG_DIR": str(home / "jupyter")}
    with subprocess.Popen(
        command, cwd=out, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        address = f"http://127.0.0.1:{port}"
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"{address}/api", timeout=2).close()
                break
            except OSError:
                time.sleep(0.5)
        try:
            yield address
        finally:
            process.terminate()


def marks_of(out: Path) -> dict[str, float | None]:
    with Gradebook(f"sqlite:///{out / 'gradebook.db'}") as gradebook:
        names = [each.student.id for each in gradebook.notebook_submissions(PROBLEM, SET)]
        return {name: gradebook.find_grade(PART, PROBLEM, SET, name).manual_score for name in names}


Way = Callable[[Hand, str, Path, int], None]


def count(browser: Browser, way: str, mark: Way, out: Path, address: str, answers: int) -> Counted:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(PATIENT)
    hand = Hand(page)
    begun = time.monotonic()
    mark(hand, address, out, answers)
    seconds = round(time.monotonic() - begun, 1)
    page.context.close()
    wrong = {name: score for name, score in marks_of(out).items() if score != len(kind_of(name)[1])}
    if wrong:
        raise SystemExit(f"{way}: marks came out otherwise: {wrong}")
    return Counted(way, answers, hand.keys, hand.clicks, hand.pages, seconds)


def measure(graded: Path, work: Path, students: int, only: str = "") -> list[Counted]:
    executable = next(found for name in CHROMIUM if (found := shutil.which(name)))
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for number, (way, server, mark) in enumerate(
            (
                ("desk, answer by answer", desk, at_the_desk),
                ("desk, by groups", desk, by_groups),
                ("Formgrader, with sentences", formgrader, _formgrader(words=True)),
                ("Formgrader, marks alone", formgrader, _formgrader(words=False)),
            )
        ):
            if only not in way:
                continue
            out = work / f"way{number}"
            shutil.copytree(graded, out)
            config = out / "nbgrader_config.py"  # it names the gradebook by its whole path
            config.write_text(config.read_text().replace(str(graded), str(out)))
            with server(out) as address:
                found.append(count(browser, way, mark, out, address, students))
            print(json.dumps(asdict(found[-1])), flush=True)
        browser.close()
    return found


def _formgrader(*, words: bool) -> Way:
    return lambda hand, address, out, answers: in_formgrader(hand, address, out, answers, words=words)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--students", type=int, default=60)
    options.add_argument("--out", type=Path, help="a class that an earlier run has graded, nobody marked")
    options.add_argument("--only", default="", help="ways with this in their names")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        measure(given.out or grade(work, given.students), work, given.students, given.only)


if __name__ == "__main__":
    main()
