"""Records of systems, and of passes in which some of them run together."""

from __future__ import annotations

from dataclasses import field

from model.record import record
from plan.lists import ListPlan
from plan.records.data import (
    ComponentPlan,
    EventPlan,
    ResourcePlan,
    SingletonPlan,
    StatePlan,
    StructPlan,
)
from plan.records.grants import DoorsPlan, RowGrants
from plan.records.over import OverPlan
from plan.records.page import PagePlan
from plan.records.selection import HeadPlan, SelectionPlan, TableQueryPlan


@record
class ParentPlan:
    """A column of the parents of rows, gathered row by row."""

    parameter: str  # "const colony_place *const *place_parent"
    array: str  # name of the local array that gathers it
    element: str  # C type of an element with a blank or star at its end
    component: ComponentPlan


@record
class RemovalPlan:
    """A component whose removals a system reads, and the members of its context for them."""

    component: ComponentPlan
    handles: str  # these members
    count: str
    values: str
    lost: str  # comment: the component or parent that entities have lost
    valued: bool  # with last values
    moves: bool  # the log may move in the turn, because the system writes the tag
    constant: str

    @property
    def members(self) -> list[str]:
        return [self.handles, *([self.values] if self.valued else []), self.count]


@record
class HearPlan:
    """An event that a system hears."""

    event: EventPlan
    count: str  # the member of the context that counts them
    hearer: str  # constant


@record
class RunFunctions:
    """The names of the static functions that run a system: one, or three of a parallel system."""

    run: str = ""
    begin: str = ""  # runs before the parts; "" if there is nothing to do
    part: str = ""
    end: str = ""  # runs after the parts; "" if there is nothing to do


@record
class DirtyPlan:
    """The change sets that make rows dirty, for a system that uses changed_parent."""

    unchanged: str  # "true": rows may pass that are not dirty
    changed: ListPlan  # change sets of the rows
    parents: ListPlan  # change sets of their parents


@record
class SwitchPlan:
    """The switch of a system."""

    constant: str
    switch: str  # C names of its calls
    is_on: str
    saved: bool
    words: str  # comment: whether saves contain it


@record
class AlonePlan:
    """The function that runs one system as a phase of its own."""

    function: str
    phase: int
    comment: str
    skips_when: bool  # it has a `when`, which is not tested here


@record
class InlinePlan:
    """The generated loop of a system; the game defines the function of one row."""

    header: str  # of the game
    function: str  # C name
    parameters: list[str]
    arguments: list[str]  # of its call in a loop, after the context
    definition: str  # C: how the definition of the system's function begins
    joins: bool  # one loop may also do the work of other systems


@record
class FunctionPlan:
    """The function of the game that does the work of a system."""

    name: str
    parameters: list[str]
    arguments: list[str]  # for a range of rows, after the context
    called: str  # comment: how often and with which rows it is called
    head: HeadPlan | None  # None: it writes no soa component
    inline: InlinePlan | None  # None: the game defines the function

    @property
    def hot(self) -> str:
        """The macro that begins its prototype."""
        return "WEFT_HOT_EXACT" if self.inline and self.inline.joins else "WEFT_HOT"

    @property
    def fields_call(self) -> str:
        """The generated function that passes it each array as a parameter, or ""."""
        return self.head.call if self.head else ""

    @property
    def callee(self) -> str:
        """The function that generated code calls for a range of rows."""
        return self.fields_call or self.name


@record
class ContextPlan:
    """The context of a system: the struct with everything that it may access."""

    type: str
    doors: DoorsPlan
    rows: RowGrants
    buffer: str  # constant of its command buffer, "" without commands
    summary: str  # one line for comments, with its rows

    @property
    def seal(self) -> str:
        """Returns the call that stores the range in it, for calls or only for debuggers."""
        return "weft_seal_rows" if self.rows.ask_range else "weft_show_rows"


