"""The function of a pass calls its systems itself, where all of them take whole tables.

It fills in their contexts once for a part of the rows. A block then costs each system little more
than the call, so that blocks can be short.
"""

from __future__ import annotations

from names.names import Names
from plan.code_records import DirectPlan, SystemPlan
from schedule import Pass


def make_direct(names: Names, fused: Pass, systems: list[SystemPlan], constant: str) -> DirectPlan:
    alike = len({system.selection.filter.matches for system in systems}) == 1
    entities = f"const {names.world('entity')} *entities = {names.world('entity_rows')}"
    whole = dict.fromkeys(line for system in systems for line in system.body.whole)
    listed = ", ".join(system.name for system in systems)
    return DirectPlan(
        function=names.local("pass", systems[0].name),
        comment=[f"Runs {listed} on a block of rows, then on the next."],
        constant=constant,
        rows=fused.whole_rows,
        before=[*whole, *(line for system in systems for line in system.body.context_in_pass)],
        statements=[
            *([] if alike else ["const weft_table *table = at.table;"]),
            f"{entities}(at.table, at.first);",
            *(line for system in systems for line in _calls(names, system, alike)),
        ],
    )


def _calls(names: Names, system: SystemPlan, alike: bool) -> list[str]:
    """Returns the statements that give a block to a system, if it has its turn and the table."""
    ctx = names.local("ctx", system.name)
    arguments = [f"&{ctx}", *system.arguments[1:]]
    calls = [
        f'weft_system_runs(world, "{system.name}");',
        f"{ctx}.entities = entities;",
        f"weft_seal_rows(&{ctx}.sealed, &at);",
        f"{system.function}({', '.join(arguments)});",
        *system.body.behind,
    ]
    due = [f"world->parallels[{system.parallel}].due"] if system.running.begin else []
    matches = system.selection.filter.matches
    asked = [*due, *([] if alike else [f"({matches})" if due and "||" in matches else matches])]
    if not asked:
        return calls
    return [f"if ({' && '.join(asked)}) {{", *(f"    {call}" for call in calls), "}"]
