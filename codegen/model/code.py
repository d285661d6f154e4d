"""These records hold what goes over a world: queries, listeners, indexes and systems."""

from __future__ import annotations

from dataclasses import dataclass

from model.data import StateValue
from model.expressions import Expr
from model.refs import Ref
from source.source import Place


@dataclass(frozen=True)
class Selection:
    """The choice of rows and columns that queries and systems have in common."""

    read: tuple[Ref, ...] = ()
    write: tuple[Ref, ...] = ()
    optional: tuple[Ref, ...] = ()
    where: Expr | None = None
    rows: str = ""  # "mask": ranges with a mask; "list": row numbers; "": runs of rows
    rows_given: bool = False  # the schema says which, if only that they are runs


@dataclass(frozen=True)
class Removal:
    """A component whose removals a system or listener reads."""

    component: Ref
    value: bool  # with its last value


@dataclass(frozen=True)
class Query:
    name: str
    place: Place
    selection: Selection
    doc: str = ""
    all: tuple[Ref, ...] = ()  # what all rows get or lose in one call


@dataclass(frozen=True)
class Listener(Query):
    """A query of the game that also hears events and reads removals, in turns that it begins."""

    hears: tuple[Ref, ...] = ()
    removed: tuple[Removal, ...] = ()
    was: str = ""

    @property
    def has_rows(self) -> bool:
        chosen = self.selection
        return bool(chosen.read or chosen.write or chosen.optional or chosen.where)


INDEX_KINDS = ("grid", "hash", "ordered")


@dataclass(frozen=True)
class Index:
    """Finds entities by values of a component."""

    name: str
    place: Place
    of: Ref
    kind: str  # the first of INDEX_KINDS that the schema gives; "" if it gives none
    fields: tuple[Ref, ...]
    cell: float | None  # of a grid
    selection: Selection  # the rows that it has: those with the component that pass its `where`
    doc: str = ""


@dataclass(frozen=True)
class System:
    name: str
    place: Place
    phase: Ref
    selection: Selection
    doc: str = ""
    after: tuple[Ref, ...] = ()
    before: tuple[Ref, ...] = ()
    ambiguous_with: tuple[Ref, ...] = ()  # a conflict with these is meant, in either order
    every: float | None = None  # seconds
    when: Expr | None = None  # its turn comes only while this is true
    singletons_read: tuple[Ref, ...] = ()
    singletons_write: tuple[Ref, ...] = ()
    resources_read: tuple[Ref, ...] = ()
    resources_write: tuple[Ref, ...] = ()
    states_read: tuple[Ref, ...] = ()
    states_write: tuple[Ref, ...] = ()
    enters: StateValue | None = None  # it runs once when the state gets this value
    leaves: StateValue | None = None  # and when it loses this one
    lookup_read: tuple[Ref, ...] = ()
    lookup_write: tuple[Ref, ...] = ()
    queries: tuple[Ref, ...] = ()
    indexes: tuple[Ref, ...] = ()
    emits: tuple[Ref, ...] = ()
    hears: tuple[Ref, ...] = ()
    removed: tuple[Removal, ...] = ()
    commands: bool = False
    flush: bool = False  # commands recorded before it in its phase are applied before it runs
    after_load: str = ""  # "everything": all is added at its first turn after a load
    switch: str = ""  # the game can switch it off; "saved": saves and hashes have that
    parallel: bool = False  # its rows are cut into parts, for workers
    fuse: bool = True  # it may run block by block with other parallel systems
    inline: str = ""  # the game's header with what it does to a row; the loop is generated
    marks: str = ""  # "explicit": it reports itself which rows it has changed
    lookup_relations: tuple[Ref, ...] = ()  # those in `lookup.read`
    order: Ref | None = None  # the relation that gives parents before children
    relation: Ref | None = None  # the relation of `parent`, as written where there is no order
    parent: tuple[Ref, ...] = ()  # components that it reads of the parent
    parents_by: Ref | None = None  # the relation of those: `order`, `relation` or the only one
