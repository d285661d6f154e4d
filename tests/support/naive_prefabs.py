"""A naive reading of composite prefabs: which entities a spawn makes, with which values.

It reads the document of a schema as reference/prefab.md describes it, and shares no code with the
generator. The schema must have no mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from toml_text import Table

Path = tuple[tuple[str, int | None], ...]  # names of parts, each with an index if it was written
SPOT = re.compile(r"(\w+)(?:\[(\d+)\])?")


def path_of(text: str) -> Path:
    """Reads the name of a part in `refs`; "self" is the root."""
    if text in ("", "self"):
        return ()
    return tuple((name, int(item) if item else None) for name, item in SPOT.findall(text))


@dataclass
class Change:
    path: list[str]  # of parts, from the part that is changed
    values: Table
    without: list[str]


@dataclass
class Part:
    prefab: str
    by: str
    count: int
    declared_by: str  # the prefab that stores its handles
    changes: list[Change] = field(default_factory=list)


@dataclass
class Ref:
    holder: Path
    component: str
    field: str  # as in C: "to", "seats[1].who"
    target: Path | None  # None if a variant left out the target


@dataclass
class Spec:
    """A prefab together with everything that it inherits."""

    components: Table
    parts: dict[str, Part]
    refs: list[Ref]
    bases: list[str]  # itself last


@dataclass
class Node:
    """An entity of a spawn."""

    prefab: str
    above: int  # its parent; 0 for the root, which has none
    by: str  # the relation; "" for the root
    name: str  # of the part; "" for the root
    item: int | None  # its number if the part has a count
    path: str  # its member in the struct of the prefab; "" for the root
    values: Table  # of its components
    below: dict[str, list[int]] = field(default_factory=dict)  # its parts, by name


@dataclass
class Tree:
    nodes: list[Node]
    refs: dict[tuple[int, str, str], int]  # holder, component, field -> target


class Prefabs:
    """The prefabs of a schema."""

    def __init__(self, prefabs: Table) -> None:
        self.prefabs = prefabs

    def spec(self, name: str) -> Spec:
        own = self.prefabs[name]
        spec = self.spec(own["is"]) if "is" in own else Spec({}, {}, [], [])
        spec.bases.append(name)
        lacks = own.get("without", [])
        for one in lacks:
            spec.components.pop(one, None)
            spec.parts.pop(one, None)
        merge(spec.components, own.get("components", {}))
        merge_parts(spec, name, own.get("parts", {}))
        spec.refs = list(kept_refs(spec, lacks))
        for text, target in own.get("refs", {}).items():
            value, _, holder = text.partition("@")
            component, _, path = value.partition(".")
            spec.refs.append(Ref(path_of(holder), component, path, path_of(target)))
        return spec

    def handles(self, name: str) -> dict[str, int]:
        """Returns for how many handles of each part that it declares an entity has space."""
        own = [part for part, one in self.spec(name).parts.items() if one.declared_by == name]
        counts = dict.fromkeys(own, 1)
        for other in self.prefabs:
            for part, one in self.spec(other).parts.items():
                if one.declared_by == name:
                    counts[part] = max(counts[part], one.count)
        return counts

    def tree(self, name: str) -> Tree:
        tree = Tree([], {})
        self._grow(tree, Node(name, 0, "", "", None, "", {}), [])
        found: dict[tuple[int, str, str], int | None] = {}
        for start in reversed(range(len(tree.nodes))):  # the root is last, and decides
            for ref in self.spec(tree.nodes[start].prefab).refs:
                targets = [] if ref.target is None else below(tree, start, ref.target)
                for holder in below(tree, start, ref.holder):
                    if ref.component in tree.nodes[holder].values:
                        target = targets[0] if targets else None
                        found[holder, ref.component, ref.field] = target
        tree.refs = {key: target for key, target in found.items() if target is not None}
        return tree

    def _grow(self, tree: Tree, node: Node, changes: list[Change]) -> None:
        spec, index = self.spec(node.prefab), len(tree.nodes)
        node.values = spec.components
        tree.nodes.append(node)
        if index:
            tree.nodes[node.above].below.setdefault(node.name, []).append(index)
        here = [one for one in changes if not one.path]
        for change in here:
            merge(node.values, change.values)
        lacks = {name for change in here for name in change.without}
        for name, part in spec.parts.items():
            inner = [*part.changes]
            for one in changes:
                if one.path[:1] == [name]:
                    inner.append(Change(one.path[1:], one.values, one.without))
            for item in range(part.count if name not in lacks else 0):
                number = item if part.count > 1 else None
                text = name if number is None else f"{name}[{number}]"
                path = f"{node.path}.{text}" if node.path else text
                self._grow(tree, Node(part.prefab, index, part.by, name, number, path, {}), inner)


def merge(values: Table, more: Table) -> None:
    for component, fields in more.items():
        values.setdefault(component, {}).update(deepcopy(fields))


def merge_parts(spec: Spec, name: str, parts: Table) -> None:
    for path, one in parts.items():
        first, *inner = path.split(".")
        if first not in spec.parts:
            spec.parts[first] = Part(one["prefab"], one["by"], 1, name)
        part = spec.parts[first]
        if not inner:
            part.prefab, part.by = one.get("prefab", part.prefab), one.get("by", part.by)
            part.count = one.get("count", part.count)
        part.changes.append(Change(inner, one.get("with", {}), one.get("without", [])))


def kept_refs(spec: Spec, lacks: list[str]) -> Iterator[Ref]:
    """Yields the refs that a variant inherits."""

    def is_there(path: Path) -> bool:
        if not path:
            return True
        name, item = path[0]
        return name not in lacks and name in spec.parts and (item or 0) < spec.parts[name].count

    for ref in spec.refs:
        if is_there(ref.holder) and (ref.holder or ref.component not in lacks):
            is_lost = ref.target is None or not is_there(ref.target)
            yield Ref(ref.holder, ref.component, ref.field, None if is_lost else ref.target)


def below(tree: Tree, start: int, path: Path) -> list[int]:
    """Returns the nodes at a path; without an index, all of that name."""
    found = [start]
    for name, item in path:
        found = [
            one
            for above in found
            for one in tree.nodes[above].below.get(name, [])
            if item is None or (tree.nodes[one].item or 0) == item
        ]
    return found
