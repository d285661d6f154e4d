"""These records hold what goes over a world: queries, listeners, indexes and systems."""

from __future__ import annotations

from model.data import StateValue
from model.declared import Declaration
from model.expressions import Expr
from model.record import record
from model.refs import Ref
from model.types import Field


@record
class Selection:
    """The choice of rows and columns that queries and systems have in common."""

    read: tuple[Ref, ...] = ()
    write: tuple[Ref, ...] = ()
    optional: tuple[Ref, ...] = ()
    where: Expr | None = None
    rows: str = ""  # "mask": ranges with a mask; "list": row numbers; "": runs of rows
    rows_given: bool = False  # the schema says which, if only that they are runs

    @property
    def has_rows(self) -> bool:
        """Returns whether it chooses anything, which a query may leave out and systems often do."""
        return bool(self.read or self.write or self.optional or self.where)


@record
class Removal:
    """A component whose removals a system or listener reads."""

    component: Ref
    value: bool  # with its last value


@record
class Messages:
    """All that comes and goes between systems and listeners."""

    hears: tuple[Ref, ...] = ()
    removed: tuple[Removal, ...] = ()
    emits: tuple[Ref, ...] = ()
    commands: bool = False


@record
class Query(Declaration):
    selection: Selection
    all: tuple[Ref, ...] = ()  # what all rows get or lose in one call


@record
class Listener(Query):
    """A query of the game that also hears events and reads removals, in turns that it begins."""

    messages: Messages = Messages()


INDEX_KINDS = ("grid", "hash", "ordered")


@record
class Index(Declaration):
    """Finds entities by values of a component."""

    of: Ref
    kind: str  # the first of INDEX_KINDS that the schema gives; "" if it gives none
    fields: tuple[Ref, ...]
    cell: float | None  # of a grid
    selection: Selection  # the rows that it has: those with the component that pass its `where`


@record
class Turn:
    """When a system has its turn, besides the place it has in its phase."""

    every: float | None = None  # seconds
    exact: tuple[int, int] | None = None  # these as numerator and denominator, as of a Step
    when: Expr | None = None  # its turn comes only while this is true
    enters: StateValue | None = None  # it runs once when the state gets this value
    leaves: StateValue | None = None  # and when it loses this one
    switch: str = ""  # the game can switch it off; "saved": saves and hashes have that
    after_load: str = ""  # "everything": all is added at its first turn after a load


@record
class Schedule:
    """Where in a tick a system runs."""

    phase: Ref
    after: tuple[Ref, ...] = ()
    before: tuple[Ref, ...] = ()
    ambiguous_with: tuple[Ref, ...] = ()  # a conflict with these is meant, in either order
    flush: bool = False  # commands recorded before it in its phase are applied before it runs
    turn: Turn = Turn()


@record
class Access:
    """Names of one kind, as in `singletons.read` and `singletons.write`."""

    read: tuple[Ref, ...] = ()
    write: tuple[Ref, ...] = ()


@record
class Lookup(Access):
    """Components of any entity, and relations that are asked about any."""

    relations: tuple[Ref, ...] = ()


@record
class Reach:
    """All that a system uses besides its own rows."""

    singletons: Access = Access()
    resources: Access = Access()
    states: Access = Access()
    lookup: Lookup = Lookup()
    queries: tuple[Ref, ...] = ()
    indexes: tuple[Ref, ...] = ()


@record
class Tree:
    """The relation that a system follows from its rows to their parents."""

    order: Ref | None = None  # the one that gives parents before children
    relation: Ref | None = None  # the one of `parent`, as written where there is no order
    parent: tuple[Ref, ...] = ()  # components that it reads of the parent
    by: Ref | None = None  # the relation of those: `order`, `relation` or the only one


@record
class Partial(Declaration):
    """A struct that each part of a turn fills, and that the game merges at its end.

    It has the name of its system.
    """

    fields: tuple[Field, ...]


@record
class Loop:
    """How a system goes over its rows."""

    parallel: bool = False  # its rows are cut into parts, for workers
    fuse: bool = True  # it may run block by block with other parallel systems
    inline: str = ""  # the game's header with what it does to a row; the loop is generated
    marks: str = ""  # "explicit": it reports itself which rows it has changed
    tree: Tree = Tree()
    turn: bool = False  # the game defines what begins and ends its turn
    partial: Partial | None = None


@record
class System(Declaration):
    schedule: Schedule
    selection: Selection
    reach: Reach = Reach()
    messages: Messages = Messages()
    loop: Loop = Loop()


def merged_words(system: System) -> str:
    """Says what becomes of partial results: "merges bread, least of its parts"; "" without any."""
    if not system.loop.partial:
        return ""
    fields = ", ".join(field.name for field in system.loop.partial.fields)
    return f"merges {fields} of its {'parts' if system.loop.parallel else 'turn'}"
