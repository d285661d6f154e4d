"""Plans keys as words of 64 bits. A number, enum or handle is one word, a text several."""

from __future__ import annotations

from model.scalars import SCALARS, Kind
from model.types import Base, Field, Shape
from names.names import Names
from plan.common import Common
from plan.records.data import ComponentPlan
from plan.records.index import KeysPlan


def key_words(fields: list[Field]) -> int:
    return sum((f.type.count + 7) // 8 if f.type.shape is Shape.STRING else 1 for f in fields)


def key_parameter(common: Common, field: Field) -> str:
    name = common.names.key(field.name)
    if field.type.shape is Shape.STRING:
        return f"const char *{name}"
    return f"{common.types.element(field.type)} {name}"


def make_keys(names: Names, fields: list[Field], component: ComponentPlan) -> KeysPlan:
    """Plans the words of a key. Only a hash has several fields, or texts."""
    numbers, texts, equal, place = [], [], [], 0
    for field in fields:
        name = names.key(field.name)
        value = f"it->{component.name}->{field.name}"
        if component.storage.kind == "soa":
            value = f"*it->{component.name}.{field.name}"
        words = f"it->weft_words + {place}"
        if field.type.shape is Shape.STRING:
            texts.append(f"weft_key_text(words + {place}, {name}, {field.type.count})")
            equal.append(f"weft_key_is({words}, {value}, {field.type.count})")
        else:
            numbers.append((place, _word(field, name)))
            equal.append(f"*({words}) == {_word(field, _grouped(value))}")
        place += key_words([field])
    is_text = fields[0].type.shape is Shape.STRING
    return KeysPlan(
        count=place,
        arguments=[names.key(field.name) for field in fields],
        numbers=numbers,
        texts=texts,
        equal=" && ".join(equal),
        low="" if is_text else _word(fields[0], "from"),
        high="" if is_text else _word(fields[0], "to"),
    )


def _word(field: Field, value: str) -> str:
    """Returns the C expression of a number, enum or handle as a word of a key."""
    if field.type.base is Base.ENTITY:
        return f"{value}.bits"
    if field.type.base is Base.ENUM:
        return f"weft_key_u64((uint64_t){value})"
    kind = SCALARS[field.type.name].kind
    if kind is Kind.FLOAT:
        return f"weft_key_f64((double){value})"
    return f"weft_key_i64({value})" if kind is Kind.SIGNED else f"weft_key_u64({value})"


def _grouped(value: str) -> str:
    return f"({value})" if value.startswith("*") else value
