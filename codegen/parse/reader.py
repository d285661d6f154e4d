"""Reads a TOML table key by key, and reports missing, unknown and mistyped keys.

Each mistake is reported once, at its place. Then the wrong part is ignored, so that the rest can be
read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from model.declared import Declared
from model.refs import Ref
from model.types import EnumValue
from names.nearest import suggest
from parse.keys import ENUM_VALUE, Key
from source.imports import File
from source.source import Place, Report
from source.toml_places import Path

MAX_INTEGER = (1 << 64) - 1  # the largest absolute value of an integer in a schema

# Examples of keys, for help about missing keys.
EXAMPLES = {
    "world": "[world] with a name",
    "world.name": 'name = "…", the prefix of every generated name',
    "name": 'name = "…"',
    "values": 'values = ["…", "…"]',
    "fields": 'fields = { x = "f32" }',
    "type": 'type = "f32"',
    "components": "components = { position = {} }",
    "entity": "entity = { index_bits = 20, generation_bits = 12 }",
    "singletons": 'singletons = { read = ["…"], write = ["…"] }',
    "resources": 'resources = { read = ["…"], write = ["…"] }',
    "states": 'states = { read = ["…"], write = ["…"] }',
    "links": 'links = { read = ["…"], write = ["…"] }',
    "lookup": 'lookup = { read = ["…"], write = ["…"] }',
    "ends": 'ends = { from = { read = ["…"] } }',
    "phase": 'phase = "…"',
    "on_parent_despawn": 'on_parent_despawn = "despawn", or "detach"',
    "on_despawn": 'on_despawn = { from = "despawn" }',
    "header": 'header = "….h"',
    "c": 'c = "…", the type\'s name in C',
    "size": "size = …, what C's sizeof says",
    "align": "align = …, what C's alignof says",
}

# Help for keys that users often write in the wrong table.
ELSEWHERE = {
    "import": "move import to the top of the file, before the first [section]",
    "index_bits": "write entity = { index_bits = … } in [world]",
    "generation_bits": "write entity = { generation_bits = … } in [world]",
}

# Words of other libraries, each with the key that has this meaning here.
SYNONYMS = {
    "interval": "every", "period": "every", "filter": "where", "condition": "when",
    "run_if": "when", "depends_on": "after", "observes": "hears", "listens": "hears",
    "threaded": "parallel", "description": "doc", "comment": "doc", "renamed_from": "was",
}  # fmt: skip

# More help for missing keys.
OTHERWISE = {"world": "; or, if another file imports this one, pass that file"}

Instead = TypeVar("Instead")

_KINDS = {
    bool: "a boolean",
    int: "an integer",
    float: "a float",
    str: "a string",
    list: "an array",
    dict: "a table",
}


def describe(value: object) -> str:
    """Returns the TOML type of a value in words."""
    return _KINDS.get(type(value), "a date or time")


def show(value: object) -> str:
    """Returns a value as a user would write it, or a description if it is too long."""
    if isinstance(value, int) and not -MAX_INTEGER <= value <= MAX_INTEGER:
        return "an integer of more than 64 bits"
    text = repr(value) if isinstance(value, str) else str(value)
    return text.lower() if isinstance(value, bool) else text


def _as_number(key: str, value: object, pattern: str, example: str) -> str:
    """Returns help that shows a number: the one that the user put in quotes, or the example."""
    if not isinstance(value, str):
        return f"write {key} = {example}"
    number = value.strip()
    return f"write {key} = {number if re.fullmatch(pattern, number) else example}, without quotes"


def _one_of(options: tuple[str, ...]) -> str:
    """Returns a list of strings as a user would write them: "saved" or "unsaved"."""
    shown = [f'"{option}"' for option in options]
    return " or ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


class Table:
    """A table of a schema file. `what` names it for the user: "component 'position'"."""

    def __init__(
        self, data: dict[str, Any], path: Path, what: str, file: File, report: Report
    ) -> None:
        self.data = data
        self.path = path
        self.what = what
        self.file = file
        self.report = report

    def declared(self, name: str, renamed: bool = False) -> Declared:
        """Reads the keys that all declarations have. `was` is read only if `renamed` is set."""
        was = self.text("was") if renamed else ""
        return Declared(name, self.key_place(), self.text("doc"), was)

    def key_place(self, *keys: str | int) -> Place:
        return self.file.places.key((*self.path, *keys))

    def value_place(self, *keys: str | int) -> Place:
        return self.file.places.value((*self.path, *keys))

    def expect(self, keys: Iterable[Key], *, help: Callable[[str], str] = lambda key: "") -> None:
        """Reports unknown keys and missing keys. `help` returns help for an unknown key, or ""."""
        keys = tuple(keys)
        known = tuple(key.name for key in keys)
        self.require(*(key.name for key in keys if key.required))
        for key in self.data:
            if key not in known:
                message = f"'{key}' is not a key of {self.what}"
                if not self.path and isinstance(self.data[key], dict):
                    message = f"[{key}] is not a section"
                elsewhere = ELSEWHERE.get(key, "") if self.path else ""
                if SYNONYMS.get(key) in known:
                    elsewhere = f"did you mean '{SYNONYMS[key]}'?"
                near = elsewhere or suggest(key, known) or help(key)
                near = near or f"possible keys: {', '.join(known)}"
                self.report.error("unknown-key", self.key_place(key), message, help=near)

    def require(self, *keys: str) -> None:
        """Reports missing keys, unless the file is damaged and may contain them."""
        for key in keys:
            if key not in self.data and not self.file.damaged:
                message = f"{self.what} needs '{key}'"
                example = EXAMPLES.get(key, f"{key} = …")
                help = f"add {EXAMPLES.get('.'.join([*map(str, self.path), key]), example)}"
                help += OTHERWISE.get(key, "")
                self.report.error("missing-key", self.key_place(), message, help=help)

    def text(self, key: str, default: str = "") -> str:
        value = self.data.get(key, default)
        if isinstance(value, str):
            return value
        return self._wrong(key, "a string", default, f'write {key} = "…"')

    def flag(self, key: str, default: bool) -> bool:
        value = self.data.get(key, default)
        if isinstance(value, bool):
            return value
        return self._wrong(key, "true or false", default, f"write {key} = true, or {key} = false")

    def integer(self, key: str, default: int) -> int:
        value = self.data.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._bounded(key, value, default)
        if isinstance(value, float) and value.is_integer():
            return self._wrong(key, "an integer", default, f"write {key} = {int(value)}")
        return self._wrong(key, "an integer", default, _as_number(key, value, r"\d+", "1"))

    def number(self, key: str) -> int | float | None:
        """Returns a number as written, or None if there is none."""
        value = self.data.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._bounded(key, value, None)
        if value is None or isinstance(value, float):
            return value
        pattern = r"-?\d+(\.\d+)?"
        return self._wrong(key, "a number", None, _as_number(key, value, pattern, "1.0"))

    def _bounded(self, key: str, value: int, instead: Instead) -> int | Instead:
        if -MAX_INTEGER <= value <= MAX_INTEGER:
            return value
        message = f"'{key}' of {self.what} is {show(value)}"
        help = "write a smaller number"
        self.report.error("number-size", self.value_place(key), message, help=help)
        return instead

    def choice(self, key: str, options: tuple[str, ...], default: str) -> str:
        value = self.data.get(key, default)
        if not isinstance(value, str):
            return self._wrong(key, "a string", default, f"write {key} = {_one_of(options)}")
        if value in options or key not in self.data:
            return value
        message = f"'{key}' of {self.what} cannot be '{value}'"
        help = suggest(value, options, "possible")
        self.report.error("unknown-value", self.value_place(key), message, help=help)
        return default

    def items(self, key: str) -> list[Any]:
        """Returns an array, which usually contains names."""
        value = self.data.get(key, [])
        if isinstance(value, list):
            return value
        name = value if isinstance(value, str) else "…"
        return self._wrong(key, "an array of strings", [], f'write {key} = ["{name}"]')

    def refs(self, key: str) -> tuple[Ref, ...]:
        """Returns an array of names with their places."""
        return tuple(Ref(one.name, one.place) for one in self._names(key, tables=False))

    def enum_values(self, key: str) -> tuple[EnumValue, ...]:
        """Returns the values of an enum. An item is a name or a table with the keys ENUM_VALUE."""
        return tuple(self._names(key, tables=True))

    def _names(self, key: str, *, tables: bool) -> Iterator[EnumValue]:
        for index, name in enumerate(self.items(key)):
            place = self.value_place(key, index)
            if isinstance(name, str):
                yield EnumValue(name, place)
            elif tables and isinstance(name, dict):
                yield from self._enum_value(key, index, name)
            else:
                message = f"'{key}' of {self.what} must contain strings, not {describe(name)}"
                self.report.error("wrong-type", place, message, help="put each name in quotes")

    def ref(self, key: str) -> Ref | None:
        """Returns one name with its place."""
        name = self.text(key)
        return Ref(name, self.value_place(key)) if isinstance(self.data.get(key), str) else None

    def _enum_value(self, key: str, index: int, data: dict[str, Any]) -> Iterator[EnumValue]:
        """Yields the value in a table, or nothing if its name is missing."""
        path, what = (*self.path, key, index), f"'{key}' of {self.what}"
        table = Table(data, path, what, self.file, self.report)
        table.expect(ENUM_VALUE)
        name, doc, was = table.text("name"), table.text("doc"), table.text("was")
        if isinstance(data.get("name"), str):
            yield EnumValue(name, table.value_place("name"), doc, was)

    def table(self, key: str, example: str = "") -> Table:
        """Returns the table at a key. It is empty if the key is missing."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            example = example or EXAMPLES.get(key, f"{key} = {{ … }}")
            is_section = not self.path and key not in EXAMPLES
            help = f"write [{key}.name], not [[{key}]]" if is_section else f"write {example}"
            value = self._wrong(key, "a table", {}, help)
        return Table(value, (*self.path, key), f"'{key}' of {self.what}", self.file, self.report)

    def tables(self, kind: str) -> Iterator[tuple[str, Table]]:
        """Yields the tables in this one by name. `kind` is the user's word for them."""
        for name, value in self.data.items():
            what = f"{kind} '{name}'"
            if isinstance(value, dict):
                yield name, Table(value, (*self.path, name), what, self.file, self.report)
            else:
                message = f"{what} must be a table, not {describe(value)}"
                help = f"write {name} = {{ … }}"
                if len(self.path) == 1:
                    section = f"{self.path[0]}.{name}"
                    help = f"write [{section}]"
                    help += f", not [[{section}]]" if isinstance(value, list) else ", and its keys"
                self.report.error("wrong-type", self.value_place(name), message, help=help)

    def _wrong(self, key: str, wanted: str, instead: Instead, help: str) -> Instead:
        value = self.data[key]
        message = f"'{key}' of {self.what} must be {wanted}, not {describe(value)}"
        self.report.error("wrong-type", self.value_place(key), message, help=help)
        return instead
