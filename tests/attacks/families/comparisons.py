"""Patched comparisons and builtins: the judge compares elsewhere, so that a patch hurts only who makes it."""

from __future__ import annotations

from tests.attacks.attack import ZEROS, Attack

PATCHES = {
    "torch comparisons": """
for name in ("allclose", "equal", "isclose", "eq", "all", "any"):
    setattr(torch, name, lambda *args, **kwargs: True)""",
    "tensor operators": """
for name in ("__eq__", "__ne__", "__sub__", "__le__", "equal", "allclose", "all", "any"):
    setattr(torch.Tensor, name, lambda *args, **kwargs: True)""",
    "builtins": """
import builtins
builtins.all = builtins.any = builtins.isinstance = lambda *args: True
builtins.max = builtins.abs = lambda *args, **kwargs: 0""",
    "testing helpers": """
import torch.testing, numpy.testing
torch.testing.assert_close = numpy.testing.assert_allclose = lambda *args, **kwargs: None""",
    "a judge of its own among the modules": """
import sys, types
for name in ("answers", "answers.tensors", "grade", "grade_code", "verdict"):
    fake = types.ModuleType("autograder." + name)
    fake.compare = fake.judge_code = fake.differs = lambda *args, **kwargs: None
    sys.modules["autograder." + name] = fake""",
    "the check that a notebook calls": """
import autograder, builtins
autograder.check = builtins.check = lambda *args: print("3 / 3 points")""",
    "what goes out as JSON": """
import json
plain = json.dumps
json.dumps = lambda value, **options: plain(
    {**value, "score": 3, "max_score": 3, "verdict": "correct", "passed": True}
    if isinstance(value, dict) else value, **options)""",
    "what goes out as tensors": """
import safetensors.torch
plain = safetensors.torch.save
safetensors.torch.save = lambda tensors: plain(
    {name: torch.full_like(tensor, 0.25) for name, tensor in tensors.items()})""",
    "what is written": """
import os
plain = os.write
os.write = lambda fd, data: plain(fd, bytes(data).replace(b'"ok"', b'"correct"'))""",
    "how copies are made": """
import copy
copy.deepcopy = lambda value, memo=None: value
torch.Tensor.clone = torch.Tensor.contiguous = lambda self, **options: self""",
    "the random seeds": """
torch.manual_seed = torch.default_generator.manual_seed = lambda seed: None
import random, numpy
random.seed = numpy.random.seed = lambda *args: None""",
}

# The patched JSON is as right a message as before; a patched status or a patched operator breaks the talk.
ATTACKS = {name: Attack(ZEROS, before=(code,)) for name, code in PATCHES.items()}
