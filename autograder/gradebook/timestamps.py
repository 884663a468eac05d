"""The timestamp.txt that nbgrader's exchange leaves beside a submission, read and written."""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

NAME = "timestamp.txt"
# 2026-11-30 23:59:00.123456 Europe/Berlin; the fraction and the zone may be missing.
_FORM = re.compile(r"(\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d{1,6})?)\s*([\w/+:-]*)")


def read_timestamp(data: bytes) -> datetime | None:
    """The moment in UTC, without a zone as nbgrader stores it; none where it cannot be read."""
    match = _FORM.match(data.decode("utf-8", "replace").strip())
    if match is None:
        return None
    try:
        moment = datetime.fromisoformat(match[1])
        return moment.replace(tzinfo=_zone(match[2])).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OSError, OverflowError, KeyError):  # a zone that does not exist is a KeyError
        return None


def timestamp_text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S.%f} UTC\n"


def _zone(name: str) -> tzinfo:
    if name in ("", "Z", "UTC", "GMT"):
        return UTC
    if re.fullmatch(r"[+-]\d\d:?\d\d", name):
        return datetime.fromisoformat(f"2000-01-01T00:00:00{name}").tzinfo or UTC
    return ZoneInfo(name)
