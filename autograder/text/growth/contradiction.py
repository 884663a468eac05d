"""What an answer says comes in; where two of its sayings contradict each other, the reason goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from autograder.errors import AnswerError
from autograder.text.expression.build_tree import shaped
from autograder.text.expression.definitions import said_of
from autograder.text.expression.render import plain
from autograder.text.expression.tree import Expr, Num, Sym, names_in, substitute
from autograder.text.growth.assumptions import BOUNDED_VALUE, Domain
from autograder.text.growth.compare import GrowthVerdict, compare_trees
from autograder.text.growth.statement import StatedAnswer

# How a rate compares with itself where the variable is held fixed.
_HELD = {"grows": GrowthVerdict.TIGHTER, "shrinks": GrowthVerdict.LOOSER}


# an RNN needs
_SUBJECT = re.compile(
    r"\W*(?:(?:for|in|with)\s+)?(?:(?:an?|the|one)\s+)?(?P<what>[A-Za-z][A-Za-z -]*?)"
    r"\s+(?:(?:would|will|only|still)\s+)*(?:needs?|takes?|requires?|costs?|is|are|has|have|uses?)\s+[a-z\s]*\$?\Z"
)


def refuse_contradictions(
    statement: StatedAnswer, variables: tuple[str, ...], domain: Domain, asked: str = ""
) -> None:
    """Raise AnswerError where the answer contradicts itself, or assumes what the question does not say.

    `asked` is the question: another rate that is given for what it asks about is no comparison.
    """
    tree = statement.rate.tree
    for said, other in statement.others:
        subject = _SUBJECT.match(said)
        if subject and _is_asked(subject["what"], asked) and not _same(other, tree, domain):
            both = f"O({plain(tree)}), and O({plain(other)}) for {subject['what']}"
            raise AnswerError(f"you give {both}: give one growth rate")
    for other in statement.equals:
        if not _same(other, tree, domain):
            raise AnswerError(f"'{plain(other)}' and '{plain(tree)}' differ: give one growth rate")
    for first, *others in statement.identities:
        for other in others:
            if not _same(first, other, domain):
                raise AnswerError(
                    f"you set {plain(first)} equal to {plain(other)}, but they differ: give the rate alone"
                )
    for shape in statement.shapes:
        about = names_in(shape)
        if not _same(shape, _in_only(tree, about) if about else tree, domain):
            raise AnswerError(
                f"you say that it is like {plain(shape)}, but O({plain(tree)}) is not: give one growth rate"
            )
    for word in statement.bare:
        if not any(_same(shaped(word, Sym(name)), _in_only(tree, [name]), domain) for name in variables):
            raise AnswerError(f"you say that it is {word}, but O({plain(tree)}) is not: give one growth rate")
    for name in statement.said.free:
        if not _same(tree, _without(tree, name), domain):
            raise AnswerError(
                f"you say that it does not depend on {name}, but O({plain(tree)}) does: give one growth rate"
            )
    for name in statement.said.needs:
        if _same(tree, _without(tree, name), domain):
            raise AnswerError(
                f"you say that it depends on {name}, but O({plain(tree)}) does not: give one growth rate"
            )
    for name, way in _ways(statement):
        if compare_trees(_without(tree, name), tree, domain).verdict != _HELD[way]:
            raise AnswerError(
                f"you say that it {way} with {name}, but O({plain(tree)}) does not: give one growth rate"
            )
    for part in statement.parts:
        if compare_trees(part, tree, domain).verdict not in (GrowthVerdict.EQUIVALENT, GrowthVerdict.TIGHTER):
            raise AnswerError(
                f"you give O({plain(part)}) for a part, and O({plain(tree)}) for all: give one growth rate"
            )
    for other in statement.former:
        if compare_trees(other, tree, domain).verdict in (GrowthVerdict.EQUIVALENT, GrowthVerdict.TIGHTER):
            raise AnswerError(f"'{plain(other)}' to '{plain(tree)}' is no way down: give one growth rate")
    for other in statement.denied:
        if _same(other, tree, domain):
            raise AnswerError(f"you say both O({plain(tree)}) and not: give one growth rate")
    for small, large in statement.below:
        if compare_trees(Sym(small), Sym(large), domain).verdict not in (
            GrowthVerdict.EQUIVALENT,
            GrowthVerdict.TIGHTER,
        ):
            raise AnswerError(
                f"the question does not say that {small} is at most {large}: give the rate without it"
            )
    for name, value in statement.assumed:
        if not names_in(value) and name not in names_in(tree):
            continue  # O(T^2) where d is a constant: judged without d
        if not _same(Sym(name), value, domain):
            raise AnswerError(
                f"the question does not say that {said_of(name, value)}: give the rate without assuming it"
            )


def _is_asked(what: str, asked: str) -> bool:
    """Whether a question speaks of all the words of a subject."""
    return bool(_words(what)) and _words(what) <= _words(asked)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower()))


def _ways(statement: StatedAnswer) -> list[tuple[str, str]]:
    grows = [(name, "grows") for name in statement.said.rises]
    return [*grows, *((name, "shrinks") for name in statement.said.falls)]


def _same(left: Expr, right: Expr, domain: Domain) -> bool:
    return compare_trees(left, right, domain).verdict == GrowthVerdict.EQUIVALENT


def _in_only(tree: Expr, kept: Iterable[str]) -> Expr:
    """The rate with all other variables held fixed."""
    kept = set(kept)
    for name in names_in(tree):
        tree = tree if name in kept else _without(tree, name)
    return tree


def _without(tree: Expr, name: str) -> Expr:
    return substitute(tree, {name: Num(Fraction(BOUNDED_VALUE))})
