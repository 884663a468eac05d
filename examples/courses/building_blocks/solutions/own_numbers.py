"""The answers to the sheet of one's own numbers, worked out from them."""

import torch

from autograder import slip

parameters = "{C*(3*K*K + 1)}"
output = "(B, {C}, {N - K + 1}, {N - K + 1})"


def rotate(x, by):
    return torch.roll(x, by, dims=1)


slips = [
    slip("parameters", "no_biases", "{C*3*K*K}", "that leaves out the biases: one for each kernel"),
    slip(
        "parameters",
        "one_channel",
        "{C*(K*K + 1)}",
        "the images have three channels, and each kernel reads all",
    ),
    slip("output", "same_size", "(B, {C}, {N}, {N})", "without padding the result is smaller than the image"),
]
