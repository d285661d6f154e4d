"""These records hold what templates print of queries and systems."""

from __future__ import annotations

from dataclasses import dataclass

from plan.data_records import ComponentPlan, EventPlan, RelationPlan
from plan.filters import Filter
from plan.lists import ListPlan


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
class ViewPlan:
    """How a query looks from a system that asks it for changes."""

    system: str
    number: int
    match: str  # C names of the functions that a walk is given
    filter_name: str
    functions: list[FilterFunctions]  # those that have to be defined: one or none
    next: str  # C expression: whether there is another range for this system


@dataclass(frozen=True)
class TouchPlan:
    function: str
    comment: str
    body: list[str]


@dataclass(frozen=True)
class TagAccessPlan:
    function: str
    component: ComponentPlan
    slot: int = 0  # of a written tag among those of its system


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
    row_at_hand: str  # comment: "row i", or how a list of rows gives it
    members: list[tuple[str, str]]  # declaration, comment
    next: list[str]  # statements that step to the next range
    walk: WalkPlan
    columns: list[str]  # statements that set the columns of the range


@dataclass(frozen=True)
class HeadPlan:
    """A macro that begins the definition of a function of the game."""

    example: str  # "COLONY_DEFINE_MOVEMENT(ctx, count, velocity, position)"
    comment: list[str]
    lines: list[str]  # but for the last each goes on in the next


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
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
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
    row: dict[str, str]
    access: ListPlan


@dataclass(frozen=True)
class ListenerPlan:
    name: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    stem: str  # of the names of its calls: "colony_sounds"
    summary: str  # comment: "It hears died; reads removals of sprite."
    begin: list[str]  # statements behind the declaration of `it`
    members: list[tuple[str, str]]  # declaration and comment of what it hears and what was removed
    selection: SelectionPlan | None  # None: it shows no rows
    functions: list[FilterFunctions]  # of the selection
    iterator: IteratorPlan | None
    optional_tags: list[TagAccessPlan]
    words: str
    row: dict[str, str]
    access: ListPlan


@dataclass(frozen=True)
class IndexCallPlan:
    """A function that asks an index."""

    comment: str
    result: str  # C type, with a blank or star at its end
    function: str
    parameters: list[str]
    body: list[str]
    inline: str = "static inline"


@dataclass(frozen=True)
class IndexPlan:
    name: str
    doc: list[str]
    header: str
    guard: str
    include: str  # header of its component
    selection: SelectionPlan
    constant: str  # COLONY_INDEX_…
    summary: str  # comment
    example: list[str]  # comment
    iterator: str  # C type
    members: list[tuple[str, str]]  # of the iterator: declaration, comment
    calls: list[IndexCallPlan]
    typed: list[tuple[str, str]]  # for C++: what a call is named there, and its function
    key: str  # for C++: the type of what is asked for; of a grid that of a coordinate
    axes: int  # of a grid; 0: it is none
    row: dict[str, str]
    info: dict[str, str]
    keyed: ListPlan
    words: str  # for the overview

    @property
    def box(self) -> str:
        """Returns the iterator of a box, which is that of a ball by another name; "": no grid."""
        near, _, kind = self.iterator.rpartition("_near_")
        return f"{near}_box_{kind}" if near else ""


@dataclass(frozen=True)
class IndexedPlan:
    """An index that a system lists, and its own functions for it."""

    name: str
    header: str
    calls: list[IndexCallPlan]


@dataclass(frozen=True)
class ParentPlan:
    """A column of the parents of rows, gathered row by row."""

    parameter: str  # "const colony_place *const *place_parent"
    array: str  # its local name where it is gathered
    element: str  # C type of an element with a blank or star at its end
    find: str  # C expression for the parent's row `above`


@dataclass(frozen=True)
class SystemRelationPlan:
    """Functions by which a system asks about a relation, and the world's that they call."""

    relation: RelationPlan
    entity_calls: list[tuple[str, str]]  # those that return one: parent, first_child, …
    counts: list[tuple[str, str]]  # child_count, depth
    walk_begin: tuple[str, str]
    walk: str  # type


@dataclass(frozen=True)
class LookupPlan:
    function: str
    comment: str
    result: str  # "const colony_position *"
    call: str  # "colony_position_get"


@dataclass(frozen=True)
class LookupTagPlan:
    """A tag of any entity that a system may set and clear at once."""

    component: ComponentPlan
    has: tuple[str, str]  # its function, and that of the world which it calls
    writes: list[tuple[str, str, str]]  # comment, function and call


@dataclass(frozen=True)
class SystemQueryPlan:
    """A query that a system lists: its own functions, and the statements that they consist of."""

    query: QueryPlan
    iter: str  # type
    begin: str
    begin_body: list[str]
    count: str
    count_body: list[str]
    only: str
    only_body: list[str]
    passes: str
    passes_body: list[str]


@dataclass(frozen=True)
class StateGoPlan:
    """A state that a system may change."""

    name: str
    type: str
    go: tuple[str, str]  # the call over a context, and the one over the world


@dataclass(frozen=True)
class EmitPlan:
    """An event that a system emits."""

    function: str
    event: EventPlan
    comment: str
    body: list[str]


