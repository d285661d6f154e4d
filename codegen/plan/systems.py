"""Systems are planned in the order they run, with their rows and what they may reach."""

from __future__ import annotations

from dataclasses import replace

from model.model import Expr, Op, System
from model.states import once_in, once_words
from plan import text
from plan.bodies import Used, make_body
from plan.code_records import (
    AlonePlan,
    DirtyPlan,
    HeadPlan,
    ParentPlan,
    PassPlan,
    RunningPlan,
    SelectionColumn,
    SelectionPlan,
    SystemPlan,
)
from plan.common import Common
from plan.components import due_flag
from plan.data_records import ComponentPlan
from plan.grants import Grants, Parts
from plan.heads import column_parameter, parameter, system_head
from plan.lists import NONE, ListPlan, list_plan, table_plan
from plan.records import BufferPlan, PhasePlan
from plan.relations import TAG_ELEMENT, parent_columns
from plan.running import (
    TagWrites,
    Turn,
    has_rows,
    make_running,
    orders_of,
    unit_rows,
    with_team,
)
from plan.schedule import segments_of
from plan.selections import (
    Binding,
    Request,
    access_of,
    access_rows,
    make_columns_of,
    make_selection,
    roles,
    selection_words,
    where_text,
)
from schedule import Pass, PhaseSchedule

# The function of the game gets its rows so, by the word of the schema.
ROWS_PARAMETER = {"": "", "mask": "weft_rows rows", "list": "const uint32_t *WEFT_RESTRICT rows"}
ROWS_ARGUMENT = {"": "", "mask": "rows", "list": "rows.row"}


# Others see the tags that a system writes at this time, by whether it is parallel.
TAGS_WRITTEN = {False: "behind the current range", True: "when all parts have ended"}


