"""Paths in a recurrent network, answered, with the mistakes that must be caught."""

import torch

from autograder import also, mistake, slips_of

interaction_steps = "O(N)"


def rnn_jacobian(h0, x, W, U, b):
    h = h0
    jacobian = torch.eye(len(h0), dtype=h0.dtype)
    for x_t in x:
        h = torch.tanh(W @ h + U @ x_t + b)
        jacobian = torch.diag(1 - h**2) @ W @ jacobian
    return jacobian


@also("rnn_jacobian")
def from_the_last_step(h0, x, W, U, b):
    slopes, h = [], h0
    for x_t in x:
        h = torch.tanh(W @ h + U @ x_t + b)
        slopes.append(1 - h**2)
    gradients = torch.eye(len(h0), dtype=h0.dtype)
    for slope in reversed(slopes):
        gradients = (gradients * slope) @ W
    return gradients


def _states(h0, x, W, U, b, activation=torch.tanh):
    """h_0, h_1, …, h_T."""
    states = [h0]
    for x_t in x:
        states.append(activation(W @ states[-1] + U @ x_t + b))
    return states


def _product(factors):
    """The matrices multiplied, the last one on the left."""
    total = torch.eye(len(factors[0]), dtype=factors[0].dtype)
    for factor in factors:
        total = factor @ total
    return total


def _factors(h0, x, W, U, b):
    return [torch.diag(1 - h**2) @ W for h in _states(h0, x, W, U, b)[1:]]


OF = "rnn_jacobian"


