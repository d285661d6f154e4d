"""Every declaration has a name, a place in the schema, and a `doc` text."""

from __future__ import annotations

from typing import NamedTuple

from model.record import record
from source.source import Place


class Declared(NamedTuple):
    name: str
    place: Place
    doc: str = ""
    was: str = ""  # its name in released saves, if it was renamed


@record
class Declaration:
    """Base of the records of declarations."""

    declared: Declared

    @property
    def name(self) -> str:
        return self.declared.name

    @property
    def place(self) -> Place:
        return self.declared.place

    @property
    def doc(self) -> str:
        return self.declared.doc

    @property
    def was(self) -> str:
        return self.declared.was
