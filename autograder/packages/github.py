"""A course becomes two repositories for GitHub: one for students to begin with, one that grades a class."""

from __future__ import annotations

from collections.abc import Mapping

from autograder.course.load import Course
from autograder.packages.kit import filled, grading_kit

# In each student's repository: every push is checked against the visible cases, as the check cells do.
CHECK = """\
name: check
on: [push]
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-22.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
          cache: pip
          cache-dependency-path: requirements.txt
      - name: install
        run: python -m pip install -r requirements.txt
      - name: check the notebooks
        run: |
          failed=0
          for notebook in */*.ipynb; do
            echo "== $notebook"
            autograder check "$notebook" || failed=1
          done
          exit "$failed"
"""

# In the instructor's private repository: it holds the answers and the secret.
GRADE = """\
name: grade
on:
  workflow_dispatch:
    inputs:
      repositories:
        description: "Repositories to grade, as owner/name, separated by blanks"
        required: true
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-22.04
    timeout-minutes: 120
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.11"
      - name: install
        run: |
          sudo apt-get update -qq && sudo apt-get install -y -qq bubblewrap || true
          python -m pip install --extra-index-url https://download.pytorch.org/whl/cpu "{torch}"
          python -m pip install -c constraints.txt "./{wheel}[instructor]"
      - name: fetch
        env:
          GH_TOKEN: ${{ secrets.CLASSROOM_TOKEN }}
          REPOSITORIES: ${{ inputs.repositories }}
        run: |
          for repository in $REPOSITORIES; do
            gh repo clone "$repository" "submitted/${repository##*/}" -- --depth 1
          done
      - name: grade
        run: autograder grade submitted --out out --course course
      - uses: actions/upload-artifact@v4
        with:
          name: marks
          path: out
"""

README = """\
# Grading {title} on GitHub

`template/` is the repository that students begin with: make it the template of an assignment in GitHub
Classroom. Each push runs `autograder check` on every notebook. It holds no answers.

`grading/` holds the answers and the secret: keep it in a **private** repository of your own. Its workflow
*grade* takes the students' repositories by name and needs a token that may read them, as the secret
`CLASSROOM_TOKEN`. The folder of each clone is the student's name in the marks. On a machine of your own:

    gh classroom clone student-repos -a ASSIGNMENT
    autograder grade ASSIGNMENT-submissions --out out --course grading/course
"""


def github_files(course: Course, bundle: Mapping[str, bytes]) -> dict[str, bytes]:
    """Every file of both repositories, by path; `bundle` is what students are handed."""
    kit = {".github/workflows/grade.yml": filled(GRADE, course)} | grading_kit(course)
    template = {".github/workflows/check.yml": CHECK.encode(), **bundle}
    return {
        "README.md": filled(README, course),
        **{f"template/{path}": data for path, data in template.items()},
        **{f"grading/{path}": data for path, data in kit.items()},
    }
