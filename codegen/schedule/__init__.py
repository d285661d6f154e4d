"""This package decides once, for all runs of the game, which systems wait for which.

Inside a phase, a system waits for another if they conflict or if the schema orders them. Both kinds
of waiting go along the order of running one by one. So there is no circle, and one worker and many
arrive at equal results. A wait that follows from others is left out.

Before a system with `flush`, all that run before it end and their commands are applied. This cuts
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
    """One system begins only when another one has ended; this holds the reasons."""

    earlier: System
    later: System
    meetings: tuple[Meeting, ...]  # the resources that they conflict over
    declared: bool  # `after` or `before` of one of the two says so


@record
class PhaseSchedule:
    name: str
    systems: tuple[System, ...]  # in the order of running one by one
    waits: tuple[Wait, ...]  # in segments, without those that follow from others, in that order too
    passes: tuple[Pass, ...] = ()
    apart: tuple[
        Apart, ...
    ] = ()  # parallel systems next to each other that are in no pass together

    @property
    def segments(self) -> list[tuple[System, ...]]:
        """Lists the systems between one flush and the next; a phase without systems has none."""
        return _segments(self.systems)

    def waits_of(self, system: System) -> list[Wait]:
        """Lists the waits of a system."""
        return [wait for wait in self.waits if wait.later is system]

    def followers_of(self, system: System) -> list[Wait]:
        """Lists the waits of others for a system."""
        return [wait for wait in self.waits if wait.earlier is system]

    def lead(self, system: System) -> System:
        """Returns the first system of the pass that a system is in, or the system itself."""
        return next((one.systems[0] for one in self.passes if system in one.systems), system)

    def steps(self) -> list[list[System]]:
        """Groups the systems by how many have to run before them, one after the other."""
        return [step for segment in self.segments for step in self.steps_of(segment)]

    def steps_of(self, segment: tuple[System, ...]) -> list[list[System]]:
        """Groups the systems of a segment likewise."""
        step: dict[str, int] = {}
        for system in segment:
            before = [step[wait.earlier.name] for wait in self.waits_of(system)]
            step[system.name] = max(before, default=-1) + 1
        count = max(step.values(), default=-1) + 1
        return [[s for s in segment if step[s.name] == i] for i in range(count)]


def make_schedule(model: Model) -> list[PhaseSchedule]:
    """Makes the schedule of each phase. `check` reports orders that go in a circle."""
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
    precede: list[int] = []  # a set of bits a system: all that end before it begins
    for i, later in enumerate(ordered):
        before, mine = 0, []
        for j in reversed(range(i)):
            if before >> j & 1:
                continue  # it follows from a later one
            earlier = ordered[j]
            is_declared = later.name in declared[earlier.name]
            meetings = conflicts.between(earlier, later)
            if is_declared or meetings:
                mine.append(Wait(earlier, later, meetings, is_declared))
                before |= precede[j] | 1 << j
        precede.append(before)
        waits += reversed(mine)
    return waits
