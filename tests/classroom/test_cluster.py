"""Grading on a real Dask cluster of several processes: the same bytes, whoever dies, comes late or does not fit."""

from __future__ import annotations

import json
import threading
from fractions import Fraction

import distributed
import pytest

from autograder.as_json import from_json, to_json
from autograder.classroom import cluster as clusters
from autograder.classroom.cluster_worker import Reply, grade_remotely, prepare
from autograder.classroom.course_parcel import digest_of, pack_course, unpack_course
from autograder.classroom.find_hand_ins import find_handins
from autograder.classroom.grade_class import grade_class
from autograder.classroom.grading_digest import versions
from autograder.classroom.settings_and_outcome import Settings
from autograder.course.load import load_course
from autograder.errors import UsageError
from tests.classroom.machines import Machines, end

RIGHT = "def scores(q, k):\n    return torch.softmax(q @ k.T, dim=1)"
SLOW = "import time\n" + RIGHT.replace("    return", "    time.sleep(0.05)\n    return")
WRITTEN = ("results.jsonl", "grades.csv", "feedback/s0/basics/scores.html", "feedback/s1/basics/scores.html")


@pytest.fixture
def submitted(tmp_path, notebook):
    """Twelve students; every third is wrong, and all are slow enough to be interrupted."""
    for number in range(12):
        path = tmp_path / "submitted" / f"s{number}" / "basics" / "scores.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(scores=SLOW.replace("dim=1", "dim=0") if number % 3 == 1 else SLOW))
    return tmp_path / "submitted"


@pytest.fixture
def machines(tmp_path):
    started = Machines(tmp_path)
    yield started
    started.stop()


def run(course, submitted, out, progress=lambda report: None, **options):
    return grade_class(course, find_handins(submitted, course), Settings(out, **options), progress)


def assert_same(one, other):
    for name in WRITTEN:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def assert_once(seen):
    assert sorted(seen) == sorted({f"s{number}" for number in range(12)})


def test_a_cluster_of_processes_writes_the_same_bytes(small, submitted, tmp_path):
    seen = []
    run(small, submitted, tmp_path / "here")
    run(small, submitted, tmp_path / "there", lambda r: seen.append(r.student), cluster="local:3")
    assert_same(tmp_path / "here", tmp_path / "there")
    assert_once(seen)


def test_a_worker_that_dies_and_one_that_comes_late_change_nothing(small, submitted, tmp_path, machines):
    first = machines.start_worker("--name", "first")
    seen = []

    def progress(report):
        seen.append(report.student)
        if len(seen) == 3:
            machines.start_worker("--name", "second")
            end(first)

    run(small, submitted, tmp_path / "there", progress, cluster=machines.address)
    assert_once(seen)
    run(small, submitted, tmp_path / "here")
    assert_same(tmp_path / "here", tmp_path / "there")


def test_a_scheduler_that_is_started_again_loses_nothing(small, submitted, tmp_path, machines):
    worker = machines.start_worker()
    seen = []

    def progress(report):
        seen.append(report.student)
        if len(seen) == 3:
            end(machines.scheduler)
            end(worker)
            threading.Timer(1, lambda: (machines.start_scheduler(), machines.start_worker())).start()

    run(small, submitted, tmp_path / "out", progress, cluster=machines.address)
    assert_once(seen)


def test_workers_that_differ_are_refused_by_name(small, submitted, tmp_path, machines, capsys):
    other = tmp_path / "other.py"
    other.write_text(
        "from autograder.classroom import grading_digest\ngrading_digest.versions()['torch'] = '1.0'\n"
    )
    bare = tmp_path / "bare.py"
    bare.write_text(
        "from autograder.classroom import cluster_worker\nfrom autograder.calls.requests_and_outcomes import SandboxError\n"
        "def refuse():\n    raise SandboxError('this system cannot isolate')\n"
        "cluster_worker.require_isolation = refuse\n"
    )
    machines.start_worker("--preload", str(other), "--name", "old-torch")
    machines.start_worker("--preload", str(bare), "--name", "no-sandbox")
    with pytest.raises(UsageError, match="no worker of the cluster can grade"):
        run(small, submitted, tmp_path / "out", cluster=machines.address)
    machines.start_worker("--name", "fits")
    with distributed.Client(machines.address, set_as_default=False) as client:
        client.wait_for_workers(3, timeout=600)
    seen = []
    run(small, submitted, tmp_path / "out", lambda r: seen.append(r.student), cluster=machines.address)
    assert_once(seen)
    told = capsys.readouterr().err
    assert "worker old-torch" in told
    assert f"it has torch 1.0, not {versions()['torch']}" in told
    assert "worker no-sandbox" in told
    assert "this system cannot isolate" in told


