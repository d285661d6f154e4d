"""Sizes and alignments of values in C, with structs laid out as compilers do it."""

from __future__ import annotations

from typing import NamedTuple

from model.data import Component
from model.handles import word
from model.model import Model
from model.scalars import SCALARS
from model.types import Base, Field, Shape, StructType, Type


class Size(NamedTuple):
    bytes: int
    align: int


class Sizes:
    """The sizes of a model. Each struct is laid out once."""

    def __init__(self, model: Model, align_max: int = 64) -> None:
        """`align_max` is 4 if no scalar is aligned to more than 4 bytes, as on i386."""
        self._model = model
        self._align_max = align_max
        entities = model.world.entities
        self.handle_bytes = word(entities.index_bits, entities.generation_bits) // 8
        self._structs: dict[str, Size] = {}

    def of_struct(self, fields: tuple[Field, ...]) -> Size:
        return _struct([self._of_field(f.type) for f in fields])

    def of_row(self, component: Component) -> int:
        """Returns the bytes of a row of a component with fields."""
        if component.is_soa:
            return sum(self._of_field(f.type).bytes for f in component.fields)
        return self.of_struct(component.fields).bytes

    def _of_field(self, type: Type) -> Size:
        one = self._of_element(type)
        if type.shape is Shape.LIST:
            return _struct([Size(4, 4), Size(one.bytes * type.count, one.align)])
        return Size(one.bytes * type.count, one.align)

    def _of_element(self, type: Type) -> Size:
        size = self._laid_out(type)
        return Size(size.bytes, min(size.align, self._align_max))

    def _laid_out(self, type: Type) -> Size:
        if type.base is Base.ENTITY:
            return Size(self.handle_bytes, self.handle_bytes)
        if type.base is Base.ENUM:
            return _scalar(self._model.types.enums[type.name].type)
        if type.base is Base.EXTERN:
            extern = self._model.types.externs[type.name]
            return Size(extern.size, extern.align)
        if type.base is Base.STRUCT:
            if type.name not in self._structs:
                struct: StructType = self._model.types.structs[type.name]
                self._structs[type.name] = self.of_struct(struct.fields)
            return self._structs[type.name]
        return _scalar(type.name)


def _scalar(name: str) -> Size:
    return Size(SCALARS[name].bytes, SCALARS[name].align)


def _struct(sizes: list[Size]) -> Size:
    at, align = 0, 1
    for size in sizes:
        at = -(-at // size.align) * size.align + size.bytes
        align = max(align, size.align)
    return Size(-(-at // align) * align, align)
