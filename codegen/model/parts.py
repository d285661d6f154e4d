"""Composite prefabs: prefabs with parts, and prefabs that are variants of others.

`with_parts` gives each prefab the components, parts and refs of the prefab in `is`. For the parts
that a prefab declares, it adds a hidden component `<prefab>_parts`, which stores their handles on
the root. `tree_of` lists all entities that one spawn of a prefab makes.

A schema with mistakes is flattened too, because rules are checked after that. Unknown names and
circles are then left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from model.data import (
    Component,
    Part,
    PartChange,
    Prefab,
    PrefabComponent,
    PrefabRef,
    Spot,
    Stored,
    WrittenPart,
    path_text,
)
from model.declared import Declared
from model.graph import Graph, targets_first
from model.model import Model
from model.record import record, replace
from model.types import Base, Field, Shape, Type

MAX_ENTITIES = 1_024  # that one spawn of a prefab makes
MAX_PART_DEPTH = 32  # of parts in parts


def parts_component(prefab: str) -> str:
    """Returns the component that stores the handles of the parts that a prefab declares."""
    return f"{prefab}_parts"


# ---- variants


def with_parts(model: Model) -> Model:
    """Flattens the prefabs, and appends the hidden components of those with parts."""
    prefabs = model.data.prefabs
    if all(is_plain(one) for one in prefabs.values()):
        return model
    flat = _Flat(prefabs)
    prefabs = {name: flat.prefab(name) for name in prefabs}
    hidden = {
        parts_component(one.name): _hidden(one, prefabs)
        for one in prefabs.values()
        if _introduced(one, one.name)
    }
    components = hidden | model.data.components
    components = model.data.components | {
        name: one for name, one in components.items() if name not in model.data.components
    }
    return replace(model, data=replace(model.data, prefabs=prefabs, components=components))


def is_plain(prefab: Prefab) -> bool:
    """Returns whether a prefab is only a list of components."""
    return not (prefab.base or prefab.written.parts or prefab.written.refs)


class _Flat:
    """Flattens prefabs, each after the one in its `is`."""

    def __init__(self, prefabs: dict[str, Prefab]) -> None:
        self._prefabs = prefabs
        self._flat: dict[str, Prefab] = {}

    def prefab(self, name: str) -> Prefab:
        waiting = [name]  # each is flattened after the one behind it; a circle is cut
        while (base := self._prefabs[waiting[-1]].base) and base.name in self._prefabs:
            if base.name in self._flat or base.name in waiting:
                break
            waiting.append(base.name)
        for one in reversed(waiting):
            if one not in self._flat:
                self._flat[one] = self._flattened(self._prefabs[one])
        return self._flat[name]

    def _flattened(self, prefab: Prefab) -> Prefab:
        inherited = self._flat.get(prefab.base.name) if prefab.base else None
        written = prefab.written
        lacks = {ref.name for ref in written.without}
        components = [
            one
            for one in (inherited.components if inherited else ())
            if one.component.name not in lacks
        ]
        parts = [one for one in (inherited.parts if inherited else ()) if one.name not in lacks]
        parts = list(_merged_parts(prefab.name, parts, written.parts))
        refs = _kept_refs(inherited.refs if inherited else (), lacks, parts)
        return replace(
            prefab,
            components=merged(components, written.components, adds=True),
            lives=written.lives or (inherited.lives if inherited else None),
            parts=tuple(parts),
            refs=(*refs, *written.refs),
        )


def _kept_refs(
    refs: tuple[PrefabRef, ...], lacks: set[str], parts: list[Part]
) -> Iterator[PrefabRef]:
    """Yields the refs that a variant inherits. It may use the name of a part that it left out for
    another part, which they do not mean.
    """
    counts = {part.name: part.count for part in parts}

    def is_there(path: tuple[Spot, ...]) -> bool:
        first = path[:1]
        return all(
            one.name not in lacks and (one.item or 0) < counts.get(one.name, 0) for one in first
        )

    for ref in refs:
        if is_there(ref.holder) and (ref.holder or ref.component not in lacks):
            yield ref if is_there(ref.target) else replace(ref, is_lost=True)


def merged(
    below: Sequence[PrefabComponent], above: Sequence[PrefabComponent], *, adds: bool = False
) -> tuple[PrefabComponent, ...]:
    """Overwrites values field by field. New components are appended if `adds` is set."""
    found = {one.component.name: one for one in below}
    for one in above:
        name = one.component.name
        if name in found:
            values, paths = found[name].values | one.values, found[name].paths | one.paths
            found[name] = PrefabComponent(found[name].component, values, paths)
        elif adds:
            found[name] = one
    return tuple(found.values())


def _merged_parts(
    prefab: str, inherited: list[Part], written: tuple[WrittenPart, ...]
) -> Iterator[Part]:
    parts = {part.name: part for part in inherited}
    for one in (one for one in written if len(one.path) == 1):
        name = one.path[0]
        if name in parts:
            parts[name] = _changed(parts[name], one)
        elif one.prefab and one.by:
            declared = Declared(name, one.place, one.doc, one.was)
            count = 1 if one.count is None else one.count
            parts[name] = Part(declared, one.prefab, one.by, count, prefab, (one.change,))
    for one in (one for one in written if len(one.path) > 1):
        name = one.path[0]
        if name in parts:
            parts[name] = replace(parts[name], changes=(*parts[name].changes, one.change))
    yield from parts.values()


def _changed(part: Part, one: WrittenPart) -> Part:
    declared = part.declared._replace(doc=one.doc or part.doc)
    return replace(
        part,
        declared=declared,
        prefab=one.prefab or part.prefab,
        by=one.by or part.by,
        count=part.count if one.count is None else one.count,
        changes=(*part.changes, one.change),
    )


# ---- hidden components


def _introduced(prefab: Prefab, by: str) -> list[Part]:
    return [part for part in prefab.parts if part.introduced_by == by]


def _hidden(prefab: Prefab, prefabs: dict[str, Prefab]) -> Component:
    """Makes the component with the handles of the parts that a prefab declares."""
    fields = []
    for part in _introduced(prefab, prefab.name):
        same = (other for one in prefabs.values() for other in _introduced(one, prefab.name))
        count = max(other.count for other in same if other.name == part.name)
        shape = Shape.ARRAY if count > 1 else Shape.ONE
        type = Type(Base.ENTITY, "entity", shape, min(max(count, 1), MAX_ENTITIES))
        about = part.doc or f"The part '{part.name}'."
        declared = Declared(part.name, part.place, about, part.was)
        fields.append(Field(declared, type, outside_none=True))
    was = parts_component(prefab.was) if prefab.was else ""
    about = f"The parts of an entity of prefab {prefab.name}. Spawning writes it."
    declared = Declared(parts_component(prefab.name), prefab.place, about, was)
    stored = Stored(storage="sparse")
    return Component(declared, tuple(fields), stored, of_prefab=prefab.name)


# ---- trees


@record
class Node:
    """An entity of a composite prefab."""

    prefab: Prefab
    path: tuple[Spot, ...]  # an index only if the part has a count above 1; () is the root
    above: int  # the node that it is attached to; 0 for the root
    by: str  # the relation; "" for the root
    components: tuple[PrefabComponent, ...]  # of the prefab, with the values that hold here

    @property
    def c_path(self) -> str:
        """Returns its member in the struct of the composite prefab; "" for the root."""
        return ".".join(spot.text for spot in self.path)

    @property
    def text(self) -> str:
        return path_text(self.path)


@record
class NodeRef:
    """A field of a node that contains the handle of another node."""

    holder: int
    component: str
    field: str  # the member of the component in C: "owner", "seats[1]"
    target: int
    ref: PrefabRef


@record
class KeptField:
    name: str
    count: int  # 1 for a single handle, otherwise the length of the array
    nodes: list[int | None]  # `count` nodes; None if there is no such part


@record
class Keeper:
    """A hidden component of a node, with the handles of its parts."""

    node: int
    component: str
    fields: list[KeptField]


@record
class Tree:
    """All entities of a prefab: the root first, and each part before its parts."""

    nodes: list[Node]
    children: list[dict[str, list[int]]]  # of each node: its parts, by name
    refs: list[NodeRef]
    keepers: list[Keeper]

    def below(self, start: int, path: tuple[Spot, ...]) -> list[int]:
        """Returns the nodes at a path from a node. Without an index, it is all with the name."""
        found = [start]
        for spot in path:
            below = (one for above in found for one in self.children[above].get(spot.name, ()))
            found = [
                one for one in below if spot.item in (None, self.nodes[one].path[-1].item or 0)
            ]
        return found


def prefab_graph(model: Model) -> Graph:
    """Returns the prefabs that each prefab needs: the one in `is`, and those of its parts."""
    graph: Graph = {}
    for prefab in model.data.prefabs.values():
        parts = [part.prefab.name for part in prefab.written.parts if part.prefab]
        parts += [part.prefab.name for part in prefab.parts]
        graph[prefab.name] = [*([prefab.base.name] if prefab.base else []), *parts]
    return graph


class Extent(NamedTuple):
    entities: int  # at most MAX_ENTITIES + 1
    depth: int  # of parts in parts; 0 without parts


_Dropped = frozenset[tuple[tuple[str, ...], str]]  # parts that are left out, and where


def extents(model: Model, names: Iterable[str]) -> dict[str, Extent]:
    """Measures prefabs. There must be no circle."""
    graph = prefab_graph(model)
    found: dict[tuple[str, _Dropped], Extent] = {}
    targets = targets_first({name: graph[name] for name in names})
    return {name: _extent(model, found, name, frozenset()) for name in targets}


def _extent(
    model: Model, found: dict[tuple[str, _Dropped], Extent], name: str, dropped: _Dropped
) -> Extent:
    """Measures a prefab whose parts an outer prefab leaves out. The prefabs of its parts have
    been measured before, so that the recursion is only as deep as the longest path in `dropped`.
    """
    if (name, dropped) in found:
        return found[name, dropped]
    entities, depth = 1, 0
    for part in model.data.prefabs[name].parts:
        if ((), part.name) in dropped or part.prefab.name not in model.data.prefabs:
            continue
        inner = {(path[1:], one) for path, one in dropped if path[:1] == (part.name,)}
        one = _extent(model, found, part.prefab.name, _dropped_by(part.changes) | inner)
        entities += max(part.count, 0) * one.entities
        depth = max(depth, 1 + one.depth)
    found[name, dropped] = Extent(min(entities, MAX_ENTITIES + 1), depth)
    return found[name, dropped]


def _dropped_by(changes: Sequence[PartChange]) -> _Dropped:
    """Lists the parts that changes leave out. Parts below MAX_PART_DEPTH are refused anyway."""
    few = (change for change in changes if len(change.path) <= MAX_PART_DEPTH)
    return frozenset((change.path, ref.name) for change in few for ref in change.without)


def tree_of(model: Model, prefab: Prefab) -> Tree:
    """Lists the entities of a prefab. It must have no circle, and at most MAX_ENTITIES."""
    tree = Tree([], [], [], [])
    _grow(tree, model, Node(prefab, (), 0, "", prefab.components), ())
    tree.refs.extend(_refs(tree))
    for index, node in enumerate(tree.nodes):
        tree.keepers.extend(_keepers(tree, model, index, node))
    return tree


def _grow(tree: Tree, model: Model, node: Node, changes: tuple[PartChange, ...]) -> None:
    """Appends a node and its parts. Each change overrides those before it."""
    own = [change for change in changes if not change.path]
    components = node.components
    for change in own:
        components = merged(components, change.components)
    index = len(tree.nodes)
    tree.nodes.append(replace(node, components=components))
    tree.children.append({})
    if index:
        tree.children[node.above].setdefault(node.path[-1].name, []).append(index)
    dropped = {ref.name for change in own for ref in change.without}
    for part in node.prefab.parts:
        prefab = model.data.prefabs.get(part.prefab.name)
        if part.name in dropped or prefab is None:
            continue
        inner = (*part.changes, *_inside(part.name, changes))
        for item in range(part.count):
            spot = Spot(part.name, item if part.count > 1 else None)
            path = (*node.path, spot)
            _grow(tree, model, Node(prefab, path, index, part.by.name, prefab.components), inner)


def _inside(part: str, changes: tuple[PartChange, ...]) -> Iterator[PartChange]:
    """Yields the changes in a part, with paths from there."""
    for change in changes:
        if change.path[:1] == (part,):
            yield replace(change, path=change.path[1:])


def _refs(tree: Tree) -> list[NodeRef]:
    """Finds the fields that refer to parts. For each field, the outermost prefab decides."""
    found: dict[tuple[int, str, str], NodeRef] = {}
    for start in reversed(range(len(tree.nodes))):
        for ref in tree.nodes[start].prefab.refs:
            targets = [] if ref.is_lost else tree.below(start, ref.target)
            for holder in tree.below(start, ref.holder):
                names = {one.component.name for one in tree.nodes[holder].components}
                field = path_text(ref.field)
                found.pop((holder, ref.component, field), None)
                for target in targets[:1] if ref.component in names else ():
                    made = NodeRef(holder, ref.component, field, target, ref)
                    found[holder, ref.component, field] = made
    return sorted(found.values(), key=lambda ref: ref.holder)


def _keepers(tree: Tree, model: Model, index: int, node: Node) -> Iterator[Keeper]:
    for prefab in _kept_by(model, node.prefab):
        hidden = model.data.components[parts_component(prefab)]
        fields = []
        for field in hidden.fields:
            nodes: list[int | None] = [*tree.below(index, (Spot(field.name),))]
            nodes = nodes if _is_kept(node.prefab, field.name, prefab) else []
            count = field.type.count
            fields.append(KeptField(field.name, count, [*nodes, *[None] * (count - len(nodes))]))
        yield Keeper(index, hidden.name, fields)


def _is_kept(prefab: Prefab, part: str, by: str) -> bool:
    return any(one.name == part and one.introduced_by == by for one in prefab.parts)


def _kept_by(model: Model, prefab: Prefab) -> list[str]:
    """Returns the prefabs whose hidden components its entities have, the innermost base first."""
    chain = [prefab]
    while chain[-1].base and chain[-1].base.name in model.data.prefabs:
        chain.append(model.data.prefabs[chain[-1].base.name])
    return [one.name for one in reversed(chain) if _introduced(one, one.name)]
