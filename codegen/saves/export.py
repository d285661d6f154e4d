"""Writes a save in another format: whole or not at all, and over nothing that is there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

from saves.damage import ExportError
from saves.progress import Progress
from saves.sheets import sheets
from saves.to_csv import to_csv
from saves.to_json import to_json
from saves.to_parquet import to_parquet
from saves.to_sqlite import to_sqlite
from saves.world import Save

FORMATS: dict[str, Callable[[Save, str, Callable[[int], None]], None]] = {
    "json": to_json,
    "csv": to_csv,
    "sqlite": to_sqlite,
    "parquet": to_parquet,
}
_UNDONE = ".partial"


def export(save: Save, to: str, path: str, progress: Progress) -> None:
    """Writes to a new file or folder beside the path, and gives it its name at the end."""
    path = path.rstrip(os.sep) or path
    if os.path.lexists(path):
        raise ExportError(f"'{path}' is there already: delete it, or name another")
    total = len(save.living) if to == "json" else sum(sheet.rows for sheet in sheets(save))
    done = 0

    def written(rows: int) -> None:
        nonlocal done
        done += rows
        progress.step(f"writing {to}", done, total)

    undone = path + _UNDONE
    _remove(undone)
    try:
        FORMATS[to](save, undone, written)
        os.rename(undone, path)
    except OSError as error:
        raise ExportError(
            f"cannot write '{path}': {(error.strerror or str(error)).lower()}"
        ) from error
    finally:
        _remove(undone)


def _remove(path: str) -> None:
    """Removes what an export that did not come to its end has left."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)
