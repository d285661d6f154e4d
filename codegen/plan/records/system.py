"""These records hold systems, and the passes in which some of them run together."""

from __future__ import annotations

from dataclasses import dataclass

from plan.lists import ListPlan
from plan.records.data import ComponentPlan, EventPlan
from plan.records.grants import GrantsPlan
from plan.records.page import PagePlan
from plan.records.selection import HeadPlan, SelectionPlan, WalkPlan


@dataclass(frozen=True)
class ParentPlan:
    """A column of the parents of rows, gathered row by row."""

    parameter: str  # "const colony_place *const *place_parent"
    array: str  # its local name where it is gathered
    element: str  # C type of an element with a blank or star at its end
    find: str  # C expression for the parent's row `above`


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
class InlinePlan:
    """The generated loop of a system of which the game says what it does to a row."""

    header: str  # of the game
    function: str  # C name
    parameters: list[str]
    definition: str  # C: how the definition of the system's function begins
    call: str  # C statement in its loop
    joins: bool  # one loop may do the work of others as well


@dataclass(frozen=True)
class RowsPlan:
    """A function that does the work of several inline systems in one loop."""

    function: str
    comment: list[str]
    parameters: list[str]
    calls: list[str]  # C statements: what each does to row i
    call: str  # C statement that gives it a block


@dataclass(frozen=True)
class DirectPlan:
    """The function of a pass, which calls those of its systems itself that take whole tables."""

    function: str
    comment: list[str]
    constant: str  # the query that has the tables of all of them
    rows: int  # of a block
    before: list[str]  # C statements that fill in the contexts
    statements: list[str]  # of each block
    loops: list[RowsPlan]  # functions that these call


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
    page: PagePlan
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
    access: ListPlan
    dirty: DirtyPlan | None  # None: it does not ask changed_parent
    alone: AlonePlan | None  # None: the world runs no systems alone
    inline: InlinePlan | None  # None: the game defines the function
