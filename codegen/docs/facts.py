"""Facts about each declaration: what it says, and what uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from docs.words import Fact, Link, Names, Words
from model.code import Index, Listener, Query, Selection, System, merged_words
from model.data import Component, Event, Hook, Prefab, Relation, Singleton, StateValue, path_text
from model.data import Link as LinkType
from model.expressions import Expr
from model.model import Model
from model.named import with_fields
from model.refs import Ref
from model.types import ExternType

Waits: TypeAlias = dict[tuple[str, str], str]  # why the second of two systems waits for the first


def facts_of(model: Model, names: Names, kind: str, item: Any) -> list[Fact]:
    """Returns what the declaration itself says."""
    if isinstance(item, System):
        return [fact for fact in _system(names, item) if fact.words]
    known: dict[str, Callable[[Names, Any], Iterator[Fact]]] = {
        "component": _component,
        "tag": _component,
        "singleton": _singleton,
        "event": _event,
        "input": _event,
        "relation": _relation,
        "link": _link,
        "prefab": _prefab,
        "query": _query,
        "listener": _listener,
        "index": _index,
        "extern": _extern,
    }
    found = known[kind](names, item) if kind in known else iter(())
    return [fact for fact in found if fact.words]


def _said(label: str, text: str) -> Fact:
    return Fact(label, [text] if text else [])


def _hooks(hooks: tuple[Hook, ...]) -> Fact:
    return _said("hooks", "; ".join(hook.words for hook in hooks))


def _component(names: Names, one: Component) -> Iterator[Fact]:
    if one.fields:
        aos = "an array of structs in each table"
        storage = "an array for each field in each table" if one.is_soa else aos
        yield _said("stored as", "sparse values, for few entities" if one.is_sparse else storage)
    yield Fact("requires", names.listed(one.rules.requires))
    yield Fact("excludes", names.listed(one.rules.excludes))
    yield _hooks(one.hooks)
    yield from _saved(one)


def _saved(one: Component | Singleton) -> Iterator[Fact]:
    yield _said("saves", "" if one.save else "its values are not saved")
    yield _said("was", one.was)


def _singleton(names: Names, one: Singleton) -> Iterator[Fact]:
    yield from _saved(one)


def _event(names: Names, one: Event) -> Iterator[Fact]:
    yield _said("most unread events", f"{one.max:,}")
    yield _said("was", one.was)


def _relation(names: Names, one: Relation) -> Iterator[Fact]:
    ends = one.on_parent_despawn == "despawn"
    yield _said(
        "when a parent is despawned",
        "children are despawned too" if ends else "children become roots",
    )
    yield _said("a new child", "becomes the last one" if one.appends else "becomes the first one")
    yield _hooks(one.hooks)
    yield _said("was", one.was)


def _link(names: Names, one: LinkType) -> Iterator[Fact]:
    for end, other, fate in (("from", "to", one.ends.source), ("to", "from", one.ends.target)):
        too = f"the entity at `{other}` is despawned too" if fate == "despawn" else ""
        yield _said(f"when the entity at `{end}` is despawned", too)
    yield _said("direction", "both" if one.symmetric else "")
    yield _hooks(one.hooks)
    yield _said("was", one.was)


def _prefab(names: Names, one: Prefab) -> Iterator[Fact]:
    yield Fact("variant of", names.listed([one.base] if one.base else []))
    yield Fact("without", names.listed(one.written.without))
    yield Fact("despawned when", _state(names, one.lives, "is left"))
    yield Fact("components", names.listed([part.component for part in one.components]))
    for item in one.components:
        values = ", ".join(f"{field} = {value}" for field, value in item.values.items())
        words: Words = [names.link(item.component.name), f": {values}"]
        yield Fact("begins with", words if values else [])
    for part in one.parts:
        count = f"{part.count} of " if part.count > 1 else ""
        about: Words = [f"{part.name}: {count}", names.link(part.prefab.name)]
        yield Fact("part", [*about, ", attached by ", names.link(part.by.name)])
    for ref in {ref.text: ref for ref in one.refs}.values():
        if not ref.is_lost:
            yield _said("refers to a part", f"{ref.text} is {path_text(ref.target)}")


def _query(names: Names, one: Query) -> Iterator[Fact]:
    yield from _selection(names, one.selection)
    yield Fact("added to or removed from all rows", names.listed(one.all))


def _listener(names: Names, one: Listener) -> Iterator[Fact]:
    yield from _selection(names, one.selection)
    yield from _consumed(names, one)
    yield _said("was", one.was)


def _consumed(names: Names, one: System | Listener) -> Iterator[Fact]:
    yield Fact("hears", names.listed(one.messages.hears))
    yield Fact(
        "reads removals of", names.listed(removal.component for removal in one.messages.removed)
    )


def _index(names: Names, one: Index) -> Iterator[Fact]:
    yield Fact("of", names.listed([one.of]))
    yield _said(one.kind, ", ".join(ref.name for ref in one.fields))
    yield _said("size of a cell", f"{one.cell:g}" if one.cell else "")
    yield Fact("where", names.expression(one.selection.where) if one.selection.where else [])


def _extern(names: Names, one: ExternType) -> Iterator[Fact]:
    yield _said("in C", f"{one.c}, from {one.header}")


def _selection(names: Names, one: Selection) -> Iterator[Fact]:
    yield Fact("reads", names.listed(one.read))
    yield Fact("writes", names.listed(one.write))
    yield Fact("optional", names.listed(one.optional))
    yield Fact("where", names.expression(one.where) if one.where else [])


def _system(names: Names, one: System) -> Iterator[Fact]:
    yield Fact("phase", [Link(one.schedule.phase.name, f"phase-{one.schedule.phase.name}")])
    yield from _selection(names, one.selection)
    yield Fact("when", names.expression(one.schedule.turn.when) if one.schedule.turn.when else [])
    yield Fact("runs once when", _state(names, one.schedule.turn.enters, "starts"))
    yield Fact("runs once when", _state(names, one.schedule.turn.leaves, "is left"))
    yield Fact("reads states", names.listed(one.reach.states.read))
    yield Fact("writes states", names.listed(one.reach.states.write))
    yield _said("every", f"{one.schedule.turn.every:g} s" if one.schedule.turn.every else "")
    yield Fact("order", names.listed([one.loop.tree.order] if one.loop.tree.order else []))
    yield Fact("reads from parents", names.listed(one.loop.tree.parent))
    yield Fact("reads singletons", names.listed(one.reach.singletons.read))
    yield Fact("writes singletons", names.listed(one.reach.singletons.write))
    yield Fact("looks up", names.listed(one.reach.lookup.read + one.reach.lookup.relations))
    yield Fact("looks up and writes", names.listed(one.reach.lookup.write))
    over = one.loop.over
    yield Fact("iterates links", names.listed([over.link] if over else []))
    for end, access in over.ends if over else ():
        yield Fact(f"reads at `{end}`", names.listed(access.read))
        yield Fact(f"writes at `{end}`", names.listed(access.write))
    yield Fact("reads links", names.listed(one.reach.links.read))
    yield Fact("writes links", names.listed(one.reach.links.write))
    yield Fact("iterates", names.listed(one.reach.queries))
    yield Fact("asks", names.listed(one.reach.indexes))
    yield Fact("emits", names.listed(one.messages.emits))
    yield from _consumed(names, one)
    also = {
        "records commands": one.messages.commands,
        "commands recorded before it are applied first": one.schedule.flush,
        "workers share its rows": one.loop.parallel,
        "has functions for the beginning and end of a turn": one.loop.turn,
        merged_words(one): one.loop.partial is not None,
        "the game can switch it off": bool(one.schedule.turn.switch),
        "after a load it sees all as added": one.schedule.turn.after_load == "everything",
    }
    yield _said("also", "; ".join(text for text, is_so in also.items() if is_so))


def _state(names: Names, one: StateValue | None, does: str) -> Words:
    return [names.link(one.state.name), f" == {one.value.name} {does}"] if one else []


def links_of(model: Model, names: Names, waits: Waits) -> dict[tuple[str, str], list[Fact]]:
    """Returns, by kind and name, the declarations that name it: all links reversed."""
    found: dict[tuple[str, str], dict[str, list[str]]] = {}

    def note(label: str, user: str, refs: tuple[Ref, ...]) -> None:
        for ref in refs:
            labels = found.setdefault((names.kind(ref.name), ref.name), {})
            labels.setdefault(label, []).append(user)

    for query in model.code.queries.values():
        _note_selection(note, query.name, query.selection)
        note("added to or removed from all rows of", query.name, query.all)
    for listener in model.code.listeners.values():
        _note_selection(note, listener.name, listener.selection)
        _note_consumed(note, listener)
    for index in model.code.indexes.values():
        note("found by", index.name, (index.of,))
        note(
            "filters",
            index.name,
            tuple(_named(index.selection.where)),
        )
    for system in model.code.systems.values():
        _note_selection(note, system.name, system.selection)
        _note_system(note, system)
    for component in model.data.components.values():
        note("required by", component.name, component.rules.requires)
        note("excluded by", component.name, component.rules.excludes)
    for prefab in model.data.prefabs.values():
        note("despawns entities of", prefab.name, (prefab.lives.state,) if prefab.lives else ())
        note("variants", prefab.name, (prefab.base,) if prefab.base else ())
        note("is a part of", prefab.name, tuple(part.prefab for part in prefab.parts))
        note("attaches parts of", prefab.name, tuple(part.by for part in prefab.parts))
        note("in prefabs", prefab.name, tuple(one.component for one in prefab.components))
    facts = {
        key: [Fact(label, names.listed(users)) for label, users in labels.items()]
        for key, labels in found.items()
    }
    for (earlier, later), why in waits.items():
        for one, label, other in ((later, "waits for", earlier), (earlier, "before", later)):
            words: Words = [names.link(other), f": {why}"]
            facts.setdefault(("system", one), []).append(Fact(label, words))
    return facts


Note: TypeAlias = Callable[[str, str, tuple[Ref, ...]], None]


def _note_selection(note: Note, user: str, one: Selection) -> None:
    note("read by", user, one.read)
    note("written by", user, one.write)
    note("optional in", user, one.optional)
    note("filters", user, tuple(_named(one.where)))


def _named(where: Expr | None) -> Iterator[Ref]:
    """Yields the names in a `where`."""
    return (atom.named for atom in (where.atoms() if where else ()) if atom.named)


def _note_system(note: Note, one: System) -> None:
    note("read by", one.name, one.reach.singletons.read + one.reach.states.read)
    note("written by", one.name, one.reach.singletons.write + one.reach.states.write)
    note(
        "entering runs",
        one.name,
        (one.schedule.turn.enters.state,) if one.schedule.turn.enters else (),
    )
    note(
        "leaving runs",
        one.name,
        (one.schedule.turn.leaves.state,) if one.schedule.turn.leaves else (),
    )
    note("looked up by", one.name, one.reach.lookup.read + one.reach.lookup.relations)
    note("looked up and written by", one.name, one.reach.lookup.write)
    note("read by", one.name, one.reach.links.read)
    note("written by", one.name, one.reach.links.write)
    over = one.loop.over
    note("iterated by", one.name, (over.link,) if over else ())
    note("read at ends of links by", one.name, over.reads if over else ())
    note("written at ends of links by", one.name, over.writes if over else ())
    note("iterated by", one.name, one.reach.queries)
    note("used by", one.name, one.reach.indexes)
    note("emitted by", one.name, one.messages.emits)
    _note_consumed(note, one)
    note("orders", one.name, (one.loop.tree.order,) if one.loop.tree.order else ())
    note("read from parents by", one.name, one.loop.tree.parent)
    note(
        "decides turns of",
        one.name,
        tuple(one.schedule.turn.when.refs()) if one.schedule.turn.when else (),
    )


def _note_consumed(note: Note, one: System | Listener) -> None:
    note("heard by", one.name, one.messages.hears)
    note("removals read by", one.name, tuple(removal.component for removal in one.messages.removed))


def uses_of(model: Model, names: Names, kind: str, name: str) -> list[Fact]:
    """Returns what has fields of a type."""
    if kind not in ("enum", "struct", "extern"):
        return []
    users = [
        owner.name
        for _, owner in with_fields(model)
        if any(name in (field.type.name, field.type.by) for field in owner.fields)
    ]
    return [Fact("used by", names.listed(users))] if users else []
