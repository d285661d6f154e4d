"""Besides its rows a system is granted functions over its context, and members of it."""

from __future__ import annotations

from collections.abc import Iterator

from model.code import System
from model.record import record
from plan.common import Common
from plan.events import Events
from plan.indexes.indexes import Indexes
from plan.queries import loan_of
from plan.records.data import ComponentPlan, RelationPlan, ResourcePlan, SingletonPlan
from plan.records.grants import (
    AskedPlan,
    GrantedCall,
    GrantsPlan,
    LookupPlan,
    LookupsPlan,
    LookupTagPlan,
    RowGrants,
    StateGoPlan,
    SystemQueryPlan,
    SystemRelationPlan,
    TouchPlan,
)
from plan.records.index import IndexPlan
from plan.records.query import ListenerPlan, QueryPlan, ViewPlan
from plan.records.selection import TagAccessPlan
from plan.records.system import HearPlan, RemovalPlan
from plan.selections import Role, mark_of
from plan.used import Used, has_rows

# These calls of a relation return an entity.
SEEKING = ("parent", "first_child", "next_sibling", "prev_sibling")

UNASKED = "It does nothing, since no query or system asks for changes of it."


@record
class DataParts:
    """Holds what a world has, by name."""

    components: dict[str, ComponentPlan]
    singletons: dict[str, SingletonPlan]
    resources: dict[str, ResourcePlan]
    relations: dict[str, RelationPlan]


@record
class CodeParts:
    """Holds what goes over a world besides systems, by name."""

    queries: dict[str, QueryPlan]
    listeners: dict[str, ListenerPlan]
    indexes: dict[str, IndexPlan]


@record
class Parts:
    """Holds what systems are made of."""

    data: DataParts
    code: CodeParts
    asking: Indexes
    events: Events


