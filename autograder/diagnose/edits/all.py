"""Every single edit of a program, and each idea carried out in all its places at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator
from dataclasses import replace

from autograder.diagnose.edits.arguments import argument_edits
from autograder.diagnose.edits.arithmetic import arithmetic_edits
from autograder.diagnose.edits.axes import axis_edits
from autograder.diagnose.edits.axis_ends import end_edits
from autograder.diagnose.edits.contractions import product_edits
from autograder.diagnose.edits.edit import Context, Edit
from autograder.diagnose.edits.elementwise import derivative_edits, elementwise_edits
from autograder.diagnose.edits.ideas import idea_edits
from autograder.diagnose.edits.indices import index_edits
from autograder.diagnose.edits.losses import loss_edits
from autograder.diagnose.edits.moved_terms import term_edits
from autograder.diagnose.edits.opposites import direction_edits
from autograder.diagnose.edits.put_in import wrap_edits
from autograder.diagnose.edits.recurrences import recurrence_edits
from autograder.diagnose.edits.returns import result_edits
from autograder.diagnose.edits.running_sums import running_edits
from autograder.diagnose.edits.scopes import scope_edits
from autograder.diagnose.edits.statements import statement_edits
from autograder.diagnose.edits.variables import name_edits
from autograder.diagnose.edits.whole_matrices import matrix_edits
from autograder.diagnose.program import Make

FAMILIES = {  # each with what it is about
    axis_edits: "the axis that an operation runs over",
    elementwise_edits: "a function that is applied entry by entry",
    derivative_edits: "the derivative of a function",
    product_edits: "a product of matrices: its order, its transposes, its axes",
    arithmetic_edits: "a sum, a product, a quotient or a sign",
    scope_edits: "how far a function reaches, or when it is applied",
    index_edits: "an index, a bound or a constant",
    name_edits: "one thing in the place of another",
    statement_edits: "a step: left out, too early, or in another order",
    idea_edits: "a weight, a factor or a state",
    recurrence_edits: "what goes on from step to step",
    term_edits: "a term or a factor in another place",
    end_edits: "what lies at the ends of an axis, or which places are seen",
    loss_edits: "a loss or a normalisation",
    direction_edits: "which end is taken, or how far things lie apart",
    argument_edits: "how an argument is used",
    result_edits: "how the result is returned",
    matrix_edits: "a matrix as a whole",
    running_edits: "which places are seen",
    wrap_edits: "something that nothing asks for, or entries laid out otherwise",
}


def all_edits(context: Context) -> list[Edit]:
    """In a fixed order: the same program gives the same list."""
    singles = [
        replace(edit, kind=_kind(edit, about))
        for family, about in FAMILIES.items()
        for edit in family(context)
    ]
    shared, alone = _in_uses(singles, context)
    return [*shared, *_everywhere(shared, context), *_likewise(shared, context), *alone]


def _in_uses(singles: list[Edit], context: Context) -> tuple[list[Edit], list[Edit]]:
    """Edits of a value that is used several times: in all its uses, and in one of them alone."""
    copies = [(context.program.nodes[number], group) for group in context.program.twins for number in group]
    groups: dict[tuple[Hashable, ...], list[Edit]] = {}
    counts: dict[Hashable, int] = {}
    shared, alone = [], []
    for edit in singles:
        one = (edit.id, edit.says, tuple(edit.changes))
        counts[one] = counts.get(one, 0) + 1  # two edits of one place may have the same words
        inside = sorted(
            (
                (root, group)
                for root, group in copies
                if all(root.number <= number < root.end for number in edit.changes)
            ),
            key=lambda each: each[0].number,
        )
        for root, group in inside:
            offsets = tuple(number - root.number for number in sorted(edit.changes))
            part = root is not inside[-1][0]  # a copy within a copy: only the uses there are meant
            groups.setdefault((group, offsets, edit.id, edit.says, counts[one], part), []).append(edit)
        if inside:
            results = [name for root, _ in inside if (name := context.phrases.result(root.tree))]
            says = f"{edit.says}, {context.use([root for root, _ in inside], 'in one of its uses')}"
            if results:
                says = edit.says if results[-1] in edit.says.split() else f"in {results[-1]}: {edit.says}"
            alone.append(replace(edit, says=says, rank=edit.rank + IN_ONE_USE, idea=None))
        else:
            shared.append(edit)
    for key, edits in groups.items():
        changes: dict[int, Make] = {}
        for edit in edits:
            changes |= edit.changes
        if key[-1]:
            says = f"{edits[0].says}, in one of its uses"
            alone.append(
                replace(edits[0], says=says, changes=changes, rank=edits[0].rank + IN_ONE_USE, idea=None)
            )
        else:
            shared.append(replace(edits[0], changes=changes))
    return shared, alone


IN_ONE_USE = (
    20  # later: whoever slips in one use of a value has usually slipped elsewhere, to the same effect
)
MOST_LIKEWISE = 4  # places of one form


def _likewise(singles: list[Edit], context: Context) -> Iterator[Edit]:
    """One slip of the mind in several places of one form: both directions, all gates, each of the moments."""
    groups: dict[Hashable, list[Edit]] = {}
    counts: dict[Hashable, int] = {}
    for edit in singles:
        if len(edit.changes) == 1 and 0 not in edit.changes:
            number = next(iter(edit.changes))
            place = (edit.id, number)
            counts[place] = counts.get(place, 0) + 1
            form = _form(context.program.nodes[number].tree)
            groups.setdefault((edit.id, form, counts[place]), []).append(edit)
    for edits in groups.values():
        numbers = [next(iter(edit.changes)) for edit in edits]
        ends = [context.program.nodes[number].end for number in numbers]
        nested = any(a < b < end for a, end in zip(numbers, ends, strict=True) for b in numbers)
        if 1 < len(edits) <= MOST_LIKEWISE and not nested and len({edit.says for edit in edits}) > 1:
            changes: dict[int, Make] = {}
            for edit in edits:
                changes |= edit.changes
            says = f"{edits[0].says}; and likewise in {'the other place' if len(edits) == 2 else 'all such places'}"
            yield Edit(edits[0].id, says, edits[0].rank + 3, changes, kind=edits[0].kind)


def _form(tree: ast.AST) -> Hashable:
    """An expression but for its names and numbers; one name alone is no form."""
    if isinstance(tree, ast.Name | ast.Constant):
        return tree
    return re.sub(r"(id|value)='?[^',()]*'?", r"\1", ast.dump(tree))


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
        yield Edit(edits[0].id, edits[0].everywhere, edits[0].rank + 2.5, changes, idea, kind=edits[0].kind)
