"""Rules that compare values with the types of fields.

The values are defaults, limits, and what prefabs and `requires` give to components.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from model.model import Model
from model.named import with_fields
from model.record import record, replace
from model.rng import is_built_in, is_rng
from model.scalars import SCALARS, Kind
from model.types import Base, Field, Shape, Type
from names.nearest import suggest
from parse import Parsed
from parse.reader import describe, show
from source.source import Report
from source.toml_places import Path


@record
class Given:
    """A value with its place, and the field or element that it is for."""

    field: Field
    type: Type
    value: object
    path: Path
    is_limit: bool = False  # it is the field's own min or max


@record
class Fields:
    """A table that gives values to fields by name."""

    what: str  # "component 'position'"
    fields: tuple[Field, ...]
    is_sound: bool
    table: Mapping[str, object]
    path: Path

    def given(self) -> Iterator[Given]:
        by_name = {field.name: field for field in _readable(self.fields)}
        for name, value in self.table.items():
            if name in by_name:
                field = by_name[name]
                yield Given(field, field.type, value, (*self.path, name))


def values(parsed: Parsed, report: Report) -> None:
    """Every value in the schema must follow every rule about values."""
    for item in _all(parsed):
        if isinstance(item, Fields):
            unknown_field(item, parsed, report)
        elif not _has_type(item.type, item.value):
            value_type(item, parsed, report)
        else:
            for rule in _RULES_OF_VALUES:
                rule(item, parsed, report)
            if not item.is_limit:
                value_limits(item, parsed, report)


def _all(parsed: Parsed) -> Iterator[Given | Fields]:
    for name, values, path in _for_components(parsed.model):
        component = parsed.model.data.components.get(name)
        if component:
            sound = parsed.sound("component", name)
            given = Fields(f"component '{name}'", component.fields, sound, values, path)
            yield from _unfold_fields(given, parsed)
    for path, field in _declared(parsed):
        if field.default is not None:
            given_default = Given(field, field.type, field.default, (*path, "default"))
            yield from _unfold(given_default, parsed)
        if _is_number(field.type):
            for key, limit in (("min", field.range.min), ("max", field.range.max)):
                if limit is not None:
                    yield Given(field, _element(field.type), limit, (*path, key), is_limit=True)


def _for_components(model: Model) -> Iterator[tuple[str, Mapping[str, object], Path]]:
    """Yields each component that is given values, the values, and their path."""
    for prefab in model.data.prefabs.values():
        path = ("prefab", prefab.name)
        for item in prefab.written.components:
            name = item.component.name
            yield name, item.values, (*path, "components", name)
        for part in prefab.written.parts:
            for item in part.change.components:
                name = item.component.name
                yield name, item.values, (*path, "parts", ".".join(part.path), "with", name)
    for owner in model.data.components.values():
        for one in owner.rules.values:
            given: Path = ("component", owner.name, "requires", one.index, "values")
            yield one.component.name, one.values, given


def _declared(parsed: Parsed) -> Iterator[tuple[Path, Field]]:
    """Yields each field whose type could be read, and the path of its table."""
    for kind, struct in with_fields(parsed.model):
        name = struct.name
        for field in _readable(struct.fields):
            yield (kind, name, "fields", field.name), field


def _readable(fields: tuple[Field, ...]) -> Iterator[Field]:
    return (field for field in fields if field.type.base is not Base.UNREAD)


def _unfold_fields(fields: Fields, parsed: Parsed) -> Iterator[Given | Fields]:
    yield fields
    for given in fields.given():
        yield from _unfold(given, parsed)


def _unfold(given: Given, parsed: Parsed) -> Iterator[Given | Fields]:
    """Yields a value, and the values inside it if they have the form of its type."""
    yield given
    type, value = given.type, given.value
    if type.shape in (Shape.ARRAY, Shape.LIST) and isinstance(value, list):
        for index, item in enumerate(value):
            element = replace(given, type=_element(type), value=item, path=(*given.path, index))
            yield from _unfold(element, parsed)
    elif type.by and isinstance(value, dict):
        for name, item in value.items():
            element = replace(given, type=_element(type), value=item, path=(*given.path, name))
            yield from _unfold(element, parsed)
    elif type.shape is Shape.ONE and isinstance(value, dict):
        kind, name = type.base.value, type.name
        if type.base in (Base.STRUCT, Base.EXTERN):
            sound, fields = parsed.sound(kind, name), parsed.model.struct_of(type).fields
            table = Fields(f"{kind} '{name}'", fields, sound, value, given.path)
            yield from _unfold_fields(table, parsed)


def _element(type: Type) -> Type:
    return replace(type, shape=Shape.ONE, count=1, by="")


def _is_number(type: Type) -> bool:
    return type.base is Base.NUMBER and SCALARS[type.name].kind is not Kind.BOOL


@record
class Wanted:
    """The Python types that tomllib returns for values of a type, and words for them."""

    types: tuple[type, ...]
    what: str
    help: str


_WANTED = {
    Base.CHAR: Wanted((str,), "a string", "write it in quotes"),
    Base.ENUM: Wanted((str,), "the name of a value", "write one of the enum's values in quotes"),
    Base.STRUCT: Wanted((dict,), "a table", "write { field = value }"),
    Base.EXTERN: Wanted((dict,), "a table", "write { field = value }"),
    Base.ENTITY: Wanted(
        (), "left out", "leave it out: it starts as none, and refs of a prefab can fill it"
    ),
}
_WANTED_RNG = Wanted((), "left out", "leave it out: each new value gets its own seed")
_WANTED_ARRAY = Wanted((list,), "an array", "write [value, value]")
_WANTED_BY_NAME = Wanted(
    (dict,), "a table", "write { <value of the enum> = … }; all others are zero"
)
_WANTED_INTEGER = Wanted((int,), "an integer", "write a whole number, without quotes or '.'")
_WANTED_NUMBER = {
    Kind.BOOL: Wanted((bool,), "true or false", "write true or false, without quotes"),
    Kind.FLOAT: Wanted((int, float), "a number", "write a number, without quotes"),
    Kind.UNSIGNED: _WANTED_INTEGER,
    Kind.SIGNED: _WANTED_INTEGER,
}


def _wanted(type: Type) -> Wanted:
    if type.by:
        return _WANTED_BY_NAME
    if type.shape in (Shape.ARRAY, Shape.LIST):
        return _WANTED_ARRAY
    if type.base is Base.NUMBER:
        return _WANTED_NUMBER[SCALARS[type.name].kind]
    return _WANTED[type.base]


def _has_type(type: Type, value: object) -> bool:
    types = _wanted(type).types
    return bool in types if isinstance(value, bool) else isinstance(value, types)


def value_type(given: Given, parsed: Parsed, report: Report) -> None:
    wanted, field = _wanted(given.type), given.field
    if is_rng(field) and is_built_in(parsed.model):
        wanted = _WANTED_RNG
    got = describe(given.value)
    message = f"'{field.name}' is {field.type.text}, so this must be {wanted.what}, not {got}"
    report.error("value-type", parsed.book.value(*given.path), message, help=wanted.help)


def value_finite(given: Given, parsed: Parsed, report: Report) -> None:
    if isinstance(given.value, float) and not math.isfinite(given.value):
        message = f"'{given.field.name}' cannot be {show(given.value)} in a schema"
        help = "write a finite number; the game may still store others"
        report.error("value-finite", parsed.book.value(*given.path), message, help=help)


def value_range(given: Given, parsed: Parsed, report: Report) -> None:
    number = _number(given)
    if number is None:
        return
    scalar = SCALARS[given.type.name]
    if not scalar.low <= number <= scalar.high:
        message = f"{show(number)} does not fit into {scalar.name}"
        help = f"{scalar.name} stores {scalar.low} to {scalar.high}"
        report.error("value-range", parsed.book.value(*given.path), message, help=help)


def value_limits(given: Given, parsed: Parsed, report: Report) -> None:
    number, field = _number(given), given.field
    if number is not None:
        broken = _broken_limit(field, number)
        if broken:
            message = f"'{field.name}' is {show(number)}, which is {broken}"
            help = "write a value within the field's limits"
            report.error("value-limits", parsed.book.value(*given.path), message, help=help)


def text_length(given: Given, parsed: Parsed, report: Report) -> None:
    type, value = given.type, given.value
    if type.base is Base.CHAR and isinstance(value, str) and len(value.encode()) >= type.count:
        size = len(value.encode())
        message = f"{size} bytes of text do not fit into {type.text}"
        help = f"use char[{size + 1}]: the size includes the NUL at the end"
        report.error("text-length", parsed.book.value(*given.path), message, help=help)


def text_nul(given: Given, parsed: Parsed, report: Report) -> None:
    if given.type.base is Base.CHAR and isinstance(given.value, str) and "\0" in given.value:
        place = parsed.book.value(*given.path)
        message = f"the text of '{given.field.name}' contains a NUL, which would end it"
        report.error("text-nul", place, message, help="remove the \\u0000")


def item_count(given: Given, parsed: Parsed, report: Report) -> None:
    type, value = given.type, given.value
    if isinstance(value, list) and len(value) > type.count:
        place = parsed.book.value(*given.path, type.count)
        message = f"{len(value)} items do not fit into {type.text}"
        report.error("item-count", place, message, help=f"write at most {type.count} items")


def enum_value(given: Given, parsed: Parsed, report: Report) -> None:
    type, value = given.type, given.value
    if type.base is Base.ENUM and isinstance(value, str):
        enum = parsed.model.types.enums[type.name]
        names = [known.name for known in enum.values] if parsed.sound(enum.kind, enum.name) else []
        if names and value not in names:
            place = parsed.book.value(*given.path)
            message = f"{show(value)} is not a value of {enum.kind} '{type.name}'"
            report.error("enum-value", place, message, help=suggest(value, names, "its values"))


def element_name(given: Given, parsed: Parsed, report: Report) -> None:
    """The elements of an array by an enum have the names of the enum's values as keys."""
    by, value = given.type.by, given.value
    if not by or not isinstance(value, dict):
        return
    enum = parsed.model.types.enums[by]
    names = [known.name for known in enum.values] if parsed.sound(enum.kind, by) else list(value)
    for name in value:
        if name not in names:
            place = parsed.book.key(*given.path, name)
            message = f"{show(name)} is not a value of {enum.kind} '{by}'"
            report.error("enum-value", place, message, help=suggest(name, names, "its values"))


