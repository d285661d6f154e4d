"""Writes saves word by word, as a stranger could by runtime/save/SAVES.md."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence

from saves.schema import CHAR, STRUCT, TYPES
from saves.sections import checksum

ONE, ARRAY, LIST, STRING, BY_ENUM = range(5)
U8 = TYPES.index("u8")
TABLE, SPARSE, TAG = range(3)
WORLD = "evolve"  # as the programs of probes.py have it
INDEX_BITS = 20


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}Q", *values)


def text(name: str) -> bytes:
    return words(len(name)) + padded(name.encode() + b"\0")


def counted(items: Sequence[bytes]) -> bytes:
    return words(len(items)) + b"".join(items)


def section(kind: bytes, body: bytes) -> bytes:
    data = struct.pack("<4sIQ", kind, 0, len(body)) + padded(body)
    return data + words(checksum(data))


def field(
    name: str,
    *,
    type: int = U8,
    of: int = 0,
    offset: int = 0,
    element: int = 1,
    count: int = 1,
    shape: int = ONE,
    by: int | None = None,
) -> bytes:
    """A field in the schema of a save; one with `by` is an array indexed by that enum."""
    items = 8 if shape == LIST else 0
    numbers = [type, BY_ENUM if by is not None else shape] + ([by] if by is not None else [])
    return text(name) + words(
        *numbers, of, 1, offset, items + element * count, element, items, count
    )


def inner(name: str, of: int, size: int, **more: int) -> bytes:
    """A field that is a struct, or an array of them."""
    return field(name, type=STRUCT, of=of, element=size, **more)


def string(name: str, length: int) -> bytes:
    return field(name, type=CHAR, count=length, shape=STRING)


def enum(name: str, values: Iterable[str]) -> bytes:
    return text(name) + words(TYPES.index("u16")) + counted([text(value) for value in values])


def structure(name: str, size: int, fields: Sequence[bytes]) -> bytes:
    """A struct, or an event."""
    return text(name) + words(size) + counted(fields)


def component(name: str, size: int, fields: Sequence[bytes], storage: int = TABLE) -> bytes:
    return text(name) + words(storage, 0, 1, size) + counted(fields)


def singleton(name: str, size: int, fields: Sequence[bytes]) -> bytes:
    return text(name) + words(1, size) + counted(fields)


def schema(
    *,
    enums: Sequence[bytes] = (),
    structs: Sequence[bytes] = (),
    components: Sequence[bytes] = (),
    singletons: Sequence[bytes] = (),
    events: Sequence[bytes] = (),
) -> bytes:
    kinds = (enums, structs, (), components, singletons, events, ())
    body = text(WORLD) + words(INDEX_BITS, 12, 4) + b"".join(map(counted, kinds))
    return section(b"SCHM", body)


def table(
    first: int, rows: int, spans: Sequence[int] = (), masks: Sequence[int] = (), values: bytes = b""
) -> bytes:
    """A table of entities with indices from `first` on."""
    handles = struct.pack(f"<{rows}I", *((first + i) | 1 << INDEX_BITS for i in range(rows)))
    head = words(rows, len(spans), len(masks), *spans, *masks)
    return section(b"TABL", head + padded(handles) + values)


def save(told: bytes, tables: Sequence[bytes] = (), *, live: int = 0, ticks: int = 0) -> bytes:
    """A whole save: a schema, tables, and the least that must be with them."""
    entities = section(b"ENTS", words(live, 0, 0))
    rest = section(b"CLKS", words(ticks, 0, 0)) + section(b"END ", b"")
    body = told + entities + b"".join(tables) + rest
    head = b"WEFTSAVE" + words(1, 32 + len(body))
    return head + words(checksum(head)) + body
