"""A save as one JSON-like value: what `codegen/saves` reads row by row, for comparisons.

Entities and singletons look as in Weft's own JSON, without the data that a save lacks: fields and
components that are not saved. The rest of the save is added to them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, compress
from typing import Any

from saves.schema import SPARSE, TAG, Field
from saves.values import struct_values
from saves.world import Save, Table


def read(data: bytes) -> dict[str, Any]:
    """All of a save. DamagedError says what is wrong with it."""
    save = Save(data)
    return {
        "format": 1,
        "weft": save.weft,
        "world": save.schema.world,
        "schema": save.schema.described(),
        "free": list(map(save.schema.handle, chain.from_iterable(save.free))),
        "retired": list(save.retired),
        "ticks": save.ticks,
        "clocks": save.clocks,
        "off": save.off,
        "seed": save.seed,
        "singletons": save.singletons,
        "events": save.events,
        "relations": {name: _pairs(links) for name, links in save.relations.items()},
        "removed": save.removed,
        "marks": save.change_bits,
        "entities": _entities(save),
    }


def _pairs(links: Any) -> list[list[int]]:
    return [list(links[i : i + 2]) for i in range(0, len(links), 2)]


def _entities(save: Save) -> list[dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for table in save.tables:
        for number in sorted([*table.spans, *table.masks]):
            for bits, value in _values(save, table, number):
                found.setdefault(bits, {})[save.schema.components[number].name] = value
    mask = (1 << save.schema.index_bits) - 1
    living = sorted(save.living.values(), key=lambda bits: bits & mask)
    return [{"id": save.schema.handle(bits), "components": found.get(bits, {})} for bits in living]


def _values(save: Save, table: Table, number: int) -> list[tuple[int, Any]]:
    """A component's values in a table, each with its handle."""
    one = save.schema.components[number]
    handles = list(compress(table.handles, table.masks.get(number, b"\1" * len(table.handles))))
    if one.storage == TAG:
        return [(bits, True) for bits in handles]
    if not one.save:
        return [(bits, {}) for bits in handles]
    if one.storage == SPARSE:
        store = save.stores.get(number)
        assert store is None or store.span is not None
        values = struct_values(save.schema, one.fields, store.span) if store and store.span else []
        by_index = dict(zip(store.owners if store else (), values, strict=True))
        mask = (1 << save.schema.index_bits) - 1
        return [(bits, by_index[bits & mask]) for bits in handles]
    if not one.soa:
        values = struct_values(save.schema, one.fields, table.spans[number][0])
        return list(zip(handles, values, strict=True))
    rows: list[dict[str, Any]] = [{} for _ in handles]
    for part, span in zip(one.fields, table.spans[number], strict=True):
        if part.save:
            column = struct_values(save.schema, [_alone(part)], span)
            for row, value in zip(rows, column, strict=True):
                row |= value
    return list(zip(handles, rows, strict=True))


def _alone(part: Field) -> Field:
    """A field as a column has it, at the start of its bytes."""
    return replace(part, place=replace(part.place, offset=0))
