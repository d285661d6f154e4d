"""These records hold the iterators and calls of queries and listeners."""

from __future__ import annotations

from model.record import record
from plan.records.data import ComponentPlan
from plan.records.page import PagePlan
from plan.records.selection import FilterFunctions, HeadPlan, SelectionPlan, TagAccessPlan, WalkPlan


@record
class ViewPlan:
    """How a query looks from a system that asks it for changes."""

    system: str
    number: int
    match: str  # C names of the functions that a walk is given
    filter_name: str
    functions: list[FilterFunctions]  # those that have to be defined: one or none
    next: str  # C expression: whether there is another range for this system


@record
class AllPlan:
    """A component that all rows of a query get or lose in one call."""

    set_all: str
    remove_all: str
    component: ComponentPlan
    parameter: str  # ", colony_burning value"; "" of a tag
    value: str  # its address


@record
class IteratorPlan:
    """The iterator of a query: its members and the bodies of its calls."""

    loop: str  # comment: how a game goes over the rows at hand
    count: str  # C expression: how many rows are at hand
    members: list[tuple[str, str]]  # declaration, comment
    next: list[str]  # statements that step to the next range
    walk: WalkPlan
    columns: list[str]  # statements that set the columns of the range
    again: list[str]  # statements that note the rows of the step before as changed
    marks: list[str]  # statements that mark the current rows as changed, or lend them


@record
class EachPlan:
    """How a function of the game is called for each row of a query."""

    parameters: list[str]  # of that function
    types: list[str]  # of its parameters, but for the last
    locals: list[str]  # statements that keep what the iterator has in variables
    head: str  # "for (uint32_t i = 0; i < count; i++)"
    row: list[str]  # statements before the call for a row
    arguments: list[str]


@record
class QueryRunPlan:
    """How the rows of a query are shared out among workers."""

    part: list[str]  # statements that begin the iterator `it` of a part
    before: list[str]  # statements before the first part
    unit_rows: int  # parts begin at multiples of so many rows


@record
class QueryRowsPlan:
    """The rows of a query or listener, and the iterator over them."""

    selection: SelectionPlan
    iterator: IteratorPlan
    optional_tags: list[TagAccessPlan]


@record
class BeginPlan:
    """The call that begins an iteration over a query."""

    statements: list[str]  # behind the declaration of `it`
    comment: list[str]
    world: str  # parameter type: writing needs a world that is not const


@record
class GrantedCall:
    """A call that takes a grant."""

    result: str  # C type with a blank at its end
    name: str
    given: str  # its parameters behind the grant
    body: list[str]  # C statements


@record
class GrantedQueryPlan:
    """The grant of a query, and the calls that take it."""

    reader: str  # type
    comment: str
    calls: list[GrantedCall]


@record
class QueryCallsPlan:
    """The calls that go over all rows of a query, and how these and others are named."""

    stem: str  # of the names: "colony_idle"
    each: EachPlan
    run: QueryRunPlan
    alls: list[AllPlan]
    head: HeadPlan | None  # None: it writes no soa component


@record
class QueryChangesPlan:
    """The changes that a query asks for, if it does."""

    reader: str  # constant; "" if it does not
    first_unseen: str  # a change set that listens once it was begun
    views: list[ViewPlan]

    @property
    def shown(self) -> str:
        """Says which of its rows are shown."""
        return " that begin showed last" if self.reader else ""

    @property
    def unbegun(self) -> str:
        """Says what its calls do before the first begin."""
        refused = " Before the first begin it asserts, and release builds refuse it."
        return refused if self.reader else ""


@record
class QueryPlan:
    """A query of the game, which systems may also be granted."""

    name: str
    page: PagePlan
    rows: QueryRowsPlan
    begin: BeginPlan
    calls: QueryCallsPlan
    changes: QueryChangesPlan
    granted: GrantedQueryPlan | None  # None: no system and no hook may ask it

    @property
    def summary(self) -> str:
        """Says in a comment what it has: "It reads position; where !burning."."""
        return f"It {self.rows.selection.words or 'has every entity'}."


@record
class ListenerTurnPlan:
    """The turn of a listener, which the game begins."""

    begin: list[str]  # statements behind the declaration of `it`
    members: list[tuple[str, str]]  # declaration and comment of what it hears and what was removed


@record
class ListenerPlan:
    name: str
    page: PagePlan
    stem: str  # of the names of its calls: "colony_sounds"
    words: str  # "hears died; reads removals of sprite"
    turn: ListenerTurnPlan
    rows: QueryRowsPlan | None  # None: it shows none

    @property
    def summary(self) -> str:
        return f"It {self.words}."

    @property
    def optional_tags(self) -> list[TagAccessPlan]:
        return self.rows.optional_tags if self.rows else []

    @property
    def functions(self) -> list[FilterFunctions]:
        """Returns those that decide about its rows."""
        return self.rows.selection.functions if self.rows else []
