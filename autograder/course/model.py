"""The frozen records of a course: problems, their parts and cases, the keys and the known mistakes."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograder.course.author_tests import Tests, source_of
from autograder.course.cases import Case, Draw
from autograder.course.docstring_shapes import parse_shapes
from autograder.course.modules import Module
from autograder.course.properties import Property
from autograder.course.small_kinds import Small

# What a submission may use: set for a course in course.toml, for a part in its problem file.
LIMITS = (
    "wall_seconds",
    "cpu_seconds",
    "memory_mb",
    "file_mb",
    "output_kb",
    "threads",
    "cell_seconds",
    "call_seconds",
)


# ---------------------------------------------------------------- kinds of part


@dataclass(frozen=True)
class Code:
    """A torch function. Its docstring gives the shapes: `q[I, D]  k[J, D]  returns [I, J]`.

    `draws` says how arguments other than plain normal tensors are drawn. `work` and `memory` bound
    the cost in the notation of a growth answer; `cost_share` of the marks is lost when they are broken.
    The bounds are in the function's axes, but for those that `cost_sizes` gives in terms of the others.
    `large` has the sizes of one more call, at which a program of another class runs out of its limits.
    `limits` changes what a call of this function may use: {"call_seconds": 30, "memory_mb": 256}.
    `precision="float32"` says that values in double precision need be no better than in single.
    `share` of the marks is earned by a function that is right but for one slip; None: as course.toml says.
    `holds` are properties that decide, in the place of the reference's values. `after` names an earlier code
    part that this one calls: where that one is wrong, its reference stands in. With `numpy=False` an array of
    numpy is no answer where a tensor is asked for.
    """

    function: Callable[..., object]
    points: float
    cases: Sequence[Case]
    draws: Mapping[str, Draw] = field(default_factory=dict)
    ask: str = ""
    work: str | None = None
    memory: str | None = None
    cost_share: float = 0.5
    tolerance: float | None = None
    cost_sizes: Mapping[str, str] = field(default_factory=dict)  # "dv": "d"
    large: Mapping[str, int] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    precision: str | None = None
    share: float | None = None
    holds: Sequence[Property] = ()
    after: str = ""
    numpy: bool = True

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def takes_arrays(self) -> bool:
        """Whether numpy's arrays count as the tensors that are asked for."""
        return self.numpy and not self.holds and not parse_shapes(self.doc, self.parameters).type

    # Read off the function once: every call of every submission asks for them.
    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.function).parameters) if callable(self.function) else ()

    @cached_property
    def doc(self) -> str:
        """The docstring; what it does not say of the result, the annotation does."""
        written = self._docstring
        promised = inspect.signature(self.function).return_annotation if callable(self.function) else None
        if "returns" in written or promised is inspect.Signature.empty:
            return written
        type = promised if isinstance(promised, str) else inspect.formatannotation(promised)
        return f"{written}\nreturns {type}"

    @cached_property
    def _docstring(self) -> str:
        return inspect.cleandoc(self.function.__doc__ or "")

    @cached_property
    def holds_source(self) -> str:
        """The properties and what they use of the problem file, to be run elsewhere."""
        return source_of([each.check for each in self.holds])

    @cached_property
    def stub(self) -> str:
        """The text of the answer cell before a student touches it."""
        signature = f"def {self.name}{inspect.signature(self.function)}:"
        doc = textwrap.indent(f'"""{self._docstring}"""', "    ")
        body = f'    raise NotImplementedError("{self.name}: replace this line with your answer")'
        return f"{signature}\n{doc}\n{body}"


@dataclass(frozen=True)
class Growth:
    """A growth rate in several variables, such as O(ln T + ln U).

    A rate that speaks of a program is proved by measuring it: `measures` names the code part, or the key
    gives the program. `sizes` gives its axes in terms of the variables; other axes stay small. `serial`
    names axes whose inner products are added up serially in a further reading of the question.
    """

    name: str
    points: float
    ask: str
    variables: Sequence[str]
    assumptions: Sequence[str] = ()
    measures: str | None = None  # the code part whose cost is asked for
    quantity: str = "span"  # of its cost: work, span or memory
    sizes: Mapping[str, str] = field(default_factory=dict)  # "I": "J//K"
    serial: Sequence[str] = ()
    words: Mapping[str, str] = field(default_factory=dict)  # "T": "sequence length, number of words"


