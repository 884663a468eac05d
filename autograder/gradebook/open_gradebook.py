"""An address becomes an open nbgrader gradebook, or one sentence on why it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import nbgrader
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from nbgrader.api import Base
from nbgrader.api import Gradebook as Gradebook
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy import URL, Connection, Engine, create_engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from autograder.errors import UsageError
from autograder.gradebook.database_address import shown

VERSION_TABLE = "alembic_version"
COURSE_ID = "default_course"  # what nbgrader's own steps use where nothing else is configured


@contextmanager
def open_gradebook(url: URL) -> Iterator[Gradebook]:
    """nbgrader's gradebook at this address, created where there is none."""
    with _explained(url):
        _check(url)
        gradebook = Gradebook(url, COURSE_ID)
        try:
            yield gradebook
        finally:
            gradebook.close()


@contextmanager
def _explained(url: URL) -> Iterator[None]:
    place = f"the gradebook {shown(url)}"
    try:
        yield
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise UsageError(f"{place} cannot be used: {reason}; name another with --db") from error


def _check(url: URL) -> None:
    """Refuse a database that is not a gradebook of this nbgrader."""
    engine = create_engine(url)
    try:
        tables = set(inspect(engine).get_table_names())
        if not tables or _clear_unfinished(engine, tables):
            _enter_version(engine)
            return
        if VERSION_TABLE not in tables or not set(Base.metadata.tables) <= tables:
            names = ", ".join(sorted(tables)[:3])
            raise UsageError(
                f"{shown(url)} is a database, but not nbgrader's gradebook (it has the tables {names}): "
                "name another with --db"
            )
        with engine.connect() as connection:
            version = _version(connection)
    finally:
        engine.dispose()
    _check_version(url, version)


def _clear_unfinished(engine: Engine, tables: set[str]) -> bool:
    """Empty a gradebook that a killed run left while nbgrader was creating it: it holds no marks yet."""
    if not tables <= {*Base.metadata.tables, VERSION_TABLE}:
        return False
    with engine.begin() as connection:
        if VERSION_TABLE in tables and not _is_nbgraders(_version(connection)):
            return False
        # The version is entered first and the course last; nbgrader alone does it the other way round.
        created = set(Base.metadata.tables) <= tables
        for table in tables - {"course"} - (set() if created else {VERSION_TABLE}):
            if connection.execute(text(f"SELECT count(*) FROM {table}")).scalar():
                return False
        for table in [*reversed(Base.metadata.sorted_tables)]:
            if table.name in tables:
                table.drop(connection)
        if VERSION_TABLE in tables:
            connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
    return True


def _enter_version(engine: Engine) -> None:
    """What nbgrader does for a new gradebook by running the alembic command, which takes seconds."""
    head = ScriptDirectory(ALEMBIC_DIR).get_current_head()
    with engine.begin() as connection:
        connection.execute(text(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text(f"INSERT INTO {VERSION_TABLE} (version_num) VALUES (:head)"), {"head": head})


def _version(connection: Connection) -> object:
    return connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()


def _is_nbgraders(version: object) -> bool:
    """Whether this nbgrader knows the version; there is none where a run was killed before it was entered."""
    try:
        return version is None or bool(ScriptDirectory(ALEMBIC_DIR).get_revision(str(version)))
    except CommandError:
        return False


def _check_version(url: URL, version: object) -> None:
    head = ScriptDirectory(ALEMBIC_DIR).get_current_head()
    if version == head:
        return
    place = f"the gradebook {shown(url)} has version {version}, nbgrader {nbgrader.__version__} has {head}"
    if not _is_nbgraders(version):
        raise UsageError(f"{place}: it was written by another nbgrader; install that one, or use --db")
    raise UsageError(f"{place}: keep a copy of it and run nbgrader db upgrade, or name another with --db")
