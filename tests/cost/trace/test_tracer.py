"""Dependencies are followed through views, in-place writes, loops, Python numbers and backward passes."""

from __future__ import annotations

import gc

import pytest
import torch
from torch import nn

from autograder.cost.trace.tracer import trace

T, D = 16, 4
x = torch.rand(T, D)


def span(function, *args, **options) -> int:
    return trace(function, *args, **options).span


def test_independent_operations_run_side_by_side():
    assert span(lambda a: (a.exp(), a.sin(), a.cos()), x) == 1


def test_a_chain_adds_up():
    assert span(lambda a: a.exp().sin().cos(), x) == 3


def test_a_view_waits_for_what_it_looks_at():
    assert span(lambda a: a.exp().T.reshape(D, T)[1:].unsqueeze(0).exp(), x) == 2


def test_a_loop_over_time_costs_its_length():
    def recurrence(a):
        h = torch.zeros(D)
        for row in a:
            h = torch.tanh(h + row)
        return h

    assert span(recurrence, x) == 1 + 2 * T


def test_rows_filled_in_a_loop_do_not_wait_for_each_other():
    def fill(a):
        out = torch.empty(T, D)
        for t in range(T):
            out[t] = a[t].exp()
        return out.sin()

    assert span(fill, x) == 3


def test_rows_changed_in_place_do_not_wait_for_each_other():
    def scale(a):
        out = a.clone()
        for t in range(T):
            out[t].mul_(2)
        return out.sin()

    assert span(scale, x) == 3


def test_columns_are_told_apart_as_well_as_rows():
    def scale(a):
        out = a.clone()
        for d in range(D):
            out[:, d].mul_(2)
        return out[:, 0].sin()

    assert span(scale, x) == 3


def test_a_recurrence_inside_one_tensor_is_seen():
    def prefix(a):
        out = a.clone()
        for t in range(1, T):
            out[t].add_(out[t - 1])
        return out

    assert span(prefix, x) == 1 + (T - 1)


def test_two_halves_of_one_tensor_are_two_recurrences():
    def both_ways(a):
        out = torch.zeros(2, T, D)
        for t in range(1, T):
            torch.add(out[0, t - 1], a[t], out=out[0, t])
        for t in range(T - 2, -1, -1):
            torch.add(out[1, t + 1], a[t], out=out[1, t])
        return out

    assert span(both_ways, x) == 1 + (T - 1)


def test_memory_seen_as_another_dtype_waits_for_all_of_it():
    def mixed(a):
        out = a.clone()
        out[0].mul_(2)
        out.view(torch.int32).to(torch.int64)
        out.view(torch.int16)[0].add_(1)
        return out[5].sin()

    assert span(mixed, x) == 4


def test_what_is_written_over_is_not_waited_for():
    def overwrite(a, b):
        slow = a.exp().exp().exp()
        slow.copy_(b)
        return slow.exp()

    assert span(overwrite, x, x.clone()) == max(3, 1 + 1)


def test_a_number_taken_to_python_holds_up_what_follows():
    def through_python(a):
        total = float(a.exp().sum())
        return torch.full((3,), total)

    assert span(through_python, x) == 1 + 6 + 1


def test_backward_starts_when_forward_is_done():
    assert span(torch.exp, x, backward=True) == 1 + 1 + 1  # exp; the ones; times exp
    assert span(lambda a: a @ a.T, x, backward=True) > span(lambda a: a @ a.T, x)


def test_a_recurrent_network_of_torch_costs_its_length():
    spans = [span(nn.RNN(D, 3), torch.rand(length, D)) for length in (8, 16, 32)]
    assert spans[2] - spans[1] == 2 * (spans[1] - spans[0])


def test_layers_of_a_recurrent_network_work_as_a_pipeline():
    def stacked(a, layers):
        states = [torch.zeros(D) for _ in range(layers)]
        for row in a:
            below = row
            for layer in range(layers):
                states[layer] = below = torch.tanh(below + states[layer])
        return below

    assert span(stacked, x, 5) == 1 + 2 * (T + 5 - 1)


