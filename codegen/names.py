"""The only maker of C identifiers and of generated file names.

A schema name is the C name behind the world's prefix. Every family of names below is a plain table; `Names` makes
nothing that is not in a table, and `claims` lists everything that the tables make out of a model, so what the
generated code defines and what is checked for collisions cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model import Component, Model, Query, System
from source import Place

# File scope, behind `<world>_`. An empty verb is the type or function that carries the bare name.
WORLD_TYPES = ("world", "entity", "cmd")
WORLD_CALLS = (
    "open", "close", "spawn", "despawn", "alive", "same", "is_none", "tick", "flush", "commands",
    "reserve", "recycle", "stats", "schema", "error",
    "hash", "hash_exact", "save", "load", "save_memory", "load_memory",
    "base", "format", "entity_of", "entities_at", "plan",
)  # fmt: skip
COMPONENT = ("", "get", "edit", "set", "has", "remove", "at")
SOA = ("columns", "const_columns", "const_at", "put")  # a soa component has these besides
TAG = ("set", "remove", "has", "clear")
SINGLETON = ("", "get", "edit")
PREFAB = (
    "", "spawn", "spawn_many", "spawn_rows", "rows", "defaults", "reserve", "set",
)  # fmt: skip
QUERY = ("iter", "begin", "next", "count", "covers", "filter")
SYSTEM = ("", "ctx")

# Enum constants that number things, `<WORLD>_<KIND>_<NAME>`; a soa component's columns are `<NAME>_<FIELD>`.
NUMBERED = ("column", "plane", "component", "store", "prefab", "query", "buffer")

# Behind `<world>_cmd_`.
CMD_WORLD = ("spawn", "despawn")
CMD_COMPONENT = ("set", "remove")
CMD_TAG = ("set", "remove", "clear")
CMD_PREFAB = ("spawn", "spawn_many", "set")

# Behind `<world>_<system>_<name>_`: what a context grants.
SYSTEM_LOOKUP_READ = ("get",)
SYSTEM_LOOKUP_WRITE = ("edit",)
SYSTEM_QUERY = ("begin", "count")
SYSTEM_OPTIONAL_TAG = ("has",)
SYSTEM_WRITE_TAG = ("put",)
# Behind `<world>_<query>_<tag>_`.
QUERY_OPTIONAL_TAG = ("has",)

# Files, `<world>_<name>` and `<world>.h` for the empty name. Each is a reserved word, so no schema name is one.
HEADERS = ("", "entity", "world", "cmd", "schema", "run")
SOURCES = ("world", "run", "schema")

# Members and parameters that Weft itself puts beside the names of a schema.
ITERATOR_MEMBERS = ("world", "count", "entities", "rows")
ROWS_MEMBERS = ("count", "entities")
CONTEXT_MEMBERS = ("dt", "tick", "user", "entities", "cmd", "sealed")
SYSTEM_PARAMETERS = ("ctx", "count", "rows")

_IN_SYSTEM = frozenset(
    SYSTEM_LOOKUP_READ
    + SYSTEM_LOOKUP_WRITE
    + SYSTEM_QUERY
    + SYSTEM_OPTIONAL_TAG
    + SYSTEM_WRITE_TAG
)


@dataclass(frozen=True)
class Claim:
    """One identifier that the generated code defines at file scope, and who in the schema makes it."""

    identifier: str
    what: str  # in the user's words: "'get' of component 'position'"
    place: Place


class Names:
    """Makes every C identifier of one world. A verb that is in no table is a KeyError: a bug in the generator."""

    def __init__(self, world: str) -> None:
        self.prefix = world

    def world(self, verb: str) -> str:
        """`colony_open`, and the types `colony_world`, `colony_entity`, `colony_cmd`."""
        return self._member(WORLD_TYPES + WORLD_CALLS, verb)

    def component(self, name: str, verb: str = "") -> str:
        """`colony_position`, `colony_position_get`; also for tags (`clear`) and soa (`columns`)."""
        return self._member(COMPONENT + SOA + TAG, verb, name)

    def singleton(self, name: str, verb: str = "") -> str:
        return self._member(SINGLETON, verb, name)

    def prefab(self, name: str, verb: str = "") -> str:
        return self._member(PREFAB, verb, name)

    def query(self, name: str, verb: str) -> str:
        """`colony_idle_begin`."""
        return self._member(QUERY, verb, name)

    def query_tag(self, name: str, tag: str, verb: str = "has") -> str:
        """`colony_idle_selected_has`, for an optional tag."""
        return self._member(QUERY_OPTIONAL_TAG, verb, name, tag)

    def system(self, name: str, *member: str) -> str:
        """`colony_movement`, `colony_movement_ctx`, `colony_movement_position_get`."""
        if len(member) < 2:
            return self._member(SYSTEM, *(member or ("",)), name)
        inner, verb = member
        return self._member(_IN_SYSTEM, verb, name, inner)

    def cmd(self, *name_and_verb: str) -> str:
        """`colony_cmd_spawn`, `colony_cmd_position_set`."""
        if len(name_and_verb) == 1:
            return self._member(CMD_WORLD, *name_and_verb, "cmd")
        name, verb = name_and_verb
        return self._member(CMD_COMPONENT + CMD_TAG + CMD_PREFAB, verb, "cmd", name)

    def enum(self, name: str) -> str:
        return self._join(name)

    def enum_value(self, name: str, value: str) -> str:
        """`COLONY_JOB_IDLE`."""
        return self._join(name, value).upper()

    def struct(self, name: str) -> str:
        return self._join(name)

    def list(self, owner: str, field: str) -> str:
        """`colony_worker_bag`: the type of a list field, `struct { uint32_t count; T items[N]; }`."""
        return self._join(owner, field)

    def number(self, kind: str, *name: str) -> str:
        """`COLONY_COLUMN_VELOCITY_X`, `COLONY_PREFAB_VILLAGER`."""
        if kind not in NUMBERED:
            raise KeyError(f"'{kind}' is in no table of names")
        return self._join(kind, *name).upper()

    def run(self, phase: str) -> str:
        """`colony_run_simulate`."""
        return self._join("run", phase)

    def header(self, name: str = "") -> str:
        """`colony_position.h`; `colony.h` for the overview."""
        return self._join(name) + ".h"

    def guard(self, name: str = "") -> str:
        """`COLONY_POSITION_H`."""
        return self._join(name, "h").upper()

    def source(self, name: str) -> str:
        """`colony_run.c`."""
        return self._member(SOURCES, name) + ".c"

    def _member(self, family: tuple[str, ...] | frozenset[str], verb: str, *names: str) -> str:
        if verb not in family:
            raise KeyError(f"'{verb}' is in no table of names for {names or 'the world'}")
        return self._join(*names, verb)

    def _join(self, *parts: str) -> str:
        return "_".join(part for part in (self.prefix, *parts) if part)


def claims(model: Model) -> Iterator[Claim]:
    """Every identifier of file scope in generated code, in schema order; what Weft makes itself comes first."""
    names = Names(model.world.name)
    yield from _world_claims(names, model)
    for enum in model.enums.values():
        what = f"enum '{enum.name}'"
        yield Claim(names.enum(enum.name), what, enum.place)
        yield _guard(names, enum.name, what, enum.place)
        for value in enum.values:
            identifier = names.enum_value(enum.name, value.name)
            yield Claim(identifier, f"value '{value.name}' of {what}", value.place)
    for struct in model.structs.values():
        what = f"struct '{struct.name}'"
        yield Claim(names.struct(struct.name), what, struct.place)
        yield _guard(names, struct.name, what, struct.place)
    for component in model.components.values():
        yield from _component_claims(names, component)
    for singleton in model.singletons.values():
        what = f"singleton '{singleton.name}'"
        for verb in SINGLETON:
            yield Claim(names.singleton(singleton.name, verb), _of(verb, what), singleton.place)
        yield _guard(names, singleton.name, what, singleton.place)
    for prefab in model.prefabs.values():
        what = f"prefab '{prefab.name}'"
        for verb in PREFAB:
            yield Claim(names.prefab(prefab.name, verb), _of(verb, what), prefab.place)
        for verb in CMD_PREFAB:
            identifier = names.cmd(prefab.name, verb)
            yield Claim(identifier, f"the command '{verb}' of {what}", prefab.place)
        yield _guard(names, prefab.name, what, prefab.place)
    for query in model.queries.values():
        yield from _query_claims(names, query, model)
    for system in model.systems.values():
        yield from _system_claims(names, system, model)


def _world_claims(names: Names, model: Model) -> Iterator[Claim]:
    world = model.world
    for verb in WORLD_TYPES + WORLD_CALLS:
        yield Claim(names.world(verb), f"'{verb}' of the world", world.place)
    for verb in CMD_WORLD:
        yield Claim(names.cmd(verb), f"the command '{verb}' of the world", world.place)
    for phase in world.phases:
        yield Claim(names.run(phase.name), f"phase '{phase.name}'", phase.place)
    for header in HEADERS:
        yield _guard(names, header, f"file '{names.header(header)}'", world.place)


def _component_claims(names: Names, component: Component) -> Iterator[Claim]:
    kind = "tag" if component.is_tag else "component"
    what = f"{kind} '{component.name}'"
    soa = SOA if component.layout == "soa" else ()
    for verb in TAG if component.is_tag else COMPONENT + soa:
        yield Claim(names.component(component.name, verb), _of(verb, what), component.place)
    for verb in CMD_TAG if component.is_tag else CMD_COMPONENT:
        identifier = names.cmd(component.name, verb)
        yield Claim(identifier, f"the command '{verb}' of {what}", component.place)
    yield _guard(names, component.name, what, component.place)


def _query_claims(names: Names, query: Query, model: Model) -> Iterator[Claim]:
    what = f"query '{query.name}'"
    for verb in QUERY:
        yield Claim(names.query(query.name, verb), _of(verb, what), query.place)
    for ref in query.selection.optional:
        if _is_tag(model, ref.name):
            for verb in QUERY_OPTIONAL_TAG:
                identifier = names.query_tag(query.name, ref.name, verb)
                yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place)
    yield _guard(names, query.name, what, query.place)


def _system_claims(names: Names, system: System, model: Model) -> Iterator[Claim]:
    what = f"system '{system.name}'"
    for verb in SYSTEM:
        member = (verb,) if verb else ()
        yield Claim(names.system(system.name, *member), _of(verb, what), system.place)
    optional = tuple(ref for ref in system.selection.optional if _is_tag(model, ref.name))
    put = tuple(ref for ref in system.selection.write if _is_tag(model, ref.name))
    granted = (
        (system.lookup_read, SYSTEM_LOOKUP_READ),
        (system.lookup_write, SYSTEM_LOOKUP_WRITE),
        (system.queries, SYSTEM_QUERY),
        (optional, SYSTEM_OPTIONAL_TAG),
        (put, SYSTEM_WRITE_TAG),
    )
    for refs, verbs in granted:
        for ref in refs:
            for verb in verbs:
                identifier = names.system(system.name, ref.name, verb)
                yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place)
    yield _guard(names, system.name, what, system.place)


def _guard(names: Names, name: str, what: str, place: Place) -> Claim:
    return Claim(names.guard(name), f"the include guard of {what}", place)


def _of(verb: str, what: str) -> str:
    return f"'{verb}' of {what}" if verb else what


def _is_tag(model: Model, name: str) -> bool:
    component = model.components.get(name)
    return component is not None and component.is_tag
