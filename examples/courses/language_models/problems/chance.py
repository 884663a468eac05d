"""Chance and training: functions whose result no table holds, and what must be true of them."""

import torch

from autograder import Code, Problem, case, drawn, falls, follows, number, probabilities, prop, whole


def dropout(x, chance):
    """Set each entry to 0 with this chance, and divide the others by 1 - chance.   x[N, D]   returns [N, D]"""


def entries_are_kept_or_dropped(dropout, x, chance):
    y = dropout(x, chance)
    kept = y != 0
    return torch.allclose(y[kept], x[kept] / (1 - chance))


def so_many_are_dropped(dropout, x, chance):
    dropped = (dropout(x, chance) == 0).long()
    return follows(dropped, [1 - chance, chance])


def calls_differ(dropout, x, chance):
    return not torch.equal(dropout(x, chance), dropout(x, chance))


def sample(p, share, n):
    """Draw n words, each by its chance among the fewest most likely words whose chances p add up to at least
    `share`.   p[W]   returns words[n]
    """


def _top_p(p, share):
    order = p.argsort(descending=True)
    before = p[order].cumsum(0) - p[order]
    kept = torch.zeros_like(p)
    kept[order[before < share]] = p[order[before < share]]
    return kept / kept.sum()


def drawn_by_their_chances(sample, p, share, n):
    return follows(sample(p, share, n), _top_p(p, share))


def batch(tokens, size, length):
    """`size` windows of `length` tokens from random places, and the same windows one place later.

    tokens[N]   returns (inputs[size, length], targets[size, length])
    """


def windows_are_of_the_text(batch, tokens, size, length):
    inputs, targets = batch(tokens, size, length)
    windows = tokens.unfold(0, length + 1, 1)
    return all(
        bool((windows == row).all(1).any()) for row in torch.cat([inputs, targets[:, -1:]], 1)
    ) and bool((inputs[:, 1:] == targets[:, :-1]).all())


def every_place_is_as_likely(batch, tokens, size, length):
    # The text counts upwards: the first token of a window is its place.
    places = torch.cat([batch(tokens, size, length)[0][:, 0] for _ in range(40)])
    many = len(tokens) - length
    return follows(places, torch.full((many,), 1 / many))


def trained(x, y, steps):
    """Fit y = x @ w + b by gradient descent on the mean squared error, in so many steps, from any start.

    x[N, D]   y[N]   returns (w[D], b[])
    """


def _error(w, b, x, y):
    return float(((x @ w + b - y) ** 2).mean())


def the_error_is_low(trained, x, y, steps):
    w, b = trained(x, y, steps)
    return _error(w, b, x, y) < 0.02


def losses(x, y, steps):
    """The mean squared errors of such a run, one before each step.   x[N, D]   y[N]   returns list[float]"""


def they_fall(losses, x, y, steps):
    found = losses(x, y, steps)
    return len(found) == steps and falls(found, to=0.2)


def they_begin_with_zero_weights(losses, x, y, steps):
    return abs(losses(x, y, steps)[0] - float((y * y).mean())) < 1e-4


def _inputs(rng, N, D, **others):
    return torch.as_tensor(rng.standard_normal((N, D))).float()


def _targets(rng, N, D, **others):
    return torch.as_tensor(rng.standard_normal(N) * 0.1).float() + 2


def _counting(rng, N, **others):
    return torch.arange(N)


_RUN = {"x": drawn(_inputs), "y": drawn(_targets), "steps": number()}


problem = Problem(
    title="Chance and training",
    source="our own",
    statement="No single value is right here: what is asked is true of every right answer, and of few others.",
    parts=[
        Code(
            dropout,
            points=2,
            draws={"chance": number()},
            holds=[
                prop("what is not dropped is divided by 1 - chance", entries_are_kept_or_dropped),
                prop("entries are dropped with that chance", so_many_are_dropped),
                prop("two calls drop other entries", calls_differ),
            ],
            cases=[
                case("a quarter", N=40, D=50, chance=0.25),
                case("most", N=30, D=60, chance=0.8, hidden=True, hint="chance is that of being dropped"),
            ],
        ),
        Code(
            sample,
            points=2,
            draws={"p": probabilities(), "share": number(), "n": number()},
            holds=[
                prop("words are drawn by their chances among those that are kept", drawn_by_their_chances)
            ],
            cases=[
                case("half", W=8, share=0.5, n=2000),
                case(
                    "nearly all",
                    W=12,
                    share=0.9,
                    n=4000,
                    hidden=True,
                    hint="the word that reaches the share is kept",
                ),
            ],
        ),
        Code(
            batch,
            points=2,
            draws={"tokens": drawn(_counting), "size": number(), "length": number()},
            holds=[
                prop("inputs and targets are windows of the text, one place apart", windows_are_of_the_text),
                prop("every place of the text is as likely", every_place_is_as_likely),
            ],
            cases=[
                case("windows of four", N=20, size=16, length=4),
                case(
                    "windows of one", N=9, size=16, length=1, hidden=True, hint="the last place counts, too"
                ),
            ],
        ),
        Code(
            trained,
            points=3,
            draws=_RUN,
            holds=[prop("the error of what it returns is below 0.02", the_error_is_low)],
            limits={"call_seconds": 5},
            cases=[
                case("three weights", N=50, D=3, steps=200),
                case("five weights", N=60, D=5, steps=200, hidden=True, hint="b is trained as well"),
            ],
        ),
        Code(
            losses,
            points=1,
            draws=_RUN,
            holds=[
                prop("the first is the error of weights that are zero", they_begin_with_zero_weights),
                prop("there is one for each step, and they fall to a fifth", they_fall),
            ],
            cases=[case("three weights", N=50, D=3, steps=100)],
        ),
    ],
)
