"""Small written answers: numbers, shapes, matrices, intervals, several labels, an order of lines."""
