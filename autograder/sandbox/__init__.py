"""Submitted notebooks run here, apart from the grader: cells and inputs go in, plain data comes out."""

from __future__ import annotations

from autograder.sandbox.mechanisms import probe, require_isolation
from autograder.sandbox.pool import Sandbox
from autograder.sandbox.records import (
    Call,
    Cell,
    CellOutcome,
    DtypeArg,
    FunctionArg,
    Limits,
    Mechanism,
    Outcome,
    Read,
    Request,
    RunResult,
    SandboxError,
    override,
)

__all__ = [
    "Call",
    "Cell",
    "CellOutcome",
    "DtypeArg",
    "FunctionArg",
    "Limits",
    "Mechanism",
    "Outcome",
    "Read",
    "Request",
    "RunResult",
    "Sandbox",
    "SandboxError",
    "override",
    "probe",
    "require_isolation",
]
