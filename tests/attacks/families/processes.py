"""Processes: none is started, none is signalled, none is traced, and none is left."""

from __future__ import annotations

from tests.attacks.attack import RIGHT, Attack, aside

ATTACKS = {
    "a fork bomb": aside("""
        import os
        while True: os.fork()"""),
    "an orphan": aside("""
        import os, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0: time.sleep(60)
            os._exit(0)"""),
    "a shell": aside("import os; os.system('touch @GROUND@/shell')"),
    "a program": aside("import subprocess; subprocess.run(['/usr/bin/touch', '@GROUND@/program'])"),
    "a spawned program": aside(
        "import os; os.posix_spawn('/usr/bin/touch', ['touch', '@GROUND@/spawned'], {})"
    ),
    "another program in its place": aside(
        "import os, sys; os.execv(sys.executable, ['python', '-c', 'open(\"@GROUND@/exec\", \"w\")'])"
    ),
    "a line for the shell": Attack(RIGHT, before=("!touch @GROUND@/line",), earns=(3.0, 1.0)),
    "a cell for the shell": Attack(RIGHT, before=("%%bash\ntouch @GROUND@/cell",), earns=(3.0, 1.0)),
    "multiprocessing": aside("""
        import multiprocessing
        multiprocessing.get_context('fork').Process(target=open, args=('@GROUND@/worker', 'w')).start()"""),
    "a loader with workers": aside("""
        from torch.utils.data import DataLoader
        list(DataLoader(range(4), num_workers=2))"""),
    "a signal to the parent": aside("import os; os.kill(os.getppid(), 9)"),
    "a signal to all": aside("import os; os.kill(-1, 9)"),
    "a signal to the group": aside("import os; os.killpg(0, 9)"),
    "a signal to a stranger": aside("import os; os.kill(@VICTIM@, 9)"),
    "a signal by handle": aside("import os, signal; signal.pidfd_send_signal(os.pidfd_open(@VICTIM@), 9)"),
    "a signal from a file": aside("""
        import ctypes, fcntl, os
        reader, writer = os.pipe()
        assert ctypes.CDLL(None).fcntl(reader, 8, @VICTIM@) == 0"""),
    "tracing the parent": aside("""
        import ctypes, os
        assert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0"""),
    "memory of a stranger": aside("open('/proc/@VICTIM@/mem', 'r+b')"),
    "limits of a stranger": aside("import resource as r; r.prlimit(@VICTIM@, r.RLIMIT_CPU, (1, 1))"),
    "its own limits": aside("""
        import resource as r
        for which in (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_NPROC, r.RLIMIT_FSIZE):
            r.setrlimit(which, (r.RLIM_INFINITY, r.RLIM_INFINITY))"""),
    "priority": aside("import os; os.nice(-5); os.setpriority(os.PRIO_PROCESS, 0, -5)"),
    "a namespace of its own": aside("import ctypes; assert ctypes.CDLL(None).unshare(0x10000000) == 0"),
    "root": aside("import os; os.setuid(0); open('@GROUND@/root', 'w')"),
    "threads left running": aside("""
        import threading, time
        def later():
            while True:
                time.sleep(0.01)
                try: open('@GROUND@/later', 'w')
                except OSError: pass
        for _ in range(4): threading.Thread(target=later).start()"""),
}
