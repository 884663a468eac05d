"""Programs of tensors come in; what they cost, and how that grows with their sizes, goes out."""

from __future__ import annotations

from autograder.cost.fit import Fit, FitError, fit
from autograder.cost.grid import make_grid
from autograder.cost.measure import Measured, Row, fit_rows, measure
from autograder.trace.charge import UnknownOperation
from autograder.trace.tracer import Cost, Tracer, trace

__all__ = [
    "Cost",
    "Fit",
    "FitError",
    "Measured",
    "Row",
    "Tracer",
    "UnknownOperation",
    "fit",
    "fit_rows",
    "make_grid",
    "measure",
    "trace",
]
