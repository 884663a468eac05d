"""A slow oracle for growth rates: both sides are computed along many paths, in logarithms, and watched."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence

from autograder.text.expression.tree import Add, Call, Expr, Mul, Num, Pow, Sym

# How fast the logarithm of the logarithm grows along a path: powers of each other, up to tower-like gaps.
SPEEDS = (1.0, 1.0, 0.5, 0.25, 1 / 3, 0.75)
STATIONS = (9.0, 18.0, 27.0)

Path = list[dict[str, float]]  # at each station the logarithm of every variable


def log_value(node: Expr, logs: Mapping[str, float]) -> float:
    """The logarithm of an expression's value, from the logarithms of its variables."""
    match node:
        case Num(value):
            return math.log(value) if value > 0 else -math.inf
        case Sym(name):
            return logs[name]
        case Add(terms):
            values = [log_value(term, logs) for term in terms]
            top = max(values)
            return top + math.log(sum(math.exp(value - top) for value in values))
        case Mul(factors):
            return sum(log_value(factor, logs) for factor in factors)
        case Pow(base, Num(power)):
            return float(power) * log_value(base, logs)
        case Call("ln" | "log", (inner,)):
            return math.log(log_value(inner, logs))
        case Call("max", args):
            return max(log_value(arg, logs) for arg in args)
        case Call("min", args):
            return min(log_value(arg, logs) for arg in args)
    raise ValueError(node)


def paths(names: Sequence[str], count: int, seed: int) -> Iterator[Path]:
    """Paths on which variables race at different speeds, keep pace, or differ only by logarithms."""
    source = random.Random(seed)
    for _ in range(count):
        bases = [source.choice(SPEEDS) for _ in range(source.randint(1, len(names)))]
        for at in range(len(bases)):
            if source.random() < 0.25:
                # So slow that its logarithm is of the order of the double logarithm of the others.
                bases[at] = -source.choice((0.2, 0.5, 1.0, 2.0))
        recipe = {name: _recipe(source, len(bases)) for name in names}
        path = [_logs(recipe, bases, station) for station in STATIONS]
        if all(all(value > 3 for value in logs.values()) for logs in path):
            yield path


def _recipe(source: random.Random, bases: int) -> list[tuple[int, float, float]]:
    """A variable is a product of powers of some bases and of their logarithms."""
    lead = source.randrange(bases)
    out = [(lead, source.choice((0.5, 1.0, 1.0, 2.0, 3.0, 0.7)), source.choice((0.0, 0.0, 1.0, -1.0, 2.5)))]
    if bases > 1 and source.random() < 0.4:
        out.append((source.randrange(bases), source.choice((0.5, 1.0, -0.5)), 0.0))
    return out


def _logs(
    recipe: Mapping[str, list[tuple[int, float, float]]], bases: Sequence[float], station: float
) -> dict[str, float]:
    logs = [math.exp(speed * station) if speed > 0 else 3 - speed * station for speed in bases]
    return {
        name: sum(power * logs[base] + inner * math.log(logs[base]) for base, power, inner in pieces)
        for name, pieces in recipe.items()
    }


def outgrows(left: Expr, right: Expr, path: Path) -> bool:
    """Whether left/right clearly grows along the path."""
    try:
        gaps = [log_value(left, logs) - log_value(right, logs) for logs in path]
    except ValueError:
        return False
    return gaps[2] > gaps[1] + 1.0 and gaps[1] > gaps[0] + 0.4 and gaps[2] > 1.5


def holds(path: Path, small: Expr, large: Expr) -> bool:
    """Whether small <= large all along the path."""
    try:
        return all(log_value(small, logs) <= log_value(large, logs) + 1e-9 for logs in path)
    except ValueError:
        return False
