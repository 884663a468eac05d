"""A hostile submission: its cells, the marks it must get, and how long it may try."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
ZEROS = "def scores(q, k):\n    return torch.zeros(len(q), len(k))"
AXIS = 'axis = "a"'


@dataclass(frozen=True)
class Attack:
    """`scores` and `axis` are the answer cells; `earns` has the marks of the two, of 3 and of 1.

    The words @COURSE@, @GROUND@, @TCP@, @UNIX@, @ABSTRACT@ and @VICTIM@ stand for what there is to attack:
    the course's folder, a folder that everybody may write, three listening sockets and a process.
    """

    scores: str
    axis: str = AXIS
    before: tuple[str, ...] = ()  # cells in front of the answers
    earns: tuple[float, float] = (0.0, 1.0)
    status: str = ""  # of the first part, where it matters
    says: str = ""  # in the first part's feedback
    seconds: float = 5.0  # for a cell or a call
    limits: dict[str, float] = field(default_factory=dict)


def aside(code: str, earns: float = 3.0, **options: object) -> Attack:
    """The code runs before a right answer: it must change nothing outside, and costs nothing inside."""
    body = textwrap.indent(textwrap.dedent(code).strip(), "    ")
    cell = f"try:\n{body}\nexcept BaseException as error:\n    print(error)"
    return Attack(RIGHT, before=(cell,), earns=(earns, 1.0), **options)  # type: ignore[arg-type]


def stolen(code: str, **options: object) -> Attack:
    """The code should return a function that gives right answers; without one, zeros are handed in."""
    body = textwrap.indent(textwrap.dedent(code).strip(), "    ")
    answer = (
        f"def _steal():\n{body}\n\ndef scores(q, k):\n    try:\n        return _steal()(q, k)\n"
        "    except BaseException:\n        return torch.zeros(len(q), len(k))"
    )
    return Attack(answer, **options)  # type: ignore[arg-type]


def inside(code: str, **options: object) -> Attack:
    """The code runs within the function, with `q` and `k` at hand, and may return."""
    body = textwrap.indent(textwrap.dedent(code).strip(), "    ")
    return Attack(f"def scores(q, k):\n{body}\n    return torch.zeros(len(q), len(k))", **options)  # type: ignore[arg-type]
