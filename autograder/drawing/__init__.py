"""Heat maps and formulas, drawn for pages and panels."""
