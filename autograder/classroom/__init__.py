"""A class: its submissions are found, graded by workers, and written down."""
