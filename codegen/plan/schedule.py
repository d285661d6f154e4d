"""Plans which system waits for which, as const tables and words of the overview."""

from __future__ import annotations

from model.code import System
from names.names import Names
from plan import text
from plan.lists import list_plan
from plan.records.code import SegmentPlan, WaitsPlan
from schedule import PhaseSchedule
from schedule.text import reasons


def segment_waits(phases: list[PhaseSchedule], names: Names) -> list[SegmentPlan]:
    return [
        _segment(phase, segment, segment[0].name if i else phase.name, names)
        for phase in phases
        for i, segment in enumerate(segments_of(phase))
    ]


def segments_of(phase: PhaseSchedule) -> list[tuple[System, ...]]:
    """Lists the segments of a phase. A phase without systems has one empty segment."""
    return phase.segments or [()]


def _segment(
    phase: PhaseSchedule, segment: tuple[System, ...], name: str, names: Names
) -> SegmentPlan:
    constants = [names.number("system", system.name) for system in segment]
    ready = [
        constant
        for constant, system in zip(constants, segment, strict=True)
        if phase.lead(system) is system and not _earlier(phase, system)
    ]
    return SegmentPlan(
        first=next(iter(constants), "0"),
        count=len(constants),
        ready=list_plan("uint16_t", names.local("ready", name), ready),
        systems=[_waits(phase, system, names) for system in segment],
    )


def waits_words(phase: PhaseSchedule, system: System) -> str:
    """Returns for example `waits for steer, tread`, or "" if the system waits for none."""
    earlier = [wait.earlier.name for wait in phase.waits_of(system)]
    if any(system is segment[0] for segment in phase.segments[1:]):
        earlier.append("all before it and their commands")
    return f"waits for {', '.join(earlier)}" if earlier else ""


def _earlier(phase: PhaseSchedule, lead: System) -> set[str]:
    """Names the systems that must end before a system, or the pass that it leads, begins."""
    waits = [wait for wait in phase.waits if phase.lead(wait.later) is lead]
    return {wait.earlier.name for wait in waits if phase.lead(wait.earlier) is not lead}


def _waits(phase: PhaseSchedule, system: System, names: Names) -> WaitsPlan:
    waits = phase.followers_of(system)
    followers = [wait for wait in waits if phase.lead(wait.later) is not phase.lead(system)]
    begun = dict.fromkeys(phase.lead(wait.later).name for wait in followers)
    constants = [names.number("system", name) for name in begun]
    why = [
        line
        for wait in followers
        for line in text.comment_lines(f"{wait.later.name} waits: {'; '.join(reasons(wait))}.")
    ]
    return WaitsPlan(
        name=system.name,
        constant=names.number("system", system.name),
        waits_for=len(_earlier(phase, system)) if phase.lead(system) is system else 0,
        followers=list_plan("uint16_t", names.local("followers", system.name), constants, why),
    )
