"""This module holds what comes of reading a schema: its model, and what was left unread."""

from __future__ import annotations

from model.model import Model
from model.record import record
from source.imports import File
from source.source import Place
from source.toml_places import Path


@record
class Parsed:
    """A model, with what is needed to judge it without repeating what was reported already."""

    model: Model
    book: Book
    broken: frozenset[tuple[str, str]]  # kinds and names that could not be read in whole
    hidden: Hidden

    def sound(self, kind: str, name: str) -> bool:
        """Returns whether everything that was written in a declaration is in the model."""
        return ("system" if kind == "partial" else kind, name) not in self.broken

    def is_tag(self, name: str) -> bool:
        """Returns whether a name is that of a component which certainly has no fields."""
        return self.model.is_tag(name) and self.sound("component", name)


@record
class Hidden:
    """Names that may be declared where the file could not be read; they are not called unknown."""

    names: frozenset[str]  # names in places where no declarations are read
    any_name: bool  # a part of a file could not be read

    def may_be(self, name: str) -> bool:
        return self.any_name or name in self.names


class Book:
    """Knows the places of a whole schema, by key path as if it were one file."""

    def __init__(self, root: File, owners: dict[tuple[str, str], File]) -> None:
        self._root = root
        self._owners = owners

    def key(self, *path: str | int) -> Place:
        path = _written(path)
        return self._file(path).places.key(path)

    def value(self, *path: str | int) -> Place:
        path = _written(path)
        return self._file(path).places.value(path)

    def has(self, *path: str | int) -> bool:
        path = _written(path)
        return self._file(path).places.has(path)

    def _file(self, path: Path) -> File:
        kind, name = (*path, "", "")[:2]
        return self._owners.get((str(kind), str(name)), self._root)


def _written(path: Path) -> Path:
    """Returns where a path stands in the schema: a partial is inside of its system."""
    if path[:1] != ("partial",):
        return path
    return "system", path[1], "partial", *path[2:]