_RULES_OF_VALUES = (
    value_finite,
    value_range,
    text_length,
    text_nul,
    item_count,
    enum_value,
    element_name,
)


def unknown_field(fields: Fields, parsed: Parsed, report: Report) -> None:
    names = [field.name for field in fields.fields]
    for name in fields.table:
        if name not in names and fields.is_sound:
            place = parsed.book.key(*fields.path, name)
            message = f"'{name}' is not a field of {fields.what}"
            help = suggest(name, names, "its fields") or "remove it"
            report.error("unknown-field", place, message, help=help)


def limits_type(parsed: Parsed, report: Report) -> None:
    for path, field in _declared(parsed):
        for key in ("min", "max"):
            if getattr(field.range, key) is not None and not _is_number(field.type):
                place = parsed.book.key(*path, key)
                message = f"'{field.name}' is {field.type.text}, so it cannot have '{key}'"
                report.error("limits-type", place, message, help="only numbers have limits")


def limits_order(parsed: Parsed, report: Report) -> None:
    for path, field in _declared(parsed):
        if not _limits_agree(field):
            place = parsed.book.value(*path, "min")
            message = (
                f"'{field.name}' has min {field.range.min}, which is above its max "
                f"{field.range.max}"
            )
            report.error("limits-order", place, message, help="swap the two")


