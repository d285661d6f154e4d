"""Generated code includes headers of the game's by the path that the schema gives."""

from __future__ import annotations

import re

from model.model import Model
from model.named import declarations
from names.names import HEADERS, Names

_PATH = re.compile(r"(?! )[^\x00-\x1f\x7f\"\\<>]+(?<! )")
_FOLDER = re.compile(r"(.*/)?\.{0,2}")


def header_mistake(path: str, generated: frozenset[str]) -> tuple[str, str] | None:
    """Returns why a path is no header of the game's, and the remedy; None if it may be one."""
    if not _PATH.fullmatch(path):
        help = 'write the path as in #include "…", without quotes or brackets'
        return f"'{path}' cannot stand in an #include", help
    if _FOLDER.fullmatch(path):
        return f"'{path}' is a folder", "write the path of a header in it"
    if path in generated:
        help = "name a header of the game's, which may include this one"
        return f"'{path}' is a header that is generated from this schema", help
    return None


def generated_headers(model: Model) -> frozenset[str]:
    """Returns the files that an #include would find in place of the game's."""
    names = Names(model.world.name)
    declared = [one.name for one in declarations(model)]
    pages = (names.header(name) for name in (*HEADERS, *declared))
    cpp = (names.header(name) + "pp" for name in ("", "world", *declared))
    return frozenset((*pages, *cpp))
