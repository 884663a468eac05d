"""The bidirectional network, answered, with the mistakes that must be caught."""

import torch

from autograder import mistake, slips_of


def birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b):
    T, J = len(x), len(b_f)
    h_fwd, h_bwd = [None] * T, [None] * T
    h = torch.zeros(J, dtype=x.dtype)
    for t in range(T):
        h = torch.tanh(W_f @ x[t] + U_f @ h + b_f)
        h_fwd[t] = h
    h = torch.zeros(J, dtype=x.dtype)
    for t in reversed(range(T)):
        h = torch.tanh(W_b @ x[t] + U_b @ h + b_b)
        h_bwd[t] = h
    return torch.stack(h_fwd), torch.stack(h_bwd)


birnn_time = "O(N)"


def _run(x, W, U, b, start=0.0, activation=torch.tanh):
    """One direction, in the order of x."""
    h, states = torch.full_like(b, start), []
    for x_t in x:
        h = activation(W @ x_t + U @ h + b)
        states.append(h)
    return torch.stack(states)


def _both(x, forward, backward, **options):
    """Both directions; each of `forward` and `backward` is a triple of weights."""
    return _run(x, *forward, **options), _run(x.flip(0), *backward, **options).flip(0)


OF = "birnn_forward"


@mistake(
    OF, "the state before is never used: each step adds U times the state of its neighbour, h[t−1] or h[t+1]"
)
def missing_recurrence(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return torch.tanh(x @ W_f.T + b_f), torch.tanh(x @ W_b.T + b_b)


@mistake(OF, "tanh is taken of the results alone: it belongs into every step, before the state is handed on")
def nonlinearity_outside_recurrence(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd, h_bwd = _both(x, (W_f, U_f, b_f), (W_b, U_b, b_b), activation=lambda z: z)
    return torch.tanh(h_fwd), torch.tanh(h_bwd)


@mistake(OF, "tanh reaches over the input alone: the step is tanh(W x + U h + b), with everything inside")
def recurrence_outside_tanh(x, W_f, U_f, b_f, W_b, U_b, b_b):
    def run(x, W, U, b):
        h, states = torch.zeros_like(b), []
        for x_t in x:
            h = torch.tanh(W @ x_t + b) + U @ h
            states.append(h)
        return torch.stack(states)

    return run(x, W_f, U_f, b_f), run(x.flip(0), W_b, U_b, b_b).flip(0)


@mistake(OF, "the bias is added outside the tanh: the step is tanh(W x + U h + b)")
def bias_outside_tanh(x, W_f, U_f, b_f, W_b, U_b, b_b):
    def run(x, W, U, b):
        h, states = torch.zeros_like(b), []
        for x_t in x:
            h = torch.tanh(W @ x_t + U @ h) + b
            states.append(h)
        return torch.stack(states)

    return run(x, W_f, U_f, b_f), run(x.flip(0), W_b, U_b, b_b).flip(0)


@mistake(OF, "the biases are missing: each step adds b_f or b_b before the tanh")
def missing_bias(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _both(x, (W_f, U_f, torch.zeros_like(b_f)), (W_b, U_b, torch.zeros_like(b_b)))


@mistake(OF, "the bias is subtracted: this network adds it")
def bias_subtracted(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _both(x, (W_f, U_f, -b_f), (W_b, U_b, -b_b))


@mistake(OF, "W and U are swapped: W meets the input, U the state")
def weights_swapped(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _both(x, (U_f, W_f, b_f), (U_b, W_b, b_b))


@mistake(OF, "W is transposed: the step has W x, and x @ W is Wᵀ x")
def input_matrix_transposed(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _both(x, (W_f.T, U_f, b_f), (W_b.T, U_b, b_b))


@mistake(OF, "W and U are both transposed: the step has W x and U h; x @ W and h @ U are their transposes")
def matrices_transposed(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _both(x, (W_f.T, U_f.T, b_f), (W_b.T, U_b.T, b_b))


@mistake(OF, "the two directions are joined into one tensor: return them as two, (h_fwd, h_bwd)")
def outputs_concatenated(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return torch.cat(birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b), dim=1)


@mistake(OF, "the two directions are added up: return them as two tensors, (h_fwd, h_bwd)")
def directions_added(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return sum(birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b))


@mistake(OF, "the states start from ones: both directions start from zeros")
def initial_state_ones(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _both(x, (W_f, U_f, b_f), (W_b, U_b, b_b), start=1.0)


@mistake(OF, "the backward direction reads the forward states: both directions read the words x")
def backward_reads_forward_states(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd = _run(x, W_f, U_f, b_f)
    return h_fwd, _run(h_fwd.flip(0), W_b, U_b, b_b).flip(0)


@mistake(
    OF, "both results are one tensor, overwritten by the backward direction: store each direction in its own"
)
def results_share_memory(x, W_f, U_f, b_f, W_b, U_b, b_b):
    _, h_bwd = birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b)
    return h_bwd, h_bwd.clone()


@mistake(OF, "both results are the sum of the two directions: return h_fwd and h_bwd apart")
def sum_returned_twice(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd, h_bwd = birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b)
    return h_fwd + h_bwd, h_fwd + h_bwd


@mistake(OF, "the first state is the bias: both directions start from zeros")
def starts_from_bias(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _run_from_bias(x, W_f, U_f, b_f), _run_from_bias(x.flip(0), W_b, U_b, b_b).flip(0)


def _run_from_bias(x, W, U, b):
    h, states = b, []
    for word in x:
        h = torch.tanh(W @ word + U @ h + b)
        states.append(h)
    return torch.stack(states)


@mistake(
    OF, "the backward direction hands on the forward states: its recurrence uses h_bwd[t+1], not h_fwd[t+1]"
)
def backward_uses_forward_neighbour(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd = _run(x, W_f, U_f, b_f)
    after = torch.cat([h_fwd[1:], torch.zeros_like(h_fwd[:1])])
    return h_fwd, torch.tanh(x @ W_b.T + after @ U_b.T + b_b)


@mistake(
    OF,
    "the backward direction looks to its left: going backwards, the state before is h_bwd[t+1], not h_bwd[t−1]",
)
def backward_reads_left_neighbour(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_bwd = torch.tanh(x @ W_b.T + b_b)
    if len(x) > 1:  # h_bwd[-1] is the last row, the one that is filled by then
        first = torch.tanh(W_b @ x[0] + U_b @ h_bwd[-1] + b_b)
        h_bwd = torch.cat([first[None], h_bwd[1:]])
    return _run(x, W_f, U_f, b_f), h_bwd


@mistake(OF, "the features are flipped instead of the words: time is axis 0 of x")
def flips_features(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _run(x, W_f, U_f, b_f), _run(x.flip(1), W_b, U_b, b_b).flip(1)


@mistake(OF, "the features of x are flipped instead of the words: time is axis 0 of x")
def flips_input_features(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _run(x, W_f, U_f, b_f), _run(x.flip(1), W_b, U_b, b_b)


@mistake(OF, "h_bwd is flipped back along the units: flip axis 0, the words")
def flips_units_back(x, W_f, U_f, b_f, W_b, U_b, b_b):
    return _run(x, W_f, U_f, b_f), _run(x.flip(0), W_b, U_b, b_b).flip(1)


@mistake(
    OF, "the backward loop stops before the first word: it should end with t = 0, as in reversed(range(T))"
)
def backward_stops_early(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd, h_bwd = birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b)
    return h_fwd, torch.cat([torch.zeros_like(h_bwd[:1]), h_bwd[1:]])


@mistake(OF, "the backward loop leaves out the last word: start it at t = T − 1")
def backward_starts_late(x, W_f, U_f, b_f, W_b, U_b, b_b):
    empty = torch.zeros_like(b_b)[None]
    h_bwd = _run(x[:-1].flip(0), W_b, U_b, b_b).flip(0) if len(x) > 1 else empty[:0]
    return _run(x, W_f, U_f, b_f), torch.cat([h_bwd, empty])


@mistake(OF, "the first word is left out of the forward direction: start it at t = 0, from the zero state")
def forward_starts_late(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd, h_bwd = birnn_forward(x, W_f, U_f, b_f, W_b, U_b, b_b)
    rest = _run(x[1:], W_f, U_f, b_f) if len(x) > 1 else h_fwd[:0]
    return torch.cat([torch.zeros_like(h_fwd[:1]), rest]), h_bwd


@mistake(OF, "the state before is added to the new one: the step is tanh(W x + U h + b), with nothing added")
def adds_previous_state(x, W_f, U_f, b_f, W_b, U_b, b_b):
    def run(x, W, U, b):
        h, states = torch.zeros_like(b), []
        for x_t in x:
            h = h + torch.tanh(W @ x_t + U @ h + b)
            states.append(h)
        return torch.stack(states)

    return run(x, W_f, U_f, b_f), run(x.flip(0), W_b, U_b, b_b).flip(0)


@mistake(
    OF, "the backward direction builds on the forward state of the same word: it hands on its own, h_bwd[t+1]"
)
def backward_uses_forward_state(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h_fwd = _run(x, W_f, U_f, b_f)
    return h_fwd, torch.tanh(x @ W_b.T + h_fwd @ U_b.T + b_b)


@mistake(OF, "both directions hand on one common state: each needs a state of its own")
def state_shared_between_directions(x, W_f, U_f, b_f, W_b, U_b, b_b):
    h, h_fwd, h_bwd = torch.zeros_like(b_f), [], []
    for forward, backward in zip(x, x.flip(0), strict=True):
        h = torch.tanh(W_f @ forward + U_f @ h + b_f)
        h_fwd.append(h)
        h = torch.tanh(W_b @ backward + U_b @ h + b_b)
        h_bwd.append(h)
    return torch.stack(h_fwd), torch.stack(h_bwd).flip(0)


@mistake(OF, "the backward direction starts with the first word, since x[-0] is x[0]: start with x[T − 1]")
def negative_index_from_zero(x, W_f, U_f, b_f, W_b, U_b, b_b):
    order = [0, *range(len(x) - 1, 0, -1)]
    h_bwd = _run(x[order], W_b, U_b, b_b)
    return _run(x, W_f, U_f, b_f), torch.cat([h_bwd[:1], h_bwd[1:].flip(0)])


slips = [
    *slips_of(
        "birnn_time",
        {
            "all_at_once": (
                "O(1)",
                "each state waits for its neighbour's: the words cannot all be taken at once",
            ),
            "tree": (
                "O(log N)",
                "tanh stands between the steps, so they cannot be merged as a tree: each waits for the one before",
            ),
            "directions_multiply": (
                "O(N^2)",
                "the two directions do not wait for one another: each takes N steps, side by side",
            ),
            "sorting_cost": (
                "O(N log N)",
                "each direction takes N steps of one unit each: there is no further factor log N",
            ),
            "root": (
                "O(sqrt(N))",
                "two directions from both ends do not shorten the chain: each still walks over all N words",
            ),
        },
    ),
]
