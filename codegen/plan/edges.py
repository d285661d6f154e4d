"""The game begins and ends turns of a system, and merges the partial results of its parts."""

from __future__ import annotations

from model.code import System
from model.declared import Declared
from model.record import replace
from names.names import Names
from plan.bodies import Site, fill_context
from plan.records.system import EdgeCall, EdgeFunction, EdgesPlan, PartialPlan
from plan.structs import Structs
from plan.used import Used, has_rows, world_of

ONE_PART = "0"  # begins a turn: it records before all others


def make_partial(system: System, names: Names, structs: Structs) -> PartialPlan | None:
    partial = system.loop.partial
    if not partial:
        return None
    type, name = names.system(system.name, "partial"), names.partial(system.name)
    of = "one part of its rows" if system.loop.parallel else "its rows"
    doc = f"Holds what {system.name} adds up over {of} in a turn. It is zero at first."
    declared = Declared(partial.name, partial.place, doc)
    parts = "WEFT_PARTS_MAX" if system.loop.parallel else "1"
    struct = structs.struct(replace(partial, declared=declared), type)
    members = [replace(one, row=_unsaved(one.row)) for one in struct.members]
    return PartialPlan(
        struct=replace(struct, members=members),
        name=name,
        declaration=f"{type} {name}[{parts}]; // all 0 between turns",
    )


def _unsaved(row: dict[str, str]) -> dict[str, str]:
    return {key: "false" if key == "save" else value for key, value in row.items()}


def make_edges(
    system: System, names: Names, used: Used, partial: PartialPlan | None
) -> EdgesPlan | None:
    """Plans the functions that call the game where a turn begins and ends."""
    if not (system.loop.turn or partial):
        return None
    context = f"const {names.system(system.name, 'ctx')} *ctx"
    begin = EdgeCall(
        names.system(system.name, "begin"),
        [context],
        f"It runs once a turn, before the first call of {names.system(system.name)}.",
    )
    end = EdgeCall(
        names.system(system.name, "end"),
        [context],
        "It runs once a turn, after everything else.",
    )
    merge = _merge(system, names, context)
    return EdgesPlan(
        calls=[
            *([begin] if system.loop.turn else []),
            *([merge] if partial else []),
            *([end] if system.loop.turn else []),
        ],
        begin=_begin(system, names, used) if system.loop.turn else None,
        end=_end(system, names, used),
        partial=partial,
    )


def _merge(system: System, names: Names, context: str) -> EdgeCall:
    parts = f"const {names.system(system.name, 'partial')} *parts"
    given = "It gets the one result of the turn."
    if system.loop.parallel:
        given = (
            "It gets the results of all parts in the order of their rows. Their count depends on "
            "the rows alone, not on workers, and is 0 without rows."
        )
    return EdgeCall(
        names.system(system.name, "merge"),
        [context, parts, "uint32_t count"],
        f"It runs once a turn, after the last call of {names.system(system.name)}. {given}",
    )


def _begin(system: System, names: Names, used: Used) -> EdgeFunction:
    call = f"{names.system(system.name, 'begin')}(&ctx);"
    changed = [] if system.loop.parallel else _changed(used)
    statements = _with_context(system, names, used, ONE_PART, [call, *changed])
    return EdgeFunction(names.local("turn_begin", system.name), statements)


def _end(system: System, names: Names, used: Used) -> EdgeFunction:
    calls: list[str] = []
    count = "1"
    if used.partial:
        if system.loop.parallel:
            count = f"world->parallels[{used.writes.parallel}].count"
        merge = names.system(system.name, "merge")
        lent = [s.name for const, s in used.world.singletons if not const]
        calls += [f"ctx.{name} = &w->{name};" for name in lent if system.loop.parallel]
        calls += [f"{merge}(&ctx, w->{used.partial}, {count});"]
        if system.loop.turn and system.loop.parallel:
            calls += [f"ctx.{name} = NULL;" for name in lent]
    if system.loop.turn:
        calls.append(f"{names.system(system.name, 'end')}(&ctx);")
    calls += _changed(used)
    if used.partial:
        whole = f"w->{used.partial}"
        bytes = f"{count} * sizeof {whole}[0]" if system.loop.parallel else f"sizeof {whole}"
        calls.append(f"memset({whole}, 0, {bytes});")
    last = f"weft_last_part(world, {used.writes.parallel})"
    statements = _with_context(system, names, used, last, calls)
    return EdgeFunction(names.local("turn_end", system.name), statements)


def _changed(used: Used) -> list[str]:
    return [f"weft_flag_set(world, {flag});" for flag in used.world.changed]


def _with_context(
    system: System, names: Names, used: Used, part: str, calls: list[str]
) -> list[str]:
    """Returns the statements of a function that makes calls with a context without rows."""
    filled = fill_context(system, names, used, Site("ctx", "dt", in_rows=False))
    if has_rows(system):
        filled.append("ctx.entities = NULL;")
    asks_part = any("part->" in statement for statement in filled)
    at = [f"const weft_part edge = {{.number = {part}}};", "const weft_part *part = &edge;"]
    needs_world = used.needs_world and any("w->" in line for line in [*filled, *calls])
    return [
        *([world_of(names)] if needs_world else []),
        *(at if asks_part else []),
        *filled,
        f'weft_turn_runs(world, "{system.name}");',
        *calls,
    ]
