"""The records that templates print of what goes over a world: queries and systems."""

from __future__ import annotations

from dataclasses import dataclass

from plan.data_records import ComponentPlan, EventPlan, RelationPlan, SingletonPlan
from plan.filters import Filter
from plan.lists import ListPlan


@dataclass(frozen=True)
class SelectionColumn:
    """A column of a selection as a parameter, an iterator member, and an argument."""

    name: str
    declaration: str  # "const colony_position *position"
    parameter: str  # the same, restrict where nothing else reaches the column
    argument: str  # "colony_position_at(at.table, at.first)"
    comment: str  # "read", "write", "optional, NULL where absent"
    gather: str  # sparse: C type of an element pointer, "const colony_burning *"; else ""
    gathered: str  # sparse: the array of such pointers, for the rows at hand
    store: str  # sparse: constant
    mark: str  # the stream that says that rows given out have changed, "" for none
    find: str = "weft_sparse_row"  # sparse: C function that gives the pointer of a row
    along: bool = False  # sparse: a walk along an order has the pointers side by side


@dataclass(frozen=True)
class SelectionPlan:
    name: str  # comment: "query idle", "system movement"
    match: str  # C names of the functions
    filter_name: str
    matches_name: str
    filter: Filter
    by_row: bool  # needs a mask
    mask: bool  # rows = "mask"
    listed: bool  # rows = "list"
    rows_type: str  # what a walk gives of its rows beside a range, "" for runs
    columns: list[SelectionColumn]
    marked: list[str]  # streams of columns whose rows are marked
    gathered: list[SelectionColumn]
    over: SelectionColumn | None  # the one of them that exactly the passing rows have
    rows_max: str  # of a range: "UINT32_MAX", "WEFT_SPARSE_ROWS", "WEFT_TAG_WRITE_ROWS"
    gather_max: str  # pointers of a gathered column: "WEFT_SPARSE_ROWS", "WEFT_LIST_ROWS"
    constant: str  # COLONY_QUERY_…
    words: str  # "reads position; writes worker; where …"
    depth_order: str  # constant of the order of its rows; "" where they come table by table


@dataclass(frozen=True)
class LensPlan:
    """How a system sees the changes that a query asks for."""

    system: str
    number: int
    match: str
    filter_name: str
    filter: Filter


@dataclass(frozen=True)
class TouchPlan:
    function: str
    component: str
    mark: str  # the stream, "" if nobody reads it


@dataclass(frozen=True)
class TagAccessPlan:
    function: str
    component: ComponentPlan
    slot: int  # of a written tag among those of its system


@dataclass(frozen=True)
class QueryPlan:
    name: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    selection: SelectionPlan
    summary: str  # comment: "Reads position; where !burning."
    world: str  # parameter type of begin: writing needs a world that is not const
    optional_tags: list[TagAccessPlan]
    reader: str  # constant; "" if it does not ask for changes
    lenses: list[LensPlan]
    row: dict[str, str]
    access: ListPlan


@dataclass(frozen=True)
class ParentPlan:
    """A column of the parents of rows, gathered row by row."""

    parameter: str  # "const colony_place *const *place_parent"
    array: str  # its local name where it is gathered
    element: str  # C type of an element with a blank or star at its end
    find: str  # C expression for the parent's row `above`


@dataclass(frozen=True)
class SystemRelationPlan:
    """What a system may ask a relation: functions of its own, and the world's that they call."""

    relation: RelationPlan
    entity_calls: list[tuple[str, str]]  # parent, first_child, next_sibling
    depth: tuple[str, str]
    walk_begin: tuple[str, str]
    walk: str  # type


@dataclass(frozen=True)
class LookupPlan:
    function: str
    component: ComponentPlan
    result: str  # "const colony_position *"
    call: str  # "colony_position_get"
    world: str  # "const colony_world"


@dataclass(frozen=True)
class SystemQueryPlan:
    begin: str
    count: str
    passes: str
    query: QueryPlan
    world: str
    lens: LensPlan | None  # where it asks for changes


@dataclass(frozen=True)
class EmitPlan:
    """An event that a system emits."""

    function: str
    event: EventPlan
    slot: str  # of its stage among those of the system, "" if nobody hears it


@dataclass(frozen=True)
class RemovalPlan:
    """A component whose removals a system reads, and what its context says of that."""

    component: ComponentPlan
    handles: str
    count: str
    values: str
    valued: bool  # with last values
    moves: bool  # the log may, in the turn, since the system tag_writes the tag on
    constant: str


@dataclass(frozen=True)
class HearPlan:
    """An event that a system hears."""

    event: EventPlan
    count: str  # the member of the context that says how many
    hearer: str  # constant


@dataclass(frozen=True)
class RunningPlan:
    """How a system is run: the static functions that do it."""

    run: str  # all of it; or, of a parallel one,
    begin: str  # what comes before the parts, "" if nothing does
    part: str
    end: str  # what comes behind them, "" if nothing does
    turn_begins: list[str]  # C statements, before the first call of a turn and behind the last
    turn_ends: list[str]
    call: str  # C expression: a run without workers
    code: str  # C initialiser: how the scheduler runs it


@dataclass(frozen=True)
class SystemPlan:
    name: str
    function: str
    ctx: str
    running: RunningPlan
    parallel: str  # constant; "" if it is not
    unit_rows: int  # the parts of a parallel one begin at multiples of so many rows
    phase: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    has_rows: bool
    parameters: list[str]  # of the game's function
    arguments: list[str]  # for a range of rows
    selection: SelectionPlan
    singletons: list[tuple[str, SingletonPlan]]  # "const " or "", which
    lookups: list[LookupPlan]
    queries: list[SystemQueryPlan]
    emits: list[EmitPlan]
    first_stage: str  # C expression, "" without any
    hears: list[HearPlan]
    removed: list[RemovalPlan]
    relations: list[SystemRelationPlan]
    order: str  # constant of the relation that orders its rows, "" without
    parents: list[ParentPlan]
    optional_tags: list[TagAccessPlan]
    written_tags: list[TagAccessPlan]
    put_columns: list[str]  # constants of their columns by slot
    buffer: str  # constant of its command buffer, "" without commands
    reader: str  # constant, "" if it reads no changes
    touched: list[TouchPlan]  # with marks = "explicit"
    clock: str  # constant, "" if it runs every time
    every: str  # seconds as a C literal
    called: str  # comment: how often and with which rows the game's function is called
    summary: str  # one line for the overview
    row: dict[str, str]
    access: ListPlan