class Systems:
    """Plans systems out of the parts they use."""

    def __init__(self, common: Common, parts: Parts) -> None:
        self.common, self.model, self.names = common, common.model, common.names
        self.parts, self.grants = parts, Grants(common, parts)
        self.pass_count = 0  # of the phases that are planned

    def phases(self) -> list[PhasePlan]:
        phases = []
        number = 0  # of the first segment
        for index, schedule in enumerate(self.common.schedule):
            phases.append(self._phase(schedule, index, number))
            number += len(segments_of(schedule))
        return phases

    def _phase(self, phase: PhaseSchedule, index: int, number: int) -> PhasePlan:
        planned = {system.name: self._system(system) for system in phase.systems}
        passes = [self._pass(one, planned) for one in phase.passes]
        for number_in_world, one in enumerate(passes, self.pass_count):
            planned[one.systems[0]] = _leading(planned[one.systems[0]], number_in_world)
        self.pass_count += len(passes)
        behind = {name for one in passes for name in one.systems[1:]}
        statements: list[str] = []
        in_parallel = False
        for i, segment in enumerate(segments_of(phase)):
            systems = [planned[system.name] for system in segment]
            shared = len(phase.steps_of(segment)) < len(systems)
            shared = shared or any(system.parallel for system in systems)
            in_parallel = in_parallel or shared
            statements += [FLUSH] if i else []
            statements += _calls(systems, behind, number + i if shared else None)
        return PhasePlan(
            phase.name,
            index,
            self.names.run(phase.name),
            list(planned.values()),
            {s.name: number + i for i, group in enumerate(segments_of(phase)) for s in group},
            in_parallel,
            passes,
            statements,
        )

    def _pass(self, fused: Pass, planned: dict[str, SystemPlan]) -> PassPlan:
        systems = [planned[system.name] for system in fused.systems]
        lead, alike = systems[0], {tuple(system.selection.matches_body) for system in systems}
        decides = dict.fromkeys(f"{system.selection.matches_name}(table)" for system in systems)
        own = len(alike) > 1
        keys = {system.selection.key for system in systems}
        return PassPlan(
            systems=[system.name for system in systems],
            constant=self.names.number("pass", lead.name) if own else lead.selection.constant,
            matches_name=self.names.local("fused", lead.name) if own else "",
            matches_body=[f"return {' || '.join(decides)};"],
            key=keys.pop() if len(keys) == 1 else NONE,
            unit_rows=max(system.unit_rows for system in systems),
            block_rows=fused.block_rows,
        )

    def _system(self, system: System) -> SystemPlan:
        names, name = self.names, system.name
        selection, used = self._selection(system), self._used(system)
        parents = parent_columns(system, names, self.parts.components)
        running = self._running(system, selection, used)
        return SystemPlan(
            name=name,
            function=names.system(name),
            ctx=names.system(name, "ctx"),
            ctx_members=self.grants.members(system, used),
            dt_comment="since it last ran" if system.every is not None else "of this tick",
            row_at_hand="row i = rows[k]" if selection.listed else "row i",
            write_comment=TAGS_WRITTEN[system.parallel],
            running=running,
            body=make_body(system, names, selection, parents, used),
            phase=system.phase.name,
            doc=text.comment_lines(system.doc),
            header=names.header(name),
            guard=names.guard(name),
            includes=self._includes(system),
            parameters=self._parameters(system, parents),
            arguments=_arguments(system, selection, parents),
            head=self._head(system, parents),
            has_rows=has_rows(system),
            selection=selection,
            grants=self.grants.grants(system),
            order=self.parts.relations[system.order.name].constant if system.order else "",
            parents_by=self._parents_by(system),
            parallel=used.writes.parallel,
            unit_rows=self._unit_rows(system, selection, used.writes),
            keeps=bool(used.buffer or used.first_stage or used.writes.columns),
            buffer=used.buffer,
            clock=names.number("clock", name) if system.every is not None else "",
            called=self._called(system, selection, parents),
            summary=system_words(system),
            row=self._row(system),
            access=self._access_table(system),
            dirty=self._dirty(system, selection),
            alone=self._alone(system, running) if self.model.world.run_systems else None,
        )

    def _alone(self, system: System, running: RunningPlan) -> AlonePlan:
        phases = [phase.name for phase in self.model.world.phases]
        calls = [f"{running.call};"]
        words = f"Runs {system.name} and nothing else, as if its phase had no other system."
        if system.every is not None:
            words += " It has its turn if it is due then."
        if system.switch:
            off = f"w->weft_off[{self.names.number('switch', system.name)}]"
            calls = [f"bool off = {off};", f"{off} = false;", *calls, f"{off} = off;"]
            words += " It runs also where it is switched off."
        if system.when:
            words += " Its when is not asked."
        if once_in(system):
            words += " It runs whether its turn is due or not."
        if system.when or once_in(system):
            calls = ["w->weft_alone = true;", *calls, "w->weft_alone = false;"]
        return AlonePlan(
            self.names.system(system.name, "run"),
            phases.index(system.phase.name),
            calls,
            words,
            bool(system.when or once_in(system)),
        )

    def _running(self, system: System, selection: SelectionPlan, used: Used) -> RunningPlan:
        when, flag = self._when(system), due_flag(system)
        turn = Turn(when, f"{self._world()}->{flag}" if flag else "")
        return make_running(system, self.names, selection, used.hears, used.writes, turn)

    def _world(self) -> str:
        return f"(({self.names.world('world')} *)world)"

    def _when(self, system: System) -> str:
        """Returns the C expression that lets the turn of a system come, "" if it always does."""
        parts = [f"{self._world()}->{due_flag(system)}"] if once_in(system) else []
        parts += [self._asks(system, system.when)] if system.when else []
        if not parts:
            return ""
        when = parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"
        if self.model.world.run_systems:
            when = f"({self._world()}->weft_alone || {when})"
        return when

    def _asks(self, system: System, when: Expr) -> str:
        changes = self.common.changes
        unseen = {
            view.watch.component: f"weft_singleton_unseen(world, {changes.constant(view.unseen)}, "
            f"{changes.constant(view.incoming)})"
            for view in changes.readers.of(system.name, False)
        }
        atoms = {atom.atom: self._is(atom) for atom in when.atoms() if atom.op is Op.IS}
        atoms |= {f"changed({name})": flags for name, flags in unseen.items()}
        return _in_c(when, atoms)

    def _is(self, atom: Expr) -> str:
        assert atom.ref is not None and atom.value is not None
        value = self.names.enum_value(atom.ref.name, atom.value.name)
        return f"({self._world()}->{atom.ref.name}.now == {value})"

    def _parents_by(self, system: System) -> str:
        by = system.parents_by if system.parent else None
        return self.parts.relations[by.name].constant if by else ""

    def _dirty(self, system: System, selection: SelectionPlan) -> DirtyPlan | None:
        """Plans which changes make rows dirty, if its `where` asks about those of parents."""
        if not selection.dirty:
            return None
        changes, asked = self.common.changes, selection.filter
        shown, written = changes.shown(system.name, False), system.selection.write
        parents = [
            {
                "unseen": shown["changed", name],
                "incoming": changes.incoming("changed", name)
                if name in {ref.name for ref in written}
                else NONE,
            }
            for name in asked.parents
        ]
        changed = self.names.local("changed_sets", system.name)
        above = self.names.local("parent_sets", system.name)
        return DirtyPlan(
            unchanged="true" if asked.unchanged else "false",
            changed=list_plan("uint16_t", changed, list(asked.changed)),
            parents=table_plan("weft_changed_parent_plan", above, parents),
        )

    def _used(self, system: System) -> Used:
        singletons, events = self.parts.singletons, self.parts.events
        read = [("const ", singletons[ref.name]) for ref in system.singletons_read]
        written = [singletons[ref.name] for ref in system.singletons_write]
        changes = self.common.changes
        return Used(
            singletons=read + [("", singleton) for singleton in written],
            resources=[
                *(("const ", self.parts.resources[ref.name]) for ref in system.resources_read),
                *(("", self.parts.resources[ref.name]) for ref in system.resources_write),
            ],
            states=[
                (ref.name, state)
                for ref in (*system.states_read, *system.states_write)
                if (state := singletons[ref.name].state)
            ],
            changed=[s.changed for s in written if s.changed],
            hears=events.hears(system),
            removed=changes.removed(system, self.parts.components),
            buffer=self.names.number("buffer", system.name) if system.commands else "",
            first_stage=events.first_stage(system),
            writes=self._tag_writes(system),
        )

    def _tag_writes(self, system: System) -> TagWrites:
        by_slot = sorted(self.grants.written_tags(system), key=lambda tag: tag.slot)
        return TagWrites(
            columns=[tag.component.column for tag in by_slot],
            reader=self.common.changes.reader(system.name, False),
            parallel=self.names.number("parallel", system.name) if system.parallel else "",
        )

    def _unit_rows(self, system: System, selection: SelectionPlan, writes: TagWrites) -> int:
        touches = self.grants.touches(system)
        return unit_rows(selection, bool(writes.columns or writes.reader or touches))

    def _selection(self, system: System) -> SelectionPlan:
        names, name = self.names, system.name
        match, filter_name, matches = (
            names.local(function, name) for function in ("match", "filter", "matches")
        )
        request = Request(
            selection=system.selection,
            columns=self._columns(system),
            functions=(match, filter_name, matches),
            constant=names.number("query", name),
            shown=self.common.changes.shown(name, False),
            writes_tags=bool(self.grants.written_tags(system)),
            depth_order=names.number("depth_order", name) if system.order else "",
            parents=bool(system.parent),
        )
        return make_selection(self.common, request)

    def _columns(self, system: System) -> list[SelectionColumn]:
        marks = system.marks != "explicit"
        binding = Binding("at.table", "at.first", self._reached(system), marks)
        return make_columns_of(system.selection, self.common, self.parts.components, binding)

    def _reached(self, system: System) -> frozenset[str]:
        """Names the components that a system reaches in other ways than by its columns."""
        reached = {ref.name for ref in system.lookup_read + system.lookup_write + system.parent}
        for ref in system.queries:
            inside = self.model.queries[ref.name].selection
            reached |= {r.name for r in inside.read + inside.write + inside.optional}
        reached |= {self.model.indexes[ref.name].of.name for ref in system.indexes}
        return frozenset(reached)

    def _head(self, system: System, parents: list[ParentPlan]) -> HeadPlan | None:
        if not self.model.writes_fields(system.selection):
            return None
        reached, columns = self._reached(system), self._columns(system)
        by_role = roles(system.selection, self.parts.components)
        return system_head(
            self.names,
            system.name,
            [
                parameter(f"const {self.names.system(system.name, 'ctx')} *ctx", "ctx"),
                parameter("uint32_t count", "count"),
                *(
                    column_parameter(role, column.parameter, column.name not in reached)
                    for role, column in zip(by_role, columns, strict=True)
                ),
                *(
                    parameter(parent.parameter, self.names.parent(ref.name))
                    for parent, ref in zip(parents, system.parent, strict=True)
                ),
            ],
        )

    def _parameters(self, system: System, parents: list[ParentPlan]) -> list[str]:
        """Returns the parameters of the game's function."""
        columns = [column.parameter for column in self._columns(system)]
        columns += [parent.parameter for parent in parents]
        rows = ROWS_PARAMETER[system.selection.rows]
        context = f"const {self.names.system(system.name, 'ctx')} *ctx"
        return [context, "uint32_t count", *([rows] if rows else []), *columns]

    def _called(self, system: System, selection: SelectionPlan, parents: list[ParentPlan]) -> str:
        optional = [self.parts.components[ref.name] for ref in system.selection.optional]
        return called_words(system, selection, parents) + absent_words(optional, selection)

    def _access_table(self, system: System) -> ListPlan:
        name = self.names.local("access", system.name)
        return list_plan("weft_access", name, self._access(system))

    def _row(self, system: System) -> dict[str, str]:
        access = self._access_table(system)
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

    def _includes(self, system: System) -> list[str]:
        selection = system.selection
        used = [
            *(selection.read + selection.write + selection.optional),
            *(system.singletons_read + system.singletons_write),
            *(system.resources_read + system.resources_write),
            *(system.lookup_read + system.lookup_write),
            *system.lookup_relations,
            *system.queries,
            *system.indexes,
            *(system.emits + system.hears),
            *(removal.component for removal in system.removed),
            *system.parent,
        ]
        states = [f"{ref.name}_state" for ref in (*system.states_read, *system.states_write)]
        once = dict.fromkeys([*(ref.name for ref in used), *states])
        return [self.names.header(name) for name in once]

    def _access(self, system: System) -> list[str]:
        component, singleton = list(self.parts.components).index, list(self.parts.singletons).index
        event = list(self.model.events).index
        relation = list(self.parts.relations).index
        order = (system.order,) if system.order else ()
        lost = tuple(removal.component for removal in system.removed)
        links = tuple(ref for ref in lost if ref.name in self.model.relation_tags)
        return [
            *access_rows(self.model, system.selection),
            *access_of("LOOKUP_READ", system.lookup_read, component),
            *access_of("LOOKUP_WRITE", system.lookup_write, component),
            *access_of("SINGLETON_READ", system.singletons_read + system.states_read, singleton),
            *access_of("SINGLETON_WRITE", system.singletons_write + system.states_write, singleton),
            *access_of("QUERY", system.queries, list(self.parts.queries).index),
            *access_of("EMITS", system.emits, event),
            *access_of("HEARS", system.hears, event),
            *access_of("REMOVED", tuple(ref for ref in lost if ref not in links), component),
            *access_of("ORDER", order, relation),
            *access_of("PARENT", system.parent, component),
            *access_of("LOOKUP_RELATION", system.lookup_relations, relation),
            *access_of("REMOVED_RELATION", links, relation),
        ]


