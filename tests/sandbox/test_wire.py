"""Messages on the wire: what is sent comes back, and nothing malformed gets further than a FrameError."""

from __future__ import annotations

import fcntl
import json
import os
import random
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.calls.requests_and_outcomes import ENDED_BY, STATUSES, Outcome, Script
from autograder.calls.script_steps import Step
from autograder.calls.value_as_json import (
    READABLE,
    OutputError,
    kind_of,
    kind_of_node,
    pack_value,
    read_value,
    strides,
)
from autograder.sandbox import child_answers, tensors, wire

MOST = {"max_header": 1 << 20, "max_payload": 1 << 20}


@contextmanager
def channel() -> Iterator[tuple[wire.Channel, int, int]]:
    """The judge's channel, and the descriptors that a child would have: to read from, to write to."""
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    ours = wire.Channel(ours_in, ours_out)
    try:
        yield ours, theirs_in, theirs_out
    finally:
        ours.close()
        for fd in (theirs_in, theirs_out):
            os.close(fd)


def soon(seconds: float = 0.05) -> wire.Patience:
    return wire.until(time.monotonic() + seconds)


def test_a_message_comes_back_as_it_was_sent() -> None:
    with channel() as (ours, _, theirs):
        os.write(theirs, wire.encode({"id": 1}, b"payload"))
        assert ours.receive(soon(600), **MOST) == ({"id": 1}, b"payload")


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        pytest.param(b"HTTP" + bytes(12), "magic", id="another protocol"),
        pytest.param(wire.PREFIX.pack(b"AGW1", 1 << 31, 0), "too long", id="long header"),
        pytest.param(wire.PREFIX.pack(b"AGW1", 2, 1 << 60), "too long", id="long payload"),
        pytest.param(wire.PREFIX.pack(b"AGW1", 2, 0) + b"[]", "not a JSON object", id="a list"),
        pytest.param(wire.PREFIX.pack(b"AGW1", 1, 0) + b"\xff", "not JSON", id="not text"),
        pytest.param(wire.PREFIX.pack(b"AGW1", 9000, 0) + b"[" * 9000, "not JSON", id="deep"),
    ],
)
def test_a_malformed_message_is_refused(sent: bytes, says: str) -> None:
    with channel() as (ours, _, theirs):
        os.write(theirs, sent)
        with pytest.raises(wire.FrameError, match=says):
            ours.receive(soon(600), **MOST)


def test_messages_that_come_together_are_read_one_by_one() -> None:
    with channel() as (ours, _, theirs):
        os.write(theirs, wire.encode({"id": 1}, b"one") + wire.encode({"id": 2}))
        assert ours.receive(soon(600), **MOST) == ({"id": 1}, b"one")
        assert ours.receive(soon(600), **MOST) == ({"id": 2}, b"")
        ours.expect_silence()


@pytest.mark.parametrize("more", [b"x", wire.encode({})])
@pytest.mark.parametrize("read_before", [True, False])
def test_bytes_that_nobody_asked_for_are_refused(more: bytes, read_before: bool) -> None:
    with channel() as (ours, _, theirs):
        os.write(theirs, wire.encode({}) + (more if read_before else b""))
        ours.receive(soon(600), **MOST)
        os.write(theirs, b"" if read_before else more)
        with pytest.raises(wire.FrameError, match="answer no request"):
            ours.expect_silence()


@pytest.mark.parametrize("length", [0, 3, 16, 20])
def test_a_message_that_stops_short_runs_into_the_deadline(length: int) -> None:
    with channel() as (ours, _, theirs):
        os.write(theirs, wire.encode({"id": 1}, b"payload")[:length])
        with pytest.raises(wire.DeadlineError):
            ours.receive(soon(), **MOST)


def test_a_reader_that_never_reads_runs_into_the_deadline() -> None:
    with channel() as (ours, _, _), pytest.raises(wire.DeadlineError):
        ours.send(bytes(1 << 20), soon())


def test_a_closed_pipe_is_noticed_on_both_ways() -> None:
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    os.close(theirs_in)
    os.close(theirs_out)
    ours = wire.Channel(ours_in, ours_out)
    with pytest.raises(wire.ClosedError):
        ours.send(b"x", soon(600))
    with pytest.raises(wire.ClosedError):
        ours.receive(soon(600), **MOST)
    ours.close()


def test_a_message_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(wire.FrameError, match="too long to send"):
        wire.encode({"a": "x" * wire.MAX_HEADER})


DTYPES = [dtype for dtype in READABLE if dtype != torch.bool]


@given(st.sampled_from(sorted(DTYPES, key=str)), st.lists(st.integers(0, 4), max_size=4))
def test_tensors_of_every_dtype_and_shape_survive(dtype: torch.dtype, shape: list[int]) -> None:
    sent = [torch.ones(shape).to(dtype), torch.zeros(shape, dtype=torch.bool)]
    pairs, payload = tensors.pack(sent)
    got = tensors.unpack(payload, 2, pairs)
    assert [tensor.dtype for tensor in got] == [dtype, torch.bool]
    assert all(torch.equal(a, b) for a, b in zip(got, sent, strict=True))


