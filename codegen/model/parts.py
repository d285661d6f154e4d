"""Composite prefabs: prefabs with parts, and prefabs that are variants of others.

`with_parts` gives each prefab the components, parts and refs of the prefab in `is`. For the parts
that a prefab declares, it adds a hidden component `<prefab>_parts`, which stores their handles on
the root. `tree_of` lists all entities that one spawn of a prefab makes.

A schema with mistakes is flattened too, because rules are checked after that. Unknown names and
circles are then left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.data import (
    Component,
    Part,
    PartChange,
    Prefab,
    PrefabComponent,
    Spot,
    Stored,
    WrittenPart,
    path_text,
)
from model.declared import Declared
from model.model import Model
from model.record import record, replace
from model.types import Base, Field, Shape, Type

MAX_ENTITIES = 1_024  # that one spawn of a prefab makes


def parts_component(prefab: str) -> str:
    """Returns the component that stores the handles of the parts that a prefab declares."""
    return f"{prefab}_parts"


# ---- variants


def with_parts(model: Model) -> Model:
    """Flattens the prefabs, and appends the hidden components of those with parts."""
    prefabs = model.data.prefabs
    if not any(one.base or one.written.parts or one.written.refs for one in prefabs.values()):
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


class _Flat:
    """Flattens prefabs, each after the one in its `is`."""

    def __init__(self, prefabs: dict[str, Prefab]) -> None:
        self._prefabs = prefabs
        self._flat: dict[str, Prefab] = {}
        self._begun: set[str] = set()

    def prefab(self, name: str) -> Prefab:
        if name not in self._flat:
            self._begun.add(name)
            self._flat[name] = self._flattened(self._prefabs[name])
        return self._flat[name]

    def _flattened(self, prefab: Prefab) -> Prefab:
        base = prefab.base.name if prefab.base else ""
        inherited = None
        if base in self._flat or (base in self._prefabs and base not in self._begun):
            inherited = self.prefab(base)
        written = prefab.written
        lacks = {ref.name for ref in written.without}
        components = [
            one
            for one in (inherited.components if inherited else ())
            if one.component.name not in lacks
        ]
        parts = [one for one in (inherited.parts if inherited else ()) if one.name not in lacks]
        return replace(
            prefab,
            components=merged(components, written.components, adds=True),
            lives=written.lives or (inherited.lives if inherited else None),
            parts=tuple(_merged_parts(prefab.name, parts, written.parts)),
            refs=(*(inherited.refs if inherited else ()), *written.refs),
        )


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
        type = Type(Base.ENTITY, "entity", shape, max(count, 1))
        about = part.doc or f"The part '{part.name}'."
        fields.append(Field(Declared(part.name, part.place, about, part.was), type))
    was = parts_component(prefab.was) if prefab.was else ""
    about = f"The parts of an entity of prefab {prefab.name}. Spawning writes it."
    declared = Declared(parts_component(prefab.name), prefab.place, about, was)
    return Component(declared, fields=tuple(fields), stored=Stored(storage="sparse"))


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
    refs: list[NodeRef]
    keepers: list[Keeper]

    def below(self, start: int, path: tuple[Spot, ...]) -> list[int]:
        """Returns the nodes at a path from a node. Without an index, it is all with the name."""
        found = [start]
        for spot in path:
            found = [
                index
                for index, node in enumerate(self.nodes)
                if index and node.above in found and _is_at(node, spot)
            ]
        return found


def _is_at(node: Node, spot: Spot) -> bool:
    own = node.path[-1]
    return own.name == spot.name and spot.item in (None, own.item)


def entity_count(model: Model, prefab: Prefab) -> int:
    """Returns how many entities a spawn of it makes, without those that `without` drops.

    The prefabs must have no circle. The number is not exact above MAX_ENTITIES.
    """
    count = 1
    for part in prefab.parts:
        inner = model.data.prefabs.get(part.prefab.name)
        each = entity_count(model, inner) if inner else 1
        count += max(part.count, 0) * each
        if count > MAX_ENTITIES:
            break
    return count


def tree_of(model: Model, prefab: Prefab) -> Tree:
    """Lists the entities of a prefab. It must have no circle, and at most MAX_ENTITIES."""
    tree = Tree([], [], [])
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
            targets = tree.below(start, ref.target)
            for holder in tree.below(start, ref.holder):
                for target in targets[:1]:
                    field = path_text(ref.field)
                    made = NodeRef(holder, ref.component, field, target)
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
