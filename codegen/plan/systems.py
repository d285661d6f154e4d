"""Systems: their contexts, what they may reach, the order they run in."""

from __future__ import annotations

from model.model import Model, System
from names.names import Names
from plan import text
from plan.code_records import (
    LookupPlan,
    QueryPlan,
    SelectionColumn,
    SelectionPlan,
    SystemPlan,
    SystemQueryPlan,
    SystemRelationPlan,
    TagAccessPlan,
    TouchPlan,
)
from plan.components import Sets
from plan.data_records import ComponentPlan, RelationPlan, SingletonPlan
from plan.events import Events
from plan.lists import ListPlan, list_plan
from plan.records import BufferPlan, PhasePlan
from plan.relations import parent_columns
from plan.running import orders_of, running_of, unit_rows
from plan.selections import (
    access_of,
    access_rows,
    make_column,
    make_selection,
    mark_of,
    roles,
    selection_words,
    where_text,
)
from plan.streams import Marks
from schedule import PhaseSchedule

# How the function of the game gets its rows, by the word of the schema for it.
ROWS_PARAMETER = {"": "", "mask": "weft_rows rows", "list": "const uint32_t *WEFT_RESTRICT rows"}
ROWS_ARGUMENT = {"": "", "mask": "rows", "list": "rows.row"}


