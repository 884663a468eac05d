"""Scripts and talks: objects stay in the student's process, and only values and small numbers leave it."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from autograder.calls.requests_and_outcomes import Ask, Cell, Limits, Outcome, Script, Talk
from autograder.calls.script_steps import Held, Step
from autograder.sandbox.parent_pool import Sandbox

LINEAR = """
class Linear(torch.nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(o, i))
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls += 1
        return x @ self.weight.T
"""
W, X = torch.arange(6.0).reshape(2, 3), torch.ones(4, 3)
IT = Held(0)


def script(sandbox: Sandbox, source: str, *steps: Step, **options: Any) -> Outcome:
    cells = [Cell("import torch"), Cell(source)]
    return sandbox.run(cells, [Script("p", steps, **options)]).outcomes[0]


def test_a_module_is_built_loaded_called_and_trained(sandbox: Sandbox) -> None:
    got = script(
        sandbox,
        LINEAR,
        Step("call", "Linear", named={"i": 3, "o": 2}),
        Step("load", on=IT, named={"weight": W}),
        Step("method", on=IT, args=(X,)),
        Step("method", "sum", on=Held(2)),
        Step("method", "backward", on=Held(3)),
        Step("gradients", on=IT),
        Step("state", on=IT),
        Step("method", "eval", on=IT),
        Step("get", "training", on=IT),
        Step("get", "weight.dtype", on=IT),
    )
    assert got.status == "ok", got.error
    built, _, out, _, _, grads, state, evaluated, training, dtype = got.outputs
    assert isinstance(built, Held)
    assert built.type == "Linear"
    assert torch.equal(out, X @ W.T)
    assert torch.equal(grads["weight"], X.sum(0).expand(2, 3))
    assert list(state) == ["weight", "calls"]
    assert state["calls"] == 1
    assert evaluated == built
    assert training is False
    assert dtype.name == "float32"


def test_what_was_given_before_a_step_that_fails_is_kept(sandbox: Sandbox) -> None:
    steps = (
        Step("call", "Linear", args=(3, 2)),
        Step("load", on=IT, named={"weight": W.T}),
        Step("method", on=IT, args=(X,)),
    )
    got = script(sandbox, LINEAR, *steps)
    assert (got.status, len(got.outputs)) == ("raised", 1)
    assert "its 'weight' has shape [2, 3], which should be [3, 2]" in got.error
    assert script(sandbox, "", *steps).status == "missing"
    assert script(sandbox, "def Linear(*a): raise NotImplementedError", *steps).status == "not_implemented"


def test_new_tensors_are_made_in_the_precision_that_is_asked(sandbox: Sandbox) -> None:
    steps = (Step("call", "Linear", args=(3, 2)), Step("parameters", on=IT))
    for dtype in ("float32", "float64"):
        got = script(sandbox, LINEAR, *steps, dtype=dtype)
        assert got.outputs[1]["weight"].dtype == getattr(torch, dtype)


def test_chance_begins_where_a_step_says(sandbox: Sandbox) -> None:
    steps = [Step("call", "f", seed=seed) for seed in (1, 2, 1)]
    a, b, c = script(sandbox, "def f(): return torch.rand(3)", *steps).outputs
    assert torch.equal(a, c)
    assert not torch.equal(a, b)


def test_an_optimiser_changes_the_tensor_that_it_was_given(sandbox: Sandbox) -> None:
    source = """
class Descent:
    def __init__(self, params, lr):
        self.params, self.lr = params, lr

    def step(self):
        for p in self.params:
            p.data -= self.lr * p.grad
"""
    got = script(
        sandbox,
        source,
        Step("put", "leaf", args=(W,)),
        Step("call", "Descent", args=([Held(0)],), named={"lr": 0.5}),
        Step("set", "grad", on=Held(0), args=(torch.ones(2, 3),)),
        Step("method", "step", on=Held(1)),
        Step("get", "data", on=Held(0)),
    )
    assert torch.equal(got.outputs[-1], W - 0.5)


def test_a_talk_asks_step_by_step_and_objects_inside_of_values_have_numbers(sandbox: Sandbox) -> None:
    source = """
class Value:
    def __init__(self, data): self.data = data

def pair(a): return [Value(a), Value(a + 1), {"same": VALUE}]
VALUE = Value(7)
"""
    said: list[Any] = []

    def lead(ask: Ask) -> None:
        said.clear()
        first, second, third = ask(Step("call", "pair", args=(3,))).outputs[0]
        said.append(ask(Step("get", "data", on=second)).outputs[0])
        said.append(ask(Step("name", "VALUE")).outputs[0] == third["same"] != first)
        said.append(ask(Step("method", "nothing", on=first)).status)

    outcomes = sandbox.run([Cell(source)], [Talk("p", lead), Talk("p", lead)]).outcomes
    assert [outcome.status for outcome in outcomes] == ["ok", "ok"]
    assert said == [4, True, "raised"]


def test_a_process_that_is_lost_ends_the_talk_though_its_leader_goes_on(sandbox: Sandbox) -> None:
    def lead(ask: Ask) -> None:
        for _ in range(2):
            with pytest.raises(Exception, match="left by itself"):
                ask(Step("call", "leave"))

    source = "def leave():\n    import os\n    os._exit(3)\ndef stay(): return 1"
    talk, after = sandbox.run(
        [Cell(source)], [Talk("p", lead), Script("q", (Step("call", "stay"),))], Limits()
    ).outcomes
    assert talk.status == "crashed"
    assert after.outputs == (1,)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(): return [list() for _ in range(3)] * 20_000", id="too long"),
        pytest.param("def f(): return [object() for _ in range(5_000)]", id="too many objects"),
        pytest.param("def f(): return {(torch.ones(1),): 1}", id="a tensor as a key"),
    ],
)
def test_more_than_is_read_is_a_bad_output(sandbox: Sandbox, source: str) -> None:
    assert script(sandbox, source, Step("call", "f")).status == "bad_output"
