"""The rates that an answer states come in; those of the cost that is asked for go out: work, not memory."""

from __future__ import annotations

import re

from autograder.text.growth.claims import StatedRate

_STORED = re.compile(
    r"(?<![A-Za-z])(?:memory|space|storage|bits?|bytes?)(?![A-Za-z])"
    r"|[)}\]]\$?\s+(?:[a-z]+\s+)?(?:processors|cores|threads|gpus|machines|workers|parameters|params|neurons)(?![A-Za-z])",
    re.IGNORECASE,
)
_TIMED = re.compile(r"(?<![A-Za-z\\])(?:(?:run)?time(?!s)|steps?|operation|work|flop|comput)", re.IGNORECASE)
# of all processors together, and of the longest chain
_WORKED = re.compile(
    r"[)}\]]\$?\s+(?:of\s+)?(?:(?:total|overall|sequential|serial)\s+)?(?:work|operations|ops|flops|computation)(?![A-Za-z])"
    r"|(?<![A-Za-z])(?:total|overall)\s+work(?![A-Za-z])|\Awork\W*\Z",
    re.IGNORECASE,
)
_SPANNED = re.compile(
    r"(?<![A-Za-z])(?:span|depth|critical\s+path)(?![A-Za-z])|[)}\]]\$?\s+parallel(?![A-Za-z])", re.IGNORECASE
)


def speaks_of_memory(text: str) -> bool:
    """Whether an answer gives memory, and not time."""
    return bool(_STORED.search(text)) and not _TIMED.search(text)


def of_time(claims: list[StatedRate], parallel: bool) -> tuple[list[StatedRate], bool]:
    """Of time and memory, the time, and whether both are given; of work and span, what is asked for."""
    if len(claims) < 2:
        return claims, False
    timed = [claim for claim in claims if not _STORED.search(claim.said)]
    both = any(_TIMED.search(claim.said) for claim in timed) and len(timed) < len(claims)
    claims = timed if both else claims
    other = _WORKED if parallel else _SPANNED
    wholes = [claim for claim in claims if claim.partial or claim.per or not other.search(claim.said)]
    of_one = any(claim.partial or claim.per for claim in wholes)
    return (wholes if wholes and not of_one else claims), both
