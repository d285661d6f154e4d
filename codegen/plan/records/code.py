"""Records of phases, systems that run in them, and change sets."""

from __future__ import annotations

from model.record import record
from plan.lists import NONE, ListPlan, Row, printed, table_plan
from plan.records.index import IndexPlan
from plan.records.query import ListenerPlan, QueryPlan
from plan.records.selection import SparseOrder, TableQueryPlan
from plan.records.system import (
    DirectPlan,
    EdgesPlan,
    PartialPlan,
    PassPlan,
    SwitchPlan,
    SystemPlan,
)


@record
class WaitsPlan:
    """A system in the schedule."""

    name: str
    constant: str
    waits_for: int  # systems that must have ended
    followers: ListPlan  # constants of those that wait for it, with the reasons as a comment


@record
class SegmentPlan:
    """The systems of a phase between one flush and the next, or all of them, in the schedule."""

    first: str  # constant of its first system, "0" without any
    count: int  # of systems
    ready: ListPlan  # constants of those that wait for no other
    systems: list[WaitsPlan]


@record
class BufferPlan:
    """Where commands are recorded."""

    constant: str  # of the first, if there is one for each part
    segment: str  # number; "WEFT_NONE" outside of systems
    is_parallel: bool

    @property
    def parallel(self) -> str:
        return "true" if self.is_parallel else "false"


@record
class StepPlan:
    """The systems of a phase between one flush and the next, as its function runs them."""

    systems: list[SystemPlan]  # without those in the pass of another system
    segment: str  # its number in the schedule if several threads may run it, otherwise ""
    orders: list[SparseOrder]  # orders of sparse components that parallel walks need


@record
class PhasePlan:
    name: str
    index: int
    function: str
    steps: list[StepPlan]
    systems: list[SystemPlan]
    segment_of: dict[str, int]  # number of its segment, by system
    passes: list[PassPlan]


@record
class ReaderPlan:
    constant: str
    comment: str
    watches: ListPlan
    starts_over: bool = False  # after a load it sees all values as new
    listener: bool = False  # not a system or query


@record
class ChangeSetsPlan:
    """The change sets of a world, and the flags of singletons, which are numbered after them."""

    constants: list[tuple[str, str]]  # constant, comment
    flags: list[tuple[str, str]]  # constant, comment
    components: ListPlan  # constant of the component by change set, "WEFT_NONE" for removals
    singletons: ListPlan  # the flag of changes by singleton, or "WEFT_NONE"
    added_count: int  # the first sets, which collect added table components
    indexes_only: ListPlan  # by change set: "true" if only indexes use it


@record
class ChangesPlan:
    sets: ChangeSetsPlan
    listeners: list[ListPlan]
    readers: list[ReaderPlan]  # all readers of changes
    reader_names: ListPlan  # string literals
    saved_readers: int  # the first readers, which saves contain; indexes follow
    removals: list[str]  # constants of the logs of removals
    removal_rows: list[dict[str, str]]
    removal_sets: list[dict[str, str]]  # readers that ask for removed(…)
    members: list[str]  # of weft_plan: names of readers, flags and indexes if there are any