def payload_of(header: Any, data: bytes = b"") -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def entry(dtype: Any = "F32", shape: Any = (1,), start: Any = 0, end: Any = 4) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [start, end]}


BAD_PAYLOADS = {
    "nothing": (b"", "too short"),
    "a long header": (struct.pack("<Q", 1 << 60) + b"{}", "too long"),
    "a header longer than allowed": (payload_of({"0": entry(), "x" * 300_000: 1}, bytes(4)), "too long"),
    "no json": (struct.pack("<Q", 2) + b"{{", "not JSON"),
    "another name": (payload_of({"1": entry()}, bytes(4)), "name tensors 0 to 0"),
    "metadata": (payload_of({"0": entry(), "__metadata__": {}}, bytes(4)), "nothing else"),
    "an unknown dtype": (payload_of({"0": entry(dtype="F99")}, bytes(4)), "unknown dtype"),
    "many dimensions": (payload_of({"0": entry(shape=[1] * 5000)}, bytes(4)), "too many dimensions"),
    "a negative size": (payload_of({"0": entry(shape=[-1])}, bytes(4)), "not a list of sizes"),
    "a size that is a bool": (payload_of({"0": entry(shape=[True])}, bytes(4)), "not a list of sizes"),
    "a huge shape": (payload_of({"0": entry(shape=[1 << 40, 1 << 40])}, bytes(4)), "more than 4000000"),
    "an empty tensor with endless axes": (
        payload_of({"0": entry(shape=[1 << 40, 1 << 40, 0], end=0)}),
        "more than 4000000",
    ),
    "endless axes after an empty one": (
        payload_of({"0": entry(shape=[0, 1 << 40, 1 << 40], end=0)}),
        "more than 4000000",
    ),
    "too few bytes": (payload_of({"0": entry()}, bytes(3)), "do not fill"),
    "too many bytes": (payload_of({"0": entry()}, bytes(5)), "do not fill"),
    "offsets backwards": (payload_of({"0": entry(start=4, end=0)}, bytes(4)), "do not fit"),
    "no offsets": (payload_of({"0": {"dtype": "F32", "shape": [1]}}, bytes(4)), "no dtype, shape"),
    "more than it needs": (payload_of({"0": entry() | {"code": "x"}}, bytes(4)), "more than it needs"),
}


@pytest.mark.parametrize(("payload", "says"), BAD_PAYLOADS.values(), ids=BAD_PAYLOADS.keys())
def test_a_malformed_payload_is_refused(payload: bytes, says: str) -> None:
    with pytest.raises(wire.FrameError, match=says):
        tensors.unpack(payload, 1)


def test_overlapping_tensors_are_refused() -> None:
    with pytest.raises(wire.FrameError, match="overlap"):
        tensors.unpack(payload_of({"0": entry(), "1": entry()}, bytes(4)), 2)


def test_bytes_without_tensors_are_refused() -> None:
    with pytest.raises(wire.FrameError, match="bytes but no tensors"):
        tensors.unpack(b"x", 0)


def test_a_count_beyond_all_reason_is_refused() -> None:
    with pytest.raises(wire.FrameError, match="too many"):
        tensors.unpack(b"", 1 << 40)


def test_a_complex_tensor_must_come_in_pairs() -> None:
    with pytest.raises(wire.FrameError, match="pairs"):
        tensors.unpack(payload_of({"0": entry(shape=[1])}, bytes(4)), 1, pairs=[0])


@pytest.mark.parametrize("steps", [False, True])
def test_mutated_answers_are_read_or_refused_and_never_crash(steps: bool) -> None:
    pairs, payload = tensors.pack([torch.ones(2, 3), torch.ones(2, dtype=torch.complex64)])
    header: dict[str, Any] = {
        "id": 1, "nonce": "ab", "status": "ok", "tensors": 2, "pairs": pairs, "grads": [1, None],
        "value": {"tuple": [{"tensor": 0}, 2.5, {"dict": [["a", {"bytes": "AAA="}]]}, {"set": [1]}]},
        "mutated": [0], "text": "", "limit": "",
    }  # fmt: skip
    if steps:
        header["steps"] = [header.pop("value"), {"held": 3, "type": "Linear"}]
    whole = wire.encode(header, payload)
    chance = random.Random(0)
    read = 0
    for _ in range(5_000):
        try:
            prefix, text, data = split(mutate(whole, chance))
            wire.sizes(prefix)
            outcome = child_answers.read_outcome(wire.decode_header(text), data)
        except wire.FrameError:
            continue
        assert outcome.status in STATUSES
        assert outcome.limit in ENDED_BY
        read += 1
    assert 0 < read < 5_000


def mutate(message: bytes, chance: random.Random) -> bytes:
    """A few bytes changed, cut, doubled or put in."""
    data = bytearray(message)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                del data[at : at + chance.randint(1, 8)]
            case 2:
                data[at:at] = data[at : at + chance.randint(1, 16)]
            case _:
                data[at:at] = chance.choice([b"-1", b"null", b"1e999", b"[]", b"{}", b'"\\ud800"', b"true"])
    return bytes(data)


