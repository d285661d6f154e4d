"""Prints the differences of two saves: schema, entities, components, fields, and the rest.

Components are compared column by column. If equal entities have equal bytes in both saves, their
values are not decoded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from typing import Any

from saves.columns import Leaf, Part, leaves, parts
from saves.damage import DamagedError
from saves.plain import encode
from saves.progress import Progress
from saves.schema import TAG, Thing
from saves.show import value_text
from saves.values import ByEnum, struct_values
from saves.world import Save


@dataclass(frozen=True)
class Pair:
    """Two saves, and their names."""

    one: Save
    other: Save
    names: tuple[str, str]

    def only(self, in_other: bool) -> str:
        return f"only in {self.names[in_other]}"

    @cached_property
    def equal_widths(self) -> bool:
        """Returns whether equal handles have equal bits in both saves."""
        return self.one.schema.index_bits == self.other.schema.index_bits

    @cached_property
    def equal_layout(self) -> bool:
        """Returns whether equal bytes of a component are equal values."""
        return self.one.schema.described() == self.other.schema.described()

    def keys(self, save: Save, handles: Iterable[int]) -> list[Any]:
        """Returns handles in a form that can be compared: their bits, or their texts."""
        return list(handles) if self.equal_widths else list(map(save.schema.handle, handles))

    def texts(self, keys: Iterable[Any]) -> list[str]:
        """Returns such keys as text, by ascending index."""
        found = map(self.one.schema.handle, keys) if self.equal_widths else keys
        return sorted(found, key=lambda text: int(text.split(":")[0]))

    @cached_property
    def living(self) -> list[set[Any]]:
        """Returns the keys of all entities of each save."""
        return [set(self.keys(save, save.living.values())) for save in (self.one, self.other)]


def differ(pair: Pair, progress: Progress) -> Iterator[str]:
    """Yields a line for each difference."""
    one, other = pair.one, pair.other
    if one.data == other.data:
        return
    yield from _values(pair, "schema", _described(one), _described(other))
    yield from _values(pair, "weft", one.weft, other.weft)
    yield from _values(pair, "tick", one.ticks, other.ticks)
    yield from _values(pair, "part", one.part, other.part)
    yield from _away(pair)
    yield from _values(pair, "", one.singletons, other.singletons)
    yield from _entities(pair)
    names = dict.fromkeys(thing.name for save in (one, other) for thing in save.schema.components)
    for place, name in enumerate(names):
        progress.step("comparing", place, len(names))
        yield from _component(pair, name)
    for name in dict.fromkeys([*one.relations, *other.relations]):
        yield from _relation(pair, name)
    for name in dict.fromkeys([*one.links, *other.links]):
        yield from _links(pair, name)
    for what in ("events", "removed", "clocks", "off", "seed"):
        yield from _values(pair, what, getattr(one, what), getattr(other, what))
    yield from _order(pair)


def _described(save: Save) -> dict[str, Any]:
    return {"world": save.schema.world, **save.schema.described()}


# ---- values as in JSON


def _values(pair: Pair, path: str, one: Any, other: Any, of: str = "") -> Iterator[str]:
    """Yields the paths where two values differ. `of` names the entity that they belong to."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in dict.fromkeys([*one, *other]):
            inside = f"{path}.{name}" if path else name
            if isinstance(one, ByEnum):
                inside = f"{path}[{name}]"
            if name in one and name in other:
                yield from _values(pair, inside, one[name], other[name], of)
            else:
                yield f"{inside}{of} is {pair.only(name in other)}"
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield f"{path}{of}: {len(one):,} items -> {len(other):,}"
        for place, values in enumerate(zip(one, other, strict=False)):
            yield from _values(pair, f"{path}[{place}]", *values, of)
    elif one != other:
        yield f"{path}{of}: {_text(one)} -> {_text(other)}"


def _text(value: Any) -> str:
    return "none" if value is None else encode(value)


# ---- entities


