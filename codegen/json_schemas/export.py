"""The JSON Schema of a world as runtime/weft_json.h writes it.

A missing property is read as its default, so no field is required.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from json_schemas import Schema, closed, described, text
from model.data import Component, Link, Relation, Singleton
from model.model import Model
from model.scalars import SCALARS, Kind
from model.states import with_states
from model.types import Base, EnumType, Field, Shape

FORMAT = 1  # WEFT_JSON_FORMAT

_HANDLE = "^(0|[1-9][0-9]*):[1-9][0-9]*$"  # index:generation
_NO_NUMBERS = ("nan", "inf", "-inf")


def file_name(model: Model) -> str:
    return f"{model.world.name}.schema.json"


def export(model: Model) -> str:
    """Returns the text of the file."""
    model = with_states(model)
    name = model.world.name
    owners = {each.name: _owner(model, each) for each in model.data.components.values()}
    singletons = {each.name: _owner(model, each) for each in model.data.kept.singletons.values()}
    outside: Schema = {"parents": False}
    if model.data.links:
        outside["links"] = False
    world = {
        "weft": {"description": "The version of this format.", "const": FORMAT},
        "world": {"const": name},
        "singletons": closed(singletons),
        "entities": {
            "type": "array",
            "maxItems": model.world.entities.max,
            "items": {
                "$ref": "#/$defs/entity",
                "required": ["id"],
                "properties": outside,  # the relations and links contain them
            },
        },
        "relations": closed({each.name: _pairs(each) for each in model.data.relations.values()}),
    }
    linked = {each.name: _links(model, each) for each in model.data.links.values()}
    if linked:
        world["links"] = closed(linked)
    about = {"title": f"A world of {name}", **described(model.world.doc, {})}
    parents = {
        name: {"type": ["string", "null"], "pattern": _HANDLE} for name in model.data.relations
    }
    entity = {"id": _id(), "components": closed(owners), "parents": closed(parents)}
    if linked:
        ends = {each.name: _ends(model, each) for each in model.data.links.values()}
        entity["links"] = closed(ends)
    definitions = {
        "entity": closed(entity),
        **_definitions(model),
    }
    whole = about | closed(world, ["weft", "world"]) | {"$defs": definitions}
    return text(f"the schema of world '{name}'", whole)


def _id() -> Schema:
    return {"description": "Its handle: index:generation.", "type": "string", "pattern": _HANDLE}


def _pairs(relation: Relation) -> Schema:
    handle = {"type": "string", "pattern": _HANDLE}
    about = "[child, parent]: attached in this order, each as the first child."
    pair = {"type": "array", "items": handle, "minItems": 2, "maxItems": 2}
    return described(relation.doc, {"type": "array", "items": described(about, pair)})


def _links(model: Model, link: Link) -> Schema:
    """Returns the links of a kind in a world."""
    item = closed(_link_parts(model, link), ["from", "to"])
    return described(link.doc, {"type": "array", "items": item})


def _ends(model: Model, link: Link) -> Schema:
    """Returns the links of an entity: each names its other end."""
    item = closed(_link_parts(model, link))
    either = {"oneOf": [{"required": ["from"]}, {"required": ["to"]}]}
    return described(link.doc, {"type": "array", "items": item | either})


def _link_parts(model: Model, link: Link) -> Schema:
    handle = {"type": "string", "pattern": _HANDLE}
    value = {"value": _fields(model, link.fields)} if link.fields else {}
    return {"from": handle, "to": handle} | value


def _definitions(model: Model) -> Schema:
    """Returns enums, structs and externs, which never share a name."""
    found: Schema = {}
    for enum in model.types.enums.values():
        found[f"type.{enum.name}"] = described(enum.doc, _enum(enum))
    for kind in (model.types.structs, model.types.externs):
        for type in kind.values():
            found[f"type.{type.name}"] = described(type.doc, _fields(model, type.fields))
    return found


def _enum(enum: EnumType) -> Schema:
    """Returns the names of its values. If a value has a doc, each name is a schema of its own."""
    if any(value.doc for value in enum.values):
        return {"oneOf": [described(value.doc, {"const": value.name}) for value in enum.values]}
    return {"enum": [value.name for value in enum.values]}


def _owner(model: Model, owner: Component | Singleton) -> Schema:
    is_tag = isinstance(owner, Component) and owner.is_tag
    return described(owner.doc, {"const": True} if is_tag else _fields(model, owner.fields))


def _fields(model: Model, fields: Iterable[Field]) -> Schema:
    return closed({field.name: described(_doc(field), _field(model, field)) for field in fields})


def _doc(field: Field) -> str:
    return f"{field.doc} [{field.unit}]".strip() if field.unit else field.doc


def _field(model: Model, field: Field) -> Schema:
    count = field.type.count
    if field.type.shape is Shape.STRING:
        return {"type": "string", "maxLength": count - 1}
    element = _element(field)
    if field.type.shape is Shape.ONE:
        return element
    if field.type.by:
        return closed({value.name: element for value in model.types.enums[field.type.by].values})
    least = {"minItems": count} if field.type.shape is Shape.ARRAY else {}
    return {"type": "array", "items": element, **least, "maxItems": count}


def _element(field: Field) -> Schema:
    type = field.type
    if type.base is Base.ENTITY:
        return {"type": ["string", "null"], "pattern": _HANDLE}
    if type.base is not Base.NUMBER:
        return {"$ref": f"#/$defs/type.{type.name}"}
    scalar = SCALARS[type.name]
    if scalar.kind is Kind.BOOL:
        return {"type": "boolean"}
    if scalar.kind is Kind.FLOAT:
        return _float(field)
    low = scalar.low if field.range.min is None else max(scalar.low, int(field.range.min))
    high = scalar.high if field.range.max is None else min(scalar.high, int(field.range.max))
    return {"type": "integer", "minimum": low, "maximum": high}


def _float(field: Field) -> Schema:
    """Describes a float. NaN and infinities are written as names, if the limits allow them."""
    single = SCALARS[field.type.name].bytes == 4
    number: Schema = {"type": "number"}
    names = list(_NO_NUMBERS)
    if field.range.min is not None:
        number["minimum"] = min(
            field.range.min, _written(field.range.min) if single else field.range.min
        )
        names = [name for name in names if name == "inf"]
    if field.range.max is not None:
        number["maximum"] = max(
            field.range.max, _written(field.range.max) if single else field.range.max
        )
        names = [name for name in names if name == "-inf"]
    return {"anyOf": [number, {"enum": names}]} if names else number


def _written(bound: int | float) -> float:
    """Rounds a limit as an f32 is written, to the fewest digits that identify it."""
    single = struct.pack("<f", bound)
    texts = (f"{struct.unpack('<f', single)[0]:.{digits}g}" for digits in range(6, 10))
    return next(float(text) for text in texts if struct.pack("<f", float(text)) == single)
