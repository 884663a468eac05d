"""Unusual endings: exits, signals, hooks and crashes cost the request they happen in, and no other."""

from __future__ import annotations

from tests.attacks.attack import RIGHT, Attack, aside, inside

DIED = {"status": "killed"}
ATTACKS = {
    "exit in the function": inside("import os; os._exit(0)", **DIED, says="exit code 0"),
    "exit in a cell": Attack(RIGHT, before=("import os; os._exit(0)",), earns=(3.0, 1.0)),
    "sys.exit in a cell": Attack(RIGHT, before=("import sys; sys.exit(0)", "exit()"), earns=(3.0, 1.0)),
    "sys.exit in the function": inside("raise SystemExit(0)", status="crashed"),
    "exit in a finaliser": Attack(
        "import os\nclass D:\n    def __del__(self): os._exit(0)\n"
        "def scores(q, k):\n    D()\n    return torch.softmax(q @ k.T, 1)",
        **DIED,
    ),
    "a hook at the end": aside("""
        import atexit, time
        atexit.register(time.sleep, 3600)
        atexit.register(open, '@GROUND@/atexit', 'w')"""),
    "a thread that the end waits for": aside(
        "import threading, time; threading.Thread(target=time.sleep, args=(3600,)).start()"
    ),
    "a segfault": inside("import ctypes; ctypes.string_at(0)", **DIED, says="SIGSEGV"),
    "an abort": inside("import os; os.abort()", **DIED, says="SIGABRT"),
    "a stop": inside("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", status="crashed"),
    "a stop of its thread": inside("import signal; signal.raise_signal(signal.SIGTSTP)", status="crashed"),
    "a kill in the machine's name": inside(
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", status="crashed", says="PermissionError"
    ),
    "an end in the machine's name": inside(
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)", status="crashed", says="PermissionError"
    ),
    "a limit that kills it": inside(
        "import resource as r; r.setrlimit(r.RLIMIT_CPU, (1, 1))\nwhile True: pass", status="crashed"
    ),
    "a sleep without end": inside("import time; time.sleep(1e6)", status="timed_out", seconds=0.7),
    "a sleep in small pieces": inside(
        "import time\nwhile True: time.sleep(0.001)", status="timed_out", seconds=0.7
    ),
    "a lock that nobody opens": inside(
        "import threading; lock = threading.Lock(); lock.acquire(); lock.acquire()",
        status="timed_out",
        seconds=0.7,
    ),
    "an alarm": aside("import signal; signal.setitimer(signal.ITIMER_REAL, 3600)"),
    # Whether the alarm rings before or after an answer is chance; so the answers are wrong ones.
    "an alarm between two questions": inside(
        "import signal; signal.setitimer(signal.ITIMER_REAL, 0.001)",
    ),
    "an interrupt": inside("import _thread; _thread.interrupt_main()"),
    "a system call that kills": inside(
        "import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 39)", **DIED, says="SIGSYS"
    ),
    "broken bytecode": inside(
        "import types\ncode = scores.__code__.replace(co_code=b'\\x64\\xff' * 20, co_consts=())\n"
        "return types.FunctionType(code, {})()",
    ),
    "a trace on every line": aside("import sys; sys.settrace(lambda *args: 1 / 0)"),
    "a profile on every call": aside("import sys; sys.setprofile(lambda *args: None)"),
    "a hook on collection": aside("import gc; gc.callbacks.append(lambda *args: 1 / 0)"),
    "a hook on every event": aside("import sys; sys.addaudithook(lambda *args: None)"),
    "a hook on imports": aside("""
        import sys
        class Hook:
            def find_spec(self, name, path=None, target=None): raise SystemExit(name)
        sys.meta_path.insert(0, Hook())"""),
    "a hook on the gradients": Attack(
        "def scores(q, k):\n    if q.requires_grad: q.register_hook(lambda g: g * 0)\n"
        "    return torch.softmax(q @ k.T, 1)",
    ),
    "a backward of its own": Attack(
        "class F(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, q, k): return torch.softmax(q @ k.T, 1)\n"
        "    @staticmethod\n    def backward(ctx, g):\n        while True: pass\n"
        "def scores(q, k): return F.apply(q, k)",
        seconds=0.7,
    ),
}
