"""Records for the types of fields: built-in types, and those that a schema declares."""

from __future__ import annotations

from enum import StrEnum

from model.declared import Declaration
from model.record import record
from source.source import Place


class Base(StrEnum):
    """The kind of one element of a field."""

    NUMBER = "number"  # bool u8 … f64; `name` is the row of scalars.py
    ENTITY = "entity"
    CHAR = "char"  # only as char[N]
    ENUM = "enum"
    STRUCT = "struct"
    EXTERN = "extern"
    UNREAD = "unread"  # the type could not be read


class Shape(StrEnum):
    """How many elements a field has."""

    ONE = "one"  # T
    ARRAY = "array"  # T[N]
    LIST = "list"  # T[..N]
    STRING = "string"  # char[N]; N includes the NUL


@record
class Type:
    base: Base
    name: str  # "f32", "entity", "char", or the name of an enum, struct or extern
    shape: Shape
    count: int  # 1 for ONE, otherwise N
    by: str = ""  # for an ARRAY: the enum or state whose values are its indices

    @property
    def text(self) -> str:
        """Returns the type as the schema writes it."""
        if self.by:
            return f"{self.name}[{self.by}]"
        suffix = {Shape.ONE: "", Shape.LIST: f"[..{self.count}]"}.get(self.shape, f"[{self.count}]")
        return self.name + suffix


# A default as the schema writes it: for an enum a str, for a struct a dict by field.
Value = bool | int | float | str | list["Value"] | dict[str, "Value"]


@record
class Range:
    """The least and the greatest value that tools accept for a field."""

    min: int | float | None = None
    max: int | float | None = None


@record
class Field(Declaration):
    type: Type
    unit: str = ""
    range: Range = Range()
    default: Value | None = None  # None if all elements are zero
    save: bool = True
    outside_none: bool = False  # handles of entities that are not copied too become none in a copy


@record
class EnumValue:
    name: str
    place: Place
    doc: str = ""
    was: str = ""


@record
class EnumType:
    name: str
    place: Place
    values: tuple[EnumValue, ...]
    type: str  # "u8" "u16" "u32": the smallest that fits, unless the schema sets it
    doc: str = ""
    kind: str = "enum"  # or "state": the values of a state


@record
class StructType:
    name: str
    place: Place
    fields: tuple[Field, ...]
    doc: str = ""


@record
class ExternType(Declaration):
    header: str
    c: str
    size: int
    align: int
    fields: tuple[Field, ...]
