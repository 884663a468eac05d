"""Large pages for the warm parent, and the tensors' own format: what was there before is there after."""

from __future__ import annotations

import safetensors.torch
import torch

from autograder.sandbox import tensors
from autograder.sandbox.inside import large_pages


def test_collapsing_pages_keeps_what_they_hold():
    kept = bytearray(bytes(range(256)) * (1 << 15))
    before = bytes(kept)
    assert large_pages.collapse() >= 0
    assert bytes(kept) == before


def test_what_we_pack_is_read_by_the_library_of_the_format():
    sent = [
        torch.arange(6.0).reshape(2, 3).T,
        torch.tensor(True),
        torch.empty(0, 2),
        torch.ones(2).bfloat16(),
    ]
    pairs, payload = tensors.pack(sent)
    read = safetensors.torch.load(payload)
    assert pairs == []
    assert all(torch.equal(read[str(n)], tensor) for n, tensor in enumerate(sent))


def test_what_the_library_packs_is_read_by_us():
    sent = {"0": torch.randn(3, 2, dtype=torch.float64), "1": torch.tensor([1, 2], dtype=torch.uint16)}
    one, other = tensors.unpack(safetensors.torch.save(sent), 2)
    assert torch.equal(one, sent["0"])
    assert torch.equal(other, sent["1"])


def test_a_byte_that_is_no_truth_value_is_read_as_true():
    payload = bytearray(tensors.pack([torch.tensor([True, False])])[1])
    payload[-2] = 7
    (read,) = tensors.unpack(bytes(payload), 1)
    assert read.tolist() == [True, False]
    assert read.view(torch.uint8).tolist() == [1, 0]
