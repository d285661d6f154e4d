"""Rules about partial results of systems."""

from __future__ import annotations

from model.model import Model
from model.sizes import Sizes
from model.types import Base, ExternType, Field, Shape, StructType
from parse import Parsed
from source.source import Report

MAX_PARTIAL_BYTES = 16_384  # bytes of a partial: a world stores 64 of them for each parallel system


def partial_list(parsed: Parsed, report: Report) -> None:
    """Partials start as zero bytes and are added up, which a list does not support."""
    for system in parsed.model.code.systems.values():
        for field in system.loop.partial.fields if system.loop.partial else ():
            if field.type.shape is Shape.LIST:
                message = f"field '{field.name}' of partial '{system.name}' is a list"
                array = f"{field.type.name}[{field.type.count}]"
                help = f"use an array, {array}, and another field for its count"
                report.error("partial-list", field.place, message, help=help)


def partial_size(parsed: Parsed, report: Report) -> None:
    model = parsed.model
    for system in model.code.systems.values():
        partial = system.loop.partial
        if not partial or not all(_is_known(model, field, set()) for field in partial.fields):
            continue
        size = Sizes(model).of_struct(partial.fields).bytes
        if size > MAX_PARTIAL_BYTES:
            message = f"partial '{system.name}' has {size} bytes, more than {MAX_PARTIAL_BYTES}"
            help = "make it smaller: a world stores one for each part of the rows"
            report.error("partial-size", partial.place, message, help=help)


def _is_known(model: Model, field: Field, above: set[str]) -> bool:
    """Returns whether the size of a field is known: its type exists and does not contain itself."""
    type = field.type
    if type.base is Base.UNREAD:
        return False
    if type.base not in (Base.STRUCT, Base.EXTERN):
        return True
    known: dict[str, StructType | ExternType] = {**model.types.structs, **model.types.externs}
    if type.name in above or type.name not in known:
        return False
    inner = above | {type.name}
    return all(_is_known(model, one, inner) for one in known[type.name].fields)


RULES = (partial_list, partial_size)
