"""The valid schemas in accepted/ use every key of the language, so that no key is without
effect.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

from parse.keys import FILE, Form, Keys, Listed, Named

ACCEPTED = Path(__file__).parent / "accepted"

KeyPath = tuple[str, ...]  # of keys, with * for a name of the schema


def shortened(path: KeyPath) -> KeyPath:
    """Fields have one set of keys, whatever they are fields of."""
    return path[path.index("fields") + 1 :] if "*" in path[-2:-1] and "fields" in path else path


def all_keys(form: Form, path: KeyPath = ()) -> Iterator[KeyPath]:
    if isinstance(form, Keys):
        for key in form.keys:
            yield (*path, key.name)
            yield from all_keys(key.form, (*path, key.name))
    if isinstance(form, Named | Listed):
        yield from all_keys(form.thing, (*path, "*"))


def used_keys(form: Form, value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    if isinstance(form, Keys) and isinstance(value, dict):
        for key in form.keys:
            if key.name in value:
                yield (*path, key.name)
                yield from used_keys(key.form, value[key.name], (*path, key.name))
    if isinstance(form, Named) and isinstance(value, dict):
        for thing in value.values():
            yield from used_keys(form.thing, thing, (*path, "*"))
    if isinstance(form, Listed) and isinstance(value, list):
        for thing in value:
            yield from used_keys(form.thing, thing, (*path, "*"))


def test_every_key_is_used() -> None:
    used: set[KeyPath] = set()
    for path in ACCEPTED.rglob("*.toml"):
        file = tomllib.loads(path.read_text(encoding="utf-8"))
        used |= {shortened(key) for key in used_keys(FILE, file)}
    assert not sorted({shortened(key) for key in all_keys(FILE)} - used)
