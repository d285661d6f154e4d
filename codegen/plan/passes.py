"""The function of a pass calls its systems block by block.

It fills in the contexts of systems that take whole tables once for many blocks. A block then costs
each of them little more than the call. The others are given the block as a part of their rows.
"""

from __future__ import annotations

from names.names import Names
from plan.inlined import grouped, make_rows
from plan.records.system import BlockLengths, BlocksPlan, DirectPlan, SystemPlan
from schedule import Pass


def make_direct(names: Names, fused: Pass, systems: list[SystemPlan], constant: str) -> DirectPlan:
    alike = len({system.loop.selection.filter.matches for system in systems}) == 1
    entities = f"const {names.world('entity')} *entities = {names.world('entity_rows')}"
    whole = [system for system, is_whole in zip(systems, fused.whole, strict=True) if is_whole]
    worlds = dict.fromkeys(line for system in whole for line in system.loop.body.context.world)
    places = [f"uint32_t {names.local('place', s.name)} = 0;" for s in systems if s not in whole]
    listed = ", ".join(system.name for system in systems)
    groups = list(grouped(systems, whole))
    statements = [
        *([] if alike else ["const weft_table *table = at.table;"]),
        *([f"{entities}(at.table, at.first);"] if whole else []),
        *(
            line
            for some in groups
            for line in _together(names, some, alike, [s for s in some if s in whole])
        ),
    ]
    lengths = BlockLengths(
        short_rows=fused.short_rows,
        long_rows=fused.long_rows,
        row_bytes=fused.row_bytes,
        # Blocks in which systems look for their rows need not end where parts do.
        by_part=not fused.direct or any(system.loop.shared.keeps for system in systems),
    )
    return DirectPlan(
        function=names.local("pass", systems[0].name),
        comment=[f"Runs {listed} on a block of rows, then on the next."],
        before=[
            *worlds,
            *(line for system in whole for line in system.loop.body.context.in_pass),
            *places,
        ],
        blocks=BlocksPlan(constant, lengths, statements),
        loops=[make_rows(names, some) for some in groups if len(some) > 1],
    )


def _together(
    names: Names, systems: list[SystemPlan], alike: bool, whole: list[SystemPlan]
) -> list[str]:
    """Returns the statements for a system, or for several whose work one loop can do.

    Each is called by itself while that is faster, and where a table lacks what one of them needs.
    """
    apart = [
        line
        for system in systems
        for line in _asked(system, alike, _calls(names, system, system in whole))
    ]
    if len(systems) == 1:
        return apart
    contexts = [names.local("ctx", system.name) for system in systems]
    calls = [
        f'weft_system_runs(world, "{", ".join(system.name for system in systems)}");',
        *(f"{one}.entities = entities;" for one in contexts),
        *(s.context.sealed(one) for s, one in zip(systems, contexts, strict=True)),
        make_rows(names, systems).call,
        *(line for system in systems for line in system.loop.body.behind),
    ]
    atoms = (atom for s in systems for atom in _needed(s.loop.selection.filter.matches))
    needed = dict.fromkeys([] if alike else atoms)
    return [
        f"if ({' && '.join(['blocks->joined', *needed])}) {{",
        *(f"    {line}" for line in calls),
        "} else {",
        *(f"    {line}" for line in apart),
        "}",
    ]


def _needed(matches: str) -> list[str]:
    return [f"({matches})"] if "||" in matches else matches.split(" && ")


def _calls(names: Names, system: SystemPlan, is_whole: bool) -> list[str]:
    """Returns the statements that give a block to a system."""
    place = names.local("place", system.name)
    if not is_whole:
        function, parallel = system.turns.running.functions.part, system.loop.shared.constant
        return [f"weft_block_run(world, {function}, {parallel}, part, &at, &{place});"]
    ctx = names.local("ctx", system.name)
    return [
        f'weft_system_runs(world, "{system.name}");',
        f"{ctx}.entities = entities;",
        system.context.sealed(ctx),
        f"{system.function.callee}({', '.join([f'&{ctx}', *system.function.arguments[1:]])});",
        *system.loop.body.behind,
    ]


def _asked(system: SystemPlan, alike: bool, calls: list[str]) -> list[str]:
    """Returns the calls of a system, made if it has its turn and the table."""
    due = (
        [f"world->parallels[{system.loop.shared.constant}].due"]
        if system.turns.running.functions.begin
        else []
    )
    matches = system.loop.selection.filter.matches
    asked = [*due, *([] if alike else [f"({matches})" if due and "||" in matches else matches])]
    if not asked:
        return calls
    return [f"if ({' && '.join(asked)}) {{", *(f"    {call}" for call in calls), "}"]
