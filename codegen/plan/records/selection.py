"""These records hold how C chooses rows and walks over them."""

from __future__ import annotations

from dataclasses import dataclass

from plan.records.data import ComponentPlan
from plan.records.filter import Filter


@dataclass(frozen=True)
class SelectionColumn:
    """A column of a selection as a parameter, an iterator member, and an argument."""

    name: str
    declaration: str  # "const colony_position *position"
    parameter: str  # the declaration, with restrict where nothing else reaches the column
    argument: str  # "colony_position_at(at.table, at.first)"
    comment: str  # "read", "write", "optional, NULL where absent"
    gather: str = ""  # sparse: C type of an element pointer, "const colony_burning *"
    gathered: str = ""  # sparse: the array of such pointers, for the rows at hand
    store: str = ""  # sparse: constant
    mark: str = ""  # the change set in which rows given out are noted, "" for none
    find: str = "weft_sparse_row"  # sparse: C function that gives the pointer of a row
    along: bool = False  # sparse: a walk in the order of the sparse rows has the pointers ready


@dataclass(frozen=True)
class FilterFunctions:
    """The functions that decide which rows of a table pass."""

    match: str  # C name: whether none, some or all rows of a table pass; "" if it is not asked
    match_body: list[str]  # C statements before "some"
    filter: str  # C name: which rows pass, 64 a word
    parameters: list[str]
    filter_body: list[str]


@dataclass(frozen=True)
class SelectionPlan:
    match: str  # C names of the functions that a walk is given
    filter_name: str
    functions: list[FilterFunctions]  # those that have to be defined: one or none
    matches_name: str
    matches_body: list[str]  # C statements: whether a table can ever have a row
    key: str  # constant of a component that each of its tables has; NONE: it needs none
    filter: Filter
    by_row: bool  # needs a mask
    next_run: str  # the runtime's function that steps to the next run of rows
    mask: bool  # rows = "mask"
    listed: bool  # rows = "list"
    columns: list[SelectionColumn]
    marked: list[str]  # the change sets in which rows given out are noted
    gathered: list[SelectionColumn]
    over: SelectionColumn | None  # the one of them that exactly the passing rows have
    rows_max: str  # of a range: "UINT32_MAX", "WEFT_SPARSE_ROWS", "WEFT_TAG_WRITE_ROWS"
    constant: str  # COLONY_QUERY_…
    words: str  # "reads position; writes worker; where …"
    depth_order: str  # constant of the order of its rows; "" where they come table by table
    dirty: bool  # it walks dirty rows, since it asks changed_parent

    @property
    def row_at_hand(self) -> str:
        """Says in comments what a row is called by: its number, or how a list gives that."""
        return "row i = rows[k]" if self.listed else "row i"


@dataclass(frozen=True)
class Gather:
    """A loop that fills the array of a sparse column, one pointer for each row."""

    head: str  # "for (uint32_t i = 0; i < at.count; i++)"
    statement: str
    pointers: str  # what the array is assigned to where a walk does not have the pointers
    array: str


@dataclass(frozen=True)
class WalkPlan:
    """How C walks a selection."""

    begin: str  # statement
    next: str  # expression: whether there is another range
    marks: list[str]  # statements that note the rows at hand as changed
    gathers: list[Gather]
    along: list[Gather]  # only needed where a walk does not have the pointers


@dataclass(frozen=True)
class TagAccessPlan:
    function: str
    component: ComponentPlan
    slot: int = 0  # of a written tag among those of its system


@dataclass(frozen=True)
class HeadPlan:
    """A macro that begins the definition of a function of the game."""

    example: str  # "COLONY_DEFINE_MOVEMENT(ctx, count, velocity, position)"
    comment: list[str]
    lines: list[str]  # but for the last each goes on in the next
