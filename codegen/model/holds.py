"""Takes `holds` apart: paths to values of a component, and what the values are compared with."""

from __future__ import annotations

import re

from model.expressions import Expr, Op
from model.model import Model
from model.record import record, replace
from model.scalars import SCALARS, Kind
from model.types import Base, Field, Range, Shape, Type

COUNT = Type(Base.NUMBER, "u32", Shape.ONE, 1)  # the type of a list's count
MAX_RULES = 32  # parts of one `holds`, joined by &

_STEP = re.compile(r"\.?([A-Za-z_][A-Za-z0-9_]*)|\[([A-Za-z0-9_]+)\]")
_NUMBER = re.compile(r"-?[0-9].*")


@record
class Leaf:
    """One value inside a component or singleton."""

    path: str  # an element of an array by an enum has the name of its value
    type: Type  # of one element
    place: str  # the path in C, where such an element has its number
    range: Range  # the limits of the value

    @property
    def is_bool(self) -> bool:
        return self.type.base is Base.NUMBER and SCALARS[self.type.name].kind is Kind.BOOL

    @property
    def is_number(self) -> bool:
        return self.type.base is Base.NUMBER and not self.is_bool


@record
class Wrong:
    """Explains why a path does not lead to a value."""

    message: str
    help: str
    names: tuple[str, ...] = ()  # names that the user may have meant


def rules(holds: Expr) -> list[Expr]:
    """Returns the parts of an expression that must all be true."""
    if holds.op is not Op.AND:
        return [holds]
    return [rule for operand in holds.operands for rule in rules(operand)]


def leaf(model: Model, fields: tuple[Field, ...], path: str) -> Leaf | Wrong | None:
    """Follows a path. Returns None if a field on the path could not be read."""
    known = {field.name: field for field in fields}
    steps = [(match[1], match[2]) for match in _STEP.finditer(path)]
    found: Field | None = None
    shown = place = ""
    while steps:
        name, _ = steps.pop(0)
        found = known.get(name)
        if found is None:
            return Wrong(f"'{name}' is not a field", "", tuple(known))
        type = found.type
        dot = "." if shown else ""
        shown, place = f"{shown}{dot}{name}", f"{place}{dot}{name}"
        if type.shape is Shape.LIST:
            if steps == [("count", None)]:
                return Leaf(f"{shown}.count", COUNT, f"{place}.count", Range(0, type.count))
            return Wrong(f"'{name}' is a list, which has no fixed items", f"use {name}.count")
        if type.shape is Shape.ARRAY:
            item = steps.pop(0)[1] if steps and steps[0][1] is not None else ""
            values = [value.name for value in model.types.enums[type.by].values] if type.by else []
            number = values.index(item) if item in values else _number(item)
            if number is None or number >= type.count:
                return _no_item(name, type, values)
            shown += f"[{values[number] if values else number}]"
            place += f"[{number}]"
        if type.base is Base.UNREAD:
            return None
        if type.base not in (Base.STRUCT, Base.EXTERN) or type.shape is Shape.STRING:
            break
        if not steps:
            help = f"use .{model.struct_of(type).fields[0].name}"
            return Wrong(f"'{name}' is a {type.base.value} with several values", help)
        known = {field.name: field for field in model.struct_of(type).fields}
    assert found is not None
    if steps:
        return Wrong(f"'{found.name}' is a single value", "remove the part after it")
    if found.type.shape is Shape.STRING:
        return Wrong(f"'{found.name}' is a string", "use numbers, bools, enums and entities")
    return Leaf(shown, replace(found.type, shape=Shape.ONE, count=1), place, found.range)


def _number(item: str) -> int | None:
    return int(item) if item.isdigit() else None


def _no_item(name: str, type: Type, values: list[str]) -> Wrong:
    first, last = (values[0], values[-1]) if values else (0, type.count - 1)
    items = f"{name}[{first}]" if type.count == 1 else f"{name}[{first}] to {name}[{last}]"
    what = f"an array by enum '{type.by}'" if values else f"an array of {type.count}"
    return Wrong(f"'{name}' is {what}", f"use {items}, or give the field a min or max")


def words(model: Model, left: Leaf) -> list[str]:
    """Returns the words that a value can be compared with. They hide fields with the same names."""
    if left.is_bool:
        return ["true", "false"]
    if left.type.base is Base.ENTITY:
        return ["none"]
    if left.type.base is Base.ENUM:
        return [value.name for value in model.types.enums[left.type.name].values]
    return []


def is_literal(text: str) -> bool:
    """Returns whether an operand is a number."""
    return bool(_NUMBER.fullmatch(text))
