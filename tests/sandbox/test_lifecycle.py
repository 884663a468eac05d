"""Parents and children come and go: nothing is left behind, and a dead parent is replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.calls.requests_and_outcomes import Cell, ReadText, SandboxError
from autograder.sandbox import warm_parent
from autograder.sandbox.parent_pool import Sandbox

ANSWER = [Cell("a = 'here'", None, "c")]
READ = [ReadText("a", "a")]


def descendants(pid: int) -> set[int]:
    """Every process below this one."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            if parent == waiting[0] and int(path.parent.name) not in found:
                found.add(int(path.parent.name))
                waiting.append(int(path.parent.name))
        waiting.pop(0)
    return found


def wait_until_gone(pids: set[int]) -> None:
    """Processes end a moment after they are killed; a test that waits in vain is stopped from outside."""
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        time.sleep(0.01)


def parent_of(sandbox: Sandbox) -> warm_parent.WarmParent:
    (parent,) = sandbox._all
    return parent


def test_nothing_runs_after_the_sandbox_is_closed() -> None:
    before = descendants(os.getpid())
    with Sandbox() as sandbox:
        assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"
        ours = descendants(os.getpid()) - before
        assert ours
    wait_until_gone(ours)


def test_a_parent_that_dies_is_replaced(sandbox: Sandbox) -> None:
    first = parent_of(sandbox)
    os.killpg(first._process.pid, signal.SIGKILL)
    assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"
    assert parent_of(sandbox) is not first


def test_a_parent_is_replaced_after_its_share_of_children(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = parent_of(sandbox)
    monkeypatch.setattr(warm_parent, "MAX_FORKS", first.forks + 1)
    sandbox.run(ANSWER, READ)
    assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"
    assert parent_of(sandbox) is not first


def test_a_submission_under_which_the_parent_always_dies_is_left_to_a_person(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(self: warm_parent.WarmParent, *args: object) -> None:
        raise warm_parent.ParentGoneError("it ended")

    with monkeypatch.context() as patch:
        patch.setattr(warm_parent.WarmParent, "fork", die)
        got = sandbox.run(ANSWER, READ)
    assert (got.outcomes[0].status, got.cells[0].status) == ("machine", "machine")
    assert "the machine did not let it run, 3 times over" in got.outcomes[0].error
    assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"


def test_a_notebook_that_makes_thousands_of_files_is_stopped(sandbox: Sandbox) -> None:
    got = sandbox.run([Cell("n = 0\nwhile True: open(str(n), 'w').close(); n += 1", None, "c")], [])
    assert (got.cells[0].status, got.cells[0].limit) == (
        ("killed", "file") if sandbox.tier.scratch else ("raised", "")
    )
    assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"


LEFT = {
    "many files": "for n in range(1500): open(str(n), 'w').close()",
    "a folder that nobody may enter": "import os; os.mkdir('closed', 0)",
    "folders without end": "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')",
}


@pytest.mark.parametrize("source", LEFT.values(), ids=LEFT.keys())
def test_what_is_left_in_the_scratch_folder_does_not_reach_the_next_one(
    sandbox: Sandbox, source: str
) -> None:
    sandbox.run([Cell(source, None, "c")], [])
    look = [Cell("import os\na = str(os.listdir('.')) if os.getcwd() != '/' else '[]'", None, "c")]
    assert sandbox.run(look, READ).outcomes[0].text == "[]"


def test_every_parent_has_a_user_of_its_own() -> None:
    source = [Cell("import os\na = str(os.getuid())", None, "c")]
    with Sandbox() as one, Sandbox() as two:
        users = {sandbox.run(source, READ).outcomes[0].text for sandbox in (one, two)}
    assert len(users) == (2 if os.geteuid() == 0 else 1)


def test_descriptors_do_not_leak(sandbox: Sandbox) -> None:
    sandbox.run(ANSWER, READ)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        sandbox.run([*ANSWER, Cell("import os; os._exit(1)", None, "d")], READ)
    assert len(os.listdir("/proc/self/fd")) == before


JUDGE = """
import sys, time
from autograder.calls.requests_and_outcomes import Cell
from autograder.sandbox.parent_pool import Sandbox
with Sandbox(bubblewrap=sys.argv[1] == "bubblewrap") as sandbox:
    print("warm", flush=True)
    sandbox.run([Cell("while True: pass", None, "c")], [])
"""


def test_a_judge_that_is_killed_takes_everything_with_it(sandbox: Sandbox) -> None:
    judge = subprocess.Popen(
        [sys.executable, "-c", JUDGE, sandbox.tier.name], stdout=subprocess.PIPE, text=True
    )
    assert judge.stdout is not None
    with judge, judge.stdout:
        assert judge.stdout.readline() == "warm\n"
        ours = descendants(judge.pid)
        judge.kill()
    assert ours
    wait_until_gone(ours)


def test_a_thread_that_ends_does_not_end_the_parent_it_used(sandbox: Sandbox) -> None:
    first = parent_of(sandbox)
    first.spent = True
    for _ in range(2):
        thread = threading.Thread(target=sandbox.run, args=(ANSWER, READ))
        thread.start()
        thread.join()
    parent = parent_of(sandbox)
    assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"
    assert parent_of(sandbox) is parent


def test_several_workers_run_side_by_side() -> None:
    with Sandbox(workers=2) as sandbox:
        both = [threading.Thread(target=sandbox.run, args=(ANSWER, READ)) for _ in range(2)]
        for thread in both:
            thread.start()
        for thread in both:
            thread.join()
        assert len(sandbox._all) == 2
        assert sandbox.run(ANSWER, READ).outcomes[0].text == "here"


def test_a_closed_parent_can_be_closed_again() -> None:
    sandbox = Sandbox(isolation=False)
    parent = sandbox._begin()
    sandbox.close()
    parent.close()
    assert parent._process.returncode is not None


def python_of(sandbox: Sandbox) -> int:
    """The warm parent itself, below bubblewrap where there is one."""
    pid = parent_of(sandbox)._process.pid
    return max({pid, *descendants(pid)})


def test_a_parent_that_cannot_fork_is_the_graders_fault(sandbox: Sandbox) -> None:
    if os.geteuid():
        return  # only root may look into a process that hides its memory, and change its limits
    parent_of(sandbox).settle()
    held = len(list(Path(f"/proc/{python_of(sandbox)}/fd").iterdir())) - 1
    # The socket to a parent gets a number above the limit, which leaves room for a child's two pipes alone.
    few = ("sh", "-c", f'ulimit -n {held + 2}; exec "$@"', "sh")
    tight = Sandbox(bubblewrap=sandbox.tier.name == "bubblewrap")
    tight.tier = replace(tight.tier, command=(*few, *tight.tier.command))
    with ExitStack() as stack:
        for _ in range(100):
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        with tight, pytest.raises(SandboxError, match=r"cannot start a confined child.*OSError\(24"):
            tight.run(ANSWER, READ)
