"""The expressions of growth rates and formulas: their text, their grammar, their tree."""
