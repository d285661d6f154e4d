"""The schema that a save was written with: names, types, and where each value lies.

What passes here can be walked without care: names are words, each is there once, structs lie in no
circle, and a value has no more parts than bytes, but for unions of externs.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from saves.damage import need
from saves.sections import NEWER, Body

# The codes of numbers for struct and memory views, by type.
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
ONE, ARRAY, LIST, STRING, BY_ENUM = 0, 1, 2, 3, 4  # the last of saves alone: an array by an enum
TABLE, SPARSE, TAG = 0, 1, 2

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
DEPTH_MAX = 64  # of structs in structs
OVERLAPS_MAX = 16  # values at one byte, by unions

Item = TypeVar("Item")


def is_whole(type: int) -> bool:
    """Tells whether values of a type are whole numbers, whatever its number among the types."""
    return type in NUMBERS and NUMBERS[type] not in "?fd"


@dataclass(frozen=True)
class Type:
    """The type of a field; count is 1 for ONE, and the longest there may be for LIST and STRING."""

    base: int
    of: int = 0  # the enum, struct or extern that an element is
    shape: int = ONE
    count: int = 1
    by: int | None = None  # the enum whose values number the elements of an array


@dataclass(frozen=True)
class Place:
    """The bytes of a field, from the beginning of what has it."""

    offset: int
    size: int
    element_size: int
    items_offset: int = 0  # of a list, in its own bytes


@dataclass(frozen=True)
class Field:
    name: str
    type: Type
    place: Place
    save: bool = True


@dataclass
class Thing:
    """A struct, extern, component, singleton, event or relation; what it has not is empty."""

    name: str
    storage: int = TABLE
    soa: bool = False
    save: bool = True
    size: int = 0
    fields: list[Field] = field(default_factory=list)

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
        self.enums = _list(body, _enum)
        self.structs = _list(body, _structure)
        self.externs = _list(body, _structure)
        self.components = _list(body, _component)
        self.singletons = _list(body, _singleton)
        self.events = _list(body, _structure)
        self.relations = _list(body, lambda body: Thing(name=_name(body)))
        body.end()
        self._parts: dict[int, int] = {}
        self._check_names()
        for things in (self.structs, self.externs, self.components, self.singletons, self.events):
            for thing in things:
                self._check_fields(thing)
                self._count_parts(thing, DEPTH_MAX)

    def _check_handles(self, body: Body) -> None:
        bits = 8 * self.handle_bytes
        sound = 1 <= self.index_bits <= 32 and 1 <= self.generation_bits <= 32
        body.need(sound and bits in (16, 32, 64), "has handles of no known width")
        body.need(self.index_bits + self.generation_bits <= bits, "has handles that overflow")

    def _check_names(self) -> None:
        declared = (*self.components, *self.singletons, *self.events, *self.relations)
        groups: list[list[str]] = [
            _names(group) for group in (declared, self.enums, self.structs, self.externs)
        ]
        groups += [_names(one.fields) for one in (*declared, *self.structs, *self.externs)]
        for names in groups:
            if len(names) != len(set(names)):
                twice = next(name for name in names if names.count(name) > 1)
                need(False, f"section 'SCHM': '{twice}' is there twice")

    def _check_fields(self, thing: Thing) -> None:
        for one in thing.fields:
            words = f"section 'SCHM': field '{one.name}' of '{thing.name}' is not what it can be"
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
        if one.type.base in (STRUCT, EXTERN):
            return self.inner(one).size
        if one.type.base == ENTITY:
            return self.handle_bytes
        number = self.number_type(one)
        return 1 if number == CHAR else struct.calcsize("<" + NUMBERS[number])

    def _count_parts(self, thing: Thing, depth: int) -> int:
        """Counts the single values of a value, and refuses structs in a circle."""
        if id(thing) not in self._parts:
            words = f"section 'SCHM': '{thing.name}' has structs in structs without an end"
            need(depth > 0, words)
            parts = sum(
                one.type.count * self._count_parts(self.inner(one), depth - 1)
                if one.type.base in (STRUCT, EXTERN)
                else 1
                if one.type.shape == STRING
                else one.type.count
                for one in thing.fields
            )
            words = f"section 'SCHM': '{thing.name}' has {parts:,} values in {thing.size:,} bytes"
            need(parts <= OVERLAPS_MAX * thing.size, words)
            self._parts[id(thing)] = parts
        return self._parts[id(thing)]

    def inner(self, one: Field) -> Thing:
        """Returns the struct or extern that a field is of."""
        things = self.structs if one.type.base == STRUCT else self.externs
        return self.pick(things, one.type.of, "struct")

    def places(self, one: Field) -> list[str]:
        """Returns the names that the elements of an array by an enum go by."""
        return self.pick(self.enums, one.type.by, "enum").values if one.type.by is not None else []

    def elements(self, one: Field) -> list[Field]:
        """Returns the elements of an array by an enum as fields of their own, by their names."""
        size, type = one.place.element_size, Type(one.type.base, one.type.of)
        return [
            replace(one, name=name, type=type, place=Place(i * size, size, size))
            for i, name in enumerate(self.places(one))
        ]

    def number_type(self, one: Field) -> int:
        """Returns the type of a field's numbers, which is its own unless it is of an enum."""
        type = one.type
        return self.pick(self.enums, type.of, "enum").type if type.base == ENUM else type.base

    def described(self) -> dict[str, Any]:
        """Returns all that values are of, by name, with types as a schema writes them."""
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
        return {one.name: {"type": self.type_of(one), "save": one.save} for one in fields}

    def type_of(self, one: Field) -> str:
        """Returns a field's type as a schema writes it."""
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
        need(number < len(things), f"there is no {what} {number:,} in the save's own schema")
        return things[number]


def _list(body: Body, read: Callable[[Body], Item]) -> list[Item]:
    return [read(body) for _ in range(body.count())]


def _name(body: Body) -> str:
    name = body.text()
    if not NAME.fullmatch(name):
        body.fail(f"has a name that no schema can have: {name!r}")
    return name


def _enum(body: Body) -> Enum:
    name, number = _name(body), body.word()
    body.need(is_whole(number), f"enum '{name}' is no number")
    return Enum(name, number, _list(body, _name))


def _structure(body: Body) -> Thing:
    return Thing(name=_name(body), size=body.word(), fields=_list(body, _field))


def _component(body: Body) -> Thing:
    name, storage = _name(body), body.word()
    if storage > TAG:
        body.fail(f"has component '{name}' in a storage that is not known", NEWER)
    soa, save, size, fields = body.flag(), body.flag(), body.word(), _list(body, _field)
    body.need(storage == TABLE or not soa, f"has component '{name}' in columns outside of tables")
    body.need((storage == TAG) == (not fields), f"has component '{name}', which is no tag")
    return Thing(name, storage, soa, save, size, fields)


def _singleton(body: Body) -> Thing:
    return Thing(name=_name(body), save=body.flag(), size=body.word(), fields=_list(body, _field))


def _field(body: Body) -> Field:
    name, (kind, shape) = _name(body), body.words(2)
    if kind >= len(TYPES) or shape > BY_ENUM:
        body.fail(f"has field '{name}' of a type that is not known", NEWER)
    by = body.word() if shape == BY_ENUM else None
    shape = ARRAY if shape == BY_ENUM else shape
    of, save, (*place, count) = body.word(), body.flag(), body.words(5)
    return Field(name, Type(kind, of, shape, count, by), Place(*place), save)


def _names(things: Iterable[Thing | Enum | Field]) -> list[str]:
    return [one.name for one in things]
