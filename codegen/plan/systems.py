"""Plans systems with their rows and their access."""

from __future__ import annotations

from typing import TypeVar

from model.code import Access, System
from plan import text
from plan.access import access_of_system
from plan.common import Common
from plan.edges import make_edges, make_partial
from plan.grants import Grants, Parts
from plan.heads import column_parameter, parameter, system_head
from plan.inlined import make_inline
from plan.lists import NONE, ListPlan, list_plan, table_plan
from plan.overs import make_over
from plan.pages import make_page
from plan.records.over import OverPlan
from plan.records.page import PagePlan
from plan.records.selection import HeadPlan, SelectionColumn, SelectionPlan
from plan.records.system import (
    ContextPlan,
    DirtyPlan,
    FunctionPlan,
    LoopPlan,
    ParentPlan,
    SystemPlan,
    UsedPlan,
)
from plan.relations import parent_columns
from plan.selections import (
    Binding,
    QueryNames,
    Request,
    TurnRows,
    make_columns_of,
    make_selection,
    roles,
    unit_rows,
    where_text,
)
from plan.structs import Structs
from plan.system_words import absent_words, called_words, system_words
from plan.turns import make_turns

# The parameter for rows of the game's function, by the value of `rows` in the schema.
ROWS_PARAMETER = {"": "", "mask": "weft_rows rows", "list": "const uint32_t *WEFT_RESTRICT rows"}
ROWS_ARGUMENT = {"": "", "mask": "rows", "list": "rows.row"}


Kept = TypeVar("Kept")  # anything that a world stores once


