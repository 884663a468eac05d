"""Exact formulas: read, brought into a normal form, compared."""
