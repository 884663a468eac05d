"""One call of a student's function: its inputs, what is expected of it, and how results are compared."""
