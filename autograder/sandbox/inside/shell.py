"""An IPython shell that runs a notebook's cells as Jupyter does, without a terminal or other programs."""

from __future__ import annotations

import io
import linecache
import traceback
from types import TracebackType

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import ExecutionResult, InteractiveShell
from traitlets.config import Config

from autograder.calls.syntax_fault import fix

# Magics that start programs or reach for the network: logged and skipped, so that the cell goes on.
SKIPPED_MAGICS = frozenset(
    (
        "pip",
        "conda",
        "mamba",
        "micromamba",
        "uv",
        "sx",
        "system",
        "bash",
        "sh",
        "script",
        "perl",
        "ruby",
        "pypy",
    )
)
IMPORTABLE = [
    "torch",
    "numpy",
    "matplotlib",
]  # by any submission; the warm parent adds the course's
MAX_ERROR, MAX_TRACEBACK, MAX_FRAMES = 2_000, 4_000, 12


class Printed(io.TextIOBase):
    """Standard output and error of the cells: kept up to a size, dropped while a function is called."""

    def __init__(self) -> None:
        self.room: int | None = None
        self.muted = False
        self._pieces: list[str] = []

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not self.muted and self.room is not None and self.room > 0:
            self._pieces.append(text[: self.room])
            self.room -= len(text)
            if self.room <= 0:
                self._pieces.append("\n[the rest of the output is cut]\n")
        return len(text)

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        return text


class CellCompiler(CachingCompiler):
    """Names the code of a cell after the cell, so that a traceback can say where."""

    number = 0

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        return cell_name(CellCompiler.number)


def cell_name(number: int) -> str:
    return f"<cell {number}>"


class CellShell(InteractiveShell):
    """The shell of one submission."""

    compiler_class = CellCompiler

    def enable_gui(self, gui: object = None) -> None:
        """There is no screen."""

    def enable_matplotlib(self, gui: object = None) -> tuple[str, str]:
        return "agg", "agg"

    def ask_exit(self) -> None:
        raise SystemExit("exit")

    def system(self, cmd: str) -> None:
        print(f"[not run: !{cmd}]")

    system_raw = system_piped = system

    def getoutput(self, cmd: str, split: bool = True, depth: int = 0) -> object:
        self.system(cmd)
        return [] if split else ""

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> object:
        if magic_name in SKIPPED_MAGICS:
            print(f"[not run: %{magic_name} {line}]")
            return None
        return super().run_line_magic(magic_name, line, _stack_depth + 1)

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> object:
        if magic_name in SKIPPED_MAGICS:
            print(f"[not run: %%{magic_name} {line}]")
            return None
        return super().run_cell_magic(magic_name, line, cell)  # type: ignore[no-untyped-call]

    def showtraceback(self, *args: object, **kwargs: object) -> None:
        """The error is read from the cell's result."""

    showsyntaxerror = showindentationerror = showtraceback


def make_shell() -> CellShell:
    """The shell, made once in the warm parent: a new one in each child would cost tens of milliseconds."""
    config = Config()
    config.HistoryManager.enabled = False  # it would start a thread, and a forked child would hang
    config.InteractiveShell.colors = "NoColor"
    config.InteractiveShell.xmode = "Minimal"
    shell: CellShell = CellShell.instance(config=config)
    return shell


def run_cell(shell: CellShell, number: int, source: str) -> BaseException | None:
    """Run one cell; the exception that ended it, if one did."""
    CellCompiler.number = number
    result: ExecutionResult = shell.run_cell(source, store_history=True)  # type: ignore[no-untyped-call]
    error: BaseException | None = result.error_before_exec or result.error_in_exec
    return _plainer(shell, error, source) if isinstance(error, SyntaxError) else error


def _plainer(shell: CellShell, error: SyntaxError, source: str) -> SyntaxError:
    """Of a cell that ends too early, IPython only says so: Python itself names the bracket left open."""
    if error.msg == "incomplete input":
        try:
            compile(shell.transform_cell(source), cell_name(CellCompiler.number), "exec", dont_inherit=True)  # type: ignore[no-untyped-call]
        except SyntaxError as plainer:
            return plainer
    return error


def say(error: BaseException) -> str:
    """The error's type and message, whatever its own methods do."""
    try:
        text = "".join(traceback.format_exception_only(type(error), error)).strip() + _importable(error)
        if isinstance(error, SyntaxError) and _is_of_cell(error):
            text = _with_fix(text, error)
    except BaseException:
        text = type(error).__name__
    return text[:MAX_ERROR]


def _with_fix(text: str, error: SyntaxError) -> str:
    """Of a cell that Python cannot read: the fix where one is known, the place, the line and a caret."""
    says = fix((error.text or "").rstrip("\n"), error)
    shown = [line for line in text.split("\n")[1:-1] if line.startswith(" ")]
    said = text.split("\n")[-1] if says == error.msg else says
    return "\n".join([f"{said} (line {error.lineno or 1})", *shown])


def _importable(error: BaseException) -> str:
    """What a submission may import, after an import of something else."""
    if type(error) is not ModuleNotFoundError:
        return ""
    *some, last = IMPORTABLE
    return f" (a submission may import Python's own modules, {', '.join(some)} and {last})"


def trim(error: BaseException) -> str:
    """The traceback, only where it passes through the student's own cells."""
    lines = []
    if isinstance(error, SyntaxError) and _is_cell(str(error.filename)):
        lines.append(_place(str(error.filename), error.lineno or 1, ""))
    try:
        frames = student_frames(error.__traceback__)
    except BaseException:
        frames = []
    lines += [_place(filename, number, name) for filename, number, name in frames[-MAX_FRAMES:]]
    return "\n".join(lines)[:MAX_TRACEBACK]


def student_frames(trace: TracebackType | None) -> list[tuple[str, int, str]]:
    """File, line and function of each frame in a cell, outermost first."""
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if _is_cell(code.co_filename):
            frames.append((code.co_filename, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    return frames


def raised_by_student(error: BaseException) -> bool:
    """Whether the innermost frame is in a cell: a stub's own NotImplementedError, not one out of torch."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and _is_cell(trace.tb_frame.f_code.co_filename)


def _is_of_cell(error: SyntaxError) -> bool:
    """Whether Python could not read the cell itself, or IPython before it."""
    return error.filename == "<tokenize>" or _is_cell(str(error.filename))


def _is_cell(filename: str) -> bool:
    return filename.startswith("<cell ")


def _place(filename: str, number: int, name: str) -> str:
    inside = "" if name in ("", "<module>") else f", in {name}"
    line = linecache.getline(filename, number).strip()
    return f"{filename.strip('<>')}, line {number}{inside}" + (f"\n    {line}" if line else "")
