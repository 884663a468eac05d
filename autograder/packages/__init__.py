"""Grading is packed for where it runs: Gradescope, GitHub, a container."""
