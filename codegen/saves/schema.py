"""The schema that a save was written with: names, types, and the place of each value.

A schema that was read here is safe to walk: names are valid and unique, the limits of the generator
hold, and the number of values is limited by the bytes (`extent.py`).
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from saves.damage import need
from saves.sections import NEWER, Body

# The format codes of numbers for struct and memoryview, by type.
NUMBERS = dict(enumerate("?BHIQbhiqfd"))
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
    "enum",
    "struct",
    "extern",
)
BOOL, U64, F32, F64, ENTITY, CHAR, ENUM, STRUCT, EXTERN = 0, 4, 9, 10, 11, 12, 13, 14, 15
# the last one occurs only in saves: an array by an enum
ONE, ARRAY, LIST, STRING, BY_ENUM = 0, 1, 2, 3, 4
TABLE, SPARSE, TAG = 0, 1, 2

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")

# The limits of the generator, which the runtime also applies to the schema of a save.
DECLARATIONS_MAX = 1024  # of each kind
FIELDS_MAX = 65536  # of a component, singleton, event or struct
ENUM_VALUES_MAX = 65536
VALUE_BYTES_MAX = 1 << 20

Item = TypeVar("Item")


def is_whole(type: int) -> bool:
    """Returns whether values of a type are whole numbers."""
    return type in NUMBERS and NUMBERS[type] not in "?fd"


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a field. `count` is 1 for ONE, and the maximum length for LIST and STRING."""

    base: int
    of: int = 0  # the enum, struct or extern of an element
    shape: int = ONE
    count: int = 1
    by: int | None = None  # the enum whose values are the indices of an array


@dataclass(frozen=True, slots=True)
class Place:
    """The bytes of a field, relative to the start of its owner."""

    offset: int
    size: int
    element_size: int
    items_offset: int = 0  # of a list, relative to the list


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: Type
    place: Place
    save: bool = True


@dataclass
class Thing:
    """A struct, extern, component, singleton, event, relation or kind of links. Unused members are
    empty.
    """

    name: str
    storage: int = TABLE
    soa: bool = False
    save: bool = True
    size: int = 0
    fields: list[Field] = field(default_factory=list)
    symmetric: bool = False  # of links

    def saved(self) -> list[Field]:
        return [one for one in self.fields if one.save] if self.save else []


@dataclass
class Enum:
    name: str
    type: int
    values: list[str]


class Schema:
    def __init__(self, body: Body) -> None:
        self.world = _name(body)
        self.index_bits, self.generation_bits, self.handle_bytes = body.words(3)
        self._check_handles(body)
        self.enums = _declared(body, "enums", _enum)
        self.structs = _declared(body, "structs", _structure)
        self.externs = _declared(body, "externs", _structure)
        self.components = _declared(body, "components", _component)
        self.singletons = _declared(body, "singletons", _singleton)
        self.events = _declared(body, "events", _structure)
        self.relations = _declared(body, "relations", lambda body: Thing(name=_name(body)))
        more = body.at < len(body.data)  # schemas without links end here
        self.links = _declared(body, "links", _link) if more else []
        body.need(bool(self.links) or not more, "has more bytes than expected")
        body.end()
        self._elements: dict[tuple[Type, int, bool], list[Field]] = {}
        self._check_names()
        kinds = (self.components, self.singletons, self.events, self.links)
        for things in (self.structs, self.externs, *kinds):
            for thing in things:
                self._check_fields(thing)

    def _check_handles(self, body: Body) -> None:
        bits = 8 * self.handle_bytes
        sound = 1 <= self.index_bits <= 32 and 1 <= self.generation_bits <= 32
        body.need(sound and bits in (16, 32, 64), "has handles of an unknown width")
        body.need(self.index_bits + self.generation_bits <= bits, "has handles that overflow")

    def _check_names(self) -> None:
        declared = (*self.components, *self.singletons, *self.events, *self.relations, *self.links)
        groups: list[list[str]] = [
            _names(group) for group in (declared, self.enums, self.structs, self.externs)
        ]
        groups += [_names(one.fields) for one in (*declared, *self.structs, *self.externs)]
        groups += [one.values for one in self.enums]
        for names in groups:
            seen: set[str] = set()
            for name in names:
                need(name not in seen, f"section 'SCHM': '{name}' occurs twice")
                seen.add(name)

    def _check_fields(self, thing: Thing) -> None:
        for one in thing.fields:
            words = (
                f"section 'SCHM': field '{one.name}' of '{thing.name}' has an impossible type or "
                "place"
            )
            need(self._lies_in(one, thing), words)

    def _lies_in(self, one: Field, thing: Thing) -> bool:
        type, place = one.type, one.place
        items = type.count * place.element_size
        is_list = type.shape == LIST
        return (
            place.offset + place.size <= thing.size
            and place.element_size == self._element_size(one)
            and place.element_size >= 1
            and (items + place.items_offset <= place.size if is_list else items == place.size)
            and (place.items_offset >= 4 if is_list else place.items_offset == 0)
            and type.count >= 1
            and (type.count == 1 or type.shape != ONE)
            and (type.by is None or len(self.places(one)) == type.count)
            and (type.shape == STRING) == (type.base == CHAR)
        )

    def _element_size(self, one: Field) -> int:
        if self.has_inner(one):
            return self.inner(one).size
        if one.type.base == ENTITY:
            return self.handle_bytes
        number = self.number_type(one)
        return 1 if number == CHAR else struct.calcsize("<" + NUMBERS[number])

    def has_inner(self, one: Field) -> bool:
        return one.type.base in (STRUCT, EXTERN)

    def is_string(self, one: Field) -> bool:
        return one.type.shape == STRING

    def inner(self, one: Field) -> Thing:
        """Returns the struct or extern that is the type of a field."""
        things = self.structs if one.type.base == STRUCT else self.externs
        return self.pick(things, one.type.of, "struct")

    def places(self, one: Field) -> list[str]:
        """Returns the names of the elements of an array by an enum; [] for other fields."""
        return self.pick(self.enums, one.type.by, "enum").values if one.type.by is not None else []

    def elements(self, one: Field) -> list[Field]:
        """Returns the elements of an array by an enum as fields, which have the names of its
        values.
        """
        size, key = one.place.element_size, (one.type, one.place.element_size, one.save)
        if key not in self._elements:  # equal in all arrays of one type
            type = Type(one.type.base, one.type.of)
            self._elements[key] = [
                replace(one, name=name, type=type, place=Place(i * size, size, size))
                for i, name in enumerate(self.places(one))
            ]
        return self._elements[key]

    def number_type(self, one: Field) -> int:
        """Returns the number type of a field: its own, or that of its enum."""
        type = one.type
        return self.pick(self.enums, type.of, "enum").type if type.base == ENUM else type.base

    def described(self) -> dict[str, Any]:
        """Returns everything that describes values, by name, with types as a schema writes them."""
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
            "links": {
                one.name: {"symmetric": one.symmetric, "fields": self._types(one.fields)}
                for one in self.links
            },
        }

    def _described(self, things: list[Thing]) -> dict[str, Any]:
        return {one.name: {"save": one.save, "fields": self._types(one.fields)} for one in things}

    def _types(self, fields: list[Field]) -> dict[str, Any]:
        return {one.name: {"type": self.type_of(one), "save": one.save} for one in fields}

    def type_of(self, one: Field) -> str:
        """Returns the type of a field as a schema writes it."""
        type = one.type
        names: dict[int, list[Enum] | list[Thing]] = {
            ENUM: self.enums,
            STRUCT: self.structs,
            EXTERN: self.externs,
        }
        name = names[type.base][type.of].name if type.base in names else TYPES[type.base]
        if type.by is not None:
            return f"{name}[{self.enums[type.by].name}]"
        dots = ".." if type.shape == LIST else ""
        return name if type.shape == ONE else f"{name}[{dots}{type.count}]"

    def handle(self, bits: int) -> str:
        return f"{bits & (1 << self.index_bits) - 1}:{bits >> self.index_bits}"

    def indices(self, handles: Iterable[int]) -> list[int]:
        mask = (1 << self.index_bits) - 1
        return [bits & mask for bits in handles]

    def generations(self, handles: Iterable[int]) -> list[int]:
        bits = self.index_bits
        return [one >> bits for one in handles]

    def pick(self, things: list[Item], number: int, what: str) -> Item:
        need(number < len(things), f"the save's own schema has no {what} {number}")
        return things[number]


