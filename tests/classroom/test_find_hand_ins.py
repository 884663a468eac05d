"""Finding submissions: every layout that platforms hand out, and a sentence on whatever is left out."""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from autograder.classroom.find_hand_ins import WAITS, find_handins
from autograder.errors import UsageError
from autograder.grade.report import Status

NOTEBOOK_WANTED = "hand in the .ipynb that was handed out"
LABELLED = json.dumps({"metadata": {"autograder": {"problem": "scores", "set": "basics"}}, "cells": []})

METADATA = """---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '300'
    :email: ada@example.org
  :created_at: 2026-02-02 10:00:00.5 -05:00
  :score: 1.0
submission_12:
  :submitters:
  - :name: Boris
    :email: boris@example.org
  - :name: Chen
    :sid:
    :email: chen@example.org
"""


def there(found):
    return [handin for handin in found.handins if handin.absent is None]


def put(folder, place, text="{}"):
    path = folder / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


# The files of a class, and the students whose notebooks they are.
LAYOUTS = {
    "nbgrader": (
        ["ada/basics/scores.ipynb", "boris/basics/scores.ipynb"],
        ["ada", "boris"],
    ),
    "nbgrader in a folder": (
        ["class/submitted/ada/basics/scores.ipynb", "class/submitted/boris/basics/scores.ipynb"],
        ["ada", "boris"],
    ),
    "one student alone": (["submitted/ada/basics/scores.ipynb"], ["ada"]),
    "without the set": (["ada/scores.ipynb", "boris/homework/scores.ipynb"], ["ada", "boris"]),
    "set above student": (["basics/ada/scores.ipynb", "basics/boris/scores.ipynb"], ["ada", "boris"]),
    "in sections": (
        [f"section {n % 2}/student {n}/scores.ipynb" for n in range(4)],
        ["student 0", "student 1", "student 2", "student 3"],
    ),
    "in sections, by file names": (
        ["sec1/ada_scores.ipynb", "sec2/boris_scores.ipynb"],
        ["ada", "boris"],
    ),
    "in a folder called like the zip": (
        ["class/ada/basics/scores.ipynb", "class/boris/scores.ipynb"],
        ["ada", "boris"],
    ),
    "each in a folder of one kind": (
        ["ada/homework/basics/scores.ipynb", "boris/my work/basics/scores.ipynb"],
        ["ada", "boris"],
    ),
    "each in a folder of their own making": (
        ["ada/homework/scores.ipynb", "boris/my work/basics/scores.ipynb"],
        ["ada", "boris"],
    ),
    "flat": (
        ["ada_scores.ipynb", "boris-Scores (2).ipynb", "scores_chen.ipynb", "van der Berg_scores-1.ipynb"],
        ["ada", "boris", "chen", "van der Berg"],
    ),
    "flat in a folder": (["download/ada_scores.ipynb", "download/boris_scores.ipynb"], ["ada", "boris"]),
    "flat, named by students": (["ada.ipynb", "boris.ipynb"], ["ada", "boris"]),
    "Canvas": (
        [
            "lovelaceada_12345_678901_scores-1.ipynb",
            "zusekonrad_LATE_12346_678902_scores.ipynb",
            "LATE_anon_x9Yz_678903_scores.ipynb",
            "straße_7_8_homework.ipynb",
        ],
        ["anon_x9Yz", "lovelaceada_12345", "straße_7", "zusekonrad_12346"],
    ),
    "Moodle": (
        [
            "Ada Lovelace_123456_assignsubmission_file_/homework.ipynb",
            "Konrad Zuse_7_assignsubmission_file_/basics/scores.ipynb",
        ],
        ["Ada Lovelace_123456", "Konrad Zuse_7"],
    ),
    "Moodle without folders": (
        ["Ada Lovelace_1_assignsubmission_file_scores.ipynb", "Konrad Zuse_7_assignsubmission_file_a.ipynb"],
        ["Ada Lovelace_1", "Konrad Zuse_7"],
    ),
    "Moodle, one student": (["Ada Lovelace_1_assignsubmission_file_/a.ipynb"], ["Ada Lovelace_1"]),
    "Gradescope without its list": (
        ["export/submission_1/scores.ipynb", "export/submission_2/deep/er/scores.ipynb"],
        ["submission_1", "submission_2"],
    ),
    "names nobody should have": (
        ["=cmd|x/scores.ipynb", "a:b*c/scores.ipynb", "ada\u0301/scores.ipynb"],
        ["a_b_c", "adá", "cmd_x"],
    ),
}


