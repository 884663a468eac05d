"""Writing, emptying, linking and removing: nothing outside changes, and nothing inside stays."""

from __future__ import annotations

from tests.attacks.attack import RIGHT, Attack, aside

ATTACKS = {
    "a mark of its own in the journal": aside(
        "open('@GROUND@/out/journal.jsonl', 'a').write('{\"score\": 3}')"
    ),
    "an empty journal": aside("import os; os.truncate('@GROUND@/out/journal.jsonl', 0)"),
    "an empty journal by opening it": aside("open('@GROUND@/out/journal.jsonl', 'w')"),
    "an empty journal by reading it": aside(
        "import os; os.open('@GROUND@/out/journal.jsonl', os.O_RDONLY | os.O_TRUNC)"
    ),
    "no journal": aside("import os; os.unlink('@GROUND@/out/journal.jsonl')"),
    "another journal in its place": aside(
        "import os; os.rename('@GROUND@/out/journal.jsonl', '@GROUND@/out/old')"
    ),
    "a neighbour's notebook": aside("open('@GROUND@/submitted/ada.ipynb', 'w').write('{}')"),
    "new times on a neighbour's notebook": aside(
        "import os; os.utime('@GROUND@/submitted/ada.ipynb', (0, 0))"
    ),
    "another mode": aside("import os; os.chmod('@GROUND@/submitted/ada.ipynb', 0)"),
    "another owner": aside("import os; os.chown('@GROUND@/submitted/ada.ipynb', 1, 1)"),
    "an attribute": aside("import os; os.setxattr('@GROUND@/submitted/ada.ipynb', 'user.a', b'1')"),
    "a link to a neighbour": aside(
        "import os; os.symlink('@GROUND@/submitted/ada.ipynb', '@GROUND@/submitted/eve.ipynb')"
    ),
    "a hard link to a neighbour": aside(
        "import os; os.link('@GROUND@/submitted/ada.ipynb', '@GROUND@/submitted/eve.ipynb')"
    ),
    "a new file": aside("open('@GROUND@/note', 'w').write('here')"),
    "a new folder": aside("import os; os.mkdir('@GROUND@/folder')"),
    "a pipe with a name": aside("import os; os.mkfifo('@GROUND@/pipe')"),
    "the whole ground": aside("import shutil; shutil.rmtree('@GROUND@')"),
    "a package for the next one": aside("""
        import torch, os
        open(os.path.join(os.path.dirname(os.path.dirname(torch.__file__)), "sitecustomize.py"), "w")"""),
    "torch itself": aside("import torch; open(torch.__file__, 'a').write('softmax = None')"),
    "compiled code beside torch": aside("""
        import torch, os
        folder = os.path.join(os.path.dirname(torch.__file__), "__pycache__")
        open(os.path.join(folder, os.listdir(folder)[0]), "wb")"""),
    "shared memory": aside("""
        from multiprocessing import shared_memory
        shared_memory.SharedMemory("attack", create=True, size=4096)"""),
    "a file left in its own folder": aside("open('left', 'w').write('behind')"),
    "a folder that nobody may enter": aside("""
        import os
        os.makedirs('a/b'); open('a/b/c', 'w').close(); os.umask(0o777); os.makedirs('closed', 0)"""),
    "folders a thousand deep": aside("""
        import os
        for _ in range(3000): os.mkdir('d'); os.chdir('d')"""),
    "files without number": Attack(
        RIGHT, before=("n = 0\nwhile True:\n    open(str(n), 'w').close(); n += 1",), earns=(3.0, 1.0)
    ),
    "a file as large as it gets": aside("""
        with open('big', 'wb') as file:
            while True: file.write(bytes(1 << 20))"""),
    "disk space under a file already gone": aside("""
        import os
        kept = []
        for n in range(64):
            kept.append(open(str(n), 'wb', 0)); os.unlink(str(n)); kept[-1].write(bytes(1 << 20))"""),
}
