"""The functions a case may hand to a student: elementwise ones by name, and a mixer of several vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor

ELEMENTWISE: Mapping[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "softplus": torch.nn.functional.softplus,
    "tanh": torch.tanh,
}

MIXER = "mixer"


def build(name: str, tensors: Mapping[str, Tensor]) -> Callable[..., Tensor]:
    """The function called `name`; a mixer's matrices come as tensors "0", "1", … in argument order.

    A mixer returns tanh of the sum of each argument times its own matrix, so it notices swapped,
    missing and wrongly shaped arguments.
    """
    if name != MIXER:
        return ELEMENTWISE[name]
    matrices = [tensors[str(position)] for position in range(len(tensors))]

    def mixer(*given: Tensor, **named: Tensor) -> Tensor:
        vectors = (*given, *named.values())
        if len(vectors) != len(matrices):
            raise TypeError(f"this function takes {len(matrices)} vectors, not {len(vectors)}")
        return torch.tanh(
            sum((m.to(v.dtype) @ v for m, v in zip(matrices, vectors, strict=True)), torch.zeros(()))
        )

    return mixer
