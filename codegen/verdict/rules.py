"""Finds components that exclude each other, but that an entity of an older save may have
together.
"""

from __future__ import annotations

from itertools import product

from model.graph import closure
from model.model import Model
from verdict.change import Change, Fate, Verdict
from verdict.renames import ACCEPT, pairs


def conflicts(was: Model, now: Model) -> list[Change]:
    old, new = _Rules(was), _Rules(now)
    before = _loaded(was, now)
    found = []
    for component in now.data.components.values():
        for ref in component.rules.excludes:
            together = product(new.bringing(component.name), new.bringing(ref.name))
            if any(
                one in before and other in before and old.allow(before[one], before[other])
                for one, other in together
            ):
                what = f"component '{component.name}' excludes '{ref.name}'"
                fate = "are refused if an entity has both"
                found.append(Change(what, Fate(Verdict.MAY_REFUSE, fate), ref.place, help=ACCEPT))
    return found


def _loaded(was: Model, now: Model) -> dict[str, str]:
    """Returns, for each component that a loaded entity can have, its name in the save."""
    matched = pairs(was.data.components.values(), now.data.components.values())
    return {
        component.name: before.name
        for before, component in matched
        if before and not any(one.is_tag and not one.save for one in (before, component))
    }


class _Rules:
    """The requires and excludes of a schema."""

    def __init__(self, model: Model) -> None:
        requires = {
            c.name: [ref.name for ref in c.rules.requires] for c in model.data.components.values()
        }
        self._closures = {name: closure(requires, name) for name in requires}
        self._bringing: dict[str, list[str]] = {name: [name] for name in requires}
        for name, needed in self._closures.items():
            for other in needed:
                if other != name:
                    self._bringing[other].append(name)
        self._excluded: dict[str, set[str]] = {name: set() for name in requires}
        for component in model.data.components.values():
            for ref in component.rules.excludes:
                self._excluded[component.name].add(ref.name)

    def bringing(self, name: str) -> list[str]:
        """Returns the components that add a component: itself first, then those that require it."""
        return self._bringing[name]

    def allow(self, one: str, other: str) -> bool:
        """Returns whether an entity can have both, including everything that they require."""
        together = {*self._closures[one], *self._closures[other]}
        return not any(self._excluded[member] & together for member in together)
