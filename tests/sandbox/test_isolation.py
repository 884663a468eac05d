"""What a child cannot reach: files, processes, the network, the parent, and the judge's belief."""

from __future__ import annotations

import os
import socket
import sysconfig
from pathlib import Path

import pytest
import torch

from autograder.calls.requests_and_outcomes import Cell, FunctionCall, ReadText
from autograder.sandbox.parent_pool import Sandbox

X = torch.ones(2)


def attempt(sandbox: Sandbox, code: str) -> str:
    """Run the code; "done", or the name of the exception that stopped it."""
    body = "\n".join("    " + line for line in code.splitlines())
    source = f"try:\n{body}\n    said = 'done'\nexcept BaseException as e:\n    said = type(e).__name__"
    outcome = sandbox.run([Cell(source, None, "c")], [ReadText("said", "said")]).outcomes[0]
    return outcome.text or outcome.status


REFUSED = {
    "list the root of the grader": "import os; assert 'boot' in os.listdir('/')",
    "read passwords": "open('/etc/passwd')",
    "read the environment": "assert open('/proc/self/environ').read()",
    "read the parent's memory": "import os; open(f'/proc/{os.getppid()}/mem', 'rb')",
    "list the parent's files": "import os; os.listdir(f'/proc/{os.getppid()}/fd')",
    "write to the temporary folder": "open('/tmp/x', 'w')",
    "write beside torch": "import torch, os; open(os.path.dirname(torch.__file__) + '/x.py', 'w')",
    "empty a file by reading it": "import torch, os; os.open(torch.__file__, os.O_RDONLY | os.O_TRUNC)",
    "change a mode": "import os; open('x', 'w').close(); os.chmod('x', 0o777)",
    "make a link": "import os; os.symlink('/etc', 'x')",
    "make a hard link": "import torch, os; os.link(torch.__file__, 'x')",
    "make a pipe with a name": "import os; os.mkfifo('x')",
    "shared memory": "from multiprocessing import shared_memory as s; s.SharedMemory(create=True, size=9)",
    "fork": "import os; os.fork()",
    "spawn": "import os; os.posix_spawn('/bin/sh', ['sh'], {})",
    "run": "import subprocess; subprocess.run(['/bin/true'])",
    "exec": "import os, sys; os.execv(sys.executable, ['python'])",
    "multiprocessing": "import multiprocessing as m; m.get_context('fork').Process(target=print).start()",
    "tcp": "import socket; socket.socket()",
    "udp": "import socket; socket.socket(type=socket.SOCK_DGRAM)",
    "unix socket": "import socket; socket.socket(socket.AF_UNIX)",
    "netlink": "import socket; socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "datagram pair": "import socket; socket.socketpair(type=socket.SOCK_DGRAM)",
    "download": "import urllib.request as u; u.urlopen('http://127.0.0.1:9', timeout=1)",
    "kill the parent": "import os; os.kill(os.getppid(), 9)",
    "kill everybody": "import os; os.kill(-1, 9)",
    "kill the group": "import os; os.killpg(0, 9)",
    "limits of the parent": "import os, resource as r; r.prlimit(os.getppid(), r.RLIMIT_CPU, (1, 1))",
    "raise its own limit": "import resource as r; r.setrlimit(r.RLIMIT_NPROC, (9999, 9999))",
    "priority": "import os; os.setpriority(os.PRIO_PROCESS, 0, -5)",
    "affinity": "import os; os.sched_setaffinity(0, {0})",
    "become root": "import os; os.setuid(0)",
    "change root": "import os; os.chroot('/')",
}


@pytest.mark.parametrize("code", REFUSED.values(), ids=REFUSED.keys())
def test_the_system_is_out_of_reach(sandbox: Sandbox, code: str) -> None:
    assert attempt(sandbox, code) in {
        "AssertionError",
        "FileNotFoundError",
        "OSError",
        "PermissionError",
        "URLError",
        "ValueError",
    }


