"""nbgrader's side of grading: its gradebook written in bulk, and our grading inside its autograde."""
