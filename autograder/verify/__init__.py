"""A course is proved: references earn full marks, stubs none, every mistake is caught."""