@record
class CodePlan:
    """All queries, systems and phases of a world."""

    queries: list[QueryPlan]
    listeners: list[ListenerPlan]
    indexes: list[IndexPlan]
    phases: list[PhasePlan]  # in the order of a tick
    segments: list[SegmentPlan]  # phase by phase
    buffers: list[BufferPlan]  # the first is for outside of systems
    changes: ChangesPlan
    despawns_directly: bool  # no relation or hook needs the general call

    @property
    def systems(self) -> list[SystemPlan]:
        """Returns all systems in the order they run."""
        return [system for phase in self.phases for system in phase.systems]

    @property
    def edges(self) -> list[tuple[SystemPlan, EdgesPlan]]:
        """Returns the systems whose turns the game begins and ends."""
        return [(system, system.turns.edges) for system in self.systems if system.turns.edges]

    @property
    def partials(self) -> list[PartialPlan]:
        return [edges.partial for _, edges in self.edges if edges.partial]

    @property
    def partial_headers(self) -> list[str]:
        return [system.page.header for system, edges in self.edges if edges.partial]

    @property
    def skips_when(self) -> bool:
        """Returns whether a system may run alone that has a `when`, which is not tested then."""
        return any(one.turns.alone and one.turns.alone.skips_when for one in self.systems)

    @property
    def waits(self) -> list[WaitsPlan]:
        return [system for segment in self.segments for system in segment.systems]

    @property
    def passes(self) -> list[PassPlan]:
        return [one for phase in self.phases for one in phase.passes]

    @property
    def direct_passes(self) -> list[DirectPlan]:
        return [one.direct for one in self.passes]

    @property
    def pass_queries(self) -> list[PassPlan]:
        """Returns the passes that have a query of their own."""
        return [one for one in self.passes if one.query.matches]

    @property
    def fused_words(self) -> list[str]:
        words = "Functions named fused_… return the same for the systems of a pass."
        return [words] if self.pass_queries else []

    @property
    def table_queries(self) -> list[TableQueryPlan]:
        """Returns the queries of everything with rows, in the order of their numbers."""
        with_rows = [system.loop.selection for system in self.systems if system.loop.has_rows]
        indexes = [index.known.selection for index in self.indexes]
        queries = [query.selection for query in self.queries]
        listeners = [one.selection for one in self.listeners if one.selection]
        passes = [one.query for one in self.pass_queries]
        behind = [one.query for one in [*indexes, *listeners]]
        return [*(one.query for one in [*queries, *with_rows]), *passes, *behind]

    @property
    def depth_orders(self) -> list[SystemPlan]:
        """Returns the systems with an order; those that walk dirty rows come first."""
        ordered = [system for system in self.systems if system.loop.order]
        return sorted(ordered, key=lambda system: not system.loop.selection.dirty)

    @property
    def view_count(self) -> int:
        """Returns how many systems list the query of changes that most systems list."""
        return max((len(query.changes.views) for query in self.queries), default=0)

    @property
    def dirty_count(self) -> int:
        """Returns how many systems walk dirty rows. They are the first of those with an order."""
        return sum(system.loop.selection.dirty for system in self.depth_orders)

    @property
    def inline_headers(self) -> list[str]:
        """Returns the headers of the game that define the functions of inline systems."""
        return list(
            dict.fromkeys(s.function.inline.header for s in self.systems if s.function.inline)
        )

    @property
    def parallels(self) -> list[SystemPlan]:
        return [system for system in self.systems if system.loop.parallel]

    @property
    def clocks(self) -> list[str]:
        return [system.turns.clock.constant for system in self.systems if system.turns.clock]

    @property
    def switches(self) -> list[SwitchPlan]:
        """Returns the switches of systems; saved ones come first."""
        return [s.turns.switch for s in self.switched if s.turns.switch]

    @property
    def switched(self) -> list[SystemPlan]:
        """Returns the systems with switches, in the order of the switches."""
        found = [s for s in self.systems if s.turns.switch]
        return sorted(found, key=lambda s: not (s.turns.switch and s.turns.switch.saved))

    @property
    def codes(self) -> list[ListPlan]:
        """Returns the tables of functions of systems, if a phase runs any in parallel."""
        rows = [_code_row(system) for system in self.systems]
        names = [system.name for system in self.systems]
        comment = ["The functions that run each system, also in parallel with others."]
        table = table_plan("weft_system_code", "system_codes", rows, comment, names)
        in_parallel = any(step.segment for phase in self.phases for step in phase.steps)
        return [*self._pass_tables, table] if in_parallel else []

    @property
    def _pass_tables(self) -> list[ListPlan]:
        rows = [
            {
                "query": one.query.constant,
                "system_count": str(len(one.systems)),
                "unit_rows": str(one.unit_rows),
                **one.direct.facts,
            }
            for one in self.passes
        ]
        notes = [", ".join(one.systems) for one in self.passes]
        comment = [
            "The systems of a pass run block by block: all on some rows, then all on the next."
        ]
        return printed([table_plan("weft_pass", "passes", rows, comment, notes)])


def _code_row(system: SystemPlan) -> Row:
    """Returns how the scheduler runs a system."""
    functions, edges = system.turns.functions, system.turns.edges
    turn = edges.begin if edges and functions.part else ""
    row = {
        "run": functions.run,
        "begin": functions.begin,
        "turn": turn,
        "part": functions.part,
        "end": functions.end,
        "parallel": system.loop.parallel or NONE,
        "pass": f"&passes[{system.turns.leads}]" if system.turns.leads else "",
    }
    return {member: value for member, value in row.items() if value}
