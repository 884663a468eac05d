"""What a class is handed: complete, the same on every day, and without a word of the answers."""

from __future__ import annotations

import ast
import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
import torch

from autograder.calls.expected import expect, plan
from autograder.course.model import Code, Key, Prose
from autograder.errors import UsageError
from autograder.release.bundle import build_bundle, choose_sets, write_bundle, write_zip
from autograder.release.wheel import torch_pin
from tests.conftest import ROOT, SMALL


@pytest.fixture(scope="module")
def whole(real):
    """The bundle of the real course."""
    return build_bundle(real, real.sets)


@pytest.fixture(scope="module")
def handed_out(whole):
    """Every byte of the course's own that is handed out, as text: all files but the framework's wheel."""
    texts = []
    for path, data in whole.items():
        if path.endswith(".ipynb"):
            texts += ["".join(cell["source"]) for cell in json.loads(data)["cells"]]
        if not path.endswith(".whl"):
            texts.append(data.decode("utf-8", "replace"))
    return squeezed("\n".join(texts))


def squeezed(text: str) -> str:
    return "".join(text.split())


# ---------------------------------------------------------------- what is in it


def test_a_bundle_has_notebooks_data_requirements_and_a_page_to_read(real, whole):
    for group, problem in real.assignments:
        assert f"{group.id}/{problem.id}.ipynb" in whole
        assert f"{group.id}/checks/{problem.id}.safetensors" in whole
    others = {path for path in whole if "/" not in path}
    assert others == {"README.md", "requirements.txt", "tensor_autograder-0.1.0-py3-none-any.whl"}
    readme = whole["README.md"].decode()
    for way in ("on macOS and Linux", "On Windows", "**JupyterLab**", "**VS Code**", "**Colab**"):
        lines = readme.split(way)[1].split("\n\n")[1].splitlines()
        assert len(lines) == 3, way
        assert all(line.startswith(("    ", "1. ", "2. ", "3. ")) for line in lines), way
    assert "install -q ../tensor_autograder-0.1.0-py3-none-any.whl" in readme
    assert f'THIS FOLDER/{real.sets[0].id}"' in readme
    assert f"Where pip finds no `{torch_pin()}`" in readme
    assert "{" not in readme
    assert len(readme.splitlines()) <= 60


def test_the_notebooks_are_those_of_the_course(whole):
    path = "transformers/self_attention.ipynb"
    assert whole[path].decode() == (ROOT / "notebooks" / path).read_text(encoding="utf-8")


def test_the_same_course_gives_the_same_bytes(small, tmp_path):
    first, second = (build_bundle(small, small.sets) for _ in range(2))
    assert first == second
    archives = [write_zip(first, tmp_path / name / "out").read_bytes() for name in ("a", "b")]
    assert archives[0] == archives[1]


def test_a_single_set_is_released_alone(real):
    groups = choose_sets(real, ["transformer_notes"])
    assert [group.id for group in groups] == ["transformer_notes"]
    with pytest.raises(UsageError, match="the course has no set 'week9'; it has transformers"):
        choose_sets(real, ["week9"])


# ---------------------------------------------------------------- what is not


