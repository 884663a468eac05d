"""What goes into the sandbox and what comes out: cells, requests and limits; outcomes as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


class SandboxError(Exception):
    """The sandbox itself failed: a fault of the grader or its machine, never of a submission."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Processes are not in the list: it may start none."""

    wall_seconds: float = 60.0  # the whole submission, restarts included
    cpu_seconds: float = 60.0  # each process that runs it
    memory_mb: int = 2048  # above what the warm parent has already
    file_mb: int = 16
    output_kb: int = 256  # what the cells print
    threads: int = 32
    cell_seconds: float = 20.0  # one cell
    call_seconds: float = 10.0  # one call of a function


def override(limits: Limits, changes: Mapping[str, float]) -> Limits:
    """The limits with some of them changed, each kept a whole number where it is one."""
    kept = {name: type(getattr(Limits, name))(value) for name, value in changes.items()}
    return replace(limits, **kept)


@dataclass(frozen=True)
class DtypeArg:
    """A torch.dtype by name: DtypeArg("float32")."""

    name: str


@dataclass(frozen=True)
class FunctionArg:
    """A function of autograder/functions.py by name, with the tensors it is built from."""

    name: str
    tensors: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """One code cell of the submission."""

    source: str
    part: str | None = None
    cell_id: str = ""


@dataclass(frozen=True, eq=False)  # known by itself: tensors have no single equality
class Call:
    """One call of a student's function.

    An argument is a tensor, a number, a bool, a str, None, a DtypeArg or a FunctionArg. Tensors arrive as
    fresh copies with the strides they have here. `grad` names the positions to differentiate; `cotangents`
    has one tensor for each tensor that the function should return. A `late` call comes after all others, so
    that no answer which a student is shown can tell what it was about. A `counted` call answers with what it
    costs, not with its value: a tensor of work, span and memory, or a text that says why there is none; with
    `operations` it gives up after so many.
    """

    part: str
    function: str
    args: tuple[Any, ...]
    grad: tuple[int, ...] = ()
    cotangents: tuple[Any, ...] = ()
    limits: Limits | None = None
    late: bool = False
    counted: bool = False
    operations: int | None = None


@dataclass(frozen=True)
class Read:
    """A global that should hold a text answer."""

    part: str
    name: str


Request = Call | Read

# ok            the answer is in `outputs` or `text`
# raised        the student's code raised; `error` and `traceback` say what and where
# not_implemented   it raised NotImplementedError itself, as an untouched stub does
# missing, not_callable   there is no such global, or it is not a function
# bad_output    it returned something that is not an array, a number, a text, or a few of them
# timed_out     wall or processor time ran out; `limit` says which
# killed        the memory ran out, or the process was stopped for writing to the grader's channel
# crashed       the process died
STATUSES = (
    "ok",
    "raised",
    "not_implemented",
    "missing",
    "not_callable",
    "bad_output",
    "timed_out",
    "killed",
    "crashed",
)

LIMITS = ("", "wall", "cpu", "memory", "file", "threads", "protocol", "restarts")


@dataclass(frozen=True)
class Outcome:
    """What one request came to. Everything but `status` is what the student's process says of itself.

    `kind` is "tensor", "tuple", "list", "number", "bool", "str", "none", "ndarray" or another type's name;
    `kinds` is the same for each of `outputs`. `limit` names the limit that was hit, or is empty.
    """

    status: str
    outputs: tuple[Any, ...] = ()
    kind: str = ""
    kinds: tuple[str, ...] = ()
    grads: tuple[Any, ...] = ()
    grad_error: str = ""
    mutated: tuple[int, ...] = ()
    error: str = ""
    traceback: str = ""
    text: str = ""
    limit: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES or self.limit not in LIMITS:
            raise ValueError(f"no such status or limit: {self.status!r}, {self.limit!r}")
        if self.status != "ok" and not self.error:
            raise ValueError(f"status {self.status!r} without a reason")


@dataclass(frozen=True)
class CellOutcome:
    """What became of one cell: ok, raised, timed_out, killed, crashed or skipped."""

    cell_id: str
    part: str | None
    status: str
    error: str = ""
    traceback: str = ""
    limit: str = ""


@dataclass(frozen=True)
class RunResult:
    """A whole submission: an outcome for every request and every cell, in the order they were given."""

    outcomes: tuple[Outcome, ...]
    cells: tuple[CellOutcome, ...]
    stdout: str = ""
    seconds: float = 0.0
    restarts: int = 0


@dataclass(frozen=True)
class Mechanism:
    """One means of isolation: whether it works here, and if not, what to install or allow."""

    name: str
    works: bool
    detail: str
    install: str = ""
    required: bool = False