@dataclass(frozen=True)
class RemovalPlan:
    """A component whose removals a system reads, and the members of its context for them."""

    component: ComponentPlan
    handles: str
    count: str
    values: str
    valued: bool  # with last values
    moves: bool  # the log may, in the turn, since the system writes the tag
    constant: str


@dataclass(frozen=True)
class HearPlan:
    """An event that a system hears."""

    event: EventPlan
    count: str  # the member of the context that counts them
    hearer: str  # constant


@dataclass(frozen=True)
class RunningPlan:
    """How a system is run: the static functions that do it, and what they consist of."""

    run: str  # C names: the one function; or, of a parallel system,
    begin: str  # what comes before the parts, "" if nothing does
    part: str
    end: str  # what comes behind them, "" if nothing does
    begins: list[str]  # C statements of `run` or `begin`
    ends: list[str]  # and of `end`, or behind the calls in `run`
    call: str  # C expression: a run without workers
    unmeasured: str  # likewise, where no turn is measured
    code: str  # C initialiser: how the scheduler runs it
    switch: SwitchPlan | None


@dataclass(frozen=True)
class BodyPlan:
    """The function that fills in the context of a system and calls the game."""

    whole: list[str]  # C statements: how a context gets at the world of the game
    context: list[str]  # C statements that declare all it needs and fill it in
    context_in_pass: list[str]  # and those that fill it in where the function of a pass does
    after: list[str]  # C statements behind the context, before the walk
    walk: WalkPlan
    pointers: list[str]  # C statements of each range before sparse columns are gathered
    parents: list[str]  # C statements for each row: its parent's columns
    parents_head: str  # the head of the loop over those rows
    above: str  # C expression that finds the row of its parent
    behind: list[str]  # C statements behind the call of the game


@dataclass(frozen=True)
class GrantsPlan:
    """Functions over its context by which a system uses more than its rows."""

    lookups: list[LookupPlan]
    looked_up_tags: list[LookupTagPlan]
    queries: list[SystemQueryPlan]
    indexes: list[IndexedPlan]
    relations: list[SystemRelationPlan]
    emits: list[EmitPlan]
    states: list[StateGoPlan]
    optional_tags: list[TagAccessPlan]
    written_tags: list[TagAccessPlan]
    touched: list[TouchPlan]  # with marks = "explicit"


@dataclass(frozen=True)
class DirtyPlan:
    """The change sets that make rows dirty, for a system that asks changed_parent."""

    unchanged: str  # "true": rows may pass that are not dirty
    changed: ListPlan  # those of rows themselves
    parents: ListPlan  # those of their parents


@dataclass(frozen=True)
class SwitchPlan:
    """The switch of a system."""

    constant: str
    switch: str  # C names of its calls
    is_on: str
    saved: bool
    words: str  # comment: what becomes of it in saves


@dataclass(frozen=True)
class AlonePlan:
    """The function that runs one system as a phase of its own."""

    function: str
    phase: int
    statements: list[str]
    comment: str
    always: bool  # it has a `when`, which is not asked here


@dataclass(frozen=True)
class DirectPlan:
    """The function of a pass, which calls those of its systems itself that take whole tables."""

    function: str
    comment: list[str]
    constant: str  # the query that has the tables of all of them
    rows: int  # of a block
    before: list[str]  # C statements that fill in the contexts
    statements: list[str]  # of each block


@dataclass(frozen=True)
class PassPlan:
    """Systems that run block by block, of which the first begins the pass."""

    systems: list[str]
    constant: str  # the query that has the tables of all of them
    matches_name: str  # C name of what decides for a pass, "" if the first system's decides
    matches_body: list[str]  # C statements: whether a table can ever have a row
    key: str  # constant of a component that all tables of all systems have, or NONE
    unit_rows: int  # parts begin at multiples of so many rows
    block_rows: int
    direct: DirectPlan | None  # None: most of its systems have to look for their rows


@dataclass(frozen=True)
class SystemPlan:
    name: str
    function: str
    ctx: str
    ctx_members: list[tuple[str, str]]  # besides those of every context: declaration, comment
    dt_comment: str
    row_at_hand: str  # comment: "row i", or how a list of rows gives it
    write_comment: str  # comment: when the tags that it writes take effect
    running: RunningPlan
    body: BodyPlan
    phase: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    parameters: list[str]  # of the game's function
    arguments: list[str]  # for a range of rows
    head: HeadPlan | None  # None: it writes no soa component
    has_rows: bool
    selection: SelectionPlan
    grants: GrantsPlan
    order: str  # constant of the relation that orders its rows, "" without
    parallel: str  # constant; "" if it is not
    unit_rows: int  # the parts of a parallel one begin at multiples of so many rows
    keeps: bool  # its parts keep commands, events or tag writes, in the order of the rows
    buffer: str  # constant of its command buffer, "" without commands
    clock: str  # constant, "" if it runs every time
    called: str  # comment: how often and with which rows the game's function is called
    summary: str  # one line for the overview
    row: dict[str, str]
    access: ListPlan
    dirty: DirtyPlan | None  # None: it does not ask changed_parent
    alone: AlonePlan | None  # None: the world runs no systems alone