@pytest.mark.parametrize("archived", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize(("files", "students"), LAYOUTS.values(), ids=LAYOUTS)
def test_students_are_found_in_every_layout(small, tmp_path, files, students, archived):
    if archived:
        root = tmp_path / "class.zip"
        root.write_bytes(zipped(dict.fromkeys(files, LABELLED)))
    else:
        root = tmp_path / "class"
        for place in files:
            put(root, place, LABELLED)
    found = find_handins(root, small)
    assert sorted(handin.student for handin in found.handins) == students
    assert {(handin.set, handin.problem) for handin in found.handins} == {("basics", "scores")}
    assert found.skipped == ()


def test_a_gradescope_export_names_its_students_and_times(small, tmp_path):
    put(tmp_path, "export/submission_metadata.yml", METADATA)
    put(tmp_path, "export/submission_11/scores.ipynb")
    put(tmp_path, "export/submission_12/scores.ipynb")
    found = find_handins(tmp_path, small)
    assert [(handin.student, handin.submitted) for handin in found.handins] == [
        ("300", datetime(2026, 2, 2, 15, 0, 0, 500000)),
        ("boris@example.org", None),
        ("chen@example.org", None),
    ]
    assert found.skipped == ()


@pytest.mark.parametrize(
    "text",
    ["{", "[1]", "a: &a [x]\nb: *a", "submission_1: 3", "\x00"],
    ids=["broken", "list", "aliases", "numbers", "binary"],
)
def test_a_gradescope_list_that_cannot_be_read_is_done_without(small, tmp_path, text):
    put(tmp_path, "submission_metadata.yml", text)
    put(tmp_path, "submission_1/scores.ipynb")
    put(tmp_path, "submission_2/scores.ipynb")
    assert [h.student for h in find_handins(tmp_path, small).handins] == ["submission_1", "submission_2"]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-02-02 15:58:23.948203 America/Los_Angeles", datetime(2026, 2, 2, 23, 58, 23, 948203)),
        ("2026-02-02 15:58:23 UTC\n", datetime(2026, 2, 2, 15, 58, 23)),
        ("2026-02-02T15:58:23+01:00", datetime(2026, 2, 2, 14, 58, 23)),
        ("2026-02-02 15:58:23 Nowhere/City", None),
        ("yesterday", None),
    ],
    ids=["nbgrader", "utc", "offset", "unknown-zone", "words"],
)
def test_the_time_beside_a_notebook_is_read(small, tmp_path, text, moment):
    put(tmp_path, "ada/basics/scores.ipynb")
    put(tmp_path, "ada/basics/timestamp.txt", text)
    assert [handin.submitted for handin in find_handins(tmp_path, small).handins] == [moment]


def test_students_zips_are_opened_wherever_they_lie(small, tmp_path):
    inner = zipped({"scores.ipynb": LABELLED})
    wrapped = zipped({"homework/work.zip": inner})
    outer = {
        "lovelaceada_1_2_work.zip": inner,
        "zusekonrad_3_4_work.zip": wrapped,
    }
    (tmp_path / "class.zip").write_bytes(zipped(outer))
    found = find_handins(tmp_path / "class.zip", small)
    assert [handin.student for handin in found.handins] == ["lovelaceada_1", "zusekonrad_3"]
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "ada.zip").write_bytes(inner)
    (folder / "boris.ZIP").write_bytes(inner)
    assert [handin.student for handin in find_handins(folder, small).handins] == ["ada", "boris"]


