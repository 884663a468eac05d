"""The first cell, and a notebook in the kernels and with the metadata of VS Code and Colab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

from autograder.grade.submission import Grader
from autograder.notebook.stub_cells import SETUP
from autograder.release.handout_file import encode

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
ANSWERS = {"scores": RIGHT, "axis": 'axis = "a"'}
PASSES = "✓ scores: the visible case passes"
# What each front end writes into a notebook that it saves, as far as cells and kernels go.
VSCODE = {
    "kernelspec": {"display_name": "env", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.11.7",
    },
}
COLAB = {
    "colab": {"provenance": [], "toc_visible": True},
    "accelerator": "GPU",
    "kernelspec": {"display_name": "Python 3", "name": "python3"},
    "language_info": {"name": "python"},
}


def in_vscode(data: dict) -> None:
    data["metadata"] |= VSCODE
    for cell in data["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"]["vscode"] = {"languageId": "python"}


def in_colab(data: dict) -> None:
    """Colab's ids are in the metadata, and its format is 4.0; the student's own cell stands above the first."""
    data["metadata"] |= COLAB
    data["nbformat_minor"] = 0
    own = 'from google.colab import drive; drive.mount("/content/drive")\n%cd "basics"'
    data["cells"].insert(1, {"cell_type": "code", "metadata": {}, "outputs": [], "source": own})
    for number, cell in enumerate(data["cells"]):
        cell.pop("id", None)
        cell["metadata"]["id"] = f"Xy{number}"
        if cell["cell_type"] == "code":
            cell["metadata"] |= {"colab": {"base_uri": "https://localhost:8080/"}, "outputId": f"o{number}"}
            cell["execution_count"] = None


@pytest.fixture
def saved(notebook, handout, tmp_path) -> Callable[[Callable[[dict], None]], Path]:
    """A filled-in notebook as a front end saves it, with the folder of its checks beside it."""

    def save(front_end: Callable[[dict], None]) -> Path:
        data = json.loads(notebook(**ANSWERS))
        front_end(data)
        folder = tmp_path / "basics"
        (folder / "checks").mkdir(parents=True)
        (folder / "checks" / "scores.safetensors").write_bytes(encode(handout))
        (folder / "scores.ipynb").write_text(json.dumps(data), encoding="utf-8")
        return folder / "scores.ipynb"

    return save


@pytest.fixture
def kernel() -> Iterator[Callable[[Path], Callable[[str], str]]]:
    """A real ipykernel in a folder; what it is told to run gives back all that a reader would see."""
    running: list[KernelManager] = []

    def start(folder: Path) -> Callable[[str], str]:
        manager = KernelManager(kernel_name="python3")
        manager.start_kernel(cwd=str(folder))
        running.append(manager)
        client = manager.blocking_client()
        client.start_channels()
        client.wait_for_ready()

        def run(source: str) -> str:
            shown: list[str] = []

            def see(message: dict) -> None:
                content = message["content"]
                shown.append(content.get("text") or content.get("evalue") or "")
                shown.append(content.get("data", {}).get("text/plain", ""))

            client.execute_interactive(source, output_hook=see)
            return "".join(shown)

        return run

    yield start
    for manager in running:
        manager.shutdown_kernel(now=True)


def code(path: Path) -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


# ---------------------------------------------------------------- what is missing


def first_cell(folder: Path, *, stands_in: dict[str, str]) -> str:
    """The last words of the first cell, where these modules are all that there is beside Python's own."""
    for name, text in stands_in.items():
        (folder / f"{name}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-S", "-c", SETUP],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "During handling" not in done.stderr
    return done.stderr.strip().splitlines()[-1] if done.returncode else ""


@pytest.mark.parametrize(
    ("stands_in", "says"),
    [
        pytest.param({}, "ImportError: No module named 'torch'. ", id="no torch"),
        pytest.param({"torch": ""}, "ImportError: No module named 'autograder'. ", id="no autograder"),
        pytest.param(
            {"torch": "", "autograder": ""},
            "ImportError: cannot import name 'check' from 'autograder' (",
            id="the other autograder",
        ),
    ],
)
def test_the_first_cell_says_what_is_missing_and_which_python_looked_for_it(tmp_path, stands_in, says):
    said = first_cell(tmp_path, stands_in=stands_in)
    assert said.startswith(says)
    version = ".".join(map(str, sys.version_info[:3]))
    assert f". This notebook runs on Python {version} of /" in said
    assert "it needs 3.11 or newer and what requirements.txt brings" in said
    assert "see README.md of the folder that was handed out" in said


def test_the_first_cell_is_silent_where_nothing_is_missing(tmp_path):
    assert first_cell(tmp_path, stands_in={"torch": "", "autograder": "check = print"}) == ""


def test_a_notebook_without_its_data_is_told_by_the_first_cell(kernel, tmp_path):
    run = kernel(tmp_path)
    said = run(SETUP)
    assert said.startswith(f"the folder checks is not beside this notebook, in {tmp_path.resolve()}: put it")
    assert run(SETUP) == ""


# ---------------------------------------------------------------- other front ends


def test_vs_code_runs_and_saves_a_notebook_that_is_checked_and_graded(kernel, saved, small, sandbox):
    path = saved(in_vscode)
    run = kernel(path.parent)
    run(f"__vsc_ipynb_file__ = {str(path)!r}")  # its extension does, unseen
    setup, *cells = code(path)
    assert run(setup) == ""
    assert PASSES in "".join(run(cell) for cell in cells)
    assert_full_marks(path, small, sandbox)


def test_colab_runs_and_saves_a_notebook_that_is_checked_and_graded(kernel, saved, small, sandbox):
    """Its kernel begins in another folder; the line of README.md that leads to the notebook's is all it takes."""
    path = saved(in_colab)
    run = kernel(path.parent.parent)
    own, setup, *cells = code(path)
    run(own.splitlines()[1])
    assert run(setup) == ""
    assert PASSES in "".join(run(cell) for cell in cells)
    assert_full_marks(path, small, sandbox)


def assert_full_marks(path: Path, small, sandbox) -> None:
    """The student's own cell that no other machine can run costs nothing."""
    command = [sys.executable, "-m", "autograder", "check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert PASSES in done.stdout, done.stderr
    grader = Grader(small.problems["scores"], small.solutions["scores"], small.secret)
    marks = {report.part: report.score for report in grader.grade(path.read_bytes(), "ada", sandbox.run)}
    assert (marks["scores"], marks["axis"]) == (3, 1)
