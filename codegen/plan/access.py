"""Reflection lists what a system may reach, by kind and number."""

from __future__ import annotations

from model.code import System
from model.model import Model
from plan.grants import Parts
from plan.selections import access_of, access_rows


def access_of_system(model: Model, parts: Parts, system: System) -> list[str]:
    component, singleton = list(parts.components).index, list(parts.singletons).index
    event = list(model.events).index
    relation = list(parts.relations).index
    order = (system.order,) if system.order else ()
    lost = tuple(removal.component for removal in system.removed)
    links = tuple(ref for ref in lost if ref.name in model.relation_tags)
    return [
        *access_rows(model, system.selection),
        *access_of("LOOKUP_READ", system.lookup_read, component),
        *access_of("LOOKUP_WRITE", system.lookup_write, component),
        *access_of("SINGLETON_READ", system.singletons_read + system.states_read, singleton),
        *access_of("SINGLETON_WRITE", system.singletons_write + system.states_write, singleton),
        *access_of("QUERY", system.queries, list(parts.queries).index),
        *access_of("EMITS", system.emits, event),
        *access_of("HEARS", system.hears, event),
        *access_of("REMOVED", tuple(ref for ref in lost if ref not in links), component),
        *access_of("ORDER", order, relation),
        *access_of("PARENT", system.parent, component),
        *access_of("LOOKUP_RELATION", system.lookup_relations, relation),
        *access_of("REMOVED_RELATION", links, relation),
    ]
