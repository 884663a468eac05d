"""Steps of a script as records: what to do in the student's process, and with which objects there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Held:
    """An object that stays in the student's process, by its number there: the step that gave it, or a later
    one where it lay inside of another value. Equal ones are the same object. `type` is what it calls itself.
    """

    number: int
    type: str = field(default="", compare=False)


@dataclass(frozen=True)
class Step:
    """One thing to do in the student's process; what comes of it is kept there under the step's number.

    `do` is one of DOINGS; `on` is the object that it is done to, `args` and `named` hold values as a call's
    do, and Held ones for what earlier steps gave. `seed` is where random numbers begin, if they do so anew.
    What a class gives that is called to `build` stays an object, also where it is a list or a number, too.
    """

    do: str
    name: str = ""
    on: Held | None = None
    args: tuple[object, ...] = ()
    named: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    build: bool = False

    def __post_init__(self) -> None:
        if self.do not in DOINGS or (self.on is None) == (self.do in ON_OBJECTS):
            raise ValueError(f"no such step: {self.do!r} on {self.on}")


# call          a name of the student's, called with the arguments: a function, or a class to build
# name          a name of the student's as it is: a constant, a function, a class
# put           the first argument, as a value of its own; with `name` "leaf" its tensors collect gradients
# stand         for a name of the student's: its calls get the values of the list, one after the other
# needs         the arguments of the first such call for which there was no value, by place and by name
# method        of an object, by `name`; without one the object itself is called
# get           an attribute, or attributes with dots between them
# set           an attribute to the first argument
# load          weights by the names of parameters and buffers of a module, or attributes of another object
# parameters, gradients, state    tensors of a module by name: trained ones, their gradients, its whole state
DOINGS = (
    "call", "name", "put", "stand", "needs",
    "method", "get", "set", "load", "parameters", "gradients", "state",
)  # fmt: skip
ON_OBJECTS = frozenset(DOINGS[DOINGS.index("method") :])