@mistake(OF, "the derivative of tanh is 1 − h², not 1 − h: the square is missing")
def derivative_missing_square(h0, x, W, U, b):
    return _product([torch.diag(1 - h) @ W for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "the factors stand in the wrong order: the last step belongs on the left of the product")
def product_order_reversed(h0, x, W, U, b):
    return _product(_factors(h0, x, W, U, b)[::-1])


@mistake(OF, "this is the Jacobian of the last step alone: multiply the factors of all steps")
def only_last_step(h0, x, W, U, b):
    return _factors(h0, x, W, U, b)[-1]


@mistake(OF, "the derivative is taken at the state before the step: use 1 − h_t², with the new state")
def derivative_at_previous_state(h0, x, W, U, b):
    return _product([torch.diag(1 - h**2) @ W for h in _states(h0, x, W, U, b)[:-1]])


@mistake(OF, "the bias b is subtracted: the recurrence adds it")
def bias_subtracted(h0, x, W, U, b):
    return rnn_jacobian(h0, x, W, U, -b)


@mistake(OF, "W and U are swapped: W multiplies the state, U the input")
def weights_swapped(h0, x, W, U, b):
    return _product([torch.diag(1 - h**2) @ U for h in _states(h0, x, U, W, b)[1:]])


@mistake(OF, "the factors have U in the place of W: W is what multiplies the state")
def input_matrix_in_factors(h0, x, W, U, b):
    return _product([torch.diag(1 - h**2) @ U for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "the activation is a sigmoid, with its derivative h(1 − h): this network has tanh, with 1 − h²")
def wrong_activation(h0, x, W, U, b):
    states = _states(h0, x, W, U, b, torch.sigmoid)[1:]
    return _product([torch.diag(h * (1 - h)) @ W for h in states])


@mistake(OF, "the activation is relu: this network has tanh, with the derivative 1 − h²")
def relu_for_tanh(h0, x, W, U, b):
    states = _states(h0, x, W, U, b, torch.relu)[1:]
    return _product([torch.diag((h > 0).to(h.dtype)) @ W for h in states])


@mistake(OF, "h(1 − h) is the derivative of a sigmoid: that of tanh is 1 − h²")
def sigmoid_derivative(h0, x, W, U, b):
    return _product([torch.diag(h * (1 - h)) @ W for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "tanh is applied twice: h is tanh(z) already, so the derivative is 1 − h², not 1 − tanh(h)²")
def tanh_applied_twice(h0, x, W, U, b):
    return _product([torch.diag(1 - torch.tanh(h) ** 2) @ W for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "the sign of the derivative is turned: it is 1 − h², not h² − 1")
def derivative_sign(h0, x, W, U, b):
    return _product([torch.diag(h**2 - 1) @ W for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "the derivative is 1 − h², not 1 − 2h")
def derivative_doubles_instead_of_squares(h0, x, W, U, b):
    return _product([torch.diag(1 - 2 * h) @ W for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "the factors have h² in the place of 1 − h²")
def derivative_missing_one(h0, x, W, U, b):
    return _product([torch.diag(h**2) @ W for h in _states(h0, x, W, U, b)[1:]])


@mistake(OF, "this is d h_T / d h_1: the factor of the first step is missing")
def derivative_by_first_state(h0, x, W, U, b):
    factors = _factors(h0, x, W, U, b)
    return _product(factors[1:]) if len(factors) > 1 else torch.eye(len(h0), dtype=h0.dtype)


@mistake(OF, "there is one W too many: start the product from the identity, not from W")
def starts_from_recurrent_matrix(h0, x, W, U, b):
    return rnn_jacobian(h0, x, W, U, b) @ W


@mistake(
    OF, "the first step has no W: start from the identity, and multiply by diag(1 − h_t²) W in every step"
)
def first_factor_without_matrix(h0, x, W, U, b):
    states = _states(h0, x, W, U, b)[1:]
    return _product([torch.diag(1 - states[0] ** 2), *(torch.diag(1 - h**2) @ W for h in states[1:])])


@mistake(OF, "this is the derivative by the bias: change h_0 alone, and see how h_T moves")
def derivative_by_bias(h0, x, W, U, b):
    return torch.autograd.functional.jacobian(lambda v: _states(h0, x, W, U, v)[-1], b)


@mistake(OF, "this is the derivative by the last input, diag(1 − h_T²) U: the derivative by h_0 is asked for")
def derivative_by_last_input(h0, x, W, U, b):
    return torch.diag(1 - _states(h0, x, W, U, b)[-1] ** 2) @ U


@mistake(OF, "this is the derivative by the first input x_1: the derivative by h_0 is asked for")
def derivative_by_first_input(h0, x, W, U, b):
    factors, first = _factors(h0, x, W, U, b), _states(h0, x, W, U, b)[1]
    return _product([torch.eye(len(h0), dtype=h0.dtype), *factors[1:]]) @ torch.diag(1 - first**2) @ U


@mistake(
    OF, "the factors are multiplied entry by entry: the chain rule needs the matrix product, @ and not *"
)
def elementwise_product(h0, x, W, U, b):
    return torch.stack(_factors(h0, x, W, U, b)).prod(0)


@mistake(OF, "1 − h² is applied once, at the end: every step has a derivative of its own")
def derivative_only_at_the_end(h0, x, W, U, b):
    last = _states(h0, x, W, U, b)[-1]
    return torch.diag(1 - last**2) @ torch.linalg.matrix_power(W, len(x))


@mistake(OF, "the last state's derivative is used in every step: step t has 1 − h_t²")
def last_derivative_at_every_step(h0, x, W, U, b):
    return torch.linalg.matrix_power(_factors(h0, x, W, U, b)[-1], len(x))


@mistake(OF, "W occurs only once in the product: every step contributes its own factor diag(1 − h_t²) W")
def recurrent_matrix_once(h0, x, W, U, b):
    h, slopes = h0, torch.ones_like(h0)
    for word in x:
        h = torch.tanh(W @ h + U @ word + b)
        slopes = slopes * (1 - h**2)
    return slopes.unsqueeze(1) * W


@mistake(OF, "the norm was returned: the Jacobian itself is asked for, a J by J matrix")
def norm_returned(h0, x, W, U, b):
    return torch.linalg.matrix_norm(rnn_jacobian(h0, x, W, U, b))


@mistake(OF, "a vector was carried through the steps: start from the identity, so that the result is J by J")
def vector_carried_along(h0, x, W, U, b):
    return rnn_jacobian(h0, x, W, U, b).sum(1)


@mistake(OF, "these are the Jacobians of all steps: return the one of the last state, a J by J matrix")
def returns_every_step(h0, x, W, U, b):
    factors = _factors(h0, x, W, U, b)
    return torch.stack([_product(factors[: t + 1]) for t in range(len(factors))])


@mistake(OF, "these are the factors of the steps side by side: multiply them into one matrix")
def factors_not_multiplied(h0, x, W, U, b):
    return torch.stack(_factors(h0, x, W, U, b))


@mistake(OF, "the product of the Jacobian with h_0 was returned: return the matrix itself")
def applied_to_first_state(h0, x, W, U, b):
    return rnn_jacobian(h0, x, W, U, b) @ h0


@mistake(OF, "the last state was returned: its derivative by h_0 is asked for, a J by J matrix")
def returns_last_state(h0, x, W, U, b):
    return _states(h0, x, W, U, b)[-1]


@mistake(
    OF, "1 − h² stands on the far right of the product: it should scale the rows of W, right after each step"
)
def derivative_on_the_wrong_side(h0, x, W, U, b):
    total = torch.eye(len(h0), dtype=h0.dtype)
    for h in _states(h0, x, W, U, b)[1:]:
        total = W @ total @ torch.diag(1 - h**2)
    return total


@mistake(
    OF, "both orders are turned round: a step contributes diag(1 − h_t²) W, and the last step is on the left"
)
def both_orders_reversed(h0, x, W, U, b):
    return _product([W @ torch.diag(1 - h**2) for h in _states(h0, x, W, U, b)[:0:-1]])


@mistake(OF, "the factors of the steps are averaged: the chain rule multiplies them")
def mean_instead_of_product(h0, x, W, U, b):
    return torch.stack(_factors(h0, x, W, U, b)).mean(0)


@mistake(OF, "the Jacobians of all states are added up: only that of the last state is asked for")
def sum_over_all_states(h0, x, W, U, b):
    return returns_every_step.answer(h0, x, W, U, b).sum(0)


@mistake(OF, "there is one factor too many, for h_0: the factors belong to the states h_1 to h_T")
def first_state_counted(h0, x, W, U, b):
    return _product([torch.diag(1 - h**2) @ W for h in _states(h0, x, W, U, b)])


@mistake(OF, "the derivative of tanh is 1 − h², not 1 + h²")
def derivative_adds_square(h0, x, W, U, b):
    return _product([torch.diag(1 + h**2) @ W for h in _states(h0, x, W, U, b)[1:]])


slips = [
    *slips_of(
        "interaction_steps",
        {
            "constant": (
                "O(1)",
                "a recurrent network has no direct link between far words: that would be attention",
            ),
            "tree": (
                "O(log N)",
                "a tree of merges would take log N; the recurrence hands the state on one word at a time",
            ),
            "counts_pairs": (
                "O(N^2)",
                "that counts pairs of words: the path between two of them has one step for each word in between",
            ),
            "root": ("O(sqrt(N))", "nothing in the chain skips words: N positions are N steps"),
            "sorting_cost": (
                "O(N log N)",
                "each of the N steps counts once: there is no further factor log N",
            ),
            "gradient_not_path": (
                "O(2^N)",
                "the gradient may grow or fade exponentially along the path; the path itself has about N steps",
            ),
        },
    ),
]
