"""Plans listeners: iterators that also show events and removals."""

from __future__ import annotations

from model.code import Listener
from plan import text
from plan.common import Common
from plan.events import Events
from plan.lists import NONE, list_plan
from plan.pages import make_page
from plan.queries import Queries
from plan.records.query import ListenerPlan
from plan.selections import access_of, access_rows, selection_words, where_text


class Listeners:
    """Plans listeners as queries of the game that also take events and removals."""

    def __init__(self, common: Common, queries: Queries, events: Events) -> None:
        self.common, self.names = common, common.names
        self.queries, self.events = queries, events

    def listener(self, one: Listener) -> ListenerPlan:
        names, name = self.names, one.name
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
        includes = self._includes(one)
        return ListenerPlan(
            name=name,
            page=make_page(names, name, one.doc, row, includes, [access]),
            stem=names.stem(name),
            words=listener_words(one),
            reader=self.common.changes.reader(name, True) or NONE,
            hears=hears,
            removed=removed,
            selection=self.queries.selection(one) if one.selection.has_rows else None,
            optional_tags=self.queries.optional_tags(one),
        )

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
    """Returns what a listener hears and reads, for comments."""
    heard = ", ".join(ref.name for ref in one.messages.hears)
    lost = ", ".join(removal.component.name for removal in one.messages.removed)
    parts = [
        f"hears {heard}" if heard else "",
        f"reads removals of {lost}" if lost else "",
        selection_words(one.selection) if one.selection.has_rows else "",
    ]
    return "; ".join(part for part in parts if part)
