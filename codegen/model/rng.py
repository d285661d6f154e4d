"""The field type `rng` is an extern that is added to a schema if one of its fields uses it.

So saves, JSON, reflection and verdicts treat it like any struct from a header; only its seed is
special. If a schema declares a type with that name, that type is used instead.
"""

from __future__ import annotations

from model.data import Component, Singleton
from model.declared import Declared
from model.model import Model
from model.named import structs
from model.record import replace
from model.types import Base, ExternType, Field, Shape, Type

RNG = "rng"
DOC = "A sequence of random numbers, which weft_rng_u32 and others draw from."


def is_rng(field: Field) -> bool:
    return field.type.base is Base.EXTERN and field.type.name == RNG


def with_rng(model: Model) -> Model:
    """Adds the extern for `rng`, if a field has that type and the schema does not declare it."""
    fields = [field for _, struct in structs(model) for field in struct.fields if is_rng(field)]
    if not fields or RNG in model.types.externs:
        return model
    place = fields[0].place
    state = Field(Declared("state", place), Type(Base.NUMBER, "u32", Shape.ARRAY, 4))
    extern = ExternType(Declared(RNG, place, DOC), "weft.h", "weft_rng", 16, 4, (state,))
    return replace(model, types=replace(model.types, externs=model.types.externs | {RNG: extern}))


def is_built_in(model: Model) -> bool:
    """Returns whether the world has fields of the built-in type `rng`."""
    return RNG in model.types.externs and model.types.externs[RNG].c == "weft_rng"


def seeded(model: Model, thing: Component | Singleton) -> bool:
    """Returns whether the world seeds a new value."""
    return is_built_in(model) and any(is_rng(field) for field in thing.fields)
