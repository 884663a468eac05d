"""An author's test is run here, by the judge: every use that it makes of the student's names is a step.

Values come back by value; what is no value stays where it is and is known by its number. So nothing that a
student's object says of itself, not even whether it equals another, is believed without being compared here.
Where the reference gives a plain value, an object that stands in for one can be gone through, entry by entry;
it is not asked for sums, comparisons or attributes, since it could answer whatever the test hopes for.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import linecache
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, cast

from autograder.calls.failure import no_value_hidden, student_line
from autograder.calls.local_names import local_ask
from autograder.calls.requests_and_outcomes import Ask, Outcome, SandboxError
from autograder.calls.script_steps import Held, Step

if TYPE_CHECKING:
    from _typeshed import TraceFunction

MOST_STEPS = 2_000  # of one test: calls, attributes and entries
MOST_CODE = 5_000_000  # operations of the test's own code
MOST_SECONDS = 20.0  # of processor time, looked at now and then
LOOK_EVERY = 10_000
MAX_SAID, MAX_LINE = 2_000, 300
OPERATORS = (
    *(f"__{side}{name}__" for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    ) for side in ("", "r")),
    *(f"__{name}__" for name in (
        "neg", "pos", "abs", "invert", "lt", "le", "gt", "ge", "len", "getitem", "setitem", "delitem",
        "contains",
    )),
)  # fmt: skip
LOOKED_AT = frozenset({"__len__", "__getitem__", "__contains__"})  # of a stand-in, beside going through it
ENTRY = "[]"  # at the end of a path
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
DOES_NOT_HOLD = "it does not hold"
CANNOT_GO_ON = "this cannot be decided with what your code gives"


@dataclass(frozen=True)
class Tested:
    """What came of one test: the reason where it fails, in words that may show values.

    `hidden` is what may be told where the inputs are hidden, if it was not the author's sentence that failed;
    `missing` is the name that no cell defines, if it was that.
    """

    passed: bool
    says: str = ""
    hidden: str = ""
    missing: str = ""


class StudentError(Exception):
    """The student's code raised, and the exception is none of Python's own."""


@dataclass
class Fault:
    """The last error that a student's code was the cause of, to be known again where it ends a test."""

    error: Exception | None = None
    hidden: str = ""
    missing: str = ""

    def of(self, outcome: Outcome, name: str) -> Exception:
        """What a test sees of a step that gave no value."""
        error = error_of(outcome, name)
        self.missing = name if outcome.status == "missing" else ""
        ours = outcome.status in ("missing", "not_implemented")  # the words, that is
        return self.note(error, str(error) if ours else no_value_hidden(outcome))

    def note(self, error: Exception, hidden: str) -> Exception:
        self.error, self.hidden = error, hidden
        return error

    def told(self, error: BaseException) -> str:
        """What may be told of an error where the inputs are hidden; nothing where it is another."""
        return self.hidden if error is self.error else ""


class PatienceError(BaseException):
    """The test goes on for too long; no `except Exception` of a test stops it."""


class StudentNames:
    """The student's names: `names.encode` is whatever the notebook calls so."""

    def __init__(self, talk: _Talk) -> None:
        object.__setattr__(self, "_talk", talk)

    def __getattr__(self, name: str) -> object:
        return _talk_of(self).do(Step("name", name), name)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a test cannot change the student's names")

    def __repr__(self) -> str:
        return "names"


class Remote:
    """An object that stays with the student. It equals itself alone, whatever its own `__eq__` would say.

    `_path` says how a test came by it: `Value().data` is an attribute of what a call of Value gave.
    """

    __slots__ = ("_held", "_path", "_talk")

    def __init__(self, held: Held, talk: _Talk, path: str) -> None:
        object.__setattr__(self, "_held", held)
        object.__setattr__(self, "_talk", talk)
        object.__setattr__(self, "_path", path)

    def __call__(self, *args: object, **named: object) -> object:
        given = {name: _sent(value) for name, value in named.items()}
        talk, path = _talk_of(self), f"{_path_of(self)}()"
        build = not talk.is_plain(path)
        return talk.do(
            Step("method", on=_held_of(self), args=_all_sent(args), named=given, build=build), path
        )

    def __getattr__(self, name: str) -> object:
        return _talk_of(self).do(Step("get", name, on=_held_of(self)), f"{_path_of(self)}.{name}")

    def __setattr__(self, name: str, value: object) -> None:
        _talk_of(self).do(Step("set", name, on=_held_of(self), args=(_sent(value),)), "")

    def __iter__(self) -> Iterator[object]:
        return _entries(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remote) and _held_of(self) == _held_of(other)

    def __instancecheck__(self, other: object) -> bool:
        """isinstance(value, names.Value): whether its class, or one that this inherits from, is this one."""
        if not isinstance(other, Remote) or isinstance(other, StandIn):
            return False
        made_by = _talk_of(other).do(Step("get", "__class__", on=_held_of(other)), "")
        return isinstance(made_by, Remote) and self in cast(Sequence[object], made_by.__mro__)

    def __hash__(self) -> int:
        return hash(_held_of(self).number)

    def __repr__(self) -> str:
        return f"<{_held_of(self).type or 'object'}>"