def test_what_is_no_notebook_or_no_problem_is_named(small, tmp_path):
    put(tmp_path, "ada/basics/scores.ipynb")
    put(tmp_path, "ada/basics/timestamp.txt")
    put(tmp_path, "ada/basics/.ipynb_checkpoints/scores-checkpoint.ipynb")
    put(tmp_path, "ada/basics/data.csv")
    put(tmp_path, "ada/basics/other.ipynb")
    put(tmp_path, "__MACOSX/ada/basics/._scores.ipynb")
    put(tmp_path, "boris/basics/.DS_Store")
    (tmp_path / "carl" / "basics").mkdir(parents=True)
    (tmp_path / "carl" / "basics" / "scores.ipynb").symlink_to(tmp_path / "ada/basics/scores.ipynb")
    (tmp_path / "dora").symlink_to(tmp_path / "ada")
    found = find_handins(tmp_path, small)
    assert [(h.student, h.set, h.problem) for h in there(found)] == [("ada", "basics", "scores")]
    assert found.skipped == (
        "ada/basics/data.csv: not a notebook",
        "ada/basics/other.ipynb: the course has no problem of this name, "
        "and the notebook does not say which one it is",
        "carl/basics/scores.ipynb: a link to another file is not a submission",
        "dora: a link to another file is not a submission",
    )


def test_a_notebook_without_a_student_is_named(small, tmp_path):
    put(tmp_path, "scores.ipynb")
    put(tmp_path, "ada_scores.ipynb")
    assert find_handins(tmp_path, small).skipped == (
        "scores.ipynb: it names no student: "
        "expected <student>/<set>/<problem>.ipynb or <student>_<problem>.ipynb",
    )


def test_a_student_cannot_hand_in_for_another(small, tmp_path):
    put(tmp_path, "ada/basics/scores.ipynb", "ada's")
    put(tmp_path, "boris/ada/basics/scores.ipynb", "for ada")
    put(tmp_path, "boris/lovelaceada_1_2_scores.ipynb", "for ada")
    put(tmp_path, "boris/submission_metadata.yml", METADATA)
    found = find_handins(tmp_path, small)
    assert [(handin.student, handin.path.read_text()) for handin in found.handins] == [
        ("ada", "ada's"),
        ("boris", "for ada"),
    ]


def test_of_several_notebooks_the_last_counts_and_the_others_are_named(small, tmp_path):
    for place in ("ada_scores.ipynb", "ada_scores (1).ipynb", "ada_scores (10).ipynb", "boris_scores.ipynb"):
        put(tmp_path, place)
    found = find_handins(tmp_path, small)
    assert [handin.path.name for handin in found.handins] == ["ada_scores (10).ipynb", "boris_scores.ipynb"]
    assert found.skipped == (
        "ada_scores (1).ipynb: ada also handed in ada_scores (10).ipynb for basics/scores, which counts",
        "ada_scores.ipynb: ada also handed in ada_scores (10).ipynb for basics/scores, which counts",
    )


def test_a_copy_beside_the_notebook_itself_does_not_count(small, tmp_path):
    put(tmp_path, "ada/basics/scores.ipynb")
    put(tmp_path, "ada/basics/scores-Copy1.ipynb")
    put(tmp_path, "ada/scores.ipynb")
    (handin,) = find_handins(tmp_path, small).handins
    assert handin.path == tmp_path / "ada/basics/scores.ipynb"


def test_a_file_that_does_not_tell_its_set_goes_with_the_others(real, tmp_path):
    label = LABELLED.replace("scores", "self_attention").replace("basics", "transformers")
    put(tmp_path, "ada_self_attention.ipynb", label)
    put(tmp_path, "boris_self_attention.ipynb", label[:-20])
    assert {handin.set for handin in find_handins(tmp_path, real).handins} == {"transformers"}
    (tmp_path / "ada_self_attention.ipynb").unlink()
    with pytest.raises(
        UsageError,
        match=r"holds no notebook of this course: boris_self_attention.ipynb: the problem 'self_attention' is in "
        "the sets transformers, language_models: put it in a folder named after its set",
    ):
        find_handins(tmp_path, real)


