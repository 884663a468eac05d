"""The bytes of a handed-in file become its raw cells, or one sentence on why they cannot.

nbformat's own reader is not used: it refuses what is damaged, and validates whatever a stranger sends for as
long as that takes. Here every step is bounded, damage that leaves no doubt is mended, and anything else is an
AnswerError for a person to look at.
"""

from __future__ import annotations

import codecs
import json
import re
import zlib
from collections.abc import Iterator

from autograder.errors import AnswerError

MB = 2**20
MAX_BYTES = 512 * MB  # of a file, unpacked: what a worker has room for
MAX_CONTENT = 64 * MB  # of what is left without outputs
MAX_VALUES = 2_000_000  # of JSON, each of which takes memory many times its size in the file
MAX_STEPS = 4_000_000  # to find the outputs of a large file: strings outside of them, brackets inside
MAX_CELLS = 20_000
LARGE = MB  # below it, outputs and strange bytes do no harm
AGAIN = "download it again from Jupyter (File, Download) and hand in the .ipynb"

RawCell = dict[str, object]

# What else students hand in by mistake: how it begins, and what it is.
OTHER_FILES = (
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x80", "a pickle"),
    (b"Rar!", "an archive"),
    (b"7z\xbc\xaf", "an archive"),
    (b"SQLite", "a database"),
)
PAGE = re.compile(rb"\s*(?:<!doctype html|<html|<\?xml|<head)", re.I)
CONFLICT = re.compile(rb"^(?:<{7}|>{7}) ", re.M)
SCRIPT = re.compile(rb"\s*(?:#|import |from |def |\"\"\"|%%)")
# A string, a bracket, or the key of something that may be large and is never read.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}]', re.S)
_SKIPPED = (b'"outputs"', b'"widgets"')
_OPENING = re.compile(rb"\s*:\s*[\[{]")
_NEXT_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"[^"\\]*+(?:\\.[^"\\]*+)*+")*+([\[\]{}])', re.S)
_COMMA = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*+")|,(?=\s*[\]}])', re.S)


def read_label(data: bytes) -> dict[str, str]:
    """What a notebook's own metadata says of its problem and set."""
    fields = _notebook(data).get("metadata")
    label = fields.get("autograder") if isinstance(fields, dict) else None
    items = label.items() if isinstance(label, dict) else ()
    return {name: value for name, value in items if isinstance(value, str)}


def read_cells(data: bytes) -> list[RawCell]:
    """The cells of a notebook of any version, in order; outputs are not among what is promised."""
    notebook = _notebook(data)
    found = [cell for cell in _cells(notebook) if isinstance(cell, dict)]
    if len(found) > MAX_CELLS:
        raise AnswerError(f"the notebook has {len(found)} cells; {MAX_CELLS} can be read")
    return found


def _notebook(data: bytes) -> dict[str, object]:
    notebook = _parse(_text(_content(_unpacked(data))))
    if not isinstance(notebook, dict):
        raise AnswerError(f"the file is JSON, but not a notebook: {AGAIN}")
    return notebook


# ---------------------------------------------------------------- bytes


def _unpacked(data: bytes) -> bytes:
    """Without gzip, which some servers leave around a download."""
    if data[:2] == b"\x1f\x8b" and len(data) <= MAX_BYTES:
        unpacking = zlib.decompressobj(wbits=31)
        try:
            data = unpacking.decompress(data, MAX_BYTES + 1)
        except zlib.error:
            data = b""
        if not unpacking.eof and len(data) <= MAX_BYTES:
            raise AnswerError(f"the file is packed with gzip and damaged: {AGAIN}")
    if len(data) > MAX_BYTES:
        raise AnswerError(
            f"the file has more than {MAX_BYTES // MB} MB: clear its outputs (Edit, Clear All Outputs), "
            "save it and hand it in again"
        )
    if not data.strip(b"\0 \t\r\n"):
        raise AnswerError(f"the file is empty: {AGAIN}")
    for start, name in OTHER_FILES:
        if data.startswith(start):
            raise AnswerError(f"the file is {name}, not a notebook: {AGAIN}")
    if PAGE.match(data):
        raise AnswerError(f"the file is a web page, not a notebook: {AGAIN}")
    return data


def _content(data: bytes) -> bytes:
    """UTF-8 or something like it, without outputs where the file is large."""
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        # An odd byte at the end is no reason to lose the rest.
        data = data.decode(encoding, "replace").rstrip("\0\ufffd").encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf").rstrip(b"\0 \t\r\n")
    if len(data) > LARGE:
        data = b"".join(_without_outputs(data))
    if len(data) > MAX_CONTENT:
        raise AnswerError(f"the notebook has {len(data) / MB:.0f} MB beside its outputs; {_most()}")
    _refuse_many(sum(data.count(sign) for sign in (b",", b"[", b"{")))
    return data


def _refuse_many(values: int) -> None:
    if values > MAX_VALUES:
        raise AnswerError(f"the file has too many values for a notebook; {_most()}")


def _most() -> str:
    return f"{MAX_CONTENT // MB} MB of text and pictures can be read: make it smaller and hand it in again"


def _without_outputs(data: bytes) -> Iterator[bytes]:
    """The pieces between the values of outputs and widgets, each of which gives way to an empty list."""
    kept, place, steps = 0, 0, 0
    while token := _TOKEN.search(data, place):
        place, steps = token.end(), steps + 1
        if token[0] in _SKIPPED and (opening := _OPENING.match(data, place)):
            yield data[kept:place]
            yield b":[]"
            kept, taken = _after_brackets(data, opening.end(), MAX_STEPS - steps)
            place, steps = kept, steps + taken
        if steps >= MAX_STEPS:
            raise AnswerError(f"the file has too many values for a notebook; {_most()}")
    yield data[kept:]


def _after_brackets(data: bytes, start: int, most: int) -> tuple[int, int]:
    """Where the brackets that are open once close, or the end where they do not; and how many were seen."""
    depth, place = 1, start
    for seen in range(1, most + 1):
        found = _NEXT_BRACKET.match(data, place)
        if found is None:
            return len(data), seen
        place = found.end()
        depth += 1 if found[1] in b"[{" else -1
        if depth == 0:
            return place, seen
    return place, most


def _text(data: bytes) -> str:
    """UTF-8; bytes that are none are taken for Windows' western letters, one by one if they are few."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", WINDOWS) if len(data) <= LARGE else data.decode("cp1252", "replace")


def _as_windows_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


WINDOWS = "autograder.windows"
codecs.register_error(WINDOWS, _as_windows_letters)


# ---------------------------------------------------------------- JSON


def _parse(text: str) -> object:
    """JSON; commas that stand before a closing bracket are taken out, and line breaks in strings let pass."""
    try:
        return _loads(text)
    except RecursionError:
        raise AnswerError(f"the file is nested too deeply for a notebook: {AGAIN}") from None
    except ValueError as error:
        mended = _COMMA.sub(lambda found: found[1] or "", text)
        if mended != text:
            try:
                return _loads(mended)
            except (ValueError, RecursionError):
                pass
        raise AnswerError(_why_not(text.encode("utf-8", "replace"), error)) from None


def _loads(text: str) -> object:
    return json.loads(text, strict=False)


def _why_not(data: bytes, error: ValueError) -> str:
    if CONFLICT.search(data):
        return "the file holds two versions, as git leaves them after a conflict: choose one, then hand it in"
    if SCRIPT.match(data):
        return f"the file is a script or plain text, not a notebook: {AGAIN}"
    if isinstance(error, json.JSONDecodeError) and (
        error.pos >= len(error.doc) or error.msg.startswith("Unterminated")
    ):
        return f"the file is cut off in the middle: {AGAIN}"
    place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
    return f"the file is damaged{place}, and cannot be read as a notebook: {AGAIN}"


# ---------------------------------------------------------------- versions


def _cells(notebook: dict[str, object]) -> list[object]:
    """The cells of version 4 and later, else those of all worksheets of versions 2 and 3, upgraded.

    The version that a file states is not asked: what is there says it better.
    """
    found = notebook.get("cells")
    if isinstance(found, list):
        return found
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        raise AnswerError(f"the notebook has no cells: {AGAIN}")
    old = [
        cell
        for sheet in sheets
        if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
        for cell in sheet["cells"]
        if isinstance(cell, dict)
    ]
    return [_upgraded(cell) for cell in old[: MAX_CELLS + 1]]


def _upgraded(cell: RawCell) -> RawCell:
    """A cell of version 2 or 3 as nbformat upgrades it; one that it stumbles over stays as it is."""
    from nbformat import from_dict
    from nbformat.v4.convert import upgrade_cell

    kept: RawCell = {
        key: cell[key] for key in ("cell_type", "input", "source", "level", "metadata") if key in cell
    }
    for key in ("input", "source"):  # versions 2 and 3 know lines only in files, never in memory
        if isinstance(lines := kept.get(key), list):
            kept[key] = "".join(line for line in lines if isinstance(line, str))
    try:
        made = from_dict({**kept, "outputs": []})  # type: ignore[no-untyped-call]
        return dict(upgrade_cell(made))  # type: ignore[no-untyped-call]
    except Exception:  # whatever a stranger's cell makes it stumble over
        return kept
