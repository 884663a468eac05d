"""Derivations: read line by line, each line compared with the one before."""
