"""What a submission's cells and functions come to, in every tier."""

from __future__ import annotations

import dataclasses
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from autograder.calls.requests_and_outcomes import (
    Cell,
    DtypeArg,
    FunctionArg,
    FunctionCall,
    Limits,
    Outcome,
    ReadText,
    RunResult,
    SandboxError,
)
from autograder.sandbox.parent_pool import Sandbox

X = torch.arange(6.0).reshape(2, 3)


def run(
    sandbox: Sandbox, *cells: str, calls: list[Any] | None = None, limits: Limits | None = None
) -> RunResult:
    numbered = [Cell(source, None, f"c{n}") for n, source in enumerate(cells)]
    return sandbox.run(numbered, calls or [], limits)


def call(sandbox: Sandbox, source: str, *args: Any, **options: Any) -> Outcome:
    return run(sandbox, "import torch", source, calls=[FunctionCall("p", "f", args, **options)]).outcomes[0]


def test_a_function_gets_its_inputs_and_its_output_comes_back(sandbox: Sandbox) -> None:
    got = call(sandbox, "def f(x, n): return x * n", X, 3)
    assert (got.status, got.kind, got.kinds) == ("ok", "tensor", ("tensor",))
    assert torch.equal(got.outputs[0], X * 3)


@pytest.mark.parametrize(
    ("body", "kind", "kinds", "outputs"),
    [
        pytest.param("(1, 2.5)", "tuple", ("number", "number"), (1, 2.5), id="tuple"),
        pytest.param("[True, 'a', None]", "list", ("bool", "str", "none"), (True, "a", None), id="list"),
        pytest.param("7", "number", ("number",), (7,), id="number"),
        pytest.param("None", "none", ("none",), (None,), id="none"),
        pytest.param("x.sum().item()", "number", ("number",), (15.0,), id="item"),
        pytest.param("x.numpy()[0, 2]", "numpy.float32", ("numpy.float32",), (2.0,), id="numpy scalar"),
        pytest.param("()", "tuple", (), (), id="empty tuple"),
        pytest.param("{'a': [b'\\xff', {1, 2}]}", "dict", ("dict",), ({"a": [b"\xff", {1, 2}]},), id="dict"),
    ],
)
def test_plain_values_come_back_with_their_kind(
    sandbox: Sandbox, body: str, kind: str, kinds: tuple[str, ...], outputs: tuple[Any, ...]
) -> None:
    got = call(sandbox, f"def f(x): return {body}", X)
    assert (got.status, got.kind, got.kinds, got.outputs) == ("ok", kind, kinds, outputs)


@pytest.mark.parametrize(
    ("body", "kind", "want"),
    [
        pytest.param("x.numpy()", "ndarray", X, id="numpy"),
        pytest.param("x.t()", "tensor", X.t(), id="not contiguous"),
        pytest.param("x > 2", "tensor", X > 2, id="bool"),
        pytest.param("x.long()", "tensor", X.long(), id="int64"),
        pytest.param("x.bfloat16()", "tensor", X.bfloat16(), id="bfloat16"),
        pytest.param("x * 1j", "tensor", X * 1j, id="complex64"),
        pytest.param("(x.double() * 1j).conj()", "tensor", X.double() * -1j, id="conjugated complex128"),
        pytest.param("x[:0]", "tensor", X[:0], id="empty"),
        pytest.param("x.to_sparse()", "sparse tensor", X, id="sparse"),
        pytest.param("torch.nn.Parameter(x)", "tensor", X, id="parameter"),
        pytest.param("x.requires_grad_() * 1", "tensor", X, id="in a graph"),
        pytest.param("x.expand(2, 2, 3)", "tensor", X.expand(2, 2, 3), id="expanded"),
    ],
)
def test_tensors_come_back_as_their_raw_numbers(sandbox: Sandbox, body: str, kind: str, want: Any) -> None:
    got = call(sandbox, f"def f(x): return {body}", X)
    assert (got.status, got.kind) == ("ok", kind)
    assert got.outputs[0].dtype == want.dtype
    assert torch.equal(got.outputs[0], want)
    assert type(got.outputs[0]) is torch.Tensor
    assert not got.outputs[0].requires_grad