class Grants:
    """Plans what systems are granted."""

    def __init__(self, common: Common, parts: Parts) -> None:
        self.common, self.names, self.parts = common, common.names, parts

    def grants(self, system: System) -> GrantsPlan:
        reads = [self._lookup(system, ref.name, "get") for ref in system.reach.lookup.read]
        written = [self.parts.data.components[ref.name] for ref in system.reach.lookup.write]
        writes = [self._lookup(system, c.name, "edit") for c in written if c.storage.kind != "tag"]
        return GrantsPlan(
            lookups=LookupsPlan(
                values=reads + writes,
                tags=[self._lookup_tag(system, c) for c in written if c.storage.kind == "tag"],
            ),
            asked=AskedPlan(
                queries=[self._query(system, ref.name) for ref in system.reach.queries],
                indexes=self.parts.asking.asked(system),
                relations=[
                    self._relation(system, ref.name) for ref in system.reach.lookup.relations
                ],
            ),
            emits=self.parts.events.emits(system),
            states=[self._go(system, ref.name) for ref in system.reach.states.write],
            rows=RowGrants(
                optional_tags=self._optional_tags(system),
                written_tags=self.written_tags(system),
                touched=self._touched(system),
            ),
        )

    def members(self, system: System, used: Used) -> list[tuple[str, str]]:
        """Returns the members of a context that depend on the schema, with a comment or ""."""
        entity = self.names.world("entity")
        members: list[tuple[str, str]] = []
        if has_rows(system):
            members.append((f"const {entity} *entities", "handles of the rows"))
        members += [(f"{const}{s.struct.type} *{s.name}", "") for const, s in used.world.singletons]
        members += [(f"{const}{one.type} *{one.name}", "") for const, one in used.world.resources]
        members += [(f"{s.enum.type} {name}", "of this turn") for name, s in used.world.states]
        members += consumed(self.common, used.hears, used.removed)
        if used.buffer:
            commands = f"{self.names.world('cmd')} *cmd"
            members.append((commands, "structural changes, applied at the end of the phase"))
        return members

    def written_tags(self, system: System) -> list[TagAccessPlan]:
        written = [self.parts.data.components[ref.name] for ref in system.selection.write]
        tags = [component for component in written if component.storage.kind == "tag"]
        slots = self.common.sets.required_first([tag.name for tag in tags])
        return [
            TagAccessPlan(
                self.names.system(system.name, tag.name, "put"), tag, slots.index(tag.name)
            )
            for tag in tags
        ]

    def touches(self, system: System) -> list[ComponentPlan]:
        """Lists the components of which a system itself notes changes (marks = "explicit")."""
        columns = [self.parts.data.components[ref.name] for ref in system.selection.write]
        return [c for c in columns if system.loop.marks == "explicit" and c.storage.kind != "tag"]

    def _touched(self, system: System) -> list[TouchPlan]:
        plans = []
        for component in self.touches(system):
            mark = mark_of(Role("write", component, ""))
            note = f"weft_touch(&ctx->sealed, {mark}, i);"
            row = "row i = rows[k]" if system.selection.rows == "list" else "row i"
            says = f"Notes that {component.name} of {row} has changed."
            plans.append(
                TouchPlan(
                    function=self.names.system(system.name, component.name, "touch"),
                    comment=says if mark else f"{says} {UNASKED}",
                    body=[note] if mark else ["(void)ctx;", "(void)i;"],
                )
            )
        return plans

    def _optional_tags(self, system: System) -> list[TagAccessPlan]:
        return [
            TagAccessPlan(self.names.system(system.name, ref.name, "has"), component)
            for ref in system.selection.optional
            if (component := self.parts.data.components[ref.name]).storage.kind == "tag"
        ]

    def _lookup(self, system: System, name: str, verb: str) -> LookupPlan:
        component = self.parts.data.components[name]
        is_soa, const = component.storage.kind == "soa", "" if verb == "edit" else "const "
        columns = "columns" if verb == "edit" else "const_columns"
        what = "pointers to the fields" if is_soa else "a pointer to the value"
        return LookupPlan(
            function=self.names.system(system.name, name, verb),
            comment=f"Returns {what} of any entity's {name}, NULL if it is dead or has none.",
            result=f"{self.names.component(name, columns)} "
            if is_soa
            else f"{const}{component.struct.type} *",
            call=self.names.component(name, "edit_granted" if verb == "edit" else verb),
        )

    def _go(self, system: System, name: str) -> StateGoPlan:
        state = self.parts.data.singletons[name].state
        assert state is not None
        go = self.names.system(system.name, name, "go")
        return StateGoPlan(name, state.enum.type, (go, state.calls.go_granted))

    def _lookup_tag(self, system: System, tag: ComponentPlan) -> LookupTagPlan:
        names, name, rules = self.names, tag.name, self.common.sets.rules(tag.name)
        alone = " It brings nothing along." if len(rules.closure) > 1 else ""
        why = f"If it returns false nothing has changed, and {names.world('error')} says why."
        removes = f"Takes {name} from any entity at once. Returns false if e has no {name}{{}}."
        kept = ", or if another of its components requires it" if rules.required_by else ""
        return LookupTagPlan(
            component=tag,
            has=(names.system(system.name, name, "has"), names.component(name, "has")),
            writes=[
                (
                    f"Sets {name} of any entity at once.{alone} {why}",
                    names.system(system.name, name, "set"),
                    f"{tag.calls.granted}true)",
                ),
                (
                    removes.format(kept),
                    names.system(system.name, name, "remove"),
                    f"{tag.calls.granted}false)",
                ),
            ],
        )

    def _query(self, system: System, name: str) -> SystemQueryPlan:
        names, query = self.names, self.parts.code.queries[name]
        view = next((view for view in query.changes.views if view.system == system.name), None)
        bodies = self._viewed(query, view) if view else self._asked(query)
        begin, count, only, passes = (
            GrantedCall(names.system(system.name, name, verb), body)
            for verb, body in zip(("begin", "count", "only", "passes"), bodies, strict=True)
        )
        return SystemQueryPlan(query, names.query(name, "iter"), begin, count, only, passes)

    def _asked(self, query: QueryPlan) -> list[list[str]]:
        """Returns the bodies of begin, count, only and passes for a query as the game's is."""
        names, name = self.names, query.name
        world = f"{names.world('world_of')}(&ctx->sealed)"
        begin = [
            f"{names.world('world')} *w = {world};",
            f"{names.query(name, 'iter')} it;",
            *query.begin.granted,
            "return it;",
        ]
        return [
            begin if query.begin.granted else [f"return {names.query(name, 'begin')}({world});"],
            [f"return {names.query(name, 'count')}({world});"],
            [f"return {names.query(name, 'only')}({world});"],
            [f"return {names.query(name, 'passes')}({world}, e);"],
        ]

    def _viewed(self, query: QueryPlan, view: ViewPlan) -> list[list[str]]:
        """Returns the bodies for a query of changes, which each system sees by itself."""
        names = self.names
        world = f"{names.world('world_of')}(&ctx->sealed)"
        base = f"const weft_world *base = {names.world('world_base')}({world});"
        rows = f"base, &base->queries[{query.rows.selection.query.constant}]"
        given = [
            names.world("entity_format"),
            query.rows.selection.query.constant,
            view.filter_name,
        ]
        begin = [
            f"{names.query(query.name, 'iter')} it;",
            base,
            f"weft_cursor_begin(&it.cursor, {rows});",
            *loan_of(query.rows.selection, "0"),
            "it.count = 0;",
            f"it.weft_view = {view.number};",
            "return it;",
        ]
        shown = f"{rows}, {view.match}, {view.filter_name}"
        count = f"return weft_query_count({shown});"
        only = f"return {names.world('entity_of')}(weft_query_only({shown}));"
        passes = f"return weft_query_passes(base, {', '.join(given)}, e.bits);"
        return [begin, [base, count], [base, only], [base, passes]]

    def _relation(self, system: System, name: str) -> SystemRelationPlan:
        def call(verb: str) -> tuple[str, str]:
            return self.names.system(system.name, name, verb), self.names.relation(name, verb)

        return SystemRelationPlan(
            relation=self.parts.data.relations[name],
            entity_calls=[call(verb) for verb in SEEKING],
            counts=[call("child_count"), call("depth")],
            walk_begin=call("walk_begin"),
            walk=self.names.relation(name, "walk"),
        )


def consumed(
    common: Common, hears: list[HearPlan], removals: list[RemovalPlan]
) -> Iterator[tuple[str, str]]:
    """Yields the members that have what a turn hears, and what was removed, each with a comment."""
    for heard in hears:
        values = f"const {heard.event.struct.type} *{heard.event.name}"
        yield values, "what it hears in this turn, oldest first"
        yield f"uint32_t {heard.count}", ""
    for removal in removals:
        name = removal.component.name
        what = f"their parent by {name}" if name in common.model.data.relation_tags else name
        lost = f"entities that have lost {what} since its last turn"
        yield f"const {common.names.world('entity')} *{removal.members.handles}", lost
        if removal.valued:
            yield (
                f"const {removal.component.struct.type} *{removal.members.values}",
                "their last values",
            )
        yield f"uint32_t {removal.members.count}", ""
