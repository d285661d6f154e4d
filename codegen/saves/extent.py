"""Limits the work for the schema inside a save, because a few bytes can describe very much.

Nested arrays by an enum multiply: three levels of 1,000 names are 10^9 columns in 17,000 bytes. So
three things are limited before any value is read: the depth of structs, the number of values in
relation to the bytes of a value, and the memory for columns in relation to the bytes in the save.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from saves.damage import need
from saves.schema import Field, Schema, Thing

DEPTH_MAX = 64  # of structs in structs
OVERLAPS_MAX = 16  # values that share a byte, in unions

COLUMN_BYTES = 256  # memory of a column in a tool, without its name
BYTES_PER_BYTE = 320  # memory for the columns of a value, for each of its bytes in the save
ALWAYS_BYTES = 16 << 20  # memory that the columns of any save may use, however short it is


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of a declaration with all structs inside it."""

    depth: int
    values: int  # single values; a struct without fields counts as one, because it is visited too
    # saved columns: each element of an array by an enum is one; any other array is one
    columns: int
    name_bytes: int  # of the paths of all columns, such as `amount.bread`

    @property
    def memory(self) -> int:
        return self.name_bytes + COLUMN_BYTES * self.columns


class Extents:
    """The extents of the declarations of a schema, each computed once."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._known: dict[int, Extent] = {}
        declared = (schema.structs, schema.externs, schema.components, schema.singletons)
        for things in (*declared, schema.events, schema.links):
            for thing in things:
                self.of(thing)

    def of(self, thing: Thing, depth: int = DEPTH_MAX) -> Extent:
        """Returns an extent. Refuses circular structs, and more values than the bytes can store."""
        if id(thing) not in self._known:
            self._need_depth(thing, depth > 0)
            fields = [self._of_field(one, depth - 1) for one in thing.fields]
            saved = [extent for one, extent in zip(thing.fields, fields, strict=True) if one.save]
            extent = Extent(
                1 + max((one.depth for one in fields), default=0),
                max(1, sum(one.values for one in fields)),
                sum(one.columns for one in saved),
                sum(one.name_bytes for one in saved),
            )
            self._need_depth(thing, extent.depth <= DEPTH_MAX)
            words = f"section 'SCHM': '{thing.name}' has {extent.values:,} values"
            words = f"{words} in {thing.size:,} bytes"
            need(not fields or extent.values <= OVERLAPS_MAX * thing.size, words)
            self._known[id(thing)] = extent
        return self._known[id(thing)]

    def _need_depth(self, thing: Thing, good: bool) -> None:
        words = f"section 'SCHM': '{thing.name}' has structs in structs more than {DEPTH_MAX} deep"
        need(good, words)

    def _of_field(self, one: Field, depth: int) -> Extent:
        element = Extent(0, 1, 1, 0)
        if self._schema.has_inner(one):
            element = self.of(self._schema.inner(one), depth)
        columns, name_bytes = element.columns, element.name_bytes
        if names := self._schema.places(one):
            further = sum(len(name) + 1 for name in names)
            name_bytes = name_bytes * len(names) + further * columns
            columns *= len(names)
        name_bytes += columns * (len(one.name) + 1)
        values = 1 if self._schema.is_string(one) else one.type.count * element.values
        return Extent(element.depth, values, columns, name_bytes)

    def need_backed(self, things: Iterable[tuple[Thing, int]], save_bytes: int) -> None:
        """Refuses columns that the save is too short for. `things` contains the bytes of all
        saved values of each declaration.
        """
        most = max(ALWAYS_BYTES, save_bytes)
        for thing, value_bytes in things:
            extent = self.of(thing)
            most -= max(0, extent.memory - BYTES_PER_BYTE * value_bytes)
            words = f"section 'SCHM': '{thing.name}' has {extent.columns:,} columns,"
            words = f"{words} too many for a save of {save_bytes:,} bytes"
            need(most >= 0, words)