@pytest.mark.parametrize(
    ("body", "says"),
    [
        pytest.param("object()", "what it returned is of type object", id="object"),
        pytest.param("(x, [f])", "item [1][0] of what it returned is of type function", id="nested"),
        pytest.param("[0] * 20_001", "more than 20000 entries", id="too many"),
        pytest.param("torch.zeros(1).expand(5_000_000)", "5000000 numbers", id="too large"),
        pytest.param("10 ** 30", "more than 64 bits", id="huge number"),
        pytest.param("x.to('meta')", "on meta", id="no data"),
        pytest.param("__import__('numpy').array(['a'])", "cannot be read as numbers", id="array of text"),
    ],
)
def test_what_is_not_data_is_a_bad_output_with_a_reason(sandbox: Sandbox, body: str, says: str) -> None:
    got = call(sandbox, f"def f(x): return {body}", X)
    assert got.status == "bad_output"
    assert says in got.error


def test_the_same_tensor_twice_comes_back_twice(sandbox: Sandbox) -> None:
    got = call(sandbox, "def f(x): return x, x", X)
    assert all(torch.equal(output, X) for output in got.outputs)


def test_infinities_and_nan_survive_the_way_there_and_back(sandbox: Sandbox) -> None:
    got = call(sandbox, "def f(a, b): return a, -b, a - a", math.inf, math.inf)
    assert got.outputs[:2] == (math.inf, -math.inf)
    assert math.isnan(got.outputs[2])


def test_strides_arrive_as_they_were_sent(sandbox: Sandbox) -> None:
    source = "def f(x, y): return x.stride(0), x.stride(1), y.is_contiguous(), x"
    got = call(sandbox, source, X.t(), X)
    assert got.outputs[:3] == (1, 3, True)
    assert torch.equal(got.outputs[3], X.t())


def test_dtypes_and_functions_are_rebuilt_on_the_other_side(sandbox: Sandbox) -> None:
    mixer = FunctionArg("mixer", {"0": torch.eye(3), "1": torch.eye(3)})
    source = "def f(x, dtype, act, mix): return act(x).to(dtype), mix(x[0], x[1])"
    got = call(sandbox, source, X, DtypeArg("float64"), FunctionArg("tanh"), mixer)
    assert got.outputs[0].dtype == torch.float64
    assert torch.equal(got.outputs[1], torch.tanh(X[0] + X[1]))


def test_an_argument_that_cannot_be_sent_is_the_graders_fault(sandbox: Sandbox) -> None:
    with pytest.raises(
        SandboxError,
        match=r"an argument of type object.* in a part of Tests what a function of the given code makes",
    ):
        call(sandbox, "def f(x): return x", object())


def test_gradients_are_projected_on_the_cotangents(sandbox: Sandbox) -> None:
    y = torch.ones(3)
    got = call(
        sandbox, "def f(x, y): return x @ y", X, y, grad=(0, 1), cotangents=(torch.tensor([1.0, 2.0]),)
    )
    assert torch.equal(got.grads[0], torch.tensor([[1.0, 1, 1], [2, 2, 2]]))
    assert torch.equal(got.grads[1], X[0] + 2 * X[1])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("x.detach() * 2", id="detached"),
        pytest.param("x.sum()", id="another shape"),
        pytest.param("5.0", id="a number"),
        pytest.param("torch.from_numpy(x.numpy() * 2)", id="refuses gradients"),
    ],
)
def test_missing_gradients_leave_the_output(sandbox: Sandbox, body: str) -> None:
    source = f"import torch\ndef f(x): return {body}"
    got = call(sandbox, source, X, grad=(0,), cotangents=(torch.ones(2, 3),))
    assert (got.status, got.grads) == ("ok", (None,))


def test_an_input_that_is_not_used_has_no_gradient(sandbox: Sandbox) -> None:
    got = call(sandbox, "def f(x, y): return x * 1", X, X, grad=(0, 1), cotangents=(torch.ones(2, 3),))
    assert torch.equal(got.grads[0], torch.ones(2, 3))
    assert got.grads[1] is None


@pytest.mark.parametrize(
    ("body", "positions"),
    [
        pytest.param("x.add_(1); return x", (0,), id="in place"),
        pytest.param("y.zero_(); return x", (1,), id="second"),
        pytest.param("x.resize_(1); return y", (0,), id="resized"),
        pytest.param("return x + 1", (), id="untouched"),
        pytest.param("x.mul_(1); return x", (), id="same values"),
    ],
)
def test_changed_inputs_are_reported_and_the_judges_copies_stay(
    sandbox: Sandbox, body: str, positions: tuple[int, ...]
) -> None:
    x, y = X.clone(), torch.tensor([math.nan, 1.0])
    got = call(sandbox, f"def f(x, y):\n    {body}", x, y)
    assert got.mutated == positions
    assert torch.equal(x, X)


