"""Reads a world from the memory of a program, without running any of its code.

A debugger supplies `Memory`: bytes, and the layout of the runtime's structs. Everything else comes
from the plan of the world, which the program contains as const tables, so field offsets are those
of this program. `weft codegen debug` adds a table of names.
"""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

NONE = 0xFFFF  # the plan has no number here
SPARSE_PAGE = 1024  # indices
LINKS = 4  # of an index, 32 bits each: parent, first child, next, previous
ITEMS_SHOWN = 16  # items of an array or list
TABLE, SPARSE, TAG = range(3)  # weft_storage
ONE, ARRAY, LIST, STRING = range(4)  # weft_shape

# Types by number. Saves contain the numbers, so they must not change.
FORMATS = {0: "?", 1: "B", 2: "H", 3: "I", 4: "Q", 5: "b", 6: "h", 7: "i", 8: "q", 9: "f", 10: "d"}
FLOAT, DOUBLE, ENTITY, CHAR, ENUM, STRUCT, EXTERN = 9, 10, 11, 12, 13, 14, 15

RUNS_NOW = {0xFFFFFFFF: "a hook", 0xFFFFFFFE: "a query in parts", 0xFFFFFFFD: "a comparison"}

Layout = dict[str, tuple[int, int]]  # offset and size of each member


class WeftError(Exception):
    """Explains to the user why nothing can be shown."""


class Memory(Protocol):
    """A stopped program, or its core file."""

    order: str  # "<" or ">", as in the module struct
    pointer: int  # bytes

    def read(self, address: int, size: int) -> bytes: ...

    def layout(self, name: str) -> Layout: ...

    def size(self, name: str) -> int: ...


class Record:
    """A struct of the runtime. Its members that are numbers or pointers are attributes."""

    def __init__(self, memory: Memory, kind: str, address: int) -> None:
        self.memory = memory
        self.address = address
        self.layout = memory.layout(kind)
        self.bytes = memory.read(address, memory.size(kind))

    def __getattr__(self, name: str) -> int:
        offset, size = self.layout[name]
        value = number(self.memory, self.bytes[offset : offset + size])
        self.__dict__[name] = value  # cached as a plain attribute
        return value

    def inner(self, name: str, kind: str) -> Record:
        return Record(self.memory, kind, self.address + self.layout[name][0])


def number(memory: Memory, data: bytes) -> int:
    return int.from_bytes(data, "little" if memory.order == "<" else "big")


def numbers(memory: Memory, address: int, size: int, count: int) -> list[int]:
    """Reads an array of whole numbers or pointers."""
    data = memory.read(address, size * count) if count else b""
    return [number(memory, data[i * size : (i + 1) * size]) for i in range(count)]


def in_order(memory: Memory, items: array[int]) -> array[int]:
    """Returns numbers in the byte order of this machine."""
    if memory.order != ("<" if sys.byteorder == "little" else ">"):
        items.byteswap()
    return items


def text(memory: Memory, address: int) -> str:
    """Reads a string of the program up to its NUL."""
    found = b""
    while b"\0" not in found:
        found += memory.read(address + len(found), 1)
    return found[:-1].decode("utf-8", "replace")


class Field:
    """A member of a component, as the program's tables describe it."""

    def __init__(self, record: Record) -> None:
        self.name = text(record.memory, record.name)
        self.type, self.shape, self.of = record.type, record.shape, record.of
        self.offset, self.size = record.offset, record.size
        self.element_size, self.items_offset = record.element_size, record.items_offset
        self.count, self.by = record.count, record.by  # by: 1 + the enum of the indices


class Component:
    """A component of the schema, or a tag of a relation, which has no fields."""

    def __init__(self, name: str, plan: Record, info: Record | None, fields: list[Field]) -> None:
        self.name = name
        self.fields = fields
        self.first_column, self.columns = plan.first_column, plan.column_count
        self.bitset, self.store = plan.bitset, plan.sparse
        self.size = plan.size
        self.storage = info.storage if info else TAG
        self.soa = bool(info and info.soa)


class Row:
    """The row of a living entity."""

    def __init__(self, table: Table, row: int, handle: int) -> None:
        self.table, self.row, self.handle = table, row, handle


