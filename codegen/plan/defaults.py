"""Writes the default values of members as default member initialisers of C++20.

An initialiser of C leaves out zeros. In C++ a member that is left out gets the default of its type.
So initialisers of C++ contain all values of the schema, even zeros, and `{}` for other values.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.model import Model
from model.scalars import SCALARS, Kind
from model.types import Base, Field, Shape, Type, Value
from names.names import Names
from plan import text


class Defaults:
    def __init__(self, model: Model, names: Names) -> None:
        self.model, self.names = model, names

    def of_field(self, field: Field) -> str:
        return self._value(field.type, field.default)

    def of_struct(self, fields: tuple[Field, ...], given: dict[str, Value] | None) -> str:
        """Writes a struct with some given fields; the others get their defaults."""
        parts = [
            f".{field.name} = {self._value(field.type, given[field.name])}"
            for field in fields
            if given and field.name in given
        ]
        return "{" + ", ".join(parts) + "}"

    def _value(self, type: Type, value: Value | None) -> str:
        if type.shape is Shape.STRING:
            return text.string_array(value) if isinstance(value, str) and value else "{}"
        if type.shape is Shape.ONE:
            return self._element(type, value)
        items = [self._element(type, item) for item in self._items(type, value)]
        braces = "{" + ", ".join(items) + "}"
        if type.shape is Shape.LIST and items:
            return f"{{.count = {len(items)}, .items = {braces}}}"
        return braces if items else "{}"

    def _items(self, type: Type, value: Value | None) -> list[Value | None]:
        if isinstance(value, dict):
            return [value.get(one.name) for one in self.model.types.enums[type.by].values]
        return [*value] if isinstance(value, list) else []

    def _element(self, type: Type, value: Value | None) -> str:
        if type.base is Base.STRUCT:
            given = value if isinstance(value, dict) else None
            return self.of_struct(self.model.types.structs[type.name].fields, given)
        if type.base is Base.EXTERN:
            return self._extern(type, value if isinstance(value, dict) else {})
        if type.base is Base.ENTITY:
            return "{}"
        if type.base is Base.ENUM:
            values = self.model.types.enums[type.name].values
            return self.names.enum_value(type.name, str(value or values[0].name))
        return _scalar(type.name, value or 0)

    def _extern(self, type: Type, given: dict[str, Value]) -> str:
        """Writes a value of a type of the game, whose members may be in another order."""
        extern = self.model.types.externs[type.name]
        leaves = [
            leaf
            for field in extern.fields
            for leaf in self._leaves(
                f"v.{field.name}", field.type, given.get(field.name, field.default)
            )
        ]
        if not leaves:
            return "{}"
        statements = " ".join(f"{path} = {literal};" for path, literal in leaves)
        return f"[] {{ {extern.c} v = {{}}; {statements} return v; }}()"

    def _leaves(self, path: str, type: Type, value: Value | None) -> Iterator[tuple[str, str]]:
        """Yields the members of a value that are not zero, with their literals."""
        if type.shape is Shape.STRING:
            data = str(value or "").encode()
            yield from ((f"{path}[{i}]", str(byte)) for i, byte in enumerate(data))
        elif type.shape is Shape.ONE:
            yield from self._leaf(path, type, value)
        else:
            for i, item in enumerate(self._items(type, value)):
                yield from self._leaf(f"{path}[{i}]", type, item)

    def _leaf(self, path: str, type: Type, value: Value | None) -> Iterator[tuple[str, str]]:
        if type.base in (Base.STRUCT, Base.EXTERN):
            literal = self._element(type, value)
            yield from [(path, literal)] if literal != "{}" else []
        elif value:
            yield path, self._element(type, value)


def _scalar(scalar: str, value: Value) -> str:
    kind = SCALARS[scalar].kind
    if kind is Kind.BOOL:
        return "true" if value else "false"
    assert isinstance(value, int | float)
    if kind is Kind.FLOAT:
        return text.float_literal(value, scalar)
    return text.integer_literal(int(value), scalar) if value else "0"
