"""Every hostile submission gets the marks it must get, leaves nothing behind, and harms no neighbour."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet

from tests.attacks.attack import Attack
from tests.attacks.conftest import TIERS, Handed, notebook_of
from tests.attacks.families import (
    comparisons,
    endings,
    exhaustion,
    files,
    liars,
    poison,
    processes,
    protocol,
    recognition,
    snooping,
    sockets,
)
from tests.attacks.ground import Ground, processes_below

FAMILIES = {
    "comparisons": comparisons.ATTACKS,
    "endings": endings.ATTACKS,
    "exhaustion": exhaustion.ATTACKS,
    "files": files.ATTACKS,
    "liars": liars.ATTACKS,
    "poison": poison.ATTACKS,
    "processes": processes.ATTACKS,
    "protocol": protocol.ATTACKS,
    "recognition": recognition.ATTACKS,
    "snooping": snooping.ATTACKS,
    "sockets": sockets.ATTACKS,
}
# These are for the judge to see through; the tier around the child makes no difference to them.
JUDGED = ("comparisons", "liars", "poison", "recognition")
# Words that only the solutions, the secret or a hidden input could have put into a report.
SECRETS = ("_products", "a secret for tests", "LEAK")


def settle(wanted: int) -> None:
    """Wait until no more processes than that run below the tests: those that are dying are gone."""
    while len(processes_below(os.getpid())) > wanted:
        time.sleep(0.02)


def cases(families: Iterable[str]) -> list[ParameterSet]:
    return [
        pytest.param(attack, id=f"{family}: {name}")
        for family in families
        for name, attack in FAMILIES[family].items()
    ]


@pytest.mark.parametrize("attack", cases(family for family in FAMILIES if family not in JUDGED))
def test_an_attack_earns_what_it_should_and_leaves_no_trace(
    attack: Attack, handed: Handed, ground: Ground, stub: str, honest: bytes
) -> None:
    assert_harmless(attack, handed, ground, stub, honest)


@pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)
@pytest.mark.parametrize("attack", cases(JUDGED))
def test_a_lie_earns_what_it_should_and_leaves_no_trace(
    attack: Attack, handed: Handed, ground: Ground, stub: str, honest: bytes
) -> None:
    assert_harmless(attack, handed, ground, stub, honest)


def assert_harmless(attack: Attack, handed: Handed, ground: Ground, stub: str, honest: bytes) -> None:
    before, running = ground.snapshot(), len(processes_below(os.getpid()))
    waits = {"cell_seconds": attack.seconds, "call_seconds": attack.seconds, **attack.limits}
    reports = handed(notebook_of(attack, stub, ground), waits)

    assert (reports["scores"].score, reports["axis"].score) == attack.earns, reports
    assert reports["scores"].status == attack.status or not attack.status, reports["scores"]
    assert attack.says in reports["scores"].feedback
    assert not [word for word in SECRETS if word in repr(reports)]
    assert ground.snapshot() == before
    assert ground.heard() == []
    assert ground.victim.poll() is None

    neighbour = handed(honest, {})
    assert (neighbour["scores"].score, neighbour["axis"].score) == (3, 1)
    settle(running)  # one of them may have been dying already


def test_the_collection_is_large_and_each_name_is_given_once() -> None:
    names = [name for attacks in FAMILIES.values() for name in attacks]
    assert len(names) > 150
    assert all(len(attacks) >= 5 for attacks in FAMILIES.values())
