"""Everything that a schema declares has a name, a place where it does so, and words about it."""

from __future__ import annotations

from typing import NamedTuple

from model.record import record
from source.source import Place


class Declared(NamedTuple):
    name: str
    place: Place
    doc: str = ""
    was: str = ""  # its name in released saves, if that was another


@record
class Declaration:
    """The base of what is declared."""

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
