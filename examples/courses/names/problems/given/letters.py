from pathlib import Path

import torch

LETTERS = ".abcdefghijklmnopqrstuvwxyz"
NAMES = Path("data/names.txt").read_text().split()


def encode(name):
    """The letters of a name as whole numbers, with a dot, 0, before and after."""
    return torch.tensor([LETTERS.index(letter) for letter in f".{name}."])
