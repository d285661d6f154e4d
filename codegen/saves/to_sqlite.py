"""Writes a save as an SQLite database, a table for each sheet."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from saves.damage import ExportError
from saves.plain import plain
from saves.schema import F32, F64, ONE, U64, Field
from saves.sheets import Sheet, sheets
from saves.world import Save

_COLUMNS_MAX = 2000  # of a table, in SQLite as it usually is
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
    except sqlite3.Error as error:
        raise ExportError(f"SQLite cannot write '{path}': {error}") from error
    finally:
        database.close()


def _write(database: sqlite3.Connection, sheet: Sheet, written: Callable[[int], None]) -> None:
    if len(sheet.columns) > _COLUMNS_MAX:
        words = f"'{sheet.name}' has {len(sheet.columns):,} columns, and SQLite takes"
        raise ExportError(f"{words} {_COLUMNS_MAX:,}: write JSON, CSV or Parquet")
    if not sheet.columns:
        return
    keyed = "_index" if sheet.by_index else ""
    columns = [
        f'"{name}" {_affinity(one)}{" PRIMARY KEY" if name == keyed else ""}'
        for name, one in sheet.columns
    ]
    database.execute(f'CREATE TABLE "{sheet.name}" ({", ".join(columns)})')
    insert = f'INSERT INTO "{sheet.name}" VALUES ({", ".join("?" * len(columns))})'
    for part in sheet.parts():
        pairs = zip(sheet.columns, part, strict=True)
        cells = [sqlite_cells(one, column) for (_, one), column in pairs]
        database.executemany(insert, zip(*cells, strict=True))
        written(len(cells[0]))


def _affinity(one: Field) -> str:
    """Returns the type of a column in SQLite: none for a u64, which may be a text and stays one."""
    if one.shape != ONE or one.type > F64:
        return "TEXT"
    return "" if one.type == U64 else "REAL" if one.type in (F32, F64) else "INTEGER"


def sqlite_cells(one: Field, column: Sequence[Any]) -> Sequence[Any]:
    """Returns a column as SQLite can hold it, whose numbers have a sign."""
    if one.type == U64 and one.shape == ONE and max(column, default=0) >= _SIGNED_END:
        return [str(value) if value >= _SIGNED_END else value for value in column]
    return plain(one, column)
