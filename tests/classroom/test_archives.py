"""Archives that somebody made on purpose or by accident: a sentence each, and the rest is read."""

from __future__ import annotations

import io
import os
import stat
import zipfile

import pytest

from autograder.classroom import archives
from autograder.classroom.archives import Shelf, list_files
from autograder.errors import AnswerError


def zipped(files, **options):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content, **options)
    return data.getvalue()


def listed(tmp_path, data):
    (tmp_path / "class.zip").write_bytes(data)
    return list_files(tmp_path / "class.zip")


@pytest.mark.parametrize(
    "name",
    ["../../etc/cron.d/x.ipynb", "/etc/passwd.ipynb", "C:/x.ipynb", "..\\..\\x.ipynb", "a/../../b.ipynb"],
)
def test_names_that_lead_out_of_the_archive_are_not_followed(tmp_path, name):
    found = listed(tmp_path, zipped({name: "{}", "ada/x.ipynb": "{}"}))
    assert [entry.place for entry in found.entries] == ["ada/x.ipynb"]
    assert [line.split(": ")[-1] for line in found.skipped] == ["its name leads out of the archive"]


def test_links_and_folders_in_an_archive_are_no_submissions(tmp_path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        link = zipfile.ZipInfo("ada/x.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.mkdir("boris.ipynb")
    found = listed(tmp_path, data.getvalue())
    assert found.entries == ()
    assert found.skipped == ("ada/x.ipynb: a link to another file is not a submission",)


def test_an_encrypted_member_is_named(tmp_path):
    data = bytearray(zipped({"ada/x.ipynb": "{}", "boris.zip": zipped({"x.ipynb": "{}"})}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = 0
        while (place := data.find(mark, place)) >= 0:
            data[place + offset] |= 1
            place += 4
    found = listed(tmp_path, bytes(data))
    assert found.skipped == (
        "ada/x.ipynb: it is encrypted, and needed without a password",
        "boris.zip: it is encrypted, and needed without a password",
    )


def test_a_zip_that_is_none_is_named_and_the_others_are_read(tmp_path):
    inner = zipped({"x.ipynb": "{}"})
    files = {"ada.zip": b"PK\x03\x04 no more", "boris.zip": inner[:-10], "chen.zip": b"", "dana.zip": inner}
    found = listed(tmp_path, zipped(files))
    assert [entry.place for entry in found.entries] == ["dana.zip/x.ipynb"]
    assert [line.split(":")[0] for line in found.skipped] == ["ada.zip", "boris.zip", "chen.zip"]
    assert all("the zip cannot be opened" in line for line in found.skipped)


def test_a_zip_that_would_fill_the_disk_is_not_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "RATIO_FROM", 2**20)
    bomb = zipped(dict.fromkeys((f"{n}.ipynb" for n in range(4)), b"\0" * 2**20))
    found = listed(tmp_path, zipped({"ada.zip": bomb, "boris/x.ipynb": "{}"}))
    assert [entry.place for entry in found.entries] == ["boris/x.ipynb"]
    assert found.skipped == ("ada.zip: the zip has 0.0 MB and would unpack to 4 MB: it is not opened",)


def test_zips_in_zips_end_somewhere(tmp_path):
    data = zipped({"x.ipynb": "{}"})
    for _ in range(5):
        data = zipped({"more.zip": data})
    found = listed(tmp_path, data)
    assert found.entries == ()
    assert found.skipped == ("more.zip/more.zip/more.zip: a zip inside 3 others is not opened",)


def test_an_archive_of_too_many_files_is_not_opened(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_INNER_ENTRIES", 3)
    many = zipped({f"{n}.ipynb": "{}" for n in range(4)})
    assert listed(tmp_path, zipped({"ada.zip": many})).skipped == (
        "ada.zip: the zip has 4 files; 3 are opened",
    )


def test_what_one_student_packed_shares_its_room_and_leaves_others_theirs(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_INNER_ENTRIES", 6)
    three = zipped({f"{n}.ipynb": "{}" for n in range(3)})
    packed = zipped({"a.zip": three, "b.zip": three})
    found = listed(tmp_path, zipped({"ada.zip": packed, "boris.zip": three}))
    assert {entry.parts[:-1] for entry in found.entries} == {("ada.zip", "a.zip"), ("boris.zip",)}
    assert found.skipped == ("ada.zip/b.zip: the zip has 3 files; 1 are opened",)


def test_zips_that_shrink_zips_that_shrink_are_measured_by_what_was_handed_in(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "RATIO_FROM", 2**20)
    zeros = dict.fromkeys((f"{n}.ipynb" for n in range(100)), b"\0" * 2**16)
    twice = zipped({"inner.zip": zipped(zeros)})
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "ada.zip").write_bytes(twice)
    (line,) = list_files(folder).skipped
    assert line.startswith("ada.zip/inner.zip: the zip has 0.0 MB and would unpack to 6 MB")


def test_an_archive_inside_another_is_unpacked_once_for_all_its_files(tmp_path, monkeypatch):
    files = {f"{n}.ipynb": "{}" for n in range(5)}
    found = listed(tmp_path, zipped({"ada.zip": zipped(files), "boris.zip": zipped(files)}))
    unpacked = []
    read = archives._member

    def counted(archive, name, limit):
        unpacked.append(name)
        return read(archive, name, limit)

    monkeypatch.setattr(archives, "_member", counted)
    with Shelf() as shelf:
        assert {shelf.read(entry.path, entry.inside, 10) for entry in found.entries} == {b"{}"}
    assert [name for name in unpacked if name.endswith(".zip")] == ["ada.zip", "boris.zip"]


def test_a_shelf_keeps_no_more_archives_open_than_it_reads_from(tmp_path):
    paths = [tmp_path / f"{n}.zip" for n in range(40)]
    for path in paths:
        path.write_bytes(zipped({"x.ipynb": "{}"}))
    before = len(os.listdir("/proc/self/fd"))
    with Shelf() as shelf:
        for path in paths:
            assert shelf.read(path, ("x.ipynb",), 10) == b"{}"
        assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_a_member_that_announces_too_much_is_told_when_it_is_read(tmp_path):
    found = listed(tmp_path, zipped({"ada/x.ipynb": b"x" * 3000}))
    (entry,) = found.entries
    with Shelf() as shelf:
        assert shelf.read(entry.path, entry.inside, 3000) == b"x" * 3000
        with pytest.raises(AnswerError, match="the file is 0 MB; 0 MB can be read"):
            shelf.read(entry.path, entry.inside, 2999)


def test_a_member_with_broken_bytes_is_told_when_it_is_read(tmp_path):
    data = bytearray(zipped({"ada/x.ipynb": os.urandom(500)}))
    data[60:80] = b"\0" * 20
    (entry,) = listed(tmp_path, bytes(data)).entries
    with Shelf() as shelf, pytest.raises(AnswerError, match="the file cannot be opened"):
        shelf.read(entry.path, entry.inside, 10_000)


def test_names_in_other_encodings_are_read_or_made_printable(tmp_path):
    # Some systems write UTF-8 without saying so: the flag that says it is taken off here.
    data = zipped({"Zoë/x.ipynb": "{}"}).replace("Zoë".encode(), b"Zo\xc3\xab")
    bare = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", 7), (b"PK\x01\x02", 9)):
        bare[bare.find(mark) + offset] &= ~0x08
    (entry,) = listed(tmp_path, bytes(bare)).entries
    assert entry.place == "Zoë/x.ipynb"
    (tmp_path / "odd").mkdir()
    path = os.fsencode(tmp_path / "odd") + b"/na\xefve\n.txt"
    with open(path, "wb"):
        pass
    (entry,) = list_files(tmp_path / "odd").entries
    assert entry.place == "na?ve?.txt"


def test_a_pipe_is_no_submission(tmp_path):
    os.mkfifo(tmp_path / "x.ipynb")
    assert list_files(tmp_path).skipped == ("x.ipynb: not a plain file",)
