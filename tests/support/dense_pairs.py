"""Random pairs of dense schemas. Most fields of the second schema are edits of fields of the first,
so that every kind of value meets every kind of edit that saves survive.

The two schemas are built together, field by field. Edits that saves do not survive are tested by
random_edits.py.
"""

from __future__ import annotations

import random
from typing import Any

from model.scalars import NUMBER_TYPES
from random_edits import Pair
from toml_text import Table, toml

LOST = "lost"  # a value of an enum that the second schema has removed
NUMBERS = tuple(name for name in NUMBER_TYPES if name != "bool")
WORDS = ("idle", "dig", "haul", "rest")
ENUMS, STRUCTS, COMPONENTS, SINGLETONS = 3, 4, 12, 3
STORED: tuple[Table, ...] = ({}, {}, {"layout": "soa"}, {"storage": "sparse"})
SHAPES = ("{}", "{}", "{}[{}]", "{}[..{}]")
LINKS = {"on_parent_despawn": "detach"}


def dense_pair(seed: int) -> Pair:
    grown = _Grown(random.Random(f"dense {seed}"))
    return Pair(toml(grown.before).decode(), toml(grown.after).decode())


class _Grown:
    """Two documents."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self._made = 0
        kinds = ("enum", "struct", "component", "singleton", "relation")
        self.before: Table = {kind: {} for kind in kinds}
        self.after: Table = {kind: {} for kind in kinds}
        for _ in range(ENUMS):
            self._enum()
        for _ in range(STRUCTS):
            self._named("struct", *self._fields())
        for _ in range(COMPONENTS):
            self._component()
        for _ in range(SINGLETONS):
            was, now = self._fields()
            self._thing("singleton", was | self._saved(), now | self._saved())
        for _ in range(2):
            self._thing("relation", dict(LINKS), dict(LINKS))
        for kind in ("component", "singleton", "relation"):
            self.after[kind] = self._shuffled(self.after[kind])

    def _one_in(self, n: int) -> bool:
        return self._dice.randrange(n) == 0

    def _fresh(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}"

    def _shuffled(self, table: Table) -> Table:
        return dict(self._dice.sample(list(table.items()), len(table)))

    def _saved(self) -> Table:
        return {"save": False} if self._one_in(8) else {}

    # ---- things

    def _named(self, kind: str, was: Table, now: Table) -> None:
        """Adds an enum or struct, whose name saves do not store."""
        name = self._fresh(kind[0])
        self.before[kind][name], self.after[kind][name] = was, now

    def _thing(self, kind: str, was: Table, now: Table) -> None:
        name = self._fresh(kind[0])
        new = self._fresh(kind[0]) if self._one_in(4) else name
        self.before[kind][name] = was
        self.after[kind][new] = now if new == name else now | {"was": name}

    def _enum(self) -> None:
        """Adds an enum whose values are reordered; one is new, one is renamed, one is removed."""
        renamed, *kept = self._dice.sample(WORDS, len(WORDS))
        now: list[Any] = ["new", {"name": f"no_{renamed}", "was": renamed}, *kept]
        width = self._dice.choice(({}, {"type": "u16"}))
        first, *others = self._dice.sample(WORDS, len(WORDS))  # no default of a field is LOST
        was = {"values": [first, *self._dice.sample([*others, LOST], len(WORDS))]}
        self._named("enum", was, width | {"values": self._dice.sample(now, len(now))})

    def _component(self) -> None:
        was, now = self._fields()
        stored = [dict(self._dice.choice(STORED)) for _ in range(2)]
        was |= stored[0] | self._saved()
        now |= stored[1] | self._saved()
        if self._one_in(6):
            self._dice.choice((was, now)).pop("fields")
        for one in (was, now):
            if "fields" not in one:
                one.pop("storage", None)
                one.pop("layout", None)
        tables = [
            name
            for name, other in self.after["component"].items()
            if other.get("storage") != "sparse"
        ]
        if tables and "storage" not in now and self._one_in(5):
            name = self._dice.choice(tables)
            now["requires"] = [{"name": name, "values": self._given(self.after["component"][name])}]
        self._thing("component", was, now)

    def _given(self, component: Table) -> Table:
        """Returns values for some of the numbers of a component."""
        fields = component.get("fields", {}).items()
        numbers = [name for name, field in fields if field["type"] in NUMBERS]
        return {name: self._dice.randint(1, 9) for name in numbers if self._one_in(2)}

    # ---- fields

    def _fields(self) -> tuple[Table, Table]:
        was: Table = {}
        now: Table = {}
        for _ in range(self._dice.randint(2, 5)):
            name = self._fresh("f")
            was[name], changed = self._field()
            if self._one_in(5):
                now[self._fresh("f")] = changed | {"was": name}
            elif not self._one_in(8):
                now[name] = changed
        for _ in range(self._dice.randint(0 if now else 1, 2)):
            now[self._fresh("f")] = self._field()[1]
        return {"fields": was}, {"fields": self._shuffled(now)}

    def _field(self) -> tuple[Table, Table]:
        """Returns a field, and the same field after an edit."""
        element = self._element()
        other = self._dice.choice(NUMBERS) if element in NUMBER_TYPES else element
        if element in NUMBERS and self._one_in(3):
            other = element  # unchanged, or with other neighbours
        count = self._dice.randint(1, 3)
        shape = "char[{1}]" if element == "char" else self._dice.choice(SHAPES)
        shrinks = shape == "{}[{}]" and self._one_in(3)
        most = self._dice.randint(1 if shrinks else count, 5)
        was, now = shape.format(element, count + 1), shape.format(other, most + 1)
        return {"type": was, **self._saved()}, {"type": now, **self._saved()}

    def _element(self) -> str:
        inner = list(self.before["struct"])
        if len(inner) < STRUCTS:
            inner = inner[:1]  # do not nest deeper
        kinds = [NUMBERS, NUMBERS, ("bool", "entity", "char"), list(self.before["enum"])]
        kinds += [inner, inner] if inner else []
        return self._dice.choice(self._dice.choice(kinds))
