"""Systems wait for each other: here it becomes const tables, and words of the overview."""

from __future__ import annotations

from model.model import System
from names.names import Names
from plan import text
from plan.lists import list_plan
from plan.records import PhaseWaitsPlan, WaitsPlan
from schedule import PhaseSchedule
from schedule.text import reasons


def phase_waits(phase: PhaseSchedule, names: Names) -> PhaseWaitsPlan:
    constants = [names.number("system", system.name) for system in phase.systems]
    ready = [
        constant
        for constant, system in zip(constants, phase.systems, strict=True)
        if not phase.waits_of(system)
    ]
    return PhaseWaitsPlan(
        first=next(iter(constants), "0"),
        count=len(constants),
        ready=list_plan("uint16_t", names.local("ready", phase.name), ready),
        systems=[_waits(phase, system, names) for system in phase.systems],
    )


def waits_words(phase: PhaseSchedule, system: System) -> str:
    """Says it as in `waits for steer, tread`, or nothing if the system waits for none."""
    earlier = ", ".join(wait.earlier.name for wait in phase.waits_of(system))
    return f"waits for {earlier}" if earlier else ""


def _waits(phase: PhaseSchedule, system: System, names: Names) -> WaitsPlan:
    followers = phase.followers_of(system)
    constants = [names.number("system", wait.later.name) for wait in followers]
    why = [
        line
        for wait in followers
        for line in text.comment_lines(f"{wait.later.name} waits: {'; '.join(reasons(wait))}.")
    ]
    return WaitsPlan(
        name=system.name,
        constant=names.number("system", system.name),
        waits_for=len(phase.waits_of(system)),
        followers=list_plan("uint16_t", names.local("followers", system.name), constants, why),
    )
