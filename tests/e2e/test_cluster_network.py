"""A worker behind a network that is cut for a while: in a namespace of its own, with a cable we can pull."""

from __future__ import annotations

import os
import subprocess
import threading

import pytest

from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.settings_and_outcome import Settings
from tests.classroom.machines import Machines

pytestmark = pytest.mark.e2e
HERE, THERE = "10.213.77.1", "10.213.77.2"
RIGHT = "import time\ndef scores(q, k):\n    time.sleep(0.05)\n    return torch.softmax(q @ k.T, dim=1)"
CUT_SECONDS = 6


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class Cable:
    """Two ends: one here, one in a network namespace."""

    def __init__(self):
        self.name = f"ag{os.getpid()}"
        self.inside = ("ip", "netns", "exec", self.name)
        ip("netns", "add", self.name)
        ip("link", "add", f"{self.name}a", "type", "veth", "peer", "name", f"{self.name}b")
        ip("link", "set", f"{self.name}b", "netns", self.name)
        ip("addr", "add", f"{HERE}/24", "dev", f"{self.name}a")
        ip("link", "set", f"{self.name}a", "up")
        for command in (
            ("addr", "add", f"{THERE}/24", "dev", f"{self.name}b"),
            ("link", "set", f"{self.name}b", "up"),
            ("link", "set", "lo", "up"),
        ):
            ip("-n", self.name, *command)

    def cut(self):
        ip("link", "set", f"{self.name}a", "down")
        threading.Timer(CUT_SECONDS, self.mend).start()

    def mend(self):
        ip("link", "set", f"{self.name}a", "up")

    def remove(self):
        ip("netns", "del", self.name)


@pytest.fixture
def cable():
    made = Cable()
    yield made
    made.remove()


def test_a_network_that_is_cut_for_a_while_loses_nothing(small, notebook, tmp_path, cable):
    for number in range(8):
        path = tmp_path / "submitted" / f"s{number}" / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=RIGHT))
    machines = Machines(tmp_path, HERE)
    seen = []

    def progress(report):
        seen.append((report.student, sum(part.score for part in report.parts)))
        if len(seen) == 2:
            cable.cut()

    try:
        machines.start_worker("--host", THERE, inside=cable.inside)
        found = find_handins(tmp_path / "submitted", small)
        grade_class(small, found, Settings(tmp_path / "out", cluster=machines.address), progress)
    finally:
        machines.stop()
    assert sorted(seen) == [(f"s{number}", 3.0) for number in range(8)]
