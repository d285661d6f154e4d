"""Random pairs of schemas: one that saves are made with, and the same after a few edits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from model.scalars import NUMBER_TYPES
from random_schemas import documents
from toml_text import Table, toml

DATA = ("enum", "struct", "component", "singleton", "event", "relation")
WITH_FIELDS = ("struct", "component", "singleton", "event")
SHAPED = re.compile(r"(\w+)(?:\[(\.\.)?(\w+)\])?")


@dataclass(frozen=True)
class Pair:
    """Two schemas, without [world]. The second may be invalid."""

    before: str
    after: str


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    document = _plain(draw(documents()))
    before = toml(document).decode()
    edits = _Edits(draw, deepcopy(document))
    for _ in range(draw(st.integers(2, 8))):
        edits.one()
    return Pair(before, toml(edits.document).decode())


def _plain(document: Table) -> Table:
    """Removes attributes that only suit some types, and hooks of the game; keeps the data that
    saves store.
    """
    kept = {kind: document[kind] for kind in DATA}
    for things in kept.values():
        for thing in things.values():
            hooks = ("on_add", "on_replace", "on_remove", "on_attach", "on_detach")
            for hook in (*hooks, "doc"):
                thing.pop(hook, None)
            if "requires" in thing:
                thing["requires"] = [one["name"] for one in thing["requires"]]
            for name, field in thing.get("fields", {}).items():
                thing["fields"][name] = {
                    key: field[key] for key in ("type", "save") if key in field
                }
    return kept


class _Edits:
    """Random edits of a document, in place."""

    def __init__(self, draw: st.DrawFn, document: Table) -> None:
        self.document = document
        self._draw = draw
        self._made = 0

    def one(self) -> None:
        kinds: list[Callable[[], None]] = [
            self._field_gone, self._field_new, self._field_renamed, self._field_changed,
            self._field_changed, self._fields_moved, self._field_saved, self._enum_changed,
            self._thing_gone, self._thing_renamed, self._component_stored, self._component_ruled,
        ]  # fmt: skip
        self._pick(kinds)()

    def _pick(self, choices: list[Any]) -> Any:
        return self._draw(st.sampled_from(choices))

    def _fresh(self) -> str:
        self._made += 1
        return f"fresh{self._made}"

    def _things(self, *kinds: str) -> Iterator[tuple[str, str]]:
        return ((kind, name) for kind in kinds for name in self.document[kind])

    def _fields(self, least: int = 1) -> Table | None:
        """Returns the fields of something that has at least this many."""
        found = [
            self.document[kind][name].get("fields", {}) for kind, name in self._things(*WITH_FIELDS)
        ]
        found = [fields for fields in found if len(fields) >= least]
        return self._pick(found) if found else None

    def _field_gone(self) -> None:
        fields = self._fields(least=2)
        if fields:
            del fields[self._pick(list(fields))]

    def _field_new(self) -> None:
        fields = self._fields()
        if fields:
            types = [*NUMBER_TYPES, "entity", "u8[3]", "char[4]"]
            fields[self._fresh()] = {"type": self._pick(types)}

    def _field_renamed(self) -> None:
        fields = self._fields()
        if fields:
            _rename(
                fields, self._pick(list(fields)), self._fresh(), self._pick([True, True, False])
            )

    def _field_changed(self) -> None:
        """Changes a field, mostly so that values can be converted."""
        fields = self._fields()
        if not fields:
            return
        field = fields[self._pick(list(fields))]
        match = SHAPED.fullmatch(field["type"])
        assert match
        element, dots, count = match[1], match[2] or "", match[3]
        if element in NUMBER_TYPES and self._pick([True, True, True, False]):
            element = self._pick(list(NUMBER_TYPES))
        if count and (count.isdigit() or self._draw(st.integers(0, 3)) == 0):
            count = str(self._pick([1, 2, 3, 5, 8]))
        if self._draw(st.integers(0, 5)) == 0:
            element, dots, count = "entity", "", None
        field["type"] = f"{element}[{dots}{count}]" if count else element

    def _fields_moved(self) -> None:
        fields = self._fields(least=2)
        if fields:
            _reorder(fields, self._draw(st.permutations(list(fields))))

    def _field_saved(self) -> None:
        fields = self._fields()
        if fields:
            field = fields[self._pick(list(fields))]
            field["save"] = not field.get("save", True)

    def _enum_changed(self) -> None:
        if not self.document["enum"]:
            return
        enum = self.document["enum"][self._pick(list(self.document["enum"]))]
        values = self._draw(st.permutations(enum["values"]))
        change = self._pick(["order", "new", "gone", "renamed"])
        if change == "new":
            values.append(self._fresh())
        elif change == "gone" and len(values) > 1:
            values.pop()
        elif change == "renamed" and isinstance(values[0], str):
            values[0] = {"name": self._fresh(), "was": values[0]}
        enum["values"] = values

    def _thing_gone(self) -> None:
        things = list(self._things("component", "singleton", "event", "relation"))
        if not things:
            return
        kind, name = self._pick(things)
        del self.document[kind][name]
        for component in self.document["component"].values():
            for rule in ("requires", "excludes"):
                if name in component.get(rule, ()) and kind == "component":
                    del component[rule]

    def _thing_renamed(self) -> None:
        things = list(self._things("component", "singleton", "event", "relation"))
        if not things:
            return
        kind, name = self._pick(things)
        now = self._fresh()
        _rename(self.document[kind], name, now, self._pick([True, True, False]))
        for component in self.document["component"].values():
            for rule in ("requires", "excludes"):
                if kind == "component" and rule in component:
                    component[rule] = [now if one == name else one for one in component[rule]]

    def _component_stored(self) -> None:
        if not self.document["component"]:
            return
        component = self._pick(list(self.document["component"].values()))
        if "fields" not in component:
            component["save"] = not component.get("save", True)
            return
        change = self._pick(["soa", "aos", "sparse", "table", "save", "tag"])
        if change in ("soa", "aos"):
            component["layout"] = change
            component.pop("storage", None)
        elif change in ("sparse", "table"):
            component["storage"] = change
            component.pop("layout", None)
        elif change == "save":
            component["save"] = not component.get("save", True)
        else:
            for key in ("fields", "layout", "storage"):
                component.pop(key, None)

    def _component_ruled(self) -> None:
        if not self.document["component"]:
            return
        one, other = (self._pick(list(self.document["component"])) for _ in range(2))
        rule = self._pick(["requires", "excludes"])
        if one != other:
            self.document["component"][one][rule] = [other]


def _rename(table: Table, old: str, new: str, tell: bool) -> None:
    """Renames it in place. If it already has an old name, that name stays."""
    thing = table[old]
    if tell and "was" not in thing and not old.startswith("fresh"):
        thing["was"] = old
    items = [(new if name == old else name, value) for name, value in table.items()]
    table.clear()
    table.update(items)


def _reorder(table: Table, names: list[str]) -> None:
    items = {name: table[name] for name in names}
    table.clear()
    table.update(items)
