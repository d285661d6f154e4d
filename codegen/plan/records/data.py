"""These records hold what templates print of types, components, singletons and relations."""

from __future__ import annotations

from model.record import record, replace
from plan.lists import NONE, ListPlan
from plan.records.page import PagePlan
from plan.text import count_of
from plan.types import ListType, Member


@record
class EnumPlan:
    name: str
    page: PagePlan
    type: str
    c_type: str
    values: list[tuple[str, int]]  # constant, number
    count: str  # the constant that says how many values there are
    name_call: str  # the function that returns the name of a value

    @property
    def names_table(self) -> str:
        """Returns the C name of the array of the names of its values."""
        return self.page.row["values"]


@record
class DefaultPlan:
    """The value that something begins with, as a constant in C."""

    name: str
    initialiser: str


@record
class LayoutPlan:
    """The bytes of a value."""

    bytes: int
    align: int
    has_entities: str  # "true" if a handle is among its fields, at any depth


@record
class StructPlan:
    """A [struct], and the shape of everything else that has fields."""

    name: str
    page: PagePlan
    type: str
    members: list[Member]
    layout: LayoutPlan
    default: DefaultPlan | None  # of what begins with one, such as the items of lists

    @property
    def fields_table(self) -> str:
        """Returns the C name of the reflection rows of its fields, "NULL" without fields."""
        return self.page.row["fields"]

    @property
    def list_types(self) -> list[ListType]:
        """Returns the types of its lists, which stand before it."""
        return [member.list_type for member in self.members if member.list_type]

    def with_row(self, row: dict[str, str]) -> StructPlan:
        """Returns it as the shape of something that has another row of reflection."""
        return replace(self, page=replace(self.page, row=row))


@record
class ColumnPlan:
    constant: str
    size: str  # C expression
    offset: str
    component: str  # constant
    comment: str


@record
class RunsPlan:
    """A function that applies commands in a row on one component, or on all that share it."""

    function: str
    of: str  # C: the component as the runtime takes it; for shared calls its storage and size
    shared: bool


@record
class WrapperPlan:
    """A static function with the types of the runtime, which calls hooks of the game."""

    name: str
    values: str  # its parameters behind the handle
    passes: dict[str, str]  # by function, behind the entity: ", (colony_sprite *)value"
    of_tag: bool = False  # which has no value
    seeds: str = ""  # constant of the component whose seed it also makes; "": it makes none


@record
class HookPlan:
    """Functions of the game that are called in this order when a component comes or goes."""

    kind: str  # on_add, on_replace or on_remove
    functions: list[str]
    takes: dict[str, str]  # by function, behind the entity: ", colony_sprite *value"; "" for a tag
    when: dict[str, str]  # by function: "when e is about to lose it.", and what it may do there
    comment: list[str]  # when they are called; above the first, what hooks may do
    wrapper: WrapperPlan


@record
class CallsPlan:
    """What calls on a component go by, and the hooks that these call in turn."""

    direct: str  # C: the component as inline calls take it; "": rules, readers or hooks forbid them
    wide: bool  # its alignment is wider than that of a value behind its command
    hooks: list[HookPlan]


@record
class RulesPlan:
    """The rules of a component: all that requires and excludes say of it."""

    closure: ListPlan  # the components that one requires, as a set of bits
    conflicts: ListPlan  # those that it excludes
    required_by: ListPlan
    given: ListPlan  # values that it gives to components that it brings along, as one struct
    found: ListPlan  # where the values lie of those that it brings along, its own or others'
    bind: str  # "true" if they say anything about other components
    alone: (
        str  # comment: that a writer adds nothing that the tag requires; "" if it requires nothing
    )
    kept: str  # comment: why removing it may be refused besides
    lines: list[str]  # comment


@record
class ReadersPlan:
    """Some readers that are numbered in a row."""

    first: str
    count: int


@record
class WatchedPlan:
    """Says which readers a component has for what happens to it, and how they find it."""

    added: str  # the change sets where changes come in, "WEFT_NONE" without readers
    changed: str
    sets: int  # change sets of each table with the component, if all have equally many; else 0
    words: str  # comment: "; watched by redraw, query moved", "" without readers
    removals: ReadersPlan
    removal_sets: ReadersPlan  # those that ask for removed(…) of it
    indexed: bool  # an index asks about it
    optional: bool  # something reads it where it may be absent
    lends: bool  # what the game is given to write stays marked for as long as it may write it

    @property
    def mark(self) -> str:
        """Returns the change set in which writes are noted, "" without readers."""
        return "" if self.changed == NONE else self.changed

    @property
    def by_anyone(self) -> bool:
        return (self.added, self.changed) != (NONE, NONE)

    @property
    def edits(self) -> str:
        """Says what a call does that takes a writer."""
        return "returns the value for writing" + (", and marks it as changed" if self.mark else "")

    @property
    def edit_comment(self) -> str:
        """Says what the call does that gives access to write."""
        marked = ", and marks it as changed" if self.mark else ""
        until = ""
        if self.lends:
            until = " The value counts as changed until the next structural change or phase."
        return (
            f"Returns the value for writing{marked}.{until} It is refused while a phase or a hook "
            "runs."
        )


