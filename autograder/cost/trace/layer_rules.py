"""The rules of layers that torch runs in one go: normalisation, pooling, losses, a recurrent layer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from torch import Tensor

from autograder.cost.trace.inner_product_rules import Arguments, Keywords, Output, Rule
from autograder.cost.trace.time_model import Charge, Model


def normalised(model: Model, entries: int, groups: int, affine: int) -> Charge:
    """Mean, subtract, square, mean, add, root, multiply; then weight and bias, as many as there are."""
    terms = entries // max(1, groups)
    return (5 + affine) * entries + 4 * groups, 2 * model.sum(terms) + 7 + affine


def given(*values: object) -> int:
    return sum(isinstance(value, Tensor) for value in values)


def layer_norm(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    entries = args[0].numel()
    return normalised(model, entries, entries // max(1, prod(args[1])), given(*args[2:4]))


def group_norm(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    return normalised(model, args[0].numel(), args[3] * args[6], given(*args[1:3]))


def batch_norm(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Over all but the channels; running means and variances are three operations for each channel."""
    running = len(args) > 6
    if not args[5 if running else 3]:
        return batch_norm_fixed(model, args, kwargs, out)
    channels = args[0].shape[1]
    work, span = normalised(model, args[0].numel(), channels, given(*args[1:3]))
    return work + 3 * channels * given(*args[3:5]), span


