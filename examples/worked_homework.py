"""Write examples/worked_homework/: a student's solved homework, answer by answer in our notebooks.

The formulas and claims are the student's; the sentences are ours. It shows what grading makes of real work: right
results beside wrong reasons. docs/corrections.md goes through its marks.
"""

from examples.make_class import ROOT, filled, write

SET = "deep_learning_hw2"

HOMEWORK = {
    "alternating_rnn": {
        "alternating_rnn": """\
def alternating_rnn(X, H0):
    # H_T = (X_T - X_{T-1}) + ... + (X_2 - X_1) + H_0 for an even number of steps
    return torch.sigmoid(1000 * ((X[1::2] - X[0::2]).sum() + H0))
""",
        "final_output": r'final_output = r"""Y_T = sigmoid(1000 (\sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))"""',
    },
    "orthogonal_attention": {
        "norm_1": r'norm_1 = r"\beta\sqrt{2}"',
        "norm_2": r'norm_2 = r"\beta"',
        "norm_3": r'norm_3 = r"\beta\sqrt{2}"',
        "score_13": 'score_13 = "0"',
        "orthogonal_self_attention": """\
def orthogonal_self_attention(a, b, c, d):
    X = torch.stack([d + b, a, c + d])
    W = torch.eye(3, dtype=a.dtype)  # 1 where i = j, 0 otherwise
    return X.norm(dim=1), W @ X
""",
        "output_1": 'output_1 = "y_1 = x_1"',
        "output_2": 'output_2 = "y_2 = x_2"',
        "output_3": 'output_3 = "y_3 = x_3"',
        "limit_outputs": 'limit_outputs = "y_1 = d + b, y_2 = a, y_3 = c + d"',
        "why_copying": "The tokens are built from orthogonal vectors, so each scores 1 with itself and 0 with the others; "
        "its value is passed on unchanged.",
    },
    "linear_attention": {
        "linear_attention": """\
def linear_attention(q, k, v):
    return torch.stack([sum((q[i] @ k[j]) * v[j] for j in range(len(k))) for i in range(len(q))])
""",
        "linear_equation": r'linear_equation = r"y_i = \sum_{j=1}^T \langle q_i, k_j \rangle v_j"',
        "standard_time": 'standard_time = "O(T^2)"',
        "linear_time": 'linear_time = "O(T)"',
        "why_linear": "Without the exponential there is no matrix product any more, only additions, multiplications and a "
        "normalisation, each of which takes linear time.",
    },
}


def main() -> None:
    target = ROOT / "examples" / "worked_homework" / "anonymous" / SET
    for problem, answers in HOMEWORK.items():
        write(target / f"{problem}.ipynb", filled(problem, answers, SET))


if __name__ == "__main__":
    main()
