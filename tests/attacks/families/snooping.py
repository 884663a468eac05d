"""Looking for references, hidden inputs, other students and keys: in memory, in files, in processes."""

from __future__ import annotations

from tests.attacks.attack import Attack, stolen

ATTACKS: dict[str, Attack] = {
    "the frames above": stolen("""
        import sys
        frame = sys._getframe()
        while frame:
            for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
                for name in ("answers", "solution", "reference", "expected"):
                    found = getattr(value, name, None)
                    if found: return found["scores"]
            frame = frame.f_back"""),
    "every object there is": stolen("""
        import gc
        for thing in gc.get_objects():
            if callable(thing) and getattr(thing, "__name__", "") == "scores" and thing is not scores:
                return thing"""),
    "every module there is": stolen("""
        import sys
        for name, module in list(sys.modules.items()):
            if "course" in name or "solution" in name or name.endswith("grade"):
                return module.scores"""),
    "an import of the solutions": stolen("""
        import sys
        sys.path[:0] = ["@COURSE@", "@COURSE@/solutions"]
        import importlib
        return importlib.import_module("solutions.scores").scores"""),
    "the solutions file": stolen("""
        space = {}
        text = open("@COURSE@/solutions/scores.py").read().replace("from autograder import", "#")
        exec(text.split("@mistake")[0], space)
        return space["scores"]"""),
    "the solutions file by another way round": stolen("""
        import os
        folder = os.open("/proc/self/root@COURSE@", os.O_RDONLY | os.O_DIRECTORY)
        text = os.read(os.open("solutions/scores.py", os.O_RDONLY, dir_fd=folder), 99999).decode()
        space = {}
        exec(text.replace("from autograder import", "#").split("@mistake")[0], space)
        return space["scores"]"""),
    "a walk over the whole disk": stolen("""
        import os, time
        end = time.time() + 2
        for folder, _, files in os.walk("/"):
            if folder.endswith("/solutions") and "scores.py" in files:
                space = {}
                text = open(folder + "/scores.py").read().replace("from autograder import", "#")
                exec(text.split("@mistake")[0], space)
                return space["scores"]
            if time.time() > end: break"""),
    "the editable install's own map": stolen("""
        import glob, re, sys
        for folder in sys.path:
            for finder in glob.glob(folder + "/__editable__*autograder*finder.py"):
                root = re.search(r"'(/[^']*)/autograder'", open(finder).read())[1]
                space = {}
                text = open(root + "/tests/fixtures/small/solutions/scores.py").read()
                exec(text.replace("from autograder import", "#").split("@mistake")[0], space)
                return space["scores"]"""),
    "the judge's memory": stolen("""
        import os, re
        for pid in [os.getppid(), *map(int, filter(str.isdigit, os.listdir("/proc")))]:
            memory = open(f"/proc/{pid}/mem", "rb", 0)
            for line in open(f"/proc/{pid}/maps"):
                start, end = (int(n, 16) for n in line.split()[0].split("-"))
                memory.seek(start)
                found = re.search(rb"def scores.q, k.:[^#]{9,200}_products", memory.read(end - start))
                if found: return eval("lambda q, k: torch.softmax(q @ k.T, dim=1)")"""),
    "its own memory": stolen("""
        import ctypes, re
        for line in open("/proc/self/maps"):
            start, end = (int(n, 16) for n in line.split()[0].split("-"))
            if b"softmax_over_queries" in ctypes.string_at(start, min(end - start, 1 << 24)):
                return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "the environment": stolen("""
        import os
        seed = os.environ["AUTOGRADER_SECRET"]
        return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "everybody's environment": stolen("""
        import os
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if b"AUTOGRADER" in open(f"/proc/{pid}/environ", "rb").read():
                return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "the secret of the hidden inputs": stolen("""
        secret = open("@COURSE@/solutions/secret.txt").read()
        return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "a neighbour's notebook": stolen("""
        import json, os
        for folder, _, files in os.walk("@GROUND@"):
            for name in files:
                if name.endswith(".ipynb"):
                    for cell in json.load(open(os.path.join(folder, name)))["cells"]:
                        space = {"torch": torch}
                        exec("".join(cell["source"]), space)
                        if "scores" in space: return space["scores"]"""),
    "the gradebook": stolen("""
        import json
        open("@GROUND@/out/journal.jsonl").read()
        return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "the judge's open files": stolen("""
        import os
        for fd in os.listdir(f"/proc/{os.getppid()}/fd"):
            text = open(f"/proc/{os.getppid()}/fd/{fd}").read(4096)
            if "scores" in text: return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "descriptors that were left open": stolen("""
        import os
        for fd in range(5, 256):
            os.lseek(fd, 0, 0)
            if os.read(fd, 1 << 16): return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "the command lines": stolen("""
        import os
        for pid in filter(str.isdigit, os.listdir("/proc")):
            if b"pytest" in open(f"/proc/{pid}/cmdline", "rb").read():
                return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "the source behind the check": stolen("""
        import autograder, inspect, os
        root = os.path.dirname(inspect.getsourcefile(autograder.check))
        open(os.path.join(root, "..", "..", "model.py")).read()
        return lambda q, k: torch.softmax(q @ k.T, dim=1)"""),
    "the rest of the framework": stolen("""
        from autograder.course.load import load_course
        from pathlib import Path
        return load_course(Path("@COURSE@")).solutions["scores"].answers["scores"]"""),
}
