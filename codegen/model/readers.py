"""Decides who reads changes, and which bits of changes they need.

A reader is a system or a query. A system reads changes through its `when` and `where`, through the
`where` of the queries that it lists, and through the removals that it reads. All of these share the
turns of the system. A reader wants to know which components were added, changed or removed since
its last turn. A change sets a bit in the incoming set, which all readers of that component and that
kind of change share. If there is only one reader, it reads the incoming set directly. If there are
several, or if the reader is a system that makes such changes itself, each reader also has an unseen
set: bits move there from the incoming set until the reader has seen them. A query keeps the result
of its last turn in one more set while the game iterates it. A listener is such a query, except that
it records changes from the start, as systems do. If it only reads removals, it needs no result set.

A removal concerns only the readers whose last turn found the component on the row. The unseen
additions of each reader show this. So a removal sets a bit in the sets of these readers
immediately. Nothing is passed on, because the incoming set of a removal belongs to the reader.

An index is a reader too. It also sees the changes that its users make in their turns. It watches
changes of its component, and additions of the components in its `where`. Entities that lose a
component are reported to it one by one.

A watched singleton has change sets too, but each of them is a single flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from model.code import Selection, System
from model.expressions import Op
from model.model import Model
from model.record import record
from model.refs import Ref
from model.trees import link_tags

KINDS = {
    Op.ADDED: "added",
    Op.CHANGED: "changed",
    Op.CHANGED_PARENT: "changed",
    Op.REMOVED: "removed",
}


class Reader(NamedTuple):
    """The system, query, listener or index that reads changes."""

    name: str
    is_query: bool = False  # a query or listener, which the game iterates
    is_index: bool = False  # no system or query, but an index


@record
class Watch:
    """What one reader wants to know about one component or singleton."""

    kind: str  # "added", "changed" or "removed"
    component: str
    reader: Reader
    own: bool = False  # the reader makes such changes itself, and must not see its own
    shows: bool = True  # false for a query that does not show rows because of it

    @property
    def group(self) -> tuple[str, str]:
        return self.kind, self.component


class ChangeSet(NamedTuple):
    """One bit for each row. `reader` owns the bits; "" for an incoming set."""

    role: str  # "incoming", "unseen" or "shown"
    kind: str
    component: str
    reader: str = ""


@record
class View:
    """The bits that a watch uses. One set may have two roles if the reader needs no second set."""

    watch: Watch
    incoming: ChangeSet
    unseen: ChangeSet
    shown: ChangeSet


class Readers:
    """All watches, grouped by the kind of change and the component."""

    def __init__(self, model: Model) -> None:
        components, singletons = model.data.components, model.data.kept.singletons
        self.singletons = singletons.keys() - components.keys()
        found: dict[tuple[str, str], list[Watch]] = {}
        for watch in _watches(model):
            group = found.setdefault(watch.group, [])
            if all(w.reader != watch.reader for w in group):
                group.append(watch)
        groups = [(kind, name) for name in components for kind in dict.fromkeys(KINDS.values())]
        groups += [("changed", name) for name in singletons]
        self._views = {
            group: [_view(watch, len(found[group]) == 1) for watch in found[group]]
            for group in groups
            if group in found
        }
        self._watched = list(self._views)
        self._every = [view for views in self._views.values() for view in views]
        self._by_reader: dict[Reader, list[View]] = {}
        for view in self.views():
            self._by_reader.setdefault(view.watch.reader, []).append(view)
        self.tables = {name for name, component in components.items() if component.is_table}

    def views(self) -> list[View]:
        return self._every

    def of(self, reader: str, is_query: bool) -> list[View]:
        """Returns the watches of one reader."""
        return self._by_reader.get(Reader(reader, is_query), [])

    def of_index(self, index: str) -> list[View]:
        """Returns the watches of an index, that of its component first."""
        views = self._by_reader.get(Reader(index, is_index=True), [])
        return sorted(views, key=lambda view: view.watch.kind != "changed")

    def only_indexes(self, change_set: ChangeSet) -> bool:
        """Returns whether only indexes use a change set."""
        views = [v for v in self.views() if change_set in (v.incoming, v.unseen, v.shown)]
        return all(view.watch.reader.is_index for view in views)

    def groups(self) -> list[tuple[str, str]]:
        """Returns the kinds of changes and components that have a reader."""
        return self._watched

    def group(self, kind: str, component: str) -> list[View]:
        """Returns the watches of this kind of change of this component."""
        return self._views.get((kind, component), [])

    def incoming(self, kind: str, component: str) -> ChangeSet | None:
        """Returns the set that collects changes of this kind, or None if nobody reads them."""
        group = self.group(kind, component)
        return group[0].incoming if group else None

    def kept_with(self, component: str) -> int:
        """Returns how many change sets a table has whose only watched component this is; else 0.

        A table stores the sets of its components, and those of all components that are not in
        tables.
        """
        sets = [s for s in self.change_sets() if s.component not in self.singletons]
        in_tables = {s.component for s in sets if s.kind != "removed"} & self.tables
        return len(sets) if in_tables <= {component} else 0

    def change_sets(self) -> list[ChangeSet]:
        """Returns all change sets without duplicates, those of singletons last.

        Sets of table components come first because a new row sets them together.
        """
        found = [s for view in self.views() for s in (view.incoming, view.unseen, view.shown)]
        order = {"incoming": 0, "unseen": 2, "shown": 3}

        def rank(change_set: ChangeSet) -> int:
            apart = change_set.role == "incoming" and change_set.component not in self.tables
            behind = len(order) + 1 if change_set.component in self.singletons else 0
            return behind + (1 if apart else order[change_set.role])

        return sorted(dict.fromkeys(found), key=rank)


def _view(watch: Watch, alone: bool) -> View:
    mine = (watch.kind, watch.component, watch.reader.name)
    unseen = ChangeSet("unseen", *mine)
    incoming = ChangeSet("incoming", watch.kind, watch.component)
    if watch.kind == "removed":
        incoming = unseen
    elif alone and not watch.own:
        unseen = incoming
    shown = ChangeSet("shown", *mine) if watch.reader.is_query and watch.shows else unseen
    return View(watch, incoming, unseen, shown)


def _watches(model: Model) -> Iterator[Watch]:
    for system in model.code.systems.values():
        marked, reader = _marked(model, system), Reader(system.name)
        listed = [
            model.code.queries[ref.name]
            for ref in system.reach.queries
            if ref.name in model.code.queries
        ]
        for selection in (system.selection, *(query.selection for query in listed)):
            for kind, ref in _asked(selection):
                own = ref.name in marked[kind]
                yield Watch(kind, ref.name, reader, own)
        for atom in system.schedule.turn.when.atoms() if system.schedule.turn.when else ():
            if atom.ref and atom.op is Op.CHANGED and atom.ref.name in model.data.kept.singletons:
                own = atom.ref.name in marked["changed"]
                yield Watch("changed", atom.ref.name, reader, own)
        for removal in system.messages.removed:  # as if it were removed(…)
            component = removal.component.name
            yield Watch("added", component, reader, component in marked["added"])
    for query in model.begun:
        for kind, ref in _asked(query.selection):
            yield Watch(kind, ref.name, Reader(query.name, is_query=True))
    for listener in model.code.listeners.values():
        for removal in listener.messages.removed:
            reader = Reader(listener.name, is_query=True)
            yield Watch("added", removal.component.name, reader, shows=False)
    for index in model.code.indexes.values():
        reader = Reader(index.name, is_index=True)
        yield Watch("changed", index.of.name, reader)
        for ref in index.selection.where.refs() if index.selection.where else ():
            if ref.name != index.of.name:
                yield Watch("added", ref.name, reader)


def asks_for_changes(selection: Selection) -> bool:
    return any(True for _ in _asked(selection))


def _asked(selection: Selection) -> Iterator[tuple[str, Ref]]:
    for atom in selection.where.atoms() if selection.where else ():
        if atom.ref and atom.op in KINDS:
            yield KINDS[atom.op], atom.ref
        if atom.ref and atom.op is Op.REMOVED:  # an addition since the last turn cancels a removal
            yield "added", atom.ref


def written_links(system: System) -> tuple[Ref, ...]:
    """Returns the links whose values a system writes."""
    over = system.loop.over
    return (*system.reach.links.write, *((over.write,) if over and over.write else ()))


def _marked(model: Model, system: System) -> dict[str, set[str]]:
    """Returns what a system changes: tags that it writes are added, values are changed."""
    written = [*system.selection.write, *system.reach.lookup.write, *system.reach.singletons.write]
    for ref in system.reach.queries:
        if ref.name in model.code.queries:
            written += model.code.queries[ref.name].selection.write
    names = {ref.name for ref in written}
    names |= {tag for ref in written_links(system) for tag in link_tags(ref.name)}
    names |= {ref.name for ref in system.loop.over.writes} if system.loop.over else set()
    asked = model.data.relation_tags
    tags = {name for name in names if model.is_tag(name) and name not in asked}
    return {"added": names & tags, "changed": names - tags, "removed": set()}
