"""Tampered notebooks: marks depend on the answers alone, whatever the metadata says."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.attacks.attack import AXIS, RIGHT, ZEROS

Notebook = dict[str, Any]


@dataclass(frozen=True)
class Tampering:
    """What is done to a notebook with these answers, and the marks it must get."""

    edit: Callable[[Notebook], object]
    scores: str = ZEROS
    axis: str = AXIS
    earns: tuple[float, float] = (0.0, 1.0)


def every_cell(change: Callable[[dict[str, Any]], object]) -> Callable[[Notebook], object]:
    return lambda notebook: [change(cell) for cell in notebook["cells"]]


def fields(**values: Any) -> Callable[[Notebook], object]:
    """Change nbgrader's fields of every cell that has them."""
    return every_cell(
        lambda cell: cell["metadata"]["nbgrader"].update(values) if "nbgrader" in cell["metadata"] else None
    )


def find(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def code(source: str, **metadata: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "source": source,
        "metadata": metadata,
        "outputs": [],
        "execution_count": None,
    }


PASSED = {"output_type": "stream", "name": "stdout", "text": "3 / 3 points\nall cases pass"}
SCORE = {"output_type": "execute_result", "data": {"text/plain": "3.0"}, "metadata": {}, "execution_count": 1}

ATTACKS = {
    "more points": Tampering(fields(points=100)),
    "negative points": Tampering(fields(points=-100), RIGHT, earns=(3.0, 1.0)),
    "points that are no number": Tampering(fields(points={"$inf": None}), RIGHT, earns=(3.0, 1.0)),
    "nothing to be graded": Tampering(
        fields(grade=False, solution=False, locked=True), RIGHT, earns=(3.0, 1.0)
    ),
    "everything by hand": Tampering(fields(task=True, grade=True, solution=True)),
    "forged checksums": Tampering(fields(checksum="0" * 32), RIGHT, earns=(3.0, 1.0)),
    "another schema": Tampering(fields(schema_version=99), RIGHT, earns=(3.0, 1.0)),
    "an old schema": Tampering(fields(schema_version=1), RIGHT, earns=(3.0, 1.0)),
    "no metadata": Tampering(every_cell(lambda cell: cell.update(metadata={})), RIGHT, earns=(3.0, 1.0)),
    "metadata that is no table": Tampering(
        every_cell(lambda cell: cell.update(metadata=[3])), RIGHT, earns=(3.0, 1.0)
    ),
    "marks among the outputs": Tampering(every_cell(lambda cell: cell.update(outputs=[PASSED, SCORE]))),
    "marks in the notebook's metadata": Tampering(
        lambda notebook: notebook["metadata"].update(nbgrader={"score": 4}, autograder={"score": 4})
    ),
    "a check cell that gives marks": Tampering(
        lambda notebook: find(notebook, "scores-check").update(source="print('3 / 3'); 3.0")
    ),
    "a check cell that patches the judge": Tampering(
        lambda notebook: find(notebook, "scores-check").update(source="torch.allclose = lambda *a: True")
    ),
    "a check cell for every part": Tampering(
        lambda notebook: notebook["cells"].extend([find(notebook, "scores-check")] * 50)
    ),
    "no check cells": Tampering(
        lambda notebook: notebook["cells"].remove(find(notebook, "scores-check")), RIGHT, earns=(3.0, 1.0)
    ),
    "another problem's name": Tampering(fields(grade_id="axis"), earns=(0.0, 1.0)),
    "one answer under every name": Tampering(
        lambda notebook: notebook["cells"].extend(
            code(AXIS, nbgrader={"grade_id": name, "points": 9})
            for name in ("scores", "why", "axis", "bonus")
        )
    ),
    "tags that skip what is run": Tampering(
        every_cell(lambda cell: cell["metadata"].update(tags=["skip-execution", "raises-exception"])),
        RIGHT,
        earns=(3.0, 1.0),
    ),
    "torch taken away": Tampering(
        lambda notebook: notebook["cells"].insert(0, code("import sys; sys.modules['torch'] = None"))
    ),
    "two thousand cells": Tampering(
        lambda notebook: notebook["cells"].extend([code("x = 1")] * 1500), RIGHT, earns=(3.0, 1.0)
    ),
    "more cells than can be read": Tampering(
        lambda notebook: notebook["cells"].extend([code("x = 1")] * 25_000), RIGHT, earns=(0.0, 0.0)
    ),
    "a cell of ten megabytes": Tampering(
        lambda notebook: notebook["cells"].append(code("x = 1\n" * 1_700_000)), RIGHT, earns=(3.0, 1.0)
    ),
    "an answer of ten megabytes": Tampering(
        lambda notebook: find(notebook, "scores").update(source=RIGHT + "\n" + "#" * 10_000_000), RIGHT
    ),
    "a cell nested without end": Tampering(
        lambda notebook: notebook["cells"].append(code("(" * 100_000 + ")" * 100_000)),
        RIGHT,
        earns=(3.0, 1.0),
    ),
    "a cell of signs": Tampering(
        lambda notebook: notebook["cells"].append(code("x = " + "-" * 500_000 + "1")), RIGHT, earns=(3.0, 1.0)
    ),
    "sources that are no text": Tampering(
        lambda notebook: notebook["cells"].extend([code(3), code(None), code({"a": 1}), code([1, [2]])]),  # type: ignore[arg-type]
        RIGHT,
        earns=(3.0, 1.0),
    ),
    "cells that are no cells": Tampering(
        lambda notebook: notebook["cells"].extend([None, 3, [], "x"]), RIGHT, earns=(3.0, 1.0)
    ),
    "no cells": Tampering(lambda notebook: notebook.update(cells={}), RIGHT, earns=(0.0, 0.0)),
}

# What happens to honest students: it must cost nothing.
ACCIDENTS = {
    "a format that is not known yet": lambda notebook: notebook.update(nbformat=99),
    "no format": lambda notebook: notebook.pop("nbformat"),
    "an answer in a cell of text": lambda notebook: find(notebook, "scores").update(cell_type="markdown"),
    "an answer in a raw cell": lambda notebook: find(notebook, "axis").update(cell_type="raw"),
    "another kernel": lambda notebook: notebook["metadata"].update(kernelspec={"name": "conda-env-dl-py"}),
    "no kernel at all": lambda notebook: notebook.update(metadata={}),
    "outputs of last week": every_cell(lambda cell: cell.update(outputs=[PASSED], execution_count=7)),
    "cells in the opposite order": lambda notebook: notebook["cells"].reverse(),
    "a check cell twice": lambda notebook: notebook["cells"].append(find(notebook, "scores-check")),
    "an answer cell twice": lambda notebook: notebook["cells"].append(find(notebook, "scores")),
    "no check cell": lambda notebook: notebook["cells"].remove(find(notebook, "axis-check")),
    "no set-up cell": lambda notebook: notebook["cells"].remove(find(notebook, "setup")),
    "a cell that fails": lambda notebook: notebook["cells"].insert(0, code("undefined_name")),
    "a cell that is not Python": lambda notebook: notebook["cells"].insert(0, code("this is not python")),
    "an empty cell": lambda notebook: notebook["cells"].insert(0, code("")),
    "an installation": lambda notebook: notebook["cells"].insert(0, code("%pip install torch\n!ls")),
    "warnings": lambda notebook: notebook["cells"].insert(
        0, code("import warnings\nwarnings.warn('careful')\nwarnings.simplefilter('error')")
    ),
    "words on standard error": lambda notebook: notebook["cells"].insert(
        0, code("import sys, os\nprint('Error: failed', file=sys.stderr)\nos.write(2, b'FAILED')")
    ),
    "a plot": lambda notebook: notebook["cells"].insert(
        0, code("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()")
    ),
    "a question": lambda notebook: notebook["cells"].insert(0, code("name = input('your name? ')")),
    "an own test": lambda notebook: notebook["cells"].append(
        code("if __name__ == '__main__':\n    assert scores(torch.ones(2, 3), torch.ones(4, 3)).dim() == 2")
    ),
}


def as_version_3(data: bytes) -> bytes:
    """The notebook as old programs wrote it: its cells on two worksheets, code under another name."""
    notebook = json.loads(data)
    cells = [{**cell, "language": "python", "input": cell["source"]} for cell in notebook["cells"]]
    half = len(cells) // 2
    sheets = [{"cells": cells[:half], "metadata": {}}, {"cells": cells[half:], "metadata": {}}]
    return json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": sheets}).encode()


def with_accents(data: bytes) -> bytes:
    return data.replace(b"def scores(q, k):", "def scores(q, k):  # \u00e9t\u00e9".encode())


# What happens to files on their way: it must cost nothing either.
PASSAGES: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "UTF-16": lambda data: with_accents(data).decode().encode("utf-16"),
    "UTF-16 without its mark": lambda data: with_accents(data).decode().encode("utf-16-le"),
    "UTF-16 with an odd byte": lambda data: data.decode().encode("utf-16") + b"\0",
    "UTF-32": lambda data: data.decode().encode("utf-32"),
    "Latin-1": lambda data: with_accents(data).decode().encode("latin-1"),
    "gzip": gzip.compress,
    "zeros at the end": lambda data: data + bytes(4096),
    "a comma too many": lambda data: data.rstrip().removesuffix(b"}") + b",}",
    "line ends of Windows": lambda data: data.replace(b"\n", b"\r\n"),
    "a version in quotes": lambda data: data.replace(b'"nbformat": 4', b'"nbformat": "4"'),
    "version 5": lambda data: data.replace(b'"nbformat": 4', b'"nbformat": 5'),
    "version 3": as_version_3,
    "megabytes of outputs": lambda data: data.replace(
        b'"outputs": []', b'"outputs": [{"output_type": "stream", "text": "' + b"x" * 40_000_000 + b'"}]', 1
    ),
}
