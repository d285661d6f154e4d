"""Lists every identifier at file scope of generated code, and the declaration that causes it.

It follows the tables of names.py: everything that `Names` can make from a model is claimed here.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.model import Model
from model.readers import ChangeSet, Readers
from model.trees import with_relation_tags
from names import names as families
from names.claim import Claim, local_claims
from names.code_claims import index_claims, listener_claims, query_claims, system_claims
from names.data_claims import (
    component_claims,
    enum_claims,
    event_claims,
    extern_claims,
    link_claims,
    link_tag_claims,
    prefab_claims,
    relation_claims,
    relation_tag_claims,
    resource_claims,
    singleton_claims,
    state_claims,
    struct_claims,
)
from names.names import Names

# These constants number things that have no name in the schema.
NUMBERS = (("column", "entity"), ("buffer", "commands"))


def claims(model: Model) -> Iterator[Claim]:
    """Yields all claims in schema order, those of the world first."""
    names = Names(model.world.name)
    yield from _world(names, model)
    for enum in model.types.enums.values():
        yield from enum_claims(names, enum)
    for struct in model.types.structs.values():
        yield from struct_claims(names, struct)
    for extern in model.types.externs.values():
        yield from extern_claims(names, extern)
    for component in model.data.components.values():
        yield from component_claims(names, component, model)
    for singleton in model.data.kept.singletons.values():
        yield from singleton_claims(names, singleton)
    for state in model.data.kept.states.values():
        yield from state_claims(names, state)
    for resource in model.data.kept.resources.values():
        yield from resource_claims(names, resource)
    for event in model.data.events.values():
        yield from event_claims(names, event)
    for prefab in model.data.prefabs.values():
        yield from prefab_claims(names, prefab)
    for query in model.code.queries.values():
        yield from query_claims(names, query, model)
    for listener in model.code.listeners.values():
        yield from listener_claims(names, listener, model)
    for index in model.code.indexes.values():
        yield from index_claims(names, index)
    for system in model.code.systems.values():
        yield from system_claims(names, system, model)
    for relation in model.data.relations.values():
        yield from relation_claims(names, relation)
    for link in model.data.links.values():
        yield from link_claims(names, link)
    whole = with_relation_tags(model)
    for tag, owner in whole.data.relation_tags.items():
        if owner in model.data.links:
            yield from link_tag_claims(names, tag, model.data.links[owner])
        else:
            yield from relation_tag_claims(names, tag, model.data.relations[owner])
    for change_set in Readers(whole).change_sets():
        yield _change_set(names, change_set, whole)


def _world(names: Names, model: Model) -> Iterator[Claim]:
    place, owner = model.world.place, ("world", "")
    fragment = families.WORLD_FRAGMENT if model.world.fragments else ()
    step = families.WORLD_STEP if model.world.ticks.step else ()
    for verb in (
        families.WORLD_TYPES
        + families.WORLD_CALLS
        + families.WORLD_CLONE
        + families.WORLD_PART
        + fragment
        + step
    ):
        yield Claim(names.world(verb), f"'{verb}' of the world", place, owner)
    yield Claim(names.none(), "the handle of no entity", place, owner)
    if model.world.entities.on_despawn:
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
    what = f"the include guard of '{names.prefix}_world.hpp'"
    yield Claim(names.cpp_guard("world"), what, place, owner)
    for word in families.LOCAL_WORLD:
        yield Claim(word, f"the table '{word}' of the world", place, owner, is_local=True)
    for phase in model.world.phases:
        owner = ("phase", phase.name)
        yield Claim(names.run(phase.name), f"phase '{phase.name}'", phase.place, owner)
        yield from local_claims(names, owner, phase.place, families.LOCAL_PHASE)


def _change_set(names: Names, change_set: ChangeSet, model: Model) -> Claim:
    reader = [change_set.reader] if change_set.reader else []
    identifier = names.number(change_set.role, change_set.kind, change_set.component, *reader)
    name = change_set.component
    if name not in model.data.components:
        what = f"the change flag of singleton '{name}'"
        return Claim(identifier, what, model.data.kept.singletons[name].place, ("singleton", name))
    place, owner = model.data.components[name].place, model.data.relation_tags.get(name, name)
    kind = "component" if name not in model.data.relation_tags else "relation"
    kind = "link" if owner in model.data.links and kind == "relation" else kind
    return Claim(identifier, f"the change bits of {kind} '{owner}'", place, (kind, owner))
