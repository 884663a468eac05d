"""Products of matrices and contractions: operands exchanged, transposed, left out; the wrong axes matched."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import Any

from autograder.diagnose.edits.edit import Context, Edit, Rank, axis_word, only
from autograder.diagnose.expression_words import joined
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Node

_PRODUCTS = ("matmul", "mm", "bmm", "mv", "dot", "inner", "outer")


def product_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        factors = _factors(context, node.tree)
        if factors is not None:
            yield from _matrix_product(context, node, *factors)
        spec = _einsum(context, node.tree)
        if spec:
            yield from _contraction(context, node, spec)


def _factors(context: Context, tree: ast.AST) -> tuple[Make, Make, ast.expr, ast.expr] | None:
    """How to get the two factors out of a copy, and the two as they stand."""
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.MatMult):
        return (lambda n: n.left), (lambda n: n.right), tree.left, tree.right
    operation = context.operation(tree)
    if not isinstance(tree, ast.Call) or operation is None or operation.name not in _PRODUCTS:
        return None
    if operation.operand is None:
        return None
    if operation.method and len(tree.args) == 1:
        return operation.operand_of, (lambda n: n.args[0]), operation.operand, tree.args[0]
    if not operation.method and len(tree.args) == 2:
        return operation.operand_of, (lambda n: n.args[1]), operation.operand, tree.args[1]
    return None


def _matrix_product(
    context: Context, node: Node, left: Make, right: Make, a: ast.expr, b: ast.expr
) -> Iterator[Edit]:
    one, two = context.say(a), context.say(b)
    both = f"the product of {one} and {two}"
    if one == two:  # in words; the factors themselves may differ
        both = f"the product of {one} {'with itself' if ast.dump(a) == ast.dump(b) else 'and another such'}"
    number = node.number

    def edit(id: str, says: str, rank: float, text: str, idea: object = None, everywhere: str = "") -> Edit:
        return Edit(id, says, rank, only(number, lambda n: new(text, left(n), right(n))), idea, everywhere)

    yield edit(
        "product_transposed_left",
        f"in {both}, {one} is used without the transpose that it needs, or with one too many",
        Rank.TRANSPOSED,
        "__ops__.swapped(_0) @ _1",
        ("transposed", one),
        f"{one} is used with its two axes exchanged, wherever it is multiplied",
    )
    yield edit(
        "product_transposed_right",
        f"in {both}, {two} is used without the transpose that it needs, or with one too many",
        Rank.TRANSPOSED,
        "_0 @ __ops__.swapped(_1)",
        ("transposed", two),
        f"{two} is used with its two axes exchanged, wherever it is multiplied",
    )
    yield edit(
        "product_both_transposed",
        f"in {both}, both factors are used with their axes exchanged",
        Rank.TRANSPOSED + 0.5,
        "__ops__.swapped(_0) @ __ops__.swapped(_1)",
        "both transposed",
        "both factors of every product are used with their axes exchanged",
    )
    yield edit(
        "product_exchanged",
        f"{both} is taken in the other order",
        Rank.TRANSPOSED,
        "_1 @ _0",
        "product exchanged",
        "every product of matrices is taken in the other order",
    )
    yield edit(
        "product_exchanged_transposed",
        f"{both} is taken in the other order, the first factor transposed",
        Rank.TRANSPOSED + 0.5,
        "_1 @ __ops__.swapped(_0)",
    )
    yield edit(
        "product_exchanged_transposed",
        f"{both} is taken in the other order, the second factor transposed",
        Rank.TRANSPOSED + 0.5,
        "__ops__.swapped(_1) @ _0",
    )
    yield edit(
        "product_transposed",
        f"{both} comes out transposed",
        Rank.TRANSPOSED + 0.2,
        "__ops__.swapped(_0 @ _1)",
    )
    yield edit(
        "elementwise_product",
        f"{both} is taken entry by entry, not as a product of matrices",
        Rank.OTHER,
        "_0 * _1",
    )
    yield edit(
        "product_left_out",
        f"the multiplication of {two} by {one} is left out",
        Rank.LEFT_OUT,
        "_1",
        ("not multiplied by", one),
        f"the multiplication by {one} is left out everywhere",
    )
    yield edit(
        "product_left_out",
        f"the multiplication of {one} by {two} is left out",
        Rank.LEFT_OUT,
        "_0",
        ("not multiplied by", two),
        f"the multiplication by {two} is left out everywhere",
    )
    yield edit("sum_for_product", f"{one} and {two} are added, not multiplied", Rank.OTHER, "_0 + _1")
    yield edit(
        "cosine_for_product",
        f"{both} is divided by the norms of both: a cosine, not an inner product",
        Rank.OTHER,
        "__ops__.cosine(_0, _1)",
    )
    yield edit(
        "distance_for_product",
        f"minus the squared distance stands in the place of {both}",
        Rank.OTHER,
        "__ops__.distance(_0, _1)",
    )
    yield edit("product_absolute", f"{both} is taken in absolute value", Rank.RARE, "(_0 @ _1).abs()")
    yield edit(
        "outer_product",
        f"{both} is an outer product, not an inner one",
        Rank.OTHER,
        "(_0[..., :, None] * _1[..., None, :])",
    )


def _einsum(context: Context, tree: ast.AST) -> str:
    operation = context.operation(tree)
    if not isinstance(tree, ast.Call) or operation is None or operation.name != "einsum":
        return ""
    if operation.method or not tree.args:
        return ""
    spec = tree.args[0]
    if not isinstance(spec, ast.Constant) or not isinstance(spec.value, str):
        return ""
    text = spec.value.replace(" ", "")
    return text if "->" in text and "." not in text else ""


def _contraction(context: Context, node: Node, spec: str) -> Iterator[Edit]:
    call = node.tree_as(ast.Call)
    inputs, output = spec.split("->")
    terms = inputs.split(",")
    operands = call.args[1:]
    if len(operands) != len(terms) or not all(context.known(o) for o in operands):
        return
    names = [context.say(o) for o in operands]
    both = f"the product of {joined(names)}"
    letters = _letters(context, terms, operands)

    def respelled(
        id: str,
        says: str,
        rank: float,
        terms: list[str],
        output: str,
        idea: object = None,
        everywhere: str = "",
    ) -> Edit:
        text = ",".join(terms) + "->" + output
        return Edit(id, says, rank, only(node.number, lambda n: _respell(n, text)), idea, everywhere)

    for position, term in enumerate(terms):
        axes = context.observed.axes(context.number(operands[position]))
        for i, j in itertools.combinations(range(len(term)), 2):
            swapped = list(term)
            swapped[i], swapped[j] = swapped[j], swapped[i]
            changed = [*terms[:position], "".join(swapped), *terms[position + 1 :]]
            which = f"{axis_word(axes, i)} and {axis_word(axes, j)}"
            yield respelled(
                "operand_transposed",
                f"{names[position]} enters {both} with {which} exchanged",
                Rank.TRANSPOSED,
                changed,
                output,
                ("transposed", names[position], which),
                f"{names[position]} is used with {which} exchanged, wherever it is multiplied",
            )
        for i, letter in enumerate(term):
            for other in letters:
                if other != letter and letters[other] == letters[letter]:
                    spelled = term[:i] + other + term[i + 1 :]
                    changed = [*terms[:position], spelled, *terms[position + 1 :]]
                    yield respelled(
                        "axes_matched_wrongly",
                        f"in {both} the axis {axis_word(axes, i)} of {names[position]} is matched with the wrong axis of the others",
                        Rank.TRANSPOSED + 1,
                        changed,
                        output,
                    )
        if len(operands) > 1:
            rest = [o for p, o in enumerate(operands) if p != position]
            yield _without(context, node, terms, output, position, names, len(rest))
            yield from _not_projected(node, terms, output, position, names)
            for i, letter in enumerate(term):
                fresh = next(
                    c for c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" if c not in spec
                )
                if any(letter in other for p, other in enumerate(terms) if p != position):
                    yield respelled(
                        "operand_summed",
                        f"{names[position]} is summed over {axis_word(axes, i)} by itself, before {both} is taken",
                        Rank.TRANSPOSED + 1,
                        [*terms[:position], term[:i] + fresh + term[i + 1 :], *terms[position + 1 :]],
                        output,
                    )
    yield from _averaged(context, node, terms, output, operands, both)
    yield from _summed_over_other(context, terms, output, names, respelled)
    for i, j in itertools.combinations(range(len(output)), 2):
        swapped = list(output)
        swapped[i], swapped[j] = swapped[j], swapped[i]
        yield respelled(
            "product_transposed",
            f"{both} comes out with two axes exchanged",
            Rank.TRANSPOSED + 0.2,
            terms,
            "".join(swapped),
        )
    for i, letter in enumerate(output):
        axes = context.observed.axes(node.number)
        yield respelled(
            "axis_summed",
            f"{both} is summed over {axis_word(axes, i)} as well",
            Rank.OTHER,
            terms,
            output[:i] + output[i + 1 :],
        )
        del letter
    for i, letter in enumerate(dict.fromkeys("".join(terms))):
        if letter not in output:
            yield respelled(
                "sum_left_out",
                f"{both} is not summed over one of its axes",
                Rank.LEFT_OUT + 1,
                terms,
                output + letter,
            )
        del i


def _not_projected(
    node: Node, terms: list[str], output: str, position: int, names: list[str]
) -> Iterator[Edit]:
    """A matrix left out of a product, so that what it should map goes on as it is, for each of its other axes."""
    if len(terms) != 2:
        return
    matrix, other = terms[position], terms[1 - position]
    summed = [letter for letter in matrix if letter in other and letter not in output]
    own = [letter for letter in output if letter in matrix and letter not in other]
    for letter in own if len(summed) == 1 else ():
        spread = [each for each in own if each != letter]
        spec = f"{other.replace(summed[0], letter)}->{''.join(each for each in output if each not in spread)}"
        shape = ", ".join(f"_0.shape[{matrix.index(each)}]" if each in spread else "-1" for each in output)
        at = "".join(f".unsqueeze({output.index(each)})" for each in sorted(spread, key=output.index))
        text = f"__ops__.torch.einsum({spec!r}, _1){at}.expand({shape})"
        yield Edit(
            "product_left_out",
            f"{names[1 - position]} is used as it is: the multiplication by {names[position]} is left out",
            Rank.LEFT_OUT,
            only(node.number, lambda n, text=text: new(text, n.args[1 + position], n.args[2 - position])),  # type: ignore[misc]
            ("as it is", names[position]),
            f"the multiplication by {names[position]} is left out everywhere",
        )


def _averaged(
    context: Context, node: Node, terms: list[str], output: str, operands: list[ast.expr], both: str
) -> Iterator[Edit]:
    """A mean for the sum over the axes that a contraction sums over."""
    places = {
        letter: (position, i)
        for position, term in enumerate(terms)
        for i, letter in enumerate(term)
        if letter not in output
    }
    if not places:
        return
    words = [
        axis_word(context.observed.axes(context.number(operands[position])), i)
        for position, i in places.values()
    ]
    lengths = " * ".join(f"_{position + 1}.shape[{i}]" for position, i in places.values())
    yield Edit(
        "mean_for_sum",
        f"{both} is averaged over {joined(words)}, not summed",
        Rank.OTHER,
        only(node.number, lambda call: new(f"_0 / ({lengths})", call, *call.args[1:])),
    )


def _summed_over_other(
    context: Context, terms: list[str], output: str, names: list[str], respelled: Any
) -> Iterator[Edit]:
    """Both factors of a product used with the axis that is summed exchanged for one that stays."""
    if len(terms) != 2:
        return
    one, two = terms
    for summed in (letter for letter in one if letter in two and letter not in output):
        for a in (letter for letter in one if letter not in two):
            for b in (letter for letter in two if letter not in one):
                yield respelled(
                    "summed_over_other_axis",
                    f"the product of {joined(names)} sums over the other axis of both",
                    Rank.TRANSPOSED,
                    [_swap(one, summed, a), _swap(two, summed, b)],
                    output,
                )


def _swap(term: str, a: str, b: str) -> str:
    return term.translate(str.maketrans(a + b, b + a))


def _letters(context: Context, terms: list[str], operands: list[ast.expr]) -> dict[str, tuple[int, ...]]:
    """Each letter's sizes in all cases."""
    found: dict[str, tuple[int, ...]] = {}
    for term, operand in zip(terms, operands, strict=True):
        shapes = context.observed.shapes(context.number(operand))
        for position, letter in enumerate(term):
            found[letter] = tuple(shape[position] for shape in shapes if position < len(shape))
    return found


def _respell(call: ast.Call, spec: str) -> ast.Call:
    return ast.Call(func=call.func, args=[ast.Constant(spec), *call.args[1:]], keywords=call.keywords)


def _without(
    context: Context, node: Node, terms: list[str], output: str, position: int, names: list[str], rest: int
) -> Edit:
    """The product without one factor; axes that only it had are gone from the result."""
    left = [term for p, term in enumerate(terms) if p != position]
    kept = "".join(letter for letter in output if any(letter in term for term in left))
    spec = ",".join(left) + "->" + kept

    def make(call: ast.Call) -> ast.Call:
        others = [o for p, o in enumerate(call.args[1:]) if p != position]
        return ast.Call(func=call.func, args=[ast.Constant(spec), *others], keywords=call.keywords)

    del rest
    return Edit(
        "product_left_out",
        f"the multiplication by {names[position]} is left out",
        Rank.LEFT_OUT,
        only(node.number, make),
        ("not multiplied by", names[position]),
        f"the multiplication by {names[position]} is left out everywhere",
    )
