"""The slips of a key's line: its tree with one small change, and the sentence for who wrote that."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from autograder.text.equation.tree import (
    Call,
    Expr,
    Line,
    Lookup,
    Number,
    Power,
    Product,
    Quotient,
    Size,
    Softmax,
    Sum,
    Total,
    Transpose,
    Variable,
    rebuild,
    walk,
)

MOST = 160  # of one line
ONE = Number(Fraction(1))
KINDS = {"mean": "an average", "max": "a maximum", "product": "a product"}


@dataclass(frozen=True)
class MistakenLine:
    """A wrong line, its id and what to say of it."""

    id: str
    says: str
    line: Line


Change = tuple[str, str, Expr]  # an id, a sentence, and what stands in the place of a node


def slips_of(line: Line, tensors: dict[str, int]) -> list[MistakenLine]:
    """The slips of one line of a key, in a fixed order; `tensors` are the axes that each name has."""
    found = []
    for place, right in enumerate(line.rights):
        nodes: list[Expr] = []
        for node in walk(right):
            if not any(node is each for each in nodes):
                nodes.append(node)
        for node in nodes:
            for name, says, other in _changes(node, line, tensors):
                rights = (*line.rights[:place], _put(right, node, other), *line.rights[place + 1 :])
                found.append(MistakenLine(name, says, replace(line, rights=rights)))
    if len(line.rights) == 1:
        found += [
            MistakenLine(name, says, replace(line, rights=(_map(line.rights[0], change),)))
            for name, says, change in _throughout(line.rights[0], tensors)
        ]
    return found[:MOST]


def _put(tree: Expr, node: Expr, other: Expr) -> Expr:
    if tree is node:
        return other
    changed: Expr = rebuild(tree, lambda child: _put(child, node, other))
    return changed


def _map(tree: Expr, change: Callable[[Expr], Expr]) -> Expr:
    changed: Expr = rebuild(change(tree), lambda child: _map(child, change))
    return changed


def _changes(node: Expr, line: Line, tensors: dict[str, int]) -> Iterator[Change]:
    match node:
        case Softmax():
            yield from _softmax(node, line)
        case Sum():
            for kind, word in KINDS.items():
                if kind != node.kind:
                    yield (
                        "sum_of_another_kind",
                        f"{word} stands where a sum is asked for",
                        replace(node, kind=kind),
                    )
        case Total():
            yield from _total(node)
        case Product():
            yield from _product(node)
        case Quotient():
            yield from _quotient(node)
        case Call():
            yield from _call(node)
        case Power():
            yield "power_left_out", "a power is missing", node.base
        case Transpose():
            yield "transpose_left_out", f"the transpose of {_named(node.body)} is missing", node.body
        case Lookup():
            yield from _lookup(node, line, tensors)


def _named(node: Expr) -> str:
    """What an expression is made of, by the names of its tensors."""
    names = list(dict.fromkeys(each.tensor for each in walk(node) if isinstance(each, Lookup)))
    sizes = list(dict.fromkeys(each.name for each in walk(node) if isinstance(each, Size)))
    if not names:
        return sizes[0] if len(sizes) == 1 else "a number"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _softmax(node: Softmax, line: Line) -> Iterator[Change]:
    yield "softmax_left_out", "the softmax is missing", node.body
    letters = [each.name for each in line.left.indices if isinstance(each, Variable)]
    right = " and ".join(node.over)
    for name in letters if node.over else ():
        if (name,) != node.over:
            says = f"the softmax runs over {name}: it should run over {right}"
            yield "softmax_over_another_index", says, replace(node, over=(name,))
    for pair in itertools.combinations(letters, 2) if node.over else ():
        if pair != node.over:
            says = f"the softmax runs over {pair[0]} and {pair[1]}: it should run over {right}"
            yield "softmax_over_another_index", says, replace(node, over=pair)
    for axis in ("row", "column") if not node.over else ():
        if axis != node.axis:
            yield (
                "softmax_along_another_axis",
                f"the softmax runs along each {axis}",
                replace(node, axis=axis),
            )
    body = node.body
    if isinstance(body, Total) and len(body.terms) == 2:
        for first in (0, 1):
            inside, outside = body.terms[first], body.terms[1 - first]
            terms = (replace(node, body=inside), outside)
            says = f"the softmax covers the term with {_named(inside)} alone: it should cover the whole sum"
            yield "softmax_of_a_part", says, replace(body, terms=terms)


def _total(node: Total) -> Iterator[Change]:
    count = len(node.terms)
    if count == 1:  # -x: without its only term nothing is left
        (term,) = node.terms
        whole = _named(term) if isinstance(term, Lookup) else f"the term with {_named(term)}"
        yield "wrong_sign", f"the minus sign in front of {whole} is missing", term
        return
    for place, term in enumerate(node.terms):
        others = [p for p in range(count) if p != place]
        rest = replace(
            node, signs=tuple(node.signs[p] for p in others), terms=tuple(node.terms[p] for p in others)
        )
        alone = rest.terms[0] if len(others) == 1 and rest.signs[0] == 1 else rest
        says = f"the term with {_named(term)} is missing"
        if not any(isinstance(each, Lookup) for each in walk(term)):
            says = "a number is missing from a sum or a difference"
        yield "term_left_out", says, alone
        signs = tuple(-sign if p == place else sign for p, sign in enumerate(node.signs))
        done, asked = ("subtracted", "added") if node.signs[place] == 1 else ("added", "subtracted")
        whole = _named(term) if isinstance(term, Lookup) else f"the term with {_named(term)}"
        yield "wrong_sign", f"{whole} is {done}: it should be {asked}", replace(node, signs=signs)


def _product(node: Product) -> Iterator[Change]:
    for place, factor in enumerate(node.factors):
        others = tuple(f for p, f in enumerate(node.factors) if p != place)
        alone = others[0] if len(others) == 1 else replace(node, factors=others)
        yield "factor_left_out", f"the factor {_factor_name(factor)} is missing", alone
    for a, b in itertools.combinations(range(len(node.factors)), 2):
        order = list(node.factors)
        order[a], order[b] = order[b], order[a]
        says = f"{_named(node.factors[a])} and {_named(node.factors[b])} stand in the wrong order"
        yield "factors_exchanged", says, replace(node, factors=tuple(order))
    if len(node.factors) == 2:
        total = Total((1, 1), node.factors)
        yield "sum_for_product", f"{_named(node)} are added: they should be multiplied", total


def _factor_name(factor: Expr) -> str:
    if isinstance(factor, Quotient) and factor.above == ONE:
        inside = factor.below
        root = isinstance(inside, Call) and inside.function == "sqrt"
        return f"1/√{_named(inside)}" if root else f"1/{_named(inside)}"
    return str(factor.value) if isinstance(factor, Number) else _named(factor)


def _quotient(node: Quotient) -> Iterator[Change]:
    yield "division_left_out", f"the division by what is made of {_named(node.below)} is missing", node.above
    yield "division_inverted", "a fraction is upside down", Quotient(node.below, node.above)
    below = node.below
    if isinstance(below, Call) and below.function == "sqrt":
        says = f"the root of {_named(below)} is missing"
        yield "root_left_out", says, replace(node, below=below.arguments[0])
    yield (
        "product_for_quotient",
        "a product stands where a quotient is asked for",
        Product((node.above, below)),
    )


def _call(node: Call) -> Iterator[Change]:
    name = {"sqrt": "the root"}.get(node.function, node.function)
    if len(node.arguments) == 1:
        inside = node.arguments[0]
        yield "function_left_out", f"{name} is missing", inside
        if isinstance(inside, Total) and len(inside.terms) == 2:
            for first in (0, 1):
                terms = list(inside.terms)
                terms[first] = replace(node, arguments=(terms[first],))
                says = f"{_named(inside.terms[1 - first])} stands outside {name}: it belongs inside"
                yield "outside_of_function", says, replace(inside, terms=tuple(terms))
        if isinstance(inside, Product) and len(inside.factors) == 2:
            for first in (0, 1):
                factors = list(inside.factors)
                factors[first] = replace(node, arguments=(factors[first],))
                says = f"{_factor_name(inside.factors[1 - first])} stands outside {name}: it belongs inside"
                yield "outside_of_function", says, replace(inside, factors=tuple(factors))
    for a, b in itertools.combinations(range(len(node.arguments)), 2):
        order = list(node.arguments)
        order[a], order[b] = order[b], order[a]
        says = f"{_named(node.arguments[a])} and {_named(node.arguments[b])} are exchanged in {name}"
        yield "arguments_exchanged", says, replace(node, arguments=tuple(order))


def _lookup(node: Lookup, line: Line, tensors: dict[str, int]) -> Iterator[Change]:
    for place, index in enumerate(node.indices):
        for name, says, other in _other_indices(node, index):
            indices = (*node.indices[:place], other, *node.indices[place + 1 :])
            yield name, says, replace(node, indices=indices)
    for a, b in itertools.combinations(range(len(node.indices)), 2):
        order = list(node.indices)
        order[a], order[b] = order[b], order[a]
        says = f"two indices of {node.tensor} are exchanged"
        yield "indices_exchanged", says, replace(node, indices=tuple(order))
    for name, axes in tensors.items():
        if name != node.tensor and axes == len(node.indices) and name != line.left.tensor:
            says = f"{name} stands where {node.tensor} belongs"
            yield "another_tensor", says, replace(node, tensor=name)


def _other_indices(node: Lookup, index: Expr) -> Iterator[Change]:
    """One earlier or later than it should be; a multiple lost."""
    if isinstance(index, Variable) and not index.capital:
        for sign, word in ((-1, "before"), (1, "after")):
            says = f"{node.tensor} is read one place {word} the right one"
            yield "index_off_by_one", says, Total((1, sign), (index, ONE))
    if isinstance(index, Total):
        yield from _shifted(node, index)
        for place, term in enumerate(index.terms):
            if isinstance(term, Product) and isinstance(term.factors[0], Number):
                rest = term.factors[1] if len(term.factors) == 2 else replace(term, factors=term.factors[1:])
                terms = (*index.terms[:place], rest, *index.terms[place + 1 :])
                says = f"the factor {term.factors[0].value} in the index of {node.tensor} is missing"
                yield "index_multiple_left_out", says, replace(index, terms=terms)


def _shifted(node: Lookup, index: Total) -> Iterator[Change]:
    for place, term in enumerate(index.terms):
        signs = tuple(-sign if p == place else sign for p, sign in enumerate(index.signs))
        says = f"a sign in the index of {node.tensor} is wrong"
        yield "index_sign", says, replace(index, signs=signs)
        if isinstance(term, Number) and len(index.terms) == 2:
            word = "after" if index.signs[place] == -1 else "before"
            says = f"{node.tensor} is read one place {word} the right one"
            yield "index_off_by_one", says, index.terms[1 - place]


def _throughout(right: Expr, tensors: dict[str, int]) -> Iterator[tuple[str, str, Callable[[Expr], Expr]]]:
    """Two tensors exchanged wherever they stand."""
    used = list(dict.fromkeys(node.tensor for node in walk(right) if isinstance(node, Lookup)))
    for a, b in itertools.combinations(used, 2):
        if tensors.get(a) == tensors.get(b):
            swapped = {a: b, b: a}
            yield (
                "tensors_exchanged",
                f"{a} and {b} are exchanged",
                lambda node, swapped=swapped: (  # type: ignore[misc]
                    replace(node, tensor=swapped.get(node.tensor, node.tensor))
                    if isinstance(node, Lookup)
                    else node
                ),
            )
