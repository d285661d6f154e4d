"""The entities of random prefabs are those of a naive expansion.

The naive expansion copies whole entities, with the entities that their fields point to. The
generator instead collects all changes, and applies them when it lists the entities.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from check import check
from examples import long_after
from model.parts import tree_of
from parse import parse
from source.source import Report
from toml_text import toml

COMPONENTS = ["c0", "c1", "c2", "c3"]
Document = dict[str, Any]


@dataclass(eq=False)
class Thing:
    """An entity, and its parts by name."""

    prefab: str
    by: str = ""
    values: dict[str, dict[str, int]] = field(default_factory=dict)
    refs: dict[str, Thing] = field(default_factory=dict)  # by component: its field `e`
    parts: dict[str, list[Thing]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    knotted: set[str] = field(default_factory=set)  # parts with refs to themselves

    def all(self) -> list[Thing]:
        return [self, *(one for part in self.parts.values() for item in part for one in item.all())]


def copied(thing: Thing, outside: list[Thing]) -> Thing:
    """Copies an entity and its parts. Fields that point outside keep their targets."""
    return copy.deepcopy(thing, {id(one): one for one in outside})


class Maker:
    """Makes random prefabs, and what they expand to."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.text: Document = {}
        self.made: dict[str, Thing] = {}

    def add(self, name: str) -> None:
        text: Document = {}
        base = self.random.choice([*self.made, None])
        thing = Thing(name)
        if base:
            text["is"] = base
            thing = copied(self.made[base], [])
            thing.prefab = name
            self._leave_out(text, thing)
        self._give(text, thing)
        self._change_parts(text, thing)
        self._add_parts(text, thing)
        self._refer(text, thing)
        self._forget(thing)
        if len(thing.all()) <= 60 and (thing.values or thing.parts):
            self.text[name], self.made[name] = text, thing

    def _some(self, names: Any) -> list[str]:
        return [name for name in names if self.random.random() < 0.4]

    def _leave_out(self, text: Document, thing: Thing) -> None:
        text["without"] = self._some([*thing.values, *thing.parts])
        for name in text["without"]:
            thing.values.pop(name, None)
            thing.refs.pop(name, None)
            thing.parts.pop(name, None)

    def _values(self, names: list[str]) -> dict[str, dict[str, int]]:
        return {
            name: {f: self.random.randrange(1, 99) for f in self._some(["a", "b"])}
            for name in names
        }

    def _give(self, text: Document, thing: Thing) -> None:
        lacks = text.get("without", [])
        text["components"] = self._values([c for c in self._some(COMPONENTS) if c not in lacks])
        for name, values in text["components"].items():
            thing.values[name] = thing.values.get(name, {}) | values

    def _change_parts(self, text: Document, thing: Thing) -> None:
        text["parts"] = {}
        for name in self._some(thing.parts):
            text["parts"][name] = self._changed(thing.parts[name])
            if self.random.random() < 0.5 and name not in thing.knotted:
                count = self.random.randrange(1, 4)
                text["parts"][name]["count"] = thing.counts[name] = count
                items = thing.parts[name]
                while len(items) < count:
                    inside = items[0].all()
                    outside = [one for one in thing.all() if one not in inside]
                    items.append(copied(items[0], outside))
                del items[count:]

    def _add_parts(self, text: Document, thing: Thing) -> None:
        for i in range(self.random.randrange(3) if self.made else 0):
            name = f"{self.random.choice('xyz')}{i}"
            if name in thing.parts or name in text.get("without", []):
                continue
            prefab = self.random.choice([*self.made])
            count = self.random.randrange(1, 4)
            items = [copied(self.made[prefab], []) for _ in range(count)]
            for item in items:
                item.by = self.random.choice(["r0", "r1"]) if item is items[0] else items[0].by
            thing.parts[name], thing.counts[name] = items, count
            text["parts"][name] = {"prefab": prefab, "by": items[0].by, "count": count}
            text["parts"][name] |= self._changed(items)
            self._change_inner(text, name, items)

    def _changed(self, items: list[Thing]) -> Document:
        given = self._values(self._some(items[0].values))
        without = self._some(items[0].parts)
        for item in items:
            for name, values in given.items():
                item.values[name] |= values
            for name in without:
                item.parts.pop(name)
        return {"with": given, "without": without}

    def _change_inner(self, text: Document, path: str, items: list[Thing]) -> None:
        for name in self._some(items[0].parts):
            inner = [one for item in items for one in item.parts[name]]
            text["parts"][f"{path}.{name}"] = self._changed(inner)
            self._change_inner(text, f"{path}.{name}", inner)

    def _refer(self, text: Document, thing: Thing) -> None:
        text["refs"] = {}
        for _ in range(self.random.randrange(3)):
            at, holders = self._walk(thing, each=True)
            to, targets = self._walk(thing, each=False)
            have = list(holders[0].values)
            if not have:
                continue
            if at and to and re.split(r"\W", at)[0] == re.split(r"\W", to)[0]:
                thing.knotted.add(re.split(r"\W", at)[0])
            component = self.random.choice(have)
            text["refs"][f"{component}.e@{at}" if at else f"{component}.e"] = to or "self"
            for holder in holders:
                holder.refs[component] = targets[0]

    def _walk(self, thing: Thing, *, each: bool) -> tuple[str, list[Thing]]:
        """Returns a random path, and the entities there: all items of each part, or one."""
        path, found = [], [thing]
        while found[0].parts and self.random.random() < 0.7:
            name = self.random.choice([*found[0].parts])
            count = len(found[0].parts[name])
            index = None if each or count == 1 else self.random.randrange(count)
            path.append(name if index is None else f"{name}[{index}]")
            items = [one.parts[name] for one in found]
            found = [one for item in items for one in (item if index is None else [item[index]])]
        return ".".join(path), found

    def _forget(self, thing: Thing) -> None:
        """Fields that point to entities that were left out become none."""
        there = {id(one) for one in thing.all()}
        for one in thing.all():
            one.refs = {name: to for name, to in one.refs.items() if id(to) in there}

    def document(self) -> Document:
        fields = {"a": "u32", "b": "u32", "e": "entity"}
        return {
            "world": {"name": "w"},
            "component": {name: {"fields": fields} for name in COMPONENTS},
            "relation": {name: {"on_parent_despawn": "detach"} for name in ("r0", "r1")},
            "prefab": self.text,
        }


