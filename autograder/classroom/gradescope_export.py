"""The submission_metadata.yml of a Gradescope export tells who handed in each of its folders, and when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

import yaml

from autograder.classroom.folder_names import Group, clean_student

NAME = "submission_metadata.yml"


LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # both make plain data only


def read_groups(folder: tuple[str, ...], data: bytes) -> dict[tuple[str, ...], Group]:
    """The submitters by the folder of their submission; none where the file cannot be read."""
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(data, LOADER)):
            return {}  # Gradescope writes none; with them a small file grows to fill the memory
        listed = yaml.load(data, LOADER)
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError):
        return {}
    if not isinstance(listed, dict):
        return {}
    found = {}
    for name, fields in listed.items():
        if isinstance(name, str) and isinstance(fields, dict) and (students := _students(fields)):
            found[*folder, name] = Group(students, _moment(fields.get(":created_at")))
    return found


def _students(fields: Mapping[str, object]) -> tuple[str, ...]:
    """The student number, else the address, else the name of everyone in the group."""
    students, listed = [], fields.get(":submitters")
    for person in listed if isinstance(listed, list) else ():
        if isinstance(person, dict):
            known = (person.get(key) for key in (":sid", ":email", ":name"))
            students.append(clean_student(next((str(each) for each in known if each), "")))
    return tuple(dict.fromkeys(student for student in students if student))


def _moment(value: object) -> datetime | None:
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
    return datetime(value.year, value.month, value.day) if isinstance(value, date) else None