_IN_C = {Op.AND: " && ", Op.OR: " || ", Op.XOR: " ^ "}  # of bools, by the operators of schemas


def _in_c(when: Expr, atoms: dict[str, str]) -> str:
    """Writes an expression in C, so that a `!` may stand before it."""
    if when.ref is not None:
        return atoms[when.atom]
    parts = [_in_c(operand, atoms) for operand in when.operands]
    return f"!{parts[0]}" if when.op is Op.NOT else f"({_IN_C[when.op].join(parts)})"


def _by(system: System) -> str:
    return "" if system.order or not system.parents_by else f" by {system.parents_by.name}"


# The commands recorded so far in the phase are applied here.
FLUSH = "begun = weft_phase_flush(&w->world, begun);"


def _leading(system: SystemPlan, number: int) -> SystemPlan:
    """Lets a system begin the pass of a number when its phase runs; alone it runs as before."""
    running = system.running
    code = running.code.removesuffix("}") + f", .pass = &passes[{number}]}}"
    call = running.call.replace("weft_parallel_run(", "weft_pass_run(")
    return replace(system, running=replace(running, code=code, call=call))


def _calls(systems: list[SystemPlan], behind: set[str], segment: int | None) -> list[str]:
    """Returns the statements that run a segment; its number is given if parts of it are shared.

    Systems behind the first of a pass have no call of their own.
    """
    walked = [system.selection for system in systems]
    walked += [q.query.selection for system in systems for q in system.grants.queries]
    orders = list(dict.fromkeys(order for walk in walked for order in orders_of(walk)))
    calls = [f"{system.running.call};" for system in systems if system.name not in behind]
    return calls if segment is None else with_team(calls, orders, segment)