def naive(thing: Thing) -> list[Any]:
    nodes = thing.all()
    number = {id(one): index for index, one in enumerate(nodes)}
    above = {id(below): one for one in nodes for part in one.parts.values() for below in part}
    return [
        (
            one.prefab,
            number[id(above[id(one)])] if one is not thing else 0,
            one.by if one is not thing else "",
            one.values,
            {name: number[id(to)] for name, to in one.refs.items()},
        )
        for one in nodes
    ]


@pytest.mark.parametrize("seed", long_after(100, range(300)))
def test_random_prefabs_expand_like_copies(seed: int, tmp_path: Path) -> None:
    maker = Maker(seed)
    for i in range(7):
        maker.add(f"p{i}")
    schema = tmp_path / "s.toml"
    schema.write_bytes(toml(maker.document()))
    report = Report()
    parsed = parse(str(schema), report)
    check(parsed, report)
    assert report.errors == 0, report.render()
    for name, thing in maker.made.items():
        tree = tree_of(parsed.model, parsed.model.data.prefabs[name])
        found = [
            (
                node.prefab.name,
                node.above,
                node.by,
                {item.component.name: item.values for item in node.components},
                {ref.component: ref.target for ref in tree.refs if ref.holder == index},
            )
            for index, node in enumerate(tree.nodes)
        ]
        assert found == naive(thing), (name, schema.read_text())
