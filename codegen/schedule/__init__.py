"""Decides which systems wait for which. The decision is the same for every run of the game.

Within a phase, a system waits for another one if they conflict, or if the schema orders them.
Systems only wait for earlier ones in the single-threaded order. So there is no circle, and one
worker and many workers give equal results. A wait that follows from others is left out.

Before a system with `flush`, all earlier systems end and their commands are applied. This divides
the phase into segments, and no system waits for one of an earlier segment.
"""

from __future__ import annotations

from itertools import pairwise

from model.code import System
from model.model import Model
from model.record import record, replace
from schedule.conflicts import Conflicts, Meeting
from schedule.order import Declared, declared_orders, one_by_one
from schedule.passes import Apart, Pass, make_passes

__all__ = [
    "Apart",
    "Meeting",
    "Pass",
    "PhaseSchedule",
    "Wait",
    "make_schedule",
    "with_passes",
]


@record
class Wait:
    """A system must not begin before another one has ended, for these reasons."""

    earlier: System
    later: System
    meetings: tuple[Meeting, ...]  # the resources that they conflict over
    declared: bool  # `after` or `before` of one of them orders them


@record
class PhaseSchedule:
    name: str
    systems: tuple[System, ...]  # in the single-threaded order
    # sorted; without waits across segments and those that follow from others
    waits: tuple[Wait, ...]
    passes: tuple[Pass, ...] = ()
    apart: tuple[Apart, ...] = ()  # adjacent parallel systems that share no pass

    @property
    def segments(self) -> list[tuple[System, ...]]:
        """Returns the systems between two flushes, for each segment. An empty phase has none."""
        return _segments(self.systems)

    def waits_of(self, system: System) -> list[Wait]:
        """Returns the waits of a system for others."""
        return [wait for wait in self.waits if wait.later is system]

    def followers_of(self, system: System) -> list[Wait]:
        """Returns the waits of others for a system."""
        return [wait for wait in self.waits if wait.earlier is system]

    def lead(self, system: System) -> System:
        """Returns the first system of the pass that contains a system, or the system itself."""
        return next((one.systems[0] for one in self.passes if system in one.systems), system)

    def steps(self) -> list[list[System]]:
        """Groups the systems by the length of the longest chain of systems before them."""
        return [step for segment in self.segments for step in self.steps_of(segment)]

    def steps_of(self, segment: tuple[System, ...]) -> list[list[System]]:
        """Groups the systems of one segment like `steps`."""
        step: dict[str, int] = {}
        for system in segment:
            before = [step[wait.earlier.name] for wait in self.waits_of(system)]
            step[system.name] = max(before, default=-1) + 1
        count = max(step.values(), default=-1) + 1
        return [[s for s in segment if step[s.name] == i] for i in range(count)]


def make_schedule(model: Model) -> list[PhaseSchedule]:
    """Returns the schedule of each phase. `check` reports circular orders."""
    conflicts = Conflicts(model)
    return [
        _schedule(phase.name, _systems_of(model, phase.name), conflicts)
        for phase in model.world.phases
    ]


def with_passes(model: Model, schedule: list[PhaseSchedule]) -> list[PhaseSchedule]:
    """Adds the passes to the schedule of a sound model."""
    found = make_passes(model, [phase.segments for phase in schedule])
    return [
        replace(phase, passes=tuple(passes), apart=tuple(apart))
        for phase, (passes, apart) in zip(schedule, found, strict=True)
    ]


def _segments(systems: tuple[System, ...]) -> list[tuple[System, ...]]:
    cuts = [i for i, system in enumerate(systems) if system.schedule.flush or i == 0]
    return [systems[cut:end] for cut, end in pairwise([*cuts, len(systems)])]


def _systems_of(model: Model, phase: str) -> list[System]:
    return [system for system in model.code.systems.values() if system.schedule.phase.name == phase]


def _schedule(phase: str, systems: list[System], conflicts: Conflicts) -> PhaseSchedule:
    ordered = one_by_one(systems)
    declared = declared_orders(systems)
    waits = [
        wait
        for segment in _segments(tuple(ordered))
        for wait in _waits(segment, declared, conflicts)
    ]
    return PhaseSchedule(phase, tuple(ordered), tuple(waits))


def _waits(ordered: tuple[System, ...], declared: Declared, conflicts: Conflicts) -> list[Wait]:
    waits: list[Wait] = []
    precede: list[int] = []  # for each system the set of systems that end before it, as bits
    for i, later in enumerate(ordered):
        before, mine = 0, []
        for j in reversed(range(i)):
            if before >> j & 1:
                continue  # it follows from a wait for a later system
            earlier = ordered[j]
            is_declared = later.name in declared[earlier.name]
            meetings = conflicts.between(earlier, later)
            if is_declared or meetings:
                mine.append(Wait(earlier, later, meetings, is_declared))
                before |= precede[j] | 1 << j
        precede.append(before)
        waits += reversed(mine)
    return waits