def split(message: bytes) -> tuple[bytes, bytes, bytes]:
    """Cut where the prefix says; a message without a whole prefix is padded."""
    prefix = message[: wire.PREFIX.size].ljust(wire.PREFIX.size, b"\0")
    _, length, _ = wire.PREFIX.unpack(prefix)
    rest = message[wire.PREFIX.size :]
    return prefix, rest[:length], rest[length:]


@pytest.mark.parametrize(
    "change",
    [
        {"status": "graded"},
        {"status": "crashed"},
        {"status": ["ok"]},
        {"status": None},
        {"value": [1]},
        {"value": {"tensor": 5}},
        {"value": {"tensor": True}},
        {"value": {"tensor": 0, "more": 2}},
        {"value": {"number": [], "kind": "x"}},
        {"value": {"bytes": "é"}},
        {"value": {"list": 1}},
        {"value": {"list": [], "tuple": []}},
        {"value": {"list": [None] * 20_001}},
        {"value": {"dict": [[1]]}},
        {"value": {"dict": [[{"list": []}, 1]]}},
        {"value": {"set": [{"set": []}]}},
        {"value": {"held": 1, "type": "x"}},
        {"value": 1 << 70},
        {"steps": "x"},
        {"steps": [{"held": -1, "type": "x"}]},
        {"steps": [{"held": 1 << 40, "type": "x"}]},
        {"steps": [{"held": 1}]},
        {"grads": [0]},
        {"mutated": [-1]},
        {"mutated": ["a"]},
        {"tensors": -1},
        {"tensors": 1.5},
        {"tensors": 3},
        {"pairs": [7]},
        {"limit": "none"},
        {"limit": {}},
        {"text": 5},
        {"error": {"a": 1}},
    ],
    ids=str,
)
def test_an_answer_with_a_wrong_field_is_refused(change: dict[str, Any]) -> None:
    good = {"status": "ok", "value": 1}
    assert child_answers.read_outcome(good, b"").outputs == (1,)
    with pytest.raises(wire.FrameError):
        child_answers.read_outcome(good | change, b"")


def test_strides_are_kept_unless_a_tensor_overlaps_itself() -> None:
    base = torch.arange(12.0).reshape(3, 4)
    assert strides(base) is None
    assert strides(base.expand(2, 3, 4)) is None
    for view in (base.t(), base[:, ::2]):
        again = tensors.rebuild(view.contiguous(), strides(view))
        assert again.stride() == view.stride()
        assert torch.equal(again, view)


def test_a_burst_is_no_larger_than_the_pipe() -> None:
    with channel() as (ours, _, _):
        assert ours.room <= fcntl.fcntl(ours._writer, fcntl.F_GETPIPE_SZ)
        assert fcntl.fcntl(ours._writer, fcntl.F_SETPIPE_SZ, 4096) == 4096
        small = wire.Channel(os.dup(ours._reader), os.dup(ours._writer))
    try:
        assert small.room < 4096
    finally:
        small.close()


KEYS = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3) | st.binary(max_size=3)
VALUES = st.recursive(
    KEYS | st.floats(allow_nan=False) | st.sets(KEYS, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_any_value_comes_back_as_it_was(value: Any) -> None:
    packed = pack_value(value)
    tree = json.loads(json.dumps(packed.tree))
    again = read_value(tree, lambda node: packed.tensors[node["tensor"]])
    assert again == value
    assert kind_of_node(tree) == kind_of(value) == kind_of(again)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        pytest.param({(torch.zeros(1),): 1}, "a key in what it returned", id="a tensor in a key"),
        pytest.param(
            {"a": [object()]}, r"item \['a'\]\[0\] of what it returned is of type object", id="object"
        ),
        pytest.param([0] * 20_001, "more than 20000 entries", id="long"),
        pytest.param(["x" * 60_000] * 10, "more than the grader reads", id="much text"),
        pytest.param([torch.zeros(1)] * 3000, "more than the grader reads", id="many tensors"),
    ],
)
def test_a_value_that_is_no_data_is_refused_before_it_is_sent(value: Any, says: str) -> None:
    with pytest.raises(OutputError, match=says):
        pack_value(value)


def test_a_value_that_holds_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(OutputError, match="nested more than 16 deep"):
        pack_value(loop)


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome("ok", (1, 2), kind="script"),
        Outcome("ok", (1,), kind="tensor", grads=(None,)),
        Outcome("raised", (), kind="script", error="it raised"),
    ],
    ids=["steps", "gradients", "steps that stopped"],
)
def test_notes_of_steps_that_come_with_anything_else_are_refused(outcome: Outcome) -> None:
    script = Script("f", (Step("name", "f"), Step("name", "g")), noted=1)
    with pytest.raises(wire.FrameError, match="notes of steps come with other values"):
        child_answers.check_fits(outcome, script)
    right = Outcome("ok", (1, 2, ""), kind="tuple", kinds=("tensor", "tensor", "str"))
    child_answers.check_fits(right, script)