def _entries(remote: Remote) -> Iterator[object]:
    talk, path = _talk_of(remote), f"{_path_of(remote)}{ENTRY}"
    entries = talk.do(Step("method", "__iter__", on=_held_of(remote)), "")
    if not isinstance(entries, Remote):
        raise TypeError("what it gives cannot be gone through")
    while True:
        try:
            yield talk.do(Step("method", "__next__", on=_held_of(entries)), path)
        except StopIteration:
            return


def _operator(name: str) -> Callable[..., object]:
    def operate(self: Remote, *args: object) -> object:
        path = f"{_path_of(self)}{ENTRY}" if name == "__getitem__" else f"{_path_of(self)}.{name}()"
        try:
            found = _talk_of(self).do(Step("method", name, on=_held_of(self), args=_all_sent(args)), path)
        except AttributeError as error:  # as Python says it of an object that has no such operator
            raise TypeError(str(error)) from None
        refuses = isinstance(found, Remote) and _held_of(found).type == "NotImplementedType"
        return NotImplemented if refuses else found

    operate.__name__ = name
    return operate


for _name in OPERATORS:
    setattr(Remote, _name, _operator(_name))


class StandIn(Remote):
    """An object where the reference gives a plain value: what it holds is looked at, what it says is not."""

    __slots__ = ()

    def __contains__(self, other: object) -> bool:
        return any(entry == other for entry in self)

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):  # numpy and others ask every object for what it may have
            raise AttributeError(name)
        raise _no_plain_value(self)

    def __hash__(self) -> int:
        return super().__hash__()


def _refused(name: str) -> Callable[..., object]:
    def refuse(self: StandIn, *args: object, **named: object) -> object:
        raise _no_plain_value(self)

    refuse.__name__ = name
    return refuse


for _name in {*OPERATORS, "__call__", "__setattr__", "__bool__"} - LOOKED_AT:
    setattr(StandIn, _name, _refused(_name))


def _no_plain_value(remote: StandIn) -> TypeError:
    path, kind = _path_of(remote), _held_of(remote).type or "another"
    return TypeError(f"{path} gives an object of the class {kind} where a plain value is asked for")


class _Talk:
    """The steps of one test. `plain` are the paths at which the reference gives nothing but plain values;
    `noted` has what came at each path: whether it was such a value every time."""

    def __init__(self, ask: Ask, plain: Set[str]) -> None:
        self._ask, self._plain, self._left = ask, plain, MOST_STEPS
        self.noted: dict[str, bool] = {}
        self.fault = Fault()

    def do(self, step: Step, path: str) -> object:
        self._left -= 1
        if self._left < 0:
            raise PatienceError(f"the test was stopped: it called your code more than {MOST_STEPS} times")
        try:
            outcome = self._ask(step)
        except SandboxError as error:  # an argument that is no value
            raise TypeError(str(error)) from None
        if outcome.status != "ok":
            raise self.fault.of(outcome, step.name)
        return self._received(outcome.outputs[0], path)

    def _received(self, value: object, path: str) -> object:
        """Plain values as they are; objects, also those inside of lists, tuples and dicts, as remote ones."""
        self.noted[path] = self.noted.get(path, True) and not isinstance(value, Held)
        match value:
            case Held():
                return (StandIn if self.is_plain(path) else Remote)(value, self, path)
            case list():
                return [self._received(entry, path + ENTRY) for entry in value]
            case tuple():
                return tuple(self._received(entry, path + ENTRY) for entry in value)
            case dict():
                return {key: self._received(entry, path + ENTRY) for key, entry in value.items()}
        return value

    def is_plain(self, path: str) -> bool:
        """Whether the reference gives a plain value here, or one that this would be an entry of."""
        while path not in self._plain and path.endswith(ENTRY):
            path = path.removesuffix(ENTRY)
        return path in self._plain


def _talk_of(thing: object) -> _Talk:
    talk: _Talk = object.__getattribute__(thing, "_talk")
    return talk


def _held_of(remote: Remote) -> Held:
    held: Held = object.__getattribute__(remote, "_held")
    return held


def _path_of(remote: Remote) -> str:
    path: str = object.__getattribute__(remote, "_path")
    return path


