"""These records hold what templates print of a world as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from plan.code_records import (
    IndexPlan,
    ListenerPlan,
    PassPlan,
    QueryPlan,
    SelectionPlan,
    SwitchPlan,
    SystemPlan,
)
from plan.data_records import (
    ColumnPlan,
    ComponentPlan,
    EnumPlan,
    EventPlan,
    HookPlan,
    PrefabPlan,
    RelationPlan,
    ResourcePlan,
    RunsPlan,
    SingletonPlan,
    StructPlan,
)
from plan.lists import ListPlan, printed, table_plan


@dataclass(frozen=True)
class ConstantPlan:
    name: str
    number: str  # C expression
    comment: str = ""


@dataclass(frozen=True)
class NumberingPlan:
    """Enum constants that number things."""

    comment: str
    constants: list[ConstantPlan]


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
    grouped: str  # "true" if tables keep pointers of columns in groups
    recycle_after: int
    fragments: bool
    step: str  # C literal of the seconds of a fixed step; "" without
    step_words: str  # comment: "1/60"
    max_steps: int
    max_entities: int
    max_entities_words: str  # comment: "1,000,000"
    set_words: int


@dataclass(frozen=True)
class WaitsPlan:
    """A system in the schedule."""

    name: str
    constant: str
    waits_for: int  # systems that must have ended
    followers: ListPlan  # constants of those that wait for it, with the reasons as a comment


@dataclass(frozen=True)
class SegmentPlan:
    """The systems of a phase between one flush and the next, or all of them, in the schedule."""

    first: str  # constant of its first system, "0" without any
    count: int  # of systems
    ready: ListPlan  # constants of those that wait for nothing
    systems: list[WaitsPlan]


@dataclass(frozen=True)
class BufferPlan:
    """Where commands are recorded."""

    constant: str  # of the first, if there is one for each part
    segment: str  # number; "WEFT_NONE" outside of systems
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
    segment_of: dict[str, int]  # number of its segment, by system
    in_parallel: bool  # whether there is something to run in parallel
    passes: list[PassPlan]
    statements: list[str]  # C statements that run its systems


@dataclass(frozen=True)
class ReaderPlan:
    constant: str
    comment: str
    watches: ListPlan
    starts_over: bool = False  # after a load all is new to it
    listener: bool = False  # it is none of the systems and queries


@dataclass(frozen=True)
class ChangesPlan:
    constants: list[tuple[str, str]]  # constant, comment
    flags: list[tuple[str, str]]  # likewise, of singletons: numbered behind those
    components: ListPlan  # constant of the component by change set, "WEFT_NONE" for removals
    singletons: ListPlan  # by singleton: the flag of its changes, or "WEFT_NONE"
    members: list[str]  # of the plan: names of readers, what there is of flags and indexes
    added_count: int  # the first ones are of table components and come in
    listeners: list[ListPlan]
    readers: list[ReaderPlan]
    removals: list[str]  # constants
    removal_rows: list[dict[str, str]]
    removal_sets: list[dict[str, str]]
    reader_names: ListPlan  # string literals
    reader_count: int  # readers that saves know; those of indexes stand behind them
    indexes_only: ListPlan  # by change set: "true" where nothing else uses it


@dataclass(frozen=True)
class DataPlan:
    """All kinds of data in a world."""

    enums: list[EnumPlan]
    structs: list[StructPlan]
    externs: list[StructPlan]
    extern_headers: dict[str, str]
    rng: int  # 1 + the number of the extern that the field type rng is; 0: no field has it
    components: list[ComponentPlan]
    relation_tags: list[ComponentPlan]  # behind the components, in numbers; see model/trees.py
    singletons: list[SingletonPlan]
    resources: list[ResourcePlan]
    events: list[EventPlan]
    relations: list[RelationPlan]
    prefabs: list[PrefabPlan]
    columns: list[ColumnPlan]  # bitsets last
    first_bitset: int
    on_despawn: str  # the hook of every entity that goes; "": there is none

    @property
    def with_fields(self) -> list[StructPlan]:
        """Returns all that has reflection rows."""
        shapes = [*self.structs, *self.externs]
        shapes += [component.struct for component in self.components]
        shapes += [singleton.struct for singleton in self.singletons]
        shapes += [event.struct for event in self.events]
        return [shape for shape in shapes if shape.members]

    @property
    def kept_headers(self) -> list[str]:
        """Returns the headers of the types of which a world keeps one."""
        return [
            *(singleton.struct.header for singleton in self.singletons),
            *(resource.header for resource in self.resources),
        ]

    @property
    def called_headers(self) -> list[str]:
        """Returns the headers of prefabs and inputs, whose calls are those of the world."""
        return [
            *(prefab.header for prefab in self.prefabs),
            *(event.struct.header for event in self.inputs),
        ]

    @property
    def inputs(self) -> list[EventPlan]:
        """Returns the events that come from outside."""
        return [event for event in self.events if event.outside]

    @property
    def settles(self) -> list[str]:
        """Returns the functions that let states have the values that were asked for."""
        return [one.state.settle for one in self.singletons if one.state]

    @property
    def states_wait(self) -> str:
        """Returns the C expression that tells whether a state is to change."""
        states = [f"w->{one.name}" for one in self.singletons if one.state]
        return " || ".join(f"{state}.next != {state}.now" for state in states)

    @property
    def phase_begin(self) -> str:
        """Returns the call that begins a phase, without its last argument."""
        return "states_begin(w" if self.settles else "weft_phase_begin(&w->world"

    @property
    def phase_end(self) -> str:
        return "states_end(w)" if self.settles else "weft_phase_end(&w->world)"

    @property
    def numbered(self) -> list[ComponentPlan]:
        """Returns all that the runtime takes for components."""
        return [*self.components, *self.relation_tags]

    @property
    def stores(self) -> list[ComponentPlan]:
        return [component for component in self.components if component.kind == "sparse"]

    @property
    def has_hooks(self) -> bool:
        return bool(self.on_despawn or any(hook.functions for hook in self.hooks))

    @property
    def hooks(self) -> list[HookPlan]:
        """Returns those of all components, then those of all relations."""
        hooks = [hook for component in self.components for hook in component.hooks]
        return hooks + [hook for relation in self.relations for hook in relation.hooks]

    @property
    def has_reactions(self) -> bool:
        """Tells whether anything follows from links of a relation but these themselves."""
        return any(relation.reacts for relation in self.relations)


@dataclass(frozen=True)
class CodePlan:
    """All that walks over a world or changes it."""

    queries: list[QueryPlan]
    listeners: list[ListenerPlan]
    indexes: list[IndexPlan]
    phases: list[PhasePlan]
    segments: list[SegmentPlan]  # phase by phase
    buffers: list[BufferPlan]  # the first is for outside of systems
    changes: ChangesPlan
    despawn_call: str  # C expression

    @property
    def systems(self) -> list[SystemPlan]:
        """Returns all systems in the order they run."""
        return [system for phase in self.phases for system in phase.systems]

    @property
    def waits(self) -> list[WaitsPlan]:
        return [system for segment in self.segments for system in segment.systems]

    @property
    def passes(self) -> list[PassPlan]:
        return [one for phase in self.phases for one in phase.passes]

    @property
    def pass_queries(self) -> list[PassPlan]:
        """Returns the passes that have a query of their own."""
        return [one for one in self.passes if one.matches_name]

    @property
    def fused_words(self) -> list[str]:
        words = "Those called fused_ tell it of the systems of a pass."
        return [words] if self.pass_queries else []

    @property
    def selections(self) -> list[SelectionPlan | PassPlan]:
        """Returns those of all that has rows, by number."""
        with_rows = [system.selection for system in self.systems if system.has_rows]
        indexes = [index.selection for index in self.indexes]
        queries = [query.selection for query in self.queries]
        listeners = [one.selection for one in self.listeners if one.selection]
        return [*queries, *with_rows, *self.pass_queries, *indexes, *listeners]

    @property
    def depth_orders(self) -> list[SystemPlan]:
        """Returns the systems with an order; those that walk dirty rows come first."""
        ordered = [system for system in self.systems if system.order]
        return sorted(ordered, key=lambda system: not system.selection.dirty)

    @property
    def dirty_count(self) -> int:
        """Returns how many systems walk dirty rows: the first so many of those with an order."""
        return sum(system.selection.dirty for system in self.depth_orders)

    @property
    def parallels(self) -> list[SystemPlan]:
        return [system for system in self.systems if system.parallel]

    @property
    def clocks(self) -> list[str]:
        return [system.clock for system in self.systems if system.clock]

    @property
    def switches(self) -> list[SwitchPlan]:
        """Returns the switches of systems; saved ones come first."""
        found = [s.running.switch for s in self.systems if s.running.switch]
        return sorted(found, key=lambda switch: not switch.saved)

    @property
    def saved_switches(self) -> list[SystemPlan]:
        return [s for s in self.systems if s.running.switch and s.running.switch.saved]

    @property
    def codes(self) -> list[ListPlan]:
        """Returns the tables of how each system is run, if a phase runs any in parallel."""
        rows = [f"{system.running.code}" for system in self.systems]
        names = [system.name for system in self.systems]
        comment = ["These functions run each system, in parallel with others where it may."]
        table = ListPlan("weft_system_code", "system_codes", rows, comment, "", True, names)
        in_parallel = any(phase.in_parallel for phase in self.phases)
        return [*self._pass_tables, table] if in_parallel else []

    @property
    def _pass_tables(self) -> list[ListPlan]:
        rows = [
            {
                "query": one.constant,
                "system_count": str(len(one.systems)),
                "unit_rows": str(one.unit_rows),
                "block_rows": str(one.block_rows),
            }
            for one in self.passes
        ]
        notes = [", ".join(one.systems) for one in self.passes]
        comment = ["These systems run block by block: all on some rows, then all on the next."]
        return printed([table_plan("weft_pass", "passes", rows, comment, notes)])


@dataclass(frozen=True)
class ValuePlan:
    """A static const value."""

    type: str
    name: str
    initialiser: str


@dataclass(frozen=True)
class SectionPlan:
    """Const tables about one kind of thing."""

    title: str  # comment
    values: list[ValuePlan]
    arrays: list[ListPlan]


@dataclass(frozen=True)
class ReflectionPlan:
    """The tables behind weft_schema."""

    sections: list[SectionPlan]
    counts: dict[str, str]  # by kind: "components"
    names: dict[str, str]  # C names of the tables by kind, "NULL" without any


@dataclass(frozen=True)
class MovesPlan:
    """Functions that copy, move and end rows of a prefab's table, column by column."""

    copy: str  # C names
    copies: list[str]  # C statements, one a column
    shift: str
    shifts: list[str]
    end: str


