"""The records that templates print: every name, number and literal already decided."""

from __future__ import annotations

from dataclasses import dataclass

from plan.filters import Filter
from plan.types import Member

NONE = "WEFT_NONE"  # where there is no plane, store, component


@dataclass(frozen=True)
class ListPlan:
    """A static const array. C has none without items: then its name is NULL, and it is left out."""

    name: str
    items: list[str]


@dataclass(frozen=True)
class SetPlan:
    """A set of components as an array of words."""

    name: str
    words: list[str]
    comment: str  # who is in it


def list_plan(name: str, items: list[str]) -> ListPlan:
    return ListPlan(name if items else "NULL", items)


@dataclass(frozen=True)
class NumberingPlan:
    """Enum constants that number things."""

    comment: str
    constants: list[tuple[str, str]]  # constant, comment or ""
    numbers: list[str]  # C expressions


@dataclass(frozen=True)
class WorldPlan:
    name: str
    handle_type: str  # "uint32_t"
    handle_bytes: int
    handle_words: str  # comment: how a handle is cut
    index_bits: int
    generation_bits: int
    wide: str  # "true" if a handle has more than 32 bits
    waits: str  # "true" if freed indices wait before they are reused
    recycle_after: int
    max_entities: int
    set_words: int


@dataclass(frozen=True)
class EnumPlan:
    name: str
    type: str
    c_type: str
    doc: list[str]
    values: list[tuple[str, int]]  # constant, number
    header: str
    guard: str
    row: dict[str, str]  # reflection
    value_names: ListPlan  # string literals
    old_names: ListPlan  # the same, before a rename; no items where nothing was renamed


@dataclass(frozen=True)
class StructPlan:
    """A [struct], and the shape of everything else that has fields."""

    name: str
    type: str
    doc: list[str]
    includes: list[str]
    members: list[Member]
    bytes: int
    align: int
    header: str
    guard: str
    row: dict[str, str]
    fields_table: str  # C name of its reflection rows; "NULL" without fields
    item_defaults: str  # C name of its default value, of a type that lists have as items; else ""
    item_initialiser: str


@dataclass(frozen=True)
class ColumnPlan:
    constant: str
    size: str  # C expression
    offset: str
    component: str  # constant
    comment: str


@dataclass(frozen=True)
class RunsPlan:
    """How commands alike on a component are run: two functions, and the calls they are."""

    sets: str
    removals: str
    sets_call: str
    removals_call: str


@dataclass(frozen=True)
class HookPlan:
    """A function of the game that is told of a component."""

    kind: str  # on_add or on_remove
    function: str
    wrapper: str  # static function with the types of the runtime
    takes: str  # behind the entity: ", const colony_sprite *value"; "" for a tag
    given: str  # the same in the call
    called: str  # comment: when


@dataclass(frozen=True)
class ComponentPlan:
    name: str
    kind: str  # aos, soa, sparse or tag: which template prints its header
    noun: str  # "component" or "tag"
    struct: StructPlan
    storage_words: str  # comment: how it is stored
    constant: str  # its id
    column: str  # constant of its first column or of its plane
    columns: list[str]  # its columns in tables: soa has one a field, a tag or sparse component none
    first_column: str  # constant, "WEFT_NONE" without columns
    plane: str  # constant, "WEFT_NONE"
    store: str  # constant, "WEFT_NONE"
    defaults: str  # C name of its default value, "" for a tag
    initialiser: str
    closure: SetPlan
    conflicts: SetPlan
    required_by: SetPlan
    ruled: str
    has_entities: str
    added: str  # the stream where it is marked so, "WEFT_NONE" if nobody reads that
    changed: str
    changed_mark: str  # the same, "" if nobody reads that
    watched_words: str  # "; watched by redraw, query moved", "" if nobody does
    first_removal: str  # constant of the first who reads that it is gone
    removal_count: int
    rules: list[str]  # comment lines: what it requires and excludes
    place_call: str  # C expressions of the direct calls; "" where there is none
    set_call: str
    remove_call: str
    write_value: str  # C expression: a value behind its command
    runs: RunsPlan | None  # None: each command goes the general way
    hooks: list[HookPlan]
    row: dict[str, str]


@dataclass(frozen=True)
class SingletonPlan:
    name: str
    struct: StructPlan
    defaults: str
    initialiser: str
    row: dict[str, str]


@dataclass(frozen=True)
class EventPlan:
    name: str
    struct: StructPlan
    constant: str  # its id
    max: int
    defaults: str
    initialiser: str
    has_entities: str
    first_hearer: str  # constant, "0" without hearers
    hearer_count: int
    stages: ListPlan  # rows: the stages of a system that emits it
    summary: str  # comment: size, how many
    row: dict[str, str]


@dataclass(frozen=True)
class PrefabMember:
    component: ComponentPlan
    initialiser: str
    rows: str  # how spawn_rows gives it: "colony_position *position"; "" for a sparse component
    store: str  # C statement of spawn that writes its value, "" for a sparse component