def buffers_of(phase: PhasePlan) -> list[BufferPlan]:
    """Returns the buffers in which systems record commands, in the order they run."""
    recording = [system for system in phase.systems if system.buffer]
    segments = phase.segment_of
    return [BufferPlan(s.buffer, str(segments[s.name]), bool(s.parallel)) for s in recording]


def system_words(system: System) -> str:
    """Says what a system may touch, for comments."""
    parts = (
        (f"reads {{}} of parents{_by(system)}", system.parent),
        ("looks up {}", system.lookup_read + system.lookup_relations),
        ("looks up and writes {}", system.lookup_write),
        ("reads singleton {}", system.singletons_read),
        ("writes singleton {}", system.singletons_write),
        ("reads resource {}", system.resources_read),
        ("writes resource {}", system.resources_write),
        ("reads state {}", system.states_read),
        ("changes state {}", system.states_write),
        ("iterates {}", system.queries),
        ("asks {}", system.indexes),
        ("emits {}", system.emits),
        ("hears {}", system.hears),
        ("reads removals of {}", [removal.component for removal in system.removed]),
    )
    words = [does.format(", ".join(ref.name for ref in refs)) for does, refs in parts if refs]
    if system.order:
        words.insert(0, f"goes from parents to children by {system.order.name}")
    if system.commands:
        words.append("records commands")
    if system.flush:
        words.append("has commands applied before it")
    if system.switch:
        words.append("can be switched off")
    if system.every is not None:
        words.append(f"runs every {system.every:g} s")
    if once_in(system):
        words.append(once_words(system))
    if system.when:
        words.append(f"has its turn only when {system.when.text}")
    rows = selection_words(system.selection) or "is called once a turn"
    return "; ".join([rows, *words])


