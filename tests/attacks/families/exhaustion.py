"""Exhaustion: each limit ends the request that hits it, in words, and the other part keeps its marks."""

from __future__ import annotations

from tests.attacks.attack import RIGHT, Attack, aside, inside

SLOW = {"status": "timed_out", "says": "it took more than 0.7 s of processor time", "seconds": 0.7}
ASLEEP = {"status": "timed_out", "says": "it waited for longer than 0.7 s", "seconds": 0.7}
ATTACKS = {
    "memory at once": inside("return torch.ones(1 << 33)", status="killed", says="memory"),
    "memory bit by bit": inside(
        "hoard = []\nwhile True: hoard.append(torch.ones(1 << 20))", status="killed", says="memory"
    ),
    "memory of a list": inside("return [0] * (1 << 33)", status="killed", says="memory"),
    "memory by mapping": aside("""
        import mmap
        kept = [mmap.mmap(-1, 1 << 28) for _ in range(64)]"""),
    "memory in a file without a name": aside(
        "import os; os.posix_fallocate(os.memfd_create('hoard'), 0, 1 << 32)"
    ),
    "a loop without end": inside("while True: pass", **SLOW),
    "a sleep without end": inside("import time; time.sleep(3600)", **ASLEEP),
    "a sleep while the cell runs": Attack(
        RIGHT, before=("import time; time.sleep(3600)",), earns=(3.0, 1.0), seconds=1.0
    ),
    "a lock that is never free": inside(
        "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()", **ASLEEP
    ),
    "a lock of its own on the import": Attack(
        RIGHT, before=("import _imp; _imp.acquire_lock()",), earns=(3.0, 1.0)
    ),
    "a regular expression without end": inside("import re; re.match('(a+)+$', 'a' * 40 + 'b')", **SLOW),
    "all signals swallowed": inside(
        "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
        "    except Exception: pass\nwhile True: pass",
        **SLOW,
    ),
    "all exceptions swallowed": inside(
        "while True:\n    try: scores(q, k)\n    except BaseException: pass", **SLOW
    ),
    "processor time in threads": inside(
        "import threading\ndef burn():\n    x = torch.rand(300, 300)\n    while True: x = x @ x\n"
        "for _ in range(8): threading.Thread(target=burn).start()\nburn()",
        status="timed_out",
        limits={"cpu_seconds": 1.0},
        says="processor time",
    ),
    "descriptors": aside("""
        import os
        kept = []
        while True: kept.append(os.dup(0))"""),
    "threads": aside("""
        import threading, time
        for _ in range(10_000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"""),
    "standard output": aside("""
        import sys
        for _ in range(2_000): print('x' * 10_000); sys.stderr.write('y' * 10_000)"""),
    "standard output of the system": aside("""
        import os
        for _ in range(1_000): os.write(1, b'x' * 65_536); os.write(2, b'x' * 65_536)"""),
    "deep recursion": inside("return scores(q, k)", status="crashed", says="RecursionError"),
    "recursion beyond the stack": inside(
        "import sys; sys.setrecursionlimit(1 << 30)\n"
        "class A:\n    def __getattr__(self, name): return getattr(self, name + 'a')\nreturn A().x",
    ),
    "a value too large to send": inside("return torch.zeros(1).expand(1 << 40)"),
    "more values than can be read": inside("return [torch.zeros(1)] * 1_000_000"),
    "a nest without end": inside("nest = []; nest.append(nest); return nest"),
    "a number without end": inside("return 1 << (1 << 24)"),
    "an error as long as a book": inside("raise ValueError('x' * (1 << 26))", status="crashed"),
    "an error without end": inside(
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E", **SLOW
    ),
    "a chain of errors": inside(
        "error = None\nfor _ in range(50_000):\n    new = ValueError(); new.__cause__ = error; error = new\n"
        "raise error",
        status="crashed",
    ),
    "a text as long as the memory": Attack(RIGHT, axis="axis = 'a' * (1 << 28)", earns=(3.0, 0.0)),
    "a class name as long as a book": inside("return type('x' * (1 << 22), (), {})()"),
}
