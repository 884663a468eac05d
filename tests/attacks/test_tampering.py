"""Notebooks changed by hand earn what their answers earn, and honest accidents cost nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from autograder.notebook.fill import fill
from tests.attacks.attack import AXIS, RIGHT
from tests.attacks.conftest import TIERS, Handed
from tests.attacks.families.tampering import ACCIDENTS, ATTACKS, PASSAGES, Tampering

# Reading a notebook is the judge's work: the tier around the child makes no difference to it.
pytestmark = pytest.mark.parametrize("sandbox", TIERS[:1], indirect=True)

TEXTS = {
    "nothing": b"",
    "half a notebook": b'{"cells": [',
    "no text": b"\xff\xfe\x00\x01" * 50,
    "brackets without end": b"[" * 1_000_000,
    "tables without end": b'{"cells": ' * 100_000,
    "a number without end": b'{"nbformat": ' + b"9" * 1_000_000 + b"}",
    "a zip": b"PK\x03\x04" + bytes(200),
    "a pickle": b"\x80\x04\x95\x1e\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94.",
    "a list of notebooks": b'[{"nbformat": 4, "cells": []}]',
}


@pytest.mark.parametrize("tampering", ATTACKS.values(), ids=ATTACKS.keys())
def test_a_tampered_notebook_earns_what_its_answers_do(
    tampering: Tampering, handed: Handed, stub: str
) -> None:
    notebook = json.loads(fill(stub, {"scores": tampering.scores, "axis": tampering.axis}))
    tampering.edit(notebook)
    reports = handed(json.dumps(notebook).encode(), {})
    assert (reports["scores"].score, reports["axis"].score) == tampering.earns, reports
    assert (reports["scores"].max_score, reports["axis"].max_score) == (3, 1)
    assert reports["why"].score == 0


@pytest.mark.parametrize("data", TEXTS.values(), ids=TEXTS.keys())
def test_a_file_that_is_no_notebook_has_a_row_for_every_part(data: bytes, handed: Handed) -> None:
    reports = handed(data, {})
    assert {(report.score, report.status) for report in reports.values()} == {(0, "unreadable")}


@pytest.mark.parametrize("edit", ACCIDENTS.values(), ids=ACCIDENTS.keys())
def test_an_honest_accident_costs_nothing(
    edit: Callable[[dict[str, Any]], object], handed: Handed, stub: str
) -> None:
    notebook = json.loads(fill(stub, {"scores": RIGHT, "axis": AXIS}))
    edit(notebook)
    reports = handed(json.dumps(notebook).encode(), {})
    assert (reports["scores"].score, reports["axis"].score) == (3, 1), reports


NOISE = {
    "a warning in the function": "import warnings; warnings.warn('this is deprecated')",
    "a print in the function": "import sys; print('shape', q.shape); print('oh', file=sys.stderr)",
    "a log line": "import logging; logging.getLogger().error('failed')",
    "a closed standard output": "import sys; sys.stdout.close()",
    "an error that is caught": "import contextlib\n    with contextlib.suppress(ZeroDivisionError): 1 / 0",
    "a seed": "torch.manual_seed(1)",
    "another default dtype": "torch.set_default_dtype(torch.float64)",
    "gradients switched off": "torch.set_grad_enabled(False)",
    "threads for torch": "torch.set_num_threads(2)",
}


@pytest.mark.parametrize("line", NOISE.values(), ids=NOISE.keys())
def test_a_noisy_right_answer_keeps_its_marks(line: str, handed: Handed, stub: str) -> None:
    source = RIGHT.replace("\n", f"\n    {line}\n", 1)
    reports = handed(fill(stub, {"scores": source, "axis": AXIS}), {})
    assert reports["scores"].score == 3, reports["scores"]


@pytest.mark.parametrize("carry", PASSAGES.values(), ids=PASSAGES.keys())
def test_what_happens_to_a_file_on_its_way_costs_nothing(
    carry: Callable[[bytes], bytes], handed: Handed, honest: bytes
) -> None:
    data = carry(honest)
    assert data != honest
    reports = handed(data, {})
    assert (reports["scores"].score, reports["axis"].score) == (3, 1), reports