def zero_outside(parsed: Parsed, report: Report) -> None:
    """A field without a default starts at zero; so do elements that a default leaves out."""
    for path, field in _declared(parsed):
        whole = field.type.count if field.type.shape is not Shape.LIST else 0
        given = len(field.default) if isinstance(field.default, list | dict) else 0
        starts = field.default is None or isinstance(field.default, list | dict)
        broken = _broken_limit(field, 0) if _is_number(field.type) else ""
        if broken and starts and given < whole:
            place = parsed.book.key(*path)
            message = f"'{field.name}' starts at 0, which is {broken}"
            report.error("zero-outside", place, message, help="give it a default within its limits")


def _number(given: Given) -> int | float | None:
    """Returns the value if it is a finite number, and the field is a number."""
    value = given.value
    if not _is_number(given.type) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def _broken_limit(field: Field, number: int | float) -> str:
    """Returns the limit that a number breaks; "" if it breaks none, or the limits are wrong."""
    low, high = field.range.min, field.range.max
    if not _limits_agree(field) or not _limits_fit(field):
        return ""
    if low is not None and number < low:
        return f"below its min of {low}"
    return f"above its max of {high}" if high is not None and number > high else ""


def _limits_agree(field: Field) -> bool:
    return field.range.min is None or field.range.max is None or field.range.min <= field.range.max


def _limits_fit(field: Field) -> bool:
    limits = (limit for limit in (field.range.min, field.range.max) if limit is not None)
    return all(_has_type(_element(field.type), limit) for limit in limits)


RULES = (values, limits_type, limits_order, zero_outside)