@record
class UsedPlan:
    """Everything that a system uses besides its rows."""

    singletons: list[tuple[str, SingletonPlan]]  # "const " or "", which
    resources: list[tuple[str, ResourcePlan]]  # as of singletons
    states: list[tuple[str, StatePlan]]  # by name
    hears: list[HearPlan]
    removed: list[RemovalPlan]
    stages: list[str]  # events that it emits and that are heard
    tags_written: list[str]  # constants of their bitsets by slot
    reader: str  # constant of its reader, or "" if it reads no changes
    buffer: str  # constant of its command buffer, "" without commands
    partial: str  # the member of the world that stores its partial results, or ""

    @property
    def of_world(self) -> bool:
        """Returns whether filling in its context reads the world of the game."""
        return bool(self.singletons or self.resources or self.states or self.partial)

    @property
    def flags(self) -> list[str]:
        """Returns the constants of the flags of singletons that each call changes."""
        return [one.changed for const, one in self.singletons if not const and one.changed]


@record
class LoopPlan:
    """The rows of a system, and the generated loop over them that calls its function."""

    selection: SelectionPlan
    parents: list[ParentPlan]  # the columns of parents that it reads
    parents_by: str  # constant of the relation of these parents
    flags: list[str]  # constants: the flags of singletons that a call changes; a merge sets others
    order: str  # constant of the relation that orders its rows, "" without
    dirty: DirtyPlan | None  # None: it does not use changed_parent
    parallel: str  # constant of the parallel system; "" if it is not
    unit_rows: int  # parts begin at multiples of this number of rows
    over: OverPlan | None  # the links that it iterates instead of rows
    keeps: bool  # parts keep commands, events, tag writes or results, in the order of the rows

    @property
    def has_rows(self) -> bool:
        """Returns whether it has rows. Without rows the function is called once a turn."""
        return bool(self.selection.words)

    @property
    def tags_take_effect(self) -> str:
        """Returns when others see the tags that the system writes, for comments."""
        return "when all parts have ended" if self.parallel else "after the current range"

    @property
    def keeps_parents(self) -> bool:
        """Returns whether the order of its rows also stores the places of their parents."""
        return bool(self.parents and not self.dirty)

    @property
    def begins_by_call(self) -> bool:
        """Returns whether one call begins its walk and records that it runs."""
        narrowed = self.parallel or self.order or self.selection.over
        return self.selection.apart and not narrowed


@record
class EdgeCall:
    """A function of the game that is called once a turn."""

    name: str
    parameters: list[str]
    comment: str


@record
class PartialPlan:
    """What a system adds up in its turn, or in each part of it."""

    struct: StructPlan
    name: str  # of the member of the world that stores it
    parts: str  # C expression: how many of them there may be


@record
class EdgesPlan:
    """What begins and ends the turns of a system, besides its rows."""

    calls: list[EdgeCall]
    begin: str  # static function; "" if the game begins no turn
    end: str  # static function
    partial: PartialPlan | None


@record
class ClockPlan:
    """The clock of a system with `every`."""

    constant: str
    every: str  # C literal of its seconds
    period: str  # initialiser of whole units in which it counts; "": it counts seconds


@record
class TurnsPlan:
    """When a system has its turn, and how it is run then."""

    phase: str
    clock: ClockPlan | None  # None: it runs every time
    when: str  # C expression that must be true, as an operand; "": always
    stands_still: bool  # the clock stops while `when` is false
    due: str  # the flag of the world that its turn clears, or ""
    resources: list[str]  # resources that the game must have bound
    indexes: list[str]  # constants of indexes that are updated before the turn
    switch: SwitchPlan | None  # None: the game cannot switch it off
    alone: AlonePlan | None  # None: the world runs no systems alone
    edges: EdgesPlan | None  # None: the game defines only its function
    functions: RunFunctions
    leads: str = ""  # number of the pass that it begins, or ""

    @property
    def reads_world(self) -> bool:
        """Returns whether the test of its turn reads the world of the game."""
        return bool(self.switch or self.clock or self.resources or "w->" in self.when)

    @property
    def edge_calls(self) -> list[EdgeCall]:
        return self.edges.calls if self.edges else []

    @property
    def partial_structs(self) -> list[StructPlan]:
        """Returns the struct of its partial results, if it has any."""
        return [self.edges.partial.struct] if self.edges and self.edges.partial else []

    @property
    def dt_comment(self) -> str:
        return "since it last ran" if self.clock else "of this tick"