@dataclass(frozen=True)
class Formula:
    """An exact expression, an equation between expressions, or a combination of named vectors.

    `variables` are positive numbers, `reals` any numbers. Of `functions` (P, E, f) nothing is known but what
    is written: P(A | B), E[X^2]. `matrices` do not commute; beside them `vectors` are columns. With
    `unordered` the outputs may come in any order.
    """

    name: str
    points: float
    ask: str
    variables: Sequence[str]
    vectors: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    defines: str = ""  # an optional left side that may stand before the answer: "y_1", "<x_1, x_3>"
    reals: Sequence[str] = ()
    functions: Sequence[str] = ()
    matrices: Sequence[str] = ()
    unordered: bool = False


@dataclass(frozen=True)
class Tensor:
    """A named tensor of an equation part: plain name, axes in order, and its names in LaTeX.

    `H_{l,*}` has its first index as a further subscript. `entries` names the axis that a tensor of
    whole numbers points into (words point into W). `draw` is normal, positive or identity.
    """

    name: str
    axes: Sequence[str] = ()
    latex: Sequence[str] = ()
    entries: str = ""
    draw: str = "normal"


@dataclass(frozen=True)
class Equation:
    """One or more lines of index or matrix notation over declared tensors.

    `ranges` numbers an axis ("T": "1..T") or gives an index from outside ("t": "1..T-2").
    `functions` are a name (elementwise), `CELL([J], [K]) -> [J]`, or `FF(C) = sigmoid(W_ff C + b_ff)`.
    With `matrix`, single letters next to each other are matrices, and `[A, B]` stands side by side.
    With `columns`, items are columns: a softmax that names no axis runs down each of them.
    """

    name: str
    points: float
    ask: str
    tensors: Sequence[Tensor]
    sizes: Mapping[str, str] = field(default_factory=dict)  # "J": "K*I"
    ranges: Mapping[str, str] = field(default_factory=dict)
    functions: Sequence[str] = ()
    matrix: bool = False
    columns: bool = False


@dataclass(frozen=True)
class Choice:
    """One label out of several: `options` maps a label to its text."""

    name: str
    points: float
    ask: str
    options: Mapping[str, str]


@dataclass(frozen=True)
class RubricItem:
    """A line of a rubric: what an answer says or lacks, and what that is worth; below 0 it costs marks."""

    points: float
    says: str


def item(points: float, says: str) -> RubricItem:
    """A line of a rubric: item(1, "says that the sum is shared by all positions")."""
    return RubricItem(points, says)


@dataclass(frozen=True)
class Prose:
    """A few sentences, marked by a person. `guide` and `rubric` are for the marker, and never released.

    Students read the lines of the rubric that their answer has, with their marks.
    """

    name: str
    points: float
    ask: str
    guide: str = ""
    rubric: Sequence[RubricItem] = ()


Part = Code | Module | Tests | Growth | Formula | Equation | Choice | Small | Prose


@dataclass(frozen=True)
class OneOf:
    """What a number of a problem that varies is drawn from."""

    values: tuple[object, ...]


def one_of(*values: object) -> OneOf:
    """One of these, for each student another: varies={"K": one_of(3, 5, 7)}."""
    return OneOf(values)


@dataclass(frozen=True)
class Problem:
    """What is asked. `statement` is Markdown with LaTeX; the file's name is the problem's id.

    `given` is a file of code that stands in the notebook as a locked cell and runs before the student's
    cells; `files` lie beside the notebook, to be read. Both are named by their paths below problems/.
    `varies` draws numbers for each student; `{K}` stands for them in texts, cases and keys. `variant` is the
    number of the variant that a problem became.
    """

    title: str
    source: str
    statement: str
    parts: Sequence[Part]
    given: str = ""
    files: Sequence[str] = ()
    # Filled in when the course is loaded: the file's name, the given code, and what the files hold.
    id: str = ""
    given_code: str = field(default="", repr=False)
    data: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    varies: Mapping[str, OneOf] = field(default_factory=dict)
    variant: int | None = None

    def part(self, name: str) -> Part:
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)

    @property
    def points(self) -> float:
        return sum(part.points for part in self.parts)


