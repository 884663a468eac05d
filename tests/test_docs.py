"""The docs hold together: the site builds with every link checked, and every command line in it can be given."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from autograder.cli.app import app
from autograder.cli.docs_pages import OPTIONS as PAGES_OF_OPTIONS
from autograder.cli.docs_pages import PAGES as PAGES_OF_COMMANDS
from autograder.cli.docs_pages import more_of
from autograder.cli.misuse import MISUSE
from autograder.docs_at_hand import as_said, says_more
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(?:console|sh)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`(autograder [a-z][^`…]*)`")
INSTALL = re.compile(r"""pip install\s+(?:-\S+\s+)*["'`]?(?:tensor-)?autograder\b""")
COMMANDS = typer.main.get_command(app)


def build_site(folder: Path, site: Path) -> subprocess.CompletedProcess[str]:
    """The site as `make site` builds it; --quiet would silence broken links, and let them pass."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "--site-dir", str(site)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_site_builds_without_a_broken_link(tmp_path):
    done = build_site(ROOT, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    asked = re.findall(r'(?:src|<link[^>]*href)="(https?://[^"]*)', (tmp_path / "index.html").read_text())
    assert asked == []


def test_a_broken_link_and_a_page_outside_of_the_list_stop_the_site(tmp_path):
    settings, _, _ = (ROOT / "mkdocs.yml").read_text().partition("nav:\n")
    (tmp_path / "mkdocs.yml").write_text(settings + "nav:\n  - Home: index.md\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[a page](gone.md)\n")
    (tmp_path / "docs" / "unlisted.md").write_text("# Not in the list\n")
    done = build_site(tmp_path, tmp_path / "site")
    assert done.returncode == 1
    assert "gone.md" in done.stderr
    assert "unlisted.md" in done.stderr


def command_lines(text: str) -> Iterator[str]:
    for block in BLOCK.findall(text):
        for line in block.splitlines():
            command = line.removeprefix("$ ").split("#")[0].strip()
            if command.startswith("autograder "):
                yield command


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_on_a_page_is_one_that_there_is(page):
    for line in command_lines(page.read_text(encoding="utf-8")):
        _, name, *words = shlex.split(line.split(" < ")[0].split(" | ")[0])
        if name != "--help":
            COMMANDS.commands[name].make_context(name, words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_that_a_sentence_gives_is_one_that_there_is(page):
    """A command by its name alone is spoken of; with more behind it, it is given."""
    for line in INLINE.findall(page.read_text(encoding="utf-8")):
        _, name, *words = shlex.split(line)
        assert name in COMMANDS.commands, line
        if words:
            COMMANDS.commands[name].make_context(name, words)


def test_errors_of_every_command_name_a_page_that_there_is():
    assert PAGES_OF_COMMANDS.keys() == COMMANDS.commands.keys()
    for page in (*PAGES_OF_COMMANDS.values(), *PAGES_OF_OPTIONS.values()):
        assert (ROOT / "docs" / f"{page}.md").is_file()
    assert more_of(["--verbose", "desk", "out"]) == "docs/desk.md says more"
    assert more_of(["grade", "in", "--out", "out", "--cluster=local:x"]) == "docs/clusters.md says more"
    assert more_of(["grade", "in", "--out", "out", "--db", "marks"]) == "docs/nbgrader.md says more"
    assert more_of(["grade", "in", "--out", "out"]) == "docs/instructors.md says more"
    assert more_of(["--help"]) == ""


def test_no_page_is_named_where_there_are_no_docs(tmp_path):
    """As from a wheel: beside the package lies nothing of ours, or another's docs."""
    alone = shutil.copytree(ROOT / "autograder", tmp_path / "site-packages" / "autograder")
    (alone.parent / "docs").mkdir()
    (alone.parent / "docs" / "install.md").touch()
    given = [sys.executable, "-m", "autograder", "desk", "out", "--course", tmp_path]
    done = subprocess.run(given, cwd=alone.parent, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("autograder: ")
    assert ".md" not in done.stderr
    assert as_said("install") == ", as docs/install.md says"
    assert as_said("install", alone.parent / "docs") == says_more("install", alone.parent / "docs") == ""


def test_nobody_is_told_to_install_the_stranger_who_has_our_name():
    """Neither `autograder` from the package index, nor our own name, which is not on it yet."""
    places = [
        *PAGES,
        *sorted((ROOT / "autograder").rglob("*.py")),
        *sorted((ROOT / "examples").rglob("*.md")),
    ]
    told = [
        (path.name, line.strip())
        for path in places
        for line in path.read_text(encoding="utf-8").splitlines()
        if INSTALL.search(line)
    ]
    assert told == [
        ("install.md", "index yet**: what `pip install autograder` brings is another project of that name.")
    ]
    assert INSTALL.search('pip install "autograder[instructor]"')
    assert INSTALL.search("pip install -U tensor-autograder")
    assert not INSTALL.search("pip install dist/tensor_autograder-0.1.0-py3-none-any.whl")


def test_a_command_that_there_is_not_would_be_found():
    with pytest.raises(MISUSE, match="No such option"):
        COMMANDS.commands["grade"].make_context("grade", ["submitted", "--output", "out"])
