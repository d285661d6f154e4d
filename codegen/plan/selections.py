"""Queries, and the part of systems that they share: columns, filters, access."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from model.model import Expr, Model, Op, Query, Ref, Selection
from names.names import Names
from plan import text
from plan.code_records import LensPlan, QueryPlan, SelectionColumn, SelectionPlan, TagAccessPlan
from plan.data_records import ComponentPlan
from plan.filters import Filter, Streams, make_filter
from plan.lists import list_plan
from plan.streams import Marks

NEXT_VALUE = "weft_next_value"  # with a mask, of what decides which rows pass
ROWS_TYPE = {"": "", "mask": "weft_rows", "list": "weft_list"}  # by the schema's word

Roles = list[tuple[str, ComponentPlan, str]]  # "read", "write" or "optional"; component; comment


def roles(selection: Selection, components: dict[str, ComponentPlan]) -> Roles:
    """The columns of a selection in the order read, write, optional; tags are none."""
    parts = (
        ("read", selection.read, "read"),
        ("write", selection.write, "written"),
        ("optional", selection.optional, "read, NULL where absent"),
    )
    return [
        (role, components[ref.name], _each(components[ref.name], comment))
        for role, refs, comment in parts
        for ref in refs
        if components[ref.name].kind != "tag"
    ]


def _each(component: ComponentPlan, comment: str) -> str:
    """Sparse values do not lie side by side: a selection gives a pointer for each row."""
    return f"a pointer a row: {comment}" if component.kind == "sparse" else comment


def make_column(
    role: str,
    component: ComponentPlan,
    comment: str,
    names: Names,
    row: tuple[str, str],
    aliased: bool,
    mark: str,
) -> SelectionColumn:
    """A column as it is declared and bound; row: C expressions of table and first row.

    mark: the stream that its rows are marked in, "" for none.
    """
    const = "" if role == "write" else "const "
    name, type = component.name, component.struct.type
    gather = gathered = store = ""
    if component.kind == "soa":
        verb = "columns" if role == "write" else "const_columns"
        declaration = parameter = f"{names.component(name, verb)} {name}"
        at = names.component(name, "at" if role == "write" else "const_at")
        argument = f"{at}({row[0]}, {row[1]})"
    elif component.kind == "sparse":
        declaration = parameter = f"{const}{type} *const *{name}"
        gather, store = f"{const}{type} *", component.store
        argument = gathered = names.local("rows", name)
    else:
        declaration = f"{const}{type} *{name}"
        parameter = declaration if aliased else f"{const}{type} *WEFT_RESTRICT {name}"
        argument = f"{names.component(name, 'at')}({row[0]}, {row[1]})"
    return SelectionColumn(
        name, declaration, parameter, argument, comment, gather, gathered, store, mark
    )


def _decides(column: SelectionColumn, compiled: Filter) -> bool:
    """Whether it is sparse, and having it is all that a row has to do to pass."""
    bitset = compiled.bitset
    return bool(column.gather) and bitset is not None and bitset.component == column.name


def _ordered(column: SelectionColumn, names: Names, masked: bool) -> SelectionColumn:
    """The values of what decides come in the order of the rows: side by side, or for a mask."""
    if masked:
        return replace(column, find=NEXT_VALUE)
    return replace(column, along=True, argument=names.local("values", column.name))


def make_selection(
    model: Model,
    names: Names,
    name: str,
    selection: Selection,
    columns: list[SelectionColumn],
    functions: tuple[str, str, str],  # match, filter, matches
    constant: str,
    streams: Streams,
    writes_tags: bool = False,
    depth_order: str = "",
    parents: bool = False,
) -> SelectionPlan:
    compiled = make_filter(model, names, selection, streams)
    masked, listed = selection.rows == "mask", selection.rows == "list"
    over = None if depth_order else next((c.name for c in columns if _decides(c, compiled)), None)
    columns = [_ordered(c, names, masked) if c.name == over else c for c in columns]
    gathered = [column for column in columns if column.gather]
    rows_max = "WEFT_TAG_WRITE_ROWS" if writes_tags else "UINT32_MAX"
    if (gathered or parents) and not listed:
        rows_max = "WEFT_SPARSE_ROWS"
    by_row = compiled.by_row or bool(selection.rows) or rows_max != "UINT32_MAX"
    match, filter_name, matches_name = functions
    return SelectionPlan(
        name=name,
        match=match if compiled.by_row else "weft_match_all",
        filter_name=filter_name if compiled.by_row else "weft_filter_all",
        matches_name=matches_name,
        filter=compiled,
        by_row=by_row,
        mask=masked,
        listed=listed,
        rows_type=ROWS_TYPE[selection.rows],
        columns=columns,
        marked=[column.mark for column in columns if column.mark],
        gathered=gathered,
        over=next((column for column in gathered if column.name == over), None),
        rows_max=rows_max,
        gather_max="WEFT_LIST_ROWS" if listed else "WEFT_SPARSE_ROWS",
        constant=constant,
        words=selection_words(selection),
        depth_order=depth_order,
    )


def mark_of(role: str, component: ComponentPlan) -> str:
    """Where rows are marked as changed whose column is given out to be written."""
    return component.changed_mark if role == "write" else ""


def make_query(
    query: Query, model: Model, names: Names, components: dict[str, ComponentPlan], marks: Marks
) -> QueryPlan:
    name, selection = query.name, query.selection
    columns = [
        make_column(
            role,
            component,
            comment,
            names,
            ("it->cursor.table", "it->cursor.first"),
            True,
            mark_of(role, component),
        )
        for role, component, comment in roles(selection, components)
    ]
    reader = marks.reader(name, True)
    used = [ref.name for ref in selection.read + selection.write + selection.optional]
    const = "" if selection.write or reader else "const "
    optional_tags = [
        TagAccessPlan(names.query_tag(name, ref.name), components[ref.name], 0)
        for ref in selection.optional
        if components[ref.name].kind == "tag"
    ]
    access = list_plan(names.local("access", name), access_rows(model, selection))
    functions = (
        names.query(name, "match"),
        names.query(name, "filter"),
        names.local("matches", name),
    )
    return QueryPlan(
        name=name,
        doc=text.comment_lines(query.doc),
        header=names.header(name),
        guard=names.guard(name),
        includes=[names.header(n) for n in dict.fromkeys(used)],
        selection=make_selection(
            model,
            names,
            f"query {name}",
            selection,
            columns,
            functions,
            names.number("query", name),
            marks.shown(name, True),
        ),
        reader=reader,
        lenses=_lenses(query, model, names, marks) if reader else [],
        summary=text.sentence(selection_words(selection) or "every entity"),
        world=f"{const}{names.world('world')}",
        optional_tags=optional_tags,
        row={
            "name": text.string_literal(name),
            "doc": text.string_literal(query.doc),
            "where": text.string_pointer(where_text(selection)),
            "access_count": str(len(access.items)),
            "access": access.name,
        },
        access=access,
    )


def _lenses(query: Query, model: Model, names: Names, marks: Marks) -> list[LensPlan]:
    """How each system that lists the query sees the changes that it asks for."""
    users = [s.name for s in model.systems.values() if query.name in {r.name for r in s.queries}]
    return [
        LensPlan(
            system=system,
            number=number,
            match=names.lens(query.name, system, "match"),
            filter_name=names.lens(query.name, system, "filter"),
            filter=make_filter(model, names, query.selection, marks.shown(system, False)),
        )
        for number, system in enumerate(users, 1)
    ]


def access_rows(model: Model, selection: Selection) -> list[str]:
    """The columns of a selection as rows of its access table."""
    parts = (("READ", selection.read), ("WRITE", selection.write), ("OPTIONAL", selection.optional))
    return [
        row for kind, refs in parts for row in access_of(kind, refs, list(model.components).index)
    ]


def access_of(kind: str, refs: tuple[Ref, ...], index: Callable[[str], int]) -> list[str]:
    return [f"{{WEFT_ACCESS_{kind}, {index(ref.name)}}}" for ref in refs]


def where_text(selection: Selection) -> str:
    """The `where` of a selection, written anew with single blanks."""
    return expression_text(selection.where) if selection.where else ""


def expression_text(expr: Expr) -> str:
    """An expression in the schema's notation; what is inside another and has two sides gets ( )."""
    if expr.ref is not None:
        return expr.atom
    parts = [expression_text(operand) for operand in expr.operands]
    parts = [
        f"({part})" if len(o.operands) > 1 else part
        for part, o in zip(parts, expr.operands, strict=True)
    ]
    return f"!{parts[0]}" if expr.op is Op.NOT else f" {expr.op.value} ".join(parts)


def selection_words(selection: Selection) -> str:
    """`reads position; writes worker; where !burning`."""
    parts = [
        f"{verb} {', '.join(ref.name for ref in refs)}"
        for verb, refs in (
            ("reads", selection.read),
            ("writes", selection.write),
            ("optional", selection.optional),
        )
        if refs
    ]
    where = where_text(selection)
    return "; ".join([*parts, f"where {where}"] if where else parts)