# ---------------------------------------------------------------- what is right, and what is known wrong


@dataclass(frozen=True)
class Reading:
    """A further answer that earns a share of the marks, and the sentence its author reads.

    `measured` is a program that costs as much, with the shapes of its arguments in its docstring.
    """

    answer: str
    share: float = 1.0
    says: str = ""
    measured: Callable[..., object] | None = None


@dataclass(frozen=True)
class Key:
    """The right answer of a growth, formula, equation or choice part.

    `measured` is a program whose cost a growth rate states, where no code part is that program. `holds` are
    equations of given tensors that an answer may repeat beside its own.
    """

    answer: str
    readings: tuple[Reading, ...] = ()
    looser: float = 0.0
    tighter: float = 0.0
    measured: Callable[..., object] | None = None
    holds: tuple[str, ...] = ()


def key(
    answer: str,
    *readings: Reading,
    looser: float = 0.0,
    tighter: float = 0.0,
    measured: Callable[..., object] | None = None,
    holds: Sequence[str] = (),
) -> Key:
    """A key with further readings, shares for looser or tighter rates, and what it speaks of."""
    return Key(answer, readings, looser, tighter, measured, tuple(holds))


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that must be caught: its id, the part it answers, and what its author should read."""

    id: str
    of: str
    says: str
    answer: Any  # a function for a code part, text for the others
    share: float = 0.0  # of the marks, for who made it and nothing else


def mistake(
    of: str, says: str, id: str | None = None, share: float = 0.0
) -> Callable[[Callable[..., object]], Mistake]:
    """Mark a function of a solutions file as a known wrong answer of the code part `of`."""

    def mark(function: Callable[..., object]) -> Mistake:
        return Mistake(id or function.__name__, of, says, function, share)

    return mark


@dataclass(frozen=True)
class FurtherReference:
    """Another right way to a code part: what it has on the way is right too."""

    of: str
    function: Callable[..., object]


def also(of: str) -> Callable[[Callable[..., object]], FurtherReference]:
    """Mark a function of a solutions file as another right way to the code part `of`."""
    return lambda function: FurtherReference(of, function)


def slip(of: str, id: str, answer: str, says: str, share: float = 0.0) -> Mistake:
    """A known wrong answer of a growth, formula, equation or choice part."""
    return Mistake(id, of, says, answer, share)


def slips_of(of: str, table: Mapping[str, tuple[str, str]]) -> list[Mistake]:
    """Several known wrong answers of one part: each id with the answer and what to say of it."""
    return [slip(of, id, answer, says) for id, (answer, says) in table.items()]


@dataclass(frozen=True)
class Diagnosis:
    """What course.toml says of recognised slips.

    Without `listed`, mistakes of the solutions are left out. `share` of the marks is earned by a function
    that is right but for one slip found from its reference. So many `steps` of a hint are shown by the
    student's check: where to look, what kind of slip it is, the sentence.
    """

    listed: bool = True
    share: float = 0.0
    steps: int = 0


@dataclass(frozen=True)
class Named:
    """A wrong answer that a person named at the desk: its sentence and its share of the marks.

    `print` stands for the answer and recognises it. `answer` is one that was handed in, by which a course is
    proved: run in the sandbox like any other, and never by the grader itself.
    """

    id: str
    of: str
    says: str
    share: float
    print: str
    answer: str


@dataclass(frozen=True)
class Solution:
    """The answers to one problem, and the mistakes that must be caught."""

    answers: Mapping[str, Any]  # a function, a Key, or text for a prose part
    mistakes: tuple[Mistake, ...] = ()
    named: tuple[Named, ...] = ()
    names: Mapping[str, object] = field(default_factory=dict)  # of functions and classes that tests may use
    further: tuple[FurtherReference, ...] = ()

    def ways(self, part: str) -> tuple[Callable[..., object], ...]:
        """The reference of a code part, then the further ones."""
        return (self.answers[part], *(each.function for each in self.further if each.of == part))

    def mistakes_of(self, part: str) -> tuple[Mistake, ...]:
        return tuple(m for m in self.mistakes if m.of == part)
