"""What a student of this course reads first, for the very answer that provokes it, graded for real."""

from __future__ import annotations

import pytest

from autograder.calls.failure import AGAIN
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill

PART = "multi_head_self_attention"
QKV = """def multi_head_self_attention(h_in, WQ, WK, WV):
    q = torch.einsum("kuj,tj->ktu", WQ, h_in)
    k = torch.einsum("kuj,tj->ktu", WK, h_in)
    v = torch.einsum("kij,tj->kti", WV, h_in)
"""
WEIGHTS = "    a = torch.softmax(q @ k.transpose(1, 2), -1)\n"
OWN_SOFTMAX = "    e = torch.exp(q @ k.transpose(1, 2))\n    a = e / e.sum(-1, keepdim=True)\n"
RESULT = "    return (a @ v).transpose(0, 1).flatten(1)"
RETURN_IN_LOOP = """def multi_head_self_attention(h_in, WQ, WK, WV):
    heads = []
    for q, k, v in zip(WQ, WK, WV):
        scores = (h_in @ q.T) @ (h_in @ k.T).T
        heads.append(scores.softmax(-1) @ (h_in @ v.T))
        return torch.cat(heads, dim=-1)
"""
FIRST = {
    "numpy": (
        f"{QKV}{WEIGHTS}{RESULT}.numpy()",
        "all 8 cases pass",
    ),
    "overflow": (
        QKV + OWN_SOFTMAX + RESULT,
        "the softmax overflows on large scores: subtract the largest score first",
    ),
    "parameter": (
        QKV.replace("WQ, h_in)", "torch.nn.Parameter(WQ), h_in)") + WEIGHTS + RESULT,
        "all 8 cases pass",
    ),
    "dropout": (
        f"{QKV}{WEIGHTS}    a = torch.nn.functional.dropout(a, 0.5)\n{RESULT}",
        "called again on the same input, the function gives another answer: something random is left in "
        "(dropout, a new layer's own weights or biases), or it remembers earlier calls",
    ),
    "double": (
        f"{QKV}{WEIGHTS}{RESULT}.double()",
        "the values are right, but in float64, and float32 is asked for",
    ),
    "open-bracket": (
        f"{QKV}{WEIGHTS}{RESULT}".replace(".flatten(1)", ".flatten(1"),
        f"the cell stops before {PART} is defined: SyntaxError: '(' was never closed (line 6)",
    ),
    "input": (
        f"def {PART}(h_in, WQ, WK, WV):\n    return h_in",
        "what is returned is the input h_in, as it came",
    ),
    "printed": (
        QKV + WEIGHTS + RESULT.replace("return ", "print(") + ")",
        "expected a torch tensor, got None: does the function end with return?",
    ),
    "squeeze-in-the-middle": (
        QKV.replace('"kuj,tj->ktu", WK, h_in)', '"kuj,tj->ktu", WK, h_in).squeeze()') + WEIGHTS + RESULT,
        'it fails only where an axis has length 1: line 3, `k = torch.einsum("kuj,tj->ktu", WK, h_in).squeeze()`, '
        "has a squeeze() without an axis, and that takes away every axis of length 1: name the one to take, as "
        "in squeeze(-1), or leave it out; it stops at line 5, `a = torch.softmax(q @ k.transpose(1, 2), -1)`, where "
        "`q` is [1, 4, 2], `k` is [4, 2]",
    ),
    "return-in-the-loop": (
        RETURN_IN_LOOP,
        "line 6, `return torch.cat(heads, dim=-1)`, stands inside the loop of line 3: only its first round is "
        "run; only one head is returned: join all K of them side by side",
    ),
}


@pytest.fixture(scope="module")
def grade(real, sandbox):
    problem = real.problems["self_attention"]
    grader = Grader(problem, real.solutions[problem.id], real.secret)

    def run(**answers):
        data = fill(build_notebook(problem, "any", real.root), answers)
        return {report.part: report for report in grader.grade(data, "ada", sandbox.run)}

    return run


