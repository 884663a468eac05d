"""Classes and properties as they are graded, told about, and checked in a student's notebook."""

from __future__ import annotations

import json

import pytest
import torch

from autograder.calls.local_names import local_ask
from autograder.calls.properties import Promise, decide, follows
from autograder.calls.run_author_tests import load_tests
from autograder.check.checker import Checker
from autograder.check.panel import State
from autograder.course.load import load_course
from autograder.course.properties import falls
from autograder.grade.report import Status
from autograder.grade.submission import Grader
from autograder.notebook.build_notebooks import build_notebook
from autograder.notebook.fill import fill
from autograder.release.handout_file import decode, encode
from autograder.release.make_handout import make_handout
from tests.conftest import ROOT

SCHEDULE = """
import math

class CosineSchedule:
    def __init__(self, highest, warmup, steps):
        self.highest, self.warmup, self.steps, self.done = highest, warmup, steps, 0

    def next(self):
        self.done += 1
        if self.done <= self.warmup:
            return self.highest * self.done / self.warmup
        if self.done > self.steps:
            return 0.0
        share = (self.done - self.warmup) / (self.steps - self.warmup)
        return self.highest * (1 + math.cos(math.pi * share)) / 2
"""
BATCH_NORM = """
class BatchNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.inner = torch.nn.BatchNorm1d(size, eps)

    def forward(self, x):
        return self.inner(x)
"""


@pytest.fixture(scope="module")
def course():
    return load_course(ROOT / "examples" / "courses" / "language_models")


@pytest.fixture
def grade(course, sandbox):
    def graded(name, **answers):
        problem = course.problems[name]
        grader = Grader(problem, course.solutions[name], course.secret)
        data = fill(build_notebook(problem, "s", course.root), answers)
        return {report.part: report for report in grader.grade(data, "ada", sandbox.run)}

    return graded


@pytest.fixture
def checked(course):
    """The view of one part, with this code in the notebook and the handout as a student has it."""

    def check(name, part, source):
        handout = decode(encode(make_handout(course, course.problems[name])), "here")
        names = {"torch": torch}
        exec(compile(source, "<cell>", "exec"), names)
        (view,) = Checker(handout, names).check(part).parts
        return view

    return check


def test_the_step_at_which_an_object_goes_wrong_is_named(grade, checked):
    wrong = SCHEDULE.replace("self.done > self.steps", "self.done >= self.steps - 1")
    report = grade("optimisers", CosineSchedule=wrong)["CosineSchedule"]
    says = "step 3, it.next(): expected 0.5000, got 0"
    assert (report.score, report.status) == (0, Status.GRADED)
    assert f"four steps: {says}" in report.feedback
    view = checked("optimisers", "CosineSchedule", wrong)
    assert (view.state, view.cases[0].message, view.cases[0].facts) == (State.FAILS, says, ())


def test_right_objects_earn_their_marks_and_pass_their_check(grade, checked):
    assert grade("optimisers", CosineSchedule=SCHEDULE)["CosineSchedule"].score == 2
    assert checked("optimisers", "CosineSchedule", SCHEDULE).state == State.PASSES


def test_weights_under_another_name_are_told_with_those_that_there_are(grade, checked):
    report = grade("optimisers", BatchNorm=BATCH_NORM)["BatchNorm"]
    assert report.score == 0
    says = "it has no parameter or buffer 'weight'; its parameters and buffers: inner.weight, inner.bias"
    assert says in report.feedback
    assert says in checked("optimisers", "BatchNorm", BATCH_NORM).cases[0].message


NORM = """
class RMSNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.shift = torch.nn.Parameter(torch.{made}(size))
        self.eps = eps

    def forward(self, x):
        return x * self.weight / (self.eps + x.pow(2).mean(dim=-1, keepdim=True)) ** 0.5 + self.shift
"""


def test_a_parameter_that_nobody_asked_for_is_named(grade, checked):
    source = NORM.format(made="randn")
    says = (
        "'shift' is no parameter that the question asks for: nothing is loaded there, it keeps what the class "
        "made by itself, and called again on the same input, the object gives another answer"
    )
    report = grade("layers", RMSNorm=source)["RMSNorm"]
    assert (report.mistake, report.score) == ("unasked_parameter", 0)
    assert report.feedback.startswith(says)
    assert checked("layers", "RMSNorm", source).hint == says


def test_a_parameter_of_one_s_own_that_changes_nothing_is_no_mistake(grade):
    assert grade("layers", RMSNorm=NORM.format(made="zeros"))["RMSNorm"].score == 2


def test_a_listed_mistake_of_a_class_is_recognised(grade):
    source = """
class RMSNorm(torch.nn.Module):
    def __init__(self, size, eps=1e-5):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x):
        return x * self.weight / (self.eps + x.pow(2).mean(dim=-1, keepdim=True) ** 0.5)
"""
    report = grade("layers", RMSNorm=source)["RMSNorm"]
    assert (report.mistake, report.score) == ("eps_outside", 0)
    assert "add it to the mean of the squares" in report.feedback


