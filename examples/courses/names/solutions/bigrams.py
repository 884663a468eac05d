import torch

from autograder import mistake


def name_losses(table, which):
    names = [encode(NAMES[number]) for number in which]
    return torch.stack([-table[name[:-1], name[1:]].log().sum() for name in names])


def mean_loss(table, which):
    pairs = sum(len(NAMES[number]) + 1 for number in which)
    return name_losses(table, which).sum() / pairs


@mistake("mean_loss", "a mean over names weighs every name alike: divide by the number of pairs")
def mean_over_names(table, which):
    return name_losses(table, which).mean()
