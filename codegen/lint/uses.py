"""Who reads, writes and adds what, as far as the schema shows it."""

from __future__ import annotations

from collections.abc import Iterator

from model.code import Selection
from model.model import Model
from model.named import with_fields
from model.refs import Ref
from model.states import living_tag

MOST_MISTAKEN = 4  # more than one in this many is no mistake


class Uses:
    """The names that the schema reads, writes and adds. They may include relations and queries."""

    def __init__(self, model: Model) -> None:
        self.read = {ref.name for ref in _read(model)}
        self.written = {ref.name for ref in [*_written(model), *_of_all_rows(model)]}
        self.added = {ref.name for ref in _added(model)}
        self.in_prefabs = {
            one.component.name for p in model.data.prefabs.values() for one in p.components
        }
        self.emitted = {
            ref.name for system in model.code.systems.values() for ref in system.messages.emits
        }
        self.heard = {ref.name for one in model.with_removals for ref in one.messages.hears}
        self.links = {ref.name for ref in _links(model)}
        self.open = _is_open(model) or _adds_by_calls(model, self.added)


def _is_open(model: Model) -> bool:
    """Returns whether the game's code may add and set any component.

    Systems and hooks that record commands may do so. In a world without prefabs, the game spawns
    its entities by calls, which the schema does not show.
    """
    hooks = [hook for component in model.data.components.values() for hook in component.hooks]
    hooks += [hook for relation in model.data.relations.values() for hook in relation.hooks]
    hooks += [hook for link in model.data.links.values() for hook in link.hooks]
    return (
        model.world.entities.on_despawn
        or bool(hooks)
        or not model.data.prefabs
        or any(s.messages.commands for s in model.code.systems.values())
    )


def _adds_by_calls(model: Model, added: set[str]) -> bool:
    """Returns whether the game seems to add components by calls, which the schema does not show.

    If most components are added by the schema, one that is not is probably a mistake. If more than
    a quarter are not, the game does not make its entities by prefabs.
    """
    names = set(model.data.components) - made_by_weft(model)
    return MOST_MISTAKEN * len(names - added) > len(names)


def made_by_weft(model: Model) -> set[str]:
    """Returns the components that the generator adds: tags of `lives`, and those that store the
    parts of prefabs.
    """
    tags = {living_tag(prefab.lives) for prefab in model.data.prefabs.values() if prefab.lives}
    return tags | {one.name for one in model.data.components.values() if one.of_prefab}


def _selections(model: Model) -> Iterator[Selection]:
    yield from (query.selection for query in model.begun)
    yield from (index.selection for index in model.code.indexes.values())
    yield from (system.selection for system in model.code.systems.values())
    yield from (index.selection for index in model.code.indexes.values())


def _of_all_rows(model: Model) -> Iterator[Ref]:
    """Yields what the game sets on all rows of a query by one call."""
    for query in model.code.queries.values():
        yield from query.all


def _read(model: Model) -> Iterator[Ref]:
    """Yields what is read. Everything that is written may be read as well."""
    yield from _written(model)
    yield from model.world.hide
    yield from (index.of for index in model.code.indexes.values())
    for chosen in _selections(model):
        yield from chosen.read + chosen.optional
        yield from chosen.where.refs() if chosen.where else ()
    for system in model.code.systems.values():
        yield from system.reach.lookup.read + system.loop.tree.parent + system.reach.singletons.read
        yield from system.schedule.turn.when.refs() if system.schedule.turn.when else ()
        yield from system.loop.over.reads if system.loop.over else ()
    for reader in model.with_removals:
        yield from (removal.component for removal in reader.messages.removed)
    lives = (prefab.lives for prefab in model.data.prefabs.values() if prefab.lives)
    yield from (Ref(living_tag(one), one.state.place) for one in lives)
    for component in model.data.components.values():  # a tag may exist only for its rules
        rules = component.rules.requires + component.rules.excludes
        yield from (ref for ref in rules if model.is_tag(ref.name))
        ruled = component.hooks or (component.is_tag and rules)
        yield from (Ref(component.name, component.place),) if ruled else ()


def _links(model: Model) -> Iterator[Ref]:
    """Yields the links that conditions and systems name."""
    for chosen in (*_selections(model), *(one.selection for one in model.code.listeners.values())):
        for atom in chosen.where.atoms() if chosen.where else ():
            if atom.link:
                yield atom.link
    for system in model.code.systems.values():
        yield from system.reach.links.read + system.reach.links.write
        yield from (system.loop.over.link,) if system.loop.over else ()


def _written(model: Model) -> Iterator[Ref]:
    for chosen in _selections(model):
        yield from chosen.write
    for system in model.code.systems.values():
        yield from system.reach.lookup.write + system.reach.singletons.write
        yield from system.loop.over.writes if system.loop.over else ()


def _added(model: Model) -> Iterator[Ref]:
    """Yields what is added to entities. Of the components that systems write, only tags are."""
    yield from (ref for ref in _written(model) if model.is_tag(ref.name))
    yield from _of_all_rows(model)
    for prefab in model.data.prefabs.values():
        yield from (one.component for one in prefab.components)
    for component in model.data.components.values():
        yield from component.rules.requires


def users_of(model: Model, kind: str, type_name: str) -> list[tuple[str, str]]:
    """Returns kind and name of everything with a field of a type, also inside structs."""
    found = []
    for owner_kind, owner in with_fields(model):
        for field in owner.fields:
            if field.type.base.value == kind and field.type.name == type_name:
                found.append((owner_kind, owner.name))
                break
    inside = [one for one in found if one[0] in ("struct", "extern")]
    return found + [user for one in inside for user in users_of(model, *one)]
