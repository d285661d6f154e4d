"""Records for the code of a world: queries, listeners, indexes and systems."""

from __future__ import annotations

from model.data import StateValue
from model.declared import Declaration
from model.expressions import Expr
from model.record import record
from model.refs import Ref
from model.types import Field


@record
class Selection:
    """The rows and columns that a query or system selects."""

    read: tuple[Ref, ...] = ()
    write: tuple[Ref, ...] = ()
    optional: tuple[Ref, ...] = ()
    where: Expr | None = None
    rows: str = ""  # "mask": ranges with a mask; "list": row numbers; "": runs of rows
    rows_given: bool = False  # the schema sets `rows`, even if it is "runs"

    @property
    def has_rows(self) -> bool:
        """Returns whether it selects rows. Queries need rows, but a system may have none."""
        return bool(self.read or self.write or self.optional or self.where)


@record
class Removal:
    """A component whose removals a system or listener reads."""

    component: Ref
    value: bool  # also reads the last value


@record
class Messages:
    """The events, removals and commands that a system or listener reads or sends."""

    hears: tuple[Ref, ...] = ()
    removed: tuple[Removal, ...] = ()
    emits: tuple[Ref, ...] = ()
    commands: bool = False


@record
class Query(Declaration):
    selection: Selection
    all: tuple[Ref, ...] = ()  # components that one call sets on or removes from all rows


@record
class Listener(Query):
    """A query that the game iterates, which also reads events and removals since its last turn."""

    messages: Messages = Messages()


INDEX_KINDS = ("grid", "hash", "ordered")


@record
class Index(Declaration):
    """Finds entities by values of a component."""

    of: Ref
    kind: str  # the first of INDEX_KINDS in the schema; "" if there is none
    fields: tuple[Ref, ...]
    cell: float | None  # the size of a cell of a grid
    selection: Selection  # entities with the component that match its `where`


@record
class Turn:
    """When a system runs, in addition to its place in its phase."""

    every: float | None = None  # seconds
    exact: tuple[int, int] | None = None  # `every` as numerator and denominator, as in Step
    when: Expr | None = None  # it runs only while this is true
    enters: StateValue | None = None  # it runs once after the state got this value
    leaves: StateValue | None = None  # it runs once after the state lost this value
    switch: str = ""  # the game can switch it off; "saved": saves and hashes contain the switch
    after_load: str = ""  # "everything": its first turn after a load sees all rows as added


@record
class Schedule:
    """The phase of a system, and its order there."""

    phase: Ref
    after: tuple[Ref, ...] = ()
    before: tuple[Ref, ...] = ()
    ambiguous_with: tuple[Ref, ...] = ()  # conflicts with these are intended
    flush: bool = False  # commands recorded earlier in its phase are applied before it runs
    turn: Turn = Turn()


@record
class Access:
    """Names of one kind, for example `singletons.read` and `singletons.write`."""

    read: tuple[Ref, ...] = ()
    write: tuple[Ref, ...] = ()


@record
class Lookup(Access):
    """Components and relations that a system reads or writes of any entity."""

    relations: tuple[Ref, ...] = ()


@record
class Reach:
    """Everything that a system uses besides its own rows."""

    singletons: Access = Access()
    resources: Access = Access()
    states: Access = Access()
    lookup: Lookup = Lookup()
    links: Access = Access()  # to write gives access to values only
    queries: tuple[Ref, ...] = ()
    indexes: tuple[Ref, ...] = ()


@record
class Tree:
    """The relation that leads from the rows of a system to their parents."""

    order: Ref | None = None  # the relation of `order`, which visits parents before children
    relation: Ref | None = None  # as the schema sets it for `parent`
    parent: tuple[Ref, ...] = ()  # components of the parent that it reads
    by: Ref | None = None  # the relation that `parent` uses: `order`, `relation` or the only one


@record
class Partial(Declaration):
    """A struct that each part of a turn fills, and that the game merges at the end of the turn.

    It has the name of its system.
    """

    fields: tuple[Field, ...]


@record
class Over:
    """The links that a system iterates, and the components of their ends that it uses."""

    link: Ref
    write: Ref | None = None  # the link in `write`: it writes their values
    source: Access = Access()  # at `from`
    target: Access = Access()  # at `to`

    @property
    def ends(self) -> tuple[tuple[str, Access], ...]:
        return ("from", self.source), ("to", self.target)

    @property
    def reads(self) -> tuple[Ref, ...]:
        return self.source.read + self.target.read

    @property
    def writes(self) -> tuple[Ref, ...]:
        return self.source.write + self.target.write


@record
class Loop:
    """How a system iterates its rows."""

    parallel: bool = False  # its rows are divided into parts for worker threads
    fuse: bool = True  # it may share a pass with other parallel systems
    inline: str = ""  # the game's header with the function of one row; the loop is generated
    marks: str = ""  # "explicit": the system reports changed rows itself
    tree: Tree = Tree()
    turn: bool = False  # the game defines functions for the beginning and the end of a turn
    partial: Partial | None = None
    over: Over | None = None  # it iterates links instead of rows


@record
class System(Declaration):
    schedule: Schedule
    selection: Selection
    reach: Reach = Reach()
    messages: Messages = Messages()
    loop: Loop = Loop()


def merged_words(system: System) -> str:
    """Returns how partial results are merged, for example "merges bread, least of its parts"."""
    if not system.loop.partial:
        return ""
    fields = ", ".join(field.name for field in system.loop.partial.fields)
    return f"merges {fields} of its {'parts' if system.loop.parallel else 'turn'}"
