"""This package decides once, for all runs of the game, which systems wait for which.

Inside a phase, a system waits for another if they conflict or if the schema orders them. Both kinds
of waiting go along the order of running one by one. So there is no circle, and one worker and many
arrive at equal results. A wait that follows from others is left out.

Before a system with `flush`, all that run before it end and their commands are applied. This cuts
the phase into segments, and no system waits for one of an earlier segment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from model.graph import closure
from model.model import Model, System
from schedule.access import Access, Kind, Mode, Resource
from schedule.conflicts import Conflicts, Meeting
from schedule.order import Declared, declared_orders, one_by_one

__all__ = [
    "Meeting",
    "PhaseSchedule",
    "Wait",
    "ambiguous",
    "make_schedule",
    "sees_commands",
    "settles",
]


@dataclass(frozen=True)
class Wait:
    """One system begins only when another one has ended; this holds the reasons."""

    earlier: System
    later: System
    meetings: tuple[Meeting, ...]  # the resources that they conflict over
    declared: bool  # `after` or `before` of one of the two says so


@dataclass(frozen=True)
class PhaseSchedule:
    name: str
    systems: tuple[System, ...]  # in the order of running one by one
    waits: tuple[Wait, ...]  # in segments, without those that follow from others, in that order too

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


def ambiguous(model: Model) -> Iterator[Wait]:
    """Yields pairs that conflict though no chain of `after` and `before` says which is first.

    What hooks might read is no reason: the schema does not say whether they do.
    """
    conflicts = Conflicts(model)
    for phase in dict.fromkeys(phase.name for phase in model.world.phases):
        systems = _systems_of(model, phase)
        ordered = one_by_one(systems)
        reach = _reach(ordered, declared_orders(systems))
        for i, later in enumerate(ordered):
            for j, earlier in enumerate(ordered[:i]):
                if reach[i] >> j & 1:
                    continue
                meetings = conflicts.between(earlier, later) + _over_flush(earlier, later)
                if not all(meeting.by_hooks for meeting in meetings):
                    yield Wait(earlier, later, meetings, declared=False)


_COMMANDS = Resource(Kind.COMMANDS, "commands")
_RECORDS = Access(_COMMANDS, Mode.ADD, "records")
_APPLIES = Access(_COMMANDS, Mode.WRITE, "applies")


def _over_flush(earlier: System, later: System) -> tuple[Meeting, ...]:
    """Returns a meeting if their order decides which commands are applied by the flush of one."""
    if earlier.commands and later.flush:
        return (Meeting(_RECORDS, _APPLIES),)
    return (Meeting(_APPLIES, _RECORDS),) if earlier.flush and later.commands else ()


def sees_commands(phase: PhaseSchedule, earlier: System, later: System) -> bool:
    """Tells whether a flush is between two systems of a phase."""
    segments = [[system.name for system in segment] for segment in phase.segments]
    return not any({earlier.name, later.name} <= {*segment} for segment in segments)


def settles(
    systems: tuple[System, ...], conflicts: Conflicts, earlier: System, later: System
) -> bool:
    """Tells whether a declared order, and nothing else, says who is first of two that conflict."""
    by_name = {system.name: system for system in systems}
    declared = declared_orders(list(systems))
    followers = {name: sorted(others) for name, others in declared.items()}
    before = {name for name in by_name if earlier.name in closure(followers, name)}
    behind = closure(followers, later.name).keys()
    followers[earlier.name].remove(later.name)
    return any(
        conflicts.between(by_name[one], by_name[other]) or _over_flush(by_name[one], by_name[other])
        for one in by_name
        if one in before
        for other in behind - closure(followers, one).keys()
    )


def _segments(systems: tuple[System, ...]) -> list[tuple[System, ...]]:
    cuts = [i for i, system in enumerate(systems) if system.flush or i == 0]
    return [systems[cut:end] for cut, end in pairwise([*cuts, len(systems)])]


def _systems_of(model: Model, phase: str) -> list[System]:
    return [system for system in model.systems.values() if system.phase.name == phase]


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
            wait = Wait(earlier, later, conflicts.between(earlier, later), is_declared)
            if wait.declared or wait.meetings:
                mine.append(wait)
                before |= precede[j] | 1 << j
        precede.append(before)
        waits += reversed(mine)
    return waits


def _reach(ordered: list[System], declared: Declared) -> list[int]:
    """Collects for each system all that declared orders put before it, as one bit each."""
    reach: list[int] = []
    for later in ordered:
        before = 0
        for j, preceding in enumerate(reach):
            if later.name in declared[ordered[j].name]:
                before |= preceding | 1 << j
        reach.append(before)
    return reach