class Table:
    """A table of the world. Its columns are read when they are needed."""

    def __init__(self, world: World, address: int) -> None:
        record = Record(world.memory, "weft_table", address)
        self.id, self.count, self.capacity = record.id, record.count, record.capacity
        self.bytes = record.rows_bytes
        self.world = world
        behind = address + world.memory.size("weft_table")
        self.columns = numbers(world.memory, behind, world.memory.pointer, world.plan.column_count)
        self._bits: dict[int, array[int]] = {}
        self._handles: list[int] | None = None

    @property
    def handles(self) -> list[int]:
        if self._handles is None:
            world = self.world
            size = world.schema.handle_bytes
            self._handles = numbers(world.memory, self.columns[0], size, self.count)
        return self._handles

    def bit(self, bitset: int, row: int) -> bool:
        column = self.world.plan.first_bitset + bitset
        if not self.columns[column]:
            return False
        if column not in self._bits:
            size = (self.count + 63) // 64 * 8
            words = array("Q", self.world.memory.read(self.columns[column], size))
            self._bits[column] = in_order(self.world.memory, words)
        return bool(self._bits[column][row // 64] >> row % 64 & 1)

    def cell(self, column: int, size: int, row: int) -> bytes:
        return self.world.memory.read(self.columns[column] + row * size, size)

    def has(self, component: Component, row: int) -> bool:
        if component.bitset != NONE:
            return self.bit(component.bitset, row)
        return self.columns[component.first_column] != 0

    def rows(self) -> Iterator[Row]:
        for row, handle in enumerate(self.handles):
            yield Row(self, row, handle)


class World:
    """A world in the memory of the program, and the description of its schema (`data`)."""

    def __init__(self, memory: Memory, data: dict[str, Any], address: int) -> None:
        self.memory, self.data, self.address = memory, data, address
        self.base = Record(memory, "weft_world", address)
        self.plan = Record(memory, "weft_plan", self.base.plan)
        self.schema = Record(memory, "weft_schema", self.plan.schema)
        if text(memory, self.schema.name) != data["name"]:
            raise WeftError(f"this is not a world '{data['name']}'")
        self.components = self._components()
        names = [component.name for component in self.components.values()]
        if names != [*data["components"], *data["relation_tags"]]:
            raise WeftError("the schema has changed: run `codegen debug` again")
        self.entities = self.base.inner("entities", "weft_entities")
        self.records = self._region(self.entities, "records")
        self._tables: dict[int, Table] = {}
        self._linked: dict[str, array[int]] = {}
        tables = self.base.inner("tables", "weft_tables")
        self.table_places = numbers(memory, tables.items, memory.pointer, tables.count)

    # -- the schema

    def _array(self, kind: str, address: int, count: int) -> list[Record]:
        size = self.memory.size(kind)
        return [Record(self.memory, kind, address + i * size) for i in range(count)]

    def _fields(self, owner: Record) -> list[Field]:
        return [Field(one) for one in self._array("weft_field", owner.fields, owner.field_count)]

    def _components(self) -> dict[str, Component]:
        schema, plan = self.schema, self.plan
        infos = self._array("weft_component_info", schema.components, schema.component_count)
        plans = self._array("weft_component_plan", plan.components, plan.component_count)
        found = [
            Component(text(self.memory, info.name), one, info, self._fields(info))
            for info, one in zip(infos, plans, strict=False)
        ]
        tags = zip(self.data["relation_tags"], plans[len(infos) :], strict=True)
        found += [Component(name, one, None, []) for name, one in tags]
        return {component.name: component for component in found}

    def _region(self, owner: Record, name: str) -> int:
        return owner.inner(name, "weft_region").base

    # -- entities

    def words(self, handle: int) -> str:
        bits = self.schema.index_bits
        return f"{handle & (1 << bits) - 1}:{handle >> bits}" if handle else "none"

    def _record(self, index: int) -> tuple[int, int, int]:
        """Returns the row, generation and table of an index."""
        wide = self.schema.index_bits + self.schema.generation_bits > 32
        if wide:
            row, generation, table = numbers(self.memory, self.records + index * 12, 4, 3)
            return row, generation, table
        (both,) = numbers(self.memory, self.records + index * 8, 8, 1)
        key, bits = both & 0xFFFFFFFF, self.schema.index_bits
        return key & (1 << bits) - 1, key >> bits, both >> 32

    def find(self, handle: int) -> Row | None:
        """Returns the row of a living entity, or None."""
        bits = self.schema.index_bits
        index, generation = handle & (1 << bits) - 1, handle >> bits
        if not generation or index >= self.entities.index_count:
            return None
        row, now, table = self._record(index)
        return Row(self.table(table), row, handle) if now == generation else None

    def handle_of(self, index: int) -> int:
        return index | self._record(index)[1] << self.schema.index_bits

    def parse(self, word: str) -> int:
        """Parses a handle as it is printed: `30:1`."""
        index, colon, generation = word.partition(":")
        if not (colon and index.isdigit() and generation.isdigit()):
            raise WeftError(
                f"'{word}' is not an entity: write its index and generation, for example 30:1"
            )
        return int(index) | int(generation) << self.schema.index_bits

    def table(self, number: int) -> Table:
        if number not in self._tables:
            self._tables[number] = Table(self, self.table_places[number])
        return self._tables[number]

    def tables(self) -> list[Table]:
        return [self.table(number) for number in range(len(self.table_places))]

    def link(self, relation: str, handle: int) -> tuple[int, int]:
        """Returns the parent and the first child, each as index + 1."""
        links = self._links(relation)
        at = (handle & (1 << self.schema.index_bits) - 1) * LINKS
        return (links[at], links[at + 1]) if at < len(links) else (0, 0)

    def _links(self, relation: str) -> array[int]:
        """Returns the links of all indices. They are read once."""
        if relation not in self._linked:
            place = self.data["relations"].index(relation) * self.memory.size("weft_relation")
            of = Record(self.memory, "weft_relation", self.base.relations + place)
            size = of.capacity * self.memory.size("weft_node")
            links = array("I", self.memory.read(self._region(of, "nodes"), size))
            self._linked[relation] = in_order(self.memory, links)
        return self._linked[relation]

    # -- values

    def member(self, at: Row, component: Component, place: int) -> bytes:
        """Returns the bytes of a field of a component. The row must have the component."""
        field = component.fields[place]
        if component.store != NONE:
            return self._sparse(component, at)[field.offset : field.offset + field.size]
        column = component.first_column + (place if component.soa else 0)
        if component.soa:
            return at.table.cell(column, field.size, at.row)
        value = at.table.cell(column, component.size, at.row)
        return value[field.offset : field.offset + field.size]

    def _sparse(self, component: Component, at: Row) -> bytes:
        size = self.memory.size("weft_sparse")
        store = Record(self.memory, "weft_sparse", self.base.sparse + component.store * size)
        page, place = divmod(at.handle & (1 << self.schema.index_bits) - 1, SPARSE_PAGE)
        width = self.memory.pointer
        (slots,) = numbers(self.memory, store.pages + page * width, width, 1)
        (slot,) = numbers(self.memory, slots + place * 4, 4, 1)
        return self.memory.read(self._region(store, "values") + (slot - 1) * store.size, store.size)

    def value(self, at: Row, component: Component) -> str:
        parts = [
            f"{field.name} = {self.shown(field, self.member(at, component, place))}"
            for place, field in enumerate(component.fields)
        ]
        return f"{component.name} {{{', '.join(parts)}}}" if parts else component.name

    def shown(self, field: Field, data: bytes) -> str:
        """Returns the value of a member as text."""
        if field.shape == STRING:
            return '"' + data.split(b"\0")[0].decode("utf-8", "backslashreplace") + '"'
        count = field.count
        if field.shape == LIST:
            count = min(number(self.memory, data[:4]), field.count)
        size, first = field.element_size, field.items_offset
        names = self.data["enums"][field.by - 1][1] if field.by else []
        items = [
            (f"{names[i]} = " if names else "")
            + self.element(field, data[first + i * size : first + (i + 1) * size])
            for i in range(min(count, ITEMS_SHOWN))
        ]
        if field.shape == ONE:
            return items[0]
        more = [f"... {count - ITEMS_SHOWN} more"] if count > ITEMS_SHOWN else []
        return ("[%s]" if field.shape == LIST else "{%s}") % ", ".join(items + more)

    def element(self, field: Field, data: bytes) -> str:
        if field.type == ENTITY:
            handle = number(self.memory, data)
            return self.words(handle) + (" dead" if handle and not self.find(handle) else "")
        if field.type == ENUM:
            return enum_word(self.data["enums"][field.of][1], number(self.memory, data))
        if field.type in (STRUCT, EXTERN):
            return self._struct(field, data)
        if field.type == CHAR:
            return str(number(self.memory, data))
        (value,) = struct.unpack(self.memory.order + FORMATS[field.type], data)
        if field.type == FLOAT:
            return short_float(value)
        return f"{value:.17g}" if field.type == DOUBLE else str(value).lower()

    def _struct(self, field: Field, data: bytes) -> str:
        infos = self.schema.structs if field.type == STRUCT else self.schema.externs
        size = self.memory.size("weft_struct_info")
        info = Record(self.memory, "weft_struct_info", infos + field.of * size)
        parts = [
            f"{one.name} = {self.shown(one, data[one.offset : one.offset + one.size])}"
            for one in self._fields(info)
        ]
        return f"{{{', '.join(parts)}}}"

    # -- entities as text

    def entity(self, handle: int) -> str:
        """Returns `30:1 alive: position {x = 3, y = 4}, asleep, carried_by 4:1`."""
        at = self.find(handle) if handle else None
        if at is None:
            return self.words(handle) + (" dead" if handle else "")
        return f"{self.words(handle)} alive: {self.parts(at, list(self.components)) or 'nothing'}"

    def parts(self, at: Row, names: Sequence[str]) -> str:
        """Returns the values of some components of a row, and its parents."""
        tags = self.data["relation_tags"]
        components = [self.components[name] for name in names if name not in tags]
        found = [self.value(at, one) for one in components if at.table.has(one, at.row)]
        for relation in self.data["relations"]:
            parent = self.link(relation, at.handle)[0]
            if parent:
                found.append(f"{relation} {self.words(self.handle_of(parent - 1))}")
        return ", ".join(found)

    # -- queries

    def select(self, name: str) -> Iterator[Row]:
        """Yields the rows of a query, system or component; all rows if there is no name."""
        needs, where = self.selection(name)
        components = [self.components[one] for one in needs]
        for table in self.tables():
            if not table.count or any(
                one.storage == TABLE and not table.columns[one.first_column] for one in components
            ):
                continue
            for row in table.rows():
                if all(table.has(one, row.row) for one in components) and self.passes(where, row):
                    yield row

    def selection(self, name: str) -> tuple[list[str], Any]:
        if not name:
            return [], None
        if name in self.data["selections"]:
            found = self.data["selections"][name]
            return found["needs"], found["where"]
        if name in self.data["components"]:
            return [name], None
        if name in self.data["relations"]:
            return [], ["has", name]
        raise WeftError(f"'{name}' is not a query, system, component or relation")

    def passes(self, where: Any, at: Row) -> bool:
        """Returns whether a row matches. A change counts as true if the component exists."""
        if where is None:
            return True
        op, *operands = where
        if op == "!":
            return not self.passes(operands[0], at)
        if op in ("&", "|", "^"):
            answers = [self.passes(one, at) for one in operands]
            return {"&": all(answers), "|": any(answers), "^": sum(answers) % 2 == 1}[op]
        name = operands[0]
        if op in ("has", "root", "leaf") and name in self.data["relations"]:
            parent, child = self.link(name, at.handle)
            return {"has": parent != 0, "root": not parent and child != 0}.get(
                op, parent != 0 and not child
            )
        if op in ("has", "added", "changed") and name in self.components:
            return at.table.has(self.components[name], at.row)
        return True

    def is_by_changes(self, name: str) -> bool:
        found = self.data["selections"].get(name)
        return bool(found and found["changes"])


def enum_word(values: Sequence[str], value: int) -> str:
    return values[value] if value < len(values) else f"{value} (no value)"


def short_float(value: float) -> str:
    """Returns a float of 32 bits with the fewest digits that identify it."""
    for digits in range(6, 9):
        short = f"{value:.{digits}g}"
        if struct.pack("f", float(short)) == struct.pack("f", value):
            return short
    return f"{value:.9g}"