def _entities(pair: Pair) -> Iterator[str]:
    for place in (0, 1):
        for text in pair.texts(pair.living[place] - pair.living[1 - place]):
            yield f"{text} is {pair.only(place == 1)}"


def _away(pair: Pair) -> Iterator[str]:
    keys = [set(pair.keys(save, save.away)) for save in (pair.one, pair.other)]
    for place in (0, 1):
        for text in pair.texts(keys[place] - keys[1 - place]):
            yield f"{text} is away {pair.only(place == 1)}"


def _numbered(save: Save, name: str) -> tuple[int, Thing] | None:
    found = enumerate(save.schema.components)
    return next(((number, one) for number, one in found if one.name == name), None)


def _component(pair: Pair, name: str) -> Iterator[str]:
    """Yields the differences of one component. One that only one schema has was reported before."""
    here, there = _numbered(pair.one, name), _numbered(pair.other, name)
    if here is None or there is None:
        return
    if TAG in (here[1].storage, there[1].storage):
        yield from _presence(pair, name, [_having(pair.one, *here), _having(pair.other, *there)])
        return
    sides = [
        _Side(save, called, list(parts(save, number)), leaves(save.schema, thing))
        for save, called, (number, thing) in (
            (pair.one, pair.names[0], here),
            (pair.other, pair.names[1], there),
        )
    ]
    handles = [[list(part.handles) for part in side.parts] for side in sides]
    if pair.equal_widths and handles[0] == handles[1]:
        yield from _aligned(pair, name, *sides)
        return
    yield from _presence(pair, name, [list(chain.from_iterable(side)) for side in handles])
    yield from _matched(pair, name, *sides)


@dataclass(frozen=True)
class _Side:
    """A component in one of the saves."""

    save: Save
    called: str
    parts: list[Part]
    leaves: list[Leaf]

    def columns(self, part: Part, found: Sequence[Leaf]) -> list[Sequence[Any]]:
        """Returns columns of a part. Errors name the save."""
        try:
            return part.columns(self.save.schema, found) if part.spans else []
        except DamagedError as error:
            raise DamagedError(f"{self.called}: {error}", error.help) from error


def _having(save: Save, number: int, one: Thing) -> list[int]:
    """Returns the entities that have a component or tag."""
    if one.storage != TAG:
        return list(chain.from_iterable(part.handles for part in parts(save, number)))
    found = (compress(table.handles, table.masks[number]) for table in save.tables_of(number))
    return list(chain.from_iterable(found))


def _presence(pair: Pair, name: str, having: list[list[int]]) -> Iterator[str]:
    """Yields the shared entities that have a component in only one of the saves."""
    saves = (pair.one, pair.other)
    keys = [set(pair.keys(save, some)) for save, some in zip(saves, having, strict=True)]
    for place in (0, 1):
        for text in pair.texts((keys[place] - keys[1 - place]) & pair.living[1 - place]):
            yield f"{text} has {name} {pair.only(place == 1)}"


def _shared(one: _Side, other: _Side) -> tuple[list[Leaf], list[Leaf]]:
    """Returns the fields that exist on both sides, by path."""
    by_path = {leaf.path: leaf for leaf in other.leaves}
    shared = [leaf for leaf in one.leaves if leaf.path in by_path]
    return shared, [by_path[leaf.path] for leaf in shared]


def _aligned(pair: Pair, name: str, one: _Side, other: _Side) -> Iterator[str]:
    """Compares columns row by row, if both saves have equal entities in equal order."""
    shared = _shared(one, other)
    for here, there in zip(one.parts, other.parts, strict=True):
        if pair.equal_layout and [s.data for s in here.spans] == [s.data for s in there.spans]:
            continue
        columns = [one.columns(here, shared[0]), other.columns(there, shared[1])]
        handles = [pair.one.schema.handle(bits) for bits in here.handles]
        for leaf, first, second in zip(shared[0], *columns, strict=False):
            for text, value, now in zip(handles, first, second, strict=True):
                if value != now:
                    yield from _change(pair, f"{name}.{leaf.shown}", leaf, (value, now), text)


