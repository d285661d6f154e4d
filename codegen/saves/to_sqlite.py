"""Writes a save as an SQLite database, one table for each sheet."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from saves.damage import ExportError
from saves.plain import plain
from saves.schema import F32, F64, NUMBERS, ONE, U64, Field
from saves.sheets import Sheet, sheets
from saves.world import Save

_VALUES_AT_ONCE = 500  # values of a statement; more would not be faster, and any SQLite takes 999
_COLUMNS_MAX = 2000  # of a table, by SQLite's default limit
_SIGNED_END = 1 << 63


def to_sqlite(save: Save, path: str, written: Callable[[int], None]) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        for sheet in sheets(save):
            _write(database, sheet, written)
        database.execute("COMMIT")
    finally:
        database.close()


def _write(database: sqlite3.Connection, sheet: Sheet, written: Callable[[int], None]) -> None:
    if len(sheet.columns) > _COLUMNS_MAX:
        words = f"'{sheet.name}' has {len(sheet.columns):,} columns, more than SQLite's"
        raise ExportError(f"{words} {_COLUMNS_MAX:,}: write JSON, CSV or Parquet")
    if not sheet.columns:
        return
    keyed = "_index" if sheet.by_index else ""
    columns = [
        f'"{name}" {affinity(one)}{" PRIMARY KEY" if name == keyed else ""}'
        for name, one in sheet.columns
    ]
    table = table_name(sheet.name)
    database.execute(f'CREATE TABLE "{table}" ({", ".join(columns)})')
    insert = _Insert(database, table, len(columns))
    for part in sheet.parts():
        pairs = zip(sheet.columns, part, strict=True)
        insert.rows([sqlite_cells(one, column.values) for (_, one), column in pairs])
        written(len(part[0].values))


def table_name(name: str) -> str:
    """Returns the table of a sheet. SQLite reserves names that start with `sqlite_`, so these
    get a `_` at the front, which no other sheet has.
    """
    return f"_{name}" if name.startswith("sqlite_") else name


class _Insert:
    """Inserts many rows with one statement, because a statement costs as much as half a row."""

    def __init__(self, database: sqlite3.Connection, table: str, width: int) -> None:
        self._database, self._width = database, width
        self._many = max(1, _VALUES_AT_ONCE // width)
        self._insert = f'INSERT INTO "{table}" VALUES '
        self._row = f"({', '.join('?' * width)})"

    def rows(self, columns: list[Sequence[Any]]) -> None:
        count = len(columns[0])
        whole = count - count % self._many
        self._execute(self._many, [column[:whole] for column in columns])
        self._execute(1, [column[whole:] for column in columns])

    def _execute(self, rows: int, columns: list[Sequence[Any]]) -> None:
        values: list[Any] = [None] * (len(columns[0]) * self._width)
        for place, column in enumerate(columns):
            values[place :: self._width] = column
        statement = self._insert + ", ".join([self._row] * rows)
        self._database.executemany(
            statement, zip(*[iter(values)] * (rows * self._width), strict=True)
        )


def affinity(one: Field) -> str:
    """Returns the SQLite type of a column. A u64 has none, because large values are stored as
    text.
    """
    if one.type.shape != ONE or one.type.base not in NUMBERS:
        return "TEXT"
    return "" if one.type.base == U64 else "REAL" if one.type.base in (F32, F64) else "INTEGER"


def sqlite_cells(one: Field, column: Sequence[Any]) -> Sequence[Any]:
    """Returns a column as SQLite can store it. Its integers are signed."""
    if one.type.base == U64 and one.type.shape == ONE and max(column, default=0) >= _SIGNED_END:
        return [str(value) if value >= _SIGNED_END else value for value in column]
    return plain(one, column)
