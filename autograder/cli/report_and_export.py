"""Commands on the results of a class: build its report again, and hand its marks to a platform."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.courses import open_course
from autograder.cli.output_files import require_place
from autograder.cli.terminal import CourseOption, JsonOption, print_json, waiting
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.classroom.marks_by_people import MarksByHand
    from autograder.exports.mark_sheet import MarkSheet
    from autograder.grade.report import ResultRow
    from autograder.gradebook.final import Final

OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="What `grade` was given as --out.")]


class Format(StrEnum):
    """The platforms that marks are exported to."""

    CSV = "csv"
    CANVAS = "canvas"
    MOODLE = "moodle"
    GRADESCOPE = "gradescope"


class By(StrEnum):
    """What a column of marks stands for."""

    SET = "set"
    PROBLEM = "problem"


def report(out: OutArgument, course: CourseOption = None, json: JsonOption = False) -> None:
    """Build the class report again from the results, without grading."""
    from autograder.classroom.grading_digest import told_others
    from autograder.classroom.journal import read_reports
    from autograder.classroom.marks_by_people import as_marked
    from autograder.classroom.tables import write_whole
    from autograder.gradebook.late import read_deadlines
    from autograder.pages.class_report import render_report

    rows = _rows(out)
    opened = open_course(course)
    strange = sorted({row.problem for row in rows} - set(opened.problems))
    if strange:
        raise UsageError(
            f"{out} has results of {', '.join(strange)}, which the course in {opened.root} does not have: "
            "name the course that it was graded by with --course"
        )
    reports = read_reports(out, rows, brief=True)
    notes = told_others(opened, reports)
    for line in notes:
        print(f"note: {line}", file=sys.stderr)
    isolation = all(each.isolated for each in reports)
    marked = as_marked(reports, _by_hand(out))
    with waiting("writing the report"):
        page = render_report(opened, marked, isolation=isolation, deadlines=read_deadlines(opened.root))
    write_whole(out / "report.html", page)
    if json:
        print_json({"written": [str(out / "report.html")], "notes": notes})
    else:
        typer.echo(f"wrote {out / 'report.html'}")


def export(
    out: OutArgument,
    to: Annotated[Format, typer.Option("--to", help="The platform that the marks go to.")],
    file: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="The file, or for Gradescope the folder, to write. [dim]Default: in OUT.[/dim]",
        ),
    ] = None,
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="SET", help="Only this set; can be given again.")
    ] = None,
    by: Annotated[By, typer.Option("--by", help="A column for each set or each problem.")] = By.SET,
    roster: Annotated[
        Path | None,
        typer.Option("--roster", metavar="FILE", help="Canvas's or Moodle's own export, to be filled in."),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option("--db", metavar="URL", help="The gradebook. [dim]Default: OUT/gradebook.db[/dim]"),
    ] = None,
    no_gradebook: Annotated[
        bool, typer.Option("--no-gradebook", help="Leave a person's marks and late penalties out.")
    ] = False,
    course: CourseOption = None,
    json: JsonOption = False,
) -> None:
    """Write the marks of a class for a spreadsheet, Canvas, Moodle or Gradescope."""
    from autograder.exports.mark_sheet import make_sheet

    if roster and to not in (Format.CANVAS, Format.MOODLE):
        raise UsageError(f"--roster goes with --to canvas or --to moodle, not with {to}: leave it out")
    if file:
        require_place(file, folder=to is Format.GRADESCOPE)
    opened = open_course(course, solutions=False)
    rows = _rows(out)
    final = _final(out, db, no_gradebook)
    sheet = make_sheet(opened, rows, final.marks, by=by, only=sets or (), by_hand=final.by_hand)
    lost: list[str] = []
    if to is Format.GRADESCOPE:
        with waiting("writing the results"):
            written = _write_gradescope(out, rows, final, set(sets or ()), file or out / "gradescope")
    else:
        text, lost = _text(sheet, to, roster, opened.questions)
        written = [file or out / f"export-{to}.csv"]
        _write(written[0], text)
    for line in lost:
        print(line, file=sys.stderr)
    if final.waiting:
        print(f"{final.waiting} answers still wait for a person and count 0", file=sys.stderr)
    if json:
        print_json(
            {"written": [str(path) for path in written], "not_in_roster": lost, "waiting": final.waiting}
        )
    elif len(written) == 1:
        typer.echo(f"wrote {written[0]}")
    else:
        typer.echo(f"wrote {len(written)} files below {file or out / 'gradescope'}")


def _text(sheet: MarkSheet, to: Format, roster: Path | None, questions: str) -> tuple[str, list[str]]:
    from autograder.exports.canvas import canvas_text, fill_canvas
    from autograder.exports.moodle import fill_moodle, moodle_text
    from autograder.exports.plain_table import plain_text
    from autograder.exports.roster import read_roster

    match to, roster:
        case Format.CANVAS, Path():
            return fill_canvas(sheet, read_roster(roster))
        case Format.MOODLE, Path():
            return fill_moodle(sheet, read_roster(roster))
        case Format.CANVAS, _:
            return canvas_text(sheet), []
        case Format.MOODLE, _:
            return moodle_text(sheet), []
        case _:
            return plain_text(sheet, questions), []


def _write_gradescope(
    out: Path, rows: list[ResultRow], final: Final, sets: set[str], folder: Path
) -> list[Path]:
    from autograder.classroom.journal import read_reports
    from autograder.exports.gradescope import gradescope_results

    wanted = [row for row in rows if not sets or row.set in sets]
    written = []
    for (student, set_id), text in gradescope_results(read_reports(out, wanted), final.marks).items():
        written.append(folder / student / set_id / "results.json")
        _write(written[-1], text)
    return written


def _rows(out: Path) -> list[ResultRow]:
    from autograder.classroom.mark_changes import read_rows

    path = out / "results.jsonl"
    rows = read_rows(path)
    if not rows and path.is_file() and path.stat().st_size:
        raise UsageError(
            f"{path} cannot be read: run the command that graded the class again, it writes it anew"
        )
    if not rows:
        raise UsageError(f"{out} has no results: run autograder grade … --out {out} to its end first")
    return rows


def _final(out: Path, db: str | None, without: bool) -> Final:
    from autograder.gradebook.final import Final, read_final

    if without:
        return Final({}, 0)
    with waiting("reading the gradebook"):
        return read_final(db, out)


def _by_hand(out: Path) -> MarksByHand:
    """What people have marked, as far as a gradebook in OUT knows."""
    if not (out / "gradebook.db").is_file():
        return {}
    with waiting("reading the gradebook"):
        # Imported here: nbgrader takes a second, and a class without a gradebook needs none.
        from autograder.classroom.marks_by_people import marks_in
        from autograder.gradebook.gradebook_process import said_in

        return marks_in(said_in(out, None))


def _write(path: Path, text: str) -> None:
    from autograder.classroom.tables import write_whole

    write_whole(path, text)
