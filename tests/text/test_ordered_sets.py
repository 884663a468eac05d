"""The same question gets the same words under every hash seed: sets are never told in their own order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from autograder.text.growth.terms import Term
from autograder.text.ordered_sets import canonical, in_order

ROOT = Path(__file__).resolve().parents[2]
GROWTH = {"kind": "growth", "assumptions": []}
FORMULA = {"kind": "formula", "variables": ["a", "b", "c", "d"]}

# Answers whose judgement passes through sets: names, powers, terms of exponents, roots, summed indices.
ASKED = [
    {"problem": "self_attention", "part": "layer_time", "answer": "O(ln T ln J)"},
    {"problem": "self_attention", "part": "layer_time", "answer": "O(ln T ln J ln K + sqrt(J))"},
    {"problem": "self_attention", "part": "softmax_time", "answer": "O(T^U + U^T)"},
    {"problem": "spatial_attention", "part": "spatial_time", "answer": "O(min(X, Y, J, K))"},
    {"problem": "linear_attention", "part": "linear_time", "answer": "O(T log d + d log T)"},
    {
        **GROWTH,
        "answer": "O(exp(n m) + exp(n k) + exp(a b))",
        "reference": "O(exp(n) + exp(m) + n^k)",
        "variables": ["n", "m", "k", "a", "b"],
        "assumptions": ["a = n m", "b <= k"],
    },
    {
        **GROWTH,
        "answer": "O(a^(log b) + c^(log d) + log a log b log c)",
        "reference": "O(d^(log c) + b log a)",
        "variables": ["a", "b", "c", "d"],
    },
    {**GROWTH, "answer": "O(x y z w v)", "reference": "O(x + y)", "variables": ["x", "y", "z", "w"]},
    {
        **FORMULA,
        "answer": "sqrt(a+b)*sqrt(c+d)/(sqrt(2)*sqrt(3)*sqrt(a+c))",
        "reference": "sqrt((a+b)*(c+d)/(6*(a+d)))",
    },
    {**FORMULA, "answer": "exp(a b)/(exp(a b)+q r)", "reference": "exp(a b)/(exp(c d)+exp(a c))"},
    {**FORMULA, "answer": "a = b*c - d", "reference": "a*d = b*c"},
    {
        "problem": "image_captioning",
        "part": "caption_equations",
        "answer": "alpha[x,y] = softmax_{y} h[t-1,J] W_key[J,K] M[x,y,K]\nV[K] = sum_{x,y} alpha[x,y] M[x,z,K] + Q[a]",
    },
]


def test_judgements_are_the_same_bytes_under_every_hash_seed():
    said = {_compare(seed) for seed in ("0", "1", "2")}
    assert len(said) == 1
    assert len(said.pop().splitlines()) == len(ASKED)


def _compare(seed: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "autograder", "compare", "--course", str(ROOT)],
        input="".join(json.dumps(line) + "\n" for line in ASKED),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_equal_values_share_one_text_however_their_sets_were_filled():
    points = [((f"x{n}", n % 3), Fraction(n, 2)) for n in range(1, 9)]
    one, other = Term(frozenset(points)), Term(frozenset(reversed(points)))
    assert canonical(Term(exponent=frozenset({(one, 1)}))) == canonical(
        Term(exponent=frozenset({(other, 1)}))
    )
    assert canonical(one) != canonical(Term(frozenset(points[1:])))


def test_items_that_python_cannot_compare_are_put_in_order():
    items = [("root", frozenset({("b", 1), ("a", 2)})), ("name", "z"), ("prime", 3)]
    assert in_order(items) == in_order(reversed(items))
