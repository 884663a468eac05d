"""Operations along an axis: over another one, over two, over all; left out; another of the same role."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from autograder.diagnose.edits.edit import Context, Edit, Operation, Rank, only
from autograder.diagnose.expression_words import REDUCTIONS
from autograder.diagnose.line_template import new
from autograder.diagnose.program import Make

# Where the axis stands among the arguments after the operand.
PLACE = {
    **dict.fromkeys(
        [
            "softmax",
            "log_softmax",
            "sum",
            "mean",
            "prod",
            "max",
            "min",
            "amax",
            "amin",
            "argmax",
            "argmin",
            "std",
            "var",
            "logsumexp",
            "cumsum",
            "cumprod",
            "flip",
            "cat",
            "concat",
            "concatenate",
            "stack",
            "softmin",
            "sort",
            "argsort",
            "median",
            "unsqueeze",
            "squeeze",
            "flatten",
            "all",
            "any",
        ],
        0,
    ),
    "norm": 1,
    "chunk": 1,
    "split": 1,
    "roll": 1,
    "normalize": 1,
    "gather": 0,
    "index_select": 0,
    "diff": 1,
}
NAMES = ("dim", "axis", "dims")
TITLES = {
    **REDUCTIONS,
    "softmax": "softmax",
    "log_softmax": "log-softmax",
    "flip": "flip",
    "cat": "joining",
    "concat": "joining",
    "concatenate": "joining",
    "stack": "stacking",
    "sort": "sorting",
    "argsort": "sorting",
    "chunk": "cutting into pieces",
    "split": "cutting into pieces",
    "roll": "shift",
    "normalize": "normalisation",
}
# Another operation of the same role, and how it is told.
INSTEAD = {
    "sum": "mean",
    "mean": "sum",
    "amax": "maximum",
    "amin": "minimum",
    "prod": "product",
    "norm": "norm",
    "square sum": "sum of squares",
    "absolute sum": "sum of absolute values",
    "mean square": "mean square",
    "var": "variance (divided by the count)",
    "std": "standard deviation (divided by the count)",
    "sample var": "variance with the count less one",
    "sample std": "standard deviation with the count less one",
    "logsumexp": "log-sum-exp",
    "first": "first entry",
    "last": "last entry",
    "length": "number of entries",
    "sample mean": "sum divided by the count less one",
    "median": "median",
}
INSTEAD["sum"], INSTEAD["mean"] = "sum", "mean"
# Of tensors that have more axes in one case than in another: what an axis is called there.
ENDS = {0: "the first axis", 1: "the second axis", -1: "the last axis", -2: "the last axis but one"}
# All weights equal says more than that an argument has no effect.
_RANKS = {"softmax_left_out": Rank.LEFT_OUT, "uniform_weights": Rank.LEFT_OUT + 1}


def axis_edits(context: Context) -> Iterator[Edit]:
    for node in context.program.nodes:
        operation = context.operation(node.tree)
        if operation is None or operation.name not in PLACE or operation.operand is None:
            continue
        assert isinstance(node.tree, ast.Call)
        found = AlongAxes.read(context, node.tree, operation)
        if found is not None:
            yield from found.other_axes()
            yield from found.instead()
            yield from found.spread_again()


def _inner(operation: Operation, text: str) -> Make:
    return lambda subscript: new(text, operation.operand_of(subscript.value))


class AlongAxes:
    """One operation along an axis."""

    def __init__(
        self, context: Context, call: ast.Call, operation: Operation, rank: int | None, subject: int
    ):
        self.context = context
        self.call = call
        self.operation = operation
        self.rank = rank  # none where it differs from case to case: axes are counted from the end
        self.subject = subject  # the node whose axes are spoken of
        self.number = context.number(call)

    @classmethod
    def read(cls, context: Context, call: ast.Call, operation: Operation) -> AlongAxes | None:
        assert operation.operand is not None
        number = context.number(operation.operand) if context.known(operation.operand) else -1
        rank = context.observed.rank(number)
        if context.observed.kind(number) != "tensor":  # a list is joined: its axes are those of the result
            number = context.number(call)
            rank = context.observed.rank(number)
        known = context.observed.kind(number) == "tensor" and rank != 0
        return cls(context, call, operation, rank, number) if known else None

    @property
    def title(self) -> str:
        return TITLES.get(self.operation.name, self.operation.name)

    @property
    def _which(self) -> str:
        return "the" if self.context.phrases.is_only(self.operation.name) else "one"

    def current(self) -> tuple[int, ...] | None:
        """The axes it runs over; None where that is not a plain number or tuple."""
        given = self.operation.argument(self.call, PLACE[self.operation.name], *NAMES)
        if given is None:
            return tuple(range(self.rank)) if self.rank and self.operation.name in REDUCTIONS else None
        value: object = None
        if self.context.known(given):
            value = self.context.observed.value(self.context.number(given))
        if value is None:
            try:
                value = ast.literal_eval(given)
            except ValueError:
                return None
        values = (value,) if isinstance(value, int) else value
        if not isinstance(values, tuple | list) or not all(isinstance(v, int) for v in values):
            return None
        if self.rank is None:
            return tuple(values) if all(-self.least <= v < 0 for v in values) else None
        return tuple(v % self.rank for v in values)

    @property
    def least(self) -> int:
        """How many axes there are in every case."""
        return min(map(len, self.context.observed.shapes(self.subject)))

    def over(self, axes: tuple[int, ...]) -> str:
        if self.rank is None:
            names = [self.context.observed.name_from_end(self.subject, axis) for axis in axes]
            words = [name or ENDS.get(axis, f"axis {axis}") for name, axis in zip(names, axes, strict=True)]
            return " and ".join(words)
        words = [self.context.axis(self.subject, axis) for axis in axes]
        if len(axes) == self.rank and self.rank > 1:
            return "all axes at once"
        return " and ".join(words)

    def told_apart(self, axes: tuple[int, ...], others: tuple[int, ...]) -> tuple[str, str]:
        """Both in words: X and Y are not X·Y, where these are the places that ask and those that are looked at."""
        one, two = self.over(axes), self.over(others)
        parts = [set(re.split("·| and ", words)) for words in (one, two)]
        plain = all(part and " " not in part for part in parts[0] | parts[1])
        if not plain or parts[0].isdisjoint(parts[1]) or set(axes) & set(others):
            return one, two
        if max(axes) < min(others):
            return f"the first {one}", f"the last {two}"
        if max(others) < min(axes):
            return f"the last {one}", f"the first {two}"
        return one, two

    def other_axes(self) -> Iterator[Edit]:
        """The same over every other axis, over two at once, over all."""
        current = self.current()
        if current is None or self.operation.name in ("unsqueeze", "squeeze", "flatten", "gather"):
            return
        if self.rank is None:
            yield from self._other_ends(current)
            return
        choices: list[tuple[int, ...]] = [(axis,) for axis in range(self.rank)]
        several = self.operation.name in ("softmax", "log_softmax", "flip") or (
            self.operation.name in REDUCTIONS and self.operation.name not in ("cumsum", "cumprod")
        )
        if several:
            choices += list(itertools.combinations(range(self.rank), 2))
            choices += [tuple(range(self.rank))] if self.rank > 2 else []
        for axes in choices:
            if axes == tuple(sorted(current)):
                continue
            make = self._over(axes)
            if make is not None:
                yield self._elsewhere(*self.told_apart(axes, current), 0.1 * len(axes), make)

    def _other_ends(self, current: tuple[int, ...]) -> Iterator[Edit]:
        """The same where the number of axes differs from case to case: over one of its ends, or over all."""
        right = self.over(current)
        for axis in (0, 1, -1, -2):
            make = self._over((axis,))
            if (axis,) != current and -self.least <= axis < self.least and make is not None:
                yield self._elsewhere(self.over((axis,)), right, 0.1, make)
        if self.operation.name in INSTEAD:
            keep = self.operation.argument(self.call, 9, "keepdim", "keepdims")
            keeps = isinstance(keep, ast.Constant) and bool(keep.value)
            text = f"__ops__.reduce({self.operation.name!r}, _0, None, {keeps})"
            yield self._elsewhere(
                "all axes at once", right, 0.2, lambda call: new(text, self.operation.operand_of(call))
            )

    def _elsewhere(self, where: str, right: str, further: float, make: Make) -> Edit:
        return Edit(
            f"{self.operation.name}_axis",
            f"{self._which} {self.title} runs over {where} instead of {right}",
            Rank.AXIS + further,
            only(self.number, make),
            ("axis", where, right),
            f"every operation that should run over {right} runs over {where}",
        )

    def _over(self, axes: tuple[int, ...]) -> Make | None:
        operation, name = self.operation, self.operation.name
        if name in ("softmax", "log_softmax") and len(axes) > 1:
            return lambda call: new(f"__ops__.{name}(_0, {axes})", operation.operand_of(call))
        if len(axes) > 1 and name in ("max", "min", "argmax", "argmin", "prod", "median"):
            return None
        value = new(repr(axes[0] if len(axes) == 1 else axes))
        if len(axes) == 1 and name == "flip":
            value = new(repr(axes))
        return lambda call: operation.with_argument(
            call, PLACE[name], NAMES[:1] if name != "flip" else ("dims",), value
        )

    def spread_again(self) -> Iterator[Edit]:
        """x.mean((0, 2))[None, :, None]: what is spread again over x may as well run over other axes of x."""
        above = self.context.parent(self.context.program.nodes[self.number])
        current = self.current()
        if current is None or not isinstance(above, ast.Subscript) or above.value is not self.call:
            return
        if self.rank is None:
            return
        items = above.slice.elts if isinstance(above.slice, ast.Tuple) else [above.slice]
        gone = [p for p, i in enumerate(items) if isinstance(i, ast.Constant) and i.value is None]
        if self.operation.name not in INSTEAD or gone != sorted(current) or len(items) != self.rank:
            return
        keeps = next((k for k in self.call.keywords if k.arg == "unbiased"), None)
        plain = self.operation.name not in ("var", "std") or keeps is not None
        for count in range(1, self.rank + 1) if plain else ():
            for axes in itertools.combinations(range(self.rank), count):
                where, right = self.over(axes), self.over(current)
                text = f"__ops__.reduce({self.operation.name!r}, _0, {axes!r}, True)"
                yield Edit(
                    f"{self.operation.name}_axis",
                    f"{self._which} {self.title} runs over {where} instead of {right}",
                    Rank.AXIS + 0.1 * len(axes),
                    only(self.context.number(above), _inner(self.operation, text)),
                    ("axis spread", where, right),
                    f"every operation that should run over {right} runs over {where}",
                )

    def instead(self) -> Iterator[Edit]:
        name = self.operation.name
        current = self.current()
        if current is None:
            return
        if name in ("softmax", "log_softmax"):
            yield from self._instead_of_softmax(current)
        elif name in ("sum", "mean", "prod", "amax", "amin", "norm", "var", "std", "logsumexp"):
            yield from self._instead_of_reduction(current)
        elif name in ("cumsum", "cumprod", "flip", "roll", "normalize"):
            yield Edit(
                f"{name}_left_out",
                f"the {self.title} over {self.over(current)} is left out",
                Rank.LEFT_OUT,
                only(self.number, self.operation.operand_of),
                ("left out", name),
                f"every {self.title} is left out",
            )

    def _instead_of_softmax(self, current: tuple[int, ...]) -> Iterator[Edit]:
        axis = current[0]
        thing = self.context.say(self.call)
        yield from self._over_a_part(axis)
        for id, text, says in (
            ("softmax_left_out", "_0", f"{thing} is left out"),
            (
                "softmax_overflows",
                f"__ops__.naive_softmax(_0, {axis})",
                f"{thing} overflows on large scores: subtract the largest score first",
            ),
            (
                "softmax_underflows",
                f"__ops__.global_softmax(_0, {axis})",
                f"in {thing} the largest score of all is subtracted, so that rows of small scores become 0/0: subtract each row's own",
            ),
            (
                "softmax_largest_above_only",
                f"__ops__.numerator_only(_0, {axis})",
                f"in {thing} the largest score is subtracted above the line and not below it",
            ),
            (
                "softmax_not_normalised",
                "_0.exp()",
                f"{thing} is not normalised: the exponentials are not divided by their sum",
            ),
            (
                "softmax_without_exponential",
                f"__ops__.share(_0, {axis})",
                f"{thing} is without its exponential: the scores themselves are divided by their sum",
            ),
            ("sigmoid_for_softmax", "_0.sigmoid()", f"a sigmoid stands in the place of {thing}"),
            ("log_for_softmax", f"__ops__.log_softmax(_0, {axis})", f"the logarithm of {thing} is taken"),
            (
                "softmax_for_log",
                f"__ops__.softmax(_0, {axis})",
                f"the softmax stands in the place of {thing}: the logarithm is missing",
            ),
            (
                "hardmax",
                f"__ops__.hardest(_0, {axis})",
                f"the largest gets all the weight, in the place of {thing}",
            ),
            (
                "softmax_of_negatives",
                f"__ops__.softmax(-_0, {axis})",
                f"{thing} is of the scores with the other sign",
            ),
            (
                "uniform_weights",
                f"__ops__.softmax(0 * _0, {axis})",
                f"all weights are equal, in the place of {thing}",
            ),
            (
                "softmax_twice",
                f"__ops__.softmax(__ops__.softmax(_0, {axis}), {axis})",
                f"{thing} is taken twice",
            ),
            ("softmax_of_squares", f"__ops__.softmax(_0 ** 2, {axis})", f"{thing} is of squared scores"),
            (
                "softmax_of_relu",
                f"__ops__.share(_0.relu(), {axis})",
                f"a relu divided by its sum stands in the place of {thing}",
            ),
            ("tanh_for_softmax", "_0.tanh()", f"a tanh stands in the place of {thing}"),
            (
                "unit_for_softmax",
                f"__ops__.unit(_0, {axis})",
                f"the scores are divided by their norm, in the place of {thing}",
            ),
            (
                "softmax_normalised_by_count",
                f"_0.exp() / _0.shape[{axis}]",
                f"the exponentials are divided by their number, not by their sum, in {thing}",
            ),
            (
                "softmax_scores_by_count",
                f"_0 / _0.shape[{axis}]",
                f"the scores are divided by their number, in the place of {thing}",
            ),
        ):
            if (id == "softmax_for_log") != (self.operation.name == "log_softmax") and id in (
                "softmax_for_log",
                "log_for_softmax",
            ):
                continue
            yield self._edit(id, says, _RANKS.get(id, Rank.OTHER), text)

    def _over_a_part(self, axis: int) -> Iterator[Edit]:
        """Over one of two axes that were joined."""
        name = self.context.axis(self.subject, axis)
        parts = name.split("·")
        if len(parts) != 2 or self.operation.name != "softmax":
            return
        for orders in (parts, parts[::-1]):
            lengths = f"(__sizes__[{orders[0]!r}], __sizes__[{orders[1]!r}])"
            for part in (0, 1):
                together = f"instead of {parts[0]} and {parts[1]} together"
                over = f"__ops__.softmax_within(_0, {axis}, {lengths}, {part})"
                other = f"__ops__.softmax_within(_0, {axis}, {lengths}, {1 - part})"
                for id, says, text in (
                    ("softmax_axis", f"the softmax runs over {orders[part]} alone {together}", over),
                    (
                        "softmax_then_softmax",
                        f"the softmax runs over {orders[part]} and then another over {orders[1 - part]}, {together}",
                        f"__ops__.softmax_within({over}, {axis}, {lengths}, {1 - part})",
                    ),
                    (
                        "product_of_softmaxes",
                        f"a softmax over {parts[0]} is multiplied with one over {parts[1]}, {together}",
                        f"{over} * {other}",
                    ),
                ):
                    yield self._edit(id, says, Rank.AXIS, text)

    def _instead_of_reduction(self, current: tuple[int, ...]) -> Iterator[Edit]:
        axes = tuple(current) if len(current) > 1 else current[0]
        keep = self.operation.argument(self.call, 9, "keepdim", "keepdims")
        keeps = isinstance(keep, ast.Constant) and bool(keep.value)
        over = self.over(current)
        for other, title in INSTEAD.items():
            if other == self.operation.name:
                continue
            yield self._edit(
                f"{other.replace(' ', '_')}_for_{self.operation.name}",
                f"the {title} over {over} is taken, not the {self.title}",
                Rank.OTHER + (0.5 if other in ("first", "last", "length", "median", "prod") else 0),
                f"__ops__.reduce({other!r}, _0, {axes!r}, {keeps})",
            )
        yield self._edit(
            f"{self.operation.name}_left_out",
            f"the {self.title} over {over} is left out",
            Rank.LEFT_OUT,
            "_0",
        )
        for axis in current if self.operation.name in ("sum", "mean") else ():
            size = self.over((axis,))
            length = f"_0.shape[{axis}]"
            for id, dropped, text in (
                ("last_left_out", "last", f"_0.narrow({axis}, 0, {length} - 1)"),
                ("first_left_out", "first", f"_0.narrow({axis}, 1, {length} - 1)"),
            ):
                make_sum = f"__ops__.reduce({self.operation.name!r}, {text}, {axes!r}, {keeps})"
                yield self._edit(
                    f"{id}_in_{self.operation.name}",
                    f"the {dropped} entry along {size} is left out of the {self.title}",
                    Rank.INDEX,
                    make_sum,
                )
        if self.operation.name in ("var", "std"):
            root = "_0.sqrt()" if self.operation.name == "var" else "_0 ** 2"
            yield Edit(
                "root_of_variance" if self.operation.name == "var" else "variance_for_deviation",
                f"the {'standard deviation' if self.operation.name == 'var' else 'variance'} stands in the place of the {self.title}",
                Rank.OTHER,
                only(self.number, lambda call: new(root, call)),
            )

    def _edit(self, id: str, says: str, rank: float, text: str) -> Edit:
        operation = self.operation
        return Edit(
            id,
            says,
            rank,
            only(self.number, lambda call: new(text, operation.operand_of(call))),
            (id, operation.name),
            f"{says}, in every place",
        )
