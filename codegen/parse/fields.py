"""Reads `fields` tables of components, singletons, structs and other declarations."""

from __future__ import annotations

from collections.abc import Callable

from model.declared import Declared
from model.record import record
from model.types import Base, Field, Range, Type
from names.nearest import a, suggest
from parse.field_types import (
    BUILT_IN,
    FOREIGN,
    UNREAD,
    TypeTextError,
    Written,
    element_of,
    read_type,
    resolve,
)
from parse.keys import FIELD, OUTSIDE, Key
from parse.reader import Table, describe
from source.source import Place
from source.toml_places import Path


@record
class NamedTypes:
    """The declared names that a field type can use."""

    bases: dict[str, Base]
    kinds: dict[str, str]  # the kind of each name in the schema: "component", "query", …
    may_be: Callable[[str], bool]  # whether a mistake may hide a declaration of this name
    sizes: dict[str, int]  # the number of values of each enum and state


def read_fields(
    table: Table, named: NamedTypes, known: tuple[Key, ...] = FIELD
) -> tuple[Field, ...]:
    """Returns the fields in schema order. `known` contains the keys that a field may have."""
    return tuple(_read_field(table, name, named, known) for name in table.data)


def may_be_field(value: object, named: NamedTypes) -> bool:
    """Returns whether a value has the form of a field: a type, or a table with a type."""
    text = value.get("type") if isinstance(value, dict) else value
    name = element_of(text) if isinstance(text, str) else ""
    return name in (*BUILT_IN, *FOREIGN, *named.bases) or (name != "" and named.may_be(name))


def _read_field(fields: Table, name: str, named: NamedTypes, known: tuple[Key, ...]) -> Field:
    value = fields.data[name]
    place = fields.key_place(name)
    if isinstance(value, str):
        return Field(Declared(name, place), _read_type(fields, (name,), value, named))
    if not isinstance(value, dict):
        message = f"field '{name}' must be a type or a table, not {describe(value)}"
        help = f'write {name} = "f32", or {name} = {{ type = "f32", … }}'
        fields.report.error("wrong-type", fields.value_place(name), message, help=help)
        return Field(Declared(name, place), UNREAD)
    table = Table(value, (*fields.path, name), f"field '{name}'", fields.file, fields.report)
    table.expect(known)
    text = table.text("type")
    is_text = isinstance(value.get("type"), str)
    type = _read_type(table, ("type",), text, named) if is_text else UNREAD
    low, high, save = table.number("min"), table.number("max"), table.flag("save", True)
    doc, unit, was = table.text("doc"), table.text("unit"), table.text("was")
    declared, default = Declared(name, place, doc, was), value.get("default")
    outside_none = table.choice("outside", OUTSIDE, OUTSIDE[0]) == "none"
    return Field(declared, type, unit, Range(low, high), default, save, outside_none)


def _read_type(table: Table, key: Path, text: str, named: NamedTypes) -> Type:
    def at(start: int, length: int) -> Place:
        return table.file.places.inside((*table.path, *key), start, length)

    try:
        written = read_type(text)
    except TypeTextError as error:
        place = at(error.start, error.length)
        table.report.error(error.id, place, error.message, help=error.help)
        return UNREAD
    type = resolve(written, named.bases, named.sizes)
    wrong_by = written.by and written.by not in named.sizes
    if wrong_by and not named.may_be(written.by):
        message = f"'{written.by}' is not an enum or state, so it cannot be the index of an array"
        place = at(written.by_start, len(written.by))
        kind = named.kinds.get(written.by)
        near = suggest(written.by, (*named.sizes,))
        help = near or (f"it is {a(kind)}" if kind else f"declare [enum.{written.by}]")
        table.report.error("unknown-type", place, message, help=help)
    elif type is None and not wrong_by and not named.may_be(written.element):
        message = f"'{written.element}' is not a field type"
        place = at(written.start, len(written.element))
        table.report.error("unknown-type", place, message, help=_help(written, named))
    return type or UNREAD


def _help(written: Written, named: NamedTypes) -> str:
    if written.element in FOREIGN:
        return f"write '{FOREIGN[written.element]}'"
    near = suggest(written.element, (*BUILT_IN, *named.bases))
    if near:
        return near
    if written.element in named.kinds:
        kind = named.kinds[written.element]
        return f"'{written.element}' is {a(kind)}; use a scalar, enum, struct or extern"
    return f"declare [enum.{written.element}], [struct.{written.element}] or an extern"
