"""These records hold systems, and the passes in which some of them run together."""

from __future__ import annotations

from model.record import record
from plan.lists import ListPlan
from plan.records.data import ComponentPlan, EventPlan, StructPlan
from plan.records.grants import DoorsPlan, RowGrants
from plan.records.page import PagePlan
from plan.records.selection import FieldsCallPlan, HeadPlan, SelectionPlan, TableQueryPlan, WalkPlan


@record
class ParentPlan:
    """A column of the parents of rows, gathered row by row."""

    parameter: str  # "const colony_place *const *place_parent"
    array: str  # its local name where it is gathered
    element: str  # C type of an element with a blank or star at its end
    find: str  # C expression for the parent's row `above`


@record
class RemovedMembers:
    """The names of the members that a context has for the removals of a component."""

    handles: str
    count: str
    values: str


@record
class RemovalPlan:
    """A component whose removals a system reads, and the members of its context for them."""

    component: ComponentPlan
    members: RemovedMembers
    valued: bool  # with last values
    moves: bool  # the log may, in the turn, since the system writes the tag
    constant: str


@record
class HearPlan:
    """An event that a system hears."""

    event: EventPlan
    count: str  # the member of the context that counts them
    hearer: str  # constant


@record
class RunFunctions:
    """The names of the static functions that run a system."""

    run: str = ""  # the one function; or, of a parallel system,
    begin: str = ""  # what comes before the parts, "" if nothing does
    part: str = ""
    end: str = ""  # what comes behind them, "" if nothing does


@record
class RunningPlan:
    """How a system is run: the static functions that do it, and what they consist of."""

    functions: RunFunctions
    begins: list[str]  # C statements of `run` or `begin`
    ends: list[str]  # and of `end`, or behind the calls in `run`
    call: str  # C expression: a run without workers
    unmeasured: str  # likewise, where no turn is measured
    code: str  # C initialiser: how the scheduler runs it


@record
class FillPlan:
    """The C statements that fill in the context of a system."""

    world: list[str]  # how it gets at the world of the game
    statements: list[str]  # in the function that runs the system, with all they need
    in_pass: list[str]  # in the function of a pass


@record
class ParentsPlan:
    """The loop over the rows at hand that gathers columns of their parents."""

    head: str
    above: str  # C expression that finds the row of the parent
    statements: list[str]  # C statements for each row; none: nothing is asked of parents


@record
class BodyPlan:
    """The function that fills in the context of a system and calls the game."""

    context: FillPlan
    after: list[str]  # C statements behind the context, before the walk
    walk: WalkPlan
    pointers: list[str]  # C statements of each range before sparse columns are gathered
    parents: ParentsPlan
    behind: list[str]  # C statements behind the call of the game


@record
class DirtyPlan:
    """The change sets that make rows dirty, for a system that asks changed_parent."""

    unchanged: str  # "true": rows may pass that are not dirty
    changed: ListPlan  # those of rows themselves
    parents: ListPlan  # those of their parents


@record
class SwitchPlan:
    """The switch of a system."""

    constant: str
    switch: str  # C names of its calls
    is_on: str
    saved: bool
    words: str  # comment: what becomes of it in saves


@record
class AlonePlan:
    """The function that runs one system as a phase of its own."""

    function: str
    phase: int
    statements: list[str]
    comment: str
    always: bool  # it has a `when`, which is not asked here


@record
class InlinePlan:
    """The generated loop of a system of which the game says what it does to a row."""

    header: str  # of the game
    function: str  # C name
    parameters: list[str]
    definition: str  # C: how the definition of the system's function begins
    call: str  # C statement in its loop
    joins: bool  # one loop may do the work of others as well


@record
class RowsPlan:
    """A function that does the work of several inline systems in one loop."""

    function: str
    comment: list[str]
    parameters: list[str]
    calls: list[str]  # C statements: what each does to row i
    call: str  # C statement that gives it a block


@record
class BlockLengths:
    """How the function of a pass cuts its rows into blocks."""

    short_rows: int  # while rows come from memory
    long_rows: int  # while they stay in the caches
    row_bytes: int  # what its systems touch in a row
    by_part: bool  # parts run one by one


@record
class BlocksPlan:
    """The loop over the blocks of a pass."""

    constant: str  # the query that has the tables of all its systems
    lengths: BlockLengths
    statements: list[str]  # C statements of each block


@record
class DirectPlan:
    """The function of a pass, which calls those of its systems itself that take whole tables."""

    function: str
    comment: list[str]
    before: list[str]  # C statements that fill in the contexts
    blocks: BlocksPlan
    loops: list[RowsPlan]  # functions that these call

    @property
    def facts(self) -> dict[str, str]:
        """Returns the members of a `weft_pass` that say how it is called."""
        lengths = self.blocks.lengths
        return {
            "run": self.function,
            "short_rows": str(lengths.short_rows),
            "long_rows": str(lengths.long_rows),
            "row_bytes": str(lengths.row_bytes),
            **({"by_part": "true"} if lengths.by_part else {}),
            **({"joins": "true"} if self.loops else {}),
        }


