"""Plans queries: their iterators, and a view for each system that reads changes from one."""

from __future__ import annotations

from model.code import Query, Selection
from plan import text
from plan.common import Common
from plan.each import make_each
from plan.filters import make_filter
from plan.heads import column_parameter, query_head
from plan.lists import ListPlan, list_plan
from plan.pages import make_page
from plan.records.data import ComponentPlan
from plan.records.query import (
    AllPlan,
    EachPlan,
    QueryChangesPlan,
    QueryPlan,
    ViewPlan,
)
from plan.records.selection import (
    HeadPlan,
    SelectionPlan,
    TagAccessPlan,
    filter_given,
    match_given,
)
from plan.selections import (
    Binding,
    QueryNames,
    Request,
    access_rows,
    filter_functions,
    make_columns_of,
    make_selection,
    roles,
    unit_rows,
    where_text,
)


class Queries:
    """Plans queries from the components that they select."""

    def __init__(self, common: Common, components: dict[str, ComponentPlan]) -> None:
        self.common, self.names, self.components = common, common.names, components

    def query(self, query: Query) -> QueryPlan:
        names, name, selection = self.names, query.name, query.selection
        planned = self.selection(query)
        reader = self.common.changes.reader(name, True)
        rows = access_rows(self.common.model, selection)
        access = list_plan("weft_access", names.local("access", name), rows)
        views = self._views(query, planned) if reader else []
        row, includes = _row(query, access), self._includes(query)
        return QueryPlan(
            name=name,
            page=make_page(names, name, query.doc, row, includes, [access]),
            stem=names.stem(name),
            selection=planned,
            optional_tags=self.optional_tags(query),
            writes=bool(selection.write),
            each=self._each(query, planned),
            unit_rows=unit_rows(planned, False),
            alls=[self._all(name, self.components[ref.name]) for ref in query.all],
            head=self._head(query),
            changes=QueryChangesPlan(
                reader=reader,
                first_unseen=self.common.changes.first_unseen(name) if reader else "",
                views=views,
            ),
            granted=names.query(name, "reader") if name in self.common.granted.queries else "",
        )

    def _includes(self, query: Query) -> list[str]:
        selection = query.selection
        columns = selection.read + selection.write + selection.optional
        used = [ref.name for ref in columns + query.all]
        return [self.names.header(name) for name in dict.fromkeys(used)]

    def _head(self, query: Query) -> HeadPlan | None:
        selection = query.selection
        if not self.common.model.writes_fields(selection):
            return None
        binding = Binding("", "", frozenset())
        columns = make_columns_of(selection, self.common, self.components, binding)
        found = [
            column_parameter(role, column.parameter, True, f"weft_it->{column.name}")
            for role, column in zip(roles(selection, self.components), columns, strict=True)
        ]
        return query_head(self.names, query.name, found)

    def optional_tags(self, query: Query) -> list[TagAccessPlan]:
        return [
            TagAccessPlan(self.names.query_tag(query.name, ref.name), self.components[ref.name])
            for ref in query.selection.optional
            if self.components[ref.name].storage.kind == "tag"
        ]

    def _all(self, query: str, component: ComponentPlan) -> AllPlan:
        names, is_tag = self.names, component.storage.kind == "tag"
        return AllPlan(
            set_all=names.query_all(query, component.name, "set_all"),
            remove_all=names.query_all(query, component.name, "remove_all"),
            component=component,
            parameter="" if is_tag else f", {names.component(component.name)} value",
            value="NULL" if is_tag else "&value",
        )

    def selection(self, query: Query) -> SelectionPlan:
        names, name = self.names, query.name
        binding = Binding("it->cursor.table", "it->cursor.first")
        request = Request(
            selection=query.selection,
            columns=make_columns_of(query.selection, self.common, self.components, binding),
            names=QueryNames(
                constant=names.number("query", name),
                match=names.query(name, "match"),
                filter=names.query(name, "filter"),
                matches=names.local("matches", name),
            ),
            shown=self.common.changes.shown(name, True),
        )
        return make_selection(self.common, request)

    def _each(self, query: Query, planned: SelectionPlan) -> EachPlan:
        found = roles(query.selection, self.components)
        tags = [tag.component for tag in self.optional_tags(query)]
        columns = [column.declaration for column in planned.columns]
        return make_each(self.names, planned, list(zip(found, columns, strict=True)), tags)

    def _views(self, query: Query, planned: SelectionPlan) -> list[ViewPlan]:
        """Plans the changes that each system which lists the query sees."""
        return [
            self._view(query.name, query.selection, planned, system, number)
            for number, system in enumerate(self._users(query), 1)
        ]

    def _users(self, query: Query) -> list[str]:
        """Lists the systems that may use a query."""
        systems = self.common.model.code.systems.values()
        return [s.name for s in systems if query.name in {ref.name for ref in s.reach.queries}]

    def _view(
        self, query: str, selection: Selection, planned: SelectionPlan, system: str, number: int
    ) -> ViewPlan:
        common, names = self.common, self.names
        shown = common.changes.shown(system, False)
        compiled = make_filter(common.model, names, common.calls, selection, shown)
        own = (names.view(query, system, verb) for verb in ("match", "filter"))
        functions = filter_functions(compiled, *own)
        match, filter_name = match_given(functions), filter_given(functions)
        return ViewPlan(
            system=system,
            number=number,
            match=match,
            filter_name=filter_name,
            functions=functions,
        )


def _row(query: Query, access: ListPlan) -> dict[str, str]:
    return {
        "name": text.string_literal(query.name),
        "doc": text.string_literal(query.doc),
        "where": text.string_pointer(where_text(query.selection)),
        "access_count": str(len(access.items)),
        "access": access.name,
    }
