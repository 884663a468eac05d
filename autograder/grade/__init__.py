"""A submission becomes a report."""
