"""Plans the rows and columns of queries and systems, with filters and access."""

from __future__ import annotations

from collections.abc import Callable

from model.code import Selection
from model.model import Model
from model.record import record, replace
from model.refs import Ref
from names.names import Names
from plan.common import Common
from plan.filters import Shown, make_filter
from plan.lists import NONE
from plan.records.data import ComponentPlan
from plan.records.filter import Filter
from plan.records.selection import (
    FilterFunctions,
    SelectionColumn,
    SelectionPlan,
    SparseColumn,
    TableQueryPlan,
)

WORD_ROWS = 64  # rows of a word of tags or masks
STRETCH_ROWS = 4096  # rows of a block of change bits; the longest range that writes tags
DEPTH_ROWS = 256  # rows of a unit in a parallel depth order, if nothing needs more


@record
class Role:
    """How a selection uses a component."""

    role: str  # "read", "write" or "optional"
    component: ComponentPlan
    comment: str


@record
class Binding:
    """How the columns of a selection are bound to C."""

    table: str  # C expressions of the table and of the first row of a range
    first: str
    aliased: frozenset[str] | None = None  # components reached in other ways; None: all may be
    marks: bool = True  # whether rows that may be written are marked as changed


@record
class QueryNames:
    """The C names of a query of the runtime, and of the functions that decide about its rows."""

    constant: str
    match: str
    filter: str
    matches: str


@record
class TurnRows:
    """How a system uses the rows of its turn, besides reading and writing columns."""

    depth_order: str = ""  # constant of the order of its rows
    parents: bool = False  # it reads columns of their parents
    writes_tags: bool = False


@record
class Request:
    """The input from which a selection is planned."""

    selection: Selection
    columns: list[SelectionColumn]
    names: QueryNames
    shown: Shown
    turn: TurnRows = TurnRows()


def roles(selection: Selection, components: dict[str, ComponentPlan]) -> list[Role]:
    """Lists the columns of a selection in the order read, write, optional; tags have none."""
    parts = (
        ("read", selection.read, "read"),
        ("write", selection.write, "written"),
        ("optional", selection.optional, "read, NULL if absent"),
    )
    return [
        Role(role, components[ref.name], _each(components[ref.name], comment))
        for role, refs, comment in parts
        for ref in refs
        if components[ref.name].storage.kind != "tag"
    ]


def _each(component: ComponentPlan, comment: str) -> str:
    """Adds that a sparse component has a pointer a row, because its values are not adjacent."""
    return f"a pointer a row: {comment}" if component.storage.kind == "sparse" else comment


def make_columns_of(
    selection: Selection, common: Common, components: dict[str, ComponentPlan], binding: Binding
) -> list[SelectionColumn]:
    return [_column(role, common.names, binding) for role in roles(selection, components)]


def mark_of(role: Role) -> str:
    """Returns the change set that marks the rows of a column that may have been written."""
    return role.component.watched.mark if role.role == "write" else ""


def _column(role: Role, names: Names, binding: Binding) -> SelectionColumn:
    """Declares and binds a column."""
    component, is_written = role.component, role.role == "write"
    const = "" if is_written else "const "
    name, type = component.name, component.struct.type
    row = f"({binding.table}, {binding.first})"
    mark = mark_of(role) if binding.marks else ""
    use = (role.comment, mark, mark != "" and component.watched.lends)
    if component.storage.kind == "soa":
        columns = names.component(name, "columns" if is_written else "const_columns")
        declaration, at = f"{columns} {name}", names.component(name, _at(role, "const_at"))
        return SelectionColumn(name, declaration, declaration, at + row, *use)
    if component.storage.kind == "sparse":
        element = f"{const}{type} *"
        declaration = f"{element}const *{name}"
        sparse = SparseColumn(name, element, names.local("rows", name), component.storage.store)
        return SelectionColumn(name, declaration, declaration, sparse.given, *use, sparse)
    declaration = parameter = f"{const}{type} *{name}"
    if binding.aliased is not None and name not in binding.aliased:
        parameter = f"{const}{type} *WEFT_RESTRICT {name}"
    argument = names.component(name, _at(role, "at")) + row
    return SelectionColumn(name, declaration, parameter, argument, *use)


