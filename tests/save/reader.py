"""Reads a save without its schema, and prints it as JSON. Written from runtime/SAVES.md alone.

    reader.py FILE

Entities and singletons look as in Weft's own JSON, less what a save does not have: values that are
not saved, and so the fields of components that are not. Beside them stands the rest of the save.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WORD = 8
MASK = 2**64 - 1
NUMBERS = ("?", "B", "H", "I", "Q", "b", "h", "i", "q", "f", "d")  # of types 0 to 10, for struct
TYPES = (
    "bool",
    "u8",
    "u16",
    "u32",
    "u64",
    "i8",
    "i16",
    "i32",
    "i64",
    "f32",
    "f64",
    "entity",
    "char",
)
BOOL, F32, F64, ENTITY, CHAR, ENUM, STRUCT, EXTERN = 0, 9, 10, 11, 12, 13, 14, 15
ONE, ARRAY, LIST, STRING = 0, 1, 2, 3
TABLE, SPARSE, TAG = 0, 1, 2
KNOWN = {"SCHM", "ENTS", "TABL", "SPRS", "SING", "CLKS", "EVNT", "RELA", "MRKS", "RMVD", "END "}
MAY_SKIP = 1


class DamagedError(Exception):
    """What is wrong with a save, in words."""


def need(good: bool, words: str) -> None:
    if not good:
        raise DamagedError(words)


def checksum(data: bytes) -> int:
    lanes = [1, 2, 3, 4, 5, 6, 7, 8]
    words = struct.unpack(f"<{len(data) // WORD}Q", data)
    for i, word in enumerate(words):
        x = lanes[i % 8] ^ word
        x = x + (x << 7) & MASK
        lanes[i % 8] = (x << 29 | x >> 35) & MASK
    h = len(words)
    for lane in lanes:
        h = (h ^ lane) * 0x9E3779B97F4A7C15 & MASK
        h ^= h >> 32
    return h


# ---- bytes


class Body:
    """The bytes of a section, taken from the front."""

    def __init__(self, kind: str, data: bytes) -> None:
        self.kind, self.data, self.at = kind, data, 0

    def take(self, count: int) -> bytes:
        """Bytes, and zeros up to the next whole word."""
        end = self.at + count
        whole = -(-end // WORD) * WORD
        need(whole <= len(self.data), f"section '{self.kind}' ends too early")
        need(not any(self.data[end:whole]), f"section '{self.kind}' is filled up with something")
        taken, self.at = self.data[self.at : end], whole
        return taken

    def word(self) -> int:
        return int.from_bytes(self.take(WORD), "little")

    def words(self, count: int) -> list[int]:
        need(count <= len(self.data) // WORD, f"section '{self.kind}' ends too early")
        return [self.word() for _ in range(count)]

    def flag(self) -> bool:
        number = self.word()
        need(number <= 1, f"section '{self.kind}' has {number} where 0 or 1 belongs")
        return number == 1

    def text(self) -> str:
        length = self.word()
        data = self.take(length + 1)
        need(data.find(0) == length, f"section '{self.kind}' has a text that is none")
        return data[:length].decode()

    def numbers(self, count: int, size: int) -> list[int]:
        data = self.take(count * size)
        return [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]

    def double(self) -> float:
        return float(struct.unpack("<d", self.take(WORD))[0])

    def rows(self, count: int, size: int) -> list[bytes]:
        data = self.take(count * size)
        return [data[i * size : (i + 1) * size] for i in range(count)]

    def bits(self, rows: int) -> set[int]:
        """The rows whose bit is set."""
        data = int.from_bytes(self.take((rows + 63) // 64 * WORD), "little")
        need(data >> rows == 0, f"section '{self.kind}' has bits of rows that there are not")
        return {row for row in range(rows) if data >> row & 1}

    def end(self) -> None:
        need(self.at == len(self.data), f"section '{self.kind}' has more than belongs there")


def sections(data: bytes) -> Iterator[Body]:
    need(data[:WORD] == b"WEFTSAVE" and len(data) >= 4 * WORD, "this is no save")
    version, size, stated = struct.unpack("<3Q", data[WORD : 4 * WORD])
    need(checksum(data[: 3 * WORD]) == stated, "the head has changed")
    need(version == 1, f"the save is of format {version}, and only 1 is known here")
    need(size == len(data), f"the save has {len(data)} bytes of {size}")
    need(size % WORD == 0, "the save does not end with a whole word")
    at = 4 * WORD
    while at < size:
        need(at + 3 * WORD <= size, "the save ends within a section")
        kind, flags, length = struct.unpack("<4sIQ", data[at : at + 2 * WORD])
        end = at + 2 * WORD + length
        need(length % WORD == 0 and end + WORD <= size, "a section does not end")
        name = kind.decode("latin-1")
        stated = int.from_bytes(data[end : end + WORD], "little")
        need(checksum(data[at:end]) == stated, f"section '{name}' has changed")
        need(name in KNOWN or flags & MAY_SKIP != 0, f"section '{name}' is not known")
        if name in KNOWN:
            yield Body(name, data[at + 2 * WORD : end])
        at = end + WORD


# ---- the schema


@dataclass
class Field:
    name: str
    type: int
    shape: int
    of: int
    save: bool
    offset: int
    size: int
    element_size: int
    items_offset: int
    count: int


@dataclass
class Thing:
    """A struct, extern, component, singleton, event or relation; what it has not is empty."""

    name: str
    storage: int = TABLE
    soa: bool = False
    save: bool = True
    size: int = 0
    fields: list[Field] = field(default_factory=list)


@dataclass
class Enum:
    name: str
    type: int
    values: list[str]


class Schema:
    def __init__(self, body: Body) -> None:
        self.world = body.text()
        self.index_bits, self.generation_bits, self.handle_bytes = body.words(3)
        need(1 <= self.index_bits <= 32 and 1 <= self.generation_bits <= 32, "handles are none")
        need(self.handle_bytes in (2, 4, 8), "handles are none")
        self.enums = [
            Enum(body.text(), body.word(), [body.text() for _ in range(body.word())])
            for _ in range(body.word())
        ]
        self.structs, self.externs = (
            [
                Thing(name=body.text(), size=body.word(), fields=_fields(body))
                for _ in range(body.word())
            ]
            for _ in range(2)
        )
        self.components = [
            Thing(body.text(), body.word(), body.flag(), body.flag(), body.word(), _fields(body))
            for _ in range(body.word())
        ]
        self.singletons = [
            Thing(name=body.text(), save=body.flag(), size=body.word(), fields=_fields(body))
            for _ in range(body.word())
        ]
        self.events = [
            Thing(name=body.text(), size=body.word(), fields=_fields(body))
            for _ in range(body.word())
        ]
        self.relations = [Thing(name=body.text()) for _ in range(body.word())]
        body.end()
        for things in (self.structs, self.externs, self.components, self.singletons, self.events):
            for thing in things:
                for one in thing.fields:
                    need(self._lies_in(one, thing), f"field '{one.name}' is not what it can be")

    def _lies_in(self, one: Field, thing: Thing) -> bool:
        items = one.count * one.element_size
        is_list = one.shape == LIST
        return (
            one.offset + one.size <= thing.size
            and one.element_size == self._element_size(one)
            and (items + one.items_offset <= one.size if is_list else items == one.size)
            and (one.items_offset >= 4 if is_list else one.items_offset == 0)
            and one.count >= 1
            and (one.count == 1 or one.shape != ONE)
            and (one.shape == STRING) == (one.type == CHAR)
        )

    def _element_size(self, one: Field) -> int:
        if one.type in (STRUCT, EXTERN):
            things = self.structs if one.type == STRUCT else self.externs
            return self.pick(things, one.of, "struct").size
        if one.type == ENTITY:
            return self.handle_bytes
        number = self.enums[one.of].type if one.type == ENUM else one.type
        return 1 if number == CHAR else struct.calcsize("<" + NUMBERS[number])

    def described(self) -> dict[str, Any]:
        """What values are of, by name; types as a schema writes them."""
        return {
            "index_bits": self.index_bits,
            "generation_bits": self.generation_bits,
            "enums": {enum.name: enum.values for enum in self.enums},
            "structs": self._described(self.structs),
            "externs": self._described(self.externs),
            "components": {
                one.name: {
                    "storage": ("table", "sparse", "tag")[one.storage],
                    "layout": "soa" if one.soa else "aos",
                    "save": one.save,
                    "fields": self._types(one.fields),
                }
                for one in self.components
            },
            "singletons": self._described(self.singletons),
            "events": self._described(self.events),
            "relations": [one.name for one in self.relations],
        }

    def _described(self, things: list[Thing]) -> dict[str, Any]:
        return {one.name: {"save": one.save, "fields": self._types(one.fields)} for one in things}

    def _types(self, fields: list[Field]) -> dict[str, Any]:
        return {one.name: {"type": self._type(one), "save": one.save} for one in fields}

    def _type(self, one: Field) -> str:
        names = {ENUM: self.enums, STRUCT: self.structs, EXTERN: self.externs}
        name = names[one.type][one.of].name if one.type in names else TYPES[one.type]
        dots = ".." if one.shape == LIST else ""
        return name if one.shape == ONE else f"{name}[{dots}{one.count}]"

    def handle(self, bits: int) -> str:
        return f"{bits & (1 << self.index_bits) - 1}:{bits >> self.index_bits}"

    def pick(self, things: list[Thing], number: int, what: str) -> Thing:
        need(number < len(things), f"there is no {what} {number}")
        return things[number]

    # ---- values

    def struct(self, fields: list[Field], data: bytes) -> dict[str, Any]:
        return {
            one.name: self.member(one, data[one.offset : one.offset + one.size])
            for one in fields
            if one.save
        }

    def member(self, one: Field, data: bytes) -> Any:
        if one.shape == STRING:
            need(0 in data, f"field '{one.name}' is a string without an end")
            return data[: data.find(0)].decode("utf-8", "surrogateescape")
        count = one.count
        if one.shape == LIST:
            count = int.from_bytes(data[:4], "little")
            need(count <= one.count, f"field '{one.name}' has more items than room")
        starts = (one.items_offset + i * one.element_size for i in range(count))
        values = [self.element(one, data[at : at + one.element_size]) for at in starts]
        return values[0] if one.shape == ONE else values

    def element(self, one: Field, data: bytes) -> Any:
        if one.type in (STRUCT, EXTERN):
            inner = self.pick(
                self.structs if one.type == STRUCT else self.externs, one.of, "struct"
            )
            return self.struct(inner.fields, data)
        bits = int.from_bytes(data, "little")
        if one.type == ENTITY:
            return self.handle(bits) if bits else None
        if one.type == ENUM:
            values = self.enums[one.of].values
            need(bits < len(values), f"field '{one.name}' has no value of its enum")
            return values[bits]
        if one.type == BOOL:
            need(bits <= 1, f"field '{one.name}' is neither true nor false")
            return bits == 1
        number = struct.unpack("<" + NUMBERS[one.type], data)[0]
        return _float(number, one.type == F32) if one.type in (F32, F64) else number


def _fields(body: Body) -> list[Field]:
    found = []
    for _ in range(body.word()):
        name, (kind, shape, of) = body.text(), body.words(3)
        need(kind <= EXTERN and shape <= STRING, f"field '{name}' is of no known type")
        found.append(Field(name, kind, shape, of, body.flag(), *body.words(5)))
    return found


def _float(number: float, single: bool) -> float | str:
    """JSON has finite ones only."""
    if number != number:
        return "nan"
    if number in (float("inf"), float("-inf")):
        return "inf" if number > 0 else "-inf"
    return shortest(number) if single else number


def shortest(number: float) -> float:
    """What is written with the fewest digits of all that round to a number of four bytes."""
    found = (float(f"{number:.{digits}g}") for digits in range(6, 10))
    return next(short for short in found if _rounded(short) == number)


def _rounded(number: float) -> float:
    """To four bytes; as it is if it is too large for those."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return number


