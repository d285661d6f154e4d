"""Records of types, components, singletons, events, hooks and relations."""

from __future__ import annotations

from model.record import record, replace
from plan.lists import NONE, ListPlan
from plan.records.page import PagePlan
from plan.text import count_of
from plan.types import ListType, Member


@record
class EnumConstant:
    """A value of an enum in C."""

    name: str
    number: int
    comment: str  # its doc on one line


@record
class EnumPlan:
    name: str
    page: PagePlan
    type: str
    c_type: str
    values: list[EnumConstant]
    count: str  # the constant with the number of values
    name_call: str  # the function that returns the name of a value

    @property
    def names_table(self) -> str:
        """Returns the C name of the array of the names of its values."""
        return self.page.row["values"]


@record
class DefaultPlan:
    """The default value of something, as a constant in C."""

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
    default: DefaultPlan | None  # None if it has no default value

    @property
    def fields_table(self) -> str:
        """Returns the C name of the reflection rows of its fields, "NULL" without fields."""
        return self.page.row["fields"]

    @property
    def list_types(self) -> list[ListType]:
        """Returns the types of its lists, which are defined before it."""
        return [member.list_type for member in self.members if member.list_type]

    def with_row(self, row: dict[str, str]) -> StructPlan:
        """Returns a copy with another row of reflection."""
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
    """A function that applies successive commands of one component, or of those that share it."""

    function: str
    of: str  # C: the component as the runtime takes it; for shared calls its storage and size
    shared: bool


@record
class WrapperPlan:
    """A static function with the types of the runtime, which calls hooks of the game."""

    name: str
    values: str  # its parameters after the handle
    passes: dict[str, str]  # by function, after the entity: ", (colony_sprite *)value"
    of_tag: bool = False  # a tag has no value
    seeds: str = ""  # constant of the component whose seed it also makes, or ""


@record
class HookPlan:
    """Functions of the game that are called in this order when a component changes."""

    kind: str  # on_add, on_replace or on_remove
    functions: list[str]
    takes: dict[str, str]  # by function, after the entity: ", colony_sprite *value"; "" for a tag
    when: dict[str, str]  # by function: "after e got the component, …", and what it may write
    comment: list[str]  # when they are called; the first one also lists what hooks may do
    wrapper: WrapperPlan


@record
class CallsPlan:
    """How calls of a component are made, and the hooks that they call."""

    direct: str  # C: the component as inline calls take it; "": rules, readers or hooks forbid them
    wide: bool  # its alignment is larger than that of a value after its command
    hooks: list[HookPlan]


@record
class RulesPlan:
    """The rules of a component that follow from requires and excludes."""

    closure: ListPlan  # the components that one requires, as a set of bits
    conflicts: ListPlan  # the components that it excludes, as a set of bits
    required_by: ListPlan
    given: ListPlan  # values for missing components that it requires, as one struct
    found: ListPlan  # addresses of the values of required components, its own or others'
    bind: str  # "true" if a rule concerns another component
    alone: (
        str  # comment: that a writer adds nothing that the tag requires; "" if it requires nothing
    )
    kept: str  # comment: a further reason why removing it may be refused
    lines: list[str]  # comment


@record
class ReadersPlan:
    """Readers with successive numbers."""

    first: str
    count: int


@record
class WatchedPlan:
    """The readers of changes of a component, and its change sets."""

    added: str  # the change sets that collect changes first, "WEFT_NONE" without readers
    changed: str
    sets: int  # change sets of each table with the component, if all have equally many; else 0
    words: str  # comment: "; watched by redraw, query moved", "" without readers
    removals: ReadersPlan
    removal_sets: ReadersPlan  # readers that ask for removed(…) of it
    indexed: bool  # an index reads it
    optional: bool  # a reader may find it missing
    lends: bool  # a value stays marked as long as the game may write it through a pointer

    @property
    def mark(self) -> str:
        """Returns the change set that marks writes, "" without readers."""
        return "" if self.changed == NONE else self.changed

    @property
    def by_anyone(self) -> bool:
        return (self.added, self.changed) != (NONE, NONE)

    @property
    def edits(self) -> str:
        """Returns what a call with a writer does, for comments."""
        return "returns the value for writing" + (", and marks it as changed" if self.mark else "")

    @property
    def edit_comment(self) -> str:
        """Returns the comment of the call that returns a value for writing."""
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
    """The constants of the bits that mark the rows with a component."""

    column: str
    number: str