def batch_norm_fixed(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """With known mean and variance: add, root, and subtract meanwhile; multiply; weight and bias."""
    entries, affine = args[0].numel(), given(*args[1:3])
    return (2 + affine) * entries + 2 * args[0].shape[1], 3 + affine


def norm_backward(
    weight: int, terms: int, mask: int, model: Model, args: Arguments, kwargs: Keywords, out: object
) -> Charge:
    """Normalise again; two sums over each group; combine. Weight and bias sum over all groups.

    The numbers are where the weight, what tells the size of a group, and the mask stand.
    """
    entries, rows = args[0].numel(), args[terms]
    groups = rows.numel() if isinstance(rows, Tensor) else args[0].shape[1]
    wanted, weighted = args[mask], given(args[weight])
    work, span = 2 * entries, 2
    spans = [span]
    if wanted[0]:
        work += (7 + weighted) * entries + 2 * groups
        spans.append(span + model.sum(entries // max(1, groups)) + 6)
    each = entries // max(1, args[weight].numel()) if weighted else 1
    if wanted[1]:
        work += 2 * entries
        spans.append(span + 1 + model.sum(each))
    if wanted[2]:
        work += entries
        spans.append(model.sum(each))
    return work, max(spans)


def pool(after: int, model: Model, args: Arguments, kwargs: Keywords, out: Output) -> Charge:
    """The largest entry or the sum of each window, and `after` steps on the results."""
    results = out if isinstance(out, Tensor) else out[0]
    window = _window(args[0].dim(), args[1])
    return results.numel() * (window + after), model.sum(window) + after


def pool_backward(spread: bool, model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Zeros; each gradient goes to one entry of its window, or a share to all; those that meet add up."""
    window = _window(args[1].dim(), args[2])
    sent = args[0].numel() * ((1 + window) if spread else 1)
    return out.numel() + sent, 1 + spread + model.sum(window)


def _window(dims: int, kernel: Sequence[int]) -> int:
    return prod(kernel) if len(kernel) > 1 else int(kernel[0] ** (2 if dims < 5 else 3))


def adaptive_pool(after: int, model: Model, args: Arguments, kwargs: Keywords, out: Output) -> Charge:
    """Windows that divide the input as evenly as they can: their lengths are known along each axis."""
    results = out if isinstance(out, Tensor) else out[0]
    sizes = args[1]
    lengths = [_lengths(n, m) for n, m in zip(args[0].shape[-len(sizes) :], sizes, strict=True)]
    read = prod(args[0].shape[: -len(sizes)]) * prod(map(sum, lengths))
    return read + after * results.numel(), model.sum(prod(map(max, lengths))) + after


def _lengths(size: int, parts: int) -> list[int]:
    return [-(-(n + 1) * size // parts) - n * size // parts for n in range(parts)]


def adaptive_backward(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """As for pooling; an entry lies in two windows along an axis at most."""
    return 2 * out.numel() + args[0].numel(), 2 + model.sum(4)


def loss(
    work: int, span: int, reduction: int, model: Model, args: Arguments, kwargs: Keywords, out: object
) -> Charge:
    """So much work and so many steps for each entry; then a sum, and a division for the mean."""
    how = args[reduction] if len(args) > reduction else kwargs.get("reduction", 1)
    weighted = given(*args[2:reduction])
    return _reduced(model, args[0].numel(), work + weighted, span + weighted, how)


def nll_loss(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Pick the entry of each target and negate it; class weights are picked and multiplied, and summed up."""
    targets, weighted, how = args[1].numel(), given(args[2]), args[3]
    work, span = _reduced(model, targets, 2 + 2 * weighted, 2 + weighted, how)
    return work + (targets if weighted and how == 1 else 0), span


def _reduced(model: Model, entries: int, work: int, span: int, how: int) -> Charge:
    if how == 0:
        return work * entries, span
    mean = 1 if how == 1 else 0
    return (work + 1) * entries + mean, span + model.sum(entries) + mean


def nll_loss_backward(model: Model, args: Arguments, kwargs: Keywords, out: Tensor) -> Charge:
    """Zeros, and a scaled gradient at each target."""
    return out.numel() + 2 * args[2].numel(), 3


def lstm(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """One layer: the products with all inputs at once, then step after step.

    A step is a product with the state, an addition (two with a bias), four gates at once, and the new cell
    and state: multiply, add, tanh, multiply.
    """
    source, hidden, biased = args[0], args[10], int(bool(args[12]))
    steps = source.shape[0]  # torch has put time first, whatever the layer was told
    positions, width = prod(source.shape[:-1]), source.shape[-1]
    work = positions * hidden * (4 * (width + hidden) + 4 * (1 + 2 * biased) + 4 + 5)
    return work, model.inner(width) + biased + steps * (model.inner(hidden) + 1 + biased + 5)


def lstm_backward(model: Model, args: Arguments, kwargs: Keywords, out: object) -> Charge:
    """Twice the products, for inputs and weights; the gates and cells of each step, from last to first."""
    source, hidden = args[0], args[15]
    steps = source.shape[0]
    positions, width = prod(source.shape[:-1]), source.shape[-1]
    work = positions * hidden * (8 * (width + hidden) + 4 * 3 + 8)
    return work, steps * (model.inner(4 * hidden) + 8) + model.inner(positions)


LAYERS: dict[str, Rule] = {
    "native_layer_norm": layer_norm,
    "native_layer_norm_backward": partial(norm_backward, 5, 3, 7),
    "native_group_norm": group_norm,
    "native_group_norm_backward": partial(norm_backward, 4, 2, 9),
    "native_batch_norm": batch_norm,
    "_native_batch_norm_legit": batch_norm,
    "_native_batch_norm_legit_no_training": batch_norm_fixed,
    "native_batch_norm_backward": partial(norm_backward, 2, 8, 9),
    **dict.fromkeys(["max_pool2d_with_indices", "max_pool3d_with_indices"], partial(pool, 0)),
    **dict.fromkeys(["avg_pool2d", "avg_pool3d"], partial(pool, 1)),
    "max_pool2d_with_indices_backward": partial(pool_backward, False),
    "avg_pool2d_backward": partial(pool_backward, True),
    "_adaptive_avg_pool2d": partial(adaptive_pool, 1),
    "adaptive_max_pool2d": partial(adaptive_pool, 0),
    **dict.fromkeys(["_adaptive_avg_pool2d_backward", "adaptive_max_pool2d_backward"], adaptive_backward),
    "mse_loss": partial(loss, 2, 2, 2),  # subtract, square
    # Subtract, absolute value, square, scale, choose.
    **dict.fromkeys(["smooth_l1_loss", "huber_loss"], partial(loss, 5, 5, 2)),
    # Two logarithms, of p and 1 - p; 1 - t; two products; their sum, negated.
    "binary_cross_entropy": partial(loss, 8, 5, 3),
    # (1 - t) x + log(1 + e^-x).
    "binary_cross_entropy_with_logits": partial(loss, 7, 5, 4),
    **dict.fromkeys(["nll_loss_forward", "nll_loss2d_forward"], nll_loss),
    **dict.fromkeys(["nll_loss_backward", "nll_loss2d_backward"], nll_loss_backward),
    "mkldnn_rnn_layer": lstm,
    "mkldnn_rnn_layer_backward": lstm_backward,
}
