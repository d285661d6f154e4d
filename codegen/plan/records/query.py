"""Records of the iterators and calls of queries and listeners."""

from __future__ import annotations

from model.record import record
from plan.records.data import ComponentPlan
from plan.records.page import PagePlan
from plan.records.selection import FilterFunctions, HeadPlan, SelectionPlan, TagAccessPlan
from plan.records.system import HearPlan, RemovalPlan


@record
class ViewPlan:
    """A query as seen by a system that reads changes from it."""

    system: str
    number: int
    match: str  # C names of the functions for a walk
    filter_name: str
    functions: list[FilterFunctions]  # those that have to be defined: one or none


@record
class AllPlan:
    """A component that all rows of a query get or lose in one call."""

    set_all: str
    remove_all: str
    component: ComponentPlan
    parameter: str  # ", colony_burning value"; "" of a tag
    value: str  # its address


@record
class EachPlan:
    """How a function of the game is called for each row of a query."""

    parameters: list[str]  # of that function
    types: list[str]  # of its parameters, except the last
    kept: list[tuple[str, str]]  # variables, each with the member of the iterator that it copies
    structs: list[tuple[str, list[str]]]  # variables of a row, with the pointers to its fields
    arguments: list[str]


@record
class QueryChangesPlan:
    """The changes that a query reads, if any."""

    reader: str  # constant, or ""
    first_unseen: str  # a change set that is kept from the first begin on
    views: list[ViewPlan]

    @property
    def shown(self) -> str:
        """Returns which of its rows are shown, for comments."""
        return " that the last begin showed" if self.reader else ""

    @property
    def unbegun(self) -> str:
        """Returns what its calls do before the first begin, for comments."""
        refused = " Before the first begin it asserts, and release builds refuse it."
        return refused if self.reader else ""


@record
class QueryPlan:
    """A query of the game, which systems may also be granted."""

    name: str
    page: PagePlan
    stem: str  # of the names of its calls: "colony_idle"
    selection: SelectionPlan
    optional_tags: list[TagAccessPlan]
    writes: bool
    each: EachPlan
    unit_rows: int  # parts of a run begin at multiples of this number of rows
    alls: list[AllPlan]
    head: HeadPlan | None  # None: it writes no soa component
    changes: QueryChangesPlan
    granted: str  # type of its reader, or "" if no system or hook may use it

    @property
    def summary(self) -> str:
        """Returns for example "It reads position; only rows where !burning."."""
        return f"It {self.selection.words or 'has every entity'}."


@record
class ListenerPlan:
    name: str
    page: PagePlan
    stem: str  # of the names of its calls: "colony_sounds"
    words: str  # "hears died; reads removals of sprite"
    reader: str  # constant, "WEFT_NONE" if it reads no changes
    hears: list[HearPlan]
    removed: list[RemovalPlan]
    selection: SelectionPlan | None  # None: it shows no rows
    optional_tags: list[TagAccessPlan]

    @property
    def summary(self) -> str:
        return f"It {self.words}."

    @property
    def functions(self) -> list[FilterFunctions]:
        """Returns the functions that decide which rows pass."""
        return self.selection.functions if self.selection else []
