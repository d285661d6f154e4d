"""Reads field types: `T`, `T[N]`, `T[..N]`, `char[N]` and `T[E]`, where T may be a declared type.

E is an enum or a state, whose values are the indices of the array.
"""

from __future__ import annotations

import re

from model.record import record
from model.scalars import NUMBER_TYPES, SCALARS
from model.types import Base, Shape, Type

BUILT_IN = (*NUMBER_TYPES, "entity", "char")
MAX_ITEMS = 65_536

# Type names of C and other languages that users write by habit, each with the scalar that it means.
# If several scalars have the same C type, the one with more digits is meant.
_BY_DIGITS = sorted(NUMBER_TYPES, key=lambda name: SCALARS[name].digits)
FOREIGN = {SCALARS[name].c: name for name in _BY_DIGITS} | {
    "int": "i32", "uint": "u32", "unsigned": "u32", "long": "i64", "short": "i16", "byte": "u8",
    "boolean": "bool", "_Bool": "bool", "size_t": "u64", "string": "char[32]", "str": "char[32]",
}  # fmt: skip

_ELEMENT = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*")
_COUNT = re.compile(r"\[\s*(?:(\.\.)?\s*([0-9]+)|([A-Za-z_][A-Za-z0-9_]*))\s*\]\s*")

# Matches everything that `read_type` accepts, with any count. JavaScript must be able to read it.
TYPE = rf"(?!\s*char\s*($|\[\s*[.A-Za-z_])){_ELEMENT.pattern}({_COUNT.pattern})?"


@record
class Written:
    """A field type as written, before its names are looked up."""

    element: str
    start: int  # offset of the element in the text
    shape: Shape
    count: int
    by: str = ""  # the enum or state whose values are the indices
    by_start: int = 0  # offset of that name


class TypeTextError(Exception):
    """A text that is not a field type, with a message, the wrong span and help."""

    def __init__(self, id: str, message: str, start: int, length: int, help: str) -> None:
        super().__init__(message)
        self.id = id
        self.message = message
        self.start = start
        self.length = length
        self.help = help


def read_type(text: str) -> Written:
    """Splits the text of a type. Raises TypeTextError."""
    element = _ELEMENT.match(text)
    if not element:
        raise _bad(f"'{text}' is not a field type", 0, len(text))
    name, start = element[1], element.start(1)
    if element.end() == len(text):
        if name == "char":
            raise _bad("'char' alone is not a field type", start, len(name), "write char[N] or u8")
        return Written(name, start, Shape.ONE, 1)
    count = _COUNT.match(text, element.end())
    if not count:
        rest = text[element.end() :]
        help = "write T[N] or T[<enum>] for an array, T[..N] for a list, char[N] for a string"
        raise _bad(f"'{rest}' cannot be part of a field type", element.end(), len(rest), help)
    if count.end() < len(text):
        rest = text[count.end() :]
        help = "put the inner array into a struct"
        raise _bad("an array has only one dimension", count.end(), len(rest), help)
    if count[3] and name == "char":
        raise _bad(
            "a string needs a number of bytes", count.start(3), len(count[3]), "write char[N]"
        )
    if count[3]:
        return Written(name, start, Shape.ARRAY, 0, count[3], count.start(3))
    return Written(name, start, _shape(name, count), _items(count))


def element_of(text: str) -> str:
    """Returns the name with which a text begins; "" if it begins with none."""
    element = _ELEMENT.match(text)
    return element[1] if element else ""


def _shape(name: str, count: re.Match[str]) -> Shape:
    if name != "char":
        return Shape.LIST if count[1] else Shape.ARRAY
    if count[1]:
        help = f"write char[{count[2]}]"
        raise _bad("a string cannot have '..'", count.start(1), 2, help)
    return Shape.STRING


def _items(count: re.Match[str]) -> int:
    digits = count[2]
    if len(digits) <= len(str(MAX_ITEMS)) and 1 <= int(digits) <= MAX_ITEMS:
        return int(digits)
    message = f"{digits} items are not allowed: the number must be from 1 to {MAX_ITEMS}"
    help = f"write a number from 1 to {MAX_ITEMS}"
    raise TypeTextError("array-size", message, count.start(2), len(digits), help)


def _bad(message: str, start: int, length: int, help: str = "") -> TypeTextError:
    numbers = " ".join(NUMBER_TYPES)
    if "*" in message:
        help = "there are no pointers; write entity for a handle of another entity"
    help = help or f"write one of {numbers} entity char[N] T[N] T[..N], or a name"
    return TypeTextError("bad-type", message, start, length, help)


def resolve(written: Written, named: dict[str, Base], sizes: dict[str, int]) -> Type | None:
    """Returns the type, or None if a name in it is neither a built-in type nor in `named`.

    `sizes` contains the number of values of each enum and state.
    """
    base = _BASES.get(written.element) or named.get(written.element)
    if base is None or (written.by and written.by not in sizes):
        return None
    count = sizes[written.by] if written.by else written.count
    return Type(base, written.element, written.shape, count, written.by)


UNREAD = Type(Base.UNREAD, "", Shape.ONE, 1)  # stands for a type that could not be read

_BASES = dict.fromkeys(NUMBER_TYPES, Base.NUMBER) | {"entity": Base.ENTITY, "char": Base.CHAR}
