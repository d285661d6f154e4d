"""Prints prefabs as text: all of them, or every value of one and the prefab that gives it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from model.data import Component, Part, Prefab, PrefabComponent
from model.graph import closure
from model.model import Model
from model.parts import Node, Tree, extents, tree_of
from model.record import record
from model.required import Required
from model.scalars import SCALARS, Kind
from model.types import Base, Field, Shape, Value
from parse import Parsed
from source.source import Place

_LETTERS = "ijklmnopqrstuvwxyz"  # stand for the indices of equal parts, by depth


# ---- all prefabs


def prefab_list(model: Model) -> str:
    """Lists all prefabs, each variant below the prefab in its `is`."""
    variants: dict[str, list[str]] = {}
    for prefab in model.data.prefabs.values():
        variants.setdefault(prefab.base.name if prefab.base else "", []).append(prefab.name)
    measured = extents(model, model.data.prefabs)
    lines = []
    waiting = [(0, name) for name in reversed(variants.get("", []))]
    while waiting:
        depth, name = waiting.pop()
        entities = measured[name].entities
        count = "1 entity" if entities == 1 else f"{entities:,} entities"
        lines.append((f"{'  ' * depth}{name}", count))
        waiting += [(depth + 1, one) for one in reversed(variants.get(name, []))]
    width = max((len(label) for label, _ in lines), default=0)
    return "".join(f"{label:{width}}    {count}\n" for label, count in lines)


# ---- one prefab


@record
class _Row:
    """A line. Only lines about a value have an origin."""

    depth: int
    text: str
    origin: str = ""
    place: str = ""

    @property
    def label(self) -> str:
        return "  " * self.depth + self.text


def prefab_values(parsed: Parsed, prefab: Prefab) -> str:
    """Shows every value of a prefab and its parts, with its origin."""
    page = _Page(parsed, tree_of(parsed.model, prefab))
    rows = page.rows(prefab)
    width = max((len(row.label) for row in rows if row.origin), default=0)
    origins = max((len(row.origin) for row in rows), default=0)
    lines = (
        f"{row.label:{width}}    {row.origin:{origins}}    {row.place}" if row.origin else row.label
        for row in rows
    )
    return "".join(line.rstrip() + "\n" for line in lines)


class _Page:
    def __init__(self, parsed: Parsed, tree: Tree) -> None:
        self._model, self._book, self._tree = parsed.model, parsed.book, tree
        self._owners = dict(_owners(parsed.model))
        self._required = Required(parsed.model)
        self._requires = {
            one.name: [ref.name for ref in one.rules.requires]
            for one in parsed.model.data.components.values()
        }
        self._below: dict[int, list[int]] = {}
        for index, node in enumerate(tree.nodes[1:], 1):
            self._below.setdefault(node.above, []).append(index)

    def rows(self, prefab: Prefab) -> list[_Row]:
        title = f"{prefab.name}, is {prefab.base.name}" if prefab.base else prefab.name
        return [_Row(0, title), *self._node(0, 1, {})]

    def _node(self, index: int, depth: int, letters: dict[str, str]) -> Iterator[_Row]:
        """Yields the values of a node and its parts. `letters` replaces the start of paths."""
        node = self._tree.nodes[index]
        if node.prefab.lives:
            lives, place = node.prefab.lives, node.prefab.lives.state.place
            text = f"lives {lives.state.name}.{lives.value.name}"
            yield _Row(depth, text, self._owners.get(place, ""), _shown(place))
        for item in node.components:
            yield from self._component(index, item, depth, letters)
        yield from self._brought(node, depth)
        for part in node.prefab.parts:
            yield from self._part(index, part, depth, letters)

    def _part(self, above: int, part: Part, depth: int, letters: dict[str, str]) -> Iterator[_Row]:
        """Yields the nodes of a part. Adjacent ones are shown once if they are equal."""
        nodes = self._tree.nodes
        below = [i for i in self._below.get(above, ()) if nodes[i].path[-1].name == part.name]
        if not below:
            yield _Row(depth, f"{part.name}: left out")
            return
        about = f"prefab {nodes[below[0]].prefab.name}, attached by {nodes[below[0]].by}"
        if len(below) == 1:
            yield _Row(depth, f"{part.name}: {about}")
            yield from self._node(below[0], depth + 1, letters)
            return
        letter = _LETTERS[len(letters) % len(_LETTERS)]
        shown: list[tuple[list[int], list[_Row]]] = []
        for index in below:
            general = f"{part.name}[{letter}]"
            path = _renamed(nodes[above].text if above else "", letters)
            general = f"{path}.{general}" if path else general
            rows = list(self._node(index, depth + 1, {**letters, nodes[index].text: general}))
            if shown and _equal(shown[-1][1], rows):
                shown[-1][0].append(index)
            else:
                shown.append(([index], rows))
        for group, rows in shown:
            first, last = nodes[group[0]].path[-1].item, nodes[group[-1]].path[-1].item
            name = f"{part.name}[{first}]: "
            if len(group) > 1:
                name = f"{part.name}[{letter}], {letter} = {first} to {last}: "
            yield _Row(depth, name + about)
            yield from rows if len(group) > 1 else self._node(group[0], depth + 1, letters)

    def _component(
        self, index: int, item: PrefabComponent, depth: int, letters: dict[str, str]
    ) -> Iterator[_Row]:
        component = self._model.data.components[item.component.name]
        if component.is_tag:
            place = item.component.place
            yield _Row(depth, component.name, self._owners.get(place, ""), _shown(place))
        refs = {
            ref.field: ref
            for ref in self._tree.refs
            if ref.holder == index and ref.component == component.name
        }
        for field in component.fields:
            if field.name not in refs:
                yield self._value(component, field, item, depth)
        for ref in refs.values():
            target = _renamed(self._tree.nodes[ref.target].text, letters)
            text = f"{component.name}.{ref.field} -> {target}"
            yield _Row(depth, text, self._owners[ref.ref.place], _shown(ref.ref.place))

    def _value(self, component: Component, field: Field, item: PrefabComponent, depth: int) -> _Row:
        name = f"{component.name}.{field.name}"
        if field.name not in item.values:
            text = f"{name} = {_text(field.default) or self._zero(field)}"
            return _Row(depth, text, f"component {component.name}", _shown(field.place))
        path = item.paths[field.name]
        text = f"{name} = {_text(item.values[field.name])}"
        return _Row(depth, text, str(path[1]), _shown(self._book.key(*path)))

    def _brought(self, node: Node, depth: int) -> Iterator[_Row]:
        """Yields the components that the prefab does not list, but others require."""
        listed = [item.component.name for item in node.components]
        values = {one.component.name: one for one in self._required.brought(listed)}
        for name in dict.fromkeys(
            other for one in listed for other in closure(self._requires, one)
        ):
            component = self._model.data.components[name]
            if name in listed:
                continue
            by = next(one for one in listed if name in closure(self._requires, one))
            place = self._model.data.components[by].place
            if component.is_tag:
                yield _Row(depth, name, f"component {by}", _shown(place))
            for field in component.fields:
                given = values[name].values if name in values else {}
                value = given.get(field.name, field.default)
                text = f"{name}.{field.name} = {_text(value) or self._zero(field)}"
                origin = (by, place) if field.name in given else (name, field.place)
                yield _Row(depth, text, f"component {origin[0]}", _shown(origin[1]))

    def _zero(self, field: Field) -> str:
        type = field.type
        if type.shape is Shape.STRING:
            return '""'
        if type.shape is Shape.LIST:
            return "[]"
        if type.shape is Shape.ARRAY or type.base in (Base.STRUCT, Base.EXTERN):
            return "zero"
        if type.base is Base.ENTITY:
            return "none"
        if type.base is Base.ENUM:
            return f'"{self._model.types.enums[type.name].values[0].name}"'
        kind = SCALARS[type.name].kind
        return "false" if kind is Kind.BOOL else "0.0" if kind is Kind.FLOAT else "0"


def _owners(model: Model) -> Iterator[tuple[Place, str]]:
    """Yields the place of each declaration in a prefab, with that prefab."""
    for prefab in model.data.prefabs.values():
        written = prefab.written
        yield from ((item.component.place, prefab.name) for item in written.components)
        yield from ((ref.place, prefab.name) for ref in written.refs)
        if written.lives:
            yield written.lives.state.place, prefab.name


def _renamed(path: str, letters: dict[str, str]) -> str:
    """Replaces the longest known start of a path, so that equal parts have equal paths."""
    for start in sorted(letters, key=len, reverse=True):
        if path == start or path.startswith(f"{start}."):
            return letters[start] + path[len(start) :]
    return path


def _equal(one: list[_Row], other: list[_Row]) -> bool:
    return [vars(row) for row in one] == [vars(row) for row in other]


def _shown(place: Place) -> str:
    return f"{place.path}:{place.line}"


def _text(value: Value | None) -> str:
    """Returns a value as a schema writes it; "" without one."""
    if value is None:
        return ""
    if isinstance(value, dict):
        inner = ", ".join(f"{name} = {_text(one)}" for name, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(_text(one) for one in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | str) else str(value)
