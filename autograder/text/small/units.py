"""The unit that was typed and the one that is asked for come in; the factor between them goes out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from autograder.errors import AnswerError

_LN2 = Decimal("0.69314718055994530941723212145817656807550013436026")
_PREFIXES = {"k": "kilo", "m": "mega", "g": "giga", "t": "tera"}
_BYTES = {"b": Decimal(1), "byte": Decimal(1)} | {
    name: Decimal(base) ** power / parts
    for power, (letter, word) in enumerate(_PREFIXES.items(), start=1)
    for base, parts, names in (
        (1000, 1, (f"{letter}b", f"{word}byte")),
        (1024, 1, (f"{letter}ib", f"{word[:2]}bibyte")),
        (1000, 8, (f"{letter}bit", f"{word}bit")),
    )
    for name in names
}
_SECONDS = {"s": "1", "sec": "1", "second": "1", "ms": "0.001", "millisecond": "0.001", "min": "60"} | {
    "us": "0.000001", "microsecond": "0.000001", "ns": "0.000000001", "nanosecond": "0.000000001",
    "minute": "60", "h": "3600", "hour": "3600",
}  # fmt: skip
_INFORMATION = {"nat": Decimal(1), "bit": _LN2, "shannon": _LN2}
_FLOPS = {f"{prefix}flop": 1000**power for power, prefix in enumerate(["", *_PREFIXES])}
# Units of one kind, each with its size; one that is not asked for is converted.
FAMILIES: tuple[Mapping[str, Decimal], ...] = tuple(
    {name: Decimal(size) for name, size in family.items()}
    for family in (_BYTES, _SECONDS, _INFORMATION, _FLOPS)
)
COUNTS = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12} | {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
# What a number without a unit may be said to count.
_COUNTED_NOUNS = """
parameter weight bias entry element value operation multiplication addition multiply step update token word
neuron unit channel filter kernel pixel layer head path example sample batch epoch row column dimension
"""
COUNTED = frozenset(_COUNTED_NOUNS.split())
_SHORT = {"param": "parameter", "percent": "%", "pct": "%"}
_BITS = re.compile(r"[KMGT]i?b$")  # bits, or bytes typed in haste


def conversion(typed: str, asked: str) -> Decimal:
    """What turns the unit that was typed into the one that is asked for; AnswerError where nothing does."""
    mine, wanted = _name(typed), _name(asked)
    bits = _BITS.match(typed)
    if not mine or (mine == wanted and not bits) or (not wanted and mine in COUNTED):
        return Decimal(1)
    if mine == "%":
        return Decimal(1) / 100
    for family in FAMILIES:
        if mine in family and wanted in family and not bits:
            return family[mine] / family[wanted]
    if typed in COUNTS and (wanted in _FLOPS or not any(wanted in family for family in FAMILIES)):
        return Decimal(COUNTS[typed])
    fix = f"in {asked}" if asked else "without a unit"
    raise AnswerError(f"the unit '{typed}' is not known here: write the number {fix}")


def _name(unit: str) -> str:
    """One spelling of a unit: small letters, singular."""
    name = unit.replace("µ", "u").replace("μ", "u").casefold()
    if name.endswith("ies"):
        name = f"{name[:-3]}y"
    elif len(name) > 3 and name.endswith("s") and name != "bias":
        name = name[:-2] if name.endswith(("ses", "ches")) else name[:-1]
    return _SHORT.get(name, name)
