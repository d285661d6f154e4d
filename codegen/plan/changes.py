"""Change bits and their readers become the tables that the runtime runs on.

A stream is one bit a row of one component: what comes in, what one reader has yet to see, or what
that reader is shown in its turn.
"""

from __future__ import annotations

from model.model import Model, System
from model.readers import Lens, Readers, Stream
from names.names import Names, removed
from plan import text
from plan.code_records import RemovalPlan
from plan.data_records import ComponentPlan
from plan.filters import Streams
from plan.lists import NONE, ListPlan, list_plan, table_plan
from plan.records import ReaderPlan, StreamsPlan


class Changes:
    """Names every stream of change bits and every reader of a world."""

    def __init__(self, model: Model, names: Names) -> None:
        self.model, self.names, self.readers = model, names, Readers(model)
        self._removals = _removals(model)

    def shown(self, reader: str, is_query: bool) -> Streams:
        """Returns the streams that a filter of this reader looks at."""
        lenses = self.readers.of(reader, is_query)
        return {lens.watch.group: self._constant(lens.shown) for lens in lenses}

    def incoming(self, kind: str, component: str) -> str:
        """Returns the constant of the stream where changes come in; WEFT_NONE without readers."""
        incoming = self.readers.incoming(kind, component)
        return self._constant(incoming) if incoming else NONE

    def reader(self, name: str, is_query: bool) -> str:
        """Returns the constant of a reader, or "" if it reads no changes."""
        found = self.readers.of(name, is_query)
        return self.names.number("reader", name) if found else ""

    def watched_words(self, component: str) -> str:
        """Names the readers that watch a component, for comments."""
        watches = [lens.watch for lens in self.readers.lenses()]
        watching = [watch for watch in watches if watch.component == component]
        readers = [f"query {w.reader}" if w.is_query else w.reader for w in watching]
        return f"; watched by {', '.join(dict.fromkeys(readers))}" if readers else ""

    def removals(self, component: str) -> tuple[str, int]:
        """Returns the constant of the first reader of its removals, or "0", and their number."""
        found = [self._removal(name, c) for name, c, _ in self._removals if c == component]
        return (found[0] if found else "0"), len(found)

    def removed(self, system: System, components: dict[str, ComponentPlan]) -> list[RemovalPlan]:
        return [
            RemovalPlan(
                components[removal.component.name],
                *removed(removal.component.name),
                removal.value,
                removal.component.name in {ref.name for ref in system.selection.write},
                self._removal(system.name, removal.component.name),
            )
            for removal in system.removed
        ]

    def plan(self, systems: list[str]) -> StreamsPlan:
        """Makes the tables. `systems` has the names of all in the order they run."""
        streams = self.readers.streams()
        born = [s for s in streams if s.role == "incoming" and s.component in self.readers.tables]
        readers = [(name, False) for name in systems] + [(n, True) for n in self.model.queries]
        components = [self.names.number("component", s.component) for s in streams]
        return StreamsPlan(
            constants=[(self._constant(s), _words(s)) for s in streams],
            components=list_plan("uint16_t", "change_set_components", components),
            born=len(born),
            listeners=[self._listeners(*group) for group in self.readers.groups()],
            readers=[self._reader(*reader) for reader in readers if self.reader(*reader)],
            removals=[self._removal(system, name) for system, name, _ in self._removals],
            removal_rows=[self._removal_row(*removal) for removal in self._removals],
            reader_names=list_plan(
                "char *const",
                "reader_names",
                [
                    text.string_literal(name)
                    for name, is_query in readers
                    if self.reader(name, is_query)
                ],
            ),
        )

    def _removal(self, system: str, component: str) -> str:
        return self.names.number("removal", system, component)

    def _removal_row(self, system: str, component: str, value: bool) -> dict[str, str]:
        lenses = self.readers.of(system, False)
        lens = next(one for one in lenses if one.watch.group == ("added", component))
        return {
            "component": self.names.number("component", component),
            "incoming": self._constant(lens.incoming),
            "unseen": self._constant(lens.unseen),
            "reader": self.reader(system, False),
            "value": "true" if value else "false",
        }

    def _reader(self, name: str, is_query: bool) -> ReaderPlan:
        comment = f"{'query' if is_query else 'system'} {name}"
        return ReaderPlan(
            constant=self.reader(name, is_query),
            comment=comment,
            watches=table_plan(
                "weft_watch_plan",
                self.names.local("watches", name),
                [self._watch(lens) for lens in self.readers.of(name, is_query)],
                [f"The {comment} watches these."],
            ),
        )

    def _listeners(self, kind: str, component: str) -> ListPlan:
        group = [lens.unseen for lens in self.readers.group(kind, component)]
        constants = [self._constant(stream) for stream in group if stream.role == "unseen"]
        name = self.names.local(f"listeners_{kind}", component)
        return list_plan("uint16_t", name, constants)

    def _watch(self, lens: Lens) -> dict[str, str]:
        listeners = self._listeners(*lens.watch.group)
        return {
            "component": self.names.number("component", lens.watch.component),
            "incoming": self._constant(lens.incoming),
            "unseen": self._constant(lens.unseen),
            "visible": self._constant(lens.shown),
            "own": "true" if lens.watch.own else "false",
            "listener_count": str(len(listeners.items)),
            "listeners": listeners.name,
        }

    def _constant(self, stream: Stream) -> str:
        reader = [stream.reader] if stream.reader else []
        return self.names.number(stream.role, stream.kind, stream.component, *reader)


def _words(stream: Stream) -> str:
    what = f"{stream.component} {stream.kind}"
    return {
        "incoming": f"{what}, as it comes in",
        "unseen": f"{what}, which {stream.reader} has yet to see",
        "shown": f"{what}, as {stream.reader} is shown it",
    }[stream.role]


def _removals(model: Model) -> list[tuple[str, str, bool]]:
    """Returns each removal as system, component and whether with values, by component."""
    order = {name: place for place, name in enumerate(model.components)}
    found = [
        (system.name, removal.component.name, removal.value)
        for system in model.systems.values()
        for removal in system.removed
        if removal.component.name in order
    ]
    return sorted(found, key=lambda removal: order[removal[1]])
