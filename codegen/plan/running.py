"""Systems run one by one, in parallel with others, or part by part."""

from __future__ import annotations

import re

from model.code import System
from model.expressions import Op
from names.names import Names
from plan import text
from plan.lists import NONE
from plan.records.selection import SelectionPlan
from plan.records.system import EdgesPlan, HearPlan, RunFunctions, RunningPlan, SwitchPlan
from plan.turns import Turn
from plan.used import Used, has_rows, world_of

WORD_ROWS = 64  # of tags and masks
STRETCH_ROWS = 4096  # of change bits; and the longest range in which tags are written
DEPTH_ROWS = 256  # of a run in a depth order that is shared out, if nothing asks for more

NEEDS_WORLD = re.compile(r"\bw->")


def make_running(
    system: System,
    names: Names,
    selection: SelectionPlan,
    used: Used,
    turn: Turn,
    edges: EdgesPlan | None,
) -> RunningPlan:
    """Plans the functions of a system."""
    writes, hears = used.writes, used.hears
    turns = [("turn", writes.reader)] if writes.reader else []
    turns += [("hearing", heard.hearer) for heard in hears]
    begins = [f"weft_{kind}_begin(world, {who});" for kind, who in turns]
    if selection.dirty:  # its rows are found among the changes that its turn has just got
        ready = f"weft_dirty_ready(world, {selection.ranges.depth_order})"
        begins[1:1] = _ordered(system, names, ready, "dt", "return;")
    ends = [f"weft_{kind}_end(world, {who});" for kind, who in turns]
    ends += [f"{turn.due} = false;"] if turn.due else []
    ends[:0] = _closes(system, used, edges)
    opens = edges.opens if edges else ""
    if system.loop.parallel:
        due = [*_off(system, names, hears, "return false;"), *_part_due(system, names, turn)]
        return _part_by_part(system, names, [*due, *begins], [*writes.settle, *ends], opens)
    begins = [
        *_off(system, names, hears, "return;"),
        *_due(system, names, selection, turn),
        *begins,
        *([f"{opens}(world, dt);"] if opens else []),
        *_rows_listed(system, selection, ends),
    ]
    run = names.local("run", system.name)
    constant = names.number("system", system.name)
    return RunningPlan(
        functions=RunFunctions(run=run),
        begins=[*_world(names, [*begins, *ends], used.needs_world), *begins],
        ends=ends,
        call=f"weft_run_system(&w->world, {run}, {constant}, dt)",
        unmeasured=f"{run}(&w->world, dt)",
        code=f"{{.run = {run}, .parallel = {NONE}}}",
    )


def _closes(system: System, used: Used, edges: EdgesPlan | None) -> list[str]:
    """Returns what lets the game end a turn, if it does."""
    since = f"world->parallels[{used.writes.parallel}].dt" if system.loop.parallel else "dt"
    return [f"{edges.end.name}(world, {since});"] if edges else []


def _world(names: Names, statements: list[str], needed: bool = False) -> list[str]:
    """Returns the statement that declares `w`, if it is needed, as by these."""
    return [world_of(names)] if needed or any(NEEDS_WORLD.search(s) for s in statements) else []


def _part_by_part(
    system: System, names: Names, begins: list[str], ends: list[str], opens: str
) -> RunningPlan:
    begin = names.local("begin", system.name) if begins else ""
    part = names.local("part", system.name)
    end = names.local("end", system.name) if ends else ""
    rows = [
        f".begin = {begin}" if begin else "",
        f".turn = {opens}" if opens else "",
        f".part = {part}",
        f".end = {end}" if end else "",
        f".parallel = {names.number('parallel', system.name)}",
    ]
    unused = [] if system.schedule.turn.every is not None else ["(void)dt;"]
    constant = names.number("system", system.name)
    return RunningPlan(
        functions=RunFunctions(begin=begin, part=part, end=end),
        begins=[*_world(names, begins), *unused, *begins],
        ends=[*_world(names, ends), *ends],
        call=f"weft_turn_alone(&w->world, system_codes, {constant}, dt)",
        unmeasured=f"weft_turn_run(&w->world, system_codes, {constant}, dt)",
        code=f"{{{', '.join(filter(None, rows))}}}",
    )


def _clock(system: System, names: Names) -> str:
    """Returns the clock of a system with `every`, and its seconds, as arguments."""
    assert system.schedule.turn.every is not None
    every = text.float_literal(system.schedule.turn.every, "f64")
    return f"&w->weft_clocks[{names.number('clock', system.name)}], {every}"


def _due(system: System, names: Names, selection: SelectionPlan, turn: Turn) -> list[str]:
    """Returns what leaves if the turn does not come, or the order of the rows is missing."""
    due = _timed(system, names, turn, ("dt", "&dt"), "return;")
    due += _bound(system, names, "dt", "return;")
    due += _indexed(system, names, "dt", "return;")
    if not system.loop.tree.order or selection.dirty:
        return due
    ready = f"weft_depth_order_ready(world, {selection.ranges.depth_order})"
    return [*due, *_ordered(system, names, ready, "dt", "return;")]


def _rows_listed(system: System, selection: SelectionPlan, ends: list[str]) -> list[str]:
    """Returns what leaves where no table has rows, and nothing else is to be done.

    So a turn costs a test while none of its rows are there, whatever the context has.
    """
    if ends or system.loop.tree.order or not has_rows(system):
        return []
    return [f"if (weft_has_no_rows(world, {selection.query.constant})) return;"]


