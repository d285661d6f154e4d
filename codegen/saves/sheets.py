"""A save as tables of rows and columns, for databases and spreadsheets.

Each component, relation, kind of links, singleton and event has a sheet with its name. Names that
start with `_` cannot occur in a schema. They are the sheets and columns that every save has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

from saves.columns import PART_ROWS, Column, Given, Part, leaves, parts
from saves.schema import CHAR, ENTITY, ONE, STRING, TAG, U64, Field, Place, Thing, Type
from saves.values import handle_texts
from saves.world import Save

Columns = list[Column]
_U32 = 3


@dataclass(frozen=True)
class Sheet:
    """Columns with the fields that give their types, and rows in parts."""

    name: str
    columns: list[tuple[str, Field]]
    rows: int
    parts: Callable[[], Iterator[Columns]]
    by_index: bool = False  # each row has `_index`, and no two rows have the same


def _own(name: str, type: int, shape: int = ONE) -> tuple[str, Field]:
    """Returns a column that every save has."""
    return name, Field(name, Type(type, shape=shape), Place(0, 8, 8))


_INDEX = [_own("_index", _U32), _own("_generation", _U32)]
_TEXT = (CHAR, STRING)


def sheets(save: Save) -> Iterator[Sheet]:
    """Yields all sheets of a save, including those without rows. They are made one at a time,
    because the columns of a component may need as much memory as its values.
    """
    schema = save.schema
    yield _save_sheet(save)
    yield _entity_sheet(save)
    yield _tag_sheet(save)
    for number, one in enumerate(schema.components):
        if one.storage != TAG:
            yield _component_sheet(save, number)
    for one in schema.relations:
        yield _relation_sheet(save, one.name)
    for one in schema.links:
        yield _link_sheet(save, one)
    for one in schema.singletons:
        if one.name in save.singletons:
            yield _value_sheet(save, one, [save.singletons[one.name]])
    for one in schema.events:
        yield _value_sheet(save, one, save.events.get(one.name, {}).get("values", []))


def _save_sheet(save: Save) -> Sheet:
    columns = [_own("world", *_TEXT), _own("weft", *_TEXT), _own("ticks", U64)]
    row = [Given([save.schema.world]), Given([save.weft]), Given([save.ticks])]
    return Sheet("_save", columns, 1, lambda: iter([[*row]]))


def _split_handles(save: Save, handles: Sequence[int]) -> Columns:
    return [Given(save.schema.indices(handles)), Given(save.schema.generations(handles))]


def _entity_sheet(save: Save) -> Sheet:
    def all_parts() -> Iterator[Columns]:
        for table in save.tables:
            for start in range(0, len(table.handles), PART_ROWS):
                handles = table.handles[start : start + PART_ROWS]
                yield [*_split_handles(save, handles), Given(handle_texts(save.schema, handles))]

    columns = [*_INDEX, _own("_handle", ENTITY)]
    rows = sum(len(table.handles) for table in save.tables)
    return Sheet("_entities", columns, rows, all_parts, by_index=True)


def _tag_sheet(save: Save) -> Sheet:
    components = save.schema.components
    tags = [number for number, one in enumerate(components) if one.storage == TAG]

    def all_parts() -> Iterator[Columns]:
        for number in tags:
            for table in save.tables_of(number):
                handles = list(compress(table.handles, table.masks[number]))
                for start in range(0, len(handles), PART_ROWS):
                    some = handles[start : start + PART_ROWS]
                    names = Given([components[number].name] * len(some))
                    yield [*_split_handles(save, some), names]

    columns = [*_INDEX, _own("tag", *_TEXT)]
    return Sheet("_tags", columns, sum(map(save.count, tags)), all_parts)


def _component_sheet(save: Save, number: int) -> Sheet:
    one = save.schema.components[number]
    found = leaves(save.schema, one)

    def all_parts() -> Iterator[Columns]:
        for part in parts(save, number):
            yield [*_split_handles(save, part.handles), *part.stored(save.schema, found)]

    columns = [*_INDEX, *((leaf.path, leaf.field) for leaf in found)]
    return Sheet(one.name, columns, save.count(number), all_parts, by_index=True)


def _relation_sheet(save: Save, name: str) -> Sheet:
    links = save.relations.get(name, ())

    def all_parts() -> Iterator[Columns]:
        for start in range(0, len(links), 2 * PART_ROWS):
            some = [save.living[index] for index in links[start : start + 2 * PART_ROWS]]
            parents = Given(handle_texts(save.schema, some[1::2]))
            yield [*_split_handles(save, some[::2]), parents]

    columns = [*_INDEX, _own("parent", ENTITY)]
    return Sheet(name, columns, len(links) // 2, all_parts)


def _link_sheet(save: Save, one: Thing) -> Sheet:
    links = save.links.get(one.name)
    found = leaves(save.schema, one)

    def all_parts() -> Iterator[Columns]:
        for start in range(0, rows, PART_ROWS):
            end = min(start + PART_ROWS, rows)
            assert links is not None
            froms = [save.linkable[index] for index in links.froms[start:end]]
            tos = [save.linkable[index] for index in links.tos[start:end]]
            spans = [links.span.part(start, end)] if links.span else []
            values = Part(froms, spans).stored(save.schema, found)
            yield [*_split_handles(save, froms), Given(handle_texts(save.schema, tos)), *values]

    rows = len(links.froms) if links else 0
    columns = [*_INDEX, _own("_to", ENTITY), *((leaf.path, leaf.field) for leaf in found)]
    return Sheet(one.name, columns, rows, all_parts)


def _value_sheet(save: Save, thing: Thing, values: list[dict[str, Any]]) -> Sheet:
    """Returns the sheet of a singleton or event."""
    found = leaves(save.schema, thing)

    def all_parts() -> Iterator[Columns]:
        for start in range(0, rows, PART_ROWS):
            some = values[start : start + PART_ROWS]
            yield [Given([inner(value, leaf.path) for value in some]) for leaf in found]

    columns = [(leaf.path, leaf.field) for leaf in found]
    rows = len(values) if found else 0
    return Sheet(thing.name, columns, rows, all_parts)


def inner(value: Any, path: str) -> Any:
    """Returns the value at a path inside a struct."""
    for name in path.split("."):
        value = value[name]
    return value
