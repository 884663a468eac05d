"""An alternating RNN, answered, with the mistakes that must be caught."""

import torch

from autograder import also, key, mistake, slips_of


def alternating_rnn(X, H0):
    H = H0
    for x in X:
        H = x - H
    return torch.sigmoid(1000 * H)


final_output = key("Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0))")
meaning = key("A")

OF = "alternating_rnn"


@also("alternating_rnn")
def in_closed_form(X, H0):
    pairs = X[1::2] - X[0::2]
    return torch.sigmoid(1000 * (pairs.sum() + H0))


def _difference(X):
    """The inputs at even positions minus those at odd ones; position 1 is X[0]."""
    return X[1::2].sum() - X[0::2].sum()


def _state(X, H0):
    return _difference(X) + H0


@mistake(OF, "the factor 1000 does not reach H₀: Y is sigmoid(1000·(… + H₀))")
def factor_misses_h0(X, H0):
    return torch.sigmoid(1000 * _difference(X) + H0)


@mistake(OF, "the factor 1000 reaches H₀ only: it multiplies the whole state H_T")
def factor_misses_inputs(X, H0):
    return torch.sigmoid(_difference(X) + 1000 * H0)


@mistake(OF, "H₀ is added outside the sigmoid: it is part of the state H_T, inside")
def h0_outside_sigmoid(X, H0):
    return torch.sigmoid(1000 * _difference(X)) + H0


@mistake(
    OF,
    "the sigmoid sits inside the recurrence: the state is X_t − H_{t−1}; only the output goes through the sigmoid",
)
def nonlinearity_in_hidden_state(X, H0):
    H = H0
    for x in X:
        H = torch.sigmoid(1000 * (x - H))
    return H


@mistake(
    OF, "the state goes through a sigmoid at every step: it is X_t − H_{t−1}, and only the output has one"
)
def sigmoid_at_every_step(X, H0):
    H = H0
    for x in X:
        H = torch.sigmoid(x - H)
    return torch.sigmoid(1000 * H)


@mistake(OF, "the state goes through tanh at every step: it is X_t − H_{t−1}, without an activation")
def tanh_at_every_step(X, H0):
    H = H0
    for x in X:
        H = torch.tanh(x - H)
    return torch.sigmoid(1000 * H)


@mistake(OF, "the state is cut off at zero at every step: it is X_t − H_{t−1}, without an activation")
def relu_at_every_step(X, H0):
    H = H0
    for x in X:
        H = torch.relu(x - H)
    return torch.sigmoid(1000 * H)


@mistake(OF, "the last state is cut off at zero before the sigmoid: it may be negative")
def negative_state_lost(X, H0):
    return torch.sigmoid(1000 * torch.relu(_state(X, H0)))


@mistake(OF, "the state lost its sign before the sigmoid: it may be negative")
def absolute_state(X, H0):
    return torch.sigmoid(1000 * _state(X, H0).abs())


@mistake(OF, "the last state is returned: the output is sigmoid(1000·H_T)")
def missing_output_unit(X, H0):
    return _state(X, H0)


@mistake(OF, "the factor 1000 is applied at every step: it multiplies the last state once")
def factor_at_every_step(X, H0):
    H = H0
    for x in X:
        H = 1000 * (x - H)
    return torch.sigmoid(H)


@mistake(OF, "the output is rounded to 0 or 1: it is sigmoid(1000·H_T), steep but not a step")
def hard_threshold(X, H0):
    return (_state(X, H0) > 0).to(X.dtype)


@mistake(OF, "the output is turned round, 1 − Y: check the sign inside the sigmoid")
def output_negated(X, H0):
    return torch.sigmoid(-1000 * _state(X, H0))


@mistake(
    OF,
    "even and odd positions are exchanged: the last input counts as plus, the one before as minus, and position 1 is X[0]",
)
def odd_minus_even(X, H0):
    return torch.sigmoid(1000 * (H0 - _difference(X)))


@mistake(OF, "the state is added: H_t = X_t − H_{t−1}, so signs alternate")
def adds_previous_state(X, H0):
    return torch.sigmoid(1000 * (X.sum() + H0))


@mistake(OF, "the input is subtracted from the state: it is the other way round, H_t = X_t − H_{t−1}")
def subtracts_input(X, H0):
    return torch.sigmoid(1000 * (H0 - X.sum()))