ADAMW = """
class AdamW:
    def __init__(self, parameters, rate=0.1, betas=(0.9, 0.99), eps=1e-8, decay=0.01):
        self.parameters = list(parameters)
        self.rate, self.betas, self.eps, self.decay = rate, betas, eps, decay
        self.t = 0
        self.m = [torch.zeros_like(p) for p in self.parameters]
        self.v = [torch.zeros_like(p) for p in self.parameters]

    @torch.no_grad()
    def step(self):
        self.t += 1
        for p, m, v in zip(self.parameters, self.m, self.v):
            p -= self.rate * self.decay * p.sign()
            m.mul_(self.betas[0]).add_(p.grad, alpha=1 - self.betas[0])
            v.mul_(self.betas[1]).add_(p.grad * p.grad, alpha=1 - self.betas[1])
            m_hat = m / (1 - self.betas[0] ** self.t)
            v_hat = v / (1 - self.betas[1] ** self.t)
            p -= self.rate * m_hat / (v_hat.sqrt() + self.eps)
"""
LSTM = """
class LSTM(torch.nn.Module):
    def __init__(self, inputs, size):
        super().__init__()
        self.size = size
        self.W = torch.nn.Parameter(torch.empty(4 * size, inputs))
        self.U = torch.nn.Parameter(torch.empty(4 * size, size))

    def forward(self, x):
        h = c = x.new_zeros(x.shape[1], self.size)
        states = []
        for step in x:
            i, f, o, g = (step @ self.W.T + h @ self.U.T).split(self.size, dim=1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * torch.sin(c + 0.1)
            states.append(h)
        return torch.stack(states)
"""


@pytest.mark.parametrize(
    ("problem", "source", "line"),
    [
        ("optimisers", LSTM, "`h = o.sigmoid() * torch.sin(c + 0.1)`"),
        (
            "optimisers",
            LSTM.replace("sin(c + 0.1)", "tanh(c)").replace("h @ self", "c @ self"),
            "`i, f, o, g =",
        ),
        ("optimisers", ADAMW, "`p -= self.rate * self.decay * p.sign()`"),
    ],
    ids=["module", "earlier line", "optimiser"],
)
def test_the_line_of_a_method_at_which_an_object_departs_is_named(grade, problem, source, line):
    name = "LSTM" if "LSTM" in source else "AdamW"
    report = grade(problem, **{name: source})[name]
    assert report.departs is not None, report.feedback
    assert line in report.departs.says
    number = report.departs.line
    assert source.strip().split("\n")[number - 1].strip().startswith(line.strip("`").split(" =")[0])
    assert "parts from a right solution" in report.feedback


def test_a_small_object_shows_what_is_wrong(grade):
    source = """
class Linear(torch.nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(outputs, inputs))

    def forward(self, x):
        return (x @ self.weight.T).cumsum(-1)
"""
    small = grade("layers", Linear=source)["Linear"].smallest
    assert small is not None
    assert [name for name, _ in small.given] == ["it", "weight", "x"]
    assert small.given[0][1] == "Linear(inputs=3, outputs=2)"
    weight, x = (torch.tensor(json.loads(text)).float() for _, text in small.given[1:])
    right, yours = (torch.tensor(json.loads(side[0][1])).float() for side in (small.right, small.yours))
    assert small.right[0][0] == "it(x)"
    assert torch.equal(right, x @ weight.T)
    assert torch.equal(yours, right.cumsum(-1))
    assert not torch.equal(yours, right)


def test_the_line_at_which_a_method_stops_is_named(grade):
    source = LSTM.replace("self.size = size", "self.width = size")
    report = grade("optimisers", LSTM=source)["LSTM"]
    assert "it stops at line 9, `h = c = x.new_zeros(x.shape[1], self.size)`" in report.feedback


def test_a_tensor_in_the_name_of_a_step_is_told_by_its_shape(grade):
    source = "class Attention(torch.nn.Module):\n    def __init__(self, size, heads):\n        super().__init__()\n"
    source += "        for name in ('q', 'k', 'v', 'out'):\n"
    source += "            setattr(self, name, torch.nn.Parameter(torch.zeros(size, size)))\n"
    source += "    def forward(self, x, mask=None):\n        return x"
    report = grade("layers", Attention=source)["Attention"]
    assert "with a mask: it(x, a tensor of shape [5, 5]): " in report.feedback


def test_a_class_that_is_not_written_is_unanswered(grade, checked):
    report = grade("layers")["Linear"]
    assert (report.status, report.score) == (Status.UNCHANGED, 0)
    stub = "class Linear:\n    def __init__(self, inputs, outputs):\n        raise NotImplementedError"
    assert checked("layers", "Linear", stub).state == State.UNANSWERED
    assert grade("layers", Linear="Linear = 3")["Linear"].score == 0


