"""Views cost nothing and need no watching: torch is told not to stop for them while it is traced."""

from __future__ import annotations

from functools import lru_cache

import torch

# Those that programs are full of. Any other view is still seen, and charged nothing.
PASSED_BY = (
    "t transpose.int permute view view.dtype _unsafe_view _reshape_alias unsqueeze squeeze squeeze.dim "
    "squeeze.dims expand select.int slice.Tensor unbind.int split.Tensor split_with_sizes diagonal unfold "
    "as_strided alias detach squeeze_ squeeze_.dim unsqueeze_ t_ transpose_"
)


@lru_cache(maxsize=1)
def pass_views_by() -> torch.library.Library:
    """Let views through to the kernel without a call to Python, from now on and in all of this process.

    An einsum is mostly views: this makes tracing one several times cheaper. The rule is torch's own
    ("fallthrough"); only modes and tensor classes that want to see views would miss them.
    """
    library = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call]  # torch's own
    for name in PASSED_BY.split():
        library.impl(name, torch.library.fallthrough_kernel, "Python")  # type: ignore[no-untyped-call]
    return library