@mistake(OF, "the inputs all count as plus: H_t = X_t − H_{t−1}, so their signs alternate")
def all_inputs_minus_h0(X, H0):
    return torch.sigmoid(1000 * (X.sum() - H0))


@mistake(OF, "only the last two inputs count: the state carries all earlier ones along")
def only_last_two_inputs(X, H0):
    return torch.sigmoid(1000 * (X[-1] - X[-2] + H0))


@mistake(OF, "only the last input counts: the state carries all earlier ones along, and H₀")
def only_last_input(X, H0):
    return torch.sigmoid(1000 * X[-1])


@mistake(OF, "only the last two inputs count, without H₀: the state carries all earlier ones along")
def only_last_difference(X, H0):
    return torch.sigmoid(1000 * (X[-1] - X[-2]))


@mistake(
    OF,
    "only the first and the last input are left: the differences of pairs (X₂ − X₁, X₄ − X₃, …) do not telescope",
)
def first_and_last_only(X, H0):
    return torch.sigmoid(1000 * (X[-1] - X[0] + H0))


@mistake(
    OF, "the second half is compared with the first: what alternates is every position, even against odd"
)
def halves_compared(X, H0):
    half = len(X) // 2
    return torch.sigmoid(1000 * (X[half:].sum() - X[:half].sum() + H0))


@mistake(OF, "all states are added up: the output reads the last state only")
def states_summed(X, H0):
    H, total = H0, 0
    for x in X:
        H = x - H
        total = total + H
    return torch.sigmoid(1000 * total)


@mistake(OF, "the outputs of all steps are averaged: only the last one is asked for")
def outputs_averaged(X, H0):
    H, outputs = H0, []
    for x in X:
        H = x - H
        outputs.append(torch.sigmoid(1000 * H))
    return torch.stack(outputs).mean()


@mistake(OF, "H₀ is subtracted at every step: it is the state before the first input only")
def h0_at_every_step(X, H0):
    return torch.sigmoid(1000 * (X - H0).sum())


@mistake(OF, "only the inputs at even positions count: those at odd positions are subtracted")
def odd_positions_ignored(X, H0):
    return torch.sigmoid(1000 * (X[1::2].sum() + H0))


@mistake(OF, "the outputs of all steps are returned: only the last one is asked for, a single number")
def returns_every_step(X, H0):
    H, outputs = H0, []
    for x in X:
        H = x - H
        outputs.append(torch.sigmoid(1000 * H))
    return torch.stack(outputs)


@mistake(OF, "the differences are averaged: they are summed")
def differences_averaged(X, H0):
    return torch.sigmoid(1000 * ((X[1::2] - X[0::2]).mean() + H0))


@mistake(OF, "e^x / (1 + e^x) overflows to NaN for a large state: use torch.sigmoid, or 1/(1 + e^−x)")
def sigmoid_overflows(X, H0):
    power = torch.exp(1000 * _state(X, H0))
    return power / (1 + power)


slips = [
    *slips_of(
        "final_output",
        {
            "odd_minus_even": (
                "Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i-1} - X_{2i}) + H_0))",
                "the signs are swapped: the last input, at an even place, enters with +",
            ),
            "factor_misses_the_state": (
                "Y_T = sigmoid(1000 sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) + H_0)",
                "1000 multiplies the sum only: it multiplies H_0 too",
            ),
            "state_subtracted": (
                "Y_T = sigmoid(1000 (sum_{i=1}^{T/2} (X_{2i} - X_{2i-1}) - H_0))",
                "H_0 enters with +: its sign changes T times, and T is even",
            ),
            "plain_sum": (
                "Y_T = sigmoid(1000 (sum_{t=1}^{T} X_t + H_0))",
                "all inputs are added: their signs alternate",
            ),
            "last_step_only": (
                "Y_T = sigmoid(1000 (X_T - X_{T-1} + H_0))",
                "only the last two inputs are used: every earlier one is still in the hidden state",
            ),
        },
    ),
    *slips_of(
        "meaning",
        {
            "odd_minus_even": (
                "B",
                "the last position, T, is even, and its input counts as plus: X_T − X_{T−1} + …",
            ),
            "signs_ignored": ("C", "the signs alternate: every step subtracts the state before"),
            "only_last_pair": ("D", "the state carries all earlier inputs along, not just the last two"),
            "values_not_positions": (
                "E",
                "what alternates is the position of an input, not whether its value is even",
            ),
            "tie_gives_one": ("F", "sigmoid(0) is 1/2: a tie gives neither 0 nor 1"),
        },
    ),
]
