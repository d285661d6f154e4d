"""Decodes many values of a save at once, in the form of JSON.

A number that JSON cannot write is a string ("nan", "inf"). A handle is "index:generation" or None.
An enum is the name of its value. Python's built-in functions run the loops over rows.
"""

from __future__ import annotations

import math
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from saves.damage import DamagedError
from saves.schema import (
    BOOL,
    ENTITY,
    ENUM,
    EXTERN,
    F32,
    F64,
    LIST,
    NUMBERS,
    ONE,
    STRING,
    STRUCT,
    Field,
    Schema,
)
from saves.sections import UNSIGNED
from saves.singles import shortest

LITTLE = sys.byteorder == "little"
_COUNT = "I"  # the number of items, at the start of a list


@dataclass(frozen=True)
class Span:
    """Rows of bytes with equal lengths, and an offset in each row."""

    data: memoryview
    stride: int
    rows: int
    where: str  # the place in words, for error messages
    offset: int = 0

    def at(self, offset: int) -> Span:
        return Span(self.data, self.stride, self.rows, self.where, self.offset + offset)

    def part(self, start: int, end: int) -> Span:
        """Returns some of the rows."""
        data = self.data[start * self.stride : end * self.stride]
        return Span(data, self.stride, min(end, self.rows) - start, self.where, self.offset)

    def numbers(self, code: str) -> list[Any]:
        """Returns a number from each row, by its format code."""
        size = struct.calcsize(f"<{code}")
        if LITTLE and self.offset % size == 0 and self.stride % size == 0:
            whole = self._cast(code) if self.rows else ()
            return list(whole[self.offset // size :: self.stride // size])
        rest = self.stride - self.offset - size
        rows = struct.iter_unpack(f"<{self.offset}x{code}{rest}x", self.data)
        return list(chain.from_iterable(rows))

    def _cast(self, code: Any) -> memoryview[Any]:
        return self.data.cast(code)

    def slices(self, size: int) -> Iterable[bytes]:
        """Returns `size` bytes from each row."""
        rest = self.stride - self.offset - size
        if not self.rows:
            return ()
        return chain.from_iterable(struct.iter_unpack(f"<{self.offset}x{size}s{rest}x", self.data))

    def gathered(self, size: int) -> memoryview:
        """Returns `size` bytes from each row, concatenated."""
        if size == self.stride and not self.offset:
            return self.data
        if size in UNSIGNED and self.offset % size == 0 and self.stride % size == 0:
            whole = self._cast(UNSIGNED[size])
            return memoryview(whole[self.offset // size :: self.stride // size].tobytes())
        return memoryview(b"".join(self.slices(size)))


class ByEnum(dict[str, Any]):
    """The elements of an array by an enum, by value name. Structs are plain dicts."""


def struct_values(schema: Schema, fields: Sequence[Field], span: Span) -> list[dict[str, Any]]:
    """Returns the struct in each row, with its saved fields only."""
    saved = [one for one in fields if one.save]
    if not saved:
        return [{} for _ in range(span.rows)]
    names = [one.name for one in saved]
    columns = [member_values(schema, one, span.at(one.place.offset)) for one in saved]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def member_values(schema: Schema, one: Field, span: Span) -> list[Any]:
    """Returns a field of each row. The span starts at the field."""
    if one.type.shape == STRING:
        return _texts(one, span)
    if one.type.shape == LIST:
        return _lists(schema, one, span)
    if one.type.shape == ONE:
        return _elements(schema, one, span)
    size, rows = one.place.element_size, span.rows * one.type.count
    flat = _elements(schema, one, Span(span.gathered(one.place.size), size, rows, span.where))
    rows_of_elements = zip(*[iter(flat)] * one.type.count, strict=True)
    if names := schema.places(one):
        return [ByEnum(zip(names, row, strict=True)) for row in rows_of_elements]
    return list(map(list, rows_of_elements))


def _lists(schema: Schema, one: Field, span: Span) -> list[list[Any]]:
    counts = span.numbers(_COUNT)
    if max(counts, default=0) > one.type.count:
        _fail(one, span, f"has {max(counts):,} items in a list of at most {one.type.count:,}")
    size = one.place.element_size
    begin = one.place.items_offset
    slices = zip(span.slices(one.place.size), counts, strict=True)
    data = b"".join(row[begin : begin + count * size] for row, count in slices)
    flat = iter(_elements(schema, one, Span(memoryview(data), size, sum(counts), span.where)))
    return [list(islice(flat, count)) for count in counts]


def _texts(one: Field, span: Span) -> list[str]:
    raw = list(span.slices(one.place.size))
    known: dict[bytes, str] = {}
    for data in set(raw):
        text, end, _ = data.partition(b"\0")
        if not end:
            _fail(one, span, "has a string without a NUL at its end")
        known[data] = text.decode("utf-8", "surrogateescape")
    return list(map(known.__getitem__, raw))


def _elements(schema: Schema, one: Field, span: Span) -> list[Any]:
    if one.type.base in (STRUCT, EXTERN):
        return list(struct_values(schema, schema.inner(one).fields, span))
    if one.type.base == ENTITY:
        return handle_texts(schema, span.numbers(UNSIGNED[schema.handle_bytes]))
    if one.type.base == F32:
        return _finite(shortest(span.numbers("I")))
    if one.type.base == BOOL:
        raw = span.numbers("B")
        if max(raw, default=0) > 1:
            _fail(one, span, f"has {max(raw)} instead of false or true")
        return list(map(bool, raw))
    raw = span.numbers(NUMBERS[schema.number_type(one)])
    if one.type.base == F64:
        return _finite(raw)
    return _named(schema, one, span, raw) if one.type.base == ENUM else raw


def _named(schema: Schema, one: Field, span: Span, raw: list[int]) -> list[str]:
    values = schema.enums[one.type.of].values
    if raw and not 0 <= min(raw) <= max(raw) < len(values):
        wrong = max(raw) if max(raw) >= len(values) else min(raw)
        _fail(
            one,
            span,
            f"has {wrong:,}, which is not a value of enum '{schema.enums[one.type.of].name}'",
        )
    return list(map(values.__getitem__, raw))


def handle_texts(schema: Schema, handles: Iterable[int]) -> list[str | None]:
    """Returns handles as text. Bits that no handle can have become None, as in Weft's own JSON."""
    bits, mask = schema.index_bits, (1 << schema.index_bits) - 1
    end = 1 << bits + schema.generation_bits
    return [f"{one & mask}:{one >> bits}" if mask < one < end else None for one in handles]


def _finite(numbers: list[float]) -> list[Any]:
    """Returns numbers, with strings in place of those that JSON cannot write."""
    if math.isfinite(sum(numbers)):  # unless one is not finite, or all of them are huge
        return numbers
    return [value if math.isfinite(value) else _no_number(value) for value in numbers]


def _no_number(value: float) -> str:
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def _fail(one: Field, span: Span, words: str) -> None:
    raise DamagedError(f"{span.where}: field '{one.name}' {words}")
