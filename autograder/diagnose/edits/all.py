"""Every single edit of a program, and each idea carried out in all its places at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from autograder.diagnose.edits.arguments import argument_edits
from autograder.diagnose.edits.arithmetic import arithmetic_edits
from autograder.diagnose.edits.axes import axis_edits
from autograder.diagnose.edits.edit import Context, Edit
from autograder.diagnose.edits.elementwise import elementwise_edits
from autograder.diagnose.edits.ideas import idea_edits
from autograder.diagnose.edits.indices import index_edits
from autograder.diagnose.edits.names import name_edits
from autograder.diagnose.edits.products import product_edits
from autograder.diagnose.edits.recurrences import recurrence_edits
from autograder.diagnose.edits.results import result_edits
from autograder.diagnose.edits.scopes import scope_edits
from autograder.diagnose.edits.statements import statement_edits
from autograder.diagnose.edits.wraps import wrap_edits
from autograder.diagnose.program import Make

FAMILIES = {  # each with what it is about
    axis_edits: "the axis that an operation runs over",
    elementwise_edits: "a function that is applied entry by entry",
    product_edits: "a product of matrices: its order, its transposes, its axes",
    arithmetic_edits: "a sum, a product, a quotient or a sign",
    scope_edits: "how far a function reaches, or when it is applied",
    index_edits: "an index, a bound or a constant",
    name_edits: "one thing in the place of another",
    statement_edits: "a step: left out, too early, or in another order",
    idea_edits: "a weight, a factor or a state",
    recurrence_edits: "what goes on from step to step",
    argument_edits: "how an argument is used",
    result_edits: "how the result is returned",
    wrap_edits: "something that nothing asks for, or entries laid out otherwise",
}


def all_edits(context: Context) -> list[Edit]:
    """In a fixed order: the same program gives the same list."""
    singles = [
        replace(edit, kind=_kind(edit, about))
        for family, about in FAMILIES.items()
        for edit in family(context)
    ]
    return [*singles, *_everywhere(singles, context)]


def _kind(edit: Edit, about: str) -> str:
    return "something is left out" if edit.id.endswith(("_left_out", "_unused")) else about


def _everywhere(singles: list[Edit], context: Context) -> Iterator[Edit]:
    groups: dict[Hashable, list[Edit]] = {}
    for edit in singles:
        if edit.idea is not None and edit.everywhere:
            groups.setdefault(edit.idea, []).append(edit)
    for idea, edits in groups.items():
        if len(edits) < 2:
            continue
        changes: dict[int, Make] = {}
        for edit in edits:
            if not changes.keys() & edit.changes.keys():
                changes |= edit.changes
        yield Edit(edits[0].id, edits[0].everywhere, edits[0].rank + 1, changes, idea, kind=edits[0].kind)
