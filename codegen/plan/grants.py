"""Plans what a system is granted: members of its context, and calls about its rows."""

from __future__ import annotations

from model.code import System
from model.granted import looked_up
from model.record import record
from names.names import EMIT_MEMBER, GO_MEMBER
from plan.common import Common
from plan.events import Events
from plan.records.data import ComponentPlan, RelationPlan, ResourcePlan, SingletonPlan
from plan.records.grants import DoorsPlan, RowGrants, ShownPlan, StagePlan, TouchPlan
from plan.records.index import IndexPlan
from plan.records.link import LinkPlan
from plan.records.query import ListenerPlan, QueryPlan
from plan.records.selection import TagAccessPlan
from plan.selections import Role, mark_of

UNASKED = "It does nothing, because no query or system reads changes of it."


@record
class Parts:
    """The finished records of the parts of systems, by name."""

    components: dict[str, ComponentPlan]
    singletons: dict[str, SingletonPlan]
    resources: dict[str, ResourcePlan]
    relations: dict[str, RelationPlan]
    links: dict[str, LinkPlan]
    queries: dict[str, QueryPlan]
    listeners: dict[str, ListenerPlan]
    indexes: dict[str, IndexPlan]
    events: Events


class Grants:
    """Plans the grants of systems."""

    def __init__(self, common: Common, parts: Parts) -> None:
        self.common, self.names, self.parts = common, common.names, parts

    def rows(self, system: System) -> RowGrants:
        return RowGrants(
            optional_tags=self._optional_tags(system),
            written_tags=self.written_tags(system),
            touched=self._touched(system),
        )

    def doors(self, system: System) -> DoorsPlan:
        """Plans the members of a context that are grants. Each has the name of what it grants."""
        names, reach, queries = self.names, system.reach, self.parts.queries
        viewed = self._viewed(system)
        heard = [r.name for r in system.messages.emits if self.parts.events.is_heard(r.name)]
        shared = [
            *self._looked_up(system),
            *(f"{names.relation(r.name, 'reader')} {r.name}" for r in reach.lookup.relations),
            *(f"{names.link(r.name, 'reader')} {r.name}" for r in reach.links.read),
            *(f"{names.link(r.name, 'writer')} {r.name}" for r in reach.links.write),
            *(self._asked(r.name) for r in reach.queries if r.name not in viewed),
            *(f"{names.index(r.name, 'reader')} {r.name}" for r in reach.indexes),
            *(self._emitter(r.name) for r in system.messages.emits if r.name not in heard),
            *(f"{names.state(r.name, 'writer')} {GO_MEMBER}_{r.name}" for r in reach.states.write),
        ]
        own = [
            *(self._asked(name) for name in viewed),
            *(self._emitter(name) for name in heard),
        ]
        return DoorsPlan(
            shared=shared,
            own=own,
            views=[
                ShownPlan(name, number - 1, names.query(name, "door"))
                for name, number in viewed.items()
            ],
            stages=[self._stage(system, name) for name in heard],
            asked=[queries[r.name].selection for r in reach.queries],
        )

    def _looked_up(self, system: System) -> list[str]:
        writes = {ref.name for ref in system.reach.lookup.write}
        return [
            f"{self.names.component(r.name, 'writer' if r.name in writes else 'reader')} {r.name}"
            for r in looked_up(system)
        ]

    def _viewed(self, system: System) -> dict[str, int]:
        """Numbers the system among those that list a query of changes, for each that it lists."""
        return {
            ref.name: view.number
            for ref in system.reach.queries
            for view in self.parts.queries[ref.name].changes.views
            if view.system == system.name
        }

    def _asked(self, query: str) -> str:
        return f"{self.names.query(query, 'reader')} {query}"

    def _emitter(self, event: str) -> str:
        return f"{self.names.event(event, 'emitter')} {EMIT_MEMBER}_{event}"

    def _stage(self, system: System, event: str) -> StagePlan:
        """Plans the emitter of an event, which is the stage of the system or its part."""
        return StagePlan(
            member=f"{EMIT_MEMBER}_{event}",
            door=self.names.event(event, "door"),
            place=self.parts.events.stage(system, event),
        )

    def written_tags(self, system: System) -> list[TagAccessPlan]:
        """Lists the tags that a system writes, each with its slot among them."""
        written = [self.parts.components[ref.name] for ref in system.selection.write]
        tags = [component for component in written if component.storage.kind == "tag"]
        slots = self.common.sets.required_first([tag.name for tag in tags])
        return [
            TagAccessPlan(
                self.names.system(system.name, tag.name, "put"), tag, slots.index(tag.name)
            )
            for tag in tags
        ]

    def touches(self, system: System) -> list[ComponentPlan]:
        """Lists the components whose changes a system marks itself (marks = "explicit")."""
        columns = [self.parts.components[ref.name] for ref in system.selection.write]
        return [c for c in columns if system.loop.marks == "explicit" and c.storage.kind != "tag"]

    def _touched(self, system: System) -> list[TouchPlan]:
        plans = []
        for component in self.touches(system):
            mark = mark_of(Role("write", component, ""))
            row = "row i = rows[k]" if system.selection.rows == "list" else "row i"
            says = f"Marks {component.name} of {row} as changed."
            plans.append(
                TouchPlan(
                    component=component.struct.type,
                    function=self.names.system(system.name, component.name, "touch"),
                    comment=says if mark else f"{says} {UNASKED}",
                    mark=mark,
                )
            )
        return plans

    def _optional_tags(self, system: System) -> list[TagAccessPlan]:
        return [
            TagAccessPlan(self.names.system(system.name, ref.name, "has"), component)
            for ref in system.selection.optional
            if (component := self.parts.components[ref.name]).storage.kind == "tag"
        ]