def _all_sent(values: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(map(_sent, values))


def _sent(value: object) -> object:
    """Remote objects by their numbers, wherever they lie in an argument."""
    match value:
        case Remote():
            return _held_of(value)
        case list():
            return [_sent(entry) for entry in value]
        case tuple():
            return tuple(_sent(entry) for entry in value)
        case dict():
            return {key: _sent(entry) for key, entry in value.items()}
    return value


def error_of(outcome: Outcome, name: str) -> Exception:
    """The exception that a test sees: one of Python's own where the student's is, so it can be expected."""
    if outcome.status == "missing":
        return AttributeError(f"no cell defines {name}")
    if outcome.status == "not_implemented":
        return NotImplementedError("not answered yet: it raises NotImplementedError")
    kind, _, text = outcome.error.partition(":")
    known, says = getattr(builtins, kind.strip(), None), text.strip()
    if known is None and outcome.like:  # a class of the student's own, which is one of these
        known, says = getattr(builtins, outcome.like, None), outcome.error
    says += student_line(outcome.traceback)
    if outcome.status == "raised" and isinstance(known, type) and issubclass(known, Exception):
        try:
            return known(says)
        except Exception:
            return StudentError(outcome.error)
    return StudentError(outcome.error)


# ---------------------------------------------------------------- running


def load_tests(source: str, names: Sequence[str], place: str) -> list[Callable[[object], object]]:
    """The functions of these names, their asserts rewritten by pytest so that one that fails tells why."""
    from _pytest.assertion.rewrite import rewrite_asserts

    tree = ast.parse(source)
    rewrite_asserts(tree, source.encode(), place)
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    module: dict[str, object] = {"__name__": place, "__file__": place}
    exec(compile(tree, place, "exec", dont_inherit=True), module)
    return [cast(Callable[[object], object], module[name]) for name in names]


def plain_paths(
    test: Callable[[object], object], reference: Mapping[str, object], place: str
) -> frozenset[str]:
    """Where in a test the reference gives nothing but plain values."""
    talk = _Talk(local_ask(reference), frozenset())
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # for files that it writes
        _run(test, talk, place)
    return frozenset(path for path, plain in talk.noted.items() if plain and path)


def run_test(test: Callable[[object], object], ask: Ask, place: str, plain: Set[str] = frozenset()) -> Tested:
    """One test, within bounds; the wire's own errors go through."""
    return _run(test, _Talk(ask, plain), place)


def _run(test: Callable[[object], object], talk: _Talk, place: str) -> Tested:
    from _pytest.assertion import util

    # A pytest that runs this process has words of its own for what an assert compares, and may take minutes.
    words, util._reprcompare = util._reprcompare, None
    try:
        return bounded(lambda: test(StudentNames(talk)), place, talk.fault)
    finally:
        util._reprcompare = words


def bounded(test: Callable[[], object], place: str, fault: Fault) -> Tested:
    """Something that passes where it raises nothing; the code of `place` in it may not go on for ever."""
    before = sys.gettrace()
    sys.settrace(_patience(place))
    try:
        test()
    except AssertionError as error:
        return Tested(False, _cut(_assertion(error, place)), fault.told(error))
    except PatienceError as error:
        return Tested(False, str(error), str(error))
    except (SystemExit, GeneratorExit) as error:
        return Tested(False, f"{type(error).__name__}{_line(error, place)}")
    except KeyboardInterrupt:
        raise
    except Exception as error:
        if type(error).__module__.startswith("autograder.sandbox"):
            raise  # the student's process is gone: the sandbox says why
        said = " ".join(traceback.format_exception_only(error)).strip()
        hidden = fault.told(error)
        if hidden == str(error):
            return Tested(False, hidden, hidden, fault.missing)
        told = f"{said.removeprefix(f'{__name__}.')}{_line(error, place)}"
        return Tested(False, _cut(told), hidden or CANNOT_GO_ON)
    except BaseException as error:  # of pytest's own: what should raise did not, or the test was left
        from _pytest.outcomes import OutcomeException

        if not isinstance(error, OutcomeException):
            raise
        return Tested(
            False, _cut(f"{str(error).replace('DID NOT RAISE', 'did not raise')}{_line(error, place)}")
        )
    finally:
        sys.settrace(before)
    return Tested(True)


def _patience(place: str) -> TraceFunction:
    """A trace that counts the operations of the test's own file: a loop may have no second line."""
    left, end = MOST_CODE, time.thread_time() + MOST_SECONDS

    def count(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal left
        left -= 1
        if left < 0 or (left % LOOK_EVERY == 0 and time.thread_time() > end):
            raise PatienceError("the test was stopped: it went on for too long with what your code gave")
        return count

    def enter(frame: FrameType, event: str, argument: object) -> TraceFunction | None:
        if frame.f_code.co_filename != place:
            return None
        frame.f_trace_opcodes = True
        return count

    return enter


def _assertion(error: AssertionError, place: str) -> str:
    """The author's message or what pytest made of the assert; else the line that failed."""
    said = str(error).strip()
    return said if said else f"an assertion fails{_line(error, place)}"


def _line(error: BaseException, place: str) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == place]
    return f", at: {frames[-1].line}" if frames and frames[-1].line else ""


def _cut(text: str) -> str:
    """What a student reads of it: no address of memory, which is another one in every run."""
    lines = _ADDRESS.sub("", text).splitlines()
    text = "\n".join(line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]} …" for line in lines)
    return text if len(text) <= MAX_SAID else f"{text[:MAX_SAID]} …"
