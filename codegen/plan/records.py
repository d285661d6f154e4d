"""The records that templates print of a world as a whole; every name and number is decided."""

from __future__ import annotations

from dataclasses import dataclass

from plan.code_records import QueryPlan, SelectionPlan, SystemPlan
from plan.data_records import (
    ColumnPlan,
    ComponentPlan,
    EnumPlan,
    EventPlan,
    PrefabPlan,
    RelationPlan,
    SingletonPlan,
    StructPlan,
)
from plan.lists import ListPlan


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
    """What a walk over a query remembers of a sparse component (query/members.h, query/sparse_rows.h)."""

    ready: str  # C function that makes it before
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
    columns: list[ColumnPlan]  # bitsets last
    first_bitset: int
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
    depth_orders: list[SystemPlan]  # systems with `order`
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
