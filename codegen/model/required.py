"""Decides the initial value of a component that other components require.

A component may give values to those that it requires. If several components require the same one,
the outermost decides: the one that requires the others. If it gives no values, the component begins
with its defaults. Components that do not require each other must give the same values; `check`
reports it if they differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from model.data import Component
from model.graph import closure
from model.model import Model
from model.record import record
from model.types import Value


@record
class Brought:
    """A component that others require, and the components that decide its initial value."""

    component: Component
    deciders: list[Component]  # at least one; none of them requires another one

    @property
    def values(self) -> dict[str, Value]:
        """Returns the values that differ from its defaults. The deciders must agree."""
        return self.deciders[0].gives(self.component.name)

    @property
    def dispute(self) -> tuple[Component, Component] | None:
        """Returns two deciders that give different values, or None."""
        first, *others = self.deciders
        differ = (other for other in others if self._fields(other) != self._fields(first))
        return next(((first, other) for other in differ), None)

    def _fields(self, decider: Component) -> list[Value]:
        """Returns the initial value of each field, 0 if it has neither a given value nor a
        default.
        """
        given = decider.gives(self.component.name)
        return [given.get(f.name, f.default) or 0 for f in self.component.fields]


class Required:
    """The components that get values from those that require them."""

    def __init__(self, model: Model) -> None:
        self._components = model.data.components
        listed = {
            c.name: [ref.name for ref in c.rules.requires] for c in model.data.components.values()
        }
        given = {
            one.component.name for c in model.data.components.values() for one in c.rules.values
        }
        self._listed = listed
        self._given = [name for name in model.data.components if name in given]
        self._closures = {name: closure(listed, name) for name in listed} if given else {}

    def brought(self, names: Iterable[str]) -> Iterator[Brought]:
        """Yields the required components that get values, and are not among `names` themselves."""
        if not self._given:
            return
        top = set(names)
        all = {name for one in top for name in self._closures.get(one, ())}
        for name in self._given:
            if name in all and name not in top:
                deciders = self._deciders(all, name)
                if any(decider.gives(name) for decider in deciders):
                    yield Brought(self._components[name], deciders)

    def _deciders(self, names: set[str], wanted: str) -> list[Component]:
        listing = [one for one in self._listed if one in names and wanted in self._listed[one]]
        return [
            self._components[one]
            for one in listing
            if not any(one in self._closures[other] for other in listing if other != one)
        ]