def _part_due(system: System, names: Names, turn: Turn) -> list[str]:
    due = _timed(system, names, turn, ("*dt", "dt"), "return false;")
    due += _bound(system, names, "*dt", "return false;")
    due += _indexed(system, names, "*dt", "return false;")
    if not system.loop.tree.order:
        return due
    ready = f"weft_depth_order_ready(world, {names.number('depth_order', system.name)})"
    return [*due, *_ordered(system, names, ready, "*dt", "return false;")]


def _timed(
    system: System, names: Names, turn: Turn, since: tuple[str, str], leave: str
) -> list[str]:
    """Returns what leaves while the clock or `when` says that no turn comes.

    Where states alone decide, the clock stands still while it is false, as of a system that is
    switched off. Otherwise the clock goes on from the last turn.
    """
    when = turn.when
    asked = [f"if (!{when}) {leave}"] if when else []
    if system.schedule.turn.every is None:
        return asked
    due = _clock_due(system, names, turn.period, since, leave)
    if system.schedule.turn.when is None or all(
        atom.op is Op.IS for atom in system.schedule.turn.when.atoms()
    ):
        return [*asked, *due]
    clock = f"w->weft_clocks[{names.number('clock', system.name)}]"
    late = [f"if (!{when}) {{", f"    {clock}.elapsed = {since[0]};", f"    {leave}", "}"]
    return [*due, *late]


def _clock_due(
    system: System, names: Names, period: str, since: tuple[str, str], leave: str
) -> list[str]:
    """Returns what leaves while the period of a system is not over."""
    if not period:
        due = f"weft_clock_due({_clock(system, names)}, {since[0]}, {since[1]})"
        return [f"if (!{due}) {leave}"]
    clock = f"&w->weft_clocks[{names.number('clock', system.name)}]"
    due = f"weft_clock_due_in_steps({clock}, &period, {since[0]}, {since[1]})"
    return [f"static const weft_period period = {period};", f"if (!{due}) {leave}"]


def _ordered(system: System, names: Names, ready: str, since: str, leave: str) -> list[str]:
    """Returns what leaves if the order of the rows is missing. It is due again the next time."""
    if system.schedule.turn.every is None:
        return [f"if (!{ready}) {leave}"]
    postpone = f"weft_clock_postpone({_clock(system, names)}, {since});"
    return [f"if (!{ready}) {{", f"    {postpone}", f"    {leave}", "}"]


def _bound(system: System, names: Names, since: str, leave: str) -> list[str]:
    """Returns what leaves where the game has not bound a resource. It is due again then, too."""
    needed = [ref.name for ref in system.reach.resources.read + system.reach.resources.write]
    ready = [f'weft_resource_ready(world, w->{name}, "{name}", "{system.name}")' for name in needed]
    return [line for one in ready for line in _ordered(system, names, one, since, leave)]


def _indexed(system: System, names: Names, since: str, leave: str) -> list[str]:
    """Returns what brings the indexes that it lists up to date, and leaves without memory."""
    turns = [
        f"weft_index_turn(world, {names.number('index', r.name)})" for r in system.reach.indexes
    ]
    return [line for turn in turns for line in _ordered(system, names, turn, since, leave)]


def make_switch(system: System, names: Names) -> SwitchPlan | None:
    if not system.schedule.turn.switch:
        return None
    saved = system.schedule.turn.switch == "saved"
    return SwitchPlan(
        constant=names.number("switch", system.name),
        switch=names.system(system.name, "switch"),
        is_on=names.system(system.name, "is_on"),
        saved=saved,
        words="Saves and hashes have it." if saved else "No save or hash has it.",
    )


def _off(system: System, names: Names, hears: list[HearPlan], leave: str) -> list[str]:
    """Returns what leaves if the system is off. It hears nothing then, so that nothing waits."""
    if not system.schedule.turn.switch:
        return []
    is_off = f"w->weft_off[{names.number('switch', system.name)}]"
    if not hears:
        return [f"if ({is_off}) {leave}"]
    passed = [f"weft_hearing_pass(world, {heard.hearer});" for heard in hears]
    return [f"if ({is_off}) {{", *(f"    {line}" for line in [*passed, leave]), "}"]


def unit_rows(selection: SelectionPlan, has_stretches: bool) -> int:
    """Returns how many rows a part is a multiple of.

    Parts share no word of what they write, and no mask of what they read. In a depth order they are
    whole runs, which share masks that none of them writes.
    """
    if has_stretches or selection.marked:
        return STRETCH_ROWS
    return DEPTH_ROWS if selection.ranges.depth_order else WORD_ROWS


def orders_of(selection: SelectionPlan, world: str = "&w->world") -> list[str]:
    """Returns the statements that make what walks in parallel must find of sparse components."""
    listed = "true" if selection.over else "false"
    queries = "w->world.queries" if world == "&w->world" else f"{world}->queries"
    query = f"&{queries}[{selection.query.constant}]"
    return [
        f"weft_sparse_rows_ready({world}, {query}, {sparse.store}, {sparse.column}, {listed});"
        for sparse in selection.filter.asks.sparse
    ]


def with_team(calls: list[str], orders: list[str], segment: int) -> list[str]:
    """Returns the statements that run a segment in parallel if there are workers.

    The schedule runs it where turns are measured, too, so that the calls need not ask.
    """
    schedule = f"weft_schedule_run(&w->world, {segment}, system_codes, dt);"
    return [
        "if (w->world.scheduled) {",
        *(f"    {statement}" for statement in [*orders, schedule]),
        "} else {",
        *(f"    {call}" for call in calls),
        "}",
    ]
