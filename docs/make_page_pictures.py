"""Pictures of a feedback page and of the class report: docs/images/feedback*.png and report*.png.

Run as `python -m docs.make_page_pictures` in the repository; it grades a made-up class of sixty, and needs
the extra `dev` and a Chromium. With `--out OUT` it takes a class that is already graded.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, help="a graded class")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        take(given.out or grade(Path(scratch)))


def grade(scratch: Path) -> Path:
    """A class of sixty, made up and graded."""
    submitted, out = scratch / "submitted", scratch / "out"
    environment = {**os.environ, "AUTOGRADER_SECRET": "of a made-up class"}  # the course's own is no secret
    for command in (
        ["examples.make_class", "--students", "60", str(submitted)],
        ["autograder", "grade", str(submitted), "--out", str(out)],
    ):
        subprocess.run([sys.executable, "-m", *command], cwd=ROOT, check=True, env=environment)
    return out


@contextmanager
def open_browser() -> Iterator[Browser]:
    executable = next(found for name in CHROMIUM if (found := shutil.which(name)))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        yield browser
        browser.close()


def take(out: Path) -> None:
    with open_browser() as browser:
        page = telling_page(out)
        shoot(browser, page, "feedback.png", width=1180, height=1000)
        shoot(browser, page, "feedback-dark.png", width=1180, height=1000, scheme="dark")
        shoot(browser, out / "report.html", "report.png", width=1000, height=1500)
        shoot(browser, out / "report.html", "report-phone.png", width=390, height=1500, scheme="dark")


def telling_page(out: Path) -> Path:
    """The first page that begins with a recognised mistake and its picture, and has something right too."""
    for line in (out / "journal.jsonl").read_text(encoding="utf-8").splitlines():
        report = json.loads(line)["report"]
        first = report["parts"][0]
        drawn = any(case.get("shown") for case in first["cases"])
        named = first["mistake"]
        right = any(part["score"] >= part["max_score"] for part in report["parts"])
        if drawn and named and right:
            return out / "feedback" / report["student"] / report["set"] / f"{report['problem']}.html"
    raise SystemExit(f"{out} has no notebook that is partly right")


def shoot(browser: Browser, page: Path, name: str, *, width: int, height: int, scheme: str = "light") -> None:
    opened = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=1.5,
    )
    opened.goto(page.resolve().as_uri())
    IMAGES.mkdir(exist_ok=True)
    opened.screenshot(path=IMAGES / name)
    opened.close()


if __name__ == "__main__":
    main()
