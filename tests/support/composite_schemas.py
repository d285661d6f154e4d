"""Random schemas with composite prefabs that cross storages, relations and overrides.

Each tree has a part in each storage. Which relation attaches which part depends on the turn, so
that the trees of four turns contain every combination.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from naive_prefabs import Prefabs, below, path_of
from toml_text import Table

STORAGES = ("aos", "soa", "rare", "tag")
RELATIONS: Table = {
    "rig": {"on_parent_despawn": "despawn", "on_attach": True},
    "line": {"on_parent_despawn": "despawn", "children": "append", "on_attach": True},
    "tie": {"on_parent_despawn": "detach", "on_attach": True},
    "queue": {"on_parent_despawn": "detach", "children": "append", "on_attach": True},
}
OVERRIDES = ("none", "value", "component", "part", "inner", "count")
TURNS = len(RELATIONS)
WIDTHS = ((20, 12), (32, 16), (10, 6), (16, 16))  # of handles: index and generation bits

SEAT = {"weight": {"type": "f32", "default": 1.5}, "who": "entity"}
COMPONENTS: Table = {
    "aos": {
        "fields": {
            "n": {"type": "i32", "default": 3},
            "f": "f32",
            "to": "entity",
            "more": "entity[3]",
            "seat": "seat",
        },
        "on_add": True,
    },
    "soa": {
        "layout": "soa",
        "fields": {
            "n": "i32",
            "f": {"type": "f32", "default": 0.25},
            "to": "entity",
            "pair": "entity[2]",
            "seats": "seat[2]",
        },
        "on_add": True,
    },
    "rare": {
        "storage": "sparse",
        "fields": {"n": {"type": "u8", "default": 9}, "f": "f32", "to": "entity", "seat": "seat"},
        "on_add": True,
        "on_remove": True,
    },
    "tag": {"on_add": True, "on_remove": True},
    "engine": {"requires": ["mark"], "fields": {"n": {"type": "u16", "default": 7}}},
    "mark": {},
}
DEFAULTS: Table = {  # of the numbers in each component
    "aos": {"n": 3, "f": 0.0, "seat.weight": 1.5},
    "soa": {"n": 0, "f": 0.25, "seats[0].weight": 1.5, "seats[1].weight": 1.5},
    "rare": {"n": 9, "f": 0.0, "seat.weight": 1.5},
    "engine": {"n": 7},
    "tag": {},
    "mark": {},
}
HANDLES: Table = {  # the fields for handles in each component
    "aos": ("to", "more[0]", "more[1]", "more[2]", "seat.who"),
    "soa": ("to", "pair[0]", "pair[1]", "seats[0].who", "seats[1].who"),
    "rare": ("to", "seat.who"),
}


@dataclass
class Drawn:
    """A schema, its trees, and the combinations of storage, relation and override in them."""

    prefabs: Table
    trees: list[str]
    turn: int
    crossed: set[tuple[str, str, str]] = field(default_factory=set)

    @property
    def document(self) -> Table:
        index_bits, generation_bits = WIDTHS[self.turn % len(WIDTHS)]
        bits = {"index_bits": index_bits, "generation_bits": generation_bits}
        plain = {
            f"plain_{name}": {"components": {one: {} for one in self.listed(name)}}
            for name in self.prefabs
        }
        return {
            "world": {"name": "w", "entity": bits, "phases": ["only"]},
            "struct": {"seat": {"fields": SEAT}},
            "component": COMPONENTS,
            "relation": RELATIONS,
            "prefab": self.prefabs | plain,
            "query": {
                "fresh": {"read": ["aos"], "where": "added(aos)"},
                "edited": {"where": "changed(soa) & changed(rare)"},
                "kept": {"where": "added(group_aos_parts)"},
                "joined": {"where": "changed(tree_none_parts)"},
                "held": {"where": "rig | leaf(queue)"},
            },
            "listener": {"losses": {"removed": ["aos", "rare", "tag", "line"]}},
        }

    def listed(self, name: str) -> list[str]:
        return list(Prefabs(self.prefabs).spec(name).components)


def draw(dice: Random, turn: int) -> Drawn:
    made = Drawn({}, [], turn)
    small(made, dice)
    for override in OVERRIDES:
        cross(made, dice, override)
    for base in made.trees[:]:
        vary(made, dice, base)
    parts = {
        name: {"prefab": name, "by": dice.choice(list(RELATIONS)), "count": dice.choice((1, 2))}
        for name in dice.sample(made.trees, 2)
    }
    add_tree(made, dice, "whole", {"components": root(dice), "parts": parts})
    return made


def small(made: Drawn, dice: Random) -> None:
    """Adds prefabs of the parts of trees."""
    made.prefabs["full"] = {"components": {one: values(dice, one) for one in COMPONENTS}}
    for one in STORAGES:
        made.prefabs[f"one_{one}"] = {"components": {one: values(dice, one)}}
        made.prefabs[f"less_{one}"] = {"is": "full", "without": [one]}
    for one in STORAGES:
        inner: Table = {"prefab": f"one_{one}", "by": dice.choice(list(RELATIONS))}
        inner |= {"count": dice.choice((1, 1, 3)), "with": {one: values(dice, one)}}
        beside = {"prefab": dice.choice(("full", "one_soa")), "by": dice.choice(list(RELATIONS))}
        components = {one: values(dice, one)} | root(dice)
        parts = {"inner": inner, "beside": beside}
        add_tree(made, dice, f"group_{one}", {"components": components, "parts": parts})


def cross(made: Drawn, dice: Random, override: str) -> None:
    parts: Table = {}
    inside: Table = {}
    for place, one in enumerate(STORAGES):
        by = list(RELATIONS)[(place + made.turn) % TURNS]
        part: Table = {"prefab": f"one_{one}", "by": by}
        if override == "value":
            part["with"] = {one: values(dice, one)}
        elif override == "component":
            part["prefab"] = f"less_{one}"
        elif override == "part":
            part |= {"prefab": f"group_{one}", "without": ["inner"]}
        elif override == "inner":
            part["prefab"] = f"group_{one}"
            inside[f"of_{one}.inner"] = {"with": {one: values(dice, one)}}
        elif override == "count":
            part["count"] = dice.choice((2, 3, 4))
        parts[f"of_{one}"] = part
        made.crossed.add((one, by, override))
    order = dice.sample(list(parts), len(parts))
    parts = {name: parts[name] for name in order} | inside
    add_tree(made, dice, f"tree_{override}", {"components": root(dice), "parts": parts})


def vary(made: Drawn, dice: Random, base: str) -> None:
    """Adds a variant that changes some of everything."""
    spec = Prefabs(made.prefabs).spec(base)
    lacks = dice.sample(list(spec.parts), 1) if dice.random() < 0.5 else []
    if len(spec.components) > 1 and dice.random() < 0.5:
        lacks.append(dice.choice(list(spec.components)))
    components = {one: values(dice, one) for one in spec.components if one not in lacks}
    parts: Table = {}
    for name, part in spec.parts.items():
        if name in lacks:
            continue
        changed = changes(made, dice, part.prefab)
        if part.count > 1:
            changed["count"] = part.count + dice.choice((-1, 0, 1))
        if dice.random() < 0.3:
            changed["by"] = dice.choice(list(RELATIONS))
        parts[name] = changed
    parts["added"] = {"prefab": "full", "by": dice.choice(list(RELATIONS)), "count": 2}
    one = {"is": base, "components": components, "without": lacks, "parts": parts}
    add_tree(made, dice, f"other_{base}", one)
    for name in set(lacks) & set(spec.parts):  # another part may use the name
        parts = {name: {"prefab": "one_soa", "by": dice.choice(list(RELATIONS)), "count": 2}}
        add_tree(made, dice, f"again_{base}", {"is": f"other_{base}", "parts": parts})


def changes(made: Drawn, dice: Random, prefab: str) -> Table:
    spec = Prefabs(made.prefabs).spec(prefab)
    changed: Table = {}
    some = [one for one in spec.components if DEFAULTS[one] and dice.random() < 0.5]
    if some:
        changed["with"] = {one: values(dice, one) for one in some}
    if spec.parts and dice.random() < 0.3:
        changed["without"] = dice.sample(list(spec.parts), 1)
    return changed


def root(dice: Random) -> Table:
    some = dice.sample(("aos", "soa", "rare", "tag", "engine"), dice.choice((1, 2, 3)))
    return {one: values(dice, one) for one in some}


def values(dice: Random, component: str) -> Table:
    given: Table = {}
    for name in DEFAULTS[component]:
        number = dice.randrange(100) if name == "n" else dice.randrange(100) / 4
        if "[" in name or dice.random() < 0.4:
            continue
        outer, _, inner = name.partition(".")
        given[outer] = {inner: number} if inner else number
    return given


def add_tree(made: Drawn, dice: Random, name: str, prefab: Table) -> None:
    made.prefabs[name] = prefab
    made.trees.append(name)
    refs = dict(random_refs(made, dice, name))
    if refs:
        prefab["refs"] = refs


def random_refs(made: Drawn, dice: Random, name: str) -> Any:
    prefabs = Prefabs(made.prefabs)
    tree = prefabs.tree(name)
    used: set[tuple[int, str, str]] = set()
    for _ in range(8):
        holder, index = dice.randrange(len(tree.nodes)), dice.randrange(len(tree.nodes))
        components = [one for one in tree.nodes[holder].values if one in HANDLES]
        if not components:
            continue
        component = dice.choice(components)
        path = dice.choice(HANDLES[component])
        at = tree.nodes[holder].path
        at = at.replace("[0]", "") if dice.random() < 0.6 else at  # without an index: all of them
        holders = {(one, component, path) for one in below(tree, 0, path_of(at))}
        if holders & used or not all(component in tree.nodes[one].values for one, *_ in holders):
            continue
        used |= holders
        yield f"{component}.{path}" + (f"@{at}" if at else ""), tree.nodes[index].path or "self"
