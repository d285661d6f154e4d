"""The result of reading a schema: its model, and what could not be read."""

from __future__ import annotations

from model.model import Model
from model.record import record
from source.imports import File
from source.source import Place
from source.toml_places import Path


@record
class Parsed:
    """A model, and what `check` needs to know so that no mistake is reported twice."""

    model: Model
    book: Book
    broken: frozenset[tuple[str, str]]  # kind and name of each declaration with a mistake in it
    hidden: Hidden

    def sound(self, kind: str, name: str) -> bool:
        """Returns whether the model contains everything that the declaration says."""
        return ("system" if kind == "partial" else kind, name) not in self.broken

    def is_tag(self, name: str) -> bool:
        """Returns whether a component of this name certainly has no fields."""
        return self.model.is_tag(name) and self.sound("component", name)


@record
class Hidden:
    """Names that unreadable parts may declare. They are not reported as unknown."""

    names: frozenset[str]  # names in places where declarations are not read
    any_name: bool  # a part of a file could not be read

    def may_be(self, name: str) -> bool:
        return self.any_name or name in self.names


class Book:
    """Finds the places of a whole schema by key path, as if it were a single file."""

    def __init__(
        self, root: File, owners: dict[tuple[str, str], File], hidden: dict[str, str]
    ) -> None:
        self._root = root
        self._owners = owners
        self._hidden = hidden  # the prefab of each component that stores the parts of one

    def key(self, *path: str | int) -> Place:
        path = self._written(path)
        return self._file(path).places.key(path)

    def value(self, *path: str | int) -> Place:
        path = self._written(path)
        return self._file(path).places.value(path)

    def has(self, *path: str | int) -> bool:
        path = self._written(path)
        return self._file(path).places.has(path)

    def _file(self, path: Path) -> File:
        kind, name = (*path, "", "")[:2]
        return self._owners.get((str(kind), str(name)), self._root)

    def _written(self, path: Path) -> Path:
        """Returns the path in the schema: a partial belongs to its system, a hidden component to
        its prefab.
        """
        if path[:1] == ("partial",):
            return "system", path[1], "partial", *path[2:]
        if path[:1] == ("component",) and path[1] in self._hidden:
            inside = ("parts", *path[3:]) if path[2:3] == ("fields",) else path[2:]
            return "prefab", self._hidden[str(path[1])], *inside
        return path
