"""This module reads queries, listeners, indexes and systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Set
from typing import TypedDict

from model.code import INDEX_KINDS, Index, Listener, Query, Removal, Selection, System
from model.data import StateValue
from model.expressions import Expr
from model.refs import Ref
from parse.keys import (
    ACCESS,
    AFTER_LOAD,
    INDEX,
    LISTENER,
    MARKS,
    QUERY,
    REMOVED,
    ROWS,
    SWITCHES,
    SYSTEM,
)
from parse.reader import Table, describe
from parse.where import HOLDS, WHEN, WHERE, Asked, WhereError, read_where
from source.source import Place

MAX_SECONDS = 2.0**63  # the longest `every`; a longer one, or NaN, is read as infinite


def read_query(name: str, table: Table) -> Query:
    table.expect(QUERY)
    selection = _read_selection(table)
    return Query(name, table.key_place(), selection, table.text("doc"), table.refs("all"))


def read_listener(name: str, table: Table) -> Listener:
    table.expect(LISTENER)
    return Listener(
        name=name,
        place=table.key_place(),
        selection=_read_selection(table),
        doc=table.text("doc"),
        hears=table.refs("hears"),
        removed=tuple(_read_removed(table)),
        was=table.text("was"),
    )


def read_index(name: str, table: Table) -> Index:
    """Reads an index; of several kinds that it gives the first counts, and check reports it."""
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
        name=name,
        place=table.key_place(),
        of=of,
        kind=kind,
        fields=fields[kind] if kind else (),
        cell=None if cell is None else float(cell),
        selection=Selection(read=(of,), where=_read_where(table)),
        doc=table.text("doc"),
    )


def read_system(name: str, table: Table, relations: Set[str]) -> System:
    table.expect(SYSTEM)
    lookup = _read_access(table, "lookup")
    looked_up = lookup.refs("read")
    parent, order, relation = table.refs("parent"), table.ref("order"), table.ref("relation")
    only = [Ref(name, parent[0].place) for name in relations] if parent else []
    return System(
        name=name,
        place=table.key_place(),
        phase=Ref(table.text("phase"), table.value_place("phase")),
        selection=_read_selection(table),
        doc=table.text("doc"),
        after=table.refs("after"),
        before=table.refs("before"),
        ambiguous_with=table.refs("ambiguous_with"),
        every=_read_seconds(table, "every"),
        when=_read_when(table),
        **_read_surroundings(table),
        lookup_read=tuple(ref for ref in looked_up if ref.name not in relations),
        lookup_relations=tuple(ref for ref in looked_up if ref.name in relations),
        lookup_write=lookup.refs("write"),
        queries=table.refs("queries"),
        indexes=table.refs("indexes"),
        emits=table.refs("emits"),
        hears=table.refs("hears"),
        removed=tuple(_read_removed(table)),
        commands=table.flag("commands", False),
        flush=table.flag("flush", False),
        after_load=table.choice("after_load", AFTER_LOAD, ""),
        switch=table.choice("switch", SWITCHES, ""),
        parallel=table.flag("parallel", False),
        fuse=table.flag("fuse", True),
        inline=table.text("inline"),
        marks=table.choice("marks", MARKS, ""),
        order=order,
        relation=relation,
        parent=parent,
        parents_by=order or relation or (only[0] if len(only) == 1 else None),
    )


class _Surroundings(TypedDict):
    """The things besides entities that a system is about, by the names of its model."""

    singletons_read: tuple[Ref, ...]
    singletons_write: tuple[Ref, ...]
    resources_read: tuple[Ref, ...]
    resources_write: tuple[Ref, ...]
    states_read: tuple[Ref, ...]
    states_write: tuple[Ref, ...]
    enters: StateValue | None
    leaves: StateValue | None


def _read_surroundings(table: Table) -> _Surroundings:
    singletons, states = _read_access(table, "singletons"), _read_access(table, "states")
    resources = _read_access(table, "resources")
    return _Surroundings(
        singletons_read=singletons.refs("read"),
        singletons_write=singletons.refs("write"),
        resources_read=resources.refs("read"),
        resources_write=resources.refs("write"),
        states_read=states.refs("read"),
        states_write=states.refs("write"),
        enters=read_state_value(table, "enters"),
        leaves=read_state_value(table, "leaves"),
    )


def read_state_value(table: Table, key: str) -> StateValue | None:
    """Reads a value of a state, as in `game.play`."""
    text = table.text(key)
    if not isinstance(table.data.get(key), str):
        return None
    state, dot, value = (part.strip() for part in text.partition("."))
    if not (state and dot and value) or "." in value:
        message = f"'{key}' of {table.what} must be a state and its value, with a point between"
        help = f'write {key} = "game.play", say'
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
    """Yields components, each written as a name or as a table that says more."""
    for index, item in enumerate(table.items("removed")):
        if isinstance(item, str):
            yield Removal(Ref(item, table.value_place("removed", index)), False)
        elif isinstance(item, dict):
            path = (*table.path, "removed", index)
            inside = Table(item, path, f"'removed' of {table.what}", table.file, table.report)
            inside.expect(REMOVED)
            name = inside.ref("name")
            value = inside.flag("value", False)
            if name:
                yield Removal(name, value)
        else:
            message = f"'removed' of {table.what} holds names, not {describe(item)}"
            help = 'write removed = ["…"], or { name = "…", value = true } in it'
            place = table.value_place("removed", index)
            table.report.error("wrong-type", place, message, help=help)


def _read_where(table: Table) -> Expr | None:
    try:
        return _read_expression(table, "where", WHERE)
    except WhereError as error:
        table.report.error(error.id, error.place, error.message, help=error.help)
        return None


def read_holds(table: Table) -> Expr | None:
    """Reads what always holds of the fields of a component or singleton."""
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


def _read_seconds(table: Table, key: str) -> float | None:
    value = table.number(key)
    if value is None:
        return None
    return float(value) if abs(value) < MAX_SECONDS else math.inf
