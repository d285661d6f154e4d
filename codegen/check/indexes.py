"""Rules about indexes: their keys and their rows."""

from __future__ import annotations

import math
from collections.abc import Iterator

from model.code import INDEX_KINDS, Index
from model.data import Component
from model.expressions import Op
from model.types import Base, Field, Shape
from parse import Parsed
from source.source import Note, Report

MAX_KEY_WORDS = 32  # words of 8 bytes of all fields of a hash
AXES = (2, 3)  # possible numbers of fields of a grid
WIDE = ("i64", "u64")  # integers that a coordinate cannot represent exactly


def key_words(fields: list[Field]) -> int:
    """Returns how many words of 8 bytes the key of these fields has."""
    return sum((f.type.count + 7) // 8 if f.type.shape is Shape.STRING else 1 for f in fields)


def index_kind(parsed: Parsed, report: Report) -> None:
    for index in parsed.model.code.indexes.values():
        given = [k for k in INDEX_KINDS if parsed.book.has("index", index.name, k)]
        if not given and parsed.sound("index", index.name):
            message = f"index '{index.name}' needs 'grid', 'hash' or 'ordered'"
            help = 'write grid = ["x", "y"], hash = ["name"] or ordered = "age"'
            report.error("index-kind", index.place, message, help=help)
        for other in given[1:]:
            place = parsed.book.key("index", index.name, other)
            message = f"index '{index.name}' has both '{given[0]}' and '{other}'"
            notes = [Note(parsed.book.key("index", index.name, given[0]), "the first is here")]
            help = "make it two indexes"
            report.error("index-kind", place, message, help=help, notes=notes)


def index_tag(parsed: Parsed, report: Report) -> None:
    for index in parsed.model.code.indexes.values():
        if parsed.is_tag(index.of.name):
            message = f"index '{index.name}' is of '{index.of.name}', which is a tag"
            help = f'a tag has no value: use a query with where = "{index.of.name}"'
            report.error("index-tag", index.of.place, message, help=help)


def index_field(parsed: Parsed, report: Report) -> None:
    for index, component in _of_components(parsed):
        known = {field.name: field for field in component.fields}
        for ref in index.fields:
            if ref.name not in known:
                message = f"index '{index.name}' searches '{ref.name}', "
                message += f"which is not a field of component '{component.name}'"
                help = f"fields: {', '.join(known)}"
                report.error("index-field", ref.place, message, help=help)
                continue
            why = _unfit(index.kind, known[ref.name])
            if why:
                message = f"index '{index.name}' cannot search '{ref.name}': {why}"
                report.error("index-field", ref.place, message, help=_FITS[index.kind])


_FITS = {
    "grid": "the fields of a grid must be f32, f64, or integers of 8 to 32 bits",
    "hash": "the fields of a hash must be numbers, bools, enums, entities or strings",
    "ordered": "the field of 'ordered' must be a number",
}


def _unfit(kind: str, field: Field) -> str:
    """Returns why such an index cannot use a field; "" if it can, or the field could not be
    read.
    """
    type = field.type
    if type.base is Base.UNREAD:
        return ""
    is_number = type.base is Base.NUMBER and type.shape is Shape.ONE and type.name != "bool"
    if kind == "grid" and type.name in WIDE and is_number:
        return f"a coordinate cannot store every {type.name}"
    if kind in ("grid", "ordered"):
        return "" if is_number else f"{type.text} is not a number"
    one = type.shape is Shape.ONE and type.base in (Base.NUMBER, Base.ENUM, Base.ENTITY)
    return "" if one or type.shape is Shape.STRING else f"{type.text} is more than one value"


def index_fields(parsed: Parsed, report: Report) -> None:
    """An index must have as many fields as its kind needs."""
    for index in parsed.model.code.indexes.values():
        if not index.kind or not parsed.sound("index", index.name):
            continue
        place = parsed.book.key("index", index.name, index.kind)
        if index.kind == "grid" and len(index.fields) not in AXES:
            fields = "1 field" if len(index.fields) == 1 else f"{len(index.fields)} fields"
            message = f"'grid' of index '{index.name}' has {fields}"
            help = 'write two or three: grid = ["x", "y"]'
            report.error("index-fields", place, message, help=help)
        if index.kind == "hash" and not index.fields:
            message = f"'hash' of index '{index.name}' has no fields"
            report.error("index-fields", place, message, help='write hash = ["name"]')


def index_key(parsed: Parsed, report: Report) -> None:
    for index, component in _of_components(parsed):
        known = {field.name: field for field in component.fields}
        fields = [known[ref.name] for ref in index.fields if ref.name in known]
        if index.kind == "hash" and key_words(fields) > MAX_KEY_WORDS:
            message = (
                f"the key of index '{index.name}' has {key_words(fields) * 8} bytes, more than "
                f"{MAX_KEY_WORDS * 8}"
            )
            help = (
                "use fewer or shorter fields: a number takes 8 bytes, a string its size rounded up "
                "to 8"
            )
            place = parsed.book.key("index", index.name, "hash")
            report.error("index-key", place, message, help=help)


def index_cell(parsed: Parsed, report: Report) -> None:
    for index in parsed.model.code.indexes.values():
        key = ("index", index.name, "cell")
        if not parsed.sound("index", index.name):
            continue
        if index.kind != "grid" and parsed.book.has(*key):
            message = f"index '{index.name}' has 'cell', but is not a grid"
            place = parsed.book.key(*key)
            report.error("index-cell", place, message, help="remove 'cell'")
        elif index.kind == "grid" and not parsed.book.has(*key):
            message = f"'grid' of index '{index.name}' needs 'cell'"
            place = parsed.book.key("index", index.name, "grid")
            help = "add cell = 4.0, about the usual search radius"
            report.error("index-cell", place, message, help=help)
        elif index.cell is not None and not 1e-9 <= index.cell <= 1e9:
            shown = "not a number" if math.isnan(index.cell) else f"{index.cell:g}"
            message = f"'cell' of index '{index.name}' is {shown}, but must be from 1e-9 to 1e9"
            place = parsed.book.key(*key)
            report.error(
                "index-cell",
                place,
                message,
                help="write the size of its cells, about the usual search radius",
            )


def index_where(parsed: Parsed, report: Report) -> None:
    """An index must not ask for changes, because each reader sees a change once and all share
    it.
    """
    for index in parsed.model.code.indexes.values():
        for atom in index.selection.where.atoms() if index.selection.where else ():
            if atom.op is not Op.HAS:
                message = f"'where' of index '{index.name}' asks for {atom.atom}"
                help = (
                    f"name only components, tags and relations here, and ask for {atom.atom} in a "
                    "query"
                )
                report.error("index-where", atom.place, message, help=help)


def index_singleton(parsed: Parsed, report: Report) -> None:
    model = parsed.model
    for index in model.code.indexes.values():
        for ref in index.selection.where.refs() if index.selection.where else ():
            named = {*model.data.components, *model.data.relations}
            if ref.name in model.data.kept.singletons and ref.name not in named:
                message = (
                    f"'where' of index '{index.name}' names '{ref.name}', which is a singleton"
                )
                help = "name only components, tags and relations here"
                report.error("index-where", ref.place, message, help=help)


def _of_components(parsed: Parsed) -> Iterator[tuple[Index, Component]]:
    """Yields the indexes whose component is known and has fields."""
    for index in parsed.model.code.indexes.values():
        component = parsed.model.data.components.get(index.of.name)
        if component and component.fields and parsed.sound("component", component.name):
            yield index, component


RULES = (
    index_kind,
    index_tag,
    index_field,
    index_fields,
    index_key,
    index_cell,
    index_where,
    index_singleton,
)
