"""Write examples/submitted/: a small made-up class, from the best student to a corrupt file.

Run it again after a problem has changed: python -m examples.make_class
A class of any size, elsewhere: python -m examples.make_class --students 60 --layout canvas class.zip
"""

import argparse
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SET = "transformers"

RIGHT = """\
def multi_head_self_attention(h_in, WQ, WK, WV):
    q, k, v = (torch.einsum("kaj,tj->kta", W, h_in) for W in (WQ, WK, WV))
    alpha = torch.softmax(q @ k.transpose(1, 2), dim=-1)
    return torch.cat(list(alpha @ v), dim=1)
"""

# One slip that many make: the scaling of the original paper, which this layer does not have.
SCALED = """\
import torch.nn.functional as F

def multi_head_self_attention(h_in, WQ, WK, WV):
    q, k, v = h_in @ WQ.mT, h_in @ WK.mT, h_in @ WV.mT
    return F.scaled_dot_product_attention(q, k, v).transpose(0, 1).flatten(1)
"""

CRASHING = """\
def multi_head_self_attention(h_in, WQ, WK, WV):
    q, k, v = h_in @ WQ, h_in @ WK, h_in @ WV
    return torch.softmax(q @ k.T, dim=-1) @ v
"""

LOOPING = """\
def multi_head_self_attention(h_in, WQ, WK, WV):
    t = 0
    while t < h_in.shape[0]:
        scores = WQ[0] @ h_in[t]
    return scores
"""

# Looks for the answers, prints a score, and returns something that claims to equal everything.
CHEATING = """\
import json, os, glob

found = glob.glob("/**/solutions/*.py", recursive=True)
print(json.dumps({"score": 6, "max_score": 6}))

def multi_head_self_attention(h_in, WQ, WK, WV):
    class Right(torch.Tensor):
        def __eq__(self, other):
            return True
    return torch.zeros(h_in.shape[0], WV.shape[0] * WV.shape[1]).as_subclass(Right)
"""

SPATIAL_RIGHT = """\
def spatial_self_attention(h_in, WQ, WK, WV):
    X, Y, J = h_in.shape
    flat = h_in.reshape(X * Y, J)
    q, k, v = flat @ WQ.mT, flat @ WK.mT, flat @ WV.mT
    out = torch.softmax(q @ k.mT, dim=-1) @ v
    return out.permute(1, 0, 2).reshape(X, Y, -1)
"""

SPATIAL_EQUATIONS = r"""
Query[k,x,y,U] = W^Q[k,U,J] h_in[x,y,J]
Key[k,x,y,U]   = W^K[k,U,J] h_in[x,y,J]
alpha[k,x1,y1,x2,y2] = softmax_{x2,y2} Query[k,x1,y1,U] Key[k,x2,y2,U]
Value[k,x,y,I] = W^V[k,I,J] h_in[x,y,J]
Out[k,x,y,I]   = sum_{x',y'} alpha[k,x,y,x',y'] Value[k,x',y',I]
h_out[x,y,J]   = Out[1,x,y,I]; ... ; Out[K,x,y,I]
"""

CLASS = {
    # everything right
    "ada": {
        "self_attention": {
            "multi_head_self_attention": RIGHT,
            "softmax_time": 'softmax_time = "O(log T + log U)"',
            "layer_time": 'layer_time = "O(ln(T J))"',
        },
        "spatial_attention": {
            "spatial_equations": f'spatial_equations = r"""{SPATIAL_EQUATIONS}"""',
            "spatial_self_attention": SPATIAL_RIGHT,
            "spatial_time": r'spatial_time = r"$\mathcal{O}(\ln XY + \ln J)$"',
        },
    },
    # typical slips, each of which is recognised
    "boris": {
        "self_attention": {
            "multi_head_self_attention": SCALED,
            "softmax_time": 'softmax_time = "O(ln T)"',
            "layer_time": 'layer_time = "O(J + ln T)"',
        },
        "spatial_attention": {
            "spatial_equations": 'spatial_equations = r"""'
            + SPATIAL_EQUATIONS.replace("softmax_{x2,y2}", "softmax_{y2}")
            + '"""',
            "spatial_self_attention": SPATIAL_RIGHT.replace("dim=-1", "dim=-2"),
            "spatial_time": 'spatial_time = "O(ln X + ln Y)"',
        },
    },
    # half finished
    "chen": {
        "self_attention": {
            "multi_head_self_attention": RIGHT,
            "softmax_time": 'softmax_time = "O(ln T +"',
        },
    },
    "dana": {
        "self_attention": {
            "multi_head_self_attention": CRASHING,
            "softmax_time": 'softmax_time = "O(ln T U)"',
        }
    },
    "emil": {
        "self_attention": {"multi_head_self_attention": LOOPING, "layer_time": 'layer_time = "log T + log J"'}
    },
    "goran": {"self_attention": {"multi_head_self_attention": CHEATING}},
}


def main() -> None:
    options = argparse.ArgumentParser(description="Make up a class.")
    options.add_argument("out", nargs="?", type=Path, help="a folder, or a file that ends with .zip")
    options.add_argument("--students", type=int, help="how many; without it, examples/submitted is written")
    options.add_argument("--layout", default="nbgrader", help="nbgrader, flat, canvas, moodle or gradescope")
    options.add_argument("--set", default=SET, help="the set that is handed in")
    options.add_argument("--seed", type=int, default=1, help="another seed, another class")
    given = options.parse_args()
    if given.students is None:
        write_small()
        return
    if given.out is None:
        options.error("say where to: a folder, or a file that ends with .zip")
    from examples import large_class

    files = large_class.make_files(given.students, given.layout, given.set, given.seed)
    large_class.write_files(files, given.out)
    print(f"wrote {len(files)} files to {given.out}: {large_class.summary(given.students, given.seed)}")


def write_small() -> None:
    target = ROOT / "examples" / "submitted"
    for student, problems in CLASS.items():
        for problem, answers in problems.items():
            write(target / student / SET / f"{problem}.ipynb", filled(problem, answers))
    whole = filled("self_attention", CLASS["ada"]["self_attention"])
    write(target / "fatima" / SET / "self_attention.ipynb", whole[: len(whole) // 2])  # half an upload


def filled(problem: str, answers: dict[str, str], set_id: str = SET) -> str:
    """The handed-out notebook with these answers in its cells."""
    notebook = json.loads((ROOT / "notebooks" / set_id / f"{problem}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        fields = cell["metadata"]["nbgrader"]
        answer = answers.get(fields["grade_id"])
        if answer is not None:
            cell["source"] = answer.splitlines(keepends=True)
        elif cell["cell_type"] == "markdown" and fields["locked"]:
            cell["source"] = []  # questions and figures are not needed to grade
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
