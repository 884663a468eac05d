"""What a student's code is called with: cases, and how each argument of one is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DTYPES = ("float32", "float64")
LAYOUTS = ("contiguous", "strided")


Sizes = Mapping[str, Any]  # what a case says by keyword: the lengths of axes, and plain arguments


@dataclass(frozen=True)
class Draw:
    """How an argument is drawn for a case: `kind` names the recipe, `options` its settings."""

    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)


def normal(scale: float = 1.0) -> Draw:
    """Independent normal entries; a case's own `scale` multiplies this one. The default for tensors."""
    return Draw("normal", {"scale": scale})


def positive(low: float = 0.1, high: float = 1.0) -> Draw:
    """Independent entries between two positive bounds."""
    return Draw("uniform", {"low": low, "high": high})


def whole(below: str | int) -> Draw:
    """Whole numbers from 0 up to, not including, a size such as "W"."""
    return Draw("whole", {"below": below})


def orthogonal(group: str = "basis") -> Draw:
    """One of several mutually orthogonal vectors of equal norm (`norm=` in the case, 1 by default)."""
    return Draw("orthogonal", {"group": group})


def function(default: str, takes: Sequence[str] = (), gives: str = "") -> Draw:
    """A named function the student calls: an elementwise one, or a "mixer" of vectors.

    A mixer `takes` vectors of these sizes and `gives` one of that size; a case may name another function.
    """
    return Draw("function", {"default": default, "takes": tuple(takes), "gives": gives})


def number(default: int | float | None = None) -> Draw:
    """A plain number, given by each case under the argument's own name."""
    return Draw("number", {"default": default})


def given() -> Draw:
    """Any value, given by each case under the argument's own name: a text, a list, a dict, None."""
    return Draw("given")


def string(length: str | int, letters: str = "abcdefgh ") -> Draw:
    """A text of so many characters, a size such as "N", drawn from the letters."""
    return Draw("text", {"length": length, "letters": letters})


def booleans(chance: float = 0.5) -> Draw:
    """True or false, each entry true with this chance."""
    return Draw("booleans", {"chance": chance})


def signs() -> Draw:
    """Entries of -1, 0 and 1, as real numbers."""
    return Draw("signs")


def increasing() -> Draw:
    """Normal entries, sorted along the last axis."""
    return Draw("increasing")


def probabilities() -> Draw:
    """Positive entries that add up to 1 along the last axis."""
    return Draw("probabilities")


def permutation() -> Draw:
    """The whole numbers below the length of the one axis, in any order."""
    return Draw("permutation")


def optional(of: Draw, chance: float = 0.5) -> Draw:
    """Another draw, or None; a case may say which by NAME=None or NAME=True."""
    return Draw("optional", {"of": of, "chance": chance})


def drawn(by: Callable[..., object]) -> Draw:
    """Whatever `by(rng, **sizes)` makes, with a seeded numpy generator and the keywords of the case."""
    return Draw("drawn", {"by": by})


def torch_dtype() -> Draw:
    """The dtype of the case, as a torch.dtype."""
    return Draw("dtype")


@dataclass(frozen=True)
class Case:
    """One call of a student's function. `name` and `hint` are sentences that the student reads.

    `scale` multiplies the drawn numbers, of all arguments or of those named. `layout="strided"` hands
    over every second entry of a larger buffer. `grad` names the arguments through which gradients are
    compared too. `costs` is the share of the part's marks that is lost when this case alone fails.
    """

    name: str
    sizes: Sizes
    hidden: bool = False
    hint: str = ""
    dtype: str = "float32"
    scale: float | Mapping[str, float] = 1.0
    layout: str = "contiguous"
    grad: tuple[str, ...] = ()
    costs: float = 1.0


def case(
    name: str,
    *,
    hidden: bool = False,
    hint: str = "",
    dtype: str = "float32",
    scale: float | Mapping[str, float] = 1.0,
    layout: str = "contiguous",
    grad: Sequence[str] | str = (),
    costs: float = 1.0,
    lead: Sequence[int] = (),
    **sizes: object,
) -> Case:
    """A case with its axis sizes (and plain arguments) as keywords: case("one head", T=3, K=1, J=4).

    `lead` has the sizes of the leading axes that a docstring writes as `...`.
    """
    names = (grad,) if isinstance(grad, str) else tuple(grad)
    return Case(name, _with_lead(sizes, lead), hidden, hint, dtype, scale, layout, names, costs)


def _with_lead(sizes: Mapping[str, object], lead: Sequence[int]) -> dict[str, object]:
    """The sizes of a case, and those of its leading axes where it has any."""
    if lead == ():
        return {**sizes}
    return {**sizes, "...": tuple(lead) if isinstance(lead, list | tuple) else lead}


def double_precision(
    of: str = "",
    *,
    hint: str = "",
    scale: float | Mapping[str, float] = 1.0,
    lead: Sequence[int] = (),
    **sizes: object,
) -> Case:
    """The hidden case in float64, which costs a quarter: double_precision("x", T=4, D=6).

    `of` is the argument whose dtype new tensors should take; `hint` says otherwise what is to be minded.
    """
    told = hint or f"keep the dtype of the input: tensors you create should take {of}.dtype"
    return Case("double precision", _with_lead(sizes, lead), True, told, "float64", scale, costs=0.25)


def views(
    *grad: str,
    hint: str = "",
    scale: float | Mapping[str, float] = 1.0,
    lead: Sequence[int] = (),
    **sizes: object,
) -> Case:
    """The hidden case of inputs that are not contiguous, which costs a quarter: views("x", T=4, D=6).

    `grad` names the arguments through which gradients are compared too.
    """
    why = ", and training needs gradients through the layer" if grad else ": use reshape rather than view"
    name = f"inputs that are views of larger tensors{', and gradients' if grad else ''}"
    return Case(
        name,
        _with_lead(sizes, lead),
        True,
        hint or f"the inputs need not be contiguous{why}",
        "float32",
        scale,
        "strided",
        grad,
        0.25,
    )


def faults_among(cases: Sequence[Case]) -> Iterator[str]:
    """What is wrong with the cases of a part taken together."""
    if all(case.hidden for case in cases):
        yield "no visible case: a student needs one to try"
    for name, times in Counter(case.name for case in cases).items():
        if times > 1:
            yield f"{times} cases are called {name!r}"
