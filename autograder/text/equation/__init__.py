"""Index equations: an answer in plain text or LaTeX comes in, a judgement or a reading goes out."""

from __future__ import annotations

from autograder.text.equation.author import check_equation_key
from autograder.text.equation.judge import judge_equation
from autograder.text.equation.reading import EquationReading, LineReading, read_equation

__all__ = ["EquationReading", "LineReading", "check_equation_key", "judge_equation", "read_equation"]
