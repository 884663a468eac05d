"""A new problem is begun: its files are written with gaps, and a test that fails until they are filled in."""
