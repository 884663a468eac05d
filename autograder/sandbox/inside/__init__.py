"""What runs on the student's side: the warm parent, and the child that gives everything up and runs the cells."""
