"""The same attacks without isolation: they work, so that their failure behind the wall means something."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.course.load import Course
from autograder.sandbox.parent_pool import Sandbox
from tests.attacks.attack import Attack
from tests.attacks.conftest import SHORT, Handed, grade_with, notebook_of
from tests.attacks.families import files, processes, snooping, sockets
from tests.attacks.ground import Ground, open_ground

READERS = (
    "the solutions file",
    "the solutions file by another way round",
    "the secret of the hidden inputs",
    "a neighbour's notebook",
    "the gradebook",
    "the command lines",
)
WRITERS = {
    "a mark of its own in the journal": files,
    "an empty journal": files,
    "no journal": files,
    "another journal in its place": files,
    "a neighbour's notebook": files,
    "a link to a neighbour": files,
    "a hard link to a neighbour": files,
    "a new file": files,
    "a shell": processes,
    "a program": processes,
    "multiprocessing": processes,
}
CALLERS = ("tcp", "udp", "a unix socket", "an abstract unix socket", "a download")


@pytest.fixture(scope="module")
def open_door(small: Course) -> Iterator[Handed]:
    with Sandbox(isolation=False, limits=SHORT) as sandbox:
        yield grade_with(sandbox, small)


@pytest.fixture
def target(tmp_path_factory: pytest.TempPathFactory, small: Course) -> Iterator[Ground]:
    with open_ground(tmp_path_factory.mktemp("target"), small.root, "{}") as opened:
        yield opened


def try_it(attack: Attack, open_door: Handed, target: Ground, stub: str) -> float:
    waits = {"call_seconds": attack.seconds, "cell_seconds": attack.seconds}
    return open_door(notebook_of(attack, stub, target), waits)["scores"].score


@pytest.mark.parametrize("name", READERS)
def test_a_thief_finds_the_answers(name: str, open_door: Handed, target: Ground, stub: str) -> None:
    assert try_it(snooping.ATTACKS[name], open_door, target, stub) == 3


@pytest.mark.parametrize("name", WRITERS)
def test_a_vandal_changes_files(name: str, open_door: Handed, target: Ground, stub: str) -> None:
    before = target.snapshot()
    try_it(WRITERS[name].ATTACKS[name], open_door, target, stub)
    assert target.snapshot() != before


@pytest.mark.parametrize("name", CALLERS)
def test_a_caller_is_heard(name: str, open_door: Handed, target: Ground, stub: str) -> None:
    try_it(sockets.ATTACKS[name], open_door, target, stub)
    assert target.heard()


def test_a_killer_kills(open_door: Handed, target: Ground, stub: str) -> None:
    try_it(processes.ATTACKS["a signal to a stranger"], open_door, target, stub)
    assert target.victim.wait() == -9
