"""A reference becomes the mistakes of one who returns inside a loop: what the first round alone gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import Tensor

from autograder.course.docstring_shapes import Shapes, parse_shapes, size
from autograder.course.model import Code, Mistake
from autograder.diagnose.habits import LOOP


def first_rounds(part: Code, reference: Callable[..., object]) -> tuple[Mistake, ...]:
    """For each axis of the inputs, the reference on its first entry alone."""
    shapes = parse_shapes(part.doc, part.parameters)
    if shapes.has_dots:  # the places of its axes differ from case to case
        return ()
    return tuple(
        Mistake(
            f"first_of_{axis}_alone",
            part.name,
            f"the result is what the first entry along {axis} alone gives: {LOOP} over {axis}?",
            _on_first(axis, shapes, part.parameters, reference),
        )
        for axis in shapes.axes
    )


def _on_first(
    axis: str, shapes: Shapes, parameters: Sequence[str], reference: Callable[..., object]
) -> Callable[..., object]:
    def answer(*arguments: object) -> object:
        sizes = {
            name: length
            for parameter, argument in zip(parameters, arguments, strict=True)
            if isinstance(argument, Tensor)
            for name, length in zip(shapes.inputs.get(parameter, ()), argument.shape, strict=False)
            if name.isidentifier()
        }
        short = {**sizes, axis: 1}
        return reference(
            *(
                _cut(argument, shapes.inputs.get(parameter, ()), short)
                for parameter, argument in zip(parameters, arguments, strict=True)
            )
        )

    return answer


def _cut(argument: object, axes: Sequence[str], sizes: dict[str, int]) -> object:
    """The beginning of a tensor, as long along each axis as the sizes say."""
    if isinstance(argument, Tensor):
        for position, axis in enumerate(axes):
            argument = argument.narrow(position, 0, size(axis, sizes))
    return argument
