"""What the judge says to a warm parent and its child, and what the parent reports: the fields of the JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:  # torch is needed where values are packed
    from autograder.calls.value_as_json import Node


class ParentOrders(TypedDict):
    """What a warm parent is told first: where to find its packages, and how to confine its children."""

    packages: list[str]
    package: str
    imports: list[str]
    scratch: str | None
    readable: list[str]
    drop: str
    user: int
    isolated: bool
    die_with_parent: bool
    room_mb: int
    shares_user: bool


class ChildLimits(TypedDict):
    cpu_seconds: float
    memory_mb: int
    file_mb: int
    threads: int


class ForkOrder(TypedDict):
    op: Literal["fork"]
    files: bool
    limits: ChildLimits


class PlainOrder(TypedDict):
    op: Literal["kill", "usage", "room"]


class UsageNow(TypedDict):
    at: float
    cpu: float
    delayed: float
    asleep: bool


class ParentReport(TypedDict, total=False):
    """A line of a warm parent: that it is warm, that its child began or ended, or what it was asked about."""

    ready: bool
    threads: int
    forked: bool
    exited: int
    cpu: float
    crowded: bool
    dirty: bool
    usage: UsageNow | None
    short: bool


class AnsweredOrder(TypedDict):
    """An order whose answer bears its number and its nonce."""

    id: int
    nonce: str


class EndOrder(AnsweredOrder):
    op: Literal["end"]


class CellOrder(AnsweredOrder):
    op: Literal["cell"]
    number: int
    source: str
    room: int


class ReadOrder(AnsweredOrder):
    op: Literal["read"]
    name: str


class StepOrder(TypedDict):
    do: str
    name: str
    on: int | None
    args: list[Node]
    named: list[Node]
    names: list[str]
    seed: int | None
    build: bool


class ScriptOrder(AnsweredOrder):
    op: Literal["script"]
    steps: list[StepOrder]
    fresh: bool
    seed: int
    dtype: str
    noted: int
    tensors: int
    pairs: list[int]


class CallOrder(AnsweredOrder):
    op: Literal["call"]
    function: str
    args: list[Node]
    grad: list[int]
    counted: bool
    operations: int | None
    noted: int
    seed: int
    cotangents: list[int]
    tensors: int
    pairs: list[int]


ChildOrder = EndOrder | CellOrder | ReadOrder | ScriptOrder | CallOrder
