"""Turns the files of a schema into a Model.

It checks the form of everything: keys must be known, values must have the right type, and field
types and expressions must be readable. `check` then decides whether the schema makes sense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from model.code import System
from model.data import Event
from model.hide import hide
from model.model import Code, Data, Kept, Model, Quiet, Types, World
from model.parts import with_parts
from model.rng import RNG, with_rng
from model.states import with_living_tags
from model.types import Base, EnumType
from parse import keys
from parse.data import (
    read_component,
    read_enum,
    read_event,
    read_extern,
    read_link,
    read_relation,
    read_resource,
    read_singleton,
    read_state,
    read_struct,
)
from parse.fields import NamedTypes
from parse.parsed import Book, Hidden, Parsed
from parse.prefabs import read_prefab
from parse.reader import Table
from parse.systems import read_index, read_listener, read_query, read_system
from parse.world import read_world
from source.imports import File, load_files
from source.source import Note, Report

SECTIONS = tuple(key.name for key in keys.SECTIONS)
BASES = {"enum": Base.ENUM, "state": Base.ENUM, "struct": Base.STRUCT, "extern": Base.EXTERN}

Made = TypeVar("Made")

__all__ = ["SECTIONS", "Parsed", "parse", "parse_files"]


def parse(path: str, report: Report) -> Parsed:
    """Reads a schema. Raises UnreadableError if the root file cannot be read."""
    return parse_files(load_files(path, report), report)


def parse_files(files: list[File], report: Report) -> Parsed:
    """Builds a Model from files that were read. The last file is the root."""
    return _Parser(files, report).parsed()


class _Parser:
    def __init__(self, files: list[File], report: Report) -> None:
        self._files = files
        self._report = report
        self._broken: set[tuple[str, str]] = set()
        self._declared: dict[str, dict[str, Table]] = {kind: {} for kind in SECTIONS}
        for file in files:
            self._collect(file)
        self._hidden = _hidden(files)
        self._named = NamedTypes(
            {RNG: Base.EXTERN}
            | {name: base for kind, base in BASES.items() for name in self._declared[kind]},
            {name: kind for kind, tables in self._declared.items() for name in tables},
            self._hidden.may_be,
            {
                name: len(values) if isinstance(values, list) and values else 1
                for kind in ("state", "enum")
                for name, table in self._declared[kind].items()
                for values in (table.data.get("values"),)
            },
        )

    def parsed(self) -> Parsed:
        root = self._files[-1]
        owners = {
            (kind, name): table.file
            for kind, tables in self._declared.items()
            for name, table in tables.items()
        }
        model = Model(
            world=self._world(root),
            sources=tuple(file.path for file in self._files),
            types=self._types(),
            data=self._data(),
            code=self._code(),
            quiet=tuple(self._quiet()),
        )
        model = hide(with_rng(with_living_tags(with_parts(model))))
        hidden = {
            one.name: one.of_prefab for one in model.data.components.values() if one.of_prefab
        }
        book = Book(root, owners, hidden)
        return Parsed(model, book, frozenset(self._broken), self._hidden)

    def _types(self) -> Types:
        return Types(
            enums=self._enums(),
            structs=self._shaped("struct", read_struct),
            externs=self._shaped("extern", read_extern),
        )

    def _data(self) -> Data:
        components = self._shaped("component", read_component)
        kept = Kept(
            singletons=self._shaped("singleton", read_singleton),
            states=self._each("state", read_state),
            resources=self._each("resource", read_resource),
        )
        return Data(
            components=components,
            kept=kept,
            events=self._messages(),
            prefabs=self._shaped("prefab", read_prefab),
            relations=self._each("relation", read_relation),
            links=self._shaped("link", read_link),
        )

    def _messages(self) -> dict[str, Event]:
        """Reads inputs and events, which share their names. If a name is used twice, the event
        is kept.
        """
        inputs = self._shaped("input", read_event)
        events = self._shaped("event", read_event)
        for name in (name for name in events if name in inputs):
            first, second = (self._declared[kind][name] for kind in ("input", "event"))
            message = f"event '{name}' has the same name as an input"
            note = Note(first.key_place(), f"input '{name}' is here")
            help = "rename one of the two: each needs a header file and a C name of its own"
            place = second.key_place()
            self._report.error("duplicate-name", place, message, help=help, notes=[note])
        return inputs | events

    def _code(self) -> Code:
        return Code(
            queries=self._each("query", read_query),
            listeners=self._each("listener", read_listener),
            indexes=self._each("index", read_index),
            systems=self._each("system", self._system),
        )

    def _quiet(self) -> Iterator[Quiet]:
        """Yields the warnings that declarations silence."""
        for kind, ids in keys.QUIET.items():
            for name, table in self._named_as(kind):
                inside = table.table("quiet", f'quiet = {{ {ids[0].name} = "…" }}')
                inside.expect(ids)
                for key in inside.data:
                    place = inside.key_place(key)
                    yield Quiet(key, kind, name, inside.text(key), place)

    def _named_as(self, kind: str) -> list[tuple[str, Table]]:
        """Returns the declarations of a kind. The world counts as one."""
        if kind != "world":
            return list(self._declared[kind].items())
        root = self._files[-1]
        data = root.table.get("world")
        if not isinstance(data, dict):
            return []
        return [(str(data.get("name")), Table(data, ("world",), "the world", root, self._report))]

    def _collect(self, file: File) -> None:
        """Collects the declarations of a file. If a name is declared twice, the first one is
        kept.
        """
        top = Table(file.table, (), "the file", file, self._report)
        top.expect(keys.FILE.keys)
        top.refs("import")
        if "world" in top.data and not file.is_root:
            message = "an imported file has [world]"
            help = "move [world] to the root file, which you pass to the generator"
            self._report.error("world-in-import", top.key_place("world"), message, help=help)
        for kind in SECTIONS:
            for name, table in top.table(kind).tables(kind):
                first = self._declared[kind].setdefault(name, table)
                if first is not table:
                    self._complain_twice(kind, name, first, table)

    def _complain_twice(self, kind: str, name: str, first: Table, second: Table) -> None:
        message = f"{kind} '{name}' is declared twice"
        note = Note(first.key_place(), "the first is here")
        help = "remove one of the two"
        place = second.key_place()
        self._report.error("duplicate-name", place, message, help=help, notes=[note])

    def _each(self, kind: str, read: Callable[[str, Table], Made]) -> dict[str, Made]:
        tables = self._declared[kind].items()
        return {name: self._one(kind, name, table, read) for name, table in tables}

    def _one(self, kind: str, name: str, table: Table, read: Callable[[str, Table], Made]) -> Made:
        """Reads a declaration, and records whether that found a mistake."""
        before = self._report.errors
        made = read(name, table)
        if self._report.errors > before or table.file.damaged:
            self._broken.add((kind, name))
        return made

    def _shaped(self, kind: str, read: Callable[[str, Table, NamedTypes], Made]) -> dict[str, Made]:
        """Reads declarations with fields, whose types may be declared in the schema."""
        return self._each(kind, lambda name, table: read(name, table, self._named))

    def _world(self, root: File) -> World:
        before = self._report.errors
        world = read_world(root, self._report)
        if self._report.errors > before or root.damaged:
            self._broken.add(("world", ""))
        return world

    def _enums(self) -> dict[str, EnumType]:
        """Reads enums, and the values of states as enums. If a name is used by both, the enum
        is kept.
        """
        enums = self._each("enum", read_enum)
        declared = self._declared["state"].items()
        states = {
            name: self._one("state", name, table, read_enum)
            for name, table in declared
            if name not in enums
        }
        return enums | states

    def _system(self, name: str, table: Table) -> System:
        return read_system(name, table, self._declared["relation"].keys(), self._named)


def _hidden(files: list[File]) -> Hidden:
    """Collects the names below unknown keys, and in sections that are not tables."""
    names: set[str] = set()
    any_name = any(file.damaged for file in files)
    for key, value in (pair for file in files for pair in file.table.items()):
        if key in SECTIONS:
            any_name |= not isinstance(value, dict)
            things = value.items() if isinstance(value, dict) else ()
            names |= {name for name, thing in things if not isinstance(thing, dict)}
        elif key not in ("import", "world"):
            names |= {key, *(value if isinstance(value, dict) else ())}
    return Hidden(frozenset(names), any_name)
