"""What is told of the usual slips in a normalising layer, whose input has more axes in one case than in another."""

from __future__ import annotations

import pytest

from autograder.course.load import load_course
from autograder.diagnose.class_edits import ClassFinder
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill

PROBLEM = '''
import torch
from autograder import Module, Problem, case, do

class LayerNorm(torch.nn.Module):
    """Over the last axis, with the parameters `gain` [features], of ones, and `bias` [features], of zeros."""

    def __init__(self, features, eps=1e-5):
        """`eps` is added to the variance, below the root."""

    def forward(self, x):
        """x[..., features] keeps its shape."""

LOAD = {"gain": "G[features]", "bias": "b[features]"}
GRADIENTS = [do.call("x[B, features]"), do.backward("g[B, features]"), do.gradients()]

problem = Problem("t", "s", "s", [Module(LayerNorm, 3, [
    case("in training and in evaluation", init=dict(features=5), load=LOAD, B=3,
         steps=[do.train(), do.call("x[B, features]"), do.evaluate(), do.call("x"), do.call("y[B, features]")]),
    case("as it is made", init=dict(features=4), steps=[do.call("x[B, T, features]"), do.state()], B=2, T=3),
    case("its gradients", init=dict(features=6, eps=0.1), load=LOAD, steps=GRADIENTS, B=4, hidden=True,
         hint="both gain and bias must be parameters, and eps is added below the root"),
])])
'''
BEGIN = """
import torch

class LayerNorm(torch.nn.Module):
    def __init__(self, features, eps=1e-5):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.ones(features))
        self.bias = torch.nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
"""
WRITTEN_OUT = f"""{BEGIN}
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        return self.gain * (x - mean) / torch.sqrt(variance + self.eps) + self.bias
"""
CALLED = f"""{BEGIN}
        variance = x.var(-1, keepdim=True, unbiased=False)
        return self.gain * (x - mean) / torch.sqrt(variance + self.eps) + self.bias
"""


@pytest.fixture
def course(tmp_path):
    """A course of the layer, with this reference."""

    def made(reference, problem=PROBLEM):
        for folder in ("problems", "solutions"):
            (tmp_path / folder).mkdir()
        (tmp_path / "problems" / "course.toml").write_text('[sets.a]\nproblems = ["p"]\n')
        (tmp_path / "problems" / "p.py").write_text(problem)
        (tmp_path / "solutions" / "p.py").write_text(reference)
        (tmp_path / "solutions" / "secret.txt").write_text("a secret of the test\n")
        return load_course(tmp_path)

    return made


@pytest.fixture
def told(course, sandbox):
    """What a student is told of an answer, line by line."""

    def lines(answer, reference=WRITTEN_OUT, problem=PROBLEM):
        made = course(reference, problem)
        grader = Grader(made.problems["p"], made.solutions["p"], made.secret)
        data = fill(build_notebook(made.problems["p"], "a", made.root), {"LayerNorm": answer})
        (report,) = grader.grade(data, "ada", sandbox.run)
        assert report.score == 0
        return report.feedback.splitlines()

    return lines


@pytest.mark.parametrize("reference", [WRITTEN_OUT, CALLED])
def test_no_axis_is_told_as_a_constant(course, reference):
    made = course(reference)
    part, answer = made.problems["p"].part("LayerNorm"), made.solutions["p"].answers["LayerNorm"]
    says = [each.edit.says for each in ClassFinder(made.problems["p"], part, answer).changed]
    assert "the mean over features is left out" in says
    assert not [each for each in says if "constant" in each]


@pytest.mark.parametrize("reference", [WRITTEN_OUT, CALLED])
def test_the_wrong_axis_is_named(told, reference):
    wrong = CALLED.replace("(-1", "(0")
    says = "every operation that should run over features runs over the first axis"
    line = "; line 11, `mean = x.mean(0, keepdim=True)`, parts from a right solution"
    assert told(wrong, reference)[0] == says + line


def test_a_layer_that_takes_all_axes_at_once_is_told_so(told):
    wrong = CALLED.replace("-1, keepdim=True, ", "").replace("-1, keepdim=True", "")
    assert told(wrong)[0] == "every operation that should run over features runs over all axes at once"


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (WRITTEN_OUT, "the sum divided by the count less one over features is taken, not the mean"),
        (CALLED, "the variance with the count less one over features is taken, not the variance"),
    ],
)
def test_a_variance_with_the_count_less_one_is_named(told, reference, says):
    first = told(CALLED.replace("unbiased=False", "unbiased=True"), reference)[0]
    assert first.startswith(f"{says}; line 1")


CUT = WRITTEN_OUT.replace("self.gain *", "self.gain.data *").replace("+ self.bias", "+ self.bias.data")


def test_a_result_that_no_gradient_flows_through_is_told_so(told):
    says = (
        "raised RuntimeError: backward() was called on what no gradient flows through: .detach(), .data and"
    )
    assert told(CUT)[-1] == f"its gradients: {says} no_grad() cut it off"


@pytest.mark.parametrize("hidden", [True, False])
def test_a_parameter_without_a_gradient_is_told_so(told, hidden):
    problem = PROBLEM if hidden else PROBLEM.replace("hidden=True", "hidden=False")
    wrong = WRITTEN_OUT.replace("self.gain * (", "self.gain.detach() * (")
    assert told(wrong, problem=problem) == [
        "2 of 3 cases pass",
        "its gradients: gain has no gradient: gain.grad is None",
    ]


def test_all_parameters_without_a_gradient_are_told_together(told):
    wrong = CUT.replace("self.bias.data", "self.bias.data + torch.zeros((), requires_grad=True)")
    assert told(wrong)[-1] == "its gradients: gain and bias have no gradient: gain.grad is None"


def test_a_gradient_that_should_not_be_there_is_told(told):
    frozen = WRITTEN_OUT.replace("self.eps = eps", "self.eps = eps; self.bias.requires_grad_(False)")
    problem = PROBLEM.replace("do.state()", "do.shapes()")
    says = "its gradients: bias has a gradient, where there should be none"
    assert told(WRITTEN_OUT, frozen, problem)[-1] == says


def test_a_step_in_evaluation_mode_is_called_so(told):
    wrong = WRITTEN_OUT.replace(
        "        mean", "        if not self.training:\n            return x\n        mean"
    )
    says = "in training and in evaluation: step 2, it(x) in evaluation mode: 15 of 15 values differ"
    assert told(wrong)[1].startswith(says)


def test_a_division_that_is_left_out_is_told_in_few_words(told):
    wrong = WRITTEN_OUT.replace(" / torch.sqrt(variance + self.eps)", "")
    line = "line 14, `return self.gain * (x - mean) + self.bias`, parts from a right solution"
    assert told(wrong)[0] == f"the division by the square root is left out; {line}"


def test_a_slip_that_only_a_hidden_case_catches_is_named(told):
    wrong = CALLED.replace("torch.sqrt(variance + self.eps)", "(torch.sqrt(variance) + self.eps)")
    small = [text.replace("1e-5", "1e-12") for text in (wrong, WRITTEN_OUT, PROBLEM)]
    assert told(*small) == [
        "the sqrt is taken of what is made from x alone, before eps comes in",
        "2 of 3 cases pass",
        "its gradients: fails as well: mend the slip above first",
    ]
