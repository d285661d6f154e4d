"""Plans the function of a pass, which calls its systems block by block.

It fills in the contexts of systems that take whole tables once for many blocks, so a block costs
each of them little more than the call. Other systems get the block as a part of their rows.
"""

from __future__ import annotations

from names.names import Names
from plan.inlined import grouped, joined
from plan.records.system import DirectPlan, PassGroup, PassMember, SystemPlan
from schedule import Pass


def make_direct(names: Names, fused: Pass, systems: list[SystemPlan], query: str) -> DirectPlan:
    alike = len({system.loop.selection.filter.matches for system in systems}) == 1
    members = [
        PassMember(system, whole, _asked(system, alike))
        for system, whole in zip(systems, fused.whole, strict=True)
    ]
    return DirectPlan(
        function=names.local("pass", systems[0].name),
        query=query,
        groups=[_group(names, some, alike) for some in grouped(members)],
        alike=alike,
        # Blocks in which systems look for their rows need not end at the ends of parts.
        by_part=not fused.direct or any(system.loop.keeps for system in systems),
        short_rows=fused.short_rows,
        long_rows=fused.long_rows,
        row_bytes=fused.row_bytes,
    )


def _group(names: Names, members: list[PassMember], alike: bool) -> PassGroup:
    """Plans a loop for several systems. Each is called separately if that is faster, or if a
    table lacks a column that one of them needs."""
    if len(members) == 1:
        return PassGroup(members)
    every = [one.system.loop.selection.filter.matches for one in members]
    needed = dict.fromkeys(atom for matches in every for atom in _atoms(matches) if not alike)
    return joined(names, members, " && ".join(["blocks->joined", *needed]))


def _atoms(matches: str) -> list[str]:
    return [f"({matches})"] if "||" in matches else matches.split(" && ")


def _asked(system: SystemPlan, alike: bool) -> str:
    """Returns the C test whether a system is due and takes the table, or "" if always."""
    matches = system.loop.selection.filter.matches
    due = f"world->run.parallels[{system.loop.parallel}].due"
    if not system.turns.functions.begin:
        return "" if alike else matches
    if alike:
        return due
    return f"{due} && ({matches})" if "||" in matches else f"{due} && {matches}"
