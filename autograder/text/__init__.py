"""Written answers: growth rates, formulas, equations and choices are read and decided."""
