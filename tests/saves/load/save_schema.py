"""The schema that a save was written with: names, types, and where each value lies."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

from save_bytes import Body, need

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
        return {one.name: {"type": self._type(one), "save": one.save} for one in fields}

    def _type(self, one: Field) -> str:
        names: dict[int, list[Enum] | list[Thing]] = {
            ENUM: self.enums,
            STRUCT: self.structs,
            EXTERN: self.externs,
        }
        name = names[one.type][one.of].name if one.type in names else TYPES[one.type]
        dots = ".." if one.shape == LIST else ""
        return name if one.shape == ONE else f"{name}[{dots}{one.count}]"

    def handle(self, bits: int) -> str:
        return f"{bits & (1 << self.index_bits) - 1}:{bits >> self.index_bits}"

    def pick(self, things: list[Thing], number: int, what: str) -> Thing:
        need(number < len(things), f"there is no {what} {number}")
        return things[number]


def _fields(body: Body) -> list[Field]:
    found = []
    for _ in range(body.word()):
        name, (kind, shape, of) = body.text(), body.words(3)
        need(kind <= EXTERN and shape <= STRING, f"field '{name}' is of no known type")
        found.append(Field(name, kind, shape, of, body.flag(), *body.words(5)))
    return found
