"""Marks leave in the forms that learning platforms take in."""
