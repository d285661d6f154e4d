"""Writes a release as a document in the schema language, and as text.

It contains only what saves depend on, with the former names. It contains no docs, defaults, limits
or systems; of listeners, it contains which changes and events they have not seen yet. Values that
equal the default of the language are left out, so that a new key changes no old release.

Each line of the text contains the name of the release, so two releases have no line in common. Git
merges the additions of two sides line by line, and would mix releases with common lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from model.code import Listener
from model.data import Component, Event, Link, Relation, Singleton, State
from model.model import Model
from model.refs import Ref
from model.types import EnumType, EnumValue, ExternType, Field

Document = dict[str, Any]

_BARE = re.compile(r"[A-Za-z0-9_-]+")  # TOML accepts such a key without quotes

_HEAD = """\
# The schemas of saves of world '{world}', oldest release first. `python3 codegen lock` adds a
# release, and `python3 codegen check` reports what the schema makes of its saves. Keep this file
# with the schema. After a merge, keep the releases of both sides. Remove a release if its saves
# need not load any more.

lock = {format}
"""


def head(world: str, format: int) -> str:
    """Returns the first lines of a lock."""
    return _HEAD.format(world=world, format=format)


def release_text(name: str, after: Sequence[str], sum: str, document: Document) -> str:
    """Returns the text of a release in a lock, after an empty line."""
    path = f"release.{name if _BARE.fullmatch(name) else json.dumps(name)}"
    head = {"sum": sum, "after": list(after)} if after else {"sum": sum}
    lines = [*_lines(path, head), *_lines(f"{path}.world", document["world"])]
    for kind, declared in document.items():
        for thing, table in declared.items() if kind != "world" else ():
            lines += _thing(f"{path}.{kind}.{thing}", table)
    return "\n".join(["", *lines, ""])


def _thing(path: str, table: Document) -> list[str]:
    if not table:
        return [f"{path} = {{}}"]
    keys = {key: value for key, value in table.items() if key != "fields"}
    return [*_lines(path, keys), *_lines(f"{path}.fields", table.get("fields", {}))]


def _lines(path: str, table: Document) -> list[str]:
    return [f"{path}.{key} = {_value(value)}" for key, value in table.items()]


def _value(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{key} = {_value(inner)}" for key, inner in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def release_document(model: Model) -> Document:
    """Returns the schema of the saves of a world."""
    world = model.world
    bits = {
        "index_bits": world.entities.index_bits,
        "generation_bits": world.entities.generation_bits,
    }
    sections: dict[str, Document] = {
        "enum": {
            name: _enum(enum)
            for name, enum in model.types.enums.items()
            if name not in model.data.kept.states
        },
        "struct": {name: _fields(struct.fields) for name, struct in model.types.structs.items()},
        "extern": {name: _extern(extern) for name, extern in model.types.externs.items()},
        "component": {name: _component(one) for name, one in model.data.components.items()},
        "singleton": {
            name: {**_was(one), **_save(one.save), **_fields(one.fields)}
            for name, one in model.data.kept.singletons.items()
        },
        "state": {
            name: {**_was(state), "values": _values(model.types.enums[name])}
            for name, state in model.data.kept.states.items()
        },
        "event": _events(model, "event"),
        "input": _events(model, "input"),
        "relation": {
            name: {**_was(relation), "on_parent_despawn": relation.on_parent_despawn}
            for name, relation in model.data.relations.items()
        },
        "link": {name: _link(one) for name, one in model.data.links.items()},
        "listener": {name: _listener(one) for name, one in model.code.listeners.items()},
    }
    return {
        "world": {"name": world.name, "entity": bits, "max_entities": world.entities.max},
        **{kind: declared for kind, declared in sections.items() if declared},
    }


def _enum(enum: EnumType) -> Document:
    return {"type": enum.type, "values": _values(enum)}


def _values(enum: EnumType) -> list[str | Document]:
    return [{"name": one.name, **_was(one)} if one.was else one.name for one in enum.values]


def _extern(extern: ExternType) -> Document:
    keys = {"header": extern.header, "c": extern.c, "size": extern.size, "align": extern.align}
    return {**keys, **_fields(extern.fields)}


def _component(component: Component) -> Document:
    chosen = {
        "storage": "sparse" if component.is_sparse else "",
        "layout": component.stored.layout
        if component.fields and component.stored.layout != "aos"
        else "",
        "requires": _names(component.rules.requires),
        "excludes": _names(component.rules.excludes),
    }
    keys = {key: value for key, value in chosen.items() if value}
    return {**_was(component), **keys, **_save(component.save), **_fields(component.fields)}


def _events(model: Model, kind: str) -> Document:
    return {name: _event(one) for name, one in model.data.events.items() if one.kind == kind}


def _event(event: Event) -> Document:
    return {**_was(event), "max": event.max, **_fields(event.fields)}


def _link(link: Link) -> Document:
    ends = {"from": link.ends.source, "to": link.ends.target}
    ends = {end: fate for end, fate in ends.items() if fate != "remove"}
    keys = {"symmetric": link.symmetric, "on_despawn": ends}
    return {**_was(link), **{k: v for k, v in keys.items() if v}, **_fields(link.fields)}


def _listener(one: Listener) -> Document:
    lists = {
        "hears": _names(one.messages.hears),
        "removed": _names(r.component for r in one.messages.removed),
    }
    return {**_was(one), **{key: names for key, names in lists.items() if names}}


def _was(
    one: EnumValue | Field | Component | Singleton | State | Event | Relation | Link | Listener,
) -> Document:
    return {"was": one.was} if one.was else {}


def _save(save: bool) -> Document:
    return {} if save else {"save": False}


def _fields(fields: Iterable[Field]) -> Document:
    written = {field.name: _field(field) for field in fields}
    return {"fields": written} if written else {}


def _field(field: Field) -> str | Document:
    keys = {**_was(field), **_save(field.save)}
    return {"type": field.type.text, **keys} if keys else field.type.text


def _names(refs: Iterable[Ref]) -> list[str]:
    return [ref.name for ref in refs]
