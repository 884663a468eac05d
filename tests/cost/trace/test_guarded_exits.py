"""What a program does where nothing is counted is not measured, and never a measured zero."""

from __future__ import annotations

import _thread
import concurrent.futures
import copy
import io
import pickle
import threading

import numpy
import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from autograder.cost.trace.time_model import UnknownOperation
from autograder.cost.trace.tracer import trace

x = torch.rand(3, 4)
EARLIER = {"modes": _disable_current_modes}  # a name taken before the first trace


def in_a_thread(start):
    def program(q):
        found = []
        start(lambda: found.append(q @ q.T))
        return found[0] if found else q

    return program


def by_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def by_pool(work):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        pool.submit(work).result()


def unwatched(q):
    with torch.utils._python_dispatch._disable_current_modes():
        return q @ q.T


def unwatched_by_an_earlier_name(q):
    with EARLIER["modes"]():
        return q @ q.T


def without_dispatch(q):
    with torch._C._DisableTorchDispatch():
        return q @ q.T


def saved(q):
    torch.save(q, io.BytesIO())
    return q


LEAVING = [
    ("numpy", lambda q: q.numpy(), "numbers leave torch"),
    ("numpy-of-the-base", lambda q: torch._C.TensorBase.numpy(q), "numbers leave torch"),
    ("tolist", lambda q: q.tolist(), "numbers leave torch"),
    ("asarray", numpy.asarray, "numbers leave torch"),
    ("storage-tolist", lambda q: q.untyped_storage().tolist(), r"Storage\.tolist"),
    ("typed-storage-tolist", lambda q: q.storage().tolist(), r"Storage\.tolist"),
    ("bytes-of-storage", lambda q: bytes(q.untyped_storage()), "numbers leave torch"),
    ("entry-of-storage", lambda q: q.untyped_storage()[0], "numbers leave torch"),
    ("pointer-of-storage", lambda q: q.untyped_storage().data_ptr(), "numbers leave torch"),
    ("to-dlpack", lambda q: torch.utils.dlpack.to_dlpack(q), "numbers leave torch"),
    ("dlpack", lambda q: q.__dlpack__(), "numbers leave torch"),
    ("pickle", pickle.dumps, "numbers leave torch"),
    ("reduce", lambda q: q.__reduce_ex__(2), "numbers leave torch"),
    ("save", saved, "numbers leave torch"),
    ("apply", lambda q: q.clone().apply_(lambda entry: entry + 1), "numbers leave torch"),
    ("map", lambda q: q.clone().map_(q, lambda a, b: a + b), "numbers leave torch"),
    ("thread", in_a_thread(by_thread), "what another thread does"),
    ("pool", in_a_thread(by_pool), "what another thread does"),
    ("bare-thread", in_a_thread(lambda work: _thread.start_new_thread(work, ())), "what another thread does"),
    ("unwatched", unwatched, "not watched"),
    ("unwatched-by-an-earlier-name", unwatched_by_an_earlier_name, "not watched|nothing was seen"),
    ("without-dispatch", without_dispatch, "not watched"),
    ("meta", lambda q: torch.empty(2**40, dtype=torch.int8, device="meta") + 1, "the device 'meta'"),
    ("meta-on-the-way", lambda q: (q.to("meta") @ q.T.to("meta"), q)[1], "the device 'meta'"),
    ("meta-as-a-result", lambda q: META, "the device 'meta'"),
    ("unseen-memory", lambda q: torch.frombuffer(bytearray(16), dtype=torch.float32), "nothing was seen"),
    ("memory-of-numpy", lambda q: torch.from_numpy(numpy.ones(3)), "memory from elsewhere"),
    ("in-a-list", lambda q: [q, {"a": (META,)}], "the device 'meta'"),
]
META = torch.empty(2**61, dtype=torch.int8, device="meta")


@pytest.mark.parametrize(
    ("function", "why"), [case[1:] for case in LEAVING], ids=[case[0] for case in LEAVING]
)
@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
def test_what_is_not_seen_is_not_measured(function, why):
    with pytest.raises(UnknownOperation, match=why):
        trace(function, x.clone())


def test_a_thread_that_was_refused_is_not_forgiven_when_the_program_goes_on():
    def sly(q):
        try:
            in_a_thread(by_thread)(q)
        except Exception:
            return q

    with pytest.raises(UnknownOperation, match="another thread"):
        trace(sly, x)


def test_other_threads_may_do_as_they_like_meanwhile():
    seen = []

    def elsewhere():
        seen.append(x.tolist())
        seen.append(by_thread(lambda: seen.append(1)))

    def program(q):
        asked.set()
        answered.wait()
        return q + 1

    def wait():
        asked.wait()
        elsewhere()
        answered.set()

    asked, answered = threading.Event(), threading.Event()
    other = threading.Thread(target=wait)
    other.start()
    assert trace(program, x).work == 12
    other.join()
    assert seen == [x.tolist(), 1, None]


def test_the_doors_are_open_again_afterwards():
    trace(torch.exp, x)
    by_thread(lambda: None)
    assert pickle.loads(pickle.dumps(x)).equal(x)
    assert unwatched(x).shape == (3, 3)
    assert len(bytes(x.untyped_storage())) == 48
    assert torch._C.TensorBase is not torch.Tensor


def test_what_comes_from_the_arguments_or_the_layer_itself_may_be_returned():
    layer = nn.BatchNorm1d(4)
    assert trace(lambda q: q[1:].T, x).work == 0
    assert trace(lambda q: {"q": [q]}, x).work == 0
    assert trace(lambda held: held["q"][0].T, {"q": (x,)}).work == 0
    assert trace(layer, x).work > 0
    assert trace(lambda module: module.weight, layer).work == 0


def test_a_mode_of_its_own_is_a_programs_right():
    class Idle(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            return func(*args, **(kwargs or {}))

    def program(q):
        with Idle():
            return q + 1

    assert trace(program, x).work == 12


def test_a_deep_copy_is_memory_and_work_like_any_copy():
    cost = trace(copy.deepcopy, x.clone())
    assert cost.memory >= 4 * 12
    assert cost.work >= 12
