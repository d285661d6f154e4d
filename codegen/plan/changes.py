"""Plans change sets, their readers, and their tables for the runtime.

A change set has one bit a row for a component. It contains the changes collected for all readers,
those that one reader has not seen yet, or those that the reader is shown in its turn. If a reader
asks for removed(…), there are also sets for rows that lost the component; all tables keep them.
"""

from __future__ import annotations

from model.code import Listener, System
from model.model import Model
from model.readers import ChangeSet, Reader, Readers, View
from model.record import replace
from names.names import Names, removed
from plan import text
from plan.filters import Shown
from plan.lists import NONE, ListPlan, list_plan, table_plan
from plan.records.code import (
    ChangeSetsPlan,
    ChangesPlan,
    ReaderPlan,
)
from plan.records.data import ComponentPlan, ReadersPlan
from plan.records.system import RemovalPlan


class Changes:
    """Names every change set and every reader of a world."""

    def __init__(self, model: Model, names: Names) -> None:
        self.model, self.names, self.readers = model, names, Readers(model)
        self._removals = _removals(model)

    def shown(self, reader: str, is_query: bool) -> Shown:
        """Returns the change sets that a filter of this reader tests."""
        views = self.readers.of(reader, is_query)
        return {view.watch.group: self.constant(view.shown) for view in views}

    def incoming(self, kind: str, component: str) -> str:
        """Returns the constant of the change set that collects changes first, or WEFT_NONE."""
        incoming = self.readers.incoming(kind, component)
        return self.constant(incoming) if incoming else NONE

    def reader(self, name: str, is_query: bool) -> str:
        """Returns the constant of a reader, or "" if it reads no changes."""
        found = self.readers.of(name, is_query)
        return self.names.number("reader", name) if found else ""

    def first_unseen(self, query: str) -> str:
        """Returns the constant of a change set that is kept only after a query has begun."""
        return self.constant(self.readers.of(query, True)[0].unseen)

    def watched_words(self, component: str) -> str:
        """Names the readers that watch a component, for comments."""
        watches = [view.watch for view in self.readers.views()]
        watching = [watch for watch in watches if watch.component == component]
        readers = [self._named(watch.reader) for watch in watching]
        return f"; watched by {', '.join(dict.fromkeys(readers))}" if readers else ""

    def _named(self, reader: Reader) -> str:
        if reader.is_index:
            return f"index {reader.name}"
        if reader.name in self.model.code.listeners:
            return f"listener {reader.name}"
        return f"query {reader.name}" if reader.is_query else reader.name

    def lends(self, name: str) -> bool:
        """Returns whether the game may ask about changes of a component or singleton after it got
        a pointer for writing, but before it writes."""
        readers = [view.watch.reader for view in self.readers.group("changed", name)]
        return any(reader.is_query or reader.is_index for reader in readers)

    def is_indexed(self, component: str) -> bool:
        views = self.readers.views()
        return any(v.watch.reader.is_index and v.watch.component == component for v in views)

    def removals(self, component: str) -> ReadersPlan:
        """Returns the readers of its removals; the first is a constant, or "0"."""
        found = [self._removal(name, c) for name, c, _ in self._removals if c == component]
        return ReadersPlan(found[0] if found else "0", len(found))

    def removal_sets(self, component: str) -> ReadersPlan:
        """Returns the readers that ask for removed(…) of it; the first is an index, or 0."""
        places = [i for i, view in enumerate(self._removed()) if view.watch.component == component]
        return ReadersPlan(str(places[0] if places else 0), len(places))

    def removed(
        self, reader: System | Listener, components: dict[str, ComponentPlan]
    ) -> list[RemovalPlan]:
        return [
            RemovalPlan(
                components[removal.component.name],
                *removed(removal.component.name),
                self._lost(removal.component.name),
                removal.value,
                removal.component.name in {ref.name for ref in reader.selection.write},
                self._removal(reader.name, removal.component.name),
            )
            for removal in reader.messages.removed
        ]

    def _lost(self, name: str) -> str:
        return f"their parent by {name}" if name in self.model.data.relation_tags else name

    def plan(self, systems: list[str]) -> ChangesPlan:
        """Makes the tables. `systems` contains the names of all systems in the order they run."""
        every = self.readers.change_sets()
        sets = [s for s in every if s.component not in self.readers.singletons]
        flags = every[len(sets) :]
        added = [s for s in sets if s.role == "incoming" and s.component in self.readers.tables]
        readers = [(name, False) for name in systems] + [(q.name, True) for q in self.model.begun]
        named = [reader for reader in readers if self.reader(*reader)]
        names = [text.string_literal(name) for name, _ in named]
        components = [
            NONE if s.kind == "removed" else self.names.number("component", s.component)
            for s in sets
        ]
        by_singleton = [
            self.incoming("changed", name) for name in self.model.data.kept.singletons if flags
        ]
        return ChangesPlan(
            sets=ChangeSetsPlan(
                constants=[(self.constant(s), _words(s)) for s in sets],
                flags=[(self.constant(s), _words(s)) for s in flags],
                components=list_plan("uint16_t", "change_set_components", components),
                singletons=list_plan("uint16_t", "singleton_changed", by_singleton),
                added_count=len(added),
                indexes_only=self._indexes_only(),
            ),
            listeners=[self._listeners(*group) for group in self.readers.groups()],
            readers=[
                *(self._reader(*reader) for reader in named),
                *(self._index_reader(name) for name in self.model.code.indexes),
            ],
            reader_names=list_plan("char *const", "reader_names", names),
            saved_readers=len(named),
            removals=[self._removal(system, name) for system, name, _ in self._removals],
            removal_rows=[self._removal_row(*removal) for removal in self._removals],
            removal_sets=[self._removal_set(view) for view in self._removed()],
            members=_members(len(flags), bool(named), len(self.model.code.indexes)),
        )

    def _indexes_only(self) -> ListPlan:
        if not self.model.code.indexes:
            return list_plan("bool", "indexes_only", [])
        every = self.readers.change_sets()
        only = ["true" if self.readers.only_indexes(one) else "false" for one in every]
        comment = [
            "Whether only indexes use a set of change bits. Saves and hashes leave out such sets."
        ]
        return list_plan("bool", "indexes_only", only, comment)

    def _removal(self, reader: str, component: str) -> str:
        return self.names.number("removal", reader, component)

    def _removal_row(self, reader: str, component: str, value: bool) -> dict[str, str]:
        return {
            "component": self.names.number("component", component),
            **self._reader_of(component, reader, reader in self.model.code.listeners),
            "value": "true" if value else "false",
        }

    def _removed(self) -> list[View]:
        """Lists the readers that ask for removed(…), by component."""
        return [view for view in self.readers.views() if view.watch.kind == "removed"]

    def _removal_set(self, view: View) -> dict[str, str]:
        watch = view.watch
        return {
            **self._reader_of(watch.component, watch.reader.name, watch.reader.is_query),
            "change_set": self.constant(view.unseen),
        }

    def _reader_of(self, component: str, reader: str, is_query: bool) -> dict[str, str]:
        """Names a reader of removals, and the change sets of rows that got the component since."""
        views = self.readers.of(reader, is_query)
        view = next(one for one in views if one.watch.group == ("added", component))
        return {
            "incoming": self.constant(view.incoming),
            "unseen": self.constant(view.unseen),
            "reader": self.reader(reader, is_query),
        }

    def _reader(self, name: str, is_query: bool) -> ReaderPlan:
        listener = name in self.model.code.listeners
        comment = f"{'listener' if listener else 'query' if is_query else 'system'} {name}"
        starts_over = (
            not is_query and self.model.code.systems[name].schedule.turn.after_load == "everything"
        )
        reader = self._watching(name, comment, self.readers.of(name, is_query))
        return replace(reader, starts_over=starts_over, listener=listener)

    def _index_reader(self, name: str) -> ReaderPlan:
        return self._watching(name, f"index {name}", self.readers.of_index(name))

    def _watching(self, name: str, comment: str, views: list[View]) -> ReaderPlan:
        return ReaderPlan(
            constant=self.names.number("reader", name),
            comment=comment,
            watches=table_plan(
                "weft_watch_plan",
                self.names.local("watches", name),
                [self._watch(view) for view in views],
                [f"Change sets that the {comment} watches."],
            ),
        )

    def _listeners(self, kind: str, component: str) -> ListPlan:
        group = self.readers.group(kind, component)
        constants = [self.constant(view.unseen) for view in group if view.unseen != view.incoming]
        name = self.names.local(f"listeners_{kind}", component) if constants else ""
        return list_plan("uint16_t", name, constants)

    def _watch(self, view: View) -> dict[str, str]:
        listeners = self._listeners(*view.watch.group)
        kind = {"removed": "true"} if view.watch.kind == "removed" else {}
        kind |= {"singleton": "true"} if view.watch.component in self.readers.singletons else {}
        return {
            "component": self._watched(view.watch.component),
            "incoming": self.constant(view.incoming),
            "unseen": self.constant(view.unseen),
            "visible": NONE if view.watch.reader.is_index else self.constant(view.shown),
            "own": "true" if view.watch.own else "false",
            **kind,
            "listener_count": str(len(listeners.items)),
            "listeners": listeners.name,
        }

    def _watched(self, name: str) -> str:
        """Returns the number of a component or singleton."""
        if name in self.readers.singletons:
            return str(list(self.model.data.kept.singletons).index(name))
        return self.names.number("component", name)

    def constant(self, change_set: ChangeSet) -> str:
        reader = [change_set.reader] if change_set.reader else []
        return self.names.number(change_set.role, change_set.kind, change_set.component, *reader)


def _members(flags: int, named: bool, indexes: int) -> list[str]:
    members = [".reader_names = reader_names,"] if named else []
    if flags:
        members += [f".flag_count = {flags},", ".singleton_changed = singleton_changed,"]
    if indexes:
        members += [f".index_count = {indexes},", ".indexes = indexes,"]
        members += [".indexes_only = indexes_only,"]
    return members


def _words(change_set: ChangeSet) -> str:
    what = f"{change_set.component} {change_set.kind}"
    return {
        "incoming": f"{what}, collected for all readers",
        "unseen": f"{what}, not yet seen by {change_set.reader}",
        "shown": f"{what}, shown to {change_set.reader}",
    }[change_set.role]


def _removals(model: Model) -> list[tuple[str, str, bool]]:
    """Returns each removal as reader, component and whether values are kept, by component."""
    order = {name: place for place, name in enumerate(model.data.components)}
    found = [
        (reader.name, removal.component.name, removal.value)
        for reader in model.with_removals
        for removal in reader.messages.removed
        if removal.component.name in order
    ]
    return sorted(found, key=lambda removal: order[removal[1]])