@dataclass(frozen=True)
class PrefabPlan:
    name: str
    type: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    members: list[PrefabMember]  # without tags
    columns: list[PrefabMember]  # those in tables
    sparse: list[ComponentPlan]
    tags: list[ComponentPlan]  # listed ones and those that the closure adds
    extra: list[ComponentPlan]  # components that only the closure adds
    copied: list[str]  # constants of all its table components
    copy: str  # static function that copies their columns; "NULL" without any
    shift: str  # the same for moving a row to another table
    end: str  # the same for ending a row
    listed_tags: str  # comment: "tag ripe", "tags ripe and busy", "" without any
    has_planes: bool
    told: str  # comment: the components whose on_add is called for a new one; "" without any
    has_readers: bool  # whether somebody reads changes of a table component of it
    constant: str
    set: SetPlan
    listed: ListPlan  # constants of everything listed, for reflection
    member_ids: ListPlan
    member_offsets: ListPlan
    tag_ids: ListPlan  # listed ones
    row: dict[str, str]


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


@dataclass(frozen=True)
class SelectionPlan:
    name: str  # comment: "query idle", "system movement"
    covers: str  # C names of the functions
    filter_name: str
    matches_name: str
    filter: Filter
    by_row: bool  # needs a mask
    mask: bool  # rows = "mask"
    columns: list[SelectionColumn]
    marked: list[str]  # streams of columns whose rows are marked
    gathered: list[SelectionColumn]
    over: SelectionColumn | None  # the one of them that exactly the passing rows have
    rows_max: str  # "UINT32_MAX", "WEFT_SPARSE_ROWS", "WEFT_PUT_ROWS"
    constant: str  # COLONY_QUERY_…
    words: str  # "reads position; writes worker; where …"
    descent: str  # constant of the order of its rows; "" where they come table by table


@dataclass(frozen=True)
class LensPlan:
    """How a system sees the changes that a query asks for."""

    system: str
    number: int
    covers: str
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
class RelationPlan:
    name: str
    doc: list[str]
    header: str
    guard: str
    constant: str
    fate: str  # comment: what becomes of children when their parent is despawned
    row: dict[str, str]


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
    moves: bool  # the log may, in the turn, since the system puts the tag on
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


@dataclass(frozen=True)
class WaitsPlan:
    """A system in the schedule."""

    name: str
    constant: str
    waits_for: int  # systems that must have ended
    followers: ListPlan  # constants of those that wait for it
    why: list[str]  # comment lines: what they wait for


@dataclass(frozen=True)
class PhaseWaitsPlan:
    """A phase in the schedule."""

    first: str  # constant of its first system, "0" without any
    count: int  # of systems
    ready: ListPlan  # constants of those that wait for nothing
    systems: list[WaitsPlan]


@dataclass(frozen=True)
class OrderPlan:
    """An order (weft_order.h) that a walk over a query goes along: constants."""

    query: str
    store: str
    column: str


@dataclass(frozen=True)
class BufferPlan:
    """Where commands are recorded."""

    constant: str  # of the first, if there is one for each part
    phase: str  # number; "WEFT_NONE" outside of systems
    is_parallel: bool

    @property
    def parallel(self) -> str:
        return "true" if self.is_parallel else "false"


@dataclass(frozen=True)
class PhasePlan:
    name: str
    index: int
    function: str
    systems: list[SystemPlan]
    beside: bool  # whether there is something to run at the same time
    orders: list[OrderPlan]  # what walks at the same time must find made


@dataclass(frozen=True)
class ReaderPlan:
    constant: str
    comment: str
    table: str  # C name of its watches
    watches: list[dict[str, str]]  # rows of it


@dataclass(frozen=True)
class StreamsPlan:
    constants: list[tuple[str, str]]  # constant, comment
    components: ListPlan  # constant of the component by stream
    born: int  # the first ones are of table components and come in
    listeners: list[ListPlan]
    readers: list[ReaderPlan]
    removals: list[str]  # constants
    removal_rows: list[dict[str, str]]
    reader_names: ListPlan  # string literals


@dataclass(frozen=True)
class Plan:
    world: WorldPlan
    n: dict[str, str]  # world-level C names by verb: n.spawn == "colony_spawn"
    enums: list[EnumPlan]
    structs: list[StructPlan]
    externs: list[StructPlan]
    with_fields: list[StructPlan]  # everything that has reflection rows
    extern_headers: dict[str, str]
    columns: list[ColumnPlan]  # planes last
    first_plane: int
    components: list[ComponentPlan]
    has_hooks: bool
    singletons: list[SingletonPlan]
    events: list[EventPlan]
    stage_count: str  # C expression
    hearer_events: ListPlan  # by hearer
    hearer_systems: ListPlan
    prefabs: list[PrefabPlan]
    queries: list[QueryPlan]
    systems: list[SystemPlan]  # in the order they run
    relations: list[RelationPlan]
    descents: list[SystemPlan]  # systems with `order`
    despawn_call: str  # C expression
    phases: list[PhasePlan]
    phase_names: ListPlan
    schedule: list[PhaseWaitsPlan]  # by phase
    waits: list[WaitsPlan]  # by system
    stores: list[ComponentPlan]
    sparse_ids: ListPlan
    selections: list[SelectionPlan]  # queries, then systems with rows: by number
    matches: ListPlan
    numberings: list[NumberingPlan]  # what headers name
    inner_numberings: list[NumberingPlan]  # what only the C files name
    buffers: list[BufferPlan]  # the first is for outside of systems
    buffer_count: str  # C expression
    clocks: list[str]  # constants
    clock_systems: ListPlan  # constants of the systems that have them
    streams: StreamsPlan
    beside: bool  # whether any phase has something to run at the same time
    parallels: list[SystemPlan]
    overview: list[str]
