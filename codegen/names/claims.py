"""This module lists every identifier of file scope in generated code, and what declares it.

It follows the tables of names.py: whatever `Names` can make out of a model is claimed here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from model.code import Index, Listener, Query, System
from model.data import Component, Event, Hook, Prefab, Relation, Resource, Singleton, State
from model.model import Model
from model.readers import ChangeSet, Readers, asks_for_changes
from model.refs import Ref
from model.rng import seeded
from model.trees import with_relation_tags
from model.types import EnumType, ExternType, Field, Shape, StructType
from names import names as families
from names.names import Names
from source.source import Place

Owner = tuple[str, str]  # kind and name of a declaration; ("world", "") for all others


@dataclass(frozen=True)
class Claim:
    identifier: str
    what: str  # in the user's words: "'get' of component 'position'"
    place: Place
    owner: Owner
    is_local: bool = False  # static in a C file, which no header and no game sees


# These enum constants number things that have no name in a schema.
NUMBERS = (("column", "entity"), ("buffer", "commands"))


def claims(model: Model) -> Iterator[Claim]:
    """Yields all claims in schema order; those of the world come first."""
    names = Names(model.world.name)
    yield from _world(names, model)
    for enum in model.enums.values():
        yield from _enum(names, enum)
    for struct in model.structs.values():
        yield from _struct(names, struct)
    for extern in model.externs.values():
        yield from _extern(names, extern)
    for component in model.components.values():
        yield from _component(names, component, model)
    for singleton in model.singletons.values():
        yield from _singleton(names, singleton)
    for state in model.states.values():
        yield from _state(names, state)
    for resource in model.resources.values():
        yield from _resource(names, resource)
    for event in model.events.values():
        yield from _event(names, event)
    for prefab in model.prefabs.values():
        yield from _prefab(names, prefab)
    for query in model.queries.values():
        yield from _query(names, query, model)
    for listener in model.listeners.values():
        yield from _listener(names, listener, model)
    for index in model.indexes.values():
        yield from _index(names, index)
    for system in model.systems.values():
        yield from _system(names, system, model)
    for relation in model.relations.values():
        yield from _relation(names, relation)
    whole = with_relation_tags(model)
    for tag, owner in whole.relation_tags.items():
        yield from _relation_tag(names, tag, model.relations[owner])
    for change_set in Readers(whole).change_sets():
        yield _change_set(names, change_set, whole)


def _world(names: Names, model: Model) -> Iterator[Claim]:
    place, owner = model.world.place, ("world", "")
    fragment = families.WORLD_FRAGMENT if model.world.fragments else ()
    step = families.WORLD_STEP if model.world.step else ()
    for verb in families.WORLD_TYPES + families.WORLD_CALLS + fragment + step:
        yield Claim(names.world(verb), f"'{verb}' of the world", place, owner)
    yield Claim(names.none(), "the handle of no entity", place, owner)
    if model.world.on_despawn:
        yield Claim(names.on_despawn(), "the hook 'on_despawn' of the world", place, owner)
    for verb in families.CMD_WORLD:
        yield Claim(names.cmd(verb), f"the command '{verb}' of the world", place, owner)
    for kind, name in NUMBERS:
        yield Claim(names.number(kind, name), f"a {kind} of the world", place, owner)
    for header in families.HEADERS:
        what = f"the include guard of '{names.header(header)}'"
        yield Claim(names.guard(header), what, place, owner)
    what = f"the include guard of '{names.prefix}.hpp'"
    yield Claim(names.cpp_guard(), what, place, owner)
    for word in families.LOCAL_WORLD:
        yield Claim(word, f"the table '{word}' of the world", place, owner, is_local=True)
    for phase in model.world.phases:
        owner = ("phase", phase.name)
        yield Claim(names.run(phase.name), f"phase '{phase.name}'", phase.place, owner)
        yield from _locals(names, owner, phase.place, families.LOCAL_PHASE)


def _enum(names: Names, enum: EnumType) -> Iterator[Claim]:
    owner, what = (enum.kind, enum.name), f"{enum.kind} '{enum.name}'"
    for verb in families.ENUM:
        yield Claim(names.enum(enum.name, verb), _of(verb, what), enum.place, owner)
    yield Claim(names.enum_count(enum.name), f"the number of values of {what}", enum.place, owner)
    yield _guard(names, owner, enum.place)
    yield from _locals(names, owner, enum.place, families.LOCAL_ENUM)
    for value in enum.values:
        identifier = names.enum_value(enum.name, value.name)
        yield Claim(identifier, f"value '{value.name}' of {what}", value.place, owner)


def _struct(names: Names, struct: StructType) -> Iterator[Claim]:
    owner = ("struct", struct.name)
    yield Claim(names.struct(struct.name), f"struct '{struct.name}'", struct.place, owner)
    yield from _lists(names, owner, struct.fields)
    yield _guard(names, owner, struct.place)
    yield from _locals(names, owner, struct.place, families.LOCAL_FIELDS + families.LOCAL_DEFAULTS)


def _extern(names: Names, extern: ExternType) -> Iterator[Claim]:
    owner = ("extern", extern.name)
    yield _guard(names, owner, extern.place)
    yield from _locals(names, owner, extern.place, families.LOCAL_FIELDS + families.LOCAL_DEFAULTS)


def _component(names: Names, component: Component, model: Model) -> Iterator[Claim]:
    owner = ("component", component.name)
    what, place, name = f"component '{component.name}'", component.place, component.name
    verbs = families.COMPONENT + (families.SOA if component.is_soa else ())
    for verb in families.TAG if component.is_tag else verbs:
        yield Claim(names.component(name, verb), _of(verb, what), place, owner)
    yield from _hooks(names, owner, what, place, component.hooks)
    if seeded(model, component) and not component.functions("on_add"):
        yield from _locals(names, owner, place, ("on_add",))
    for verb in families.CMD_TAG if component.is_tag else families.CMD_COMPONENT:
        yield Claim(names.cmd(name, verb), f"the command '{verb}' of {what}", place, owner)
    yield Claim(names.number("component", name), f"the number of {what}", place, owner)
    for field in component.fields if component.is_soa else ():
        identifier = names.number("column", name, field.name)
        yield Claim(identifier, f"column '{field.name}' of {what}", field.place, owner)
    kinds = ("column",) if component.is_table else ("column", "bitset", "store")
    for kind in () if component.is_soa else kinds:
        yield Claim(names.number(kind, name), f"the {kind} of {what}", place, owner)
    yield from _lists(names, owner, component.fields)
    yield _guard(names, owner, place)
    own = families.LOCAL_COMPONENT + (families.LOCAL_SPARSE if component.is_sparse else ())
    valued = families.LOCAL_FIELDS + families.LOCAL_DEFAULTS + families.LOCAL_PARENT
    with_fields = () if component.is_tag else valued
    yield from _locals(names, owner, place, own + with_fields)


def _hooks(
    names: Names, owner: Owner, what: str, place: Place, hooks: tuple[Hook, ...]
) -> Iterator[Claim]:
    for hook in hooks:
        for function in hook.functions:
            called = f"the hook '{function.name}' of {what}"
            yield Claim(names.hook(owner[1], function.name), called, function.place, owner)
    yield from _locals(names, owner, place, tuple(hook.kind for hook in hooks))


def _singleton(names: Names, singleton: Singleton) -> Iterator[Claim]:
    owner = ("singleton", singleton.name)
    what = f"singleton '{singleton.name}'"
    for verb in families.SINGLETON:
        identifier = names.singleton(singleton.name, verb)
        yield Claim(identifier, _of(verb, what), singleton.place, owner)
    yield from _lists(names, owner, singleton.fields)
    yield _guard(names, owner, singleton.place)
    kinds = families.LOCAL_FIELDS + families.LOCAL_DEFAULTS + families.LOCAL_SINGLETON
    yield from _locals(names, owner, singleton.place, kinds)


def _state(names: Names, state: State) -> Iterator[Claim]:
    """Lists what a state has beside its enum."""
    owner, what, place = ("state", state.name), f"state '{state.name}'", state.place
    for verb in families.STATE:
        if verb not in families.ENUM:
            yield Claim(names.state(state.name, verb), _of(verb, what), place, owner)
    guard = names.guard(f"{state.name}_state")
    yield Claim(guard, f"the include guard of what a world keeps of {what}", place, owner)
    kinds = families.LOCAL_FIELDS + families.LOCAL_DEFAULTS + families.LOCAL_STATE
    yield from _locals(names, owner, place, kinds)


def _resource(names: Names, resource: Resource) -> Iterator[Claim]:
    owner, place = ("resource", resource.name), resource.place
    what = f"resource '{resource.name}'"
    for verb in families.RESOURCE:
        yield Claim(names.resource(resource.name, verb), _of(verb, what), place, owner)
    yield _guard(names, owner, place)


def _event(names: Names, event: Event) -> Iterator[Claim]:
    owner = (event.kind, event.name)
    what, place = f"{event.kind} '{event.name}'", event.place
    yield Claim(names.event(event.name), what, place, owner)
    if event.kind == "input":
        yield Claim(names.input(event.name, "put"), f"'put' of {what}", place, owner)
    yield Claim(names.number("event", event.name), f"the number of {what}", place, owner)
    yield from _lists(names, owner, event.fields)
    yield _guard(names, owner, place)
    kinds = families.LOCAL_FIELDS + families.LOCAL_DEFAULTS + families.LOCAL_EVENT
    yield from _locals(names, owner, place, kinds)


def _prefab(names: Names, prefab: Prefab) -> Iterator[Claim]:
    owner = ("prefab", prefab.name)
    what, place = f"prefab '{prefab.name}'", prefab.place
    for verb in families.PREFAB:
        yield Claim(names.prefab(prefab.name, verb), _of(verb, what), place, owner)
    for verb in families.CMD_PREFAB:
        identifier = names.cmd(prefab.name, verb)
        yield Claim(identifier, f"the command '{verb}' of {what}", place, owner)
    yield Claim(names.number("prefab", prefab.name), f"the number of {what}", place, owner)
    yield _guard(names, owner, place)
    yield from _locals(names, owner, place, families.LOCAL_PREFAB)


def _query(names: Names, query: Query, model: Model) -> Iterator[Claim]:
    owner = ("query", query.name)
    what, place = f"query '{query.name}'", query.place
    for verb in families.QUERY:
        yield Claim(names.query(query.name, verb), _of(verb, what), place, owner)
    for ref in _tags(query.selection.optional, model):
        for verb in families.QUERY_OPTIONAL_TAG:
            identifier = names.query_tag(query.name, ref.name, verb)
            yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place, owner)
    for ref in query.all:
        for verb in families.QUERY_ALL:
            identifier = names.query_all(query.name, ref.name, verb)
            yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place, owner)
    for system in model.systems.values() if asks_for_changes(query.selection) else ():
        for verb in families.QUERY_VIEW if query.name in {r.name for r in system.queries} else ():
            identifier = names.view(query.name, system.name, verb)
            yield Claim(identifier, f"'{verb}' of {what} in system '{system.name}'", place, owner)
    if model.writes_fields(query.selection):
        yield Claim(names.define(query.name), f"the definition of {what}", place, owner)
    for kind in ("query", "reader"):
        yield Claim(names.number(kind, query.name), f"the {kind} of {what}", place, owner)
    yield _guard(names, owner, place)
    yield from _locals(names, owner, place, families.LOCAL_QUERY)


def _listener(names: Names, listener: Listener, model: Model) -> Iterator[Claim]:
    owner = ("listener", listener.name)
    what, place = f"listener '{listener.name}'", listener.place
    for verb in families.LISTENER + (families.LISTENER_ROWS if listener.has_rows else ()):
        yield Claim(names.query(listener.name, verb), _of(verb, what), place, owner)
    for ref in _tags(listener.selection.optional, model):
        for verb in families.QUERY_OPTIONAL_TAG:
            identifier = names.query_tag(listener.name, ref.name, verb)
            yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place, owner)
    yield from _consumed(names, listener, what, owner)
    for kind in ("query", "reader"):
        yield Claim(names.number(kind, listener.name), f"the {kind} of {what}", place, owner)
    yield _guard(names, owner, place)
    yield from _locals(names, owner, place, families.LOCAL_QUERY)


def _consumed(names: Names, reader: System | Listener, what: str, owner: Owner) -> Iterator[Claim]:
    """Lists what numbers the events that are heard and the removals that are read."""
    for ref in {ref.name: ref for ref in reader.hears}.values():
        identifier = names.number("hearer", reader.name, ref.name)
        yield Claim(identifier, f"the hearer of '{ref.name}' in {what}", ref.place, owner)
    for removal in {r.component.name: r for r in reader.removed}.values():
        ref = removal.component
        identifier = names.number("removal", reader.name, ref.name)
        yield Claim(identifier, f"the removals of '{ref.name}' in {what}", ref.place, owner)


def _index(names: Names, index: Index) -> Iterator[Claim]:
    owner = ("index", index.name)
    what, place = f"index '{index.name}'", index.place
    for verb in ("match", "filter", *families.INDEX_BY_KIND.get(index.kind, ())):
        yield Claim(names.index(index.name, verb), _of(verb, what), place, owner)
    for kind in ("index", "query", "reader"):
        yield Claim(names.number(kind, index.name), f"the {kind} of {what}", place, owner)
    yield _guard(names, owner, place)
    yield from _locals(names, owner, place, families.LOCAL_INDEX)


def _system(names: Names, system: System, model: Model) -> Iterator[Claim]:
    owner = ("system", system.name)
    what, place = f"system '{system.name}'", system.place
    verbs = families.SYSTEM + (families.SYSTEM_SWITCH if system.switch else ())
    for verb in verbs + (families.SYSTEM_ALONE if model.world.run_systems else ()):
        member = (verb,) if verb else ()
        yield Claim(names.system(system.name, *member), _of(verb, what), place, owner)
    if model.writes_fields(system.selection):
        yield Claim(names.define(system.name), f"the definition of {what}", place, owner)
    for ref, verbs in _granted(system, model):
        for verb in verbs:
            identifier = names.system(system.name, ref.name, verb)
            yield Claim(identifier, f"'{verb}' of '{ref.name}' in {what}", ref.place, owner)
    for ref in {ref.name: ref for ref in system.emits}.values():
        identifier = names.number("stage", system.name, ref.name)
        yield Claim(identifier, f"the stage of '{ref.name}' in {what}", ref.place, owner)
    yield from _consumed(names, system, what, owner)
    numbered = ("query", "system", "buffer", "clock", "parallel", "reader", "depth_order")
    for kind in (*numbered, *(("switch",) if system.switch else ())):
        yield Claim(names.number(kind, system.name), f"the {kind} of {what}", place, owner)
    yield _guard(names, owner, place)
    flush = families.LOCAL_FLUSH if system.flush else ()
    yield from _locals(names, owner, place, families.LOCAL_SYSTEM + flush)
    yield from _pass(names, system) if system.parallel and system.fuse else ()


def _granted(system: System, model: Model) -> Iterator[tuple[Ref, tuple[str, ...]]]:
    """Yields each thing over which a context has calls, and their verbs."""
    granted = (
        (system.lookup_read, families.SYSTEM_LOOKUP_READ),
        (_with_values(system.lookup_write, model), families.SYSTEM_LOOKUP_WRITE),
        (_tags(system.lookup_write, model), families.SYSTEM_LOOKUP_TAG),
        (system.queries, families.SYSTEM_QUERY),
        (system.lookup_relations, families.SYSTEM_RELATION),
        (_tags(system.selection.optional, model), families.SYSTEM_OPTIONAL_TAG),
        (_tags(system.selection.write, model), families.SYSTEM_WRITE_TAG),
        (system.selection.write if system.marks else (), families.SYSTEM_TOUCH),
        (system.emits, families.SYSTEM_EMITTED_EVENT),
        (system.states_write, families.SYSTEM_STATE),
    )
    for refs, verbs in granted:
        yield from ((ref, verbs) for ref in _once(refs))
    for ref in _once(system.indexes):
        if ref.name in model.indexes:
            kind = model.indexes[ref.name].kind
            yield ref, families.SYSTEM_INDEX_BY_KIND.get(kind, ())


def _pass(names: Names, system: System) -> Iterator[Claim]:
    owner, what = ("system", system.name), f"the pass of system '{system.name}'"
    yield Claim(names.number("pass", system.name), what, system.place, owner)
    yield from _locals(names, owner, system.place, families.LOCAL_FUSED)


def _change_set(names: Names, change_set: ChangeSet, model: Model) -> Claim:
    reader = [change_set.reader] if change_set.reader else []
    identifier = names.number(change_set.role, change_set.kind, change_set.component, *reader)
    name = change_set.component
    if name not in model.components:
        what = f"the change flag of singleton '{name}'"
        return Claim(identifier, what, model.singletons[name].place, ("singleton", name))
    kind = "relation" if name in model.relation_tags else "component"
    what = f"the change bits of {kind} '{name}'"
    return Claim(identifier, what, model.components[name].place, (kind, name))


def _relation(names: Names, relation: Relation) -> Iterator[Claim]:
    owner = ("relation", relation.name)
    what, place = f"relation '{relation.name}'", relation.place
    for verb in families.RELATION:
        yield Claim(names.relation(relation.name, verb), _of(verb, what), place, owner)
    for verb in families.CMD_RELATION:
        identifier = names.cmd(relation.name, verb)
        yield Claim(identifier, f"the command '{verb}' of {what}", place, owner)
    yield Claim(names.number("relation", relation.name), f"the number of {what}", place, owner)
    yield from _hooks(names, owner, what, place, relation.hooks)
    yield _guard(names, owner, place)


def _relation_tag(names: Names, tag: str, relation: Relation) -> Iterator[Claim]:
    owner, place = ("relation", relation.name), relation.place
    whose = "children" if tag == relation.name else "parents"
    for kind in ("component", "column", "bitset"):
        what = f"the {kind} of the {whose} in relation '{relation.name}'"
        yield Claim(names.number(kind, tag), what, place, owner)
    for kind in families.LOCAL_COMPONENT:
        what = f"the table '{kind}' of relation '{relation.name}'"
        yield Claim(names.local(kind, tag), what, place, owner, is_local=True)


def _lists(names: Names, owner: Owner, fields: tuple[Field, ...]) -> Iterator[Claim]:
    for field in fields:
        if field.type.shape is Shape.LIST:
            what = f"the list '{field.name}' of {owner[0]} '{owner[1]}'"
            for verb in families.LIST:
                identifier = names.list(owner[1], field.name, verb)
                yield Claim(identifier, _of(verb, what), field.place, owner)
            capacity = names.list_capacity(owner[1], field.name)
            yield Claim(capacity, f"the capacity of {what}", field.place, owner)


def _guard(names: Names, owner: Owner, place: Place) -> Claim:
    what = f"the include guard of {owner[0]} '{owner[1]}'"
    return Claim(names.guard(owner[1]), what, place, owner)


def _locals(names: Names, owner: Owner, place: Place, kinds: tuple[str, ...]) -> Iterator[Claim]:
    for kind in kinds:
        what = f"the table '{kind}' of {owner[0]} '{owner[1]}'"
        yield Claim(names.local(kind, owner[1]), what, place, owner, is_local=True)


def _once(refs: tuple[Ref, ...]) -> Iterable[Ref]:
    return {ref.name: ref for ref in refs}.values()


def _tags(refs: tuple[Ref, ...], model: Model) -> tuple[Ref, ...]:
    once = {ref.name: ref for ref in reversed(refs)}
    return tuple(ref for name, ref in once.items() if model.is_tag(name))


def _with_values(refs: tuple[Ref, ...], model: Model) -> tuple[Ref, ...]:
    return tuple(ref for ref in refs if not model.is_tag(ref.name))


def _of(verb: str, what: str) -> str:
    return f"'{verb}' of {what}" if verb else what
