"""The values of a component as columns: one for each single field, in parts of some rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from saves.schema import EXTERN, ONE, SPARSE, STRUCT, Field, Schema, Thing
from saves.values import Span, member_values
from saves.world import Save

PART_ROWS = 1 << 14  # this many rows at a time become Python values


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field of a component, or of a struct inside it, with its path: `at.x`.

    Columns of an export only have points in their names: `amount.bread`.
    """

    path: str
    shown: str  # as paths show array elements: `amount[bread]`
    field: Field
    column: int  # the span of a part that contains it
    offset: int  # its offset in a row of that span


@dataclass(frozen=True)
class Given:
    """A column whose values are already in memory."""

    values: Sequence[Any]


@dataclass(frozen=True)
class Stored:
    """A column as bytes of the save. Formats that can copy bytes use this instead of values."""

    schema: Schema
    field: Field
    span: Span  # starts where the field starts

    @property
    def values(self) -> Sequence[Any]:
        return member_values(self.schema, self.field, self.span)


Column = Given | Stored


@dataclass(frozen=True)
class Part:
    """Some of the entities that have a component. It has no spans if the component is not saved."""

    handles: Sequence[int]
    spans: list[Span]

    def stored(self, schema: Schema, leaves: Sequence[Leaf]) -> list[Stored]:
        return [
            Stored(schema, leaf.field, self.spans[leaf.column].at(leaf.offset)) for leaf in leaves
        ]

    def columns(self, schema: Schema, leaves: Sequence[Leaf]) -> list[Sequence[Any]]:
        return [column.values for column in self.stored(schema, leaves)]


def leaves(schema: Schema, thing: Thing) -> list[Leaf]:
    """Returns the columns of a component. Arrays and lists are one column, except arrays by an
    enum.
    """
    if thing.soa and thing.save:
        return [
            leaf
            for column, one in enumerate(thing.fields)
            for leaf in _leaves(schema, one, (one.name, one.name), column, 0)
        ]
    return [
        leaf
        for one in thing.saved()
        for leaf in _leaves(schema, one, (one.name, one.name), 0, one.place.offset)
    ]


def _leaves(
    schema: Schema, one: Field, paths: tuple[str, str], column: int, offset: int
) -> Iterator[Leaf]:
    if not one.save:
        return
    path, shown = paths
    inner, form = schema.elements(one), "[{}]"
    if one.type.shape == ONE and one.type.base in (STRUCT, EXTERN):
        inner, form = schema.inner(one).fields, ".{}"
    if not inner:
        yield Leaf(path, shown, one, column, offset)
    for part in inner:
        further = (f"{path}.{part.name}", shown + form.format(part.name))
        yield from _leaves(schema, part, further, column, offset + part.place.offset)


def parts(save: Save, number: int) -> Iterator[Part]:
    """Yields all entities that have a component, by table and row, or by slot."""
    if save.schema.components[number].storage == SPARSE:
        store = save.stores.get(number)
        if store is not None:
            handles = [save.living[index] for index in store.owners]
            yield from _split(handles, [store.span] if store.span else [])
        return
    for table in save.tables_of(number):
        yield from _split(table.handles, table.spans[number])


def _split(handles: Sequence[int], spans: list[Span]) -> Iterator[Part]:
    for start in range(0, len(handles), PART_ROWS):
        end = start + PART_ROWS
        yield Part(handles[start:end], [span.part(start, end) for span in spans])
