"""Frames on a pipe: a JSON header and a payload become one message, and back, sizes checked first."""

from __future__ import annotations

import json
import os
import select
import struct
import time
from collections.abc import Callable

MAGIC = b"AGW1"
PREFIX = struct.Struct(">4sIQ")
MAX_HEADER = 8 << 20
MAX_PAYLOAD = 64 << 20
READ_AT_ONCE = 1 << 16


# Asked whenever there is nothing to read or no room to write: for how many seconds to wait on. It may raise.
Patience = Callable[[], float]


class FrameError(Exception):
    """The bytes are not a message: whoever wrote them does not keep to the protocol."""


class DeadlineError(Exception):
    """The other side did not read or write in time."""


class ClosedError(Exception):
    """The other side is gone."""


def encode(header: dict[str, object], payload: bytes = b"") -> bytes:
    """One message as bytes."""
    text = json.dumps(header).encode()
    if len(text) > MAX_HEADER or len(payload) > MAX_PAYLOAD:
        raise FrameError(f"a message of {len(text)} + {len(payload)} bytes is too long to send")
    return PREFIX.pack(MAGIC, len(text), len(payload)) + text + payload


def sizes(prefix: bytes, max_header: int = MAX_HEADER, max_payload: int = MAX_PAYLOAD) -> tuple[int, int]:
    """The lengths that a prefix announces; refused before anything of that size is allocated."""
    magic, header, payload = PREFIX.unpack(prefix)
    if magic != MAGIC:
        raise FrameError("the message does not start with the magic bytes")
    if header > max_header or payload > max_payload:
        raise FrameError(f"a message of {header} + {payload} bytes is too long to read")
    return header, payload


def decode_header(text: bytes) -> dict[str, object]:
    """The JSON object of a header."""
    try:
        header = json.loads(text.decode())
    except (ValueError, RecursionError) as error:
        raise FrameError("the header is not JSON") from error
    if not isinstance(header, dict):
        raise FrameError("the header is not a JSON object")
    return header


class Channel:
    """The judge's end of two pipes: non-blocking; how long an exchange may take is for others to say."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer
        self._closed = False
        self._unread = bytearray()
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(reader, select.POLLIN)
        self._writable.register(writer, select.POLLOUT)
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        self.room = _capacity(writer) * 3 // 4  # what surely fits without being read; a little goes to waste

    def send(self, message: bytes, patience: Patience) -> None:
        view = memoryview(message)
        while view:
            try:
                view = view[os.write(self._writer, view) :]
            except BlockingIOError:
                _wait(self._writable, patience)
            except OSError as error:
                raise ClosedError from error

    def receive(
        self, patience: Patience, max_header: int, max_payload: int
    ) -> tuple[dict[str, object], bytes]:
        """The next message; what comes after it is kept for the next time."""
        self._read(PREFIX.size, patience)
        header, payload = sizes(bytes(self._unread[: PREFIX.size]), max_header, max_payload)
        body = PREFIX.size + header
        self._read(body + payload, patience)
        text, data = bytes(self._unread[PREFIX.size : body]), bytes(self._unread[body : body + payload])
        del self._unread[: body + payload]
        return decode_header(text), data

    def arrived(self, max_header: int, max_payload: int) -> tuple[dict[str, object], bytes] | None:
        """The next message if all of it is there already."""
        try:
            return self.receive(until(0.0), max_header, max_payload)
        except DeadlineError:
            return None

    def expect_silence(self) -> None:
        """Refuse bytes that nobody asked for. A closed pipe is left for the next exchange to notice."""
        if self._unread or any(event & select.POLLIN for _, event in self._readable.poll(0)):
            raise FrameError("there are bytes that answer no request")

    def close(self) -> None:
        """Close both pipes; a second time does nothing, since the numbers may be another's by then."""
        if not self._closed:
            self._closed = True
            os.close(self._reader)
            os.close(self._writer)

    def _read(self, count: int, patience: Patience) -> None:
        """Go on reading until there are at least so many bytes."""
        while len(self._unread) < count:
            try:
                piece = os.read(self._reader, READ_AT_ONCE)
            except BlockingIOError:
                _wait(self._readable, patience)
                continue
            if not piece:
                raise ClosedError
            self._unread += piece


def _wait(poller: select.poll, patience: Patience) -> None:
    while not poller.poll(patience() * 1000):
        pass


def until(deadline: float) -> Patience:
    """Wait up to a moment of the monotonic clock."""

    def patience() -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise DeadlineError
        return left

    return patience


def _capacity(pipe: int) -> int:
    """How many bytes a pipe holds: 64 kilobytes, and less for a user who has a thousand of them."""
    try:
        import fcntl  # not there on Windows, where this module is imported and not used
    except ImportError:
        return 0
    return fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ) if hasattr(fcntl, "F_GETPIPE_SZ") else select.PIPE_BUF
