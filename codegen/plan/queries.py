"""Queries get their iterators here, and a view for each system that asks one for changes."""

from __future__ import annotations

from model.code import Query, Selection
from model.record import replace
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
    BeginPlan,
    EachPlan,
    GrantedCall,
    GrantedQueryPlan,
    IteratorPlan,
    QueryCallsPlan,
    QueryChangesPlan,
    QueryPlan,
    QueryRowsPlan,
    QueryRunPlan,
    ViewPlan,
)
from plan.records.selection import (
    HeadPlan,
    SelectionColumn,
    SelectionPlan,
    TagAccessPlan,
    WalkPlan,
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
from plan.walks import Walker, array_rows, make_walk, next_range

BEGIN_WITH_READER = (
    "Begins an iteration that shows what was added, changed or removed since the last one. Two "
    "places that begin it take each other's turns, so that neither is shown everything: give each "
    "of them a query of its own."
)
BEGIN_WRITING = "Begins an iteration that may write."
BEGIN_REFUSED = (
    "It asserts while a phase runs, and release builds refuse it and show no rows; a system that "
    "lists the query has a call of its own."
)


LISTED = "weft_listed"  # the member of an iterator that holds a list


class Queries:
    """Plans queries out of the components they select by."""

    def __init__(self, common: Common, components: dict[str, ComponentPlan]) -> None:
        self.common, self.names, self.components = common, common.names, components
        self.walker = Walker(
            cursor="&it->cursor",
            world=f"{self.names.world('world_base')}(w)",
            rows="&it->rows",  # of a mask; lists have a place that the game does not see
            count="it->count",
            pointers="it->",
            array="it->",
        )

    def query(self, query: Query) -> QueryPlan:
        names, name, selection = self.names, query.name, query.selection
        planned = self.selection(query)
        reader = self.common.changes.reader(name, True)
        rows = access_rows(self.common.model, selection)
        access = list_plan("weft_access", names.local("access", name), rows)
        views = self._views(query, planned) if reader else []
        iterator = self.iterator(planned, views)
        row, includes = _row(query, access), self._includes(query)
        return QueryPlan(
            name=name,
            page=make_page(names, name, query.doc, row, includes, [access]),
            rows=QueryRowsPlan(planned, iterator, self.optional_tags(query)),
            begin=BeginPlan(
                statements=self._begin(query, planned, iterator.walk.begin, reader),
                comment=_begin_comment(reader, selection),
                world=("" if selection.write or reader else "const ") + names.world("world"),
            ),
            calls=QueryCallsPlan(
                stem=names.stem(name),
                each=self._each(query, planned),
                run=self._run(query, planned, reader, bool(views)),
                alls=[self._all(name, self.components[ref.name]) for ref in query.all],
                head=self._head(query),
            ),
            changes=QueryChangesPlan(
                reader=reader,
                first_unseen=self.common.changes.first_unseen(name) if reader else "",
                views=views,
            ),
            granted=self._granted(query, planned, iterator.walk.begin, views),
        )

    def _granted(
        self, query: Query, planned: SelectionPlan, walk_begin: str, views: list[ViewPlan]
    ) -> GrantedQueryPlan | None:
        """Plans the calls that take a grant."""
        if query.name not in self.common.granted.queries:
            return None
        names, name = self.names, query.name
        begun = _begin_viewed(planned, walk_begin) if views else _begin(planned, walk_begin)
        world = f"{names.world('world_of')}(grant.door)"
        begin = [f"{names.query(name, 'iter')} it;", *begun, "return it;"]
        if query.selection.write and not views:
            begin = [f"{names.world('world')} *w = {world};", *begin]
        elif not views:
            begin = [f"return {names.query(name, 'begin')}({world});"]
        entity = names.world("entity")
        asked = [("size_t ", "count", ""), (f"{entity} ", "only", ""), ("bool ", "passes", "e")]
        calls = [GrantedCall(f"{names.query(name, 'iter')} ", "begin", "", begin)]
        for result, verb, given in asked:
            more = f", {given}" if given else ""
            body = [f"return {names.query(name, verb)}({world}{more});"]
            if views:
                body = self._viewed(planned, views, verb)
            calls.append(GrantedCall(result, verb, f", {entity} e" if given else "", body))
        what = "These ask the query inside a system that lists it, or a hook, with its grant."
        if views:
            what = (
                "These ask the query inside a system that lists it, with its grant. They show what "
                "has changed since the last turn of the system."
            )
        return GrantedQueryPlan(
            reader=names.query(name, "reader"),
            comment=what,
            calls=[replace(call, name=names.query(name, f"{call.name}_in")) for call in calls],
        )

    def _viewed(self, planned: SelectionPlan, views: list[ViewPlan], verb: str) -> list[str]:
        """Returns the body of a call that asks for the changes that a system sees."""
        names, query = self.names, planned.query.constant
        lines = [
            "const weft_view seen = weft_granted_view(grant.door);",
            "const weft_world *world = seen.world;",
        ]
        if verb != "passes":
            lines.append(f"const weft_query *query = &world->queries[{query}];")
        none = {"count": "0", "only": f"{names.world('entity_of')}(0)", "passes": "false"}[verb]
        lines.append("switch (seen.number) {")
        for view in views:
            found = f"weft_query_{verb}(world, query, {view.match}, {view.filter_name})"
            if verb == "only":
                found = f"{names.world('entity_of')}({found})"
            if verb == "passes":
                format = names.world("entity_format")
                found = f"weft_query_passes(world, {format}, {query}, {view.filter_name}, e.bits)"
            lines += [f"case {view.number}:", f"    return {found};"]
        return [*lines, "default:", f"    return {none};", "}"]

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

    def iterator(self, selection: SelectionPlan, views: list[ViewPlan]) -> IteratorPlan:
        walk = make_walk(selection, self._walker(selection), self.names)
        return IteratorPlan(
            loop=_loop(selection),
            count=f"it->{LISTED}.count" if selection.ranges.listed else "it->cursor.count",
            members=_members(selection, bool(views)),
            next=_next(walk.next, views, lends=bool(selection.lent)),
            walk=walk,
            columns=_columns(selection),
            again=_again(selection, walk),
            marks=[*walk.marks, *_lends(selection, self._walker(selection).rows)],
        )

    def _begin(
        self, query: Query, planned: SelectionPlan, walk_begin: str, reader: str
    ) -> list[str]:
        """Returns the statements of begin. A walk that is refused has no rows."""
        world, call = self.walker.world, self.names.query(query.name, "begin")
        may = [f'!weft_busy({world}, "{call}" WEFT_LISTED)'] if query.selection.write else []
        may += [f"weft_turn_show({world}, {reader})"] if reader else []
        shows = [f"bool shown = {' && '.join(may)};"] if may else []
        keeps = ["if (!shown) weft_cursor_keep_to_none(&it.cursor);"] if may else []
        view = ["it.weft_view = 0;"] if self._users(query) and reader else []
        loan = loan_of(planned, "WEFT_LENDS")
        return [*shows, start(walk_begin), *keeps, *loan, "it.count = 0;", *view]

    def _each(self, query: Query, planned: SelectionPlan) -> EachPlan:
        found = roles(query.selection, self.components)
        tags = [tag.component for tag in self.optional_tags(query)]
        columns = [column.declaration for column in planned.columns]
        return make_each(self.names, planned, list(zip(found, columns, strict=True)), tags)

    def _run(
        self, query: Query, selection: SelectionPlan, reader: str, has_views: bool
    ) -> QueryRunPlan:
        walker = replace(self._walker(selection), world="run->world")
        walk = make_walk(selection, walker, self.names)
        keep = "weft_cursor_keep_to(&it.cursor, part);"
        view = ["it.weft_view = 0;"] if has_views else []
        world = self.walker.world
        show = [f"if (!weft_turn_show({world}, {reader})) return WEFT_BUSY;"] if reader else []
        return QueryRunPlan(
            part=[start(walk.begin), keep, *loan_of(selection, "0"), "it.count = 0;", *view],
            before=[*show, *orders_of(selection, world)],
            unit_rows=unit_rows(selection, False),
        )

    def _views(self, query: Query, planned: SelectionPlan) -> list[ViewPlan]:
        """Plans how each system that lists the query sees the changes that it asks for."""
        return [
            self._view(query.name, query.selection, planned, system, number)
            for number, system in enumerate(self._users(query), 1)
        ]

    def _users(self, query: Query) -> list[str]:
        """Lists the systems that may ask a query."""
        systems = self.common.model.code.systems.values()
        return [s.name for s in systems if query.name in {ref.name for ref in s.reach.queries}]

    def _view(
        self, query: str, selection: Selection, planned: SelectionPlan, system: str, number: int
    ) -> ViewPlan:
        common, names = self.common, self.names
        shown = common.changes.shown(system, False)
        compiled = make_filter(common.model, names, common.calls, selection, shown)
        own = (names.view(query, system, verb) for verb in ("match", "filter"))
        functions = filter_functions(common, compiled, *own)
        match, filter_name = match_given(functions), filter_given(functions)
        return ViewPlan(
            system=system,
            number=number,
            match=match,
            filter_name=filter_name,
            functions=functions,
            next=next_range(planned, self._walker(planned), match, filter_name),
        )

    def _walker(self, selection: SelectionPlan) -> Walker:
        rows = f"&it->{LISTED}" if selection.ranges.listed else self.walker.rows
        return replace(self.walker, rows=rows)


def orders_of(selection: SelectionPlan, world: str) -> list[str]:
    return [
        f"weft_sparse_rows_ready({world}, &{world}->queries[{one.query}], {one.store}, "
        f"{one.column}, {one.listed});"
        for one in selection.orders
    ]


def _row(query: Query, access: ListPlan) -> dict[str, str]:
    return {
        "name": text.string_literal(query.name),
        "doc": text.string_literal(query.doc),
        "where": text.string_pointer(where_text(query.selection)),
        "access_count": str(len(access.items)),
        "access": access.name,
    }


def _loop(selection: SelectionPlan) -> str:
    if selection.ranges.mask:
        return "for (uint32_t i; weft_next(&it.rows, &i);)"
    if selection.ranges.listed:
        return "for (uint32_t k = 0; k < it.count; k++) … it.rows[k]"
    return "for (uint32_t i = 0; i < it.count; i++)"


def _members(selection: SelectionPlan, has_views: bool) -> list[tuple[str, str]]:
    """Returns the members of an iterator behind its count and handles."""
    members = [(column.declaration, column.use.comment) for column in selection.columns]
    if selection.ranges.mask:
        members.append(("weft_rows rows", "says which of the range are rows of the query"))
    if selection.ranges.listed:
        sparse = ", sparse ones by k" if selection.gathered else ""
        members.append(("const uint32_t *rows", f"columns go by rows[k]{sparse}"))
    members.append(("weft_cursor cursor", "not for the game"))
    if selection.ranges.listed:
        members.append((f"weft_list {LISTED}", "likewise"))
    if has_views:
        members.append(
            ("uint32_t weft_view", "the system that it shows changes to; not for the game")
        )
    return members + [
        (f"{column.element}{column.array}[{array_rows(selection)}]", "not for the game")
        for column in selection.gathered
    ]


def _begin_comment(reader: str, selection: Selection) -> list[str]:
    if not reader and not selection.write:
        return []
    return [f"{BEGIN_WITH_READER if reader else BEGIN_WRITING} {BEGIN_REFUSED}"]


def start(walk_begin: str) -> str:
    """Returns the statement that begins the walk of an iterator that is no pointer."""
    return walk_begin.replace("&it->", "&it.")


def _begin(selection: SelectionPlan, walk_begin: str) -> list[str]:
    """Returns the statements by which a system begins a query that writes."""
    return [start(walk_begin), *loan_of(selection, "0"), "it.count = 0;"]


def _begin_viewed(selection: SelectionPlan, walk_begin: str) -> list[str]:
    """Returns those that begin a query of changes, which each system sees by itself."""
    query = f"&seen.world->queries[{selection.query.constant}]"
    return [
        "const weft_view seen = weft_granted_view(grant.door);",
        f"weft_cursor_begin(&it.cursor, seen.world, {query});",
        *loan_of(selection, "0"),
        "it.count = 0;",
        "it.weft_view = seen.number;",
    ]


def loan_of(selection: SelectionPlan, loan: str) -> list[str]:
    """Returns the statement that says whether a walk that begins lends its rows."""
    return [f"it.cursor.loan = {loan};"] if selection.lent else []


def _again(selection: SelectionPlan, walk: WalkPlan) -> list[str]:
    """Marks the rows of the step before once more; those that are lent are marked all the time."""
    why = " // the rows of the step before, which may have been written since"
    marks = list(zip(selection.marked, walk.marks, strict=True))
    lent = [f"    {mark}{why}" for change_set, mark in marks if change_set in selection.lent]
    others = [f"{mark}{why}" for change_set, mark in marks if change_set not in selection.lent]
    if lent:
        lent = ["if (weft_cursor_lent_none(&it->cursor)) {", *lent, "}"]
    return [*others, *lent]


def _lends(selection: SelectionPlan, rows: str) -> list[str]:
    sets, ranges = selection.lent, selection.ranges
    if not sets:
        return []
    given = f"weft_lent, {len(sets)}"
    call = f"weft_cursor_lend(&it->cursor, {given});"
    if ranges.mask:
        call = f"weft_cursor_lend_rows(&it->cursor, {given});"
    if ranges.listed:
        call = f"weft_cursor_lend_list(&it->cursor, {rows}, {given});"
    return [f"static const uint16_t weft_lent[] = {{{', '.join(sets)}}};", call]


def _next(step: str, views: list[ViewPlan], lends: bool) -> list[str]:
    """Returns the statements that step to the next range, for the system that it shows to."""
    end = "return weft_cursor_end(&it->cursor);" if lends else "return false;"
    if not views:
        return [f"if (!{step}) {end}"]
    cases: list[str] = []
    for view in views:
        cases += [f"case {view.number}:", f"    more = {view.next};", "    break;"]
    default = ["default:", f"    more = {step};", "    break;"]
    return [
        "bool more;",
        "switch (it->weft_view) {",
        *cases,
        *default,
        "}",
        f"if (!more) {end}",
    ]


def _columns(selection: SelectionPlan) -> list[str]:
    """Returns the statements that set the columns and declare the row of a mask."""

    def value(column: SelectionColumn) -> str:
        sparse = column.sparse
        if sparse and sparse.values:
            return f"({sparse.element}const *)it->cursor.values"
        return f"it->{sparse.array}" if sparse else column.argument

    row = ["uint32_t i;"] if selection.gathered and selection.ranges.mask else []
    rows = [f"it->rows = it->{LISTED}.row;"] if selection.ranges.listed else []
    return [*rows, *(f"it->{c.name} = {value(c)};" for c in selection.columns), *row]
