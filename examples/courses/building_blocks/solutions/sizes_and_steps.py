"""Sizes and steps, answered."""

from autograder import slip

first_layer = "(B, 64, 112, 112)"
first_layer_parameters = "9472"
coin_entropy = "0.6109"
chain = "[[0, 1], [1, 4]]"
stable_steps = "0 < η < 2/λ"
keeps_the_mean = "c, d"
training_step = "d c a b"
dropout_in_evaluation = "true"

mistakes = [
    slip(
        "first_layer",
        "rounds_up",
        "(B, 64, 113, 113)",
        "the division is rounded down before 1 is added: (224 + 6 − 7)/2 is 111.5",
    ),
    slip(
        "first_layer_parameters",
        "no_biases",
        "9408",
        "these are the weights: each of the 64 kernels has a bias too",
    ),
    slip("coin_entropy", "in_bits", "0.8813", "this is the entropy in bits: use the natural logarithm"),
    slip(
        "chain",
        "other_order",
        "[[2, 5], [1, 2]]",
        "this is W₁ W₂: the map that comes first stands on the right",
    ),
    slip(
        "stable_steps",
        "too_careful",
        "0 < η <= 1/λ",
        "steps up to 1/λ do not overshoot; longer ones still converge",
    ),
]