@record
class StoragePlan:
    """How the values of a component are stored."""

    kind: str  # aos, soa, sparse or tag: which template prints its header
    words: str  # comment: how it is stored, and which rules it has
    columns: list[str]  # constants, in tables: soa has one a field, a tag or sparse component none
    bitset: BitsetPlan | None  # of a tag or sparse component
    store: str  # constant, "WEFT_NONE" without
    runs: RunsPlan | None  # None: each command uses the general call

    @property
    def column(self) -> str:
        """Returns the constant of its first column, or of its bitset."""
        return self.bitset.column if self.bitset else self.columns[0]


@record
class GrantedPlan:
    """Whether any system or hook has a grant, so that the header declares the calls for it."""

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
    again: bool  # a request of the current value ends it and begins it again
    settle: str  # the function that gives it its next value
    ends: list[tuple[str, str]]  # values, each with the tag of entities that end with it
    due: list[tuple[str, str, str]]  # "now" or "next", a value, the flag that it sets

    @property
    def stays(self) -> str:
        """Returns the C test whether the state keeps its value."""
        state = f"w->{self.enum.name}"
        return f"{state}.next == {state}.now" + (f" && !{state}.again" if self.again else "")

    @property
    def current(self) -> str:
        """Returns what a request of the current value does, as a comment."""
        if self.again:
            return "If it is the current value, the value ends and begins again."
        return "To set the current value has no effect."


@record
class SingletonPlan:
    index: int  # in the schema
    struct: StructPlan
    changed: str  # the flag of its changes; "" if no reader asks for them
    lends: bool  # rows count as changed as long as the game may write them
    watched: str  # comment: its readers
    state: StatePlan | None = None  # the state that it stores; games cannot use it directly

    @property
    def name(self) -> str:
        return self.struct.name


@record
class EmitPlan:
    """The call that systems use to emit an event."""

    function: str
    emitter: str  # type
    member: str  # of a context
    comment: str
    heard: bool  # if false, the call does nothing


@record
class EventPlan:
    struct: StructPlan
    constant: str  # its id
    max: int
    first_hearer: str  # constant, "0" without hearers; the others follow it
    hearer_count: int
    listener_count: int  # number of listeners, which are the last hearers
    stages: ListPlan  # rows: the stages of a system that emits it
    emit: EmitPlan | None  # None: no system emits it
    outside: str  # the call with which the game puts it, if it is an input; "" for an event

    @property
    def name(self) -> str:
        return self.struct.name

    @property
    def base_header(self) -> str:
        """Returns the header of the world that its own includes; emitting needs the whole world."""
        return "world" if self.emit else "entity"

    @property
    def summary(self) -> str:
        """Returns its size and limit, for comments."""
        size = count_of(self.struct.layout.bytes, "byte")
        whose = ", put by the game" if self.outside else ""
        return f"{size}, at most {self.max:,} unread{whose}"


@record
class RelationCalls:
    """The calls of a relation, and words about them."""

    stem: str  # of the names of its calls: "colony_carried_by"
    fate: str  # comment: what happens to children when their parent is despawned
    place: str  # comment: "first" or "last", the place of an attached child
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
    words: str  # comment: what happens to children, where new ones are added, hooks
    calls: RelationCalls
    granted: GrantedPlan
    hooks: list[HookPlan]
    row: dict[str, str]  # of the runtime's table: hooks, tags and the fate of children
    reacts: bool  # a change of a link has further effects
