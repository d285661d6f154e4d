"""Reads prefabs: components, parts, and the fields that refer to parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from model.data import (
    PartChange,
    Prefab,
    PrefabComponent,
    PrefabRef,
    Spot,
    WrittenPart,
    WrittenPrefab,
)
from model.refs import Ref
from parse import keys
from parse.fields import NamedTypes
from parse.reader import Table, describe
from parse.systems import read_state_value

_SPOT = r"[a-z][a-z0-9_]*(\[[0-9]{1,4}\])?"
TARGET = rf"{_SPOT}(\.{_SPOT})*"  # a part; SELF has this form too
PART_FIELD = rf"[a-z][a-z0-9_]*\.{TARGET}(@{TARGET})?"  # component.field, and where it is
SELF = "self"  # the root, as a target

_FORM = re.compile(PART_FIELD)
_TARGET = re.compile(TARGET)


def read_prefab(name: str, table: Table, named: NamedTypes) -> Prefab:
    table.expect(keys.PREFAB)
    lives = read_state_value(table, "lives")
    components = read_components(table, "components")
    written = WrittenPrefab(
        components=components,
        without=table.refs("without"),
        parts=tuple(_parts(table, named)),
        refs=tuple(_refs(table)),
        lives=lives,
    )
    return Prefab(
        table.declared(name, renamed=True),
        components=components,
        lives=lives,
        base=table.ref("is"),
        written=written,
    )


def read_components(table: Table, key: str) -> tuple[PrefabComponent, ...]:
    """Reads a table of values by component and field."""
    found = []
    for component, values in table.table(key).tables("component"):
        paths = {field: (*values.path, field) for field in values.data}
        found.append(PrefabComponent(Ref(component, values.key_place()), values.data, paths))
    return tuple(found)


def _parts(table: Table, named: NamedTypes) -> Iterator[WrittenPart]:
    for name, inside in table.table("parts", 'parts = { wheel = { prefab = "wheel" } }').tables(
        "part"
    ):
        path = tuple(name.split("."))
        known = keys.NESTED_PART if len(path) > 1 else keys.PART
        inside.expect(known, help=_nested_help(inside, path, named))
        yield WrittenPart(
            path=path,
            place=inside.key_place(),
            prefab=inside.ref("prefab"),
            by=inside.ref("by"),
            count=inside.integer("count", 1) if "count" in inside.data else None,
            change=PartChange(path[1:], read_components(inside, "with"), inside.refs("without")),
            doc=inside.text("doc"),
            was=inside.text("was"),
        )


def _nested_help(table: Table, path: tuple[str, ...], named: NamedTypes) -> Callable[[str], str]:
    """Explains a part of a part that was written without quotes, values outside of `with`, and
    keys of a part in a part of a part.
    """
    part = ".".join(path)

    def help(key: str) -> str:
        value = table.data[key]
        if len(path) > 1:
            return f"only 'with' and 'without' can change '{part}', a part of a part"
        if not isinstance(value, dict):
            return ""
        changes = value and set(value) <= {one.name for one in keys.NESTED_PART}
        if key == "components" and not changes:
            return "write with = { … }, the values that differ from those of its prefab"
        if named.kinds.get(key) == "component" and not changes:
            return f"write with = {{ {key} = {{ … }} }}"
        return f'write "{part}.{key}" in quotes'

    return help


def _refs(table: Table) -> Iterator[PrefabRef]:
    inside = table.table("refs", 'refs = { "gun.owner@turret" = "self" }')
    for key, target in inside.data.items():
        place, target_place = inside.key_place(key), inside.value_place(key)
        if not isinstance(target, str):
            message = f"'{key}' in 'refs' of {table.what} must be a string, not {describe(target)}"
            help = 'write the name of a part, or "self"'
            if isinstance(target, dict) and target:
                help = f'write "{key}.{next(iter(target))}" in quotes'
            inside.report.error("wrong-type", target_place, message, help=help)
        elif not _FORM.fullmatch(key):
            message = f"'{key}' in 'refs' of {table.what} is not a field of a component"
            help = 'write it like "crew.driver", or like "gun.owner@turret" for a part'
            inside.report.error("ref-syntax", place, message, help=help)
        elif not _TARGET.fullmatch(target):
            message = f"'{target}' in 'refs' of {table.what} is not a part"
            help = 'write it like "turret", "wheel[2]" or "turret.barrel"; "self" is the root'
            inside.report.error("ref-syntax", target_place, message, help=help)
        else:
            field, _, holder = key.partition("@")
            component, _, path = field.partition(".")
            yield PrefabRef(
                component, _path(path), _path(holder), _path(target), place, target_place
            )


def _path(text: str) -> tuple[Spot, ...]:
    if text in ("", SELF):
        return ()
    return tuple(_spot(part) for part in text.split("."))


def _spot(text: str) -> Spot:
    name, bracket, index = text.partition("[")
    return Spot(name, int(index.rstrip("]")) if bracket else None)