class Systems:
    """Plans systems out of the parts they use."""

    def __init__(
        self,
        model: Model,
        names: Names,
        sets: Sets,
        components: dict[str, ComponentPlan],
        singletons: dict[str, SingletonPlan],
        queries: dict[str, QueryPlan],
        relations: dict[str, RelationPlan],
        marks: Marks,
        events: Events,
    ) -> None:
        self.model, self.names, self.sets = model, names, sets
        self.components, self.singletons, self.queries = components, singletons, queries
        self.relations, self.marks = relations, marks
        self.events = events
        self.clocks: list[str] = []

    def phases(self, schedule: list[PhaseSchedule]) -> list[PhasePlan]:
        return [self._phase(phase, index) for index, phase in enumerate(schedule)]

    def _phase(self, phase: PhaseSchedule, index: int) -> PhasePlan:
        systems = [self._system(system) for system in phase.systems]
        walked = [system.selection for system in systems]
        walked += [query.query.selection for system in systems for query in system.queries]
        return PhasePlan(
            phase.name,
            index,
            self.names.run(phase.name),
            systems,
            len(phase.steps()) < len(systems) or any(system.parallel for system in systems),
            list(dict.fromkeys(order for walk in walked for order in orders_of(walk))),
        )

    def _system(self, system: System) -> SystemPlan:
        names, name, selection = self.names, system.name, system.selection
        columns = self._columns(system)
        access = list_plan(names.local("access", name), self._access(system))
        written_tags = self._written_tags(system)
        has_rows = bool(selection.read or selection.write or selection.optional or selection.where)
        planned = self._selection(system, columns, bool(written_tags))
        reader, touched = self.marks.reader(name, False), self._touched(system)
        hears = self.events.hears(system)
        parents = parent_columns(system, names, self.components)
        return SystemPlan(
            name=name,
            function=names.system(name),
            ctx=names.system(name, "ctx"),
            running=running_of(system, names, reader, hears, bool(written_tags)),
            parallel=names.number("parallel", name) if system.parallel else "",
            unit_rows=unit_rows(planned, bool(written_tags or reader or touched)),
            phase=system.phase.name,
            doc=text.comment_lines(system.doc),
            header=names.header(name),
            guard=names.guard(name),
            includes=self._includes(system),
            has_rows=has_rows,
            parameters=_in_order(
                f"const {names.system(name, 'ctx')} *ctx",
                "uint32_t count",
                ROWS_PARAMETER[selection.rows],
                [c.parameter for c in columns] + [p.parameter for p in parents],
            ),
            arguments=_in_order(
                "&ctx",
                "rows.count" if planned.listed else "at.count",
                ROWS_ARGUMENT[selection.rows],
                [c.argument for c in planned.columns] + [p.array for p in parents],
            ),
            selection=planned,
            singletons=self._singletons(system),
            lookups=self._lookups(system),
            queries=self._queries(system),
            emits=self.events.emits(system),
            first_stage=self.events.first_stage(system),
            hears=hears,
            removed=self.marks.removed(system, self.components),
            relations=[self._relation(system, ref.name) for ref in system.lookup_relations],
            order=self.relations[system.order.name].constant if system.order else "",
            parents=parents,
            optional_tags=self._optional_tags(system),
            written_tags=written_tags,
            put_columns=[
                tag.component.column for tag in sorted(written_tags, key=lambda tag: tag.slot)
            ],
            buffer=names.number("buffer", name) if system.commands else "",
            reader=reader,
            touched=touched,
            clock=self._clock(system),
            every=text.float_literal(system.every, "f64") if system.every is not None else "",
            called=called_words(has_rows, planned, parents=bool(parents))
            + absent_words([self.components[ref.name] for ref in selection.optional], planned),
            summary="; ".join(
                [selection_words(selection) or "runs once a turn", *system_words(system)]
            ),
            row=self._row(system, access),
            access=access,
        )

    def _selection(
        self, system: System, columns: list[SelectionColumn], writes_tags: bool
    ) -> SelectionPlan:
        names, name = self.names, system.name
        return make_selection(
            self.model,
            names,
            f"system {name}",
            system.selection,
            columns,
            (
                names.local("match", name),
                names.local("filter", name),
                names.local("matches", name),
            ),
            names.number("query", name),
            self.marks.shown(name, False),
            writes_tags,
            names.number("depth_order", name) if system.order else "",
            bool(system.parent),
        )

    def _clock(self, system: System) -> str:
        """The number of its clock, which is one more; "" if it runs every time."""
        if system.every is None:
            return ""
        self.clocks.append(self.names.number("clock", system.name))
        return self.clocks[-1]

    def _row(self, system: System, access: ListPlan) -> dict[str, str]:
        phases = [phase.name for phase in self.model.world.phases]
        return {
            "name": text.string_literal(system.name),
            "doc": text.string_literal(system.doc),
            "where": text.string_pointer(where_text(system.selection)),
            "phase": str(phases.index(system.phase.name)),
            "commands": "true" if system.commands else "false",
            "every_seconds": text.float_literal(system.every or 0.0, "f64"),
            "access_count": str(len(access.items)),
            "access": access.name,
        }

    def _optional_tags(self, system: System) -> list[TagAccessPlan]:
        return [
            TagAccessPlan(self.names.system(system.name, ref.name, "has"), component, 0)
            for ref in system.selection.optional
            if (component := self.components[ref.name]).kind == "tag"
        ]

    def _columns(self, system: System) -> list[SelectionColumn]:
        reached = {ref.name for ref in system.lookup_read + system.lookup_write + system.parent}
        for ref in system.queries:
            inside = self.model.queries[ref.name].selection
            reached |= {r.name for r in inside.read + inside.write + inside.optional}
        return [
            make_column(
                role,
                component,
                comment,
                self.names,
                ("at.table", "at.first"),
                component.name in reached,
                "" if system.marks == "explicit" else mark_of(role, component),
            )
            for role, component, comment in roles(system.selection, self.components)
        ]

    def _includes(self, system: System) -> list[str]:
        selection = system.selection
        used = [
            *(selection.read + selection.write + selection.optional),
            *(system.singletons_read + system.singletons_write),
            *(system.lookup_read + system.lookup_write),
            *system.lookup_relations,
            *system.queries,
            *(system.emits + system.hears),
            *(removal.component for removal in system.removed),
            *system.parent,
        ]
        return [self.names.header(name) for name in dict.fromkeys(ref.name for ref in used)]

    def _singletons(self, system: System) -> list[tuple[str, SingletonPlan]]:
        read = [("const ", self.singletons[ref.name]) for ref in system.singletons_read]
        return read + [("", self.singletons[ref.name]) for ref in system.singletons_write]

    def _lookups(self, system: System) -> list[LookupPlan]:
        found = [self._lookup(system, ref.name, "get") for ref in system.lookup_read]
        return found + [self._lookup(system, ref.name, "edit") for ref in system.lookup_write]

    def _lookup(self, system: System, name: str, verb: str) -> LookupPlan:
        component = self.components[name]
        world = self.names.world("world")
        if component.kind == "soa":
            result = (
                self.names.component(name, "columns" if verb == "edit" else "const_columns") + " "
            )
        else:
            result = ("" if verb == "edit" else "const ") + component.struct.type + " *"
        return LookupPlan(
            function=self.names.system(system.name, name, verb),
            component=component,
            result=result,
            call=self.names.component(name, verb),
            world=world if verb == "edit" else f"const {world}",
        )

    def _queries(self, system: System) -> list[SystemQueryPlan]:
        plans = [self.queries[ref.name] for ref in system.queries]
        return [
            SystemQueryPlan(
                self.names.system(system.name, query.name, "begin"),
                self.names.system(system.name, query.name, "count"),
                self.names.system(system.name, query.name, "passes"),
                query,
                query.world,
                next((lens for lens in query.lenses if lens.system == system.name), None),
            )
            for query in plans
        ]

    def _touched(self, system: System) -> list[TouchPlan]:
        """With marks = "explicit" the system says itself which rows of a column have changed."""
        columns = [self.components[ref.name] for ref in system.selection.write]
        return [
            TouchPlan(
                self.names.system(system.name, component.name, "touch"),
                component.name,
                mark_of("write", component),
            )
            for component in columns
            if system.marks == "explicit" and component.kind != "tag"
        ]

    def _relation(self, system: System, name: str) -> SystemRelationPlan:
        def call(verb: str) -> tuple[str, str]:
            return self.names.system(system.name, name, verb), self.names.relation(name, verb)

        return SystemRelationPlan(
            relation=self.relations[name],
            entity_calls=[call(verb) for verb in ("parent", "first_child", "next_sibling")],
            depth=call("depth"),
            walk_begin=call("walk_begin"),
            walk=self.names.relation(name, "walk"),
        )

    def _written_tags(self, system: System) -> list[TagAccessPlan]:
        tags = [
            ref.name for ref in system.selection.write if self.components[ref.name].kind == "tag"
        ]
        slots = self.sets.required_first(tags)
        return [
            TagAccessPlan(
                self.names.system(system.name, name, "put"),
                self.components[name],
                slots.index(name),
            )
            for name in tags
        ]

    def _access(self, system: System) -> list[str]:
        component, singleton = list(self.components).index, list(self.singletons).index
        event = list(self.model.events).index
        relation = list(self.relations).index
        order = (system.order,) if system.order else ()
        return [
            *access_rows(self.model, system.selection),
            *access_of("LOOKUP_READ", system.lookup_read, component),
            *access_of("LOOKUP_WRITE", system.lookup_write, component),
            *access_of("SINGLETON_READ", system.singletons_read, singleton),
            *access_of("SINGLETON_WRITE", system.singletons_write, singleton),
            *access_of("QUERY", system.queries, list(self.queries).index),
            *access_of("EMITS", system.emits, event),
            *access_of("HEARS", system.hears, event),
            *access_of("REMOVED", tuple(r.component for r in system.removed), component),
            *access_of("ORDER", order, relation),
            *access_of("PARENT", system.parent, component),
            *access_of("LOOKUP_RELATION", system.lookup_relations, relation),
        ]


