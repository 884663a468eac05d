"""Where a class lies and where its results go, looked at before anything heavy is loaded or written."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

from autograder.classroom.folder_names import is_notebook
from autograder.errors import UsageError

COURSE_FOLDERS = ("problems", "solutions", "notebooks", "examples")
OWN = ("feedback", "autograded", "unpacked")  # what a run writes below OUT


def check_submissions(root: Path) -> None:
    """Refuse what cannot be a class: no folder, no zip, or nothing in it that could be a notebook."""
    if root.is_file() and root.suffix.lower() == ".zip":
        if not zipfile.is_zipfile(root):
            raise UsageError(f"{root} is called a zip and is none: download it again")
        return
    if not root.is_dir():
        raise UsageError(
            f"{root} is not a folder of submissions, nor a zip of them: "
            "name what the platform handed out, as a folder or a zip"
        )
    for _, _, files in os.walk(root):
        if any(is_notebook(name) or name.lower().endswith(".zip") for name in files):
            return
    raise UsageError(f"{root} holds no notebook: name the folder in which the students' folders lie")


def check_out(out: Path, submitted: Path, course: Path) -> None:
    """Refuse to write results over the submissions or the course, by name and before anything is written."""
    check_folder(out, "results")
    place, handed_in = out.resolve(), submitted.resolve()
    if place == handed_in or handed_in in place.parents:
        raise UsageError(f"{out} lies among the submissions in {submitted}: name a folder outside for --out")
    for name in OWN:
        if place / name == handed_in or place / name in handed_in.parents:
            raise UsageError(f"{submitted} is what an earlier run wrote into {out}: name the submissions")
    check_course(out, course)


def check_folder(out: Path, holds: str) -> None:
    """Refuse a file where a folder is to hold something."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; name a folder for the {holds}")
    if any(parent.is_file() for parent in out.parents):
        raise UsageError(f"cannot write {holds} to {out}: part of its path is a file, not a folder")
    near = next(folder for folder in (out.absolute(), *out.absolute().parents) if folder.is_dir())
    if not os.access(near, os.W_OK | os.X_OK):
        raise UsageError(f"cannot write {holds} to {out}: you may not write in {near}; name another folder")


def check_course(out: Path, course: Path) -> None:
    """Refuse to write over a course or into the folders that are its own."""
    place, root = out.resolve(), course.resolve()
    if place == root or place in root.parents:
        raise UsageError(
            f"{out} is the course's own folder, or around it: name another, such as {root / 'out'}"
        )
    for name in COURSE_FOLDERS:
        if place == root / name or root / name in place.parents:
            raise UsageError(f"{out} lies in the course's own folder {name}: name another")