def _arguments(system: System, selection: SelectionPlan, parents: list[ParentPlan]) -> list[str]:
    """Returns the arguments of the game's function for a range of rows."""
    columns = [column.argument for column in selection.columns]
    columns += [parent.array for parent in parents]
    rows = ROWS_ARGUMENT[system.selection.rows]
    count = "rows.count" if system.selection.rows == "list" else "at.count"
    return ["&ctx", count, *([rows] if rows else []), *columns]


def absent_words(optional: list[ComponentPlan], selection: SelectionPlan) -> str:
    """Says which parameters of the game's function may be NULL."""
    shown = {"aos": "", "soa": ".…", "sparse": "[k]" if selection.listed else "[i]"}
    names = [c.name + shown[c.kind] for c in optional if c.kind != "tag"]
    if not names:
        return ""
    return f" {', '.join(names)} {'is' if len(names) == 1 else 'are'} NULL where absent."


def parent_words(parents: list[ParentPlan], listed: bool = False) -> list[str]:
    """Says what the parameters about parents hold where there is no parent."""
    i = "k" if listed else "i"
    tags = [parent for parent in parents if parent.element == TAG_ELEMENT]
    values = f"…_parent[{i}] is NULL for a row without a parent, or whose parent has none."
    bools = f"For a tag …_parent[{i}] tells whether the parent has it, false without a parent."
    return [*([values] if len(tags) < len(parents) else []), *([bools] if tags else [])]


def called_words(system: System, selection: SelectionPlan, parents: list[ParentPlan]) -> str:
    """Says how often, and with which rows, the game's function is called."""
    if selection.depth_order:
        depth = "It is called for runs of rows of one depth, parents before their children."
        return " ".join([depth, *parent_words(parents)])
    if not has_rows(system):
        return "It is called once a turn, with a count of 0."
    return " ".join([_rows_words(selection, parents), *parent_words(parents, selection.listed)])


def _rows_words(selection: SelectionPlan, parents: list[ParentPlan]) -> str:
    if selection.mask:
        return "It is called for whole ranges, and rows says which of their rows pass."
    if selection.listed:
        sparse = ", sparse values at k" if selection.gathered else ""
        sparse = ", what is of parents or sparse at k" if parents else sparse
        where = f"columns and handles are at rows[k]{sparse}, for each k below count"
        return f"It is called for lists of rows: {where}."
    rows = "runs of rows" if selection.by_row else "whole tables"
    return f"It is called for {rows}."
