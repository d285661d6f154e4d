"""A lint finds this, before it is known whether the schema silences it."""

from __future__ import annotations

from dataclasses import dataclass

from source.source import Note, Place


@dataclass(frozen=True)
class Finding:
    id: str
    kind: str  # of the declaration that can silence it: "component"
    owner: str  # its name
    place: Place
    message: str
    help: str
    notes: tuple[Note, ...] = ()