def _change(
    pair: Pair, path: str, leaf: Leaf, values: tuple[Any, Any], handle: str
) -> Iterator[str]:
    if isinstance(values[0], list | dict) and isinstance(values[1], list | dict):
        yield from _values(pair, path, *values, f" of {handle}")
    else:
        yield f"{path} of {handle}: {' -> '.join(value_text(leaf, value) for value in values)}"


def _matched(pair: Pair, name: str, one: _Side, other: _Side) -> Iterator[str]:
    """Compares the values of shared entities that are in different rows."""
    shared = _shared(one, other)
    if not shared[0]:
        return
    before = dict(_rows(one, shared[0]))
    for text, row in _rows(other, shared[1]):
        was = before.get(text)
        if was is None or was == row:
            continue
        for leaf, value, now in zip(shared[0], was, row, strict=True):
            if value != now:
                yield from _change(pair, f"{name}.{leaf.shown}", leaf, (value, now), text)


def _rows(side: _Side, found: Sequence[Leaf]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for part in side.parts:
        rows = zip(*side.columns(part, found), strict=True)
        handles = (side.save.schema.handle(bits) for bits in part.handles)
        yield from zip(handles, rows, strict=False)


# ---- the rest


def _relation(pair: Pair, name: str) -> Iterator[str]:
    links = [save.relations.get(name, ()) for save in (pair.one, pair.other)]
    if list(links[0]) == list(links[1]) and pair.living[0] == pair.living[1]:
        return
    sides = [_parents(save, name) for save in (pair.one, pair.other)]
    for child in dict.fromkeys([*sides[0], *sides[1]]):
        was, now = (side.get(child, "none") for side in sides)
        if was != now:
            yield f"{name} of {child}: {was} -> {now}"
    if sides[0] == sides[1] and list(sides[0]) != list(sides[1]):
        yield f"{name}: the order of children differs"


def _parents(save: Save, name: str) -> dict[str, str]:
    """Returns the parent of each child, in the order of the save."""
    texts = [save.schema.handle(save.living[index]) for index in save.relations.get(name, ())]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _links(pair: Pair, name: str) -> Iterator[str]:
    """Yields a line for each link that only one save has, or whose value differs."""
    was, now = (_linked(save, name) for save in (pair.one, pair.other))
    for ends in sorted({*was, *now}):
        text = f"{name} from {ends[0]} to {ends[1]}"
        if ends not in was:
            yield f"{text}: added"
        elif ends not in now:
            yield f"{text}: removed"
        else:
            yield from _values(pair, text, was[ends], now[ends])


def _linked(save: Save, name: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Returns the value of each link, by the handles of its ends."""
    links = save.links.get(name)
    if links is None:
        return {}
    one = next(one for one in save.schema.links if one.name == name)
    values: list[dict[str, Any]] = [{} for _ in links.froms]
    if links.span:
        values = struct_values(save.schema, one.fields, links.span)
    ends = (
        [save.schema.handle(save.linkable[index]) for index in indices]
        for indices in (links.froms, links.tos)
    )
    return dict(zip(zip(*ends, strict=True), values, strict=True))


def _order(pair: Pair) -> Iterator[str]:
    """Yields differences that values do not show, but that affect the next ticks."""
    one, other = pair.one, pair.other
    if one.free != other.free:
        yield f"free indices: {one.free_count:,} -> {other.free_count:,}, or in another order"
    if list(one.retired) != list(other.retired):
        yield f"retired indices: {len(one.retired):,} -> {len(other.retired):,}"
    equal_entities = pair.living[0] == pair.living[1]
    rows = [[list(table.handles) for table in save.tables] for save in (one, other)]
    if equal_entities and rows[0] != rows[1]:
        yield "the order of rows differs, or their sets of components"
    if one.change_bits != other.change_bits:
        yield "the changes that readers have not seen yet differ"
    if one.unknown != other.unknown:
        kinds = sorted({kind.strip() for kind, _ in (*one.unknown, *other.unknown)})
        yield f"unknown sections differ: {', '.join(kinds)}"
