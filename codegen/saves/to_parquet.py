"""Writes a save as a folder of Parquet files, one for each sheet with columns, by pyarrow."""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Callable, Sequence
from typing import Any

from saves.columns import Column, Stored
from saves.damage import ExportError
from saves.plain import valid
from saves.schema import (
    ARRAY,
    BOOL,
    CHAR,
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
    is_whole,
)
from saves.sheets import Sheet, sheets
from saves.values import LITTLE
from saves.world import Save

_NEEDED = "Parquet needs pyarrow: run pip install 'weft[parquet]', or write json, csv or sqlite"
# The names of types in pyarrow, by the codes of NUMBERS.
_NAMES = {
    "?": "bool_", "f": "float32", "d": "float64",
    "B": "uint8", "H": "uint16", "I": "uint32", "Q": "uint64",
    "b": "int8", "h": "int16", "i": "int32", "q": "int64",
}  # fmt: skip


def to_parquet(save: Save, path: str, written: Callable[[int], None]) -> None:
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError as error:
        raise ExportError(_NEEDED) from error
    os.mkdir(path)
    for sheet in sheets(save):
        try:
            _write(arrow, parquet, save.schema, sheet, path, written)
        except arrow.ArrowException as error:
            raise ExportError(f"pyarrow cannot write '{sheet.name}': {error}") from error


def _write(
    arrow: Any,
    parquet: Any,
    saved: Schema,
    sheet: Sheet,
    path: str,
    written: Callable[[int], None],
) -> None:
    types = [(name, _type(arrow, saved, one)) for name, one in sheet.columns]
    if not types:
        return
    schema = arrow.schema(types)
    with parquet.ParquetWriter(os.path.join(path, f"{sheet.name}.parquet"), schema) as writer:
        for part in sheet.parts():
            writer.write_batch(_batch(arrow, saved, schema, sheet, part))
            written(len(part[0].values))


def _batch(arrow: Any, saved: Schema, schema: Any, sheet: Sheet, part: list[Column]) -> Any:
    pairs = zip(sheet.columns, part, strict=True)
    columns = [
        _array(arrow, saved, one, column, kind)
        for ((_, one), column), kind in zip(pairs, schema.types, strict=True)
    ]
    return arrow.record_batch(columns, schema=schema)


def _array(arrow: Any, saved: Schema, one: Field, column: Column, kind: Any) -> Any:
    """Returns a column. It shares the bytes of the save if Parquet stores the same bytes."""
    type = one.type.base
    is_number = type in NUMBERS and type != BOOL
    if isinstance(column, Stored) and one.type.shape == ONE and is_number and LITTLE:
        data = column.span.gathered(one.place.size)
        if is_whole(type) or math.isfinite(sum(data.cast("f" if type == F32 else "d"))):
            rows = column.span.rows
            return arrow.Array.from_buffers(kind, rows, [None, arrow.py_buffer(data)])
    return arrow.array(_values(saved, one, column.values), type=kind)


def _type(arrow: Any, schema: Schema, one: Field) -> Any:
    """Returns the Parquet type of a field."""
    element = _element_type(arrow, schema, one)
    if names := schema.places(one):
        return arrow.struct([(name, element) for name in names])
    return arrow.list_(element) if one.type.shape in (ARRAY, LIST) else element


def _element_type(arrow: Any, schema: Schema, one: Field) -> Any:
    if one.type.base in (STRUCT, EXTERN):
        inner = [part for part in schema.inner(one).fields if part.save]
        return arrow.struct([(part.name, _type(arrow, schema, part)) for part in inner])
    if one.type.base in (ENTITY, CHAR, ENUM):
        return arrow.string()
    return getattr(arrow, _NAMES[NUMBERS[one.type.base]])()


def _values(schema: Schema, one: Field, column: Sequence[Any]) -> Sequence[Any]:
    """Returns a column in which all floats are numbers, and strings are UTF-8."""
    if one.type.shape == STRING:
        return [valid(text) if text else text for text in column]
    convert = _conversion(schema, one)
    if convert is None:
        return column
    if one.type.shape == ONE:
        return list(map(convert, column))
    if one.type.by is not None:
        return [{name: convert(value) for name, value in row.items()} for row in column]
    return [list(map(convert, values)) for values in column]


def _conversion(schema: Schema, one: Field) -> Callable[[Any], Any] | None:
    """Returns the conversion of an element, or None if it needs none."""
    if one.type.base in (F32, F64):
        return float
    if one.type.base not in (STRUCT, EXTERN):
        return None
    inner = [part for part in schema.inner(one).fields if part.save]
    return lambda value: {part.name: _values(schema, part, [value[part.name]])[0] for part in inner}
