"""The rule of each torch operation: from its arguments and its result to its work and its span."""

from __future__ import annotations

from functools import partial
from math import prod

import torch
from torch import Tensor

from autograder.cost.trace.indexing_rules import PLACING, common_shape
from autograder.cost.trace.inner_product_rules import PRODUCTS, Arguments, Keywords, Output, Rule
from autograder.cost.trace.layer_rules import LAYERS
from autograder.cost.trace.sorting_rules import ORDERING
from autograder.cost.trace.time_model import Charge, Model, UnknownOperation


def first(out: Output) -> Tensor:
    """The tensor that counts: an operation with several results fills them in one go."""
    return out if isinstance(out, Tensor) else out[0]


def elementwise(model: Model, args: Arguments, kwargs: Keywords, out: Output) -> Charge:
    """One operation for every entry of the result, all at once. Copies and fills count like arithmetic."""
    return first(out).numel(), 1


def free(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Memory is set aside, nothing is computed."""
    return 0, 0


def lifted(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """A tensor made of numbers from Python: an entry for each; a single number is like any argument."""
    if not out.untyped_storage().resizable():
        raise UnknownOperation("a tensor over memory from elsewhere", "nothing was seen of how it was filled")
    return (out.numel(), 1) if out.dim() else (0, 0)


def reduction(
    passes: int, each: int, after: int, model: Model, args: Arguments, kwargs: Keywords, out: Output
) -> Charge:
    """`passes` trees over the terms, `each` elementwise steps on all of them, `after` on the results."""
    entries, results = args[0].numel(), max(1, first(out).numel())
    work = (passes + each) * entries + after * results
    return work, passes * model.sum(entries // results) + each + after


def along(
    passes: int, each: int, after: int, model: Model, args: Arguments, kwargs: Keywords, out: object
) -> Charge:
    """The same along one axis, with a result for every entry: softmax, prefix sums."""
    entries = args[0].numel()
    terms = length_of(args[0], args[1] if len(args) > 1 else kwargs["dim"])
    work = (passes + each) * entries + after * (entries // max(1, terms))
    return work, passes * model.sum(terms) + each + after


def softmax_backward(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Multiply, sum along the axis, subtract, multiply."""
    entries = args[0].numel()
    return 4 * entries, model.sum(length_of(args[0], args[2])) + 3


def compaction(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Entries that pass a test are counted by prefix sums (a tree up and a tree down) and moved."""
    entries = args[0].numel()
    return 3 * entries, 2 * model.sum(entries) + 1


def embedding_backward(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Every row of the gradient is added to the row of its word."""
    gradient, indices = args[0], args[1]
    return out.numel() + gradient.numel(), 1 + model.sum(indices.numel())


def padded_backward(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """A gradient of a part becomes one of the whole: zeros everywhere, then a copy."""
    return out.numel() + args[0].numel(), 2


def unfold_backward(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Windows that overlap add up where they meet; a place lies in `size` of them at most."""
    return out.numel() + args[0].numel(), 1 + model.sum(args[3])


def trace_of_matrix(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    terms = min(args[0].shape)
    return terms, model.sum(terms)


def same(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Are two tensors equal: a comparison of each pair, then one tree over all."""
    entries = args[0].numel()
    return 2 * entries, 1 + model.sum(entries)


def close(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Nearly equal: a difference and its size; a scaled size and a sum; a comparison; one tree over all."""
    entries = prod(common_shape([args[0].shape, args[1].shape]))
    return 7 * entries, 4 + model.sum(entries)


def copies(model: Model, args: Arguments, kwargs: Keywords, out: Output) -> Charge:
    """A view that is copied, or several."""
    parts = [out] if isinstance(out, Tensor) else out
    return sum(part.numel() for part in parts), 1


def length_of(tensor: Tensor, dim: int) -> int:
    return tensor.shape[dim] if tensor.dim() else 1


def names(text: str, rule: Rule) -> dict[str, Rule]:
    return dict.fromkeys(text.split(), rule)


# Their result is memory that is new, or grew, though torch says that it is the input's.
FRESH = frozenset(["lift_fresh", "resize_", "resize_as_"])

# Operations that share memory with their input although torch does not declare it.
ALIASES = frozenset(["_unsafe_view", "unsafe_split", "unsafe_split_with_sizes", "unsafe_chunk"])

# Their results leave tensors for Python: whatever is computed later may depend on them.
TO_PYTHON = frozenset(["_local_scalar_dense", "equal", "allclose", "is_nonzero"])

RULES: dict[str, Rule] = {
    **PRODUCTS,
    **LAYERS,
    **ORDERING,
    **PLACING,
    "lift_fresh": lifted,
    **names("resize_ resize_as_", free),
    **names("empty empty_like empty_strided empty_permuted new_empty new_empty_strided", free),
    **names("_local_scalar_dense _assert_async _assert_scalar _assert_tensor_metadata", free),
    **names(
        "zeros ones full arange linspace eye scalar_tensor zeros_like ones_like full_like rand randn randint "
        "rand_like randn_like new_zeros new_ones new_full fill fill_ zero zero_ tril_indices triu_indices "
        "bernoulli bernoulli_ normal normal_ uniform_ exponential_ randperm logspace hann_window",
        elementwise,
    ),
    **names(
        "copy_ clone _to_copy lift_fresh_copy cat stack index_select gather embedding "
        "repeat roll flip constant_pad_nd reflection_pad1d replication_pad1d tril triu tril_ triu_ "
        "diag_embed take unfold_copy im2col select_scatter slice_scatter diagonal_scatter masked_scatter "
        "masked_fill_ repeat_interleave abs_ floor_divide addr "
        "gelu_ hardswish mish_ prelu _prelu_kernel glu native_dropout log_sigmoid_forward softplus_backward "
        "elu_backward leaky_relu_backward hardtanh_backward log_sigmoid_backward mse_loss_backward "
        "complex polar rot90 pixel_shuffle pixel_unshuffle block_diag replication_pad2d reflection_pad2d "
        "hardswish_backward hardsigmoid_backward softshrink_backward hardshrink_backward glu_backward "
        "rrelu_with_noise rrelu_with_noise_backward smooth_l1_loss_backward huber_loss_backward "
        "binary_cross_entropy_backward native_dropout_backward",
        elementwise,
    ),
    **names("select_backward slice_backward diagonal_backward", padded_backward),
    **names(
        "sum nansum prod amax amin max min argmax argmin any all count_nonzero aminmax",
        partial(reduction, 1, 0, 0),
    ),
    "mean": partial(reduction, 1, 0, 1),
    **names("linalg_vector_norm norm", partial(reduction, 1, 1, 1)),
    "logsumexp": partial(reduction, 2, 2, 2),
    **names("var std var_mean std_mean", partial(reduction, 2, 2, 2)),
    # Largest entry, subtract, exponentiate, sum, divide.
    **names("_softmax _safe_softmax", partial(along, 2, 3, 0)),
    "_log_softmax": partial(along, 2, 3, 1),
    **names("_softmax_backward_data _log_softmax_backward_data", softmax_backward),
    # A prefix sum is a tree up and a tree down.
    **names("cumsum cumsum_ cumprod cumprod_ logcumsumexp cummax cummin", partial(along, 2, 0, 0)),
    **names("nonzero masked_select", compaction),
    "embedding_dense_backward": embedding_backward,
    "unfold_backward": unfold_backward,
    "trace": trace_of_matrix,
    "equal": same,
    "allclose": close,
    **names(
        "expand_copy view_copy _reshape_alias_copy as_strided_copy permute_copy transpose_copy t_copy "
        "squeeze_copy unsqueeze_copy select_copy slice_copy narrow_copy diagonal_copy detach_copy alias_copy "
        "unbind_copy split_copy split_with_sizes_copy",
        copies,
    ),
}


def find_rule(func: torch._ops.OpOverload) -> Rule | None:
    """The rule of an operation, by its name or by what torch itself says of it; None where there is none."""
    name = func._opname
    # Two operations share a name: max of two tensors is elementwise, max of one is a reduction.
    # What leaves for Python is no tensor, whatever the tags say.
    if torch.Tag.pointwise in func.tags and name not in TO_PYTHON:
        return elementwise
    rule = RULES.get(name)
    return rule or RULES.get(name.removesuffix("_"))


def is_view(func: torch._ops.OpOverload) -> bool:
    """Whether the result is the memory of the input, looked at in another way."""
    viewed = func.is_view or torch.Tag.inplace_view in func.tags or func._opname in ALIASES
    return viewed and func._opname not in FRESH