def buffers_of(phase: PhasePlan) -> list[BufferPlan]:
    """Where systems record commands, in the order they run."""
    recording = [system for system in phase.systems if system.buffer]
    return [BufferPlan(s.buffer, str(phase.index), bool(s.parallel)) for s in recording]


def system_words(system: System) -> list[str]:
    """What a system may touch besides its rows, for comments."""
    parts = (
        ("reads of parents", system.parent),
        ("looks up", system.lookup_read + system.lookup_relations),
        ("looks up and writes", system.lookup_write),
        ("reads singleton", system.singletons_read),
        ("writes singleton", system.singletons_write),
        ("iterates", system.queries),
        ("emits", system.emits),
        ("hears", system.hears),
        ("reads removals of", [removal.component for removal in system.removed]),
    )
    words = [f"{verb} {', '.join(ref.name for ref in refs)}" for verb, refs in parts if refs]
    if system.order:
        words.insert(0, f"parents first by {system.order.name}")
    if system.commands:
        words.append("records commands")
    if system.every is not None:
        words.append(f"every {system.every:g} s")
    return words


def _in_order(ctx: str, count: str, rows: str, columns: list[str]) -> list[str]:
    """The parameters or the arguments of the game's function."""
    return [ctx, count, *([rows] if rows else []), *columns]


def absent_words(optional: list[ComponentPlan], selection: SelectionPlan) -> str:
    """Which parameters of the game's function may be NULL since rows need not have them."""
    shown = {"aos": "", "soa": ".…", "sparse": "[k]" if selection.listed else "[i]"}
    names = [c.name + shown[c.kind] for c in optional if c.kind != "tag"]
    if not names:
        return ""
    return f" {', '.join(names)} {'is' if len(names) == 1 else 'are'} NULL where absent."


def called_words(has_rows: bool, selection: SelectionPlan, *, parents: bool) -> str:
    """How often, and with which rows, the game's function is called."""
    if selection.depth_order:
        follows = " …_parent has NULL where there is no parent, or it has none." if parents else ""
        return f"Called for runs of passing rows, all as deep; parents first.{follows}"
    if not has_rows:
        return "Called once a turn, with a count of 0."
    if selection.mask:
        return "Called for whole ranges; rows says which pass."
    if selection.listed:
        sparse = ", sparse values at k" if selection.gathered else ""
        where = f"columns and handles at rows[k]{sparse}"
        return f"Called for lists of passing rows, k < count: {where}."
    return "Called for runs of passing rows." if selection.by_row else "Called for whole tables."
