"""The picture of docs/cost.md: a CNN against an RNN. `python -m tests.cost.pictures` draws it afresh."""

from __future__ import annotations

from pathlib import Path

from autograder.cost.draw_curves import Curve, Plot, svg
from autograder.cost.measured_function import program, stated
from autograder.cost.trace.tracer import trace
from tests.cost import programs

PATH = Path(__file__).resolve().parents[2] / "docs" / "cnn_against_rnn.svg"
SIZES = tuple(2**n for n in range(1, 9))


def curve(name: str, function, variable: str, **still: int) -> Curve:
    subject = stated(program(function), [variable, *still], {})
    spans = ((size, trace(function, *subject.made({variable: size, **still})).span) for size in SIZES)
    return Curve(name, tuple(spans))


def draw() -> str:
    length = Plot(
        "span against the length T of a sentence",
        (curve("RNN, one layer", programs.rnn, "T"), curve("CNN, 8 layers", programs.cnn, "T", L=8)),
    )
    layers = Plot(
        "span against the number L of layers",
        (
            curve("RNN on 64 words", programs.deep_rnn, "L", T=64),
            curve("CNN on 64 words", programs.cnn, "L", T=64),
        ),
    )
    return svg([length, layers])


if __name__ == "__main__":
    PATH.write_text(draw(), encoding="utf-8")
