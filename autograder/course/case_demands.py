"""What the cases of a code part demand beyond its values, in words that a student reads before writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autograder.course.cases import Case
from autograder.course.docstring_shapes import names_in, parse_shapes
from autograder.course.model import Code

_ROUNDED = ", its values as exact as single precision has them"


def is_large(case: Case) -> bool:
    """Whether some numbers of a case are drawn larger than usual."""
    return bool(large_arguments(case)) or (not isinstance(case.scale, Mapping) and case.scale > 1)


def large_arguments(case: Case) -> tuple[str, ...]:
    """The arguments that a case draws larger than usual, where it names them."""
    scale = case.scale
    return tuple(name for name, by in scale.items() if by > 1) if isinstance(scale, Mapping) else ()


def is_ordinary(case: Case) -> bool:
    """Whether a case asks for the values alone: no other precision, layout, size of numbers or gradient."""
    return (
        case.costs == 1
        and case.dtype == "float32"
        and case.layout == "contiguous"
        and not case.grad
        and not is_large(case)
    )


def demands(part: Code) -> list[str]:
    """A sentence for each demand of the part's cases, as an item of "it is also called …"."""
    return [
        *_dtype(part),
        *_large(part),
        *_layout(part),
        *_arrays(part),
        *_ones(part),
        *_leading(part),
        *_gradients(part),
        *_again(part),
    ]


def _dtype(part: Code) -> Iterator[str]:
    if any(case.dtype == "float64" for case in part.cases):
        given = any(draw.kind == "dtype" for draw in part.draws.values())
        rule = "the result has the dtype that is asked for" if given else "`float64` in, `float64` out"
        yield f"in double precision: {rule}{_ROUNDED if part.precision == 'float32' else ''}"


def _large(part: Code) -> Iterator[str]:
    large = [case for case in part.cases if is_large(case)]
    if large:
        names = _join(dict.fromkeys(f"`{n}`" for case in large for n in large_arguments(case)))
        yield f"with large numbers{f' in {names}' if names else ''}: nothing may overflow on the way"


def _layout(part: Code) -> Iterator[str]:
    if any(case.layout == "strided" for case in part.cases):
        yield "with inputs that are views of larger tensors, so not contiguous in memory"


def _arrays(part: Code) -> Iterator[str]:
    if not part.numpy:
        yield "for a tensor of torch: an array of numpy is no answer"


def _ones(part: Code) -> Iterator[str]:
    shapes = parse_shapes(part.doc, part.parameters)
    axes = dict.fromkeys(
        [*shapes.axes, *(n for out in shapes.outputs for a in out.axes for n in names_in(a))]
    )
    short = [name for name in axes if any(case.sizes.get(name) == 1 for case in part.cases)]
    if short:
        yield f"with sizes of 1 ({_join(f'`{name}`' for name in short)}): no axis is dropped"


def _leading(part: Code) -> Iterator[str]:
    if parse_shapes(part.doc, part.parameters).has_dots:
        yield "with none, one and several leading axes, where the docstring has `...`"


def _gradients(part: Code) -> Iterator[str]:
    names = dict.fromkeys(f"`{name}`" for case in part.cases for name in case.grad)
    if names:
        yield (
            f"for its gradients with respect to {_join(names)}: those that flow must be right "
            "(where numpy or a new `nn.Parameter` cuts them off there are none, and that costs nothing)"
        )


def _again(part: Code) -> Iterator[str]:
    tensors = parse_shapes(part.doc, part.parameters).inputs
    yield "twice: the same answer both times" + (", and its inputs left as they were" if tensors else "")


def _join(names: Sequence[str] | Iterator[str] | Mapping[str, None]) -> str:
    *first, last = [*names] or [""]
    return f"{', '.join(first)} and {last}" if first else last
