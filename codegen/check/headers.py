"""Rules about paths of the game's headers, which generated code includes."""

from __future__ import annotations

import re

from model.model import Model
from model.named import declarations
from names.names import HEADERS, Names

_PATH = re.compile(r"(?! )[^\x00-\x1f\x7f\"\\<>]+(?<! )")
_FOLDER = re.compile(r"(.*/)?\.{0,2}")


def header_mistake(path: str, generated: frozenset[str]) -> tuple[str, str] | None:
    """Returns why a path cannot be a header of the game, and help; None if it can."""
    if not _PATH.fullmatch(path):
        help = 'write the path as in #include "…", without quotes or brackets'
        return f"'{path}' is not a path for an #include", help
    if _FOLDER.fullmatch(path):
        return f"'{path}' is a folder", "write the path of a header in it"
    if path in generated:
        help = "name a header of the game, which may include this one"
        return f"'{path}' is a header that Weft generates from this schema", help
    return None


def generated_headers(model: Model) -> frozenset[str]:
    """Returns the generated headers, which an #include would find instead of the game's."""
    names = Names(model.world.name)
    declared = [one.name for one in declarations(model)]
    pages = (names.header(name) for name in (*HEADERS, *declared))
    cpp = (names.header(name) + "pp" for name in ("", "world", *declared))
    return frozenset((*pages, *cpp))
