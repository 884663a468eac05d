"""Why a call does not pass, in one sentence: the same in the student's check as in the marks.

What limit a call ran into is said by who watches it: sandbox/child.py, and check/code.py in the notebook.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from autograder.calls.compare_tensors import Difference, Want, compare, compare_tensor
from autograder.calls.compare_values import PlainValue, Steps, compare_value, step_name, whole
from autograder.calls.requests_and_outcomes import Outcome

if TYPE_CHECKING:
    from torch import Tensor

NOT_YET = "not answered yet: the function raises NotImplementedError"
AGAIN = (
    "called again on the same input, the function gives another answer: something random is left in "
    "(dropout, a new layer's own weights or biases), or it remembers earlier calls"
)
# The words for a limit are ours, and plainer than torch's: a hidden case may show them, too.
LIMIT_SAYS = {
    "memory": "needed more memory than it may have",
    "file": "wrote more to files than it may",
    "threads": "started more threads than it may",
    "protocol": "wrote to the grader's own channel, so that nothing it says counts",
    "restarts": "not tried, since the notebook ended its process too many times",
    "losses": "not tried, since earlier calls of this part had to be stopped or ended the process",
}
# What may be told of a result that is wrong where the case is hidden.
WITHOUT_VALUES = {
    "kind": "what is returned is not of the kind that is asked for",
    "shape": "the result has another shape than the one asked for",
    "dtype": "the result has another dtype than the one asked for",
    "values": "the values differ from those expected",
    "input": "the values are right, but the function changes its input: work on a copy",
    "gradient": "the values are right, but the gradients are not",
}
NO_VALUE = "no value"  # `what` of a call that returned nothing to compare
_FRAME = re.compile(r"(?:^|\n)[^\n]*, line (?P<number>\d+)(?:, in [^\n]*)?\n +(?P<line>[^\n]+)$")
MAX_LINE = 160
# What everybody calls these libraries by.
IMPORTS = {
    "F": "import torch.nn.functional as F",
    "nn": "import torch.nn as nn",
    "np": "import numpy as np",
    "math": "import math",
    "einsum": "from torch import einsum",
}
# What torch says of a tensor that is not contiguous, or of one that backward() cannot begin at.
_NOT_CONTIGUOUS = "view size is not compatible with input tensor's size and stride"
_CUT_OFF = "element 0 of tensors does not require grad and does not have a grad_fn"
_NOTHING_FLOWS = (
    "backward() was called on what no gradient flows through: .detach(), .data and no_grad() cut it off"
)


class Result(Protocol):
    """What came of a call that returned: see Outcome."""

    @property
    def kind(self) -> str: ...
    @property
    def kinds(self) -> Sequence[str]: ...
    @property
    def outputs(self) -> Sequence[object]: ...
    @property
    def grads(self) -> Sequence[Tensor | None]: ...
    @property
    def mutated(self) -> Sequence[int]: ...


class Asked(Protocol):
    """What a call should return: see Expected."""

    @property
    def outputs(self) -> tuple[Want, ...]: ...
    @property
    def grads(self) -> tuple[Want, ...]: ...
    @property
    def many(self) -> bool: ...
    @property
    def holds(self) -> PlainValue | None: ...


def failure_of(outcome: Outcome, expected: Asked, parameters: Sequence[str]) -> Difference | None:
    """The first thing that is wrong with a call; its message may show values."""
    if outcome.status != "ok":
        steps = expected.holds.value if expected.holds is not None else None
        at = len(outcome.outputs)
        place = ""
        if isinstance(steps, Steps) and outcome.status == "raised" and at < len(steps.labels):
            place = f"{step_name(steps, at)}: " if steps.labels[at] else ""
        return Difference(NO_VALUE, place + no_value(outcome))
    return wrong_result(outcome, expected, parameters)


def wrong_result(result: Result, expected: Asked, parameters: Sequence[str]) -> Difference | None:
    """The first thing that is wrong with what was returned: its values, else an input, else a gradient."""
    if expected.holds is not None:
        difference = compare_value(whole(result.kind, result.outputs), expected.holds.value)
    else:
        difference = compare(result.kind, result.kinds, result.outputs, expected.outputs, expected.many)
    if difference is not None:
        return difference
    if result.mutated:
        names = ", ".join(parameters[position] for position in result.mutated)
        return Difference(
            "input", f"the values are right, but the function changes its input {names}: work on a copy"
        )
    return _wrong_gradient(result, expected)


def _wrong_gradient(result: Result, expected: Asked) -> Difference | None:
    # Where nothing flows (numpy, .item(), a new nn.Parameter) there is no gradient, and none is wrong.
    for got, want in zip(result.grads, expected.grads, strict=False):
        difference = compare_tensor(got, want) if got is not None else None
        if difference is not None:
            message = f"the values are right, but the {want.name} is not: {difference.message}"
            return Difference("gradient", message)
    return None


def no_value(outcome: Outcome) -> str:
    """Why nothing came back, in the words of the student's own process where it has some."""
    if outcome.limit in LIMIT_SAYS:
        return f"{LIMIT_SAYS[outcome.limit]}{student_line(outcome.traceback)}"
    match outcome.status:
        case "raised":
            return f"raised {outcome.error}{student_line(outcome.traceback)}"
        case "not_implemented":
            return NOT_YET
        case _:
            return outcome.error or f"gave no value ({outcome.status})"


def student_line(traceback: str) -> str:
    """The student's own line at which it stopped, as the end of a sentence."""
    frame = _FRAME.search(traceback.rstrip())
    return f" (line {frame['number']}: {frame['line'].strip()[:MAX_LINE]})" if frame else ""


def no_value_hidden(outcome: Outcome) -> str:
    """The same for a hidden case: words of the student's process could carry the hidden input."""
    if outcome.limit in LIMIT_SAYS:
        return LIMIT_SAYS[outcome.limit]
    match outcome.status:
        case "raised" if _NOT_CONTIGUOUS in outcome.error:
            return "raised RuntimeError: .view() needs a tensor that is contiguous; .reshape() does not"
        case "raised" if _CUT_OFF in outcome.error:
            return f"raised RuntimeError: {_NOTHING_FLOWS}"
        case "raised":
            return f"raised {known_error(outcome.error)}"
        case "not_callable":
            return "it is not a function"
        case "timed_out" | "not_implemented":
            return no_value(outcome)  # in our own words
        case "crashed":
            return "ended the process that it runs in"  # an exit code could tell of the input
        case _:
            return f"gave no value that can be compared ({outcome.status.replace('_', ' ')})"


def known_error(said: str) -> str:
    """The name of one of Python's own exceptions; a class made for the purpose may be called anything."""
    name = said.split(":")[0].strip()
    known = getattr(builtins, name, None)
    return name if isinstance(known, type) and issubclass(known, BaseException) else "an error"


def missing_import(error: str) -> str:
    """The fix of a NameError that stands for a library which nobody imported, or nothing."""
    missing = re.search(r"^NameError: name '(\w+)' is not defined", error)
    return f"write {IMPORTS[missing[1]]} at the top of the cell" if missing and missing[1] in IMPORTS else ""
