"""Values out of the bytes of a save, as JSON has them."""

from __future__ import annotations

import struct
from typing import Any

from save_bytes import need
from save_schema import (
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


def struct_value(schema: Schema, fields: list[Field], data: bytes) -> dict[str, Any]:
    return {
        one.name: member_value(schema, one, data[one.offset : one.offset + one.size])
        for one in fields
        if one.save
    }


def member_value(schema: Schema, one: Field, data: bytes) -> Any:
    if one.shape == STRING:
        need(0 in data, f"field '{one.name}' is a string without an end")
        return data[: data.find(0)].decode("utf-8", "surrogateescape")
    count = one.count
    if one.shape == LIST:
        count = int.from_bytes(data[:4], "little")
        need(count <= one.count, f"field '{one.name}' has more items than room")
    starts = (one.items_offset + i * one.element_size for i in range(count))
    values = [_element(schema, one, data[at : at + one.element_size]) for at in starts]
    return values[0] if one.shape == ONE else values


def _element(schema: Schema, one: Field, data: bytes) -> Any:
    if one.type in (STRUCT, EXTERN):
        inner = schema.pick(
            schema.structs if one.type == STRUCT else schema.externs, one.of, "struct"
        )
        return struct_value(schema, inner.fields, data)
    bits = int.from_bytes(data, "little")
    if one.type == ENTITY:
        return schema.handle(bits) if bits else None
    if one.type == ENUM:
        values = schema.enums[one.of].values
        need(bits < len(values), f"field '{one.name}' has no value of its enum")
        return values[bits]
    if one.type == BOOL:
        need(bits <= 1, f"field '{one.name}' is neither true nor false")
        return bits == 1
    number = struct.unpack("<" + NUMBERS[one.type], data)[0]
    return _float(number, one.type == F32) if one.type in (F32, F64) else number


def _float(number: float, single: bool) -> float | str:
    """JSON has finite ones only."""
    if number != number:
        return "nan"
    if number in (float("inf"), float("-inf")):
        return "inf" if number > 0 else "-inf"
    return shortest(number) if single else number


def shortest(number: float) -> float:
    """Returns the number with the fewest digits of all that round to a number of four bytes."""
    found = (float(f"{number:.{digits}g}") for digits in range(6, 10))
    return next(short for short in found if _rounded(short) == number)


def _rounded(number: float) -> float:
    """To four bytes; as it is if it is too large for those."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return number
