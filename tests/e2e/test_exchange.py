"""nbgrader's exchange with our notebooks, as on a JupyterHub: students are users of this machine, each with a home."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.course.load import load_course
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from tests.conftest import ROOT, SMALL

pytestmark = pytest.mark.e2e
SET, PROBLEM = "basics", "scores"
RIGHT = "import torch\ndef scores(q, k):\n    return torch.softmax(q @ k.T, dim=-1)"
WRONG = "import torch\ndef scores(q, k):\n    return torch.softmax(q @ k.T, dim=0)"
ANSWERS = {
    "hubada": {"scores": RIGHT, "axis": 'axis = "a"', "why": "Weights are positive and sum to one."},
    "hubboris": {"scores": WRONG, "axis": 'axis = "a"', "why": "Because."},
}
COURSE = """\
from autograder.gradebook.nbgrader_config import configure

c = get_config()
c.CourseDirectory.course_id = "deep"
c.Exchange.root = {exchange!r}
configure(c, {course!r})
c.CourseDirectory.source_directory = {source!r}
"""
STUDENT = "c = get_config()\nc.CourseDirectory.course_id = 'deep'\nc.Exchange.root = {exchange!r}\n"
# As an environment that is activated has it: nbgrader calls programs of its own by name.
BIN = Path(sys.executable).parent
PATH = f"{BIN}:/usr/local/bin:/usr/bin:/bin"
# Another user cannot reach an interpreter in our own home. In a namespace of its own, the command can.
SHOW = """
closed=$1; shift
for each in $KEEP; do held=$(mktemp -d); mount --bind "$each" "$held"; found="$found $each=$held"; done
mount -t tmpfs -o mode=755 none "$closed"
for each in $found; do mkdir -p "${each%%=*}"; mount --bind "${each#*=}" "${each%%=*}"; done
exec "$@"
"""


@dataclass(frozen=True)
class Hub:
    """An exchange, a course folder, and students with homes."""

    folder: Path

    @property
    def exchange(self) -> Path:
        return self.folder / "exchange"

    @property
    def teaching(self) -> Path:
        return self.folder / "teaching"

    def home(self, student: str) -> Path:
        return self.folder / "home" / student

    def teach(self, *words: str) -> str:
        return run([str(BIN / words[0]), *words[1:]], self.teaching, {"PATH": PATH})

    def learn(self, student: str, *words: str, fails: bool = False) -> str:
        """A command as this user: with the user's rights, home and groups, and nothing of ours."""
        command = ["setpriv", f"--reuid={student}", f"--regid={student}", "--init-groups", "--reset-env"]
        command += ["env", f"PATH={PATH}", str(BIN / words[0]), *words[1:]]
        kept = sorted({sys.base_prefix, sys.prefix, str(ROOT)})
        shut = [folder for each in kept for folder in Path(each).parents if not _open(folder)]
        if shut:
            closed = min(shut, key=lambda folder: len(folder.parts))
            inside = " ".join(each for each in kept if Path(each).is_relative_to(closed))
            command = ["unshare", "-m", "bash", "-ec", SHOW, "_", str(closed), *command]
            return run(command, self.home(student), {"KEEP": inside}, fails=fails)
        return run(command, self.home(student), {}, fails=fails)


def _open(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def run(command: list[str], folder: Path, more: dict[str, str], *, fails: bool = False) -> str:
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def hub() -> Iterator[Hub]:
    folder = Path(tempfile.mkdtemp(prefix="hub-"))  # pytest's own folders are closed to other users
    folder.chmod(0o755)
    made = Hub(folder)
    made.exchange.mkdir()
    made.exchange.chmod(0o777)
    made.teaching.mkdir(mode=0o700)
    (folder / "home").mkdir()
    try:
        for student in ANSWERS:
            home = made.home(student)
            run(["useradd", "--create-home", "--home-dir", str(home), student], folder, {})
            home.chmod(0o700)
            config = home / "nbgrader_config.py"
            config.write_text(STUDENT.format(exchange=str(made.exchange)))
            shutil.chown(config, student, student)
        yield made
    finally:
        for student in ANSWERS:
            subprocess.run(["userdel", student], check=False, capture_output=True)
        shutil.rmtree(folder)


def hand_in(hub: Hub, student: str) -> None:
    """Fetch, fill in, check, submit; all of it as the student."""
    hub.learn(student, "nbgrader", "fetch_assignment", SET)
    path = hub.home(student) / SET / f"{PROBLEM}.ipynb"
    owner = path.stat().st_uid
    assert owner == pwd.getpwnam(student).pw_uid
    path.write_bytes(fill(build_notebook(load_course(SMALL).problems[PROBLEM], SET, SMALL), ANSWERS[student]))
    right = ANSWERS[student]["scores"] == RIGHT
    said = hub.learn(student, "autograder", "check", f"{SET}/{PROBLEM}.ipynb", fails=not right)
    assert ("to mend: scores" in said) != right
    hub.learn(student, "nbgrader", "submit", SET)


def test_students_fetch_check_submit_and_get_our_feedback_back(hub):
    course = hub.teaching / "course"
    shutil.copytree(SMALL, course)
    hub.teach("autograder", "release", "source", "--course", str(course))
    config = COURSE.format(
        exchange=str(hub.exchange), course=str(course), source=str(hub.teaching / "source")
    )
    (hub.teaching / "nbgrader_config.py").write_text(config)
    hub.teach("nbgrader", "generate_assignment", SET)
    hub.teach("nbgrader", "release_assignment", SET)
    for student in ANSWERS:
        hand_in(hub, student)
    hub.teach("nbgrader", "collect", SET)
    hub.teach("nbgrader", "autograde", SET)
    with Gradebook(f"sqlite:///{hub.teaching / 'gradebook.db'}") as gradebook:
        scores = {each.student.id: each.score for each in gradebook.assignment_submissions(SET)}
        waits = gradebook.find_grade("why", PROBLEM, SET, "hubada").needs_manual_grade
    assert scores == {"hubada": 4.0, "hubboris": 1.0}
    assert waits
    hub.teach("nbgrader", "generate_feedback", SET)
    hub.teach("nbgrader", "release_feedback", SET)
    for student in ANSWERS:
        hub.learn(student, "nbgrader", "fetch_feedback", SET)
        (page,) = (hub.home(student) / SET / "feedback").rglob("*.html")
        text = page.read_text(encoding="utf-8")
        assert ("values differ" in text) == (student == "hubboris")
    # One student reads nothing of another: neither the home, nor what was handed in, nor the feedback.
    hub.learn("hubboris", "python", "-c", f"open({str(hub.home('hubada') / SET)!r})", fails=True)
    peek = "import os, sys; [os.listdir(each) for each in sys.argv[1:]]"
    for place in ("inbound", "feedback"):
        hub.learn("hubboris", "python", "-c", peek, str(hub.exchange / "deep" / place), fails=True)
