"""The JSON Schema of schema files, made from the parser's table of keys.

It describes what the structure of one file decides: keys, types of values, and the form of names
and field types. `world` is not required, because imported files have none. `codegen check` checks
the meaning of names.
"""

from __future__ import annotations

from check.names import MAX_NAME, SNAKE_CASE
from check.types import C_IDENTIFIER
from json_schemas import Schema, closed, described, text
from parse.field_types import BUILT_IN, TYPE
from parse.keys import (
    FIELD,
    FIELDS,
    FILE,
    Bits,
    Choice,
    Form,
    Key,
    Keys,
    Listed,
    Named,
    Plain,
)
from parse.prefabs import PART_FIELD, TARGET
from parse.spans import RATIO

FILE_NAME = "weft.schema.json"

_PLAIN: dict[Plain, Schema] = {
    Plain.TEXT: {"type": "string"},
    Plain.FLAG: {"type": "boolean"},
    Plain.INTEGER: {"type": "integer"},
    Plain.NUMBER: {"type": "number"},
    Plain.RATIO: {"anyOf": [{"type": "number"}, {"type": "string", "pattern": f"^{RATIO}$"}]},
    Plain.NAMES: {"type": "array", "items": {"type": "string"}},
    Plain.HOOK: {
        "anyOf": [
            {"type": "boolean"},
            {"type": "array", "items": {"type": "string"}},
        ]
    },
    Plain.TYPE: {"$ref": "#/$defs/type"},
    Plain.TARGET: {"type": "string", "pattern": f"^{TARGET}$"},
    Plain.VALUE: {"$ref": "#/$defs/value"},
    Plain.VALUES: {"type": "object", "additionalProperties": {"$ref": "#/$defs/value"}},
}

_DEFINITIONS: dict[str, Schema] = {
    "name": {
        "description": "Small letters and digits, one '_' between words, a letter first.",
        "type": "string",
        "pattern": f"^{SNAKE_CASE}$",
        "maxLength": MAX_NAME,
    },
    "name_of_c": {
        "description": "A name in C.",
        "type": "string",
        "pattern": f"^{C_IDENTIFIER.pattern}$",
    },
    "part": {
        "description": "The name of a part, or the names of a part and of a part of it.",
        "type": "string",
        "pattern": f"^{SNAKE_CASE}(\\.{SNAKE_CASE})*$",
    },
    "part_field": {
        "description": "component.field, or component.field@part.",
        "type": "string",
        "pattern": f"^{PART_FIELD}$",
    },
    "type": {
        "description": "A scalar, entity, an enum, struct or extern, char[N], T[N] or T[..N].",
        "type": "string",
        "anyOf": [
            {"enum": [name for name in BUILT_IN if name != "char"]},
            {"pattern": f"^{TYPE}$"},
        ],
    },
    "value": {"type": ["boolean", "number", "string", "array", "object"]},
}


def language() -> str:
    """Returns the text of the file."""
    definitions = {**_DEFINITIONS, "fields": _named(FIELDS.form), "field": _keys(FIELD)}
    about = {
        "title": "Weft schema",
        "description": "A file of a Weft schema: what a world has, and what its systems do.",
    }
    return text(
        "the keys of the schema language", about | _keys(FILE.keys) | {"$defs": definitions}
    )


def _schema(form: Form) -> Schema:
    if form == FIELDS.form:
        return {"$ref": "#/$defs/fields"}
    if isinstance(form, Plain):
        return _PLAIN[form]
    if isinstance(form, Choice):
        return {"enum": list(form.options)}
    if isinstance(form, Bits):
        return {"type": "integer", "minimum": 1, "maximum": form.most}
    if isinstance(form, Keys):
        return {"$ref": "#/$defs/field"} if form.keys is FIELD else _keys(form.keys)
    if isinstance(form, Listed):
        items = [_schema(form.short), _schema(form.thing)]
        return {"type": "array", "items": {"anyOf": items}}
    return _named(form)


def _named(form: Form) -> Schema:
    assert isinstance(form, Named)
    thing = _schema(form.thing)
    nested = {"patternProperties": {"\\.": _schema(form.nested)}} if form.nested else {}
    return {
        "type": "object",
        "propertyNames": {"$ref": f"#/$defs/{form.names}"},
        **nested,
        "additionalProperties": {"anyOf": [_schema(form.short), thing]} if form.short else thing,
    }


def _keys(keys: tuple[Key, ...]) -> Schema:
    required = [key.name for key in keys if key.required]
    return closed({key.name: _key(key) for key in keys}, required)


def _key(key: Key) -> Schema:
    return described(key.doc, _schema(key.form))
