"""Formulas with functions, real numbers, matrices, probabilities and sums: read, evaluated, compared."""
