"""Small changes of a program, by families: what a slip of the mind does to a function."""