def _at(role: Role, read: str) -> str:
    """Returns the verb that finds a column. A read or written one is in each table of a walk."""
    return {"read": read, "write": "at", "optional": "at_or_none"}[role.role]


def _key(common: Common, selection: Selection) -> str:
    """Returns a table component that every row has; the lists of a table are found by it."""
    for ref in [*selection.read, *selection.write]:
        component = common.model.data.components.get(ref.name)
        if component and not component.is_tag and not component.is_sparse:
            return common.names.number("component", ref.name)
    return NONE


def make_selection(common: Common, request: Request) -> SelectionPlan:
    selection, names = request.selection, request.names
    compiled = make_filter(common.model, common.names, common.calls, selection, request.shown)
    planned = SelectionPlan(
        query=TableQueryPlan(
            constant=names.constant,
            matches=names.matches,
            decides=compiled.matches,
            key=_key(common, selection),
        ),
        filter=compiled,
        functions=filter_functions(compiled, names.match, names.filter),
        columns=request.columns,
        rows=selection.rows,
        rows_max=_rows_max(request),
        apart=common.grouped,
        depth_order=request.turn.depth_order,
        words=selection_words(selection),
    )
    return _ordered(planned, common.names) if planned.over else planned


def _ordered(selection: SelectionPlan, names: Names) -> SelectionPlan:
    """Plans a walk in the order of the sparse rows, if these alone decide which rows pass.

    The walk finds the values in the order of the rows: in an array, or one by one for a mask.
    """
    over = selection.over

    def ordered(column: SelectionColumn) -> SelectionColumn:
        if column.sparse is None or column.sparse is not over:
            return column
        if selection.mask:
            return replace(column, sparse=replace(column.sparse, in_order=True))
        sparse = replace(column.sparse, values=names.local("values", column.name))
        return replace(column, sparse=sparse, argument=sparse.given)

    return replace(selection, columns=[ordered(column) for column in selection.columns])


def _rows_max(request: Request) -> str:
    """Returns the most rows of a range. Arrays of pointers and written tags may limit it."""
    gathers = any(column.sparse for column in request.columns)
    if (gathers or request.turn.parents) and request.selection.rows != "list":
        return "WEFT_SPARSE_ROWS"
    return "WEFT_TAG_WRITE_ROWS" if request.turn.writes_tags else "UINT32_MAX"


def filter_functions(compiled: Filter, match: str, filter_name: str) -> list[FilterFunctions]:
    """Plans the two functions that decide about rows; none if tables decide alone."""
    if not compiled.by_row:
        return []
    # Parents decide row by row, so no whole table passes or fails.
    return [FilterFunctions("" if compiled.parents else match, filter_name, compiled)]


def unit_rows(selection: SelectionPlan, has_stretches: bool) -> int:
    """Returns the unit of parts: each part has a multiple of this number of rows.

    No two parts write the same word or read the same mask. In a depth order parts are whole runs,
    which may share masks, because no part writes them.
    """
    if has_stretches or selection.marked:
        return STRETCH_ROWS
    return DEPTH_ROWS if selection.depth_order else WORD_ROWS


def access_rows(model: Model, selection: Selection) -> list[str]:
    """Returns the columns of a selection as rows of its access table."""
    parts = (("READ", selection.read), ("WRITE", selection.write), ("OPTIONAL", selection.optional))
    return [
        row
        for kind, refs in parts
        for row in access_of(kind, refs, list(model.data.components).index)
    ]


def access_of(kind: str, refs: tuple[Ref, ...], index: Callable[[str], int]) -> list[str]:
    return [f"{{WEFT_ACCESS_{kind}, {index(ref.name)}}}" for ref in refs]


def where_text(selection: Selection) -> str:
    """Returns the `where` of a selection with single blanks."""
    return selection.where.text if selection.where else ""


def selection_words(selection: Selection) -> str:
    """Returns for example `reads position; writes worker; only rows where !burning`."""
    parts = [
        f"{verb} {', '.join(ref.name for ref in refs)}"
        for verb, refs in (
            ("reads", selection.read),
            ("writes", selection.write),
            ("may read", selection.optional),
        )
        if refs
    ]
    where = where_text(selection)
    condition = f"only rows where {where}" if parts else f"takes all rows where {where}"
    return "; ".join([*parts, condition] if where else parts)