@dataclass(frozen=True)
class TablesPlan:
    """The functions and tables behind weft_plan."""

    sections: list[SectionPlan]
    names: set[str]  # C names of the tables that there are
    runs: list[RunsPlan]
    hooks: list[HookPlan]
    moves: list[MovesPlan]
    hearer_count: int
    stage_count: str  # C expressions
    buffer_count: str

    def name(self, table: str) -> str:
        """Returns the name of a table, or "NULL" if the world has none."""
        return table if table in self.names else "NULL"


@dataclass(frozen=True)
class CheckPlan:
    """Holds what is true of a component or singleton: a function tells what a value breaks."""

    name: str
    type: str  # C type of the value
    function: str
    comment: list[str]  # what each rule says
    lines: list[str]  # C statements
    paths: list[ListPlan]  # by rule of `holds`: string literals
    rules: ListPlan
    row: str  # initialiser


@dataclass(frozen=True)
class InsightPlan:
    """Holds all that is checked of a world whose game asks for it."""

    checks: list[CheckPlan]
    table: str  # C name, "NULL" without any
    state_count: int


@dataclass(frozen=True)
class Plan:
    world: WorldPlan
    n: dict[str, str]  # world-level C names by verb: n.spawn == "colony_spawn"
    data: DataPlan
    code: CodePlan
    reflection: ReflectionPlan
    tables: TablesPlan
    headers: list[str]  # of everything that has one, as the overview includes them
    table_headers: list[str]  # of what the tables are about
    numberings: list[NumberingPlan]  # what headers name
    inner_numberings: list[NumberingPlan]  # what only the C files name
    insight: InsightPlan
    overview: list[str]

    @property
    def world_rows(self) -> list[tuple[str, str]]:
        """Returns where the runtime finds what a world keeps beside its singletons."""
        world, code = self.n["world"], self.code
        rows = [("world_bytes", f"sizeof({world})")]
        if self.data.resources:
            first = self.data.resources[0].name
            rows.append(("resources_offset", f"offsetof({world}, {first})"))
        counted = (
            ("clock", "weft_clocks", code.clocks),
            ("switch", "weft_off", code.saved_switches),
        )
        for kind, member, kept in counted:
            if kept:
                plural = "switches" if kind == "switch" else "clocks"
                rows.append((f"{plural}_offset", f"offsetof({world}, {member})"))
                rows.append((f"{kind}_count", str(len(kept))))
                rows.append((f"{kind}_systems", f"{kind}_systems"))
        return rows

    @property
    def running_members(self) -> list[str]:
        """Returns what a world keeps beside its singletons while it runs."""
        code = self.code
        asks_alone = any(system.alone and system.alone.always for system in code.systems)
        members = {
            f"weft_clock weft_clocks[{len(code.clocks)}];": code.clocks,
            f"bool weft_off[{len(code.switches)}]; // by switch": code.switches,
            "bool weft_alone; // a system is run alone, and its `when` is not asked": asks_alone,
            "uint64_t weft_behind; // the time that has passed since the last tick, "
            "in WEFT_STEP_PARTS": self.world.step,
        }
        bound = [f"{one.type} *{one.name};" for one in self.data.resources]  # loads leave these
        return [*(member for member, kept in members.items() if kept), *bound]
