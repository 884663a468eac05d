"""A small answer goes to the reader and the judge of its kind; its key is read the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.course.model import Key, Mistake
from autograder.course.small_kinds import (
    Derivation,
    Interval,
    Matrix,
    Number,
    Order,
    Select,
    Shape,
    Small,
)
from autograder.errors import AnswerError
from autograder.text.analysis.scope import scope_of
from autograder.text.derivation.index_steps import shown_index_lines
from autograder.text.derivation.judge import judge_derivation, shown_lines
from autograder.text.derivation.read import read_derivation
from autograder.text.small import interval, matrix, shape
from autograder.text.small.interval import judge_interval, read_interval
from autograder.text.small.labels import judge_order, judge_select, read_order, read_select
from autograder.text.small.matrix import judge_matrix, read_matrix
from autograder.text.small.number import judge_number, read_number, shown_number
from autograder.text.small.shape import judge_shape, read_shape
from autograder.text.small.undress import undressed
from autograder.text.verdict import Judgement


def judge_small(answer: str, part: Small, key: Key, mistakes: Sequence[Mistake] = ()) -> Judgement:
    """The verdict; a listed mistake that the answer equals gives it its sentence."""
    judged = _judge(answer, part, key.answer)
    if judged.share == 1:
        return judged
    for reading in key.readings:
        if _judge(answer, part, reading.answer).share == 1:
            said = reading.says or "right in another reading of the question"
            return replace(judged, verdict="equal", share=reading.share, feedback=said)
    for mistake in mistakes:
        if _judge(answer, part, mistake.answer).share == 1:
            return replace(judged, feedback=mistake.says, mistake=mistake.id)
    return judged


def _judge(answer: str, part: Small, key: str) -> Judgement:
    if not isinstance(part, Derivation):
        answer = undressed(answer)
    match part:
        case Number():
            return judge_number(answer, part, key)
        case Shape():
            return judge_shape(answer, part, key)
        case Matrix():
            return judge_matrix(answer, part, key)
        case Interval():
            return judge_interval(answer, part, key)
        case Select():
            return judge_select(answer, part, key)
        case Order():
            return judge_order(answer, part, key)
        case Derivation():
            return judge_derivation(answer, part, key)


def read_small(answer: str, part: Small) -> str:
    """How an answer is read, in plain words; AnswerError where it cannot be."""
    if not isinstance(part, Derivation):
        answer = undressed(answer)
    match part:
        case Number():
            return shown_number(read_number(answer, part), part)
        case Shape():
            return shape.shown(read_shape(answer, part))
        case Matrix():
            return matrix.shown(read_matrix(answer, part))
        case Interval():
            return interval.shown(read_interval(answer, part), part)
        case Select():
            return ", ".join(f"({label})" for label in read_select(answer, part)) or "none of them"
        case Order():
            return ", ".join(f"({label})" for label in read_order(answer, part))
        case Derivation(tensors=tensors) if tensors:
            return shown_index_lines(answer, part)
        case Derivation():
            return shown_lines(read_derivation(answer, scope_of(part)))


def small_key_faults(part: Small, key: Key, mistakes: Sequence[Mistake] = ()) -> list[str]:
    """What cannot be read of the key, its further readings and the listed mistakes."""
    answers = [key.answer, *(each.answer for each in key.readings), *(each.answer for each in mistakes)]
    faults = []
    for answer in answers:
        try:
            read_small(answer, part)
        except AnswerError as error:
            faults.append(f"key '{answer}': {error}")
    return faults or (_unsound(part, key.answer) if isinstance(part, Derivation) else [])


def _unsound(part: Derivation, key: str) -> list[str]:
    """Why a derivation is no key: it can be read in two ways, or a step of its own is false."""
    try:
        judged = judge_derivation(key, part, key)
    except AnswerError as error:
        return [str(error)]
    return (
        [f"key '{key}': {judged.feedback}"]
        if judged.verdict == "different" and judged.mistake != "too_few_steps"
        else []
    )
