"""The line of an nbgrader_config.py that puts our grading inside nbgrader, and the file that holds it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import URL
    from traitlets.config import Config

NAME = "nbgrader_config.py"
FEEDBACK = "nbgrader_feedback"  # feedback/ holds our own pages
MARK = "# Written by autograder grade"


def configure(config: Config, course: str | Path) -> None:
    """Make nbgrader grade submissions of this course as `autograder grade` does.

    Call it from nbgrader_config.py: `configure(get_config(), "path/to/course")`.
    """
    root = Path(course).resolve()
    ours = "autograder.gradebook.nbgrader_autograde"
    config.Autograde.exporter_class = f"{ours}.BlankExporter"
    config.Autograde.sanitize_preprocessors = []
    config.Autograde.autograde_preprocessors = [
        f"{ours}.GradeInSandbox",
        f"{ours}.SaveMarks",
        "nbgrader.preprocessors.AssignLatePenalties",
        "nbgrader.preprocessors.CheckCellMetadata",
    ]
    config.AssignLatePenalties.plugin_class = f"{ours}.CourseLatePolicy"
    config.GradeInSandbox.course = str(root)
    config.CourseLatePolicy.course = str(root)
    # Our stubs hold no solutions: nbgrader would replace whole answer cells by its own text.
    config.ClearSolutions.enabled = False
    config.CourseDirectory.source_directory = str(root / "notebooks")


def write_config(out: Path, root: Path, url: URL, submitted: Path | None) -> None:
    """Make OUT a folder that nbgrader's commands and Formgrader open; a file of the user's own stays."""
    path = out / NAME
    if path.exists() and not path.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        return
    # A password stays out of the file: PostgreSQL reads it from ~/.pgpass.
    db_url = url._replace(password=None).render_as_string(hide_password=False)
    place = f"c.CourseDirectory.submitted_directory = {str(submitted)!r}\n" if submitted else ""
    path.write_text(
        f"{MARK}: nbgrader's own commands and Formgrader work in this folder.\n"
        "from autograder.gradebook.nbgrader_config import configure\n\n"
        "c = get_config()\n"
        f"c.CourseDirectory.db_url = {db_url!r}\n"
        f"c.CourseDirectory.feedback_directory = {FEEDBACK!r}\n"
        f"{place}configure(c, {str(root)!r})\n",
        encoding="utf-8",
    )