@record
class BitsetPlan:
    """The constants of the bits that say which rows have a component."""

    column: str
    number: str


@record
class StoragePlan:
    """Where the values of a component are."""

    kind: str  # aos, soa, sparse or tag: which template prints its header
    words: str  # comment: how it is stored, and which rules it has
    columns: list[str]  # constants, in tables: soa has one a field, a tag or sparse component none
    bitset: BitsetPlan | None  # of a tag or sparse component
    store: str  # constant, "WEFT_NONE" without
    runs: RunsPlan | None  # None: each command goes the general way

    @property
    def column(self) -> str:
        """Returns the constant of its first column, or of its bitset."""
        return self.bitset.column if self.bitset else self.columns[0]


@record
class GrantedPlan:
    """Whether any system or hook is granted a thing, so that its header has the calls for that."""

    reads: bool
    writes: bool = False


@record
class ComponentPlan:
    constant: str  # its id
    struct: StructPlan
    storage: StoragePlan
    rules: RulesPlan
    watched: WatchedPlan
    calls: CallsPlan
    granted: GrantedPlan

    @property
    def name(self) -> str:
        return self.struct.name

    @property
    def getter(self) -> str:
        """Returns the C type that `_get` returns, followed by a blank or a star."""
        type = self.struct.type
        return f"{type}_const_columns " if self.storage.kind == "soa" else f"const {type} *"


@record
class ResourcePlan:
    name: str
    page: PagePlan
    stem: str  # its name in C, which names it in C++
    type: str  # the game's, in C
    own_header: str  # the game's
    bind: str


@record
class StatePlan:
    enum: EnumPlan
    now: str  # C names of its calls
    go: str
    go_in: str
    writer: str  # type
    go_member: str  # the member of a context that holds the grant
    granted: GrantedPlan
    settle: str  # the function that lets it be what was asked for
    ends: list[tuple[str, str]]  # values, each with the tag of what ends when it goes
    due: list[tuple[str, str, str]]  # "now" or "next", a value, the flag that it sets


@record
class SingletonPlan:
    index: int  # in the schema
    struct: StructPlan
    changed: str  # the flag of its changes; "" if no reader asks for them
    lends: bool  # rows count as changed as long as the game may write them
    watched: str  # for comments
    state: StatePlan | None = None  # what it is kept for; no game has the singleton itself then

    @property
    def name(self) -> str:
        return self.struct.name


@record
class EmitPlan:
    """The call by which systems emit an event."""

    function: str
    emitter: str  # type
    member: str  # of a context
    comment: str
    heard: bool  # otherwise it does nothing


@record
class EventPlan:
    struct: StructPlan
    constant: str  # its id
    max: int
    first_hearer: str  # constant, "0" without hearers, which are numbered in a row
    hearer_count: int
    listener_count: int  # how many of the last ones are listeners
    stages: ListPlan  # rows: the stages of a system that emits it
    emit: EmitPlan | None  # None: no system emits it
    outside: str  # the call by which the game gives it, if it is an input; "" for an event

    @property
    def name(self) -> str:
        return self.struct.name

    @property
    def base_header(self) -> str:
        """Returns which header of the world its own needs: emitting needs the runtime's world."""
        return "world" if self.emit else "entity"

    @property
    def summary(self) -> str:
        """Says in a comment how large it is, and how many there may be."""
        size = count_of(self.struct.layout.bytes, "byte")
        whose = ", put by the game" if self.outside else ""
        return f"{size}, at most {self.max:,} unread{whose}"


@record
class RelationCalls:
    """The calls of a relation that attach a child to a parent, and what follows from that."""

    stem: str  # of the names of its calls: "colony_carried_by"
    fate: str  # comment: what becomes of children when their parent is despawned
    place: str  # comment: "first" or "last", where attaching puts a child among the others
    attach: str  # runtime function
    command: str  # constant
    recorded_by: str  # the function of the runtime that records an attach or append
    granted: list[
        tuple[str, str]
    ]  # calls about an entity with a twin for grants, after their types


@record
class RelationPlan:
    name: str
    page: PagePlan
    constant: str
    words: str  # comment: what becomes of children, and what else there is to it
    calls: RelationCalls
    granted: GrantedPlan
    hooks: list[HookPlan]
    row: dict[str, str]  # of the runtime's table: all that follows from links but these themselves
    reacts: bool  # whether anything does