NATIVE = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "open_by_handle_at": (304, 265),
    "shmget": (29, 194),
    "personality": (135, 92),
    "seccomp": (317, 277),
    "landlock_create_ruleset": (444, 444),
    "truncate": (76, 45),
    "sendmsg": (46, 211),
}


@pytest.mark.parametrize("numbers", NATIVE.values(), ids=NATIVE.keys())
def test_a_system_call_by_number_is_refused(sandbox: Sandbox, numbers: tuple[int, int]) -> None:
    number = numbers[os.uname().machine == "aarch64"]
    code = (
        f"import ctypes, errno\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        f"assert libc.syscall({number}, 0, 0, 0, 0, 0) == -1\n"
        "raise LookupError if ctypes.get_errno() == errno.EPERM else KeyError(ctypes.get_errno())"
    )
    assert attempt(sandbox, code) == "LookupError"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that everybody may read, as far as the file system is concerned."""
    for folder in (tmp_path, *tmp_path.parents[:2]):  # the ones that pytest made
        folder.chmod(0o755)
    path = tmp_path / "secret.py"
    path.write_text("the reference")
    path.chmod(0o644)
    return path


def test_a_file_of_the_grader_cannot_be_read_or_found(sandbox: Sandbox, secret: Path) -> None:
    assert attempt(sandbox, f"open({str(secret)!r})") in {"PermissionError", "FileNotFoundError"}
    assert attempt(sandbox, f"import os; os.listdir({str(secret.parent)!r})") != "done"


def test_the_framework_beside_the_sandbox_is_not_readable(sandbox: Sandbox) -> None:
    import autograder.course.model

    assert attempt(sandbox, f"open({autograder.course.model.__file__!r})") != "done"
    assert attempt(sandbox, "import autograder.course.model") == "ModuleNotFoundError"


def test_a_listening_socket_of_the_machine_hears_nothing(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert (
            attempt(sandbox, f"import socket; socket.create_connection(('127.0.0.1', {port}), 1)") != "done"
        )
        server.settimeout(0.1)
        with pytest.raises(TimeoutError, match="timed out"):
            server.accept()


def test_only_the_pipes_are_open(sandbox: Sandbox) -> None:
    code = (
        "import os\nheld = []\nfor fd in range(300):\n    try: os.fstat(fd); held.append(fd)\n"
        "    except OSError: pass\nassert held == [0, 1, 2, 3, 4], held"
    )
    assert attempt(sandbox, code) == "done"


def test_the_child_is_never_root(sandbox: Sandbox) -> None:
    said = attempt(sandbox, "import os\nassert os.getuid() and os.getgid() and not os.getgroups()")
    assert said == "done"


def test_the_grader_is_not_in_the_childs_memory(sandbox: Sandbox) -> None:
    code = (
        "import sys\nours = {n.split('.')[1] for n in sys.modules if n.startswith('autograder.')}\n"
        "assert ours == {'calls', 'cost', 'sandbox'}, ours\n"
        "called = {n for n in sys.modules if n.startswith('autograder.calls.')}\n"
        "assert called == {'autograder.calls.' + n for n in 'function_arguments invoke note_numpy note_steps note_tensors packed_notes script_steps syntax_fault take_steps value_as_json'.split()}, called\n"
        "assert not [n for n in sys.modules if n.startswith('autograder.cost.')\n"
        "            and not n.startswith('autograder.cost.trace')]\n"
        "theirs = {n for n in sys.modules if n.startswith('autograder.sandbox.')}\n"
        "assert all(n.startswith('autograder.sandbox.inside') for n in theirs\n"
        "           - {'autograder.sandbox.wire', 'autograder.sandbox.tensors'}), theirs"
    )
    assert attempt(sandbox, code) == "done"


FORGERIES = {
    "an answer ahead of time": "import os; os.write(4, b'AGW1' + bytes(12))",
    "noise": "import os; os.write(4, b'score: 100')",
    "an answer to another request": (
        "import json, os, struct\nh = json.dumps({'id': 2, 'nonce': '', 'status': 'ok'}).encode()\n"
        "os.write(4, struct.pack('>4sIQ', b'AGW1', len(h), 0) + h)"
    ),
    "an endless message": "import os, struct as s; os.write(4, s.pack('>4sIQ', b'AGW1', 9, 1 << 62))",
    "no JSON": "import os, struct as s; os.write(4, s.pack('>4sIQ', b'AGW1', 4, 0) + b'{{{{')",
    "a deep header": (
        "import os, struct; os.write(4, struct.pack('>4sIQ', b'AGW1', 60000, 0) + b'[' * 60000)"
    ),
}


@pytest.mark.parametrize("code", FORGERIES.values(), ids=FORGERIES.keys())
def test_writing_to_the_judge_voids_the_submission_and_no_other(sandbox: Sandbox, code: str) -> None:
    source = f"{code}\ndef f(x): return x"
    forged = sandbox.run([Cell(source, None, "c")], [FunctionCall("p", "f", (X,)), ReadText("a", "a")])
    assert {(outcome.status, outcome.limit) for outcome in forged.outcomes} == {("killed", "protocol")}
    honest = sandbox.run([Cell("def f(x): return x", None, "c")], [FunctionCall("p", "f", (X,))])
    assert honest.outcomes[0].status == "ok"


def test_writing_to_the_judge_from_a_function_voids_the_submission(sandbox: Sandbox) -> None:
    source = "import os\ndef f(x):\n    os.write(4, b'AGW1')\n    return x"
    got = sandbox.run([Cell(source, None, "c")], [ReadText("a", "a"), FunctionCall("p", "f", (X,))])
    assert {outcome.limit for outcome in got.outcomes} == {"protocol"}


def test_a_tensor_that_lies_is_read_by_its_memory(sandbox: Sandbox) -> None:
    source = (
        "import torch\nclass Liar(torch.Tensor):\n    __eq__ = lambda self, other: True\n"
        "    shape = property(lambda self: (2,))\n    @classmethod\n"
        "    def __torch_function__(cls, *args, **kwargs): return torch.ones(2)\n"
        "def f(x): return torch.zeros(3).as_subclass(Liar)"
    )
    got = sandbox.run([Cell(source, None, "c")], [FunctionCall("p", "f", (X,))]).outcomes[0]
    assert got.status == "ok"
    assert torch.equal(got.outputs[0], torch.zeros(3))


def test_hostile_texts_are_cleaned(sandbox: Sandbox) -> None:
    source = r"a = 'O(n)\ud800\x1b[31m\x00'"
    got = sandbox.run([Cell(source, None, "c")], [ReadText("a", "a")]).outcomes[0]
    assert got.text == "O(n)?[31m"


def test_a_notebook_that_patches_the_childs_own_code_hurts_itself_only(sandbox: Sandbox) -> None:
    source = (
        "import sys\nfor name, module in list(sys.modules.items()):\n"
        "    if name.startswith('autograder') and hasattr(module, 'pack_value'): module.pack_value = None\n"
        "def f(x): return x"
    )
    patched = sandbox.run([Cell(source, None, "c")], [FunctionCall("p", "f", (X,))]).outcomes[0]
    assert patched.status == "raised"
    honest = sandbox.run([Cell("def f(x): return x", None, "c")], [FunctionCall("p", "f", (X,))]).outcomes[0]
    assert honest.status == "ok"


def test_what_a_child_reads_leaves_no_access_time_behind(sandbox: Sandbox) -> None:
    """A later child could tell from it which files one chose that knew a hidden input."""
    if not sandbox.tier.scratch:
        return  # a machine on which nobody may mount; docs/security.md says so
    path = Path(sysconfig.get_path("stdlib")) / "this.py"
    if os.access(path, os.W_OK):  # else it is as old as it happens to be
        os.utime(path, (path.stat().st_mtime - 10 * 24 * 3600, path.stat().st_mtime))
    before = path.stat().st_atime
    code = f"assert open({str(path)!r}).read()"
    assert attempt(sandbox, code) == "done"
    assert path.stat().st_atime == before
