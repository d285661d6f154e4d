"""Listeners are planned here: iterators that also have events and removals."""

from __future__ import annotations

from model.code import Listener
from plan import text
from plan.common import Common
from plan.events import Events
from plan.grants import consumed
from plan.lists import NONE, list_plan
from plan.pages import make_page
from plan.queries import Queries, start
from plan.records.query import IteratorPlan, ListenerPlan, ListenerTurnPlan, QueryRowsPlan
from plan.records.system import HearPlan, RemovalPlan
from plan.selections import access_of, access_rows, selection_words, where_text


class Listeners:
    """Plans listeners as queries of the game that also take what systems alone take else."""

    def __init__(self, common: Common, queries: Queries, events: Events) -> None:
        self.common, self.names = common, common.names
        self.queries, self.events = queries, events

    def listener(self, one: Listener) -> ListenerPlan:
        names, name = self.names, one.name
        rows = self._rows(one)
        hears = self.events.hears(one)
        removed = self.common.changes.removed(one, self.queries.components)
        access = list_plan("weft_access", names.local("access", name), self._access(one))
        row = {
            "name": text.string_literal(name),
            "doc": text.string_literal(one.doc),
            "was": text.string_literal(one.was),
            "where": text.string_pointer(where_text(one.selection)),
            "access_count": str(len(access.items)),
            "access": access.name,
        }
        includes, members = self._includes(one), consumed(self.common, hears, removed)
        return ListenerPlan(
            name=name,
            page=make_page(names, name, one.doc, row, includes, [access]),
            stem=names.stem(name),
            words=listener_words(one),
            turn=ListenerTurnPlan(
                begin=self._begin(one, rows.iterator if rows else None, hears, removed),
                members=list(members),
            ),
            rows=rows,
        )

    def _rows(self, one: Listener) -> QueryRowsPlan | None:
        if not one.selection.has_rows:
            return None
        selection = self.queries.selection(one)
        iterator = self.queries.iterator(selection, [])
        return QueryRowsPlan(selection, iterator, self.queries.optional_tags(one))

    def _begin(
        self,
        one: Listener,
        iterator: IteratorPlan | None,
        hears: list[HearPlan],
        removed: list[RemovalPlan],
    ) -> list[str]:
        """Returns the statements of begin. A turn that is refused has nothing."""
        call = f'"{self.names.query(one.name, "begin")}" WEFT_WAITS'
        reader = self.common.changes.reader(one.name, True) or NONE
        lines = [
            f"weft_world *world = {self.names.world('world_base')}(w);",
            f"bool begun = weft_listener_begin(world, {reader}, {call});",
        ]
        if iterator:
            lines += [start(iterator.walk.begin), "it.count = 0;"]
            lines += ["if (!begun) weft_cursor_keep_to_none(&it.cursor);"]
        for heard in hears:
            given = f"weft_listener_hears(world, {heard.hearer}, begun, &it.{heard.count})"
            lines.append(f"it.{heard.event.name} = (const {heard.event.struct.type} *){given};")
        for removal in removed:
            given = f"world, {removal.constant}, begun, &it.{removal.members.count}"
            handle = f"const {self.names.world('entity')} *"
            lines.append(
                f"it.{removal.members.handles} = ({handle})weft_listener_removed({given});"
            )
            if removal.valued:
                values = f"weft_removed_values(world, {removal.constant})"
                kind = removal.component.struct.type
                lines.append(f"it.{removal.members.values} = (const {kind} *){values};")
        return lines

    def _includes(self, one: Listener) -> list[str]:
        chosen = one.selection
        valued = [removal.component for removal in one.messages.removed if removal.value]
        used = [*chosen.read, *chosen.write, *chosen.optional, *one.messages.hears, *valued]
        return [self.names.header(name) for name in dict.fromkeys(ref.name for ref in used)]

    def _access(self, one: Listener) -> list[str]:
        model = self.common.model
        lost = tuple(removal.component for removal in one.messages.removed)
        links = tuple(ref for ref in lost if ref.name in model.data.relation_tags)
        kept = tuple(ref for ref in lost if ref not in links)
        return [
            *access_rows(model, one.selection),
            *access_of("HEARS", one.messages.hears, list(model.data.events).index),
            *access_of("REMOVED", kept, list(self.queries.components).index),
            *access_of("REMOVED_RELATION", links, list(model.data.relations).index),
        ]


def listener_words(one: Listener) -> str:
    """Says what a listener is told of, for comments."""
    heard = ", ".join(ref.name for ref in one.messages.hears)
    lost = ", ".join(removal.component.name for removal in one.messages.removed)
    parts = [
        f"hears {heard}" if heard else "",
        f"reads removals of {lost}" if lost else "",
        selection_words(one.selection) if one.selection.has_rows else "",
    ]
    return "; ".join(part for part in parts if part)
