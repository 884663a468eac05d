"""What typer finds wrong with a command becomes a sentence of ours: what is wrong, and what to do instead.

The words come from the command's own signature and help, so that a new option needs none written for it.
"""

from __future__ import annotations

import difflib
import inspect
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Protocol, cast, get_args, get_origin

import typer

# The common ancestor of all that typer says of wrong usage, wherever its version keeps it.
MISUSE: type[Exception] = typer.BadParameter.__bases__[0]
_EXTRA = re.compile(r"unexpected extra arguments?(?:\(s\))? \((?P<given>.*)\)")
_MARKUP = re.compile(r"\[/?[a-z ]+\]")


class Parameter(Protocol):
    """An option or an argument, as typer's own parser has it."""

    name: str
    opts: list[str]
    metavar: str | None
    help: str | None
    param_type_name: str


class Command(Protocol):
    """A command, or a group of them."""

    params: list[Parameter]
    commands: Mapping[str, Command]
    callback: Callable[..., object]


class CommandContext(Protocol):
    """Where in the command line something was wrong."""

    command: Command
    command_path: str


class Misused(Protocol):
    """What typer raises; a kind of it has what that kind is about."""

    ctx: CommandContext
    param: Parameter
    option_name: str

    def format_message(self) -> str: ...


def words_of(error: Misused, argv: Sequence[str]) -> str:
    """One sentence, or nothing where the help has been shown already."""
    path = _path(error, argv)
    match type(error).__name__:
        case "NoArgsIsHelpError":
            return ""
        case "MissingParameter":
            return f"{_needs(error)}; see {path} --help"
        case "BadParameter" if error.param is not None:
            return f"{_unfit(error, argv)}; see {path} --help"
        case "NoSuchOption":
            return _no_option(error)
        case "BadOptionUsage":
            return f"{error.option_name} needs a value; see {path} --help"
    extra = _EXTRA.search(error.format_message())
    if extra:
        bare = _without_value(error, argv)
        if bare:
            return f"{bare} needs a value; see {path} --help"
        return f"{path} takes no {extra['given']!r}; see {path} --help"
    if error.ctx is not None and hasattr(error.ctx.command, "commands"):
        return _no_command(error, argv)
    said = error.format_message().strip().rstrip(".")
    return f"{said[:1].lower()}{said[1:]}; see {path} --help"


def _path(error: Misused, argv: Sequence[str]) -> str:
    return str(error.ctx.command_path) if error.ctx is not None else f"autograder {argv[0]}"


def _without_value(error: Misused, argv: Sequence[str]) -> str:
    """An option that took the option behind it for its value, if there is one."""
    taking = {
        name
        for param in error.ctx.command.params
        if not getattr(param, "is_flag", True)
        for name in param.opts
    }
    return next(
        (word for word, behind in itertools.pairwise(argv) if word in taking and behind.startswith("--")), ""
    )


def _no_command(error: Misused, argv: Sequence[str]) -> str:
    given = next((word for word in argv if not word.startswith("-")), "")
    known = list(error.ctx.command.commands)
    if given == "help":
        topic = next((word for word in argv if word in known), "")
        return f"there is no command 'help'; see {' '.join(['autograder', *filter(None, [topic])])} --help"
    near = difflib.get_close_matches(given, known, n=1)
    return f"there is no command {given!r}; " + (
        f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    )


def _no_option(error: Misused) -> str:
    path = error.ctx.command_path
    opts = [name for param in error.ctx.command.params for name in param.opts]
    known = [*(name[2:] for name in opts if name.startswith("--")), "help"]
    near = difflib.get_close_matches(error.option_name.lstrip("-"), known, n=1)
    return f"{path} has no option {error.option_name}; " + (
        f"did you mean --{near[0]}?" if near else f"see {path} --help"
    )


def _needs(error: Misused) -> str:
    """`--out OUT is missing: where results are written`."""
    param = error.param
    name = _name(param)
    if name.startswith("--") and param.metavar:
        name += f" {param.metavar}"
    kind, _ = _asked(error)
    said = _MARKUP.sub("", param.help or "").split(". ")[0].strip().rstrip(".")
    said = _one_of(kind) if issubclass(kind, StrEnum) else f"{said[:1].lower()}{said[1:]}"
    return f"{name} is missing: {said}" if said else f"{name} is missing"


def _name(param: Parameter) -> str:
    """An option by its long name, an argument as the help shows it."""
    if param.param_type_name == "argument":
        return str(param.metavar or param.name.upper())
    return str(max(param.opts, key=len))


def _unfit(error: Misused, argv: Sequence[str]) -> str:
    kind, info = _asked(error)
    given = next((word for word in _given(error.param, argv) if not _fits(word, kind, info)), "")
    return f"{_name(error.param)} {given}".rstrip() + f": expected {_expected(kind, info)}"


def _given(param: Parameter, argv: Sequence[str]) -> Iterator[str]:
    """Whatever was typed behind the option, or as an argument, as it was typed."""
    if param.param_type_name == "argument":
        yield from (word for word in argv[1:] if not word.startswith("-"))
    for word, following in zip(argv, [*argv[1:], ""], strict=True):
        for name in param.opts:
            if word == name:
                yield following
            elif name.startswith("--") and word.startswith(f"{name}="):
                yield word.partition("=")[2]
            elif len(name) == 2 and word.startswith(name):
                yield word[2:]


def _asked(error: Misused) -> tuple[type, object]:
    """The type that the command's signature gives a parameter, and what else it says of it."""
    command = inspect.signature(inspect.unwrap(error.ctx.command.callback), eval_str=True)
    hint, info = command.parameters[error.param.name].annotation, None
    if get_origin(hint) is Annotated:
        hint, info = get_args(hint)[:2]
    while get_args(hint):  # X | None, list[X]
        hint = next(inner for inner in get_args(hint) if inner is not type(None))
    return hint, info


def _fits(word: str, kind: type, info: object) -> bool:
    try:
        value = kind(word)
    except ValueError:
        return False
    least, most = _bounds(info)
    return (least is None or value >= least) and (most is None or value <= most)


def _bounds(info: object) -> tuple[object, object]:
    return getattr(info, "min", None), getattr(info, "max", None)


def _expected(kind: type, info: object) -> str:
    least, most = _bounds(info)
    bound = "" if least is None else f" of at least {least}" if most is None else f" from {least} to {most}"
    if issubclass(kind, StrEnum):
        return _one_of(kind)
    if kind in (int, float):
        return f"a {'whole ' if kind is int else ''}number{bound}"
    return getattr(info, "metavar", None) or kind.__name__


def _one_of(kind: type[StrEnum]) -> str:
    return f"one of {', '.join(kind)}"


def tell(error: Exception) -> int:
    """Say it, and the exit code that goes with it."""
    said = words_of(cast(Misused, error), sys.argv[1:])
    if said:
        print(f"autograder: {said}", file=sys.stderr)
    return 2
