"""The desk's own tables, beside nbgrader's: what a mark rests on is written with the mark."""

from __future__ import annotations

from nbgrader.api import Base
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    inspect,
    text,
)
from sqlalchemy.schema import CreateColumn

NAME = 128  # characters of a name, as in nbgrader's tables
OWN = MetaData()


def _place() -> list[Column[str]]:
    return [Column(name, String(NAME), primary_key=True) for name in ("student", "set", "problem", "part")]


# What was written of an answer at the desk. Where nbgrader's tables say something else by now, a person
# has marked it elsewhere since, and that counts.
MARK = Table(
    "desk_mark",
    OWN,
    *_place(),
    Column("score", Float),
    Column("comment", Text, nullable=False),
    Column("words", Text, nullable=False),
    Column("items", Text, nullable=False),  # a JSON list of ids
    Column("typed", Boolean, nullable=False),  # whether the score was typed, whatever the items come to
    Column("marker", String(NAME), nullable=False),
)
ITEM = Table(
    "desk_item",
    OWN,
    Column("id", Integer, primary_key=True),
    Column("problem", String(NAME), nullable=False),
    Column("part", String(NAME), nullable=False),
    Column("points", Float, nullable=False),
    Column("says", Text, nullable=False),
    Column("authored", Text),  # the words of its author, where that is not a marker
)
STEP = Table(
    "desk_step",
    OWN,
    Column("id", Integer, primary_key=True),
    Column("marker", String(NAME), nullable=False),
    Column("what", Text, nullable=False),
    Column("changes", Text, nullable=False),  # JSON: what each answer was and became
    Column("item", Integer, ForeignKey("desk_item.id")),
    Column("points", Float),  # what the item was worth before, and said
    Column("says", Text),
    Column("undone", Boolean, nullable=False),
)
APPEAL = Table(
    "desk_appeal",
    OWN,
    Column("id", Integer, primary_key=True),
    *[Column(name, String(NAME), nullable=False) for name in ("student", "set", "problem", "part")],
    Column("text", Text, nullable=False),
    Column("answer", Text),
    Column("marker", String(NAME)),
)


def make_tables(engine: Engine) -> None:
    """Add the tables, and the columns of older ones, that are missing; nbgrader takes no notice of them."""
    OWN.create_all(engine)
    with engine.begin() as db:
        for table in OWN.sorted_tables:
            there = {column["name"] for column in inspect(db).get_columns(table.name)}
            for column in table.columns:
                if column.name not in there:
                    added = CreateColumn(column).compile(dialect=engine.dialect)
                    db.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {added}"))


def has_tables(db: Connection) -> bool:
    """Whether anybody has sat at the desk yet."""
    return APPEAL.name in inspect(db).get_table_names()


assert not set(OWN.tables) & set(Base.metadata.tables)
