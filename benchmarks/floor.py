"""The floor under any grader: a warm process forks a child a notebook, which runs the cells and compares.

No isolation, no limits, no feedback, no gradebook; the same cases, drawn and decided as we do. Texts are
looked up in the list of right ones. Whatever a grader takes beyond this is its own.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import torch

from autograder.answers.tensors import compare_tensor
from autograder.cases import revive
from autograder.course import load_course
from autograder.expect import Expected, Planned, expect, plan
from autograder.model import Code
from benchmarks.made_up_class import FUNCTION, PARTS, PROBLEM, RIGHT_TEXT

Prepared = list[tuple[Planned, Expected]]


def run_floor(root: Path, notebooks: Sequence[Path], workers: int) -> tuple[float, dict[str, float]]:
    """Seconds from the first fork to the last mark, start-up left out; and the marks by student."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for worker in range(workers):
        ours, theirs = context.Pipe()
        names = [str(path) for path in notebooks[worker::workers]]
        process = context.Process(target=_serve, args=(theirs, str(root), names), daemon=True)
        process.start()
        pipes.append(ours)
        processes.append(process)
    for pipe in pipes:
        pipe.recv_bytes()  # warm
    started = time.perf_counter()
    for pipe in pipes:
        pipe.send_bytes(b"go")
    marks: dict[str, float] = {}
    for pipe in pipes:
        marks |= json.loads(pipe.recv_bytes())
    seconds = time.perf_counter() - started
    for process in processes:
        process.join()
    return seconds, marks


def _serve(pipe: Connection, root: str, notebooks: list[str]) -> None:
    torch.set_num_threads(1)
    prepared = _prepare(Path(root))
    gc.collect()
    gc.freeze()
    pipe.send_bytes(b"warm")
    pipe.recv_bytes()
    marks = {Path(path).parts[-3]: _fork(Path(path), prepared) for path in notebooks}
    pipe.send_bytes(json.dumps(marks).encode())


def _prepare(root: Path) -> Prepared:
    """Inputs and right answers, once for the whole class."""
    course = load_course(root)
    problem = course.problems[PROBLEM]
    part = problem.part(FUNCTION)
    assert isinstance(part, Code)
    reference = course.solutions[PROBLEM].answers[FUNCTION]
    return [(call, expect(reference, call)) for call in plan(problem, part, course.secret, "everyone")]


def _fork(path: Path, prepared: Prepared) -> float:
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.write(writer, json.dumps(_grade(path, prepared)).encode())
        os._exit(0)
    os.close(writer)
    mark = json.loads(os.read(reader, 100))
    os.close(reader)
    os.waitpid(child, 0)
    return float(mark)


def _grade(path: Path, prepared: Prepared) -> float:
    names: dict[str, Any] = {}
    for cell in json.loads(path.read_bytes())["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    total = sum(PARTS[part] for part, right in RIGHT_TEXT.items() if names[part] in right)
    return total + PARTS[FUNCTION] * all(_passes(names[FUNCTION], *case) for case in prepared)


def _passes(function: Any, call: Planned, expected: Expected) -> bool:
    inputs = [revive(argument) for argument in call.arguments]
    for position in call.grad:
        inputs[position].requires_grad_()
    value = function(*inputs)
    if compare_tensor(value.detach(), expected.outputs[0]) is not None:
        return False
    if not call.grad:
        return True
    # A sum has no direction to be given; torch would import sympy for one, in every child.
    grads = torch.autograd.grad((value * call.cotangents[0]).sum(), [inputs[p] for p in call.grad])
    return all(compare_tensor(g, want) is None for g, want in zip(grads, expected.grads, strict=True))
