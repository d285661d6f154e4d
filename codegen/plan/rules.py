"""Plans the rules that follow from requires and excludes, and sets of components in C."""

from __future__ import annotations

from model.data import Component
from model.graph import closure
from model.model import Model
from model.record import record
from model.required import Required
from names.names import Names
from plan.lists import ListPlan, Row

NOTHING = "no_components"  # C name of the empty set


@record
class Rules:
    """The consequences of requires and excludes, as sets of component names."""

    closure: set[str]
    conflicts: set[str]
    required_by: set[str]

    @property
    def bind(self) -> bool:
        """Returns whether they bind other components."""
        return len(self.closure) > 1 or bool(self.conflicts or self.required_by)


class Sets:
    """Makes sets of components, and finds the rules of each component."""

    def __init__(self, model: Model) -> None:
        self.components = model.data.components
        self.ids = {name: i for i, name in enumerate(model.data.components)}
        self.words = max(1, -(-len(self.ids) // 64))
        self.required = Required(model)
        requires = {
            c.name: [ref.name for ref in c.rules.requires] for c in model.data.components.values()
        }
        self._closures = {name: set(closure(requires, name)) for name in requires}
        self._required_by: dict[str, set[str]] = {name: set() for name in self.ids}
        for name, needed in self._closures.items():
            for other in needed - {name}:
                self._required_by[other].add(name)
        self._excludes: dict[str, set[str]] = {name: set() for name in self.ids}
        for component in model.data.components.values():
            for ref in component.rules.excludes:
                self._excludes[component.name].add(ref.name)
                self._excludes[ref.name].add(component.name)

    def rules(self, name: str) -> Rules:
        """Returns the rules of one component."""
        needed = self._closures[name]
        conflicts = {other for member in needed for other in self._excludes[member]}
        return Rules(needed, conflicts, self._required_by[name])

    def closure(self, names: list[str]) -> list[str]:
        """Returns the names and all that they require, in schema order."""
        everything = {member for name in names for member in self._closures[name]}
        return [name for name in self.ids if name in everything]

    def required_first(self, names: list[str]) -> list[str]:
        """Returns the names in their order, but each after those that it requires."""
        ordered: dict[str, None] = {}
        for name in names:
            needed = [other for other in names if other in self._closures[name]]
            needed.sort(key=lambda other: len(self._closures[other]))
            ordered |= dict.fromkeys(needed)
        return list(ordered)

    @property
    def nothing(self) -> ListPlan:
        """Returns the empty set."""
        return ListPlan("uint64_t", NOTHING, ["0"] * self.words)

    def bits(self, table: str, names: set[str] | list[str]) -> ListPlan:
        """Makes a set as an array of words in C. All empty sets share one array."""
        if not names:
            return ListPlan("uint64_t", NOTHING, [])
        bits = [0] * self.words
        for name in names:
            bits[self.ids[name] // 64] |= 1 << self.ids[name] % 64
        members = sorted(names, key=self.ids.__getitem__)
        words = [f"UINT64_C(0x{word:x})" for word in bits]
        return ListPlan("uint64_t", table, words, note=", ".join(members))


def required_values(sets: Sets, names: Names, owners: list[str]) -> list[Row]:
    """Makes a row for each required component that is added with other values than its defaults."""
    return [
        {
            "component": names.number("component", one.component.name),
            "value": f"&{names.local('gives', one.deciders[0].name)}[0].{one.component.name}",
        }
        for one in sets.required.brought(owners)
        if one.values
    ]


def rule_lines(component: Component, sets: Sets) -> list[str]:
    """Returns sentences about what a component requires and excludes."""
    requires = ", ".join(ref.name for ref in component.rules.requires)
    excludes = ", ".join(ref.name for ref in component.rules.excludes)
    adds = (
        f"It requires {requires}: adding it also adds those that are missing, with their defaults."
    )
    brought = [one.component.name for one in sets.required.brought([component.name]) if one.values]
    given = f"A missing {' or '.join(brought)} gets the values that the schema gives here instead."
    never = f"It excludes {excludes}: an entity cannot have both."
    return [
        *([adds] if requires else []),
        *([given] if brought else []),
        *([never] if excludes else []),
    ]