def test_text_answers_are_read_and_other_kinds_are_named(sandbox: Sandbox) -> None:
    reads = [ReadText("a", "a"), ReadText("b", "b"), ReadText("c", "c")]
    a, b, c = run(sandbox, "a = 'O(T log T)'\nb = 3", calls=reads).outcomes
    assert (a.status, a.text) == ("ok", "O(T log T)")
    assert (b.status, b.kind) == ("bad_output", "number")
    assert (c.status, c.error) == ("missing", "there is no c")


def test_texts_are_read_before_any_function_is_called(sandbox: Sandbox) -> None:
    source = "a = 'mine'\ndef f(x):\n    global a\n    a = str(x)\n    return x"
    got = run(sandbox, source, calls=[FunctionCall("p", "f", (X,)), ReadText("a", "a")])
    assert [outcome.status for outcome in got.outcomes] == ["ok", "ok"]
    assert got.outcomes[1].text == "mine"


def test_a_stub_a_gap_and_a_number_are_told_apart(sandbox: Sandbox) -> None:
    source = "def stub(): raise NotImplementedError('later')\nnumber = 3"
    calls = [FunctionCall("p", name, ()) for name in ("stub", "number", "nothing")]
    got = run(sandbox, source, calls=calls).outcomes
    assert [outcome.status for outcome in got] == ["not_implemented", "not_callable", "missing"]


def test_not_implemented_inside_torch_is_an_error_and_not_a_stub(sandbox: Sandbox) -> None:
    got = call(sandbox, "def f(): torch.nn.Module()(1)")
    assert got.status == "raised"
    assert "NotImplementedError" in got.error


def test_a_traceback_shows_the_students_lines_only(sandbox: Sandbox) -> None:
    source = "def g(x):\n    return x @ x\n\ndef f(x):\n    return g(x)"
    got = call(sandbox, source, X)
    assert got.status == "raised"
    assert got.traceback == "cell 2, line 5, in f\n    return g(x)\ncell 2, line 2, in g\n    return x @ x"
    assert "shapes cannot be multiplied" in got.error


def test_a_cell_that_fails_does_not_stop_the_later_ones(sandbox: Sandbox) -> None:
    cells = ["1 / 0", "def (", "import sys; sys.exit(3)", "exit()", "raise KeyboardInterrupt", "a = 'here'"]
    got = run(sandbox, *cells, calls=[ReadText("a", "a")])
    assert [cell.status for cell in got.cells] == ["raised"] * 5 + ["ok"]
    assert "ZeroDivisionError" in got.cells[0].error
    assert got.cells[1].traceback.startswith("cell 2, line 1")
    assert got.outcomes[0].text == "here"
    assert got.restarts == 0


NOTEBOOK_HABITS = {
    "await": "import asyncio\nawait asyncio.sleep(0)\nasync def g(): return 1\nawait g()",
    "display": "display(1); display('a')",
    "get_ipython": "assert get_ipython() is not None",
    "shell line": "!rm -rf /\nfiles = !ls",
    "pip": "%pip install torch\n!pip install numpy",
    "bash cell": "%%bash\necho 1",
    "time": "%time 1 + 1",
    "timeit": "%timeit -n 1 -r 1 1 + 1",
    "matplotlib": "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
    "main": "if __name__ == '__main__':\n    ran = True\nassert ran",
    "source": "import inspect\ndef h():\n    return 1\nassert 'return 1' in inspect.getsource(h)",
    "script": "import torch\n@torch.jit.script\ndef h(x):\n    return x + 1",
    "optimizer": "import torch\nw = torch.zeros(2, requires_grad=True)\no = torch.optim.Adam([w])\n"
    "w.sum().backward(); o.step()",
    "threads": "import torch\ntorch.set_num_threads(2)\ntorch.randn(300, 300) @ torch.randn(300, 300)",
    "pool": "from concurrent.futures import ThreadPoolExecutor\n"
    "with ThreadPoolExecutor(4) as pool:\n    assert list(pool.map(abs, [-1])) == [1]",
    "check": "from autograder import check\ncheck('anything', at_all=1)",
    "late import": "import sympy, scipy.linalg, csv, sqlite3",
    "temporary names": "import warnings, sys\nwarnings.warn('careful')\nprint('x', file=sys.stderr)",
}


@pytest.mark.parametrize("source", NOTEBOOK_HABITS.values(), ids=NOTEBOOK_HABITS.keys())
def test_what_notebooks_do_works(sandbox: Sandbox, source: str) -> None:
    (cell,) = run(sandbox, source).cells
    assert (cell.status, cell.error) == ("ok", "")


def test_input_finds_nobody_to_answer(sandbox: Sandbox) -> None:
    (cell,) = run(sandbox, "input('?')").cells
    assert "EOFError" in cell.error or "StdinNotImplementedError" in cell.error


