"""The small kinds of written answer, as an author declares them; their keys stand in the solutions file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.course.model import Tensor


@dataclass(frozen=True)
class Number:
    """One number: `≈ 0.611 nats`, `4,864`, `50 %`, `4.9e3`, `3/8`.

    `tolerance` is how far off an answer may be: 0.001, or "1 %" of the key. `unit` is the one that is asked
    for; it may be left out, and others of its kind are converted.
    """

    name: str
    points: float
    ask: str
    tolerance: float | str = 0.0
    unit: str = ""


@dataclass(frozen=True)
class Shape:
    """The shape of a tensor: `(32, 64, 112, 112)`, `32×64×112×112`, `torch.Size([…])`, `(B, T, 4 d)`."""

    name: str
    points: float
    ask: str
    variables: Sequence[str] = ()


@dataclass(frozen=True)
class Matrix:
    """A matrix or vector: nested lists, LaTeX, or a row a line. Entries are numbers or formulas."""

    name: str
    points: float
    ask: str
    variables: Sequence[str] = ()
    tolerance: float = 0.0


@dataclass(frozen=True)
class Interval:
    """All values of one variable between two ends: `0 < η < 2/λ`, `(0, 2/λ)`, `x >= 1`."""

    name: str
    points: float
    ask: str
    variable: str
    variables: Sequence[str] = ()  # that the ends may hold


@dataclass(frozen=True)
class Select:
    """Every label that applies. Each right one earns its share, each wrong one takes as much away."""

    name: str
    points: float
    ask: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Order:
    """Lines put in order, by their labels. Each pair in the right order earns its share."""

    name: str
    points: float
    ask: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class Derivation:
    """Equal expressions, or equations that follow from one another, a line each, to the key's last line.

    Each line is compared with the one before: a false step costs its share once, and what follows from it
    keeps its own. At least `steps` of them are asked for. Names are declared as for a formula.

    With `tensors` the lines are index notation for what `defines` says, `alpha[k, t1, t2]`; `assumptions` are
    then equations that define further tensors.
    """

    name: str
    points: float
    ask: str
    variables: Sequence[str] = ()
    reals: Sequence[str] = ()
    functions: Sequence[str] = ()
    matrices: Sequence[str] = ()
    vectors: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    steps: int = 2
    tensors: Sequence[Tensor] = ()
    defines: str = ""


Small = Number | Shape | Matrix | Interval | Select | Order | Derivation
SMALL = (Number, Shape, Matrix, Interval, Select, Order, Derivation)
