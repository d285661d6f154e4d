"""Plans events, and the numbers of their stages and hearers.

Stages are numbered in the order of systems, so that those of a system are adjacent. Hearers are
numbered by event, so that those of an event are adjacent. Listeners are the last hearers.
"""

from __future__ import annotations

from model.code import Listener, System
from model.data import Event
from names.names import EMIT_MEMBER, heard_count
from plan import text
from plan.common import Common
from plan.lists import list_plan
from plan.records.data import EmitPlan, EventPlan
from plan.records.system import HearPlan
from plan.structs import Structs

LOST = "If there is no space, the event is lost and counted, and the phase returns a status for it."


class Events:
    def __init__(self, common: Common, structs: Structs) -> None:
        self.names, self.structs = common.names, structs
        names, model = common.names, common.model
        self._emitted = common.granted.emits
        self._listeners = list(model.code.listeners.values())
        systems = [system for phase in common.schedule for system in phase.systems]
        hearing: list[System | Listener] = [*systems, *self._listeners]
        self._heard = {ref.name for one in hearing for ref in one.messages.hears}
        staged = [
            (s, ref.name) for s in systems for ref in s.messages.emits if ref.name in self._heard
        ]
        hearers = [
            (one, name)
            for name in model.data.events
            for one in hearing
            if name in (ref.name for ref in one.messages.hears)
        ]
        self._stages = {
            name: [self._staged(s, name) for s, event in staged if event == name]
            for name in model.data.events
        }
        self._hearers = {
            name: [
                names.number("hearer", one.name, name) for one, event in hearers if event == name
            ]
            for name in model.data.events
        }
        self.plans = {event.name: self._event(event) for event in model.data.events.values()}
        self.stages = [names.number("stage", system.name, name) for system, name in staged]
        self.hearers = [names.number("hearer", one.name, name) for one, name in hearers]
        self.staging = [
            (sum(1 for other, _ in staged if other is system), system.loop.parallel)
            for system in systems
        ]
        self.hearer_events = list_plan(
            "uint16_t", "hearer_events", [names.number("event", name) for _, name in hearers]
        )
        self.hearer_names = list_plan(
            "char *const", "hearer_names", [text.string_literal(one.name) for one, _ in hearers]
        )

    def is_heard(self, event: str) -> bool:
        return event in self._heard

    def _emit(self, name: str) -> EmitPlan:
        """Plans the call that emits an event. It does nothing if nobody hears the event."""
        function, emitter = (self.names.event(name, verb) for verb in ("emit", "emitter"))
        heard = self.is_heard(name)
        sends = f"Sends {name} to every system and listener that hears it. {LOST}"
        nothing = f"Does nothing, because no system or listener hears {name}."
        member = f"{EMIT_MEMBER}_{name}"
        return EmitPlan(function, emitter, member, sends if heard else nothing, heard)

    def stage(self, system: System, event: str) -> str:
        """Returns the C expression of the stage of an event, for a system or its running part."""
        staged = [ref.name for ref in system.messages.emits if ref.name in self._heard]
        stage = self.names.number("stage", system.name, event)
        each = "" if len(staged) == 1 else f" * {len(staged)}"
        return f"{stage} + part->number{each}" if system.loop.parallel else stage

    def hears(self, one: System | Listener) -> list[HearPlan]:
        return [
            HearPlan(
                event=self.plans[ref.name],
                count=heard_count(ref.name),
                hearer=self.names.number("hearer", one.name, ref.name),
            )
            for ref in one.messages.hears
        ]

    def _staged(self, system: System, event: str) -> str:
        """Returns the stages of an event for a system or each of its parts, as a row of a table."""
        step = sum(1 for ref in system.messages.emits if ref.name in self._heard)
        count = "WEFT_PARTS_MAX" if system.loop.parallel else "1"
        first = self.names.number("stage", system.name, event)
        return f"{{.first = {first}, .step = {step}, .count = {count}}}"

    def _event(self, event: Event) -> EventPlan:
        names, name = self.names, event.name
        struct = self.structs.struct(event, names.event(name))
        hearers, listeners = self._hearers[name], self._listeners
        row = {
            **struct.page.row,
            "was": text.string_literal(event.was),
            "max": str(event.max),
            "defaults": f"&{names.local('defaults', name)}",
        }
        return EventPlan(
            struct=struct.with_row(row),
            constant=names.number("event", name),
            max=event.max,
            first_hearer=next(iter(hearers), "0"),
            hearer_count=len(hearers),
            listener_count=sum(
                name in {ref.name for ref in one.messages.hears} for one in listeners
            ),
            emit=self._emit(name) if name in self._emitted else None,
            stages=list_plan("weft_stages_plan", names.local("stages", name), self._stages[name]),
            outside=names.input(name, "put") if event.kind == "input" else "",
        )
