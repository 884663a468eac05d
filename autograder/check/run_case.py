"""A student's function is called on one visible case; what came of it goes out as a plain record."""

from __future__ import annotations

import contextlib
import io
import linecache
import sysconfig
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from torch import Tensor

from autograder.calls.arrays import as_tensors
from autograder.calls.case_as_script import take
from autograder.calls.inputs import as_given, revive
from autograder.calls.invoke import changed, invoke
from autograder.calls.value_as_json import (
    OutputError,
    entry_nodes,
    kind_of,
    kind_of_node,
    pack_value,
    read_value,
    tensor_of,
)
from autograder.check.time_limit import TooLong, Watch, guarded
from autograder.release.handout import VisibleCase

STOP_SECONDS = 30.0  # a student's machine may be slow: more than a call may take when it is graded
MAX_FRAMES, MAX_PRINTED = 8, 2_000
_PACKAGE = str(Path(__file__).resolve().parent.parent)
_ELSEWHERE = tuple(  # the longest first: site-packages may lie inside the library
    sorted((sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")), key=len)[
        ::-1
    ]
)


@dataclass(frozen=True)
class Called:
    """What one call came to: `status` is ok, raised, unanswered, strange, too_long or stopped."""

    status: str
    kind: str = ""
    kinds: tuple[str, ...] = ()
    outputs: tuple[object, ...] = ()
    grads: tuple[Tensor | None, ...] = ()
    mutated: tuple[int, ...] = ()
    error: str = ""
    error_type: str = ""
    trace: str = ""
    origin: str = ""  # the library in which the error was raised, empty for the student's own lines
    printed: str = ""
    seconds: float = 0.0


def call(
    function: Callable[..., object],
    case: VisibleCase,
    watch: Watch,
    limit: float = STOP_SECONDS,
    *,
    arrays: bool = True,
) -> Called:
    """Call on fresh copies. Whatever the student's code does ends in a record, an interrupt included.

    With `arrays`, those of numpy count as tensors.
    """
    printed = io.StringIO()
    start = time.monotonic()
    try:
        with contextlib.redirect_stdout(printed), guarded(limit, watch):
            called = _attempt(function, case, arrays)
    except TooLong:
        called = Called("too_long")
    except KeyboardInterrupt:
        called = Called("stopped")
    except BaseException as error:  # SystemExit too: it would end the notebook's kernel
        called = _raised(error)
    text = printed.getvalue()[:MAX_PRINTED]
    return replace(called, printed=text, seconds=time.monotonic() - start)


def _attempt(function: Callable[..., object], case: VisibleCase, arrays: bool) -> Called:
    if case.steps:
        steps = take(function, case.steps, as_given, case.dtype)
        return Called("ok", "script", tuple(map(kind_of, steps)), tuple(steps))
    done = invoke(
        function, lambda: [revive(argument) for argument in case.arguments], case.grad, case.cotangents
    )
    try:
        packed = pack_value(done.value)
    except OutputError as error:
        return Called("strange", kind_of(done.value), error=str(error))
    value = read_value(packed.tree, lambda node: tensor_of(node, packed.tensors))
    kind = kind_of_node(packed.tree)
    outputs = tuple(value) if isinstance(value, tuple | list) else (value,)
    entries = entry_nodes(packed.tree)
    nodes = [packed.tree] if entries is None else entries
    mutated = tuple(
        position
        for position, (now, before) in enumerate(zip(done.arguments, case.arguments, strict=True))
        if isinstance(before, Tensor) and changed(now, before)
    )
    kinds = tuple(map(kind_of_node, nodes))
    if arrays and case.expected.holds is None:
        kind, kinds, outputs = as_tensors(kind, kinds, outputs)
    return Called("ok", kind, kinds, outputs, done.grads, mutated)


# ---------------------------------------------------------------- what was raised, and where


def _raised(error: BaseException) -> Called:
    frames = [
        (frame.f_code.co_filename, line, frame.f_code.co_name)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = [frame for frame in frames if _is_students(frame[0])]
    innermost = frames[-1][0] if frames else ""
    if isinstance(error, NotImplementedError) and _is_students(innermost):
        return Called("unanswered")
    text = "".join(traceback.format_exception_only(error)).strip()
    origin = "" if _is_students(innermost) else _library(innermost)
    trace = "\n".join(_place(*frame) for frame in own[-MAX_FRAMES:])
    return Called("raised", error=text[:2000], error_type=type(error).__name__, trace=trace, origin=origin)


def _is_students(filename: str) -> bool:
    """A notebook's cell or a file of the student's own, not ours, Python's or a library's."""
    if filename.startswith("<frozen") or filename == "<string>":
        return False
    return not filename.startswith((_PACKAGE, *_ELSEWHERE))


def _library(filename: str) -> str:
    for folder in _ELSEWHERE:
        if filename.startswith(folder):
            return Path(filename).relative_to(folder).parts[0].removesuffix(".py")
    return ""


def _place(filename: str, number: int, name: str) -> str:
    inside = "" if name.startswith("<module") else f", in {name}"
    where = Path(filename).name if not _is_cell(filename) else "your cell"
    line = linecache.getline(filename, number).strip()
    return f"{where}, line {number}{inside}" + (f"\n    {line}" if line else "")


def _is_cell(filename: str) -> bool:
    return filename.startswith("<") or "ipykernel_" in filename
