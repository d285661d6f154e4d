"""Reads queries, listeners, indexes and systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from model.code import (
    INDEX_KINDS,
    Access,
    Index,
    Listener,
    Lookup,
    Loop,
    Messages,
    Over,
    Partial,
    Query,
    Reach,
    Removal,
    Schedule,
    Selection,
    System,
    Tree,
    Turn,
)
from model.data import StateValue
from model.declared import Declared
from model.expressions import Expr
from model.record import replace
from model.refs import Ref
from model.trees import ENDS
from parse.fields import NamedTypes, read_fields
from parse.keys import (
    ACCESS,
    AFTER_LOAD,
    INDEX,
    LISTENER,
    MARKS,
    OVER_ENDS,
    PARTIAL,
    PARTIAL_FIELD,
    QUERY,
    REMOVED,
    ROWS,
    SWITCHES,
    SYSTEM,
)
from parse.reader import Table, describe
from parse.spans import read_every
from parse.where import HOLDS, WHEN, WHERE, Asked, WhereError, read_where
from source.source import Place


def read_query(name: str, table: Table) -> Query:
    table.expect(QUERY)
    return Query(table.declared(name), _read_selection(table), table.refs("all"))


def read_listener(name: str, table: Table) -> Listener:
    table.expect(LISTENER)
    removed = tuple(_read_removed(table))
    return Listener(
        table.declared(name, renamed=True),
        _read_selection(table),
        messages=Messages(table.refs("hears"), removed),
    )


def read_index(name: str, table: Table) -> Index:
    """Reads an index. If it sets several kinds, the first is used, and `check` reports it."""
    table.expect(INDEX)
    ordered = table.ref("ordered")
    fields = {
        "grid": table.refs("grid"),
        "hash": table.refs("hash"),
        "ordered": (ordered,) if ordered else (),
    }
    kind = next((kind for kind in INDEX_KINDS if kind in table.data), "")
    of = Ref(table.text("of"), table.value_place("of"))
    cell = table.number("cell")
    return Index(
        declared=table.declared(name),
        of=of,
        kind=kind,
        fields=fields[kind] if kind else (),
        cell=None if cell is None else float(cell),
        selection=Selection(read=(of,), where=_read_where(table)),
    )


def read_system(name: str, table: Table, relations: Set[str], named: NamedTypes) -> System:
    table.expect(SYSTEM)
    over = _read_over(table)
    selection = _read_selection(table)
    if over and over.write:
        rest = tuple(ref for ref in selection.write if ref.name != over.link.name)
        selection = replace(selection, write=rest)
    return System(
        declared=table.declared(name),
        schedule=_read_schedule(table),
        selection=selection,
        reach=_read_reach(table, relations),
        messages=Messages(
            hears=table.refs("hears"),
            removed=tuple(_read_removed(table)),
            emits=table.refs("emits"),
            commands=table.flag("commands", False),
        ),
        loop=Loop(
            parallel=table.flag("parallel", False),
            fuse=table.flag("fuse", True),
            inline=table.text("inline"),
            marks=table.choice("marks", MARKS, ""),
            tree=_read_tree(table, relations),
            turn=table.flag("turn", False),
            partial=_read_partial(name, table, named),
            over=over,
        ),
    )


def _read_over(table: Table) -> Over | None:
    """Reads `over` and `ends`. The link itself may be in `write`, which has no columns then."""
    link = table.ref("over")
    ends = table.table("ends")
    ends.expect(OVER_ENDS)
    accesses = [_access(ends, end) for end in ("from", "to")]
    if not link:
        return None
    written = table.data.get("write")
    refs = table.refs("write") if isinstance(written, list) and link.name in written else ()
    write = next((ref for ref in refs if ref.name == link.name), None)
    return Over(link, write, *accesses)


def _read_partial(name: str, table: Table, named: NamedTypes) -> Partial | None:
    if "partial" not in table.data:
        return None
    partial = table.table("partial")
    if not isinstance(table.data["partial"], dict):
        return None
    partial.expect(PARTIAL)
    declared = Declared(name, table.key_place("partial"))
    return Partial(declared, read_fields(partial.table("fields"), named, PARTIAL_FIELD))


def _read_schedule(table: Table) -> Schedule:
    every, exact = read_every(table)
    return Schedule(
        phase=Ref(table.text("phase"), table.value_place("phase")),
        after=table.refs("after"),
        before=table.refs("before"),
        ambiguous_with=table.refs("ambiguous_with"),
        flush=table.flag("flush", False),
        turn=Turn(
            every=every,
            exact=exact,
            when=_read_when(table),
            enters=read_state_value(table, "enters"),
            leaves=read_state_value(table, "leaves"),
            switch=table.choice("switch", SWITCHES, ""),
            after_load=table.choice("after_load", AFTER_LOAD, ""),
        ),
    )


def _read_reach(table: Table, relations: Set[str]) -> Reach:
    lookup = _read_access(table, "lookup")
    looked_up = lookup.refs("read")
    return Reach(
        singletons=_access(table, "singletons"),
        resources=_access(table, "resources"),
        states=_access(table, "states"),
        lookup=Lookup(
            read=tuple(ref for ref in looked_up if ref.name not in relations),
            write=lookup.refs("write"),
            relations=tuple(ref for ref in looked_up if ref.name in relations),
        ),
        links=_access(table, "links"),
        queries=table.refs("queries"),
        indexes=table.refs("indexes"),
    )


def _access(table: Table, key: str) -> Access:
    access = _read_access(table, key)
    return Access(access.refs("read"), access.refs("write"))


def _read_tree(table: Table, relations: Set[str]) -> Tree:
    parent, order, relation = table.refs("parent"), table.ref("order"), table.ref("relation")
    only = [Ref(name, parent[0].place) for name in relations] if parent else []
    by = order or relation or (only[0] if len(only) == 1 else None)
    return Tree(order, relation, parent, by)


def read_state_value(table: Table, key: str) -> StateValue | None:
    """Reads a value of a state, for example `game.play`."""
    text = table.text(key)
    if not isinstance(table.data.get(key), str):
        return None
    state, dot, value = (part.strip() for part in text.partition("."))
    if not (state and dot and value) or "." in value:
        message = f"'{key}' of {table.what} must be a state and a value, with '.' between them"
        help = f'write it like {key} = "game.play"'
        table.report.error("state-value", table.value_place(key), message, help=help)
        return None

    def at(name: str, start: int) -> Ref:
        start = text.index(name, start)
        return Ref(name, table.file.places.inside((*table.path, key), start, len(name)))

    return StateValue(at(state, 0), at(value, text.index(".") + 1))


def _read_selection(table: Table) -> Selection:
    rows = table.choice("rows", ROWS, "")
    return Selection(
        read=table.refs("read"),
        write=table.refs("write"),
        optional=table.refs("optional"),
        where=_read_where(table),
        rows="" if rows == "runs" else rows,
        rows_given="rows" in table.data,
    )


def _read_access(table: Table, key: str) -> Table:
    access = table.table(key)
    access.expect(ACCESS)
    return access


def _read_removed(table: Table) -> Iterator[Removal]:
    """Yields the items of `removed`: each is a name, or a table that may also set `value`."""
    for index, item in enumerate(table.items("removed")):
        if isinstance(item, str):
            ref = Ref(item, table.value_place("removed", index))
            if not _is_end(table, ref):
                yield Removal(ref, False)
        elif isinstance(item, dict):
            path = (*table.path, "removed", index)
            inside = Table(item, path, f"'removed' of {table.what}", table.file, table.report)
            inside.expect(REMOVED)
            name = inside.ref("name")
            value = inside.flag("value", False)
            if name and not _is_end(table, name):
                yield Removal(name, value)
        else:
            message = f"'removed' of {table.what} must contain names, not {describe(item)}"
            help = 'write removed = ["…"], or add { name = "…", value = true } to it'
            place = table.value_place("removed", index)
            table.report.error("wrong-type", place, message, help=help)


def _is_end(table: Table, ref: Ref) -> bool:
    """Returns whether a name is from(…) or to(…), which only conditions know, and reports it."""
    if not re.fullmatch(rf"({'|'.join(ENDS)})\(.*\)", ref.name):
        return False
    message = f"'removed' of {table.what} lists '{ref.name}', but it takes components and relations"
    help = (
        f'ask for the rows: where = "removed({ref.name})"; or set on_remove = true in the link, '
        "to be told of each link"
    )
    table.report.error("removed-link", ref.place, message, help=help)
    return True


def _read_where(table: Table) -> Expr | None:
    try:
        return _read_expression(table, "where", WHERE)
    except WhereError as error:
        table.report.error(error.id, error.place, error.message, help=error.help)
        return None


def read_holds(table: Table) -> Expr | None:
    """Reads `holds` of a component or singleton."""
    try:
        return _read_expression(table, "holds", HOLDS)
    except WhereError as error:
        table.report.error("holds-syntax", error.place, error.message, help=error.help)
        return None


def _read_when(table: Table) -> Expr | None:
    try:
        return _read_expression(table, "when", WHEN)
    except WhereError as error:
        table.report.error("when-syntax", error.place, error.message, help=error.help)
        return None


def _read_expression(table: Table, key: str, asked: Asked) -> Expr | None:
    if key not in table.data:
        return None
    text = table.text(key, "")
    if not isinstance(table.data[key], str):
        return None

    def at(start: int, length: int) -> Place:
        return table.file.places.inside((*table.path, key), start, length)

    return read_where(text, at, asked)
