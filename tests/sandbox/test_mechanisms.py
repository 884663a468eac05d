"""What a machine can do is tried, said, and where it is too little refused."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.calls.requests_and_outcomes import Cell, ReadText, SandboxError
from autograder.errors import UsageError
from autograder.sandbox import mechanisms, parent_pool, tiers
from autograder.sandbox.mechanisms import probe, require_isolation
from autograder.sandbox.parent_pool import Sandbox


def test_every_mechanism_is_named_and_a_missing_one_says_what_to_install() -> None:
    found = probe()
    assert [m.name for m in found] == ["landlock", "seccomp", "rlimits", "bubblewrap", "another user"]
    assert all(m.works or m.install for m in found)
    assert all(m.detail for m in found)


@pytest.mark.parametrize("missing", ["landlock", "seccomp"])
def test_without_a_required_mechanism_it_refuses_and_names_it(
    monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    monkeypatch.setattr(mechanisms, "fault_of", lambda name: "switched off" if name == missing else "")
    with pytest.raises(UsageError, match=rf"{missing} does not work \(switched off\), it needs .*Linux"):
        require_isolation()
    with pytest.raises(UsageError, match="--no-isolation"):
        Sandbox()
    Sandbox(isolation=False).close()


def test_without_bubblewrap_the_plain_tier_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "bubblewrap_fault", lambda: "not installed")
    tier = tiers.choose(isolation=True, bubblewrap=True, file_mb=1)
    assert (tier.name, tier.isolated) == ("landlock", True)


def test_a_missing_program_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers.shutil, "which", lambda name: None)
    assert tiers.bubblewrap_fault.__wrapped__() == "there is no bwrap on the path"


def test_a_probe_that_the_machine_ends_is_tried_again(tmp_path: Path) -> None:
    tries = tmp_path / "tries"
    told = f"echo once >> {tries}; test $(wc -l < {tries}) = {tiers.PROBES} || kill -9 $$"
    assert tiers.fault_in(["/bin/sh", "-c", told]) == ""


def test_a_program_that_fails_is_a_reason() -> None:
    tier = tiers.plain(isolated=True, file_mb=1)
    broken = tiers.Tier("bubblewrap", ("/nonexistent", *tier.command), tier.package, None, (), "", True)
    assert "No such file" in tiers.fails(broken)


def test_no_mount_or_readable_path_shows_the_course_or_the_framework() -> None:
    root = tiers.PACKAGE.parent
    hidden = [root, tiers.PACKAGE, root / "problems", root / "solutions", tiers.PACKAGE / "model.py"]
    for readable in (tiers.plain(True, 1).readable, tuple(binds(tiers.mounts(tiers.interpreter_files(), 1)))):
        for path in hidden:
            assert not [shown for shown in readable if path == Path(shown) or Path(shown) in path.parents]


def binds(arguments: list[str]) -> list[str]:
    return [arguments[n + 1] for n, word in enumerate(arguments) if word == "--ro-bind"]


def test_a_folder_that_others_cannot_enter_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "closed" / "lib"
    inner.mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    assert tiers.closed_to_others((str(inner),), parents=False) is None
    assert tiers.closed_to_others((str(inner),), parents=True) == str(tmp_path / "closed")


def test_a_warm_parent_that_cannot_start_is_the_graders_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tiers.Tier("none", ("/bin/sh", "-c", "echo out of order >&2; exit 3"), "", None, (), "", False)
    monkeypatch.setattr(parent_pool, "choose", lambda *args: broken)
    with pytest.raises(SandboxError, match="does not start: out of order"), Sandbox():
        pass


def test_a_warm_parent_that_is_ended_while_it_starts_is_replaced(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    whole, seen = tiers.plain(True, 1), tmp_path / "seen"
    once = f'[ -e {seen} ] || {{ touch {seen}; kill -9 $$; }}; exec "$@"'
    dies_once = dataclasses.replace(whole, command=("/bin/sh", "-c", once, "sh", *whole.command))
    monkeypatch.setattr(parent_pool, "choose", lambda *args: dies_once)
    with Sandbox() as sandbox:
        assert sandbox.run([Cell("x = 'here'", None, "0")], [ReadText("x", "x")]).outcomes[0].text == "here"
    assert seen.exists()


def test_importing_the_sandbox_imports_neither_torch_nor_ipython() -> None:
    code = "import sys, autograder.sandbox; print(sorted({'torch', 'IPython', 'numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_course_among_the_packages_would_be_seen() -> None:
    sandbox = Sandbox()
    sandbox.close()
    assert sandbox.shows(Path(pytest.__file__).parent / "course")
    assert not sandbox.shows(Path(__file__).parent)
