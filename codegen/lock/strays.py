"""Finds locks of worlds that have been renamed.

The saves of a world are refused if its name changes. The lock could report this, but it is looked
up by the new name. So a lock is an error if no `*.toml` in its folder has its world. If one of
those files cannot be read, nothing is reported, because it may be the schema of that world.
"""

from __future__ import annotations

import os
import tomllib
from typing import Any

from lock import lock_path
from model.model import World
from source.imports import UnreadableError, read_bytes
from source.source import Report

_MAX_BYTES = 64 << 20  # larger files are not read


def report_strays(schema: str, world: World, report: Report) -> None:
    """Reports locks in the folder of a schema whose world no schema there has any more."""
    folder = os.path.dirname(schema)
    others = [path for path in _files(folder, ".lock") if path != lock_path(schema, world.name)]
    recorded = {path: _recorded(_read(path)) for path in others}
    if not any(worlds - {world.name} for worlds in recorded.values()):
        return
    known = _known(folder)
    for path, worlds in recorded.items():
        for name in sorted(worlds - known - {world.name}) if known is not None else ():
            message = (
                f"no schema next to '{path}' has world '{name}', so saves of '{name}' are refused"
            )
            help = (
                f"if '{name}' is the old name of '{world.name}', name the world '{name}' again; "
                "if its saves need not load any more, remove that lock"
            )
            report.error("save-refused", world.place, message, help=help)


def _known(folder: str) -> set[str] | None:
    """Returns the worlds of the schemas there, or None if one of the files cannot be read."""
    tables = [_read(path) for path in _files(folder, ".toml")]
    return None if None in tables else {_world(table) for table in tables}


def _recorded(table: dict[str, Any] | None) -> set[str]:
    """Returns the worlds of the releases of a lock. A lock file of another program has none."""
    releases = table.get("release") if table and "lock" in table else None
    found = releases.values() if isinstance(releases, dict) else ()
    return {_world(release) for release in found} - {""}


def _world(table: object) -> str:
    """Returns the name of the world of a schema or release; "" if it has none."""
    world = table.get("world") if isinstance(table, dict) else None
    name = world.get("name") if isinstance(world, dict) else None
    return name if isinstance(name, str) else ""


def _files(folder: str, suffix: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:  # the user may be allowed to read the schema, but not its folder
        return []
    return [os.path.join(folder, name) for name in names if name.endswith(suffix)]


def _read(path: str) -> dict[str, Any] | None:
    """Reads a TOML file. Returns None if it is not valid TOML."""
    try:
        return tomllib.loads(read_bytes(path, _MAX_BYTES).decode("utf-8-sig"))
    except (UnreadableError, ValueError, RecursionError):
        return None