@record
class SystemPlan:
    """A system: in each turn its loop calls the function with the context and rows."""

    name: str
    constant: str
    page: PagePlan
    function: FunctionPlan
    context: ContextPlan
    used: UsedPlan
    loop: LoopPlan
    turns: TurnsPlan

    @property
    def members(self) -> list[str]:
        """Returns the members of its context that depend on the schema, besides grants."""
        used = self.used
        return [
            *(["entities"] if self.loop.has_rows else []),
            *(one.name for _, one in used.singletons),
            *(one.name for _, one in used.resources),
            *(name for name, _ in used.states),
            *(member for one in used.hears for member in (one.event.name, one.count)),
            *(member for one in used.removed for member in one.members),
            *(["partial"] if used.partial else []),
            *(["cmd"] if used.buffer else []),
        ]

    @property
    def may_be_idle(self) -> bool:
        """Returns whether a turn without rows has no effect, so that one test can skip it."""
        ends = self.used.reader or self.used.hears or self.turns.due or self.turns.edges
        return self.loop.has_rows and not self.loop.order and not ends

    @property
    def edges_read_world(self) -> bool:
        """Returns whether the contexts of `_begin`, `_end` and `_merge` read the world of the game.

        Only the merge of a parallel system may write the singletons there."""
        used, parallel = self.used, bool(self.loop.parallel)
        singletons = any(const or not parallel for const, _ in used.singletons)
        return bool(singletons or used.resources or used.states or (used.partial and not parallel))

    @property
    def edges_ask_part(self) -> bool:
        """Returns whether they record commands or events, in the order of the parts."""
        return bool(self.loop.parallel and (self.used.buffer or self.used.stages))


@record
class PassMember:
    """A system in the function of a pass."""

    system: SystemPlan
    whole: bool  # it takes every row of its tables, so it is called for each block
    asked: str  # C test whether it is due and takes the table, "" if always


@record
class PassGroup:
    """Systems of a pass whose work one loop can do; or one system, if no other joins it."""

    members: list[PassMember]
    asked: str = ""  # C test whether one loop does the work of all
    function: str = ""  # the function with that loop, or ""
    parameters: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


@record
class DirectPlan:
    """The function of a pass, which calls its systems block by block."""

    function: str
    query: str  # constant of the query with the tables of all its systems
    groups: list[PassGroup]
    alike: bool  # all its systems match the same tables
    by_part: bool  # parts run one by one
    short_rows: int  # rows of a block if the rows do not fit into the caches
    long_rows: int  # rows of a block if they do
    row_bytes: int  # bytes of a row that its systems touch

    @property
    def members(self) -> list[PassMember]:
        return [one for group in self.groups for one in group.members]

    @property
    def takes_whole(self) -> bool:
        return any(one.whole for one in self.members)

    @property
    def reads_world(self) -> bool:
        return any(one.whole and one.system.used.of_world for one in self.members)

    @property
    def facts(self) -> dict[str, str]:
        """Returns the members of a `weft_pass` about its function and blocks."""
        return {
            "run": self.function,
            "short_rows": str(self.short_rows),
            "long_rows": str(self.long_rows),
            "row_bytes": str(self.row_bytes),
            **({"by_part": "true"} if self.by_part else {}),
            **({"joins": "true"} if any(group.function for group in self.groups) else {}),
        }


@record
class PassPlan:
    """Systems that run block by block. The first one begins the pass."""

    systems: list[str]
    query: TableQueryPlan  # tables of all systems; `matches` is "" if the first one's query fits
    unit_rows: int  # parts begin at multiples of this number of rows
    direct: DirectPlan
