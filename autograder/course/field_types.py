"""What an author wrote into the fields of a record, held to what each is declared as: a sentence a misfit."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Union, get_args, get_origin, get_type_hints

from autograder.course import model

MOST_SHOWN = 60
# How a field of that type is written; records by the names of their classes.
WRITTEN: Mapping[object, str] = {
    str: "a text, in quotes",
    float: "a number, without quotes",
    int: "a whole number",
    bool: "True or False",
    "Case": 'case("…", …)',
    "Draw": "a draw such as given() or whole(5)",
    "Property": 'prop("rows sum to one", rows_sum_to_one)',
    "OneOf": "one_of(3, 5, 7)",
    "RubricItem": 'item(1, "what the answer says")',
    "Tensor": 'Tensor("x", ["T", "J"])',
}


def misfits(record: object) -> Iterator[str]:
    """Every field that holds what it is not made for, in the order of the fields."""
    for name, declared in _declared(type(record)).items():
        value = getattr(record, name)
        place, found, wants = _misfit(name, value, declared)
        if wants:
            yield f"{place} is {_shown(found)}; write {wants}"


def _declared(record: type) -> dict[str, object]:
    return get_type_hints(record, None, vars(model))  # a record may name those of the model


def _misfit(place: str, value: object, declared: object) -> tuple[str, object, str]:
    """Where the first misfit is, what stands there, and how it is written; all empty where it fits."""
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (Union, types.UnionType):
        if any(not _misfit(place, value, each)[2] for each in inner):
            return "", None, ""
        return place, value, _written(declared)
    if origin in (Sequence, tuple):
        if not isinstance(value, list | tuple):
            return place, value, _written(declared)
        for number, each in enumerate(value):
            found = _misfit(f"{place}[{number}]", each, inner[0])
            if found[2]:
                return found
    elif origin is Mapping:
        if not isinstance(value, Mapping):
            return place, value, _written(declared)
        for name, each in value.items():
            found = _misfit(f"{place}[{name!r}]", each, inner[1])
            if found[2]:
                return found
    elif not _is_one(value, origin or declared):
        return place, value, _written(declared)
    return "", None, ""


def _is_one(value: object, declared: object) -> bool:
    if declared is Callable:
        return callable(value)
    if declared in (float, int):
        return isinstance(value, (int, float) if declared is float else int) and not isinstance(value, bool)
    return declared is typing.Any or not isinstance(declared, type) or isinstance(value, declared)


def _written(declared: object) -> str:
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (Union, types.UnionType):
        kinds = [each for each in inner if each is not type(None)]
        if len(kinds) > 4:
            return "a part, such as Code(…)"
        return " or ".join(dict.fromkeys(map(_written, kinds)))
    if origin in (Sequence, tuple):
        return f"a list, [{_example(inner[0])}]"
    if origin is Mapping:
        return f'a table by name, {{"…": {_example(inner[1])}}}'
    if (origin or declared) is Callable:
        return "the name of a function or class that stands above"
    return WRITTEN.get(declared, "") or WRITTEN.get(getattr(declared, "__name__", ""), str(declared))


def _example(declared: object) -> str:
    """An entry of a list or table as it is written."""
    if declared is str:
        return '"…"'
    if (get_origin(declared) or declared) is Callable:
        return "a_function"
    if declared in (int, float):
        return "3"
    return "…" if declared in (typing.Any, object) else _written(declared)


def _shown(value: object) -> str:
    """A value as it is written, or what it is where that is long."""
    if isinstance(value, type | types.FunctionType):
        return f"the {'class' if isinstance(value, type) else 'function'} {value.__name__}"
    text = repr(value)
    return text if len(text) <= MOST_SHOWN and not is_dataclass(value) else f"of type {type(value).__name__}"