@record
class PassPlan:
    """Systems that run block by block, of which the first begins the pass."""

    systems: list[str]
    query: TableQueryPlan  # has the tables of all; `matches` is "" if the first system's is it
    unit_rows: int  # parts begin at multiples of so many rows
    direct: DirectPlan


@record
class FunctionPlan:
    """The function of the game that does the work of a system."""

    name: str
    parameters: list[str]
    arguments: list[str]  # for a range of rows
    called: str  # comment: how often and with which rows it is called
    head: HeadPlan | None  # None: it writes no soa component
    inline: InlinePlan | None  # None: the game defines the function

    @property
    def hot(self) -> str:
        """The macro that begins its prototype."""
        return "WEFT_HOT_EXACT" if self.inline and self.inline.joins else "WEFT_HOT"

    @property
    def fields_call(self) -> FieldsCallPlan | None:
        return self.head.call if self.head else None

    @property
    def callee(self) -> str:
        """The function that generated code calls for a range of rows."""
        return self.fields_call.function if self.fields_call else self.name


@record
class ContextPlan:
    """All that a system may reach, and the struct that its function is given for it."""

    type: str
    members: list[tuple[str, str]]  # besides those of every context: declaration, comment
    doors: DoorsPlan
    rows: RowGrants
    buffer: str  # constant of its command buffer, "" without commands
    summary: str  # one line for comments, with its rows

    def sealed(self, ctx: str) -> str:
        """Returns the statement that tells a context its range: if no call over it asks for that,
        debuggers alone."""
        call = "weft_seal_rows" if self.rows.ask_range else "weft_show_rows"
        return f"{call}(&{ctx}.sealed, &at);"


@record
class SharePlan:
    """How the rows of a system are shared out among workers."""

    constant: str  # of the parallel system; "" if it is not
    unit_rows: int  # parts begin at multiples of so many rows
    keeps: bool  # parts keep commands, events, tag writes or results, in the order of the rows

    @property
    def tags_written(self) -> str:
        """Says when others see the tags that the system writes."""
        return "when all parts have ended" if self.constant else "behind the current range"


@record
class LoopPlan:
    """The rows of a system, and the generated loop over them that calls its function."""

    selection: SelectionPlan
    order: str  # constant of the relation that orders its rows, "" without
    dirty: DirtyPlan | None  # None: it does not ask changed_parent
    shared: SharePlan
    body: BodyPlan

    @property
    def has_rows(self) -> bool:
        """Tells whether it asks for any; without rows the function is called once a turn."""
        return bool(self.selection.words)

    @property
    def keeps_parents(self) -> bool:
        """Tells whether the order of its rows keeps where their parents are."""
        return bool(self.body.parents.statements and not self.dirty)


@record
class EdgeCall:
    """A function of the game that is called once a turn."""

    name: str
    parameters: list[str]
    comment: str


@record
class EdgeFunction:
    """A static function that calls these."""

    name: str
    statements: list[str]


@record
class PartialPlan:
    """What a system adds up in its turn, or in each part of it."""

    struct: StructPlan
    name: str  # of the member of the world that has it
    declaration: str


@record
class EdgesPlan:
    """What begins and ends the turns of a system, besides its rows."""

    calls: list[EdgeCall]
    begin: EdgeFunction | None
    end: EdgeFunction
    partial: PartialPlan | None

    @property
    def opens(self) -> str:
        """Returns the function that begins a turn, "" if the game begins none."""
        return self.begin.name if self.begin else ""


@record
class TurnsPlan:
    """When a system has its turn, and how it is run then."""

    phase: str
    clock: str  # constant, "" if it runs every time
    switch: SwitchPlan | None  # None: the game cannot switch it off
    alone: AlonePlan | None  # None: the world runs no systems alone
    running: RunningPlan
    edges: EdgesPlan | None  # None: its function is all that the game defines

    @property
    def edge_functions(self) -> list[EdgeFunction]:
        found = [self.edges.begin, self.edges.end] if self.edges else []
        return [one for one in found if one]

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
    """A system: each turn its loop gives the rows to the function, beside the context."""

    name: str
    page: PagePlan
    function: FunctionPlan
    context: ContextPlan
    loop: LoopPlan
    turns: TurnsPlan

    @property
    def before(self) -> list[str]:
        """Returns the statements of each range before the call of the game."""
        body = self.loop.body
        return [self.context.sealed("ctx"), *body.pointers, *body.walk.gathers]
