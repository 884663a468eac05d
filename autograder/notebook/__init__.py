"""Notebooks: problems become stubs, and submitted files become cells."""
