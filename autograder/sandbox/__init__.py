"""Submitted notebooks run here, apart from the grader: cells and inputs go in, plain data comes out."""
