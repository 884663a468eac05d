"""A real JupyterLab or Notebook 7, a real Chromium and a real PostgreSQL for the end-to-end tests."""

from __future__ import annotations

import getpass
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
START_SECONDS = 90


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab (or Notebook 7) and the folder it serves."""

    url: str
    token: str
    folder: Path
    tree: str = "lab/tree"  # where it shows a notebook

    def page_of(self, path: str) -> str:
        return f"{self.url}/{self.tree}/{path}?token={self.token}&reset"


@pytest.fixture(scope="module", autouse=True)
def secret() -> Iterator[None]:
    """The real course comes with a secret that a class is not graded with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTOGRADER_SECRET", "of the end-to-end tests")
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    assert executable, f"none of {', '.join(CHROMIUM)} is installed; run make e2e"
    # Chromium's own sandbox does not start as root, and its background services have no network here.
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable, args=quiet)
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1280, "height": 1000})
    yield opened
    opened.close()


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Callable[..., Lab]]:
    """Start a JupyterLab, or with "notebook" Notebook 7, that serves a folder; it ends with the test.

    `python` is the interpreter of another environment, which has one of its own.
    """
    running: list[subprocess.Popen[bytes]] = []

    def start(folder: Path, front_end: str = "jupyterlab", python: str = sys.executable) -> Lab:
        port, token = _free_port(), "end-to-end"
        command = [python, "-m", front_end, "--no-browser", "--allow-root", f"--port={port}"]
        command += [f"--IdentityProvider.token={token}", "--ServerApp.port_retries=0"]
        env = {**os.environ, "JUPYTER_CONFIG_DIR": str(tmp_path / "jupyter"), "HOME": str(tmp_path)}
        with (tmp_path / "jupyter.log").open("wb") as log:
            running.append(subprocess.Popen(command, cwd=folder, env=env, stdout=log, stderr=log))
        tree = "lab/tree" if front_end == "jupyterlab" else "notebooks"
        opened = Lab(f"http://127.0.0.1:{port}", token, folder, tree)
        _wait_for(f"{opened.url}/api?token={token}", running[-1], tmp_path / "jupyter.log")
        return opened

    yield start
    for process in running:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:  # a kernel that is still busy keeps the server from leaving
            process.kill()
            process.wait(timeout=30)


def _program(name: str) -> str:
    beside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(beside[-1]) if beside else shutil.which(name)
    assert found, f"{name} is not installed; run make e2e"
    return found


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of an empty database, reached through a socket in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="marks-"))
    # PostgreSQL refuses to run as root, so root lends the folder to the user that the package made.
    user = "postgres" if os.geteuid() == 0 else getpass.getuser()
    entry = pwd.getpwnam(user)
    os.chown(folder, entry.pw_uid, entry.pw_gid)
    who = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"}

    def run(name: str, *options: str) -> None:
        done = subprocess.run(
            [_program(name), "-D", str(folder / "data"), *options],
            **who,
            env=environment,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, done.stdout

    run("initdb", "--auth=trust", "--username=marker", "--encoding=UTF8", "--no-sync")
    # The log goes to a file: a server that holds our pipe would keep us waiting for its end.
    quiet = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    run("pg_ctl", "-w", "-t", "120", "-l", str(folder / "log"), "-o", quiet, "start")
    try:
        yield f"postgresql+psycopg://marker@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(START_SECONDS * 4):
        assert process.poll() is None, f"JupyterLab did not start: {log.read_text()[-2000:]}"
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise AssertionError(f"JupyterLab did not answer: {log.read_text()[-2000:]}")
