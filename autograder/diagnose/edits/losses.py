"""Losses and normalisations that are one call: of probabilities, of the wrong pairs, half of it, by another norm."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.diagnose.edits.axes import AlongAxes
from autograder.diagnose.edits.edit import Context, Edit, Operation, Rank, only
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make, Node

# The call with other first arguments, or what stands in its place: _0 is the call, _1 and _2 its arguments.
_OF_SCORES = (
    (
        "loss_of_softmax",
        "the loss is taken of the softmax, which it contains already",
        "__ops__.softmax(_1, 1)",
    ),
    ("loss_transposed", "the loss is taken of the transposed scores", "__ops__.swapped(_1)"),
    ("loss_of_negatives", "the loss is taken of the scores with the other sign", "-_1"),
)
_CROSS_ENTROPY = (
    ("loss_summed", "the loss is summed over the examples, not averaged", "_0 * len(_2)"),
    (
        "loss_over_everything",
        "the softmax of the loss runs over all scores at once, not over each row",
        "-(__ops__.log_softmax(_1, (0, 1)).gather(1, _2[:, None])).mean()",
    ),
    (
        "loss_without_positive",
        "the right class is left out of the sum below the line of the softmax",
        "__ops__.without_positive(_1, _2)",
    ),
    (
        "loss_without_logarithm",
        "the probability of the right class is taken, not its logarithm",
        "-(__ops__.softmax(_1, 1).gather(1, _2[:, None])).mean()",
    ),
    (
        "loss_without_softmax",
        "the score of the right class is taken as it is: the softmax and its logarithm are missing",
        "-(_1.gather(1, _2[:, None])).mean()",
    ),
)
_BINARY = (
    (
        "half_of_cross_entropy",
        "the second half of the cross-entropy, (1 − x) ln(1 − p), is left out",
        "-_2 * __ops__.torch.nn.functional.logsigmoid(_1)",
    ),
    (
        "half_of_cross_entropy",
        "the first half of the cross-entropy, x ln p, is left out",
        "-(1 - _2) * __ops__.torch.nn.functional.logsigmoid(-_1)",
    ),
    (
        "squared_error_for_cross_entropy",
        "the squared error of the probabilities stands in the place of the cross-entropy",
        "(_1.sigmoid() - _2) ** 2",
    ),
    (
        "squared_error_for_cross_entropy",
        "the squared error stands in the place of the cross-entropy",
        "(_1 - _2) ** 2",
    ),
    (
        "absolute_error_for_cross_entropy",
        "the absolute error of the probabilities stands in the place of the cross-entropy",
        "(_1.sigmoid() - _2).abs()",
    ),
)
_NORMS = (
    ("squared_norm", "divided by the square of its norm", "_1 / _1.norm(dim={axis}, keepdim=True) ** 2"),
    ("root_of_norm", "divided by the root of its norm", "_1 / _1.norm(dim={axis}, keepdim=True) ** 0.5"),
    ("absolute_norm", "divided by the sum of its absolute values", "_1 / _1.abs().sum({axis}, keepdim=True)"),
    ("largest_norm", "divided by its largest absolute value", "_1 / _1.abs().amax({axis}, keepdim=True)"),
    ("whole_norm", "divided by the norm of the whole tensor", "_1 / _1.norm()"),
    ("sum_for_norm", "divided by its sum", "_1 / _1.sum({axis}, keepdim=True)"),
    ("softmax_for_norm", "put through a softmax", "__ops__.softmax(_1, {axis})"),
)


def loss_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if operation is None or operation.operand is None or not isinstance(node.tree, ast.Call):
            continue
        if operation.method and operation.name not in ("softmax", "log_softmax"):
            continue
        match operation.name:
            case "cross_entropy" if len(node.tree.args) == 2:
                yield from _of_scores(node)
                yield from _instead(node, _CROSS_ENTROPY)
            case "binary_cross_entropy_with_logits" if len(node.tree.args) == 2:
                yield from _instead(node, _BINARY)
            case "normalize":
                yield from _other_norms(context, node, operation)
            case "softmax" | "log_softmax":
                yield from _without_own(context, node, operation)


def _without_own(context: Context, node: Node, operation: Operation) -> Iterator[Edit]:
    """A softmax over a table of pairs without the pair of each row with itself below the line."""
    axes = context.observed.axes(node.number)
    along = AlongAxes.read(context, node.tree_as(ast.Call), operation)
    current = along.current() if along is not None else None
    if len(axes) < 2 or axes[-1] != axes[-2] or not axes[-1] or current is None or len(current) != 1:
        return
    text = f"__ops__.without_own(_0, {current[0]})"
    text = text if operation.name == "log_softmax" else f"{text}.exp()"
    yield Edit(
        "loss_without_positive",
        f"the diagonal, each one's own pair, is left out of the sum below the line of {context.say(node.tree)}",
        Rank.OTHER,
        only(node.number, lambda call: new(text, operation.operand_of(call))),
    )


def _of_scores(node: Node) -> Iterator[Edit]:
    for id, says, text in _OF_SCORES:
        yield Edit(id, says, Rank.OTHER, only(node.number, _given(text)), id, f"{says}, everywhere")


def _given(text: str) -> Make:
    def make(call: ast.Call) -> ast.Call:
        first = new(text, call, call.args[0])
        return ast.Call(func=call.func, args=[first, *call.args[1:]], keywords=call.keywords)

    return make


def _instead(node: Node, table: tuple[tuple[str, str, str], ...]) -> Iterator[Edit]:
    for id, says, text in table:
        make: Make = lambda n, text=text: new(text, n, n.args[0], n.args[1])  # type: ignore[misc] # noqa: E731
        yield Edit(id, says, Rank.OTHER, only(node.number, make), (id, text), f"{says}, everywhere")


def _other_norms(context: Context, node: Node, operation: Operation) -> Iterator[Edit]:
    call = node.tree
    assert isinstance(call, ast.Call)
    given = operation.argument(call, 1, "dim")
    axis = context.observed.value(context.number(given)) if given is not None and context.known(given) else 1
    thing = context.say(operation.operand) if operation.operand is not None else "it"
    for id, says, text in _NORMS:
        filled = text.format(axis=axis)
        make: Make = lambda n, filled=filled: new(filled, n, n.args[0])  # type: ignore[misc] # noqa: E731
        each = "each row" if axis in (1, -1) else "each slice"
        yield Edit(
            id,
            f"{thing} is {says}, where {each} should get length 1",
            Rank.OTHER,
            only(node.number, make),
            id,
            f"every tensor that should get length 1 is {says}",
        )
