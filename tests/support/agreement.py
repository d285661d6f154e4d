"""Compares a save, as reader.py reads it, with the world's own JSON."""

from __future__ import annotations

from typing import Any

Saved = dict[str, Any]


def disagreements(saved: Saved, world: dict[str, Any]) -> list[str]:
    """Returns the differences between the two, except for data that the schema does not save."""
    schema = saved["schema"]
    told = {entity["id"]: entity["components"] for entity in world["entities"]}
    read = {entity["id"]: entity["components"] for entity in saved["entities"]}
    wrong = [f"one of them has no {handle}" for handle in told.keys() ^ read.keys()]
    for handle in told.keys() & read.keys():
        expected = {
            name: _saved(schema, schema["components"][name], value)
            for name, value in told[handle].items()
            if schema["components"][name]["save"] or value is not True
        }
        wrong += _differences(expected, read[handle], handle)
    singletons = {
        name: _saved(schema, thing, world["singletons"][name])
        for name, thing in schema["singletons"].items()
        if thing["save"]
    }
    wrong += _differences(singletons, saved["singletons"], "singletons")
    relations = {
        name: [_indices(link) for link in links] for name, links in world["relations"].items()
    }
    linked = {name: saved["relations"].get(name, []) for name in schema["relations"]}
    return wrong + _differences(relations, linked, "relations")


def _indices(link: list[str]) -> list[int]:
    return [int(handle.split(":")[0]) for handle in link]


def _saved(schema: Saved, thing: Saved, value: Any) -> Any:
    """Returns a value without the parts that are not saved."""
    if value is True:
        return True
    if not thing["save"]:
        return {}
    return {
        name: _member(schema, *field["type"].removesuffix("]").partition("[")[::2], value[name])
        for name, field in thing["fields"].items()
        if field["save"]
    }


def _member(schema: Saved, kind: str, count: str, value: Any) -> Any:
    if count in schema["enums"]:  # an array by an enum
        return {name: _element(schema, kind, item) for name, item in value.items()}
    return _element(schema, kind, value)


def _element(schema: Saved, kind: str, value: Any) -> Any:
    inner = schema["structs"].get(kind) or schema["externs"].get(kind)
    if not inner:
        return value
    if isinstance(value, list):
        return [_saved(schema, inner, item) for item in value]
    return _saved(schema, inner, value)


def _differences(expected: Any, found: Any, path: str) -> list[str]:
    if isinstance(expected, dict) and isinstance(found, dict):
        wrong = [f"{path}.{name}: one of them lacks it" for name in expected.keys() ^ found.keys()]
        for name in expected.keys() & found.keys():
            wrong += _differences(expected[name], found[name], f"{path}.{name}")
        return wrong
    return [] if expected == found else [f"{path}: {expected!r}, and in the save {found!r}"]
