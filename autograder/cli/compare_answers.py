"""Commands on single answers: compare them with a key."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from autograder.cli.courses import open_course
from autograder.cli.terminal import CourseOption
from autograder.course.author_tests import Tests
from autograder.course.load import find_course
from autograder.course.model import Choice, Code, Formula, Growth, Key, Prose
from autograder.course.modules import Module
from autograder.course.small_kinds import SMALL, Small
from autograder.errors import CourseError, UsageError

if TYPE_CHECKING:
    from autograder.course.load import Course
    from autograder.text.verdict import Judgement


def compare(course: CourseOption = None) -> None:
    """Judge answers: JSON lines on standard input, a JSON line each on standard output.

    {"problem": "…", "part": "…", "answer": "…"} judges against a part of the course;
    {"kind": "growth", "answer": "…", "reference": "…", "variables": […], "assumptions": […]} judges against a
    key given on the line; kind may also be formula, choice, number, shape, matrix, interval, select, order or
    derivation, with its settings under their own names.
    """
    if course is not None:
        find_course(Path.cwd(), course)
    judge = _Comparison(course)
    faulty = 0
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            answer = judge.line(line)
        except (UsageError, CourseError) as error:
            faulty += 1
            answer = {"error": str(error)}
        sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        sys.stdout.flush()
    if faulty:
        print(f"autograder: {faulty} line{'' if faulty == 1 else 's'} could not be judged", file=sys.stderr)
        raise typer.Exit(2)


class _Comparison:
    """Judges one line after another; the course is opened when a line first names a problem."""

    def __init__(self, course: Path | None) -> None:
        self._where = course
        self._course: Course | None = None

    def line(self, text: str) -> dict[str, object]:
        try:
            request = json.loads(text)
        except ValueError as error:
            raise UsageError(f"not JSON: {error}") from None
        if not isinstance(request, dict) or not isinstance(request.get("answer"), str):
            raise UsageError('expected {"answer": "…", …} with the answer as text')
        judge = self._by_course if "problem" in request else _by_key
        judged = judge(request, request["answer"])
        answer: dict[str, object] = {
            "verdict": judged.verdict,
            "read_as": judged.read_as,
            "feedback": judged.feedback,
            "mistake": judged.mistake,
        }
        if judged.lines:
            answer["lines"] = [vars(each) for each in judged.lines]
            answer["missing"] = list(judged.missing)
        return answer

    def _by_course(self, request: Mapping[str, object], answer: str) -> Judgement:
        from autograder.text.judge import judge_text

        if self._course is None:
            self._course = open_course(self._where)
        problem = self._course.problems.get(str(request["problem"]))
        if problem is None:
            raise UsageError(f"the course has no problem {request['problem']!r}")
        part = next((part for part in problem.parts if part.name == request.get("part")), None)
        if part is None or isinstance(part, Code | Module | Tests | Prose):
            texts = [p.name for p in problem.parts if not isinstance(p, Code | Module | Tests | Prose)]
            raise UsageError(
                f"{problem.id} has no text part {request.get('part')!r}; it has {', '.join(texts)}"
            )
        solution = self._course.solutions[problem.id]
        return judge_text(answer, part, solution.answers[part.name], solution.mistakes_of(part.name))


def _by_key(request: Mapping[str, object], answer: str) -> Judgement:
    from autograder.text.judge import judge_text

    reference = request.get("reference")
    if not isinstance(reference, str):
        raise UsageError('a line without "problem" needs its key as "reference"')
    variables, assumptions = (_texts(request, name) for name in ("variables", "assumptions"))
    match request.get("kind"):
        case "growth":
            part: Growth | Formula | Choice | Small = Growth("answer", 1, "", variables, assumptions)
        case "formula":
            part = Formula(
                "answer",
                1,
                "",
                variables,
                _texts(request, "vectors"),
                assumptions,
                str(request.get("defines", "")),
                _texts(request, "reals"),
                _texts(request, "functions"),
                _texts(request, "matrices"),
                request.get("unordered") is True,
            )
        case kind:
            part = _small(str(kind), request)
    return judge_text(answer, part, Key(reference))


def _small(kind: str, request: Mapping[str, Any]) -> Choice | Small:
    """A part of a small kind; its settings stand on the line under their own names."""
    smalls = (Choice, *SMALL)
    found = next((each for each in smalls if each.__name__.lower() == kind), None)
    if found is None:
        kinds = ", ".join(each.__name__.lower() for each in smalls)
        raise UsageError(f'"kind" is {kind!r}; it is growth, formula, {kinds}')
    settings = {each.name for each in fields(found)} - {"name", "points", "ask"}
    options = request.get("options", {})
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise UsageError('"options" gives every label its text: {"a": "…", "b": "…"}')
    try:
        return found("answer", 1, "", **{name: request[name] for name in settings if name in request})
    except TypeError:
        needed = ", ".join(sorted(name for name in settings if name not in request))
        raise UsageError(f"a line of kind {kind!r} also needs {needed}") from None


def _texts(request: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = request.get(name, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f'"{name}" is a list of texts')
    return tuple(value)