def test_no_line_of_a_solution_is_in_it(real, handed_out):
    """Every statement of every function in solutions/, unless the student's own stub has it too."""
    leaked = []
    for name in real.problems:
        tree = ast.parse((ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8"))
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            body = squeezed("\n".join(ast.unparse(node) for node in function.body))
            if len(body) > 30 and body in handed_out:
                leaked.append(f"{name}: {function.name}")
    assert leaked == []


def test_no_mistake_and_no_sentence_about_one_is_in_it(real, handed_out):
    for name, solution in real.solutions.items():
        for mistake in solution.mistakes:
            assert squeezed(mistake.says) not in handed_out, f"{name}: {mistake.id}"
            assert f'"{mistake.id}"' not in handed_out, f"{name}: {mistake.id}"


def test_no_guide_for_markers_and_no_secret_is_in_it(real, handed_out):
    assert squeezed(real.secret) not in handed_out
    for problem in real.problems.values():
        for part in problem.parts:
            if isinstance(part, Prose) and part.guide:
                assert squeezed(part.guide) not in handed_out


def test_no_hint_of_a_hidden_case_and_none_of_its_sizes_is_in_the_data(real, whole):
    for group, problem in real.assignments:
        words = _words(whole[f"{group.id}/checks/{problem.id}.safetensors"])
        text = json.dumps(words, ensure_ascii=False)
        for part, described in zip(problem.parts, words["parts"], strict=True):
            if isinstance(part, Code):
                hidden = [case for case in part.cases if case.hidden]
                assert described["hidden"] == [case.name for case in hidden]
                assert len(described["cases"]) == len(part.cases) - len(hidden)
                assert all(case.hint not in text for case in hidden if case.hint)


def test_the_data_names_these_fields_and_no_others(real, whole):
    fields = {
        "code": {
            "parameters",
            "stub",
            "axes",
            "hidden",
            "measured",
            "call_seconds",
            "cases",
            "small",
            "hints",
            *("holds", "source", "doc", "numpy"),  # of properties: none in this course
        },
        "growth": {"variables", "words", "assumptions"},
        "formula": {
            *("variables", "vectors", "assumptions", "defines"),
            *("reals", "functions", "matrices", "unordered"),
        },
        "equation": {"tensors", "sizes", "ranges", "functions", "matrix", "columns"},
        "choice": {"options"},
        "prose": set(),
    }
    for path, data in whole.items():
        if path.endswith(".safetensors"):
            for part in _words(data)["parts"]:
                assert set(part) - {"kind", "name", "points"} == fields[part["kind"]], path
                assert not part.get("holds"), path
                assert not part.get("source"), path


def test_no_hidden_input_and_no_hidden_value_is_in_the_data(real, whole):
    """Each tensor of every hidden case, for a few students, is looked for among all numbers handed out."""
    seen = set()
    for path, data in whole.items():
        if path.endswith(".safetensors"):
            seen |= {
                np.ascontiguousarray(a).tobytes() for a in safetensors.numpy.load(data).values() if a.size > 1
            }
    for name, problem in real.problems.items():
        for part in (part for part in problem.parts if isinstance(part, Code)):
            for call in plan(problem, part, real.secret, "ada"):
                wants = expect(real.solutions[name].answers[part.name], call).outputs
                tensors = [a for a in call.arguments if hasattr(a, "numpy") and a.numel() > 1]
                found = {a.contiguous().numpy().tobytes() in seen for a in tensors}
                if call.case.hidden:
                    values = {
                        want.values.contiguous().numpy().tobytes()
                        for want in wants
                        if want.values.numel() > 4
                    }
                    assert not any(found), f"{name}: {call.case.name}"
                    assert not values & seen, f"{name}: {call.case.name}"
                else:
                    assert all(found), f"the search is blind: {name}: {call.case.name}"


def test_no_key_is_in_the_data(real, whole):
    for group, problem in real.assignments:
        words = _words(whole[f"{group.id}/checks/{problem.id}.safetensors"])
        solution = real.solutions[problem.id]
        for part in words["parts"]:
            key = solution.answers[part["name"]]
            if isinstance(key, Key) and part["kind"] != "choice":
                text = squeezed(json.dumps(part, ensure_ascii=False))
                for answer in (key.answer, *(reading.answer for reading in key.readings)):
                    lines = [squeezed(line) for line in str(answer).strip().splitlines()]
                    assert not [line for line in lines if len(line) > 6 and line in text], part["name"]


def _words(data: bytes) -> dict:
    length = int.from_bytes(data[:8], "little")
    return json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["autograder"])


# ---------------------------------------------------------------- using it


@pytest.fixture(scope="module")
def unpacked(small, tmp_path_factory):
    """The small course's bundle, unzipped, with its wheel installed apart from everything else."""
    folder = tmp_path_factory.mktemp("student")
    archive = write_zip(build_bundle(small, small.sets), folder / "week1")
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    command += ["--disable-pip-version-check", "--target", str(folder / "installed")]
    command += [line for line in _requirements(folder / "week1") if line.startswith("./")]
    subprocess.run(command, check=True, cwd=folder / "week1")
    return folder


def _requirements(folder: Path) -> list[str]:
    lines = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_the_bundle_installs_and_checks_without_course_and_network(unpacked):
    """The wheel of the bundle runs, not this clone; a network that is not there is not missed."""
    notebook = unpacked / "week1" / "basics" / "scores.ipynb"
    guard = (
        "import socket, runpy, sys\n"
        "def no(*args, **kwargs): raise OSError('no network')\n"
        "socket.socket.connect = socket.create_connection = no\n"
        "import autograder; print(autograder.__file__)\n"
        f"sys.argv = ['x', {str(notebook)!r}, 'panel.json']\n"
        "runpy.run_module('autograder.check.fresh_run', run_name='__main__')\n"
    )
    env = {**os.environ, "PYTHONPATH": str(unpacked / "installed")}
    done = subprocess.run(
        [sys.executable, "-c", guard], cwd=unpacked, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert str(unpacked / "installed") in done.stdout
    answer = json.loads((notebook.parent / "panel.json").read_text(encoding="utf-8"))
    assert [part["state"] for part in answer["panel"]["parts"]] == ["unanswered"] * 3


def test_the_requirements_are_only_what_a_student_needs(whole):
    lines = [line for line in whole["requirements.txt"].decode().splitlines() if not line.startswith("#")]
    assert lines == [
        "--extra-index-url https://download.pytorch.org/whl/cpu",
        f"torch=={torch.__version__.partition('+')[0]}",
        "./tensor_autograder-0.1.0-py3-none-any.whl",
        "jupyterlab",
    ]
    wheel = zipfile.ZipFile(io.BytesIO(whole["tensor_autograder-0.1.0-py3-none-any.whl"]))
    metadata = wheel.read("tensor_autograder-0.1.0.dist-info/METADATA").decode()
    base = [
        line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra ==" not in line
    ]
    assert base
    assert not [line for line in base if "nbgrader" in line or "jinja" in line.lower() or "scipy" in line]
    assert not [
        name for name in wheel.namelist() if "__pycache__" in name or name.startswith(("problems", "sol"))
    ]


# ---------------------------------------------------------------- writing it


def release(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", "release", *map(str, arguments), "--course", str(SMALL)]
    return subprocess.run(command, capture_output=True, text=True)


def test_release_writes_a_folder_and_a_zip(tmp_path):
    done = release(tmp_path / "week1", "--zip", "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["written"] == [str(tmp_path / "week1"), str(tmp_path / "week1.zip")]
    names = zipfile.ZipFile(tmp_path / "week1.zip").namelist()
    assert [f"week1/{path}" for path in said["files"]] == names
    assert (tmp_path / "week1" / "basics" / "scores.ipynb").is_file()
    again = release(tmp_path / "week1")
    assert again.returncode == 0, again.stderr


def test_a_folder_with_other_files_is_left_alone(small, tmp_path):
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"holds precious.txt, which is not part of the bundle"):
        write_bundle(build_bundle(small, small.sets), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_an_unknown_set_exits_2(tmp_path):
    done = release(tmp_path / "out", "--set", "nothing")
    assert done.returncode == 2
    told, more = done.stderr.splitlines()
    assert told == "autograder: the course has no set 'nothing'; it has basics"
    assert more == "docs/instructors.md says more"
