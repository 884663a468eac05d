"""The faults of an equation part that only its author can mend: declarations, key and known mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from autograder.course.model import Equation, Key, Mistake
from autograder.errors import CourseError
from autograder.text.equation.declarations import spell_tokens
from autograder.text.equation.judge import Ground, ground_of, judge_equation, slip_lines
from autograder.text.equation.lexer import Unreadable, read_tokens

DRAWS = ("normal", "positive", "identity")


def check_equation_key(part: Equation, key: Key, mistakes: Sequence[Mistake]) -> list[str]:
    """Every fault found, each a sentence; none where the key is sound and every mistake is caught."""
    faults = _declaration_faults(part)
    if faults:
        return faults
    try:
        ground = ground_of(part, key.answer, key.holds)
    except CourseError as error:
        return list(error.faults)
    if judge_equation(key.answer, part, key).share < 1:
        faults.append(f"{part.name}: {_why_unlike(ground)}")
    for reading in key.readings:
        try:
            ground_of(part, reading.answer)
        except CourseError as error:
            faults += error.faults
    return faults + _mistake_faults(part, ground, mistakes)


def _why_unlike(ground: Ground) -> str:
    """Why a key that could be worked out is no key: it reads beyond a tensor's ends, or gives no numbers."""
    from autograder.text.equation.compare import compare_line, type_key_line

    for line in ground.lines.values():
        for beyond in type_key_line(line, ground.settings[0])[0].outside:
            return (
                f"{beyond.message} (sizes are drawn): a longer axis has a letter of its own, as in y[S] and "
                'x[T] with sizes={"T": "D + 2*S - 2"} for x[2t + d]; where neighbours are read, say how far, '
                'as in ranges={"T": "0..T-1", "t": "1..T-2"}'
            )
    for draw in ground.reference.draws:
        for name, target in draw.targets.items():
            if not bool(target.data.isfinite().all()):
                return f"the key gives no finite numbers for {name}; avoid division by zero and overflow"
    found = (
        compare_line(line, ground.lines, ground.vocabulary, ground.reference)
        for line in ground.lines.values()
    )
    return (
        f"the key does not agree with itself: {'; '.join(each.feedback for each in found if each.feedback)}"
    )


def _declaration_faults(part: Equation) -> list[str]:
    faults = []
    spelled: dict[str, str] = {}
    for tensor in part.tensors:
        if tensor.draw not in DRAWS:
            faults.append(
                f"{part.name}: {tensor.name} is drawn as {tensor.draw!r}; write one of {', '.join(DRAWS)}"
            )
        for written in (tensor.name, *tensor.latex):
            try:
                name = spell_tokens(read_tokens(written.replace("*", ""))) + "*" * ("*" in written)
            except (Unreadable, IndexError):
                faults.append(f"{part.name}: cannot read the name {written!r} of {tensor.name}")
                continue
            if spelled.setdefault(name, tensor.name) != tensor.name:
                faults.append(f"{part.name}: {written!r} names both {spelled[name]} and {tensor.name}")
        axes = {axis for other in part.tensors for axis in other.axes}
        if tensor.entries and tensor.entries not in axes:
            faults.append(
                f"{part.name}: the entries of {tensor.name} point into {tensor.entries}, which is no axis"
            )
    return faults


def _mistake_faults(part: Equation, ground: Ground, mistakes: Sequence[Mistake]) -> list[str]:
    faults = []
    for known in mistakes:
        try:
            lines = slip_lines(str(known.answer), ground)
        except CourseError as error:
            faults += [f"{part.name}: {known.id}: {fault}" for fault in error.faults]
            continue
        if not lines:
            faults.append(f"{part.name}: the mistake {known.id!r} is right, or defines nothing that is asked")
    if faults:
        return faults
    return [
        f"{part.name}: {second.id!r} cannot be told from {first.id!r}; drop one of them"
        for first, second in combinations(mistakes, 2)
        if _alike(first, second, ground)
    ]


def _alike(first: Mistake, second: Mistake, ground: Ground) -> bool:
    """Do two mistakes make the same lines wrong in the same way?"""
    from autograder.text.equation.compare import same_values  # torch only where numbers are needed

    one, other = (slip_lines(str(known.answer), ground) for known in (first, second))
    return one.keys() == other.keys() and all(
        one[name].form == other[name].form
        or same_values(one[name].finding.values, other[name].finding.values)
        for name in one
    )
