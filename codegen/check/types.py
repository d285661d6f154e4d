"""Rules about enums, structs, externs, and the sizes of everything with fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from check.headers import generated_headers, header_mistake
from check.names import MAX_NAME
from model.data import Prefab, Resource
from model.graph import Graph, circles, targets_first
from model.model import Model
from model.named import Shaped, structs, with_fields
from model.parts import MAX_ENTITIES, prefab_graph
from model.rng import is_built_in, is_rng
from model.scalars import SCALARS
from model.types import Base, EnumValue, ExternType, Field, Shape, Type
from names.nearest import a
from names.words import MEMBER_MACROS, RESERVED
from parse import Parsed
from source.source import Note, Report

MAX_VALUE_BYTES = 1 << 20  # bytes of a C struct with fields, because it is passed by value
MAX_ALIGN = 64
MAX_STRUCT_DEPTH = 32  # depth of structs inside structs

SMALLEST_HANDLE_BYTES = 2
LIST_COUNT_BYTES = 4

C_IDENTIFIER = re.compile(rf"[A-Za-z_][A-Za-z0-9_]{{0,{MAX_NAME - 1}}}")
_C_TYPE = re.compile(rf"(?:(?:struct|union|enum) )?({C_IDENTIFIER.pattern})")


def enum_empty(parsed: Parsed, report: Report) -> None:
    for enum in parsed.model.types.enums.values():
        if not enum.values and parsed.sound(enum.kind, enum.name):
            place = parsed.book.value(enum.kind, enum.name, "values")
            help = "add at least one; 0 means the first one"
            report.error("enum-empty", place, f"{enum.kind} '{enum.name}' has no values", help=help)


def duplicate_value(parsed: Parsed, report: Report) -> None:
    for enum in parsed.model.types.enums.values():
        first: dict[str, EnumValue] = {}
        for value in enum.values:
            other = first.setdefault(value.name, value)
            if other is not value:
                message = f"{enum.kind} '{enum.name}' lists '{value.name}' twice"
                notes = [Note(other.place, "the first is here")]
                report.error(
                    "duplicate-value",
                    value.place,
                    message,
                    help="remove one of the two",
                    notes=notes,
                )


def enum_size(parsed: Parsed, report: Report) -> None:
    for enum in parsed.model.types.enums.values():
        most = int(SCALARS[enum.type].high) + 1
        if len(enum.values) > most:
            place = parsed.book.key("enum", enum.name, "type")
            count = len(enum.values)
            message = f"enum '{enum.name}' has {count} values, but {enum.type} stores only {most}"
            help = "remove 'type': Weft then uses the smallest that fits"
            report.error("enum-size", place, message, help=help)


def no_fields(parsed: Parsed, report: Report) -> None:
    """Only a component or link may have no fields, because C has no empty structs."""
    for kind, item in with_fields(parsed.model):
        if kind not in ("component", "link") and not item.fields and parsed.sound(kind, item.name):
            help = 'add one: fields = { x = "f32" }'
            message = f"{kind} '{item.name}' has no fields"
            report.error("no-fields", item.place, message, help=help)


def recursive_struct(parsed: Parsed, report: Report) -> None:
    members = _members(parsed)
    for circle in circles(_graph(members)):
        steps = [
            (name, next(field for field in members[name] if field.type.name == target))
            for name, target in pairwise(circle)
        ]
        message = f"structs contain each other in a circle: {' -> '.join(circle)}"
        notes = [
            Note(field.place, f"'{name}' contains '{field.type.name}'") for name, field in steps
        ]
        help = "use an entity field instead, or merge them into one struct"
        report.error("recursive-struct", steps[0][1].place, message, help=help, notes=notes[1:])


def struct_depth(parsed: Parsed, report: Report) -> None:
    members = _members(parsed)
    graph = _graph(members)
    if circles(graph):
        return
    depths: dict[str, int] = {}
    for name in targets_first(graph):
        depths[name] = 1 + max((depths[inner] for inner in graph[name]), default=0)
        if depths[name] == MAX_STRUCT_DEPTH + 1:
            field = max(members[name], key=lambda field: depths[field.type.name])
            message = f"structs are nested more than {MAX_STRUCT_DEPTH} deep in '{name}'"
            help = "nest them less: one struct can have the fields of another"
            report.error("struct-depth", field.place, message, help=help)


def value_size(parsed: Parsed, report: Report) -> None:
    """Skips a value that contains one that is too large itself, so that it is reported once."""
    if circles(_graph(_members(parsed))):
        return
    sizes = _Sizes(parsed)
    for kind, item in structs(parsed.model):
        parts = [sizes.of_element(field.type) for field in item.fields]
        help = (
            "make it smaller: large data belongs in the game, which keeps it by an index or in "
            "weft_options.user"
        )
        _value_size(report, kind, item, sizes.of_fields(item.fields), parts, help)
    help = "remove some: set its largest components after the spawn, or in another prefab"
    prefabs = parsed.model.data.prefabs
    known: dict[str, int] = {}
    for name in _inner_first(parsed.model):
        parts = list(_inside(parsed.model, prefabs[name], sizes, known))
        known[name] = sum(parts)
        _value_size(report, "prefab", prefabs[name], known[name], parts, help)


def _inner_first(model: Model) -> list[str]:
    """Returns the prefabs, each after those of its parts. Those in a circle come last."""
    graph = prefab_graph(model)
    return list(graph) if circles(graph) else targets_first(graph)


def _inside(model: Model, prefab: Prefab, sizes: _Sizes, known: dict[str, int]) -> Iterator[int]:
    """Yields the sizes of the values in the struct of a prefab."""
    for item in prefab.components:
        if item.component.name in model.data.components:
            yield sizes.of_fields(model.data.components[item.component.name].fields)
    for part in prefab.parts:
        yield from [known.get(part.prefab.name, 0)] * min(part.count, MAX_ENTITIES)


def _value_size(
    report: Report,
    kind: str,
    item: Shaped | Prefab,
    size: int,
    parts: list[int],
    help: str,
) -> None:
    if size > MAX_VALUE_BYTES and all(part <= MAX_VALUE_BYTES for part in parts):
        message = f"{kind} '{item.name}' has {size} bytes, more than {MAX_VALUE_BYTES}"
        report.error("value-size", item.place, message, help=help)


def _of_the_game(parsed: Parsed) -> Iterator[tuple[str, ExternType | Resource]]:
    """Yields the types that the game declares, with the kind of their declaration."""
    yield from (("extern", one) for one in parsed.model.types.externs.values())
    yield from (("resource", one) for one in parsed.model.data.kept.resources.values())


def extern_header(parsed: Parsed, report: Report) -> None:
    generated = generated_headers(parsed.model)
    for kind, extern in _of_the_game(parsed):
        mistake = header_mistake(extern.header, generated)
        if mistake and parsed.sound(kind, extern.name):
            place = parsed.book.value(kind, extern.name, "header")
            report.error("extern-header", place, mistake[0], help=mistake[1])


def extern_c(parsed: Parsed, report: Report) -> None:
    for kind, extern in _of_the_game(parsed):
        name = _C_TYPE.fullmatch(extern.c)
        if (not name or name[1] in RESERVED) and parsed.sound(kind, extern.name):
            place = parsed.book.value(kind, extern.name, "c")
            message = f"'{extern.c}' is not a C type name"
            help = (
                f"write the name of a typedef, or 'struct name', with at most {MAX_NAME} characters"
            )
            report.error("extern-c", place, message, help=help)


def extern_align(parsed: Parsed, report: Report) -> None:
    for extern in parsed.model.types.externs.values():
        place = parsed.book.value("extern", extern.name, "align")
        if extern.align not in (1 << bit for bit in range(MAX_ALIGN.bit_length())):
            message = (
                f"'align' of extern '{extern.name}' is {extern.align}, but must be a power of two "
                f"up to {MAX_ALIGN}"
            )
            help = "write what alignof returns in C"
            report.error("extern-align", place, message, help=help)


def extern_size(parsed: Parsed, report: Report) -> None:
    finite = not circles(_graph(_members(parsed)))
    sizes = _Sizes(parsed) if finite else None
    for extern in parsed.model.types.externs.values():
        place = parsed.book.value("extern", extern.name, "size")
        message = f"'size' of extern '{extern.name}' is {extern.size}"
        help = "write what sizeof returns in C"
        if not 1 <= extern.size <= MAX_VALUE_BYTES:
            message += f", but must be from 1 to {MAX_VALUE_BYTES}"
        elif extern.align > 0 and extern.size % extern.align:
            message += f", but must be a multiple of its alignment {extern.align}"
        elif sizes and sizes.of_fields(extern.fields) > extern.size:
            message += f", but its fields need {sizes.of_fields(extern.fields)}"
        else:
            continue
        report.error("extern-size", place, message, help=help)


def extern_field(parsed: Parsed, report: Report) -> None:
    """The fields of an extern are members of a C struct, so their names must be valid in C."""
    for extern in parsed.model.types.externs.values():
        for field in extern.fields:
            reserved = RESERVED.get(field.name) if field.name not in MEMBER_MACROS else None
            if C_IDENTIFIER.fullmatch(field.name) and not reserved:
                continue
            message = f"field '{field.name}' of extern '{extern.name}' is not a C identifier"
            help = f"it is {reserved}" if reserved else "write the member's name in C"
            report.error("extern-field", field.place, message, help=help)


def rng_place(parsed: Parsed, report: Report) -> None:
    """The world seeds an rng only if it is a separate field of a value that is stored in one
    piece.
    """
    for kind, struct in structs(parsed.model) if is_built_in(parsed.model) else ():
        component = parsed.model.data.components.get(struct.name) if kind == "component" else None
        for field in struct.fields:
            if not is_rng(field):
                continue
            help = "add a field of this type to a component or singleton"
            if kind not in ("component", "singleton"):
                why = f"{a(kind)} has no seed"
            elif field.type.shape is not Shape.ONE:
                why = "a field can have only one"
                help = "one is enough for any number of draws; otherwise add more fields"
            elif component and component.is_soa:
                why = 'layout = "soa" splits values'
                help = "move it to a component without layout"
            else:
                continue
            message = f"field '{field.name}' of {kind} '{struct.name}' cannot be an rng: {why}"
            report.error("rng-place", field.place, message, help=help)


def _members(parsed: Parsed) -> dict[str, list[Field]]:
    """Returns for each struct and extern its fields that are structs or externs."""
    every = {extern.name: extern.fields for extern in parsed.model.types.externs.values()}
    every |= {struct.name: struct.fields for struct in parsed.model.types.structs.values()}
    return {
        name: [field for field in fields if field.type.base in (Base.STRUCT, Base.EXTERN)]
        for name, fields in every.items()
    }


def _graph(members: dict[str, list[Field]]) -> Graph:
    return {name: [field.type.name for field in fields] for name, fields in members.items()}


class _Sizes:
    """The least number of bytes of values. Padding is not counted."""

    def __init__(self, parsed: Parsed) -> None:
        self._model = parsed.model
        self._structs: dict[str, int] = {}
        for name in targets_first(_graph(_members(parsed))):
            if name in self._model.types.structs:
                self._structs[name] = self.of_fields(self._model.types.structs[name].fields)

    def of_fields(self, fields: tuple[Field, ...]) -> int:
        return sum(self._of_type(field.type) for field in fields)

    def _of_type(self, type: Type) -> int:
        count = LIST_COUNT_BYTES if type.shape is Shape.LIST else 0
        return self.of_element(type) * type.count + count

    def of_element(self, type: Type) -> int:
        if type.base is Base.EXTERN:
            return max(self._model.types.externs[type.name].size, 1)
        if type.base is Base.ENUM:
            return SCALARS[self._model.types.enums[type.name].type].bytes
        if type.base is Base.ENTITY:
            return SMALLEST_HANDLE_BYTES
        if type.base is Base.STRUCT:
            return self._structs[type.name]
        if type.base is Base.UNREAD:
            return 0
        return SCALARS[type.name].bytes


def outside_type(parsed: Parsed, report: Report) -> None:
    for kind, item in with_fields(parsed.model):
        for field in item.fields:
            if not field.outside_none or field.type.base in (Base.ENTITY, Base.UNREAD):
                continue
            place = parsed.book.key(kind, item.name, "fields", field.name, "outside")
            message = f"field '{field.name}' of {kind} '{item.name}' has 'outside', but no handle"
            help = "remove it; in a struct, write it at the fields of type entity"
            report.error("outside-type", place, message, help=help)


RULES = (
    enum_empty,
    duplicate_value,
    enum_size,
    no_fields,
    recursive_struct,
    struct_depth,
    value_size,
    extern_header,
    extern_c,
    extern_align,
    extern_size,
    extern_field,
    rng_place,
    outside_type,
)
