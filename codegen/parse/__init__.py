"""This package turns the files of a schema into a Model.

It asks whether each thing is written as the language wants it: known keys, values of the right
type, types and expressions that can be read. `check` asks whether it makes sense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from model.code import System
from model.data import (
    HOOKS,
    LINK_HOOKS,
    Component,
    Event,
    Hook,
    Prefab,
    PrefabComponent,
    Relation,
    RequiredValues,
    Resource,
    Singleton,
    State,
)
from model.handles import MAX_BITS, indices
from model.hide import hide
from model.model import Model, Quiet, World
from model.refs import Ref
from model.rng import RNG, with_rng
from model.scalars import SCALARS
from model.states import with_living_tags
from model.types import Base, EnumType, EnumValue, ExternType, StructType
from parse import keys
from parse.fields import NamedTypes, read_fields
from parse.reader import Table, describe
from parse.step import read_step
from parse.systems import (
    read_holds,
    read_index,
    read_listener,
    read_query,
    read_state_value,
    read_system,
)
from source.imports import File, load_files
from source.source import Note, Place, Report
from source.toml_places import Path

SECTIONS = tuple(key.name for key in keys.SECTIONS)
BASES = {"enum": Base.ENUM, "state": Base.ENUM, "struct": Base.STRUCT, "extern": Base.EXTERN}
DEFAULT_MAX_ENTITIES = 1_000_000
DEFAULT_MAX_UNREAD = {"event": 65_536, "input": 1_024}

Made = TypeVar("Made")


@dataclass(frozen=True)
class Parsed:
    """A model, with what is needed to judge it without repeating what was reported already."""

    model: Model
    book: Book
    broken: frozenset[tuple[str, str]]  # kinds and names that could not be read in whole
    hidden: Hidden

    def sound(self, kind: str, name: str) -> bool:
        """Tells whether everything that was written in a declaration is in the model."""
        return (kind, name) not in self.broken

    def is_tag(self, name: str) -> bool:
        """Tells whether a name is that of a component which certainly has no fields."""
        return self.model.is_tag(name) and self.sound("component", name)


@dataclass(frozen=True)
class Hidden:
    """Names that may be declared where the file could not be read; they are not called unknown."""

    names: frozenset[str]  # names in places where no declarations are read
    any_name: bool  # a part of a file could not be read

    def may_be(self, name: str) -> bool:
        return self.any_name or name in self.names


class Book:
    """Knows the places of a whole schema, by key path as if it were one file."""

    def __init__(self, root: File, owners: dict[tuple[str, str], File]) -> None:
        self._root = root
        self._owners = owners

    def key(self, *path: str | int) -> Place:
        return self._file(path).places.key(path)

    def value(self, *path: str | int) -> Place:
        return self._file(path).places.value(path)

    def has(self, *path: str | int) -> bool:
        return self._file(path).places.has(path)

    def _file(self, path: Path) -> File:
        kind, name = (*path, "", "")[:2]
        return self._owners.get((str(kind), str(name)), self._root)


def parse(path: str, report: Report) -> Parsed:
    """Reads a schema. Raises UnreadableError if the root file cannot be read."""
    return parse_files(load_files(path, report), report)


def parse_files(files: list[File], report: Report) -> Parsed:
    """Makes a Model of files that were read; the last is the root."""
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
            enums=self._enums(),
            structs=self._each("struct", self._struct),
            externs=self._each("extern", self._extern),
            components=self._each("component", self._component),
            singletons=self._each("singleton", self._singleton),
            states=self._each("state", self._state),
            resources=self._each("resource", self._resource),
            events=self._each("input", self._event) | self._each("event", self._event),
            prefabs=self._each("prefab", self._prefab),
            queries=self._each("query", read_query),
            listeners=self._each("listener", read_listener),
            indexes=self._each("index", read_index),
            systems=self._each("system", self._system),
            relations=self._each("relation", self._relation),
            quiet=tuple(self._quiet()),
        )
        model = hide(with_rng(with_living_tags(model)))
        return Parsed(model, Book(root, owners), frozenset(self._broken), self._hidden)

    def _quiet(self) -> Iterator[Quiet]:
        """Yields what declarations silence."""
        for kind, ids in keys.QUIET.items():
            for name, table in self._declared[kind].items():
                inside = table.table("quiet", f'quiet = {{ {ids[0].name} = "…" }}')
                inside.expect(ids)
                for key in inside.data:
                    place = inside.key_place(key)
                    yield Quiet(key, kind, name, inside.text(key), place)

    def _collect(self, file: File) -> None:
        """Notes what a file declares. A redefinition is an error, and the first one is kept."""
        top = Table(file.table, (), "the file", file, self._report)
        top.expect(keys.FILE.keys)
        top.refs("import")
        if "world" in top.data and not file.is_root:
            message = "[world] stands in an imported file"
            help = "only the file that is given to the generator has [world]"
            self._report.error("world-in-import", top.key_place("world"), message, help=help)
        for kind in SECTIONS:
            for name, table in top.table(kind).tables(kind):
                first = self._declared[kind].setdefault(name, table)
                if first is not table:
                    self._complain_twice(kind, name, first, table)

    def _complain_twice(self, kind: str, name: str, first: Table, second: Table) -> None:
        message = f"{kind} '{name}' is declared twice"
        note = Note(first.key_place(), "the first is here")
        help = "keep one of the two"
        place = second.key_place()
        self._report.error("duplicate-name", place, message, help=help, notes=[note])

    def _each(self, kind: str, read: Callable[[str, Table], Made]) -> dict[str, Made]:
        made = {}
        for name, table in self._declared[kind].items():
            before = self._report.errors
            made[name] = read(name, table)
            if self._report.errors > before or table.file.damaged:
                self._broken.add((kind, name))
        return made

    def _world(self, root: File) -> World:
        before = self._report.errors
        top = Table(root.table, (), "the file", root, self._report)
        top.require("world")
        table = top.table("world")
        table.what = "the world"
        if isinstance(root.table.get("world"), dict):
            table.expect(keys.WORLD)
        entity = table.table("entity")
        entity.expect(keys.ENTITY)
        index_bits = entity.integer("index_bits", 32)
        recycle_after = table.integer("recycle_after", 0)
        most = indices(min(max(index_bits, 1), MAX_BITS)) - recycle_after
        world = World(
            name=table.text("name"),
            place=table.value_place("name"),
            index_bits=index_bits,
            generation_bits=entity.integer("generation_bits", 32),
            recycle_after=recycle_after,
            max_entities=table.integer("max_entities", max(min(DEFAULT_MAX_ENTITIES, most), 1)),
            phases=table.refs("phases"),
            on_despawn=table.flag("on_despawn", False),
            fragments=table.flag("fragments", False),
            hide=table.refs("hide"),
            run_systems=table.flag("run_systems", False),
            step=read_step(table),
            max_steps=table.integer("max_steps", 0) if "max_steps" in table.data else None,
            doc=table.text("doc"),
        )
        if self._report.errors > before or root.damaged:
            self._broken.add(("world", ""))
        return world

    def _enums(self) -> dict[str, EnumType]:
        """Reads enums, and states for what they have of one. Of one name the enum is kept."""
        enums = self._each("enum", self._enum)
        declared = self._declared["state"].items()
        states = {name: self._enum(name, table) for name, table in declared if name not in enums}
        return enums | states

    def _state(self, name: str, table: Table) -> State:
        return State(name, table.key_place(), table.text("doc"), table.text("was"))

    def _enum(self, name: str, table: Table) -> EnumType:
        kind = str(table.path[0])
        table.expect(keys.ENUM if kind == "enum" else keys.STATE)
        values = table.renamed_refs("values")
        fits = (type for type in keys.ENUM_TYPES if len(values) - 1 <= SCALARS[type].high)
        return EnumType(
            name=name,
            place=table.key_place(),
            values=tuple(EnumValue(ref.name, ref.place, was) for ref, was in values),
            type=table.choice("type", keys.ENUM_TYPES, "") or next(fits, keys.ENUM_TYPES[-1]),
            doc=table.text("doc"),
            kind=kind,
        )

    def _struct(self, name: str, table: Table) -> StructType:
        table.expect(keys.STRUCT, help=self._fields_help(table))
        fields = read_fields(table.table("fields"), self._named)
        return StructType(name, table.key_place(), fields, table.text("doc"))

    def _resource(self, name: str, table: Table) -> Resource:
        table.expect(keys.RESOURCE)
        header, c = table.text("header"), table.text("c")
        return Resource(name, table.key_place(), header, c, table.text("doc"))

    def _extern(self, name: str, table: Table) -> ExternType:
        table.expect(keys.EXTERN)
        return ExternType(
            name=name,
            place=table.key_place(),
            header=table.text("header"),
            c=table.text("c"),
            size=table.integer("size", 1),
            align=table.integer("align", 1),
            fields=read_fields(table.table("fields"), self._named),
            doc=table.text("doc"),
        )

    def _relation(self, name: str, table: Table) -> Relation:
        table.expect(keys.RELATION)
        options = keys.ON_PARENT_DESPAWN
        return Relation(
            name=name,
            place=table.key_place(),
            on_parent_despawn=table.choice("on_parent_despawn", options, options[0]),
            doc=table.text("doc"),
            was=table.text("was"),
            appends=table.choice("children", keys.CHILDREN, "") != "",
            hooks=_hooks(table, LINK_HOOKS),
        )

    def _system(self, name: str, table: Table) -> System:
        return read_system(name, table, self._declared["relation"].keys())

    def _component(self, name: str, table: Table) -> Component:
        table.expect(keys.COMPONENT, help=self._fields_help(table))
        requires = list(_required(table))
        return Component(
            name=name,
            place=table.key_place(),
            fields=read_fields(table.table("fields"), self._named),
            doc=table.text("doc"),
            storage=table.choice("storage", keys.STORAGES, "table"),
            layout=table.choice("layout", keys.LAYOUTS, "aos"),
            requires=tuple(ref for ref, _ in requires),
            required_values=tuple(given for _, given in requires if given),
            excludes=table.refs("excludes"),
            save=table.flag("save", True),
            hooks=_hooks(table, HOOKS),
            was=table.text("was"),
            holds=read_holds(table),
        )

    def _singleton(self, name: str, table: Table) -> Singleton:
        table.expect(keys.SINGLETON, help=self._fields_help(table))
        return Singleton(
            name=name,
            place=table.key_place(),
            fields=read_fields(table.table("fields"), self._named),
            doc=table.text("doc"),
            save=table.flag("save", True),
            was=table.text("was"),
            holds=read_holds(table),
        )

    def _event(self, name: str, table: Table) -> Event:
        kind = str(table.path[0])
        table.expect(keys.EVENT if kind == "event" else keys.INPUT, help=self._fields_help(table))
        return Event(
            name=name,
            place=table.key_place(),
            fields=read_fields(table.table("fields"), self._named),
            max=table.integer("max", DEFAULT_MAX_UNREAD[kind]),
            doc=table.text("doc"),
            was=table.text("was"),
            kind=kind,
        )

    def _prefab(self, name: str, table: Table) -> Prefab:
        table.expect(keys.PREFAB)
        components = []
        for component, values in table.table("components").tables("component"):
            place = values.key_place()
            components.append(PrefabComponent(Ref(component, place), values.data))
        lives = read_state_value(table, "lives")
        return Prefab(name, table.key_place(), tuple(components), table.text("doc"), lives)

    @staticmethod
    def _fields_help(table: Table) -> str:
        return f"fields stand in [{'.'.join(str(key) for key in table.path)}.fields]"


def _required(table: Table) -> Iterator[tuple[Ref, RequiredValues | None]]:
    """Yields components, each written as a name or as a table that gives it values."""
    for index, item in enumerate(table.items("requires")):
        place = table.value_place("requires", index)
        if isinstance(item, str):
            yield Ref(item, place), None
        elif isinstance(item, dict):
            path = (*table.path, "requires", index)
            inside = Table(item, path, f"'requires' of {table.what}", table.file, table.report)
            inside.expect(keys.REQUIRED)
            name = inside.ref("name")
            values = inside.table("values", "values = { x = 1.0 }").data
            if name:
                given = RequiredValues(name, values, index) if "values" in item else None
                yield name, given
        else:
            message = f"'requires' of {table.what} holds names, not {describe(item)}"
            help = 'write requires = ["…"], or { name = "…", values = { … } } in it'
            table.report.error("wrong-type", place, message, help=help)


def _hooks(table: Table, kinds: tuple[str, ...]) -> tuple[Hook, ...]:
    return tuple(hook for kind in kinds if (hook := _hook(table, kind)).functions)


def _hook(table: Table, kind: str) -> Hook:
    """Reads `true` as one function of that name, and an array as the names of several."""
    if isinstance(table.data.get(kind), list):
        if not table.data[kind]:
            table.report.error(
                "hook-empty",
                table.value_place(kind),
                f"'{kind}' of {table.what} names no function",
                help=f"write {kind} = true, or leave it out",
            )
        return Hook(kind, table.refs(kind))
    called = table.flag(kind, False)
    return Hook(kind, (Ref(kind, table.value_place(kind)),) if called else ())


def _hidden(files: list[File]) -> Hidden:
    """Collects the names under unknown keys, and in sections that are no tables."""
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