@pytest.mark.parametrize(("source", "said"), FIRST.values(), ids=FIRST)
def test_the_first_sentence_of_a_function_is_true_of_it(grade, source, said):
    first, *rest = grade(**{PART: source})[PART].feedback.split("\n")
    assert first == said
    hints = [line for line in rest if "precision" in line and "fails as well" not in line]
    assert all("torch tensor" in line for line in hints)


NOT_TRIED = "not tried, since earlier calls of this part had to be stopped or ended the process"
NO_VALUE = {
    "exit": (
        "    import os; os._exit(3)",
        ["the process left by itself with exit code 3"] * 2 + [NOT_TRIED] * 6,
    ),
    "memory": (
        "    return torch.ones(10**11)",
        ["needed more memory than it may have (line 2: return torch.ones(10**11))"] * 3
        + ["needed more memory than it may have"] * 5,
    ),
}


@pytest.mark.parametrize(("body", "said"), NO_VALUE.values(), ids=NO_VALUE)
def test_of_a_call_without_a_value_every_case_is_told_the_truth(grade, body, said):
    report = grade(**{PART: f"def {PART}(h_in, WQ, WK, WV):\n{body}"})[PART]
    assert [case.message for case in report.cases] == said


def test_a_bound_is_argued_in_the_letters_of_the_question(grade):
    said = grade(layer_time='layer_time = "ln T + ln I"')["layer_time"].feedback
    assert said == (
        "your bound is too small: let K and J grow in proportion with T fixed: "
        "your bound stays at log (J/K) + log T while the cost grows like log K"
    )


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("None", "not answered yet: layer_time is None"),
        ("[1]", 'layer_time should be text in quotes, not a list: write layer_time = "…"'),
        ("'O(ß)'", "cannot read 'ß' at column 3: this character has no meaning in an answer"),
        ("'O(größe)'", "cannot read 'größe' at column 3: 'ö' has no meaning in an answer"),
    ],
    ids=["none", "list", "eszett", "word"],
)
def test_what_is_no_answer_is_told_what_it_is(grade, answer, said):
    assert grade(layer_time=f"layer_time = {answer}")["layer_time"].feedback == said


FLIPPED = """def sequence_convolution(x, W, b):
    D, I, J = W.shape
    xp = torch.nn.functional.pad(x, (0, 0, D // 2, D // 2))
    W = W.flip(0)
    return torch.stack([torch.einsum("di,dij->j", xp[t:t + D], W) + b for t in range(x.shape[0])])
"""


ASKING = """def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    flat = h_in.reshape(X * Y, J)
    q, k, v = flat @ WQ.mT, flat @ WK.mT, flat @ WV.mT
    out = torch.softmax(q @ k.mT, dim=-2) @ v
    return out.permute(1, 0, 2).reshape(X, Y, -1)
"""


def test_rounds_are_spoken_of_only_where_the_line_is_in_a_loop(real, sandbox):
    said = first_sentence(real, sandbox, "convolution_models", sequence_convolution=FLIPPED)
    assert said == (
        "W is read or written along D from the other end; line 4, `W = W.flip(0)`, parts from a right solution"
    )


def test_axes_that_share_their_letters_are_told_apart(real, sandbox):
    said = first_sentence(real, sandbox, "spatial_attention", spatial_self_attention=ASKING)
    assert said == (
        "the softmax runs over the first X and Y instead of the last X·Y; "
        "line 5, `out = torch.softmax(q @ k.mT, dim=-2) @ v`, parts from a right solution"
    )


