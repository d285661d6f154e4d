"""Writes a save in another format: whole or not at all, and over nothing that is there."""

from __future__ import annotations

import os
from collections.abc import Callable
from tempfile import TemporaryDirectory

from saves.damage import ExportError
from saves.progress import Progress
from saves.sheets import sheets
from saves.to_csv import to_csv
from saves.to_json import to_json
from saves.to_parquet import to_parquet
from saves.to_sqlite import to_sqlite
from saves.world import Save

_WRITERS: dict[str, Callable[[Save, str, Callable[[int], None]], None]] = {
    "json": to_json,
    "csv": to_csv,
    "sqlite": to_sqlite,
    "parquet": to_parquet,
}


def export(save: Save, to: str, path: str, progress: Progress) -> None:
    """Writes into a new folder beside the path, and moves to the path what is whole."""
    path = path.rstrip(os.sep) or path
    if os.path.lexists(path):
        raise ExportError(f"'{path}' is there already: delete it, or name another")
    total = len(save.indices) if to == "json" else sum(sheet.rows for sheet in sheets(save))
    done = 0

    def written(rows: int) -> None:
        nonlocal done
        done += rows
        progress.step(f"writing {to}", done, total)

    try:
        with TemporaryDirectory(prefix=".weft_export_", dir=os.path.dirname(path) or ".") as folder:
            whole = os.path.join(folder, os.path.basename(path))
            _WRITERS[to](save, whole, written)
            os.rename(whole, path)
    except OSError as error:
        words = (error.strerror or str(error)).lower()
        raise ExportError(f"cannot write '{path}': {words}") from error