def test_what_cells_print_is_kept_and_what_calls_print_is_dropped(sandbox: Sandbox) -> None:
    got = run(
        sandbox, "print('seen')\ndef f(x): print('secret', x)", "!ls", calls=[FunctionCall("p", "f", (X,))]
    )
    assert got.stdout == "seen\n[not run: !ls]\n"


def test_output_is_cut_at_its_limit(sandbox: Sandbox) -> None:
    limits = dataclasses.replace(sandbox.limits, output_kb=1)
    got = run(sandbox, "print('x' * 5000)", "print('more')", limits=limits)
    assert got.stdout == "x" * 1024 + "\n[the rest of the output is cut]\n"


def test_random_numbers_are_the_same_in_every_run(sandbox: Sandbox) -> None:
    source = (
        "import random, numpy, torch\nfirst = str(torch.rand(2))\n"
        "def f(): return torch.rand(2), random.random(), numpy.random.rand(), hash('a')"
    )
    requests = [ReadText("a", "first"), FunctionCall("p", "f", ()), FunctionCall("p", "f", ())]
    one, two = (run(sandbox, source, calls=requests).outcomes for _ in range(2))
    assert one[0].text == two[0].text
    assert torch.equal(one[1].outputs[0], one[2].outputs[0])
    assert one[1].outputs[1:] == two[2].outputs[1:]


def test_one_submission_leaves_nothing_for_the_next(sandbox: Sandbox) -> None:
    run(sandbox, "import torch\ntorch.softmax = None\nleft = 'behind'\nimport builtins; builtins.len = None")
    got = run(
        sandbox,
        "import torch\na = str(len([torch.softmax]))",
        calls=[ReadText("a", "a"), ReadText("b", "left")],
    )
    assert [outcome.status for outcome in got.outcomes] == ["ok", "missing"]


def test_submissions_from_several_threads_wait_for_their_turn(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda n: call(sandbox, f"def f(x): return x + {n}", X), range(8)))
    assert all(torch.equal(outcome.outputs[0], X + n) for n, outcome in enumerate(got))


def test_without_isolation_the_same_notebook_runs() -> None:
    with Sandbox(isolation=False) as sandbox:
        assert sandbox.tier.name == "none"
        got = call(sandbox, "open('note.txt', 'w').write('a')\ndef f(x): return x", X)
    assert got.status == "ok"


def test_a_closed_sandbox_says_so() -> None:
    sandbox = Sandbox()
    sandbox.close()
    with pytest.raises(SandboxError, match="closed"):
        sandbox.run([], [])


def test_late_calls_come_after_all_others_whatever_their_place(sandbox: Sandbox) -> None:
    source = "seen = []\ndef f(x):\n    seen.append(float(x.sum()))\n    return torch.tensor(seen)"
    late = FunctionCall("p", "f", (X * 100,), late=True)
    got = run(
        sandbox,
        "import torch",
        source,
        calls=[late, FunctionCall("p", "f", (X,)), FunctionCall("q", "f", (X * 2,))],
    )
    assert [outcome.outputs[0].tolist() for outcome in got.outcomes] == [[15, 30, 1500], [15], [15, 30]]


@pytest.mark.parametrize(
    ("source", "status"),
    [
        pytest.param("a = 'x' * (1 << 24)", "ok", id="a long text is cut"),
        pytest.param("a = type('S', (str,), {'__iter__': lambda s: 1 / 0})('x')", "ok", id="no iteration"),
        pytest.param("a = type('S', (), {'__class__': str})()", "bad_output", id="not a text at all"),
    ],
)
def test_a_text_is_read_by_its_memory(sandbox: Sandbox, source: str, status: str) -> None:
    got = run(sandbox, source, calls=[ReadText("a", "a")]).outcomes[0]
    assert got.status == status
    assert set(got.text) <= {"x"}
    assert len(got.text) <= 64 << 10


PEEP = """
import select, sys
def f(x):
    frame = sys._getframe()
    while not hasattr(server := frame.f_locals.get("self"), "_unread"):
        frame = frame.f_back
    return bool(server._unread or select.select([server._reader], [], [], 0.2)[0])
"""


def test_late_calls_are_not_even_sent_before_the_others_are_answered(sandbox: Sandbox) -> None:
    late = FunctionCall("p", "f", (X * 100,), late=True)
    got = run(sandbox, PEEP, calls=[late, late, FunctionCall("p", "f", (X,)), FunctionCall("q", "f", (X,))])
    # Who looks can see the next question where it is of the same kind, and there is one.
    assert [outcome.outputs[0] for outcome in got.outcomes] == [True, False, True, False]
