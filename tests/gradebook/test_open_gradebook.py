"""Opening a gradebook: created where there is none, finished where a killed run left half of one."""

from __future__ import annotations

import sqlite3

import pytest
from nbgrader.api import Base
from sqlalchemy import create_engine

from autograder.errors import UsageError
from autograder.gradebook.database_address import address
from autograder.gradebook.open_gradebook import open_gradebook


def test_a_gradebook_that_a_killed_run_left_half_created_is_made_anew(tmp_path):
    url = address(None, tmp_path)
    engine = create_engine(url)
    Base.metadata.create_all(engine, tables=Base.metadata.sorted_tables[:4])
    engine.dispose()
    with open_gradebook(url) as gradebook:
        assert gradebook.students == []
    with open_gradebook(url) as gradebook:
        assert gradebook.students == []


def test_a_gradebook_with_marks_but_no_version_is_left_alone(tmp_path):
    url = address(None, tmp_path)
    with open_gradebook(url) as gradebook:
        gradebook.add_student("ada")
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        database.execute("DROP TABLE alembic_version")
    database.close()
    with pytest.raises(UsageError, match="is a database, but not nbgrader's gradebook"), open_gradebook(url):
        pass


def test_the_version_of_another_program_is_left_alone(tmp_path):
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('deadbeef')")
    database.close()
    with pytest.raises(UsageError, match="not nbgrader's gradebook"), open_gradebook(address(None, tmp_path)):
        pass
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        assert database.execute("SELECT * FROM alembic_version").fetchall() == [("deadbeef",)]
    database.close()
