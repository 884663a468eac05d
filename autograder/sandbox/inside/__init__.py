"""The student's side: the warm parent, and the child that gives everything up and then runs the cells."""
