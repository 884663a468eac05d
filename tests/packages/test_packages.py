"""What `autograder package` writes: complete, runnable, and told apart from what students may have."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from autograder.packages.container import container_files
from autograder.packages.github import github_files
from autograder.packages.gradescope_zip import gradescope_files
from autograder.packages.kit import pinned_requirements
from autograder.packages.on_gradescope import NO_WALL, read_student
from autograder.release.bundle import build_bundle, write_bundle
from autograder.release.wheel import pack, torch_pin, wheel_name
from tests.conftest import ROOT, SMALL
from tests.exports.test_exports import RESULT, TEST, allows

USERS = {"users": [{"email": "zoe@x.org", "id": 4}, {"email": "ada@x.org", "id": 3, "name": "Ada"}]}


def home_of(folder: Path, files: dict[str, bytes]) -> Path:
    """The folders that Gradescope makes, with this interpreter's environment in place of setup.sh's."""
    home = folder / "autograder"
    with zipfile.ZipFile(io.BytesIO(pack(files))) as archive:
        archive.extractall(home / "source")
    (home / "submission").mkdir()
    (home / "results").mkdir()
    shutil.copy(home / "source" / "run_autograder", home)
    (home / "venv").symlink_to(sys.prefix)
    (home / "submission_metadata.json").write_text(json.dumps(USERS))
    return home


def run(home: Path, *within: str) -> subprocess.CompletedProcess[str]:
    command = [*within, "bash", str(home / "run_autograder")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def results(home: Path) -> dict:
    return json.loads((home / "results" / "results.json").read_text(encoding="utf-8"))


@pytest.fixture
def home(small, tmp_path):
    return home_of(tmp_path, gradescope_files(small, small.sets))


RIGHT = "import torch\ndef scores(q, k):\n    return torch.softmax(q @ k.T, dim=-1)"
WRONG = "import torch\ndef scores(q, k):\n    return torch.softmax(q @ k.T, dim=0)"


def test_gradescopes_folders_in_and_its_results_out(home, notebook):
    (home / "submission" / "scores.ipynb").write_bytes(notebook(scores=RIGHT, axis='axis = "a"'))
    done = run(home)
    assert done.returncode == 0, done.stderr
    found = results(home)
    for fields, known in [(found, RESULT), *((test, TEST) for test in found["tests"])]:
        assert all(allows(known[name], value) for name, value in fields.items())
    assert {test["name"]: test.get("score") for test in found["tests"]}["scores: scores"] == 3


# A container whose kernel knows no Landlock: a filter answers as such a kernel does.
NO_LANDLOCK = """
import os, struct, sys
from autograder.sandbox.inside import confine, seccomp
LOAD_NUMBER, IF_EQUAL, ANSWER = 0x20, 0x15, 0x06
LANDLOCK_CREATE_RULESET, ENOSYS, ALLOW = 444, 0x50000 | 38, 0x7FFF0000
steps = [(LOAD_NUMBER, 0, 0, 0), (IF_EQUAL, 0, 1, LANDLOCK_CREATE_RULESET), (ANSWER, 0, 0, ENOSYS), (ANSWER, 0, 0, ALLOW)]
confine.prctl(confine.PR_SET_NO_NEW_PRIVS, 1, "refuse new privileges")
seccomp.load(b"".join(struct.pack("=HBBI", *step) for step in steps))
os.execvp(sys.argv[1], sys.argv[1:])
"""


def test_a_container_that_offers_no_sandbox_grades_and_tells_the_instructor(home, notebook):
    (home / "submission" / "scores.ipynb").write_bytes(notebook(scores=RIGHT))
    walled, bare = run(home), run(home, sys.executable, "-c", NO_LANDLOCK)
    marks = results(home)
    assert (walled.returncode, bare.returncode) == (0, 0), walled.stderr + bare.stderr
    # What is printed is shown to instructors alone.
    assert NO_WALL in bare.stdout
    assert NO_WALL not in walled.stdout
    assert marks["stdout_visibility"] == "hidden"
    assert {test["name"]: test.get("score") for test in marks["tests"]}["scores: scores"] == 3


def test_a_wrong_table_of_numbers_is_shown_with_what_differs_in_bold(home, notebook):
    (home / "submission" / "scores.ipynb").write_bytes(notebook(scores=WRONG))
    assert run(home).returncode == 0
    shown = next(test for test in results(home)["tests"] if test["name"] == "scores: scores: visible cases")
    assert "yours:" in shown["output"]
    assert "| **" in shown["output"]


def test_a_submission_without_a_notebook_is_told_what_to_hand_in(home):
    (home / "submission" / "essay.pdf").write_bytes(b"%PDF")
    assert run(home).returncode == 0
    assert results(home)["score"] == 0
    assert "scores.ipynb" in results(home)["output"]


def test_a_fault_of_the_grader_leaves_no_mark(home, notebook):
    (home / "submission" / "scores.ipynb").write_bytes(notebook(scores=RIGHT))
    (home / "submission_metadata.json").write_text("{}")
    done = run(home)
    assert done.returncode == 1
    assert "does not say who handed in" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (home / "results" / "results.json").exists()


def test_a_group_has_one_set_of_hidden_inputs(home):
    assert read_student(home / "submission_metadata.json") == "ada@x.org"


def test_the_scripts_run_as_programs_and_name_the_pinned_torch_and_our_wheel(home):
    source = home / "source"
    setup = (source / "setup.sh").read_text()
    assert torch_pin() in setup
    assert wheel_name() in setup
    modes = {entry.filename: entry.external_attr >> 16 for entry in _entries(source)}
    assert modes["setup.sh"] & modes["run_autograder"] & 0o111 == 0o111
    for script in ("setup.sh", "run_autograder"):
        assert subprocess.run(["bash", "-n", str(source / script)], check=False).returncode == 0


def _entries(source: Path) -> list[zipfile.ZipInfo]:
    files = {path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob("*.sh")}
    files["run_autograder"] = (source / "run_autograder").read_bytes()
    return zipfile.ZipFile(io.BytesIO(pack(files))).infolist()


def test_pins_name_what_grading_imports_and_leave_torch_to_its_own_index():
    pins = dict(pin.split("==") for pin in pinned_requirements("instructor"))
    assert {"nbgrader", "scipy", "numpy", "safetensors", "jinja2"} <= set(pins)
    assert "torch" not in pins


# ---------------------------------------------------------------- GitHub


@pytest.fixture
def repositories(small, tmp_path):
    write_bundle(github_files(small, build_bundle(small, small.sets)), tmp_path / "github")
    return tmp_path / "github"


def steps(workflow: Path) -> dict[str, str]:
    """The shell commands of a workflow by the names of their steps."""
    jobs = yaml.safe_load(workflow.read_text(encoding="utf-8"))["jobs"]
    return {step["name"]: step["run"] for job in jobs.values() for step in job["steps"] if "run" in step}


def run_step(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=path, capture_output=True, text=True, check=False
    )


def test_a_push_is_checked_by_the_steps_of_the_workflow(repositories, notebook):
    template = repositories / "template"
    check = steps(template / ".github" / "workflows" / "check.yml")["check the notebooks"]
    answers = {"scores": RIGHT, "axis": 'axis = "a"', "why": "It makes weights of scores."}
    (template / "basics" / "scores.ipynb").write_bytes(notebook(**answers))
    right = run_step(check, template)
    assert right.returncode == 0, right.stdout + right.stderr
    (template / "basics" / "scores.ipynb").write_bytes(notebook(**{**answers, "scores": WRONG}))
    wrong = run_step(check, template)
    assert wrong.returncode == 1
    assert "== basics/scores.ipynb" in wrong.stdout


def test_a_folder_of_clones_is_graded_by_the_steps_of_the_workflow(repositories, notebook):
    grading = repositories / "grading"
    for student in ("hw1-ada", "hw1-emmy"):
        clone = grading / "submitted" / student / "basics"
        clone.mkdir(parents=True)
        (clone / "scores.ipynb").write_bytes(notebook(scores=RIGHT))
    done = run_step(steps(grading / ".github" / "workflows" / "grade.yml")["grade"], grading)
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in (grading / "out" / "results.jsonl").read_text().splitlines()]
    assert {row["student"]: row["score"] for row in rows if row["part"] == "scores"} == {
        "hw1-ada": 3,
        "hw1-emmy": 3,
    }


def test_students_get_no_answer_and_no_secret(repositories, small):
    for path in (repositories / "template").rglob("*"):
        assert "solutions" not in path.parts
        if path.is_file() and path.suffix != ".whl":
            assert small.secret.encode() not in path.read_bytes()


# ---------------------------------------------------------------- a container


def test_a_container_has_all_that_its_recipe_copies(small):
    files = container_files(small)
    recipe = files["Containerfile"].decode()
    for line in recipe.splitlines():
        if line.startswith("COPY"):
            for name in line.split()[1:-1]:
                assert any(path == name or path.startswith(f"{name}/") for path in files), name
    assert torch_pin() in recipe


def test_the_lines_that_build_the_container_name_its_recipe(small):
    """Docker by itself looks for a Dockerfile; only Podman looks for a Containerfile as well."""
    (line,) = [
        line.strip()
        for line in container_files(small)["README.md"].decode().splitlines()
        if line.strip().startswith("docker build")
    ]
    assert line.split() == ["docker", "build", "-f", "Containerfile", "-t", "autograder-course", "."]


# ---------------------------------------------------------------- the command


def package(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", "package", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_writes_the_zip_and_says_that_it_holds_the_answers(tmp_path):
    done = package("--for", "gradescope", "--course", SMALL, "--out", tmp_path / "a.zip")
    assert done.returncode == 0, done.stderr
    assert "it holds the answers" in done.stdout
    assert "run_autograder" in zipfile.ZipFile(tmp_path / "a.zip").namelist()


def test_a_secret_that_everybody_can_read_is_not_packed(tmp_path):
    done = package("--for", "gradescope", "--course", ROOT, "--out", tmp_path / "a.zip")
    assert done.returncode == 2
    assert "secret" in done.stderr
    assert not (tmp_path / "a.zip").exists()
