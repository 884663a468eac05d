"""The floor under any grader: a warm process forks a child a notebook, which runs the cells and compares.

No isolation, no limits, no exchange between processes, no feedback, no gradebook. There are three:

- `floor` does what the course asks for: cells run as notebooks run them, by IPython; every student has hidden
  inputs of their own, and the reference is called on them. The fork is as Python does it.
- `alike` is the same with the large pages that our own warm parent asks for, which make a fork cheaper.
- `barest` asks for less: cells by `exec`, and one set of inputs with answers that are computed once for the
  whole class.

Texts are looked up in the list of right ones.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from autograder.calls.compare_tensors import compare_tensor
from autograder.calls.expected import Expected, Planned, expect, plan, plan_case
from autograder.calls.inputs import revive
from autograder.course.load import load_course
from autograder.course.model import Code
from autograder.sandbox.inside.large_pages import collapse
from autograder.sandbox.inside.shell import make_shell, run_cell
from benchmarks.made_up_class import FUNCTION, PARTS, PROBLEM, RIGHT_TEXT, Marks


def run_floor(root: Path, notebooks: Sequence[Path], workers: int, kind: str) -> tuple[float, Marks]:
    """Seconds from the first fork to the last mark, start-up left out; and the marks by student and part."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for worker in range(workers):
        ours, theirs = context.Pipe()
        names = [str(path) for path in notebooks[worker::workers]]
        process = context.Process(target=_serve, args=(theirs, str(root), names, kind), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    for pipe in pipes:
        pipe.recv_bytes()  # warm
    started = time.perf_counter()
    for pipe in pipes:
        pipe.send_bytes(b"go")
    marks: Marks = {}
    for pipe in pipes:
        marks |= json.loads(pipe.recv_bytes())
    seconds = time.perf_counter() - started
    for process in processes:
        process.join()
    return seconds, marks


def _serve(pipe: Connection, root: str, notebooks: list[str], kind: str) -> None:
    torch.set_num_threads(1)
    grader = _Grader(Path(root), barest=kind == "barest")
    gc.collect()
    gc.freeze()
    if kind == "alike":
        collapse()
    pipe.send_bytes(b"warm")
    pipe.recv_bytes()
    marks = {Path(path).parts[-3]: _fork(Path(path), grader) for path in notebooks}
    pipe.send_bytes(json.dumps(marks).encode())


def _fork(path: Path, grader: _Grader) -> dict[str, float]:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, json.dumps(grader.grade(path)).encode())
        os._exit(0)
    os.close(writer)
    marks: dict[str, float] = json.loads(os.read(reader, 1000))
    os.close(reader)
    os.waitpid(child, 0)
    return marks


class _Grader:
    """What is known before a fork: the reference, the visible cases with their answers, and a shell."""

    def __init__(self, root: Path, *, barest: bool) -> None:
        course = load_course(root)
        self._problem, self._secret = course.problems[PROBLEM], course.secret
        part = self._problem.part(FUNCTION)
        assert isinstance(part, Code)
        self._part, self._reference = part, course.solutions[PROBLEM].answers[FUNCTION]
        self._cases = [
            (call, expect(self._reference, call))
            for call in plan(self._problem, part, self._secret, "everyone")
            if barest or not call.case.hidden
        ]
        self._shell = None if barest else make_shell()
        if self._shell is not None:
            run_cell(self._shell, 0, "pass")  # what the first cell imports, no child has to

    def grade(self, path: Path) -> dict[str, float]:
        names = self._run(json.loads(path.read_bytes())["cells"])
        marks = {part: PARTS[part] * (names[part] in right) for part, right in RIGHT_TEXT.items()}
        passes = all(self._passes(names[FUNCTION], *case) for case in self._all_cases(path.parts[-3]))
        return {FUNCTION: PARTS[FUNCTION] * passes, **marks}

    def _run(self, cells: list[dict[str, Any]]) -> dict[str, Any]:
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        if self._shell is None:
            names: dict[str, Any] = {}
            for source in sources:
                exec(source, names)
            return names
        for number, source in enumerate(sources, start=1):
            run_cell(self._shell, number, source)
        return self._shell.user_ns

    def _all_cases(self, student: str) -> Iterator[tuple[Planned, Expected]]:
        yield from self._cases
        for case in self._part.cases if self._shell is not None else ():
            if case.hidden:
                call = plan_case(self._problem, self._part, case, self._secret, student)
                yield call, expect(self._reference, call, least=True)

    def _passes(self, function: Any, call: Planned, expected: Expected) -> bool:
        """The least tolerance first; what it finds wrong is looked at with the one that is worked out."""
        found = _call(function, call)
        return _agrees(found, expected) or _agrees(found, expect(self._reference, call))


def _call(function: Any, call: Planned) -> tuple[Tensor, Sequence[Tensor]]:
    inputs = [revive(argument) for argument in call.arguments]
    for position in call.grad:
        inputs[position].requires_grad_()
    value = function(*inputs)
    if not call.grad:
        return value, ()
    # A sum has no direction to be given; torch would import sympy for one, in every child.
    grads = torch.autograd.grad((value * call.cotangents[0]).sum(), [inputs[p] for p in call.grad])
    return value.detach(), grads


def _agrees(found: tuple[Tensor, Sequence[Tensor]], expected: Expected) -> bool:
    value, grads = found
    return compare_tensor(value, expected.outputs[0]) is None and all(
        compare_tensor(grad, want) is None for grad, want in zip(grads, expected.grads, strict=True)
    )
