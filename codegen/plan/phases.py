"""Plans phases in the order they run, with their systems and passes."""

from __future__ import annotations

from model.record import replace
from plan.common import Common
from plan.grants import Parts
from plan.lists import NONE
from plan.passes import make_direct
from plan.records.code import BufferPlan, PhasePlan, StepPlan
from plan.records.selection import TableQueryPlan
from plan.records.system import PassPlan, SystemPlan
from plan.schedule import segments_of
from plan.systems import Systems
from schedule import Pass, PhaseSchedule


class Phases:
    """Plans phases from the systems that they run."""

    def __init__(self, common: Common, parts: Parts) -> None:
        self.common, self.names = common, common.names
        self.systems = Systems(common, parts)
        self.pass_count = 0  # of the phases planned so far

    def plan(self) -> list[PhasePlan]:
        phases = []
        number = 0  # of the first segment
        for index, schedule in enumerate(self.common.schedule):
            phases.append(self._phase(schedule, index, number))
            number += len(segments_of(schedule))
        return phases

    def _phase(self, phase: PhaseSchedule, index: int, number: int) -> PhasePlan:
        planned = {system.name: self.systems.plan(system) for system in phase.systems}
        passes = [self._pass(one, planned) for one in phase.passes]
        for number_in_world, one in enumerate(passes, self.pass_count):
            planned[one.systems[0]] = _leading(planned[one.systems[0]], number_in_world)
        self.pass_count += len(passes)
        return PhasePlan(
            name=phase.name,
            index=index,
            function=self.names.run(phase.name),
            steps=_steps(phase, planned, number),
            systems=list(planned.values()),
            segment_of={
                s.name: number + i for i, group in enumerate(segments_of(phase)) for s in group
            },
            passes=passes,
        )

    def _pass(self, fused: Pass, planned: dict[str, SystemPlan]) -> PassPlan:
        systems = [planned[system.name] for system in fused.systems]
        lead, chosen = systems[0], [system.loop.selection for system in systems]
        alike = {selection.query.decides for selection in chosen}
        matches = dict.fromkeys(f"{selection.query.matches}(table)" for selection in chosen)
        own = len(alike) > 1
        keys = {selection.query.key for selection in chosen}
        constant = (
            self.names.number("pass", lead.name) if own else lead.loop.selection.query.constant
        )
        units = [system.loop.unit_rows for system in systems]
        if fused.direct:
            units.append(fused.long_rows)
        return PassPlan(
            systems=[system.name for system in systems],
            query=TableQueryPlan(
                constant=constant,
                matches=self.names.local("fused", lead.name) if own else "",
                decides=" || ".join(matches),
                key=keys.pop() if len(keys) == 1 else NONE,
            ),
            unit_rows=max(units),
            direct=make_direct(self.names, fused, systems, constant),
        )


def _leading(system: SystemPlan, number: int) -> SystemPlan:
    """Makes a system begin a pass when its phase runs. It runs alone as before."""
    return replace(system, turns=replace(system.turns, leads=str(number)))


def _steps(phase: PhaseSchedule, planned: dict[str, SystemPlan], first: int) -> list[StepPlan]:
    """Plans how a phase runs its systems, one flush after the other."""
    led = {system.name for one in phase.passes for system in one.systems[1:]}
    steps = []
    for number, segment in enumerate(segments_of(phase), first):
        systems = [planned[system.name] for system in segment]
        shared = len(phase.steps_of(segment)) < len(systems)
        shared = shared or any(system.loop.parallel for system in systems)
        walked = [system.loop.selection for system in systems]
        walked += [asked for system in systems for asked in system.context.doors.asked]
        steps.append(
            StepPlan(
                systems=[system for system in systems if system.name not in led],
                segment=str(number) if shared else "",
                orders=list(dict.fromkeys(order for walk in walked for order in walk.orders)),
            )
        )
    return steps


def buffers_of(phase: PhasePlan) -> list[BufferPlan]:
    """Returns the buffers in which systems record commands, in the order they run."""
    recording = [system for system in phase.systems if system.context.buffer]
    segments = phase.segment_of
    return [
        BufferPlan(s.context.buffer, str(segments[s.name]), bool(s.loop.parallel))
        for s in recording
    ]