class Systems:
    """Plans systems from the parts that they use."""

    def __init__(self, common: Common, parts: Parts) -> None:
        self.common, self.model, self.names = common, common.model, common.names
        self.parts, self.grants = parts, Grants(common, parts)
        self.structs = Structs(common)

    def plan(self, system: System) -> SystemPlan:
        names, name = self.names, system.name
        selection, used = self._selection(system), self._used(system)
        parents = parent_columns(system, names, self.parts.components)
        over = make_over(system, self.common, self.parts)
        partial = make_partial(system, names, self.structs)
        edges = make_edges(system, names, partial)
        stretches = used.tags_written or used.reader or self.grants.touches(system)
        return SystemPlan(
            name=name,
            constant=names.number("system", name),
            page=self._page(system),
            function=self._function(system, selection, parents, over),
            context=self._context(system, used),
            used=used,
            loop=LoopPlan(
                selection=selection,
                parents=parents,
                parents_by=self._parents_by(system),
                flags=[] if system.loop.parallel else used.flags,
                order=self.parts.relations[system.loop.tree.order.name].constant
                if system.loop.tree.order
                else "",
                dirty=self._dirty(system, selection),
                parallel=names.number("parallel", name) if system.loop.parallel else "",
                over=over,
                unit_rows=unit_rows(selection, bool(stretches)),
                keeps=bool(used.buffer or used.stages or used.tags_written or used.partial),
            ),
            turns=make_turns(self.common, system, used, edges),
        )

    def _page(self, system: System) -> PagePlan:
        access = self._access_table(system)
        row, includes = self._row(system, access), self._includes(system)
        return make_page(self.names, system.name, system.doc, row, includes, [access])

    def _function(
        self,
        system: System,
        selection: SelectionPlan,
        parents: list[ParentPlan],
        over: OverPlan | None,
    ) -> FunctionPlan:
        parameters = self._parameters(system, selection, parents)
        parameters += over.parameters if over else []
        head = self._head(system, selection, parents)
        return FunctionPlan(
            name=self.names.system(system.name),
            parameters=parameters,
            arguments=["count", *over.arguments]
            if over
            else _arguments(system, selection, parents),
            called=self._called(system, selection, parents),
            head=head,
            inline=make_inline(system, self.names, parameters, head, self.parts.components),
        )

    def _context(self, system: System, used: UsedPlan) -> ContextPlan:
        return ContextPlan(
            type=self.names.system(system.name, "ctx"),
            doors=self.grants.doors(system),
            rows=self.grants.rows(system),
            buffer=used.buffer,
            summary=system_words(system),
        )

    def _parents_by(self, system: System) -> str:
        by = system.loop.tree.by if system.loop.tree.parent else None
        return self.parts.relations[by.name].constant if by else ""

    def _dirty(self, system: System, selection: SelectionPlan) -> DirtyPlan | None:
        """Plans which changes make rows dirty, if `where` tests changes of parents."""
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

    def _used(self, system: System) -> UsedPlan:
        names, events, reach = self.names, self.parts.events, system.reach
        singletons, resources = self.parts.singletons, self.parts.resources
        tags = sorted(self.grants.written_tags(system), key=lambda tag: tag.slot)
        return UsedPlan(
            singletons=_by_access(reach.singletons, singletons),
            resources=_by_access(reach.resources, resources),
            states=[
                (ref.name, state)
                for ref in (*reach.states.read, *reach.states.write)
                if (state := singletons[ref.name].state)
            ],
            hears=events.hears(system),
            removed=self.common.changes.removed(system, self.parts.components),
            stages=[r.name for r in system.messages.emits if events.is_heard(r.name)],
            tags_written=[tag.component.storage.column for tag in tags],
            reader=self.common.changes.reader(system.name, False),
            buffer=names.number("buffer", system.name) if system.messages.commands else "",
            partial=names.partial(system.name) if system.loop.partial else "",
        )

    def _selection(self, system: System) -> SelectionPlan:
        names, name = self.names, system.name
        request = Request(
            selection=system.selection,
            columns=self._columns(system),
            names=QueryNames(
                constant=names.number("query", name),
                match=names.local("match", name),
                filter=names.local("filter", name),
                matches=names.local("matches", name),
            ),
            shown=self.common.changes.shown(name, False),
            turn=TurnRows(
                depth_order=names.number("depth_order", name) if system.loop.tree.order else "",
                parents=bool(system.loop.tree.parent),
                writes_tags=bool(self.grants.written_tags(system)),
            ),
        )
        return make_selection(self.common, request)

    def _columns(self, system: System) -> list[SelectionColumn]:
        marks = system.loop.marks != "explicit"
        binding = Binding("at.table", "at.first", self._reached(system), marks)
        return make_columns_of(system.selection, self.common, self.parts.components, binding)

    def _reached(self, system: System) -> frozenset[str]:
        """Names the components that a system accesses in other ways than by its columns."""
        reached = {
            ref.name
            for ref in system.reach.lookup.read
            + system.reach.lookup.write
            + system.loop.tree.parent
        }
        for ref in system.reach.queries:
            inside = self.model.code.queries[ref.name].selection
            reached |= {r.name for r in inside.read + inside.write + inside.optional}
        reached |= {self.model.code.indexes[ref.name].of.name for ref in system.reach.indexes}
        return frozenset(reached)

    def _head(
        self, system: System, selection: SelectionPlan, parents: list[ParentPlan]
    ) -> HeadPlan | None:
        if not self.model.writes_fields(system.selection):
            return None
        reached, columns = self._reached(system), selection.columns
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
                    for parent, ref in zip(parents, system.loop.tree.parent, strict=True)
                ),
            ],
            bool(system.loop.inline),
        )

    def _parameters(
        self, system: System, selection: SelectionPlan, parents: list[ParentPlan]
    ) -> list[str]:
        """Returns the parameters of the game's function."""
        columns = [column.parameter for column in selection.columns]
        columns += [parent.parameter for parent in parents]
        rows = ROWS_PARAMETER[system.selection.rows]
        context = f"const {self.names.system(system.name, 'ctx')} *ctx"
        return [context, "uint32_t count", *([rows] if rows else []), *columns]

    def _called(self, system: System, selection: SelectionPlan, parents: list[ParentPlan]) -> str:
        optional = [self.parts.components[ref.name] for ref in system.selection.optional]
        return called_words(system, selection, parents) + absent_words(optional, selection)

    def _access_table(self, system: System) -> ListPlan:
        name = self.names.local("access", system.name)
        return list_plan("weft_access", name, access_of_system(self.model, self.parts, system))

    def _row(self, system: System, access: ListPlan) -> dict[str, str]:
        phases = [phase.name for phase in self.model.world.phases]
        return {
            "name": text.string_literal(system.name),
            "doc": text.string_literal(system.doc),
            "where": text.string_pointer(where_text(system.selection)),
            "phase": str(phases.index(system.schedule.phase.name)),
            "commands": "true" if system.messages.commands else "false",
            "every_seconds": text.float_literal(system.schedule.turn.every or 0.0, "f64"),
            "access_count": str(len(access.items)),
            "access": access.name,
            **({"turn": "true"} if system.loop.turn else {}),
            **self._partial_row(system),
        }

    def _partial_row(self, system: System) -> dict[str, str]:
        if not system.loop.partial:
            return {}
        return {
            "partial_size": f"sizeof({self.names.system(system.name, 'partial')})",
            "partial_field_count": str(len(system.loop.partial.fields)),
            "partial_fields": self.names.local("fields", system.name),
        }

    def _includes(self, system: System) -> list[str]:
        selection, over = system.selection, system.loop.over
        used = [
            *(selection.read + selection.write + selection.optional),
            *(system.reach.singletons.read + system.reach.singletons.write),
            *(system.reach.resources.read + system.reach.resources.write),
            *(system.reach.lookup.read + system.reach.lookup.write),
            *system.reach.lookup.relations,
            *(system.reach.links.read + system.reach.links.write),
            *((over.link, *over.reads, *over.writes) if over else ()),
            *system.reach.queries,
            *system.reach.indexes,
            *(system.messages.emits + system.messages.hears),
            *(removal.component for removal in system.messages.removed),
            *system.loop.tree.parent,
        ]
        states = [
            f"{ref.name}_state" for ref in (*system.reach.states.read, *system.reach.states.write)
        ]
        once = dict.fromkeys([*(ref.name for ref in used), *states])
        fields = system.loop.partial.fields if system.loop.partial else ()
        headers = [*(self.names.header(name) for name in once), *self.common.types.headers(fields)]
        return list(dict.fromkeys(headers))


def _by_access(access: Access, plans: dict[str, Kept]) -> list[tuple[str, Kept]]:
    """Pairs what a system reads with "const ", and then what it writes with ""."""
    read = [("const ", plans[ref.name]) for ref in access.read]
    return read + [("", plans[ref.name]) for ref in access.write]


def _arguments(system: System, selection: SelectionPlan, parents: list[ParentPlan]) -> list[str]:
    """Returns the arguments of the game's function for a range of rows, after the context."""
    columns = [column.argument for column in selection.columns]
    columns += [parent.array for parent in parents]
    rows = ROWS_ARGUMENT[system.selection.rows]
    count = "rows.count" if system.selection.rows == "list" else "at.count"
    return [count, *([rows] if rows else []), *columns]
