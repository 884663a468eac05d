"""What goes into the sandbox and what comes out: cells, requests and limits; outcomes as frozen data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from autograder.calls.script_steps import Step

if TYPE_CHECKING:  # torch is needed where tensors are made
    from torch import Tensor


class SandboxError(Exception):
    """The sandbox itself failed: a fault of the grader or its machine, never of a submission."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Processes are not in the list: it may start none."""

    wall_seconds: float = 60.0  # the whole submission: processor time, and time that it sleeps
    cpu_seconds: float = 60.0  # the whole submission: processor time
    memory_mb: int = 2048  # above what the warm parent has already
    file_mb: int = 16
    output_kb: int = 256  # what the cells print
    threads: int = 32
    cell_seconds: float = 20.0  # one cell: processor time, and as much again asleep
    call_seconds: float = 10.0  # one call of a function: the same


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
    """A function of autograder/calls/function_arguments.py by name, with the tensors it is built from."""

    name: str
    tensors: Mapping[str, Tensor] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """One code cell of the submission."""

    source: str
    part: str | None = None
    cell_id: str = ""


@dataclass(frozen=True, eq=False)  # known by itself: tensors have no single equality
class FunctionCall:
    """One call of a student's function.

    An argument is any value of calls/value_as_json.py, a DtypeArg or a FunctionArg. Tensors arrive as
    fresh copies with the strides they have here. `grad` names the positions to differentiate; `cotangents`
    has one tensor for each tensor that the function should return. A `late` call comes after all others, so
    that no answer which a student is shown can tell what it was about. A `counted` call answers with what it
    costs, not with its value: a tensor of work, span and memory, or a text that says why there is none; with
    `operations` it gives up after so many. One that is `noted` answers with notes of its intermediate tensors
    and the lines that made them, lines of the cell of that number, counted from 1. `seed` is where random
    numbers begin: a call that is asked again with another one gives the same answer, unless chance has a
    part in it.
    """

    part: str
    function: str
    args: tuple[object, ...]
    grad: tuple[int, ...] = ()
    cotangents: tuple[Tensor, ...] = ()
    limits: Limits | None = None
    late: bool = False
    counted: bool = False
    operations: int | None = None
    noted: int = 0
    seed: int = 0


@dataclass(frozen=True)
class ReadText:
    """A global that should hold a text answer."""

    part: str
    name: str
    limits: ClassVar[Limits | None] = None
    late: ClassVar[bool] = False


@dataclass(frozen=True, eq=False)
class Script:
    """Steps that are taken one after the other, in one message; the first that fails is the last.

    `dtype` is the precision in which new tensors are made while they run. One that is `noted` answers with
    notes of its intermediate tensors, as a call does.
    """

    part: str
    steps: tuple[Step, ...]
    limits: Limits | None = None
    late: bool = False
    seed: int = 0
    dtype: str = "float32"
    noted: int = 0


Ask = Callable[..., "Outcome"]  # takes steps: see Talk


@dataclass(frozen=True, eq=False)
class Talk:
    """Steps that a program of the judge's asks for one by one, having seen what came of those before.

    `lead` is given a function that takes one or more steps and gives their outcome, as a script's; what was
    asked and said is for `lead` to remember. Where the student's process is lost on the way, the error that
    comes out of that function ends the talk, even if `lead` goes on, and the outcome of the talk says why.
    It is led again from the start where the machine got in the way, so it begins with nothing remembered.
    """

    part: str
    lead: Callable[[Ask], None]
    limits: Limits | None = None
    late: bool = False
    seed: int = 0


Request = FunctionCall | ReadText | Script | Talk

# ok            the answer is in `outputs` or `text`
# raised        the student's code raised; `error` and `traceback` say what and where
# not_implemented   it raised NotImplementedError itself, as an untouched stub does
# missing, not_callable   there is no such global, or it is not a function
# bad_output    it returned something that is no data, such as an object of its own
# timed_out     processor time ran out, or it slept for longer than that; `limit` says which
# killed        the memory ran out, or the process was stopped for writing to the grader's channel
# crashed       the process died
# machine       the machine did not let it run, time and again: nothing is known about the answer
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
    "machine",
)

# What ended a request, of the limits and besides.
ENDED_BY = ("", "wall", "cpu", "memory", "file", "threads", "protocol", "restarts", "losses", "machine")


@dataclass(frozen=True)
class Outcome:
    """What one request came to. Everything but `status` is what the student's process says of itself.

    `kind` is "tensor", "tuple", "list", "dict", "set", "number", "bool", "str", "bytes", "none", "ndarray" or
    another type's name; `outputs` has the value, or the entries of a tuple or list, and `kinds` is the same
    for each of them. Of a script, there is an output for every step that was taken, also where a later one
    failed. `limit` names the limit that was hit, or is empty. `like` is the kind of Python's own exceptions
    that one which was raised belongs to.
    """

    status: str
    outputs: tuple[object, ...] = ()
    kind: str = ""
    kinds: tuple[str, ...] = ()
    grads: tuple[Tensor | None, ...] = ()
    mutated: tuple[int, ...] = ()
    error: str = ""
    traceback: str = ""
    text: str = ""
    limit: str = ""
    like: str = ""

    def __post_init__(self) -> None:
        if self.status not in STATUSES or self.limit not in ENDED_BY:
            raise ValueError(f"no such status or limit: {self.status!r}, {self.limit!r}")
        if self.status != "ok" and not self.error:
            raise ValueError(f"status {self.status!r} without a reason")


@dataclass(frozen=True)
class CellOutcome:
    """What became of one cell: ok, raised, timed_out, killed, crashed, machine or skipped."""

    cell_id: str
    part: str | None
    status: str
    error: str = ""
    traceback: str = ""
    limit: str = ""


@dataclass(frozen=True)
class RunResult:
    """A whole submission: an outcome for every request and every cell, in the order they were given.

    `further` has what was asked beyond them, before any late call. `held` says that nothing further was
    asked, or not without harm: then no outcome of a late call counts.
    """

    outcomes: tuple[Outcome, ...]
    cells: tuple[CellOutcome, ...]
    stdout: str = ""
    seconds: float = 0.0
    restarts: int = 0
    held: bool = False
    further: Mapping[Request, Outcome] = field(default_factory=dict)


# By all that was answered, what is to be asked next; in the end nothing more.
Further = Callable[[Mapping[Request, Outcome]], Sequence[Request]]


@dataclass(frozen=True)
class Mechanism:
    """One means of isolation: whether it works here, and if not, what to install or allow."""

    name: str
    works: bool
    detail: str
    install: str = ""
    required: bool = False


@dataclass(frozen=True)
class ShownSlice:
    """A slice of one wrong tensor of a visible case, to be drawn: rows of numbers, written out as text.

    `wrong` has a 1 for each entry that differs; it is empty where the shapes differ. `where` are the leading
    indices at which the slice was taken, `cut` says that it is only the first rows and columns.
    """

    name: str
    want: tuple[str, ...]
    got: tuple[str, ...]
    wrong: tuple[str, ...] = ()
    where: tuple[int, ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class Smallest:
    """A case with few numbers that shows what is wrong, in writing: names with their values.

    `right` and `yours` are the results that differ; `numbers` is how many there are to read. It is made from
    what everybody knows. `step` works out what goes wrong, where that is known.
    """

    given: tuple[tuple[str, str], ...]
    right: tuple[tuple[str, str], ...]
    yours: tuple[tuple[str, str], ...]
    numbers: int
    step: str = ""
