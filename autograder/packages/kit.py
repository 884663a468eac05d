"""What every package needs: the course with its answers, a wheel, and pins of what is installed here."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.classroom.course_parcel import course_files
from autograder.course.load import Course
from autograder.release.wheel import DISTRIBUTION, build_wheel, torch_pin, wheel_name

COURSE = "course"


def grading_kit(course: Course) -> dict[str, bytes]:
    """The files with which another machine grades as this one does. They hold the answers and the secret."""
    pins = "".join(f"{pin}\n" for pin in pinned_requirements("instructor"))
    kit = {"constraints.txt": pins.encode(), wheel_name(): build_wheel()}
    return kit | {f"{COURSE}/{name}": data for name, data in course_files(course)}


def filled(template: str, course: Course) -> bytes:
    """A script or page with the names of the wheel, of torch's version and of the course in it."""
    fields = {"{torch}": torch_pin(), "{wheel}": wheel_name(), "{title}": course.title}
    for field, text in fields.items():
        template = template.replace(field, text)
    return template.encode()


def pinned_requirements(extra: str) -> tuple[str, ...]:
    """Everything that the extra brings, as `name==version`, but for torch."""
    found: dict[str, str] = {}
    waiting = [(DISTRIBUTION, frozenset({extra}))]
    while waiting:
        name, extras = waiting.pop()
        for requirement in _required(name, extras):
            key = canonicalize_name(requirement.name)
            if key == DISTRIBUTION:
                waiting.append((DISTRIBUTION, frozenset(requirement.extras)))
            elif key not in found and (release := _version(key)):
                found[key] = release
                waiting.append((key, frozenset(requirement.extras)))
    found.pop("torch", None)
    return tuple(f"{name}=={release}" for name, release in sorted(found.items()))


def _required(name: str, extras: frozenset[str]) -> list[Requirement]:
    wanted = [Requirement(line) for line in requires(name) or ()]
    return [
        each
        for each in wanted
        if each.marker is None or any(each.marker.evaluate({"extra": extra}) for extra in (*extras, ""))
    ]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""  # an extra of some package that nobody here asked for