def test_a_folder_that_cannot_be_opened_is_named(small, tmp_path, monkeypatch):
    put(tmp_path, "ada/basics/scores.ipynb")
    (tmp_path / "closed").mkdir()

    scandir = os.scandir

    def refused(path):  # root, who may run this test, is never refused
        if path == str(tmp_path / "closed"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("autograder.classroom.archives.os.scandir", refused)
    found = find_handins(tmp_path, small)
    assert [handin.student for handin in there(found)] == ["ada"]
    assert found.skipped == ("closed: the folder cannot be opened: Permission denied",)
    assert [(h.student, h.absent) for h in found.handins if h.absent] == [
        (
            "closed",
            (Status.UNREADABLE, f"the folder cannot be opened: Permission denied: hand it in again; {WAITS}"),
        )
    ]


@pytest.mark.parametrize("name", ["nowhere", "notes.txt"])
def test_what_is_neither_a_folder_nor_a_zip_is_wrong_usage(small, tmp_path, name):
    put(tmp_path, "notes.txt")
    with pytest.raises(UsageError, match="is not a folder of submissions, nor a zip of them"):
        find_handins(tmp_path / name, small)


# ---------------------------------------------------------------- whose work it is

HONEST = ["alice/basics/scores.ipynb", "bob/basics/scores.ipynb"]

# What mallory puts into a folder, an archive or a file name that is hers, beside honest students.
ATTACKS = {
    "folders called like others": [f"mallory/{who}/basics/scores.ipynb" for who in ("alice", "bob", "carol")],
    "many of them": [f"mallory/{who}/{n}/scores.ipynb" for who in ("alice", "bob") for n in range(30)],
    "as nbgrader lays out": [f"mallory/submitted/{who}/basics/scores.ipynb" for who in ("alice", "bob")],
    "as sections": [f"mallory/sec{n}/alice/basics/scores.ipynb" for n in range(3)],
    "a set above": ["mallory/basics/alice/scores.ipynb", "mallory/basics/bob/scores.ipynb"],
    "as Canvas": ["mallory/alice_1_2_scores.ipynb", "mallory/bob_LATE_3_4_scores.ipynb"],
    "as Moodle": ["mallory/alice_1_assignsubmission_file_/scores.ipynb"],
    "as Gradescope": ["mallory/submission_1/scores.ipynb"],
    "in an archive": ["mallory.zip/alice/basics/scores.ipynb", "mallory.zip/bob/basics/scores.ipynb"],
    "an archive in an archive": ["mallory.zip/alice.zip/basics/scores.ipynb"],
}


def lay(folder, files):
    """Write files; names that lead through a zip go into it."""
    archives = {}
    for place in files:
        head, zip_, tail = place.partition(".zip/")
        if zip_:
            archives.setdefault(f"{head}.zip", []).append(tail)
        else:
            put(folder, place, LABELLED)
    for name, members in archives.items():
        (folder / name).write_bytes(_packed(members))


def _packed(members):
    inner, plain = {}, {}
    for member in members:
        head, zip_, tail = member.partition(".zip/")
        if zip_:
            inner.setdefault(f"{head}.zip", []).append(tail)
        else:
            plain[member] = LABELLED
    return zipped({**plain, **{name: _packed(below) for name, below in inner.items()}})


@pytest.mark.parametrize("files", ATTACKS.values(), ids=ATTACKS)
def test_nothing_inside_a_students_own_place_is_anybody_elses(small, tmp_path, files):
    lay(tmp_path, [*HONEST, *files])
    found = find_handins(tmp_path, small)
    assert {handin.student for handin in found.handins} == {"alice", "bob", "mallory"}
    places = {handin.student: handin.path.relative_to(tmp_path).as_posix() for handin in found.handins}
    assert [places["alice"], places["bob"]] == HONEST
    (tmp_path / "class.zip").write_bytes(_packed([*HONEST, *files]))
    assert {h.student for h in find_handins(tmp_path / "class.zip", small).handins} == {
        *("alice", "bob", "mallory")
    }


@pytest.mark.parametrize(
    ("place", "student"),
    [
        ("mallorym_5_900_alice_7_8_scores.ipynb", "mallorym_5"),
        ("mallorym_5_900_alice_7_assignsubmission_file_scores.ipynb", "mallorym_5"),
        ("Mallory M_5_assignsubmission_file_Alice_7_assignsubmission_file_scores.ipynb", "Mallory M_5"),
        ("Mallory M_5_assignsubmission_file_alice_7_8_scores.ipynb", "Mallory M_5"),
        ("anon_x9Yz_678_7_8_scores.ipynb", "anon_x9Yz"),
        ("mallorym_LATE_5_900_scores.ipynb", "mallorym_5"),
    ],
)
def test_what_a_student_called_a_file_does_not_change_whose_it_is(small, tmp_path, place, student):
    put(tmp_path, place, LABELLED)
    put(tmp_path, "lovelaceada_1_2_scores.ipynb", LABELLED)
    assert {h.student for h in find_handins(tmp_path, small).handins} == {student, "lovelaceada_1"}


def test_students_may_be_called_like_sets_and_problems(small, tmp_path):
    lay(tmp_path, ["basics/basics/scores.ipynb", "scores/basics/scores.ipynb", "ada/basics/scores.ipynb"])
    assert [h.student for h in find_handins(tmp_path, small).handins] == ["ada", "basics", "scores"]


CLASHES = {
    "a formula's sign": ["=alice/scores.ipynb", "alice/scores.ipynb"],
    "a dot at the end": ["bob./scores.ipynb", "bob/scores.ipynb"],
    "a colon": ["a:b/scores.ipynb", "a_b/scores.ipynb"],
    "two ways to write an accent": ["adá/scores.ipynb", "ada\u0301/scores.ipynb"],
    "two sections": ["sec1/ada/scores.ipynb", "sec2/ada/scores.ipynb"],
    "long names": [f"{'x' * 120}1/scores.ipynb", f"{'x' * 120}2/scores.ipynb"],
    "capitals": ["Ada/scores.ipynb", "ada/scores.ipynb"],
    "a folder and an archive": ["ada/scores.ipynb", "ada.zip/scores.ipynb"],
    "a folder and a file": ["ada/scores.ipynb", "ada_scores.ipynb"],
    "an empty folder": ["ada/scores.ipynb", "=ada/notes.txt"],
}


@pytest.mark.parametrize("files", CLASHES.values(), ids=CLASHES)
def test_two_names_that_would_be_one_student_are_refused_by_name(small, tmp_path, files):
    lay(tmp_path, [*files, (Path(files[0]).parent.parent / "zoe" / "scores.ipynb").as_posix()])
    with pytest.raises(UsageError, match="would both be the student") as refused:
        find_handins(tmp_path, small)
    for place in files:
        name = place.removesuffix("/scores.ipynb").removesuffix("/notes.txt").removesuffix("_scores.ipynb")
        assert repr(name) in str(refused.value) or ascii(name) in str(refused.value)


def test_a_set_above_its_students_is_one_class(real, tmp_path):
    label = LABELLED.replace("scores", "self_attention")
    put(tmp_path, "transformers/ada/self_attention.ipynb", label)
    put(tmp_path, "language_models/ada/self_attention.ipynb", label)
    assert [(h.student, h.set) for h in find_handins(tmp_path, real).handins] == [
        ("ada", "language_models"),
        ("ada", "transformers"),
    ]


# Without a word that tells it, a folder is a student's, and whatever lies in it is that student's too.
LOOK_DEEPER = {
    "alone, with folders": ["mallory/alice/basics/scores.ipynb", "mallory/bob/basics/scores.ipynb"],
    "alone, as Canvas": ["mallory/alice_1_2_scores.ipynb", "mallory/bob_3_4_scores.ipynb"],
    "alone, as Gradescope": ["mallory/submission_1/scores.ipynb"],
    "alone, by file names": ["mallory/alice_scores.ipynb", "mallory/bob_scores.ipynb"],
    "all together": [
        f"{who}/{other}/basics/scores.ipynb" for who in ("eve", "mallory") for other in ("alice", "bob")
    ],
}


@pytest.mark.parametrize("files", LOOK_DEEPER.values(), ids=LOOK_DEEPER)
def test_only_the_instructor_says_that_folders_of_any_name_lie_around_the_students(small, tmp_path, files):
    lay(tmp_path, files)
    found = find_handins(tmp_path, small)
    assert {handin.student for handin in found.handins} == {place.split("/")[0] for place in files}
    assert len(found.notes) == 1
    assert found.notes[0].endswith(
        "if the students are the folders inside these, run this again with --level 1"
    )


def test_the_instructor_names_the_level_at_which_students_stand(small, tmp_path):
    lay(tmp_path, ["monday/ada/basics/scores.ipynb", "friday/boris/basics/scores.ipynb"])
    found = find_handins(tmp_path, small, level=1)
    assert ([handin.student for handin in found.handins], found.notes) == (["ada", "boris"], ())


def test_a_level_below_all_files_is_wrong_usage(small, tmp_path):
    lay(tmp_path, ["ada/basics/scores.ipynb"])
    with pytest.raises(UsageError, match="--level 3: there are not so many folders around any file in"):
        find_handins(tmp_path, small, level=3)


def test_one_group_does_not_decide_how_the_others_are_laid_out(small, tmp_path):
    lay(tmp_path, ["group 1/scores.ipynb", "group 2/ada_scores.ipynb", "group 2/boris_scores.ipynb"])
    assert {h.student for h in find_handins(tmp_path, small).handins} == {"group 1", "group 2"}


@pytest.mark.parametrize(
    "stamp",
    [
        "ada.zip/basics/timestamp.txt",
        "ada/basics/deeper/timestamp.txt",
        "ada/timestamp.txt",
        "Ada_1_assignsubmission_file_/basics/timestamp.txt",
        "submission_1/basics/timestamp.txt",
    ],
    ids=["archive", "deeper", "no set", "Moodle", "Gradescope"],
)
def test_a_time_that_a_student_wrote_does_not_count(small, tmp_path, stamp):
    text = "2020-01-01 00:00:00 UTC"
    head, zip_, tail = stamp.partition(".zip/")
    if zip_:
        notebook = tail.replace("timestamp.txt", "scores.ipynb")
        (tmp_path / f"{head}.zip").write_bytes(zipped({tail: text, notebook: LABELLED}))
    else:
        put(tmp_path, stamp, text)
        put(tmp_path, stamp.replace("timestamp.txt", "scores.ipynb"), LABELLED)
    put(tmp_path, "zoe/basics/scores.ipynb", LABELLED)
    assert [handin.submitted for handin in find_handins(tmp_path, small).handins] == [None, None]


def test_lateness_in_a_canvas_name_is_kept(small, tmp_path):
    for place in ("ada_1_2_scores.ipynb", "boris_LATE_3_4_scores.ipynb", "LATE_anon_x_5_scores.ipynb"):
        put(tmp_path, place, LABELLED)
    late = {handin.student: handin.late for handin in find_handins(tmp_path, small).handins}
    assert late == {"ada_1": False, "boris_3": True, "anon_x": True}


def test_an_empty_folder_owes_what_the_class_was_asked(small, tmp_path):
    put(tmp_path, "ada/basics/scores.ipynb", LABELLED)
    (tmp_path / "boris").mkdir()
    (tmp_path / "chen" / "basics").mkdir(parents=True)
    put(tmp_path, "dana/notes.txt")
    (tmp_path / "emil.zip").write_bytes(b"no zip")
    absent = {h.student: (h.problem, h.absent) for h in find_handins(tmp_path, small).handins if h.absent}
    missing = (Status.MISSING, "nothing was handed in: there is no notebook of this problem in the folder")
    assert absent == {
        "boris": ("scores", missing),
        "chen": ("scores", missing),
        "dana": ("scores", (Status.UNREADABLE, f"notes.txt is not a notebook: {NOTEBOOK_WANTED}; {WAITS}")),
        "emil": (
            "scores",
            (
                Status.UNREADABLE,
                f"the zip cannot be opened: File is not a zip file: hand it in again; {WAITS}",
            ),
        ),
    }


def test_what_a_student_handed_in_and_nobody_can_place_waits_for_a_person(small, tmp_path):
    put(tmp_path, "ada_1_1_scores.ipynb", LABELLED)
    put(tmp_path, "boris_2_2_homework.ipynb", LABELLED[:-3])
    put(tmp_path, "chen_LATE_3_3_answers.pdf", "%PDF")
    put(tmp_path, "dana_4_4_homework.ipynb", "{}")
    (tmp_path / "emil_5_5_all.zip").write_bytes(zipped({"notes.txt": "x", "homework.ipynb": "{}"}))
    put(tmp_path, "notes.txt")  # nobody's
    absent = {h.student: h for h in find_handins(tmp_path, small).handins if h.absent}
    assert {student: handin.absent[0] for student, handin in absent.items()} == dict.fromkeys(
        ("boris_2", "chen_3", "dana_4", "emil_5"), Status.UNREADABLE
    )
    said = {student: handin.absent[1] for student, handin in absent.items()}
    assert said["boris_2"].startswith("boris_2_2_homework.ipynb: the file is cut off in the middle: download")
    assert said["chen_3"] == f"chen_LATE_3_3_answers.pdf is not a notebook: {NOTEBOOK_WANTED}; {WAITS}"
    assert said["emil_5"].startswith("homework.ipynb does not say which problem it answers: hand it in under")
    assert [student for student, handin in absent.items() if handin.late] == ["chen_3"]


def test_what_cannot_be_opened_inside_a_students_own_place_waits_for_a_person(small, tmp_path):
    put(tmp_path, "ada/basics/scores.ipynb", LABELLED)
    deep = zipped({"scores.ipynb": LABELLED})
    for _ in range(3):
        deep = zipped({"more.zip": deep})
    locked = bytearray(zipped({"scores.ipynb": LABELLED}))
    locked[6] |= 1
    locked[locked.find(b"PK\x01\x02") + 8] |= 1
    for place, data in {
        "boris/basics/all.zip": b"PK no more",
        "chen.zip": bytes(locked),
        "dana.zip": deep,
    }.items():
        put(tmp_path, place)
        (tmp_path / place).write_bytes(data)
    (tmp_path / "emil").mkdir()
    (tmp_path / "emil" / "scores.ipynb").symlink_to(tmp_path / "ada" / "basics" / "scores.ipynb")
    absent = {h.student: h.absent for h in find_handins(tmp_path, small).handins if h.absent}
    reasons = {
        "boris": "all.zip: the zip cannot be opened: File is not a zip file",
        "chen": "scores.ipynb: it is encrypted, and needed without a password",
        "dana": "more.zip: a zip inside 3 others is not opened",
        "emil": "scores.ipynb: a link to another file is not a submission",
    }
    assert absent == {
        student: (Status.UNREADABLE, f"{reason}: {NOTEBOOK_WANTED}; {WAITS}")
        for student, reason in reasons.items()
    }


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("homework.ipynb", LABELLED.encode("utf-16")),
        ("homework.ipynb", gzip.compress(LABELLED.encode())),
        ("homework.ipynb", LABELLED.encode() + b"\0\0"),
        ("homework.ipynb", LABELLED.replace("[]", "[],").encode()),
        ("scores.ipynb.txt", LABELLED.encode()),
        ("scores.ipynb.json", LABELLED.encode()),
        ("scores (1).ipynb.gz", gzip.compress(LABELLED.encode())),
    ],
    ids=["utf-16", "gzip", "zeros", "comma", "saved as text", "saved as json", "packed"],
)
def test_a_notebook_is_found_as_long_as_it_can_be_read(small, tmp_path, name, data):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / name).write_bytes(data)
    assert [handin.identity for handin in there(find_handins(tmp_path, small))] == [
        ("ada", "basics", "scores")
    ]


@pytest.mark.parametrize("content", [b"", b"PK no more", None], ids=["empty", "cut off", "without notebooks"])
def test_a_class_without_a_notebook_is_wrong_usage(small, tmp_path, content):
    root = tmp_path / "class.zip"
    root.write_bytes(zipped({"ada/notes.txt": "x"}) if content is None else content)
    wanted = (
        "holds no notebook of this course"
        if content is None
        else "is called a zip and is none: download it again"
    )
    with pytest.raises(UsageError, match=wanted):
        find_handins(root, small)
    (tmp_path / "empty" / "ada").mkdir(parents=True)
    with pytest.raises(
        UsageError, match="holds no notebook: name the folder in which the students' folders lie"
    ):
        find_handins(tmp_path / "empty", small)
