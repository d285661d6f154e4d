"""Places in schema files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """A span of one line of a schema file: 1-based line and column, counted in characters."""

    path: str
    line: int
    column: int
    length: int
