"""A frozen record becomes plain data for JSON and a record again, on its way through processes and files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, TypeVar, Union, cast, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
JsonObject = dict[str, Json]
Read = Callable[[object], object]
R = TypeVar("R", bound="DataclassInstance")


def to_json(record: DataclassInstance) -> JsonObject:
    """The fields by name, records within it too; dataclasses.asdict copies every number on its way."""
    return {name: _plain(value) for name, value in vars(record).items()}


def _plain(value: object) -> Json:
    match value:
        case None | str() | int() | float():  # an enumeration of texts is a text
            return value
        case tuple() | list():
            return [_plain(item) for item in value]
        case Mapping():
            return {str(name): _plain(item) for name, item in value.items()}
        case _:
            return {name: _plain(item) for name, item in vars(value).items()}


def from_json(kind: type[R], plain: object) -> R:
    """The record of these fields.

    A field that is not there has its default, as in what an earlier version wrote, and an unknown one is left
    out. Raises KeyError, TypeError or ValueError for what is no such record.
    """
    return cast(R, _reader(kind)(plain))


@cache
def _reader(hint: object) -> Read:
    origin, inner = get_origin(hint), get_args(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return _record_reader(hint)
    if origin in (UnionType, Union):
        several = [_reader(each) for each in inner if each is not NoneType]
        if len(several) != 1:
            raise TypeError(f"{hint} cannot be told from JSON")
        return lambda value: None if value is None else several[0](value)
    if origin is tuple:
        return _tuple_reader(inner)
    if origin in (Mapping, dict):
        item = _reader(inner[1])
        return lambda value: {name: item(each) for name, each in of_kind(dict, value).items()}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    if isinstance(hint, type) and issubclass(hint, tuple):  # with named fields
        whole = _tuple_reader(tuple(get_type_hints(hint).values()))
        return lambda value: cast(Read, hint._make)(whole(value))  # type: ignore[attr-defined]
    if hint is float:
        return _number
    return lambda value: of_kind(cast(type, hint), value)


def _record_reader(kind: type[DataclassInstance]) -> Read:
    hints = get_type_hints(kind)
    readers = [(each.name, _reader(hints[each.name]), _is_needed(each)) for each in fields(kind) if each.init]

    def read(value: object) -> object:
        plain = of_kind(dict, value)
        return kind(**{name: each(plain[name]) for name, each, needed in readers if needed or name in plain})

    return read


def _is_needed(field: object) -> bool:
    return getattr(field, "default", None) is MISSING and getattr(field, "default_factory", None) is MISSING


def _tuple_reader(inner: tuple[object, ...]) -> Read:
    if inner[1:] == (...,):
        item = _reader(inner[0])
        return lambda value: tuple(item(each) for each in of_kind(list, value))
    readers = [_reader(each) for each in inner]
    return lambda value: tuple(read(each) for read, each in zip(readers, of_kind(list, value), strict=True))


def _number(value: object) -> float:
    """As it was written: 2 stays 2."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return value


T = TypeVar("T")


def of_kind(kind: type[T], value: object) -> T:
    """The value, of that kind; TypeError where it is of another."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value
