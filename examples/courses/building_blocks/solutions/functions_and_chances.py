"""The answers to the sheet of formulas."""

from autograder import slip

sigmoid_slope = "sigmoid(x) (1 - sigmoid(x))"
bayes = "P(B|A) P(A) / P(B)"
quadratic_gradient = "(A + A^T) x"
output_length = "floor((N - K)/S) + 1"
eigenvalues = "1, 3"
softmax_entry = r"\frac{e^{z_i}}{\sum_{j=1}^K e^{z_j}}"
tanh_by_sigmoid = """
tanh(x) = (e^x - e^(-x))/(e^x + e^(-x))
        = (1 - e^(-2x))/(1 + e^(-2x))
        = 2/(1 + e^(-2x)) - 1
        = 2 sigmoid(2x) - 1
"""

slips = [
    slip("sigmoid_slope", "of_tanh", "1 - sigmoid(x)^2", "that is how the derivative of tanh looks"),
    slip("bayes", "turned_round", "P(A|B) P(B) / P(A)", "that is the other conditional probability"),
    slip(
        "quadratic_gradient",
        "symmetric",
        "2 A x",
        "that holds where A is symmetric: in general A^T plays its part",
    ),
    slip("output_length", "one_short", "floor((N - K)/S)", "the window that begins at 0 counts, too"),
]