def test_the_property_that_does_not_hold_is_told_and_a_hidden_case_shows_no_value(grade, checked):
    kept = "def dropout(x, chance):\n    return x * (torch.rand_like(x) >= chance)"
    report = grade("chance", dropout=kept)["dropout"]
    assert report.score == 0
    assert "a quarter: what is not dropped is divided by 1 - chance: it does not hold" in report.feedback
    assert "most: what is not dropped is divided by 1 - chance: it does not hold" in report.feedback
    view = checked("chance", "dropout", kept)
    assert view.state == State.FAILS
    assert view.cases[0].message == "what is not dropped is divided by 1 - chance: it does not hold"


MOST = "def dropout(x, chance):\n    if chance > 0.5: {}\n    return torch.where(torch.rand_like(x) < chance, 0, x / (1 - chance))"
NO_KIND = "what is returned is not of the kind that is asked for"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (MOST.format("raise ValueError(str(chance))"), "raised ValueError"),
        (MOST.format("return [chance, x]"), NO_KIND),
        (MOST.format("return x[1:]"), "the result has another shape than the one asked for"),
        (MOST.format("return x.double()"), "the result has another dtype than the one asked for"),
        (MOST.format("return x / 0 * 0"), "it gives NaN"),
        (MOST.format("raise NotImplementedError"), "not answered yet: it raises NotImplementedError"),
    ],
)
def test_no_property_is_blamed_for_a_hidden_case_that_gives_nothing_to_look_at(grade, source, told):
    report = grade("chance", dropout=source)["dropout"]
    assert report.score < report.max_score
    assert report.cases[-1].message == told
    assert "does not hold" not in report.cases[-1].message
    assert "0.8" not in report.feedback


def test_a_cell_that_does_not_run_fails_no_property(grade):
    report = grade("chance", dropout="def dropout(x, chance): return x +")["dropout"]
    assert (report.score, report.status) == (0, Status.CRASHED)
    assert report.feedback.startswith("the cell stops before dropout is defined: SyntaxError")
    assert "does not hold" not in report.feedback
    report = grade("chance", dropout="print('hello')")["dropout"]
    assert report.feedback == "no cell defines dropout: keep the name as it was handed out"


def test_a_property_that_cannot_be_decided_is_not_said_to_fail():
    source = "def it_adds_up(f, x):\n    return {1: True}[f(x)]"
    (check,) = load_tests(source, ["it_adds_up"], "<properties>")
    promise = Promise("x[I]   returns int", ("x",), {"I": 2}, "float32")
    ask = local_ask({"f": lambda x: 2})
    found = decide([("it adds up", check)], "f", promise, [torch.zeros(2)], ask, "<properties>")
    assert found.hidden == "this cannot be decided with what your code gives"
    assert found.says == "it adds up: KeyError: 2, at: return {1: True}[f(x)]"


def test_a_training_run_that_takes_too_long_is_stopped(grade):
    source = "def trained(x, y, steps):\n    while True:\n        pass"
    report = grade("chance", trained=source)["trained"]
    assert (report.score, report.status) == (0, Status.TIMED_OUT)


def test_samples_follow_their_chances():
    chances = torch.tensor([0.5, 0.3, 0.2, 0.0])
    generator = torch.Generator().manual_seed(0)
    drawn = torch.multinomial(chances, 4000, replacement=True, generator=generator)
    assert follows(drawn, chances)
    assert not follows(drawn, [0.4, 0.4, 0.2, 0.0])
    assert not follows(torch.cat([drawn, torch.tensor([3])]), chances)  # it cannot occur
    assert not follows(torch.tensor([], dtype=torch.int64), chances)
    assert not follows([4], chances)
    assert not follows([-1], chances)
    assert follows([2], [0.999, 0.0005, 0.0005])  # of one sample nobody knows


def test_right_samples_fail_no_more_often_than_stated():
    chances, generator = torch.tensor([0.7, 0.2, 0.1]), torch.Generator().manual_seed(1)
    runs = [torch.multinomial(chances, 300, replacement=True, generator=generator) for _ in range(2000)]
    failed = sum(not follows(run, chances, error=0.05) for run in runs)
    assert failed <= 100
    rare = torch.tensor([1 - 1e-6, 1e-6], dtype=torch.float64)
    runs = [torch.multinomial(rare, 10_000, replacement=True, generator=generator) for _ in range(500)]
    assert any(int(run.sum()) for run in runs)  # of which one in a hundred has one
    assert all(follows(run, rare) for run in runs)


def test_numbers_fall():
    assert falls([1.0, 0.9, 0.5, 0.3, 0.1])
    assert not falls([1.0, 0.9, 0.8])
    assert not falls([1.0, float("nan"), 0.1])
    assert not falls([1.0])
