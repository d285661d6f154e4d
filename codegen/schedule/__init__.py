"""The schedule: which systems wait for which, decided once for all runs of the game.

Inside a phase, a system waits for another if they conflict or if the schema orders them. Both kinds
of waiting go along the order of running one by one, so there is no circle, and one worker and many
come to the same result. What follows from other waits is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.model import Model, System
from schedule.conflicts import Conflicts, Meeting
from schedule.order import Declared, declared_orders, one_by_one

__all__ = ["Meeting", "PhaseSchedule", "Wait", "ambiguous", "make_schedule"]


@dataclass(frozen=True)
class Wait:
    """That one system begins only when another one has ended, and why."""

    earlier: System
    later: System
    meetings: tuple[Meeting, ...]  # what they conflict over
    declared: bool  # whether `after` or `before` says so, itself


@dataclass(frozen=True)
class PhaseSchedule:
    name: str
    systems: tuple[System, ...]  # in the order of running one by one
    waits: tuple[Wait, ...]  # none that follows from others; in that order too

    def waits_of(self, system: System) -> list[Wait]:
        """What the system waits for."""
        return [wait for wait in self.waits if wait.later is system]

    def followers_of(self, system: System) -> list[Wait]:
        """Who waits for the system."""
        return [wait for wait in self.waits if wait.earlier is system]

    def steps(self) -> list[list[System]]:
        """The systems by how many have to run before them, one after the other."""
        step: dict[str, int] = {}
        for system in self.systems:
            before = [step[wait.earlier.name] for wait in self.waits_of(system)]
            step[system.name] = max(before, default=-1) + 1
        count = max(step.values(), default=-1) + 1
        return [[s for s in self.systems if step[s.name] == i] for i in range(count)]


def make_schedule(model: Model) -> list[PhaseSchedule]:
    """The schedule of each phase. Orders that go in a circle are an error that `check` reports."""
    conflicts = Conflicts(model)
    return [
        _schedule(phase.name, _systems_of(model, phase.name), conflicts)
        for phase in model.world.phases
    ]


def ambiguous(model: Model) -> Iterator[Wait]:
    """Systems that conflict though no chain of `after` and `before` says which one is first."""
    conflicts = Conflicts(model)
    for phase in dict.fromkeys(phase.name for phase in model.world.phases):
        systems = _systems_of(model, phase)
        ordered = one_by_one(systems)
        said = _reach(ordered, declared_orders(systems))
        for i, later in enumerate(ordered):
            for j, earlier in enumerate(ordered[:i]):
                if not said[i] >> j & 1 and (meetings := conflicts.between(earlier, later)):
                    yield Wait(earlier, later, meetings, declared=False)


def _systems_of(model: Model, phase: str) -> list[System]:
    return [system for system in model.systems.values() if system.phase.name == phase]


def _schedule(phase: str, systems: list[System], conflicts: Conflicts) -> PhaseSchedule:
    ordered = one_by_one(systems)
    declared = declared_orders(systems)
    waits: list[Wait] = []
    precede: list[int] = []  # of each system all that end before it begins, one bit each
    for i, later in enumerate(ordered):
        before, mine = 0, []
        for j in reversed(range(i)):
            if before >> j & 1:
                continue  # it follows from a later one
            earlier = ordered[j]
            said = later.name in declared[earlier.name]
            wait = Wait(earlier, later, conflicts.between(earlier, later), said)
            if wait.declared or wait.meetings:
                mine.append(wait)
                before |= precede[j] | 1 << j
        precede.append(before)
        waits += reversed(mine)
    return PhaseSchedule(phase, tuple(ordered), tuple(waits))


def _reach(ordered: list[System], declared: Declared) -> list[int]:
    """Of each system all that a chain of declared orders puts before it, one bit each."""
    reach: list[int] = []
    for later in ordered:
        before = 0
        for j, said in enumerate(reach):
            if later.name in declared[ordered[j].name]:
                before |= said | 1 << j
        reach.append(before)
    return reach