def _list(body: Body, read: Callable[[Body], Item], most: int, what: str) -> list[Item]:
    count = body.count()
    body.need(count <= most, f"has {count:,} {what}, more than {most:,}")
    return [read(body) for _ in range(count)]


def _declared(body: Body, what: str, read: Callable[[Body], Item]) -> list[Item]:
    return _list(body, read, DECLARATIONS_MAX, what)


def _fields(body: Body, name: str) -> list[Field]:
    return _list(body, _field, FIELDS_MAX, f"fields in '{name}'")


def _size(body: Body, name: str) -> int:
    size = body.word()
    words = f"has {size:,} bytes in '{name}', more than {VALUE_BYTES_MAX:,}"
    body.need(size <= VALUE_BYTES_MAX, words)
    return size


def _name(body: Body) -> str:
    name = body.text()
    if not NAME.fullmatch(name):
        body.fail(f"has a name that is not valid: {name!r}")
    return name


def _enum(body: Body) -> Enum:
    name, number = _name(body), body.word()
    body.need(is_whole(number), f"stores enum '{name}' as a type that is not a number")
    return Enum(name, number, _list(body, _name, ENUM_VALUES_MAX, f"values in enum '{name}'"))


def _structure(body: Body) -> Thing:
    name = _name(body)
    return Thing(name=name, size=_size(body, name), fields=_fields(body, name))


def _component(body: Body) -> Thing:
    name, storage = _name(body), body.word()
    if storage > TAG:
        body.fail(f"has component '{name}' in an unknown storage", NEWER)
    soa, save, size, fields = body.flag(), body.flag(), _size(body, name), _fields(body, name)
    body.need(storage == TABLE or not soa, f"has component '{name}' as soa, but not in tables")
    body.need(
        (storage == TAG) == (not fields), f"has component '{name}' without fields, but not as a tag"
    )
    return Thing(name, storage, soa, save, size, fields)


def _singleton(body: Body) -> Thing:
    name, save = _name(body), body.flag()
    return Thing(name=name, save=save, size=_size(body, name), fields=_fields(body, name))


def _link(body: Body) -> Thing:
    name, symmetric, save = _name(body), body.flag(), body.flag()
    size, fields = _size(body, name), _fields(body, name)
    body.need((size == 0) == (not fields), f"has links '{name}' with fields, but without bytes")
    return Thing(name, symmetric=symmetric, save=save, size=size, fields=fields)


def _field(body: Body) -> Field:
    name, (kind, shape) = _name(body), body.words(2)
    if kind >= len(TYPES) or shape > BY_ENUM:
        body.fail(f"has field '{name}' of an unknown type", NEWER)
    by = body.word() if shape == BY_ENUM else None
    shape = ARRAY if shape == BY_ENUM else shape
    of, save, (*place, count) = body.word(), body.flag(), body.words(5)
    return Field(name, Type(kind, of, shape, count, by), Place(*place), save)


def _names(things: Iterable[Thing | Enum | Field]) -> list[str]:
    return [one.name for one in things]
