"""The records that templates print: every name, number and literal already decided."""

from __future__ import annotations

from dataclasses import dataclass

from plan.filters import Filter
from plan.types import Member


@dataclass(frozen=True)
class WorldPlan:
    name: str
    handle_type: str  # "uint32_t"
    handle_bytes: int
    handle_words: str  # comment: how a handle is cut
    index_bits: int
    generation_bits: int
    wide: bool
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
    value_names: list[str]  # string literals


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


@dataclass(frozen=True)
class ColumnPlan:
    constant: str
    number: int
    size: str  # C expression
    offset: str
    component: str  # constant
    comment: str


@dataclass(frozen=True)
class ComponentPlan:
    name: str
    kind: str  # aos, soa, sparse or tag: which template prints its header
    noun: str  # "component" or "tag"
    struct: StructPlan
    storage_words: str  # comment: how it is stored
    constant: str  # its id
    number: int
    column: str  # constant of its first column or of its plane
    columns: list[str]  # soa: a constant a field
    plane: str  # constant, "WEFT_NONE"
    store: str  # constant, "WEFT_NONE"
    initialiser: str
    closure: str  # set literals: "{0x5u}"
    conflicts: str
    required_by: str
    ruled: str
    has_entities: str
    rules: list[str]  # comment lines: what it requires and excludes
    row: dict[str, str]


@dataclass(frozen=True)
class SingletonPlan:
    name: str
    struct: StructPlan
    initialiser: str
    row: dict[str, str]


@dataclass(frozen=True)
class PrefabMember:
    component: ComponentPlan
    initialiser: str


@dataclass(frozen=True)
class PrefabPlan:
    name: str
    type: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    members: list[PrefabMember]  # without tags
    columns: list[ComponentPlan]  # members in tables, in order
    sparse: list[ComponentPlan]
    tags: list[ComponentPlan]  # listed ones and those that the closure adds
    extra: list[ComponentPlan]  # components that only the closure adds
    listed_tags: list[ComponentPlan]
    has_planes: bool
    constant: str
    set: str
    listed: list[str]  # constants of everything listed, for reflection
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
    store: str  # sparse: constant


@dataclass(frozen=True)
class SelectionPlan:
    covers: str  # C names of the functions
    filter_name: str
    matches_name: str
    filter: Filter
    by_row: bool  # needs a mask
    mask: bool  # rows = "mask"
    columns: list[SelectionColumn]
    gathered: list[SelectionColumn]
    rows_max: str  # "UINT32_MAX", "WEFT_SPARSE_ROWS", "WEFT_PUT_ROWS"
    constant: str  # COLONY_QUERY_…
    words: str  # for the overview: "reads position; writes worker; where …"


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
    world: str  # parameter type of begin: writing needs a world that is not const
    optional_tags: list[TagAccessPlan]
    row: dict[str, str]
    access: list[str]


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
    query: QueryPlan
    world: str


@dataclass(frozen=True)
class SystemPlan:
    name: str
    function: str
    ctx: str
    run: str  # static function that runs it
    phase: str
    doc: list[str]
    header: str
    guard: str
    includes: list[str]
    has_rows: bool
    selection: SelectionPlan
    singletons: list[tuple[str, SingletonPlan]]  # "const " or "", which
    lookups: list[LookupPlan]
    queries: list[SystemQueryPlan]
    optional_tags: list[TagAccessPlan]
    written_tags: list[TagAccessPlan]
    buffer: str  # constant of its command buffer, "" without commands
    clock: str  # index of its clock as text, "" if it runs every time
    every: str  # seconds as a C literal
    words: list[str]  # comment: what it may touch
    summary: str  # one line for the overview
    row: dict[str, str]
    access: list[str]


@dataclass(frozen=True)
class PhasePlan:
    name: str
    function: str
    systems: list[SystemPlan]


@dataclass(frozen=True)
class Plan:
    world: WorldPlan
    n: dict[str, str]  # world-level C names by verb: n.spawn == "colony_spawn"
    enums: list[EnumPlan]
    structs: list[StructPlan]
    externs: list[StructPlan]
    extern_headers: dict[str, str]
    columns: list[ColumnPlan]  # planes last
    first_plane: int
    components: list[ComponentPlan]
    singletons: list[SingletonPlan]
    prefabs: list[PrefabPlan]
    queries: list[QueryPlan]
    systems: list[SystemPlan]  # in the order they run
    phases: list[PhasePlan]
    stores: list[ComponentPlan]
    selections: list[SelectionPlan]  # queries, then systems with rows: by number
    buffers: list[str]  # constants; the first is for outside of systems
    clocks: list[str]
    overview: list[str]
