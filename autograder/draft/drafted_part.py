"""A drafted part: its lines in both files, what is said of it, and our own reader's word on its key."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.course.model import Choice, Equation, Formula, Growth, Key
from autograder.course.small_kinds import Small
from autograder.errors import AnswerError
from autograder.text.judge import key_faults


@dataclass(frozen=True)
class Drafted:
    """One part: its kind, its lines in the problem and the solutions file, and what to tell the author."""

    name: str
    kind: str
    problem: str
    solution: str
    notes: tuple[str, ...] = field(default=())
    imports: tuple[str, ...] = field(default=())

    @property
    def is_read(self) -> bool:
        return self.kind != "prose"


@dataclass(frozen=True)
class Around:
    """What a part stands in: what the sheet has said so far, its own problem, and its equations."""

    said: str = ""
    own: str = ""
    equations: tuple[str, ...] = ()  # the rows that a bound may be about


def part_lines(kind: str, name: str, fields: dict[str, str]) -> str:
    """The lines of a part in a problem file."""
    lines = "".join(f"            {field}={value},\n" for field, value in fields.items())
    return f"        {kind}(\n            {name!r},\n{lines}        ),\n"


def sound(part: Growth | Equation | Formula | Choice | Small, key: Key) -> None:
    """Our own reader's word on a key; what it finds wrong is what the sheet got wrong, or we cannot read."""
    faults = key_faults(part, key)
    if faults:
        raise AnswerError("; ".join(fault.removeprefix(f"{part.name}: ") for fault in faults))


def quoted(text: str) -> str:
    """A Python literal in which LaTeX stays readable."""
    safe = "\\" in text and '"""' not in text and not text.endswith(("\\", '"'))
    if "\n" in text or safe:
        return f'r"""{text}"""' if '"""' not in text and not text.endswith(("\\", '"')) else repr(text)
    return repr(text)
