"""Locks beside a schema that no schema there goes on with: of worlds that have been renamed.

Saves of a world are refused under another name, and the lock that would say so is looked up by the
new one. So a lock there of a world that none of the folder's `*.toml` has is an error. Where one of
them cannot be read nothing is said: that may be the schema of that world.
"""

from __future__ import annotations

import os
import tomllib
from typing import Any

from lock import lock_path
from model.model import World
from source.imports import UnreadableError, read_bytes
from source.source import Report

_MAX_BYTES = 64 << 20  # of a file that is looked into


def report_strays(schema: str, world: World, report: Report) -> None:
    """Reports locks beside a schema whose world is nowhere any more."""
    folder = os.path.dirname(schema)
    others = [path for path in _files(folder, ".lock") if path != lock_path(schema, world.name)]
    recorded = {path: _recorded(_read(path)) for path in others}
    if not any(worlds - {world.name} for worlds in recorded.values()):
        return
    known = _known(folder)
    for path, worlds in recorded.items():
        for name in sorted(worlds - known - {world.name}) if known is not None else ():
            message = f"no schema beside '{path}' has world '{name}': its saves are refused"
            help = (
                f"if that is what '{world.name}' was called, call it '{name}' again; "
                "if no saves need load any more, take that lock away"
            )
            report.error("save-refused", world.place, message, help=help)


def _known(folder: str) -> set[str] | None:
    """The worlds of the schemas there; None: of one that is not known."""
    tables = [_read(path) for path in _files(folder, ".toml")]
    return None if None in tables else {_world(table) for table in tables}


def _recorded(table: dict[str, Any] | None) -> set[str]:
    """The worlds of a lock's releases; of other programs' files, which are named alike, none."""
    releases = table.get("release") if table and "lock" in table else None
    found = releases.values() if isinstance(releases, dict) else ()
    return {_world(release) for release in found} - {""}


def _world(table: object) -> str:
    """The name of the world of a schema, or of a release; "" if it has none."""
    world = table.get("world") if isinstance(table, dict) else None
    name = world.get("name") if isinstance(world, dict) else None
    return name if isinstance(name, str) else ""


def _files(folder: str, suffix: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:  # one may read the schema, but not what else is there
        return []
    return [os.path.join(folder, name) for name in names if name.endswith(suffix)]


def _read(path: str) -> dict[str, Any] | None:
    """A file of TOML; None if it is none."""
    try:
        return tomllib.loads(read_bytes(path, _MAX_BYTES).decode("utf-8-sig"))
    except (UnreadableError, ValueError, RecursionError):
        return None