CAPTION = """def caption_step(h_prev, M, W_key, W_auto, e, w_t, cell):
    a = torch.softmax((M @ (W_key.T @ h_prev)).flatten(), 0).view(M.shape[:2])
    V = torch.einsum("xy,xyk->k", a, M)
    h_t = cell(h_prev, V, e[w_t])
    return torch.softmax(e @ W_auto @ h_t, 0), a, V, h_t
"""
SUMMED_WRONGLY = """def blank_lm(e, W_fwd, W_bwd, h_fwd, h_bwd, t):
    left = torch.softmax(e @ W_fwd @ h_fwd[t - 1], dim=-1)
    return left * torch.softmax(e @ W_bwd @ h_bwd[t + 1], dim=-1)
"""
UNSCALED = "def merged_key_query(WQ, WK):\n    return WQ.transpose(1, 2) @ WK\n"
NOT_IMPORTED = """def column_attention_head(H, Q, K, V):
    S = (K @ H).t() @ (Q @ H) / np.sqrt(len(H))
    return V @ H @ torch.softmax(S, dim=0)
"""
OWN_BIASES = """def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    rnn = torch.nn.RNN(x.shape[1], len(b_f), bidirectional=True, dtype=x.dtype)
    own = dict(weight_ih_l0=W_f, weight_hh_l0=U_f, bias_ih_l0=b_f)
    own |= dict(weight_ih_l0_reverse=W_b, weight_hh_l0_reverse=U_b, bias_ih_l0_reverse=b_b)
    rnn.load_state_dict(own, strict=False)
    return rnn(x)[0].split(len(b_f), -1)
"""
FRESH_EMBEDDING = "def language_cnn_embed(e, w):\n    return torch.nn.Embedding(*e.shape)(w)\n"
SINGLE_POSITIONS = """def transformer_almost(x, WQ, WK, WV):
    T, D = x.shape
    angle = torch.arange(T)[:, None] / 10000 ** (torch.arange(0, D, 2) / D)
    h = x + torch.stack([angle.sin(), angle.cos()], -1).flatten(1).to(x.dtype)
    a = torch.softmax((h @ WQ.T) @ (h @ WK.T).T / len(WQ) ** 0.5, -1)
    return a @ (h @ WV.T)
"""
NUMBER = """def alternating_rnn(X, H0):
    h = float(H0)
    for x in X.tolist():
        h = x - h
    return 1 / (1 + 2.718281828 ** (-1000 * h))
"""


@pytest.mark.parametrize(
    ("name", "source", "said"),
    [
        (
            "image_captioning",
            CAPTION,
            "the new value, h_t, is used in one place where h_prev belongs; "
            "line 5, `return torch.softmax(e @ W_auto @ h_t, 0), a, V, h_t`, parts from a right solution",
        ),
        (
            "blank_language_model",
            SUMMED_WRONGLY,
            "the softmax is taken with the product of W_fwd and h_fwd alone and with the product of W_bwd and "
            "h_bwd alone, and the two are multiplied; line 3, "
            "`return left * torch.softmax(e @ W_bwd @ h_bwd[t + 1], dim=-1 …`, parts from a right solution",
        ),
        (
            "merged_query_key",
            UNSCALED,
            "the product of WQ and WK is not divided by √I; line 2, `return WQ.transpose(1, 2) @ WK`, gives "
            "numbers that a right solution has as well, but not as the result asked for",
        ),
        (
            "column_attention",
            NOT_IMPORTED,
            "it stops at line 2, `S = (K @ H).t() @ (Q @ H) / np.sqrt(len(H))`; "
            "write import numpy as np at the top of the cell",
        ),
        ("alternating_rnn", NUMBER, "expected a torch tensor, got a number"),
        ("bidirectional_rnn", OWN_BIASES, AGAIN),
        ("language_cnn", FRESH_EMBEDDING, AGAIN),
        ("positional_embeddings", SINGLE_POSITIONS, "all 9 cases pass"),
    ],
    ids=[
        "given-function",
        "two-softmaxes",
        "root",
        "import",
        "number",
        "own-biases",
        "fresh-embedding",
        "single-positions",
    ],
)
def test_the_first_sentence_is_what_is_wrong_if_anything_is(real, sandbox, name, source, said):
    part = source.split("(")[0].removeprefix("def ")
    assert first_sentence(real, sandbox, name, **{part: source}) == said


def first_sentence(real, sandbox, name, **answer):
    problem = real.problems[name]
    data = fill(build_notebook(problem, "any", real.root), answer)
    grader = Grader(problem, real.solutions[problem.id], real.secret)
    [part] = answer
    return {row.part: row.feedback for row in grader.grade(data, "ada", sandbox.run)}[part].split("\n")[0]
