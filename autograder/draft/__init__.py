"""A solved sheet becomes draft problems: what our own readers accept, and a FILL IN for the rest."""
