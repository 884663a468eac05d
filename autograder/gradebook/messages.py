"""What passes between a run and the process that writes its gradebook."""

from __future__ import annotations

import json
from dataclasses import dataclass

from autograder.as_json import from_json, to_json
from autograder.grade.report import Identity, Report
from autograder.gradebook.said_by_person import AnswerPlace, Said


@dataclass(frozen=True)
class Arrived:
    """A report, where its notebook lies, and when that came."""

    report: Report
    path: str
    timestamp: str = ""


@dataclass(frozen=True)
class Gone:
    """Hand-ins that are no longer there; of `whole`, a student's set, nothing is left."""

    gone: tuple[Identity, ...]
    whole: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Message:
    """One of the two."""

    arrived: Arrived | None = None
    gone: Gone | None = None

    def to_bytes(self) -> bytes:
        return json.dumps(to_json(self)).encode()

    @staticmethod
    def from_bytes(data: bytes) -> Message:
        return from_json(Message, json.loads(data))


@dataclass(frozen=True)
class Written:
    """What was left out, a sentence each, and what people have said; or the fault that ended it."""

    skipped: tuple[str, ...] | None = None
    said: tuple[tuple[AnswerPlace, Said], ...] = ()
    fault: str = ""

    def to_bytes(self) -> bytes:
        return json.dumps(to_json(self)).encode()

    @staticmethod
    def from_bytes(data: bytes) -> Written:
        return from_json(Written, json.loads(data))
