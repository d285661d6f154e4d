"""These records hold the functions by which a system uses more than its rows."""

from __future__ import annotations

from model.record import record
from plan.records.data import ComponentPlan, EventPlan, RelationPlan
from plan.records.index import IndexedPlan
from plan.records.query import QueryPlan
from plan.records.selection import TagAccessPlan


@record
class TouchPlan:
    function: str
    comment: str
    body: list[str]


@record
class SystemRelationPlan:
    """Functions by which a system asks about a relation, and the world's that they call."""

    relation: RelationPlan
    entity_calls: list[tuple[str, str]]  # those that return one: parent, first_child, …
    counts: list[tuple[str, str]]  # child_count, depth
    walk_begin: tuple[str, str]
    walk: str  # type


@record
class LookupPlan:
    function: str
    comment: str
    result: str  # "const colony_position *"
    call: str  # "colony_position_get"


@record
class LookupTagPlan:
    """A tag of any entity that a system may set and clear at once."""

    component: ComponentPlan
    has: tuple[str, str]  # its function, and that of the world which it calls
    writes: list[tuple[str, str, str]]  # comment, function and call


@record
class GrantedCall:
    """A function over the context of a system."""

    name: str
    body: list[str]  # C statements


@record
class SystemQueryPlan:
    """A query that a system lists, and its own functions for it."""

    query: QueryPlan
    iter: str  # type
    begin: GrantedCall
    count: GrantedCall
    only: GrantedCall
    passes: GrantedCall


@record
class StateGoPlan:
    """A state that a system may change."""

    name: str
    type: str
    go: tuple[str, str]  # the call over a context, and the one over the world


@record
class EmitPlan:
    """An event that a system emits."""

    function: str
    event: EventPlan
    comment: str
    body: list[str]


@record
class LookupsPlan:
    """All that a system reads and writes of any entity."""

    values: list[LookupPlan]
    tags: list[LookupTagPlan]


@record
class AskedPlan:
    """All that a system asks for other entities."""

    queries: list[SystemQueryPlan]
    indexes: list[IndexedPlan]
    relations: list[SystemRelationPlan]


@record
class RowGrants:
    """Functions about the rows of a system, besides their columns."""

    optional_tags: list[TagAccessPlan]
    written_tags: list[TagAccessPlan]
    touched: list[TouchPlan]  # with marks = "explicit"

    @property
    def ask_range(self) -> bool:
        """Tells whether any of them asks for the range at hand."""
        return bool(self.optional_tags or self.written_tags or self.touched)


@record
class GrantsPlan:
    """Functions over its context by which a system uses more than its columns."""

    lookups: LookupsPlan
    asked: AskedPlan
    emits: list[EmitPlan]
    states: list[StateGoPlan]
    rows: RowGrants
