import torch


class Layer(torch.nn.Module):
    """A linear layer with random weights, and a count of its calls."""

    def __init__(self, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(size, size))
        self.register_buffer("calls", torch.tensor(0))

    def forward(self, x):
        self.calls += 1
        return x @ self.weight.T


def rate_of(optimiser):
    return optimiser.param_groups[0]["lr"]
