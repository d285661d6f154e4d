"""These records hold the iterators and calls of queries and listeners."""

from __future__ import annotations

from dataclasses import dataclass

from plan.lists import ListPlan
from plan.records.data import ComponentPlan
from plan.records.page import PagePlan
from plan.records.selection import FilterFunctions, HeadPlan, SelectionPlan, TagAccessPlan, WalkPlan


@dataclass(frozen=True)
class ViewPlan:
    """How a query looks from a system that asks it for changes."""

    system: str
    number: int
    match: str  # C names of the functions that a walk is given
    filter_name: str
    functions: list[FilterFunctions]  # those that have to be defined: one or none
    next: str  # C expression: whether there is another range for this system


@dataclass(frozen=True)
class AllPlan:
    """A component that all rows of a query get or lose in one call."""

    set_all: str
    remove_all: str
    component: ComponentPlan
    parameter: str  # ", colony_burning value"; "" of a tag
    value: str  # its address


@dataclass(frozen=True)
class IteratorPlan:
    """The iterator of a query: its members and the bodies of its calls."""

    loop: str  # comment: how a game goes over the rows at hand
    count: str  # C expression: how many rows are at hand
    members: list[tuple[str, str]]  # declaration, comment
    next: list[str]  # statements that step to the next range
    walk: WalkPlan
    columns: list[str]  # statements that set the columns of the range


@dataclass(frozen=True)
class EachPlan:
    """How a function of the game is called for each row of a query."""

    parameters: list[str]  # of that function
    types: list[str]  # of its parameters, but for the last
    locals: list[str]  # statements that keep what the iterator has in variables
    head: str  # "for (uint32_t i = 0; i < count; i++)"
    row: list[str]  # statements before the call for a row
    arguments: list[str]


@dataclass(frozen=True)
class QueryRunPlan:
    """How the rows of a query are shared out among workers."""

    part: list[str]  # statements that begin the iterator `it` of a part
    before: list[str]  # statements before the first part
    unit_rows: int  # parts begin at multiples of so many rows


@dataclass(frozen=True)
class QueryPlan:
    name: str
    page: PagePlan
    selection: SelectionPlan
    iterator: IteratorPlan
    stem: str  # of the names of its calls: "colony_idle"
    summary: str  # comment: "It reads position; where !burning."
    begin: list[str]  # statements behind the declaration of `it`
    begin_comment: list[str]
    begin_granted: list[str]  # statements of begin for systems, if theirs is not the game's
    each: EachPlan
    run: QueryRunPlan
    first_unseen: str  # a change set that listens once it was begun; "" without changes
    shown: str  # comment: which of its rows are shown, "" without changes
    unbegun: str  # comment: what it does before the first begin, "" without changes
    count_cost: str  # comment
    world: str  # parameter type of begin: writing needs a world that is not const
    optional_tags: list[TagAccessPlan]
    alls: list[AllPlan]
    reader: str  # constant; "" if it does not ask for changes
    views: list[ViewPlan]
    head: HeadPlan | None  # None: it writes no soa component
    access: ListPlan


@dataclass(frozen=True)
class ListenerPlan:
    name: str
    page: PagePlan
    stem: str  # of the names of its calls: "colony_sounds"
    summary: str  # comment: "It hears died; reads removals of sprite."
    begin: list[str]  # statements behind the declaration of `it`
    members: list[tuple[str, str]]  # declaration and comment of what it hears and what was removed
    selection: SelectionPlan | None  # None: it shows no rows
    functions: list[FilterFunctions]  # of the selection
    iterator: IteratorPlan | None
    optional_tags: list[TagAccessPlan]
    words: str
    access: ListPlan
