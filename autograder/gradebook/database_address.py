"""What --db says becomes the address of a database that can be opened, or one sentence on why it cannot."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from autograder.errors import UsageError

NAME = "gradebook.db"
WAIT_SECONDS = "60"  # Formgrader may hold SQLite's lock for a moment


def address(db: str | None, out: Path) -> URL:
    """The given address, or OUT/gradebook.db."""
    if db is None:
        return URL.create("sqlite", database=str(out.resolve() / NAME), query={"timeout": WAIT_SECONDS})
    try:
        url = make_url(db)
    except ArgumentError:
        raise UsageError(
            f"--db {db!r} is no database address: write one such as sqlite:///marks.db "
            "or postgresql+psycopg://user@host/name"
        ) from None
    try:
        url.get_dialect().import_dbapi()
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise UsageError(
            f"the gradebook {shown(url)} needs a database driver that is not installed ({error}): "
            "for PostgreSQL install 'psycopg[binary]' and write postgresql+psycopg://user@host/name"
        ) from error
    return url


def shown(url: URL) -> str:
    """The address for people: a file's own name, and never a password."""
    if url.get_backend_name() == "sqlite" and url.database:
        return url.database
    return url.render_as_string(hide_password=True)
