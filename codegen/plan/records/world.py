"""Records of a world as a whole."""

from __future__ import annotations

from model.record import record
from plan.records.code import CodePlan
from plan.records.cpp import CppPage
from plan.records.kinds import DataPlan
from plan.records.tables import InsightPlan, ReflectionPlan, TablesPlan

CPP_CALLS = (
    "open", "close", "alive", "spawn", "spawn_at", "despawn", "strip", "take_over",
    "clone", "clone_into",
    "tick", "commands", "flush", "reserve", "recycle", "reset", "trim", "stats", "system_stats",
    "save", "save_begin", "save_done", "save_wait", "save_memory", "load", "load_memory",
    "part_save", "part_load", "part_save_memory", "part_load_memory", "away",
    "hash", "hash_exact", "error", "schema",
)  # fmt: skip


@record
class ConstantPlan:
    name: str
    number: str  # C expression
    comment: str = ""


@record
class NumberingPlan:
    """Enum constants that number things."""

    comment: str
    constants: list[ConstantPlan]


@record
class HandlePlan:
    """The handles of entities."""

    type: str  # "uint32_t"
    bytes: int
    words: str  # comment: the bits of a handle
    index_bits: int
    generation_bits: int
    wide: str  # "true" if a handle has more than 32 bits


@record
class EntitiesPlan:
    """The limits of entities."""

    max: int
    max_words: str  # comment: "1,000,000"
    recycle_after: int
    waits: str  # "true" if freed indices wait before they are reused


@record
class TicksPlan:
    """The ticks of a fixed step."""

    step: str  # C literal of its seconds; "" without
    words: str  # comment: "1/60"
    max_steps: int


@record
class WorldPlan:
    name: str
    handle: HandlePlan
    entities: EntitiesPlan
    grouped: str  # "true" if tables keep pointers of columns in groups
    set_words: int  # of a set of components
    ticks: TicksPlan
    fragments: bool


@record
class GrantTypesPlan:
    """The C types of grants."""

    comment: list[str]  # empty if there are no grants
    types: list[tuple[str, str]]  # name, declaration of its member
    of_hooks: list[str]  # declarations: the members of the context of hooks


@record
class FilesPlan:
    """The contents of files about the whole world."""

    comment: list[str]  # of the overview, the header that includes all others
    headers: list[str]  # of all declarations
    grants: GrantTypesPlan
    cpp: list[CppPage]  # the headers for C++
    table_headers: list[str]  # headers that the tables need
    numberings: list[NumberingPlan]  # for headers
    inner_numberings: list[NumberingPlan]  # for C files only


@record
class Plan:
    world: WorldPlan
    n: dict[str, str]  # world-level C names by verb: n.spawn == "colony_spawn"
    data: DataPlan
    code: CodePlan
    reflection: ReflectionPlan  # tables in C files: for programs,
    runtime: TablesPlan  # for the runtime
    insight: InsightPlan  # and for checks
    files: FilesPlan

    @property
    def cpp_calls(self) -> list[tuple[str, str]]:
        """Returns the calls of the world in <world>.hpp, and their C functions."""
        fragment = ("fragment_open", "fragment_merge") if self.world.fragments else ()
        step = ("advance", "alpha") if self.world.ticks.step else ()
        return [(name, self.n[name]) for name in (*CPP_CALLS, *step, *fragment)]

    @property
    def clone_words(self) -> int:
        """Returns the number of words of a set of relations, at least 1."""
        return max(1, (len(self.data.relations) + 63) // 64)

    @property
    def world_rows(self) -> list[tuple[str, str]]:
        """Returns the offsets of members of a world that the runtime uses, besides singletons."""
        world, code = self.n["world"], self.code
        rows = [("world_bytes", f"sizeof({world})")]
        left = [one.name for one in self.data.resources]
        left += [one.name for one in code.partials]
        if left:
            rows.append(("resources_offset", f"offsetof({world}, {left[0]})"))
        if code.clocks:
            rows.append(("clocks_offset", f"offsetof({world}, weft_clocks)"))
            rows.append(("clock_count", str(len(code.clocks))))
            rows.append(("clock_systems", "clock_systems"))
        if code.switches:
            saved = sum(switch.saved for switch in code.switches)
            rows.append(("switches_offset", f"offsetof({world}, weft_off)"))
            counts = {"switch_count": saved, "unsaved_switch_count": len(code.switches) - saved}
            rows += [(name, str(count)) for name, count in counts.items() if count]
            rows.append(("switch_systems", "switch_systems"))
        return rows
