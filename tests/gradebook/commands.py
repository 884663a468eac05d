"""The real commands, run as an instructor runs them, and what a gradebook says afterwards."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

from nbgrader.api import Gradebook

BIN = Path(sys.executable).parent


def run(*command, cwd):
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [str(BIN / command[0]), *map(str, command[1:])],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def exported(folder):
    run("nbgrader", "export", "--to", "exported.csv", cwd=folder)
    with (folder / "exported.csv").open() as file:
        return {row["student_id"]: row for row in csv.DictReader(file)}


def rows(folder, assignment):
    """Everything a gradebook says of the class, by student, notebook and cell."""
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        found = {}
        for handed_in in gradebook.assignment_submissions(assignment):
            for notebook in handed_in.notebooks:
                who = (handed_in.student.id, notebook.name)
                found[who] = (notebook.late_submission_penalty, handed_in.timestamp)
                for grade in notebook.grades:
                    found[*who, grade.name] = (grade.auto_score, grade.needs_manual_grade, grade.max_score)
                for comment in notebook.comments:
                    found[*who, comment.name, "words"] = comment.comment
        return found
