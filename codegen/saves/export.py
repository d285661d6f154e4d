"""Writes a save in another format: completely or not at all, and never over an existing file."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

from saves.damage import ExportError
from saves.progress import Progress
from saves.sheets import sheets
from saves.to_csv import to_csv
from saves.to_json import to_json
from saves.to_parquet import to_parquet
from saves.to_sqlite import to_sqlite
from saves.world import Save

PLAIN_CSV = "csv --plain-cells"
_WRITERS: dict[str, Callable[[Save, str, Callable[[int], None]], None]] = {
    "json": to_json,
    "csv": to_csv,
    PLAIN_CSV: partial(to_csv, plain_cells=True),
    "sqlite": to_sqlite,
    "parquet": to_parquet,
}
_NEW = "new"  # temporary name of an export; short, so that any path works


def export(save: Save, to: str, path: str, progress: Progress) -> None:
    """Writes into a new folder next to the path, and then moves the finished export to the path."""
    path = path.rstrip(os.sep) or path
    total = len(save.indices) if to == "json" else sum(sheet.rows for sheet in sheets(save))
    done = 0

    def written(rows: int) -> None:
        nonlocal done
        done += rows
        progress.step(f"writing {to}", done, total)

    try:
        if _is_there(path):
            raise ExportError(f"'{path}' already exists: delete it, or write another path")
        with TemporaryDirectory(prefix=".weft_export_", dir=os.path.dirname(path) or ".") as folder:
            whole = os.path.join(folder, _NEW)
            _WRITERS[to](save, whole, written)
            os.rename(whole, path)
    except (OSError, sqlite3.Error) as error:
        words = (getattr(error, "strerror", None) or str(error)).lower()
        raise ExportError(f"cannot write '{path}': {words}") from error


def _is_there(path: str) -> bool:
    """Returns whether the path exists. Raises OSError if it is invalid."""
    if "\0" in path:
        raise OSError(errno.EINVAL, "the path contains a NUL")
    try:
        os.lstat(path)
    except FileNotFoundError:
        return False
    return True