# What a worker does that meets a notebook of s1.
DEADLY = """
import os, signal
from autograder.classroom.worker import Worker
def deadly(self, data, student, set_id, problem_id, grade=Worker.grade):  # Dask loads this twice
    if student == "s1":
        {fate}
    return grade(self, data, student, set_id, problem_id)
Worker.grade = deadly
"""


@pytest.mark.parametrize(
    ("fate", "workers"),
    [("os.kill(os.getpid(), signal.SIGKILL)", clusters.MAX_LOSSES + 1), ("raise OSError('no space')", 1)],
    ids=["dies", "fails"],
)
def test_a_notebook_that_loses_three_workers_is_left_to_a_person_and_not_for_good(
    small, submitted, tmp_path, machines, fate, workers
):
    deadly = tmp_path / "deadly.py"
    deadly.write_text(DEADLY.format(fate=fate))
    for _ in range(workers):
        machines.start_worker("--preload", str(deadly))
    found = {}
    run(
        small,
        submitted,
        tmp_path / "out",
        lambda r: found.update({r.student: r}),
        cluster=machines.address,
    )
    assert_once(found)
    assert {(part.status, part.feedback) for part in found["s1"].parts} == {
        ("manual", "the workers that graded this notebook were lost, three times: a person will look at it")
    }
    assert [student for student, report in found.items() if not report.final] == ["s1"]
    machines.stop()
    run(small, submitted, tmp_path / "here")
    assert run(small, submitted, tmp_path / "out").graded == 1, "it is tried again, and nothing else is"
    assert_same(tmp_path / "here", tmp_path / "out")


def test_a_worker_that_fails_at_everything_is_left_out_by_name(small, submitted, tmp_path, machines, capsys):
    useless = tmp_path / "useless.py"
    useless.write_text(DEADLY.format(fate="pass").replace("return grade(", "raise OSError('no space'); ("))
    machines.start_worker("--preload", str(useless), "--name", "useless")
    with pytest.raises(UsageError, match="no worker of the cluster can grade: useless: OSError: no space"):
        run(small, submitted, tmp_path / "out", cluster=machines.address)
    assert "worker useless is left out: OSError: no space" in capsys.readouterr().err


def test_what_would_have_to_be_unpickled_is_not_read():
    with clusters._Cluster("local:1") as cluster:
        future = cluster.client.submit(Fraction, 1, 2)
        with pytest.raises(TypeError, match="only able to deserialize data with"):
            future.result(timeout=600)
        assert clusters._answer(future, lambda: True) is None


def test_an_address_where_nobody_answers_is_said(small, submitted, tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="no Dask scheduler answers at tcp://127"):
        run(small, submitted, tmp_path / "out", cluster="tcp://127.0.0.1:1")


@pytest.mark.parametrize("address", ["local:", "local:0", "local:many"])
def test_a_local_cluster_needs_a_number(small, submitted, tmp_path, address):
    with pytest.raises(UsageError, match="write local:N with a number of workers"):
        run(small, submitted, tmp_path / "out", cluster=address)


@pytest.mark.parametrize("address", ["nonsense", "host:port", "http://host:8786", "tcp://host", "tcp:host:1"])
def test_a_scheduler_is_named_by_its_address(small, submitted, tmp_path, address):
    with pytest.raises(UsageError, match="write the scheduler's address, such as tcp://HOST:8786"):
        run(small, submitted, tmp_path / "out", cluster=address)


def test_a_scheduler_behind_tls_needs_a_certificate(small, submitted, tmp_path):
    with pytest.raises(UsageError, match=r"Dask has no certificate for it here: set distributed\.comm\.tls"):
        run(small, submitted, tmp_path / "out", cluster="tls://127.0.0.1:1")


def test_a_parcel_is_the_course_again(small, tmp_path):
    parcel = pack_course(small, {}, True)
    assert pack_course(small, {}, True) == parcel
    unpack_course(parcel.data, tmp_path)
    again = load_course(tmp_path)
    assert (again.title, again.secret, list(again.problems)) == (small.title, small.secret, ["scores"])


@pytest.mark.parametrize(
    ("data", "limits", "isolation"),
    [(b"x", {}, True), (b"", {"wall_seconds": 1}, True), (b"", {}, False)],
    ids=["files", "limits", "isolation"],
)
def test_whatever_decides_the_marks_changes_the_digest(data, limits, isolation):
    assert digest_of(data, limits, isolation) != digest_of(b"", {}, True)


def test_a_damaged_course_is_refused(small):
    parcel = pack_course(small, {}, True)
    answer = json.loads(prepare(to_json(parcel.head()), parcel.data + b"x"))
    assert "the course has arrived damaged" in answer["fault"]


def test_a_worker_asks_for_a_course_that_it_does_not_have():
    assert from_json(Reply, json.loads(grade_remotely("unknown", {}, b""))) == Reply()