def test_memory_is_the_most_that_is_alive_at_once():
    def one_after_another(a):
        for _ in range(10):
            b = a.exp()
            del b
        return a.sum()

    assert trace(one_after_another, x).memory == 4 * T * D
    assert trace(lambda a: [a.exp() for _ in range(10)], x).memory == 10 * 4 * T * D


def test_views_take_no_memory_and_expanded_copies_do():
    assert trace(lambda a: a.T.expand(9, D, T), x).memory == 0
    assert trace(lambda a: a.T.expand(9, D, T).contiguous(), x).memory == 9 * 4 * T * D


def test_arguments_are_not_charged_even_when_they_are_written():
    assert trace(lambda a: a.mul_(2), x.clone()).memory == 0


GROWING = [
    ("out", lambda a: torch.mm(a, a.T, out=torch.empty(0))),
    ("resize", lambda a: a.new_empty(0).resize_(T, T)),
    ("resize-as", lambda a: a.new_empty(0).resize_as_(TABLE)),
    ("list", lambda a: torch.tensor([[1.0] * T] * T)),
    ("as-tensor", lambda a: torch.as_tensor([[1.0] * T] * T)),
]
TABLE = torch.rand(T, T)


@pytest.mark.parametrize("function", [case[1] for case in GROWING], ids=[case[0] for case in GROWING])
def test_memory_that_grows_or_comes_from_python_is_counted(function):
    assert trace(function, x).memory == 4 * T * T


def test_a_storage_that_was_resized_is_counted_when_it_is_written():
    def grow(a):
        out = a.new_empty(0)
        out.untyped_storage().resize_(4 * T * T)
        return out.set_(out.untyped_storage(), 0, (T, T)).fill_(1.0)

    assert trace(grow, x).memory == 4 * T * T


def test_an_argument_is_charged_for_what_it_grows_and_credited_nothing():
    assert trace(lambda a: a.resize_(T, T).zero_(), x.clone()).memory == 4 * T * (T - D)
    assert trace(lambda a: (a.resize_(1, 1), a.new_zeros(3))[1], x.clone()).memory == 4 * 3


def test_memory_that_shrinks_is_given_back():
    def shrink(a):
        out = a.new_empty(T, T)
        out.untyped_storage().resize_(0)
        out.resize_(1)
        return a.new_empty(T, T)

    assert trace(shrink, x).memory == 4 * (T * T + 1)


def test_counts_are_the_same_on_every_run():
    def program(a):
        keep = []
        for row in a:
            keep.append(keep)  # a cycle: collected whenever the collector likes
            a = a + row.outer(row).sum()
        return a

    costs = {trace(program, x) for _ in range(5)}
    gc.collect()
    costs |= {trace(program, torch.randn(T, D))}
    assert len(costs) == 1


def test_the_collector_is_left_as_it_was():
    trace(torch.exp, x)
    assert gc.isenabled()
    gc.disable()
    try:
        trace(torch.exp, x)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_an_error_of_the_program_is_its_own():
    with pytest.raises(ZeroDivisionError, match="division"):
        trace(lambda a: 1 / 0, x)


def test_a_program_may_differentiate_inside():
    def gradient(a):
        a = a.detach().requires_grad_()
        return torch.autograd.grad((a @ a.T).sum(), a)[0]

    assert trace(gradient, x).work > trace(lambda a: (a @ a.T).sum(), x).work


def test_functional_transforms_are_counted():
    vectorised = trace(torch.func.vmap(torch.dot), x, x)
    assert vectorised.work == T * D


def test_a_program_may_print_its_tensors():
    assert trace(lambda a: (str(a), a.exp())[1], x) == trace(torch.exp, x)


def test_the_doors_out_of_torch_are_open_again_afterwards():
    trace(torch.exp, x)
    assert torch.ones(2).tolist() == [1.0, 1.0]
    assert torch.ones(2).numpy().sum() == 2
    assert torch.Tensor.numpy.__doc__


def test_views_are_followed_though_torch_does_not_stop_for_them():
    def through_views(a):
        b = a.exp()
        return b.view(-1).unsqueeze(0).expand(2, -1)[1].view(torch.int32).unbind()[3] + 1

    assert trace(through_views, x).span == 2
