"""These records hold the types of fields: built-in ones, and those that a schema declares."""

from __future__ import annotations

from enum import StrEnum

from model.declared import Declaration
from model.record import record
from source.source import Place


class Base(StrEnum):
    """The kind of one element of a field."""

    NUMBER = "number"  # bool u8 … f64: `name` is the scalar's name in scalars.py
    ENTITY = "entity"
    CHAR = "char"  # only as char[N]
    ENUM = "enum"
    STRUCT = "struct"
    EXTERN = "extern"
    UNREAD = "unread"  # the type could not be read


class Shape(StrEnum):
    """The number of elements that a field has."""

    ONE = "one"  # T
    ARRAY = "array"  # T[N]
    LIST = "list"  # T[..N]
    STRING = "string"  # char[N], N counts the NUL


@record
class Type:
    base: Base
    name: str  # "f32", "entity", "char", or the name of an enum, struct or extern
    shape: Shape
    count: int  # 1 for ONE, else N
    by: str = ""  # of an ARRAY: the enum or state whose values number its elements

    @property
    def text(self) -> str:
        """Returns the type as the schema writes it."""
        if self.by:
            return f"{self.name}[{self.by}]"
        suffix = {Shape.ONE: "", Shape.LIST: f"[..{self.count}]"}.get(self.shape, f"[{self.count}]")
        return self.name + suffix


# A default is kept as it is written: a str for an enum too, and a dict by field for a struct.
Value = bool | int | float | str | list["Value"] | dict[str, "Value"]


@record
class Range:
    """The least and the greatest value that tools let a field have."""

    min: int | float | None = None
    max: int | float | None = None


@record
class Field(Declaration):
    type: Type
    unit: str = ""
    range: Range = Range()
    default: Value | None = None  # None: all zero
    save: bool = True


@record
class EnumValue:
    name: str
    place: Place
    was: str = ""


@record
class EnumType:
    name: str
    place: Place
    values: tuple[EnumValue, ...]
    type: str  # "u8" "u16" "u32": the smallest that fits unless the schema chose one
    doc: str = ""
    kind: str = "enum"  # or "state": the values that a state can have


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
