"""A warning, before it is known whether the schema silences it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from source.source import Note, Place


class Owner(NamedTuple):
    """The declaration that can silence a warning."""

    kind: str  # "component"
    name: str


@dataclass(frozen=True)
class Finding:
    id: str
    owner: Owner
    place: Place
    message: str
    help: str
    notes: tuple[Note, ...] = ()
