"""The access of systems for reflection: pairs of a kind and a number."""

from __future__ import annotations

from model.code import System
from model.model import Model
from model.readers import written_links
from plan.grants import Parts
from plan.selections import access_of, access_rows


def access_of_system(model: Model, parts: Parts, system: System) -> list[str]:
    component, singleton = list(parts.components).index, list(parts.singletons).index
    event = list(model.data.events).index
    relation = list(parts.relations).index
    order = (system.loop.tree.order,) if system.loop.tree.order else ()
    lost = tuple(removal.component for removal in system.messages.removed)
    roots = tuple(ref for ref in lost if ref.name in model.data.relation_tags)
    link, ends = list(model.data.links).index, system.loop.over
    over = (ends.link,) if ends and not ends.write else ()
    reads, writes = (ends.reads, ends.writes) if ends else ((), ())
    return [
        *access_rows(model, system.selection),
        *access_of("LOOKUP_READ", system.reach.lookup.read + reads, component),
        *access_of("LOOKUP_WRITE", system.reach.lookup.write + writes, component),
        *access_of(
            "SINGLETON_READ", system.reach.singletons.read + system.reach.states.read, singleton
        ),
        *access_of(
            "SINGLETON_WRITE", system.reach.singletons.write + system.reach.states.write, singleton
        ),
        *access_of("QUERY", system.reach.queries, list(parts.queries).index),
        *access_of("EMITS", system.messages.emits, event),
        *access_of("HEARS", system.messages.hears, event),
        *access_of("REMOVED", tuple(ref for ref in lost if ref not in roots), component),
        *access_of("ORDER", order, relation),
        *access_of("PARENT", system.loop.tree.parent, component),
        *access_of("LOOKUP_RELATION", system.reach.lookup.relations, relation),
        *access_of("REMOVED_RELATION", roots, relation),
        *access_of("LINK_READ", system.reach.links.read + over, link),
        *access_of("LINK_WRITE", written_links(system), link),
    ]
