"""The field type `rng` is an extern that a schema has once one of its fields has that type.

So saves, JSON, reflection and verdicts know it as they know any struct of a header; only its seed
is its own. A schema that declares a type of that name itself means its own.
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
    """Adds the extern behind `rng`, if a field has that type and no declaration has that name."""
    fields = [field for _, struct in structs(model) for field in struct.fields if is_rng(field)]
    if not fields or RNG in model.types.externs:
        return model
    place = fields[0].place
    state = Field(Declared("state", place), Type(Base.NUMBER, "u32", Shape.ARRAY, 4))
    extern = ExternType(Declared(RNG, place, DOC), "weft.h", "weft_rng", 16, 4, (state,))
    return replace(model, types=replace(model.types, externs=model.types.externs | {RNG: extern}))


def is_built_in(model: Model) -> bool:
    """Returns whether the world has fields of the type that the language brings along."""
    return RNG in model.types.externs and model.types.externs[RNG].c == "weft_rng"


def seeded(model: Model, thing: Component | Singleton) -> bool:
    """Returns whether a value begins with a seed that the world gives it."""
    return is_built_in(model) and any(is_rng(field) for field in thing.fields)
