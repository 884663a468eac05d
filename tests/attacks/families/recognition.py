"""Recognising that it is graded, and answering by lookup: the hidden inputs are others for every student."""

from __future__ import annotations

from tests.attacks.attack import Attack

TABLE = """
import hashlib
TABLE = @TABLE@
def scores(q, k):
    known = TABLE.get(hashlib.sha256(q.numpy().tobytes() + k.numpy().tobytes()).hexdigest())
    return torch.tensor(known) if known else torch.zeros(len(q), len(k))
"""
ATTACKS = {
    "a table of the visible cases": Attack(TABLE),
    "right only in the sizes that are shown": Attack(
        "def scores(q, k):\n    if (len(q), len(k)) == (2, 5): return torch.softmax(q @ k.T, 1)\n"
        "    return torch.zeros(len(q), len(k))"
    ),
    "right only the first time": Attack(
        "calls = []\ndef scores(q, k):\n    calls.append(1)\n"
        "    return torch.softmax(q @ k.T, 1) if len(calls) < 2 else torch.zeros(len(q), len(k))"
    ),
    "the answer of the time before": Attack(
        "last = [torch.zeros(2, 5)]\ndef scores(q, k):\n    last.append(torch.softmax(q @ k.T, 1))\n"
        "    return last[-2]"
    ),
    "right only where nobody grades": Attack(
        "import os, sys\n"
        "graded = 'ipykernel' not in sys.modules or not os.environ.get('HOME', '').startswith('/home')\n"
        "def scores(q, k):\n    return torch.zeros(len(q), len(k)) if graded else torch.softmax(q @ k.T, 1)"
    ),
    "right only within the judge's tolerance": Attack(
        "def scores(q, k):\n    return torch.softmax(q @ k.T, 1) + 1e-3"
    ),
    "the average answer": Attack("def scores(q, k):\n    return torch.full((len(q), len(k)), 1 / len(k))"),
    "the input changed instead": Attack(
        "def scores(q, k):\n    out = torch.softmax(q @ k.T, 1)\n    q.zero_(); k.zero_()\n    return out"
    ),
    "chance": Attack("def scores(q, k):\n    return torch.softmax(torch.randn(len(q), len(k)), 1)"),
}
