"""The world gives a system more than its rows: what its context is filled with, tags to write."""

from __future__ import annotations

from model.code import System
from model.record import record
from names.names import Names
from plan.records.data import ResourcePlan, SingletonPlan, StatePlan
from plan.records.grants import DoorsPlan
from plan.records.system import HearPlan, RemovalPlan


@record
class TagWrites:
    """Holds the tags that a system writes, as columns for the runtime."""

    columns: list[str]  # constants of their bitsets by slot
    reader: str  # constant of the reader that the system is: it does not see its own writes
    parallel: str  # constant of a parallel system, "" otherwise

    @property
    def declarations(self) -> list[str]:
        columns = f"static const uint16_t columns[] = {{{', '.join(self.columns)}}};"
        return (
            [columns, f"weft_tag_writes tag_writes[{len(self.columns)}];"] if self.columns else []
        )

    @property
    def members(self) -> list[str]:
        """Returns the statements that give a context what it keeps for them."""
        if not self.columns:
            return []
        reader = f"1 + {self.reader}" if self.reader else "0"
        return ["ctx.sealed.tag_writes = tag_writes;", f"ctx.sealed.reader = {reader};"]

    @property
    def settle(self) -> list[str]:
        """Returns the statements that write the tags of all parts when these have ended."""
        if not self.columns or not self.parallel:
            return []
        return [f"weft_tag_writes_settle(world, {self.parallel});"]

    @property
    def apply(self) -> list[str]:
        """Returns the statements behind a range, which write its tags or keep them for the end."""
        if not self.columns:
            return []
        kept = "part->tag_writes" if self.parallel else "NULL"
        call = f"weft_tag_writes_end(world, &ctx.sealed, columns, {len(self.columns)}, {kept});"
        return [call]


@record
class UsedOfWorld:
    """Holds what a system uses that a world has besides entities."""

    singletons: list[tuple[str, SingletonPlan]]  # "const " or "", which
    resources: list[tuple[str, ResourcePlan]]  # as of singletons
    states: list[tuple[str, StatePlan]]  # by name

    @property
    def is_there(self) -> bool:
        return bool(self.singletons or self.resources or self.states)

    @property
    def changed(self) -> list[str]:
        """Returns the constants of the flags of singletons that each call changes."""
        return [one.changed for const, one in self.singletons if not const and one.changed]


@record
class Used:
    """Holds what the context of a system is filled with."""

    world: UsedOfWorld
    hears: list[HearPlan]
    removed: list[RemovalPlan]
    buffer: str  # constant of its command buffer, "" without commands
    doors: DoorsPlan
    stages: list[str]  # events that it emits and that something hears
    writes: TagWrites
    partial: str  # the member of the world that has its partial results; "": it has none
    has_edges: bool  # the game begins or ends its turns

    @property
    def needs_world(self) -> bool:
        """Tells whether its context is filled with anything of the world of the game."""
        return self.world.is_there or bool(self.partial)


def has_rows(system: System) -> bool:
    selection = system.selection
    return bool(selection.read or selection.write or selection.optional or selection.where)


def world_of(names: Names) -> str:
    """Returns the statement by which a function gets at what the world has besides entities."""
    world = names.world("world")
    return f"{world} *w = ({world} *)world;"
