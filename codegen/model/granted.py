"""Lists everything that systems are granted besides their rows, by name.

Only these things have grants, and calls that take grants. A hook may read its whole world. So if
the game has a hook, every component, every relation, and every query that only reads has a reader.
"""

from __future__ import annotations

from collections.abc import Iterable

from model.code import Query, System
from model.model import Model
from model.readers import asks_for_changes
from model.record import record
from model.refs import Ref


@record
class Granted:
    """The names of everything that is granted to a system or hook."""

    reads: frozenset[str]  # components and tags that are read or written
    writes: frozenset[str]  # components and tags that are written
    relations: frozenset[str]
    links: frozenset[str]  # read or written
    written_links: frozenset[str]
    queries: frozenset[str]
    indexes: frozenset[str]
    emits: frozenset[str]
    states: frozenset[str]


def has_hooks(model: Model) -> bool:
    """Returns whether the game defines any hook."""
    data = model.data
    return bool(
        model.world.entities.on_despawn
        or any(one.hooks for one in data.components.values())
        or any(one.hooks for one in data.relations.values())
        or any(one.hooks for one in data.links.values())
    )


def granted(model: Model) -> Granted:
    systems = model.code.systems.values()
    writes = _named(ref for s in systems for ref in s.reach.lookup.write)
    written_links = _named(ref for s in systems for ref in s.reach.links.write)
    hooks = has_hooks(model)
    shown = [query.name for query in model.code.queries.values() if is_shown_to_hooks(query)]
    return Granted(
        reads=writes
        | _named(ref for s in systems for ref in s.reach.lookup.read)
        | frozenset(_declared(model) if hooks else ()),
        writes=writes,
        relations=_named(ref for s in systems for ref in s.reach.lookup.relations)
        | frozenset(model.data.relations if hooks else ()),
        links=written_links
        | _named(ref for s in systems for ref in s.reach.links.read)
        | frozenset(model.data.links if hooks else ()),
        written_links=written_links,
        queries=_named(ref for s in systems for ref in s.reach.queries)
        | frozenset(shown if hooks else ()),
        indexes=_named(ref for s in systems for ref in s.reach.indexes),
        emits=_named(ref for s in systems for ref in s.messages.emits),
        states=_named(ref for s in systems for ref in s.reach.states.write),
    )


def is_shown_to_hooks(query: Query) -> bool:
    """Returns whether a hook may use a query: it must not write, and must not have turns."""
    return not query.selection.write and not asks_for_changes(query.selection)


def looked_up(system: System) -> list[Ref]:
    """Returns the components that a system reads or writes of any entity, without duplicates."""
    refs = [*system.reach.lookup.read, *system.reach.lookup.write]
    return list({ref.name: ref for ref in refs}.values())


def _declared(model: Model) -> list[str]:
    related = model.data.relation_tags
    return [name for name in model.data.components if name not in related]


def _named(refs: Iterable[Ref]) -> frozenset[str]:
    return frozenset(ref.name for ref in refs)