# ---- the world


class Save:
    def __init__(self, data: bytes) -> None:
        bodies = list(sections(data))
        need(bool(bodies) and bodies[-1].kind == "END ", "the save has no end")
        by_kind: dict[str, list[Body]] = {kind: [] for kind in KNOWN}
        for body in bodies:
            by_kind[body.kind].append(body)
        for kind in ("SCHM", "ENTS", "CLKS", "END "):
            need(len(by_kind[kind]) == 1, f"there is not exactly one section '{kind}'")
        schema = self.schema = Schema(by_kind["SCHM"][0])
        self.used: set[int] = set()  # indices
        self.components: dict[str, dict[str, Any]] = {}  # by handle, in order of its index
        self.sparse_rows: dict[str, set[int]] = {
            one.name: set() for one in schema.components if one.storage == SPARSE
        }
        self.tables: list[list[str]] = []  # handles by row
        self.values: dict[str, Any] = {
            "format": 1,
            "world": schema.world,
            "schema": schema.described(),
        }
        live = self._entities(by_kind["ENTS"][0])
        for body in by_kind["TABL"]:
            self._table(body)
        need(len(self.components) == live, "there are not as many rows as entities")
        need(self.used == set(range(len(self.used))), "an index is nobody's")
        for body in by_kind["SPRS"]:
            self._sparse(body)
        need(not any(self.sparse_rows.values()), "a sparse component has no value for a row")
        self._singletons(by_kind["SING"])
        self._clocks(by_kind["CLKS"][0])
        self.values["events"] = dict(map(self._event, by_kind["EVNT"]))
        self.values["relations"] = dict(map(self._relation, by_kind["RELA"]))
        self.values["removed"] = list(map(self._removed, by_kind["RMVD"]))
        self.values["marks"] = list(map(self._marks, by_kind["MRKS"]))
        by_kind["END "][0].end()
        self._put_entities()

    def _use(self, index: int) -> None:
        need(index not in self.used, f"index {index} is there twice")
        self.used.add(index)

    def _index(self, bits: int) -> int:
        return bits & (1 << self.schema.index_bits) - 1

    def _entities(self, body: Body) -> int:
        live, free, retired = body.words(3)
        handles = body.numbers(free, self.schema.handle_bytes)
        indices = body.numbers(retired, 4)
        body.end()
        for index in [*map(self._index, handles), *indices]:
            self._use(index)
        self.values["free"] = [self.schema.handle(bits) for bits in handles]
        self.values["retired"] = indices
        return live

    def _table(self, body: Body) -> None:
        schema = self.schema
        rows, tables, planes = body.words(3)
        numbers = body.words(tables + planes)
        things = [schema.pick(schema.components, number, "component") for number in numbers]
        handles = body.numbers(rows, schema.handle_bytes)
        values: list[dict[str, Any]] = [{} for _ in range(rows)]
        for one in things[:tables]:
            need(one.storage == TABLE, f"'{one.name}' is in a table and is not stored there")
            self._columns(body, one, values)
        for one in things[tables:]:
            need(one.storage != TABLE, f"'{one.name}' is beside a table and is stored in it")
            for row in body.bits(rows):
                values[row][one.name] = True if one.storage == TAG else {}
                if one.storage == SPARSE:
                    self.sparse_rows[one.name].add(self._index(handles[row]))
        body.end()
        for bits, value in zip(handles, values, strict=True):
            need(bits >> schema.index_bits != 0, "a row has a handle of nobody")
            self._use(self._index(bits))
            self.components[schema.handle(bits)] = value
        self.tables.append([schema.handle(bits) for bits in handles])

    def _columns(self, body: Body, one: Thing, values: list[dict[str, Any]]) -> None:
        for value in values:
            value[one.name] = {}
        if not one.save:
            return
        if not one.soa:
            for value, data in zip(values, body.rows(len(values), one.size), strict=True):
                value[one.name] = self.schema.struct(one.fields, data)
            return
        for part in one.fields:
            for value, data in zip(values, body.rows(len(values), part.size), strict=True):
                if part.save:
                    value[one.name][part.name] = self.schema.member(part, data)

    def _sparse(self, body: Body) -> None:
        one = self.schema.pick(self.schema.components, body.word(), "component")
        need(one.storage == SPARSE, f"'{one.name}' has a store and is not sparse")
        count = body.word()
        owners = body.numbers(count, 4)
        data = body.rows(count, one.size) if one.save else [b""] * count
        body.end()
        by_index = {int(handle.split(":")[0]): handle for handle in self.components}
        for index, value in zip(owners, data, strict=True):
            need(index in self.sparse_rows[one.name], f"'{one.name}' has a value of nobody")
            self.sparse_rows[one.name].remove(index)
            if one.save:
                there = self.components[by_index[index]]
                there[one.name] = self.schema.struct(one.fields, value)

    def _singletons(self, bodies: list[Body]) -> None:
        found: dict[str, Any] = {}
        for body in bodies:
            one = self.schema.pick(self.schema.singletons, body.word(), "singleton")
            found[one.name] = self.schema.struct(one.fields, body.take(one.size))
            body.end()
        self.values["singletons"] = found

    def _clocks(self, body: Body) -> None:
        self.values["ticks"], self.values["provisional"], count = body.words(3)
        self.values["clocks"] = {
            body.text(): {"waited": body.double(), "elapsed": body.double()} for _ in range(count)
        }
        body.end()

    def _event(self, body: Body) -> tuple[str, Any]:
        one = self.schema.pick(self.schema.events, body.word(), "event")
        values = body.rows(body.word(), one.size)
        unheard = {body.text(): body.word() for _ in range(body.word())}
        body.end()
        return one.name, {
            "values": [self.schema.struct(one.fields, data) for data in values],
            "unheard": unheard,
        }

    def _relation(self, body: Body) -> tuple[str, Any]:
        one = self.schema.pick(self.schema.relations, body.word(), "relation")
        links = body.numbers(2 * body.word(), 4)
        body.end()
        return one.name, [links[i : i + 2] for i in range(0, len(links), 2)]

    def _removed(self, body: Body) -> dict[str, Any]:
        system = body.text()
        one = self.schema.pick(self.schema.components, body.word(), "component")
        valued, count = body.flag(), body.word()
        found: dict[str, Any] = {"system": system, "component": one.name}
        handles = body.numbers(count, self.schema.handle_bytes)
        found["who"] = [self.schema.handle(bits) for bits in handles]
        if valued:
            rows = body.rows(count, one.size)
            found["values"] = [self.schema.struct(one.fields, data) for data in rows]
        body.end()
        return found

    def _marks(self, body: Body) -> dict[str, Any]:
        streams = []
        for _ in range(body.word()):
            stream: dict[str, Any] = {"listening": body.flag(), "rows": []}
            for handles in self.tables:
                if body.flag():
                    stream["rows"] += [handles[row] for row in sorted(body.bits(len(handles)))]
            streams.append(stream)
        readers: dict[str, Any] = {}
        for _ in range(body.word()):
            name = body.text()
            readers[name] = [self._watch(body) for _ in range(body.word())]
        body.end()
        return {"streams": streams, "readers": readers}

    def _watch(self, body: Body) -> dict[str, Any]:
        number, changed, inbox, pending, shown = body.words(5)
        return {
            "component": self.schema.pick(self.schema.components, number, "component").name,
            "changed": changed == 1,
            "inbox": inbox,
            "pending": pending,
            "shown": shown,
        }

    def _put_entities(self) -> None:
        order = {one.name: i for i, one in enumerate(self.schema.components)}
        self.values["entities"] = [
            {"id": handle, "components": dict(sorted(found.items(), key=lambda it: order[it[0]]))}
            for handle, found in sorted(
                self.components.items(), key=lambda item: int(item[0].split(":")[0])
            )
        ]


def read(data: bytes) -> dict[str, Any]:
    """All of a save. DamagedError says what is wrong with it."""
    try:
        return Save(data).values
    except (UnicodeDecodeError, RecursionError, struct.error, IndexError) as error:
        raise DamagedError(f"the save makes no sense: {error}") from error


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = read(Path(arguments[0]).read_bytes())
    except (DamagedError, OSError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
