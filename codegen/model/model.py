"""This module holds the meaning of a schema: frozen records, every one with its place.

Nothing here knows C. `parse` builds a Model out of TOML, `check` proves it sound, `plan` turns it
into C names, layouts and tables. Every dict is in schema order (merged order: imported before
importer).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from source.source import Place


@dataclass(frozen=True)
class Ref:
    """A name as written somewhere in the schema, for instance in `read = ["position"]`."""

    name: str
    place: Place


class Base(Enum):
    """The kind of one element of a field."""

    NUMBER = "number"  # bool u8 … f64: `name` is the scalar's name in scalars.py
    ENTITY = "entity"
    CHAR = "char"  # only as char[N]
    ENUM = "enum"
    STRUCT = "struct"
    EXTERN = "extern"
    UNREAD = "unread"  # the type could not be read


class Shape(Enum):
    """The number of elements that a field has."""

    ONE = "one"  # T
    ARRAY = "array"  # T[N]
    LIST = "list"  # T[..N]
    STRING = "string"  # char[N], N counts the NUL


@dataclass(frozen=True)
class Type:
    base: Base
    name: str  # "f32", "entity", "char", or the name of an enum, struct or extern
    shape: Shape
    count: int  # 1 for ONE, else N
    by: str = ""  # of an ARRAY: the enum or state whose values number its elements

    @property
    def text(self) -> str:
        """Returns the type as the schema writes it."""
        if self.by:
            return f"{self.name}[{self.by}]"
        suffix = {Shape.ONE: "", Shape.LIST: f"[..{self.count}]"}.get(self.shape, f"[{self.count}]")
        return self.name + suffix


# A default is kept as it is written: a str for an enum too, and a dict by field for a struct.
Value = bool | int | float | str | list["Value"] | dict[str, "Value"]


@dataclass(frozen=True)
class Field:
    name: str
    type: Type
    place: Place
    doc: str = ""
    unit: str = ""
    min: int | float | None = None
    max: int | float | None = None
    default: Value | None = None  # None: all zero
    save: bool = True
    was: str = ""


@dataclass(frozen=True)
class Step:
    """The time that a tick of fixed steps takes."""

    text: str  # as the schema has it
    seconds: float  # not above 0, infinite or no number where the schema is wrong


@dataclass(frozen=True)
class World:
    name: str
    place: Place
    index_bits: int = 32
    generation_bits: int = 32
    recycle_after: int = 0
    max_entities: int = 1_000_000
    phases: tuple[Ref, ...] = ()
    on_despawn: bool = False  # the game has a hook for every entity that goes
    fragments: bool = False  # it has calls that open and merge them
    hide: tuple[Ref, ...] = ()  # tags whose rows only selections that name them have
    run_systems: bool = False  # it has a call that runs each system alone
    step: Step | None = None  # it has calls that run ticks of so much time
    max_steps: int | None = None  # most ticks of one such call; None: not in the schema
    doc: str = ""


@dataclass(frozen=True)
class EnumValue:
    name: str
    place: Place
    was: str = ""


@dataclass(frozen=True)
class EnumType:
    name: str
    place: Place
    values: tuple[EnumValue, ...]
    type: str  # "u8" "u16" "u32": the smallest that fits unless the schema chose one
    doc: str = ""
    kind: str = "enum"  # or "state": the values that a state can have


@dataclass(frozen=True)
class State:
    """One of some values that a world is at. Its enum has its name, and is among the enums."""

    name: str
    place: Place
    doc: str = ""
    was: str = ""


@dataclass(frozen=True)
class StateValue:
    """One value of a state, as written in `enters = "game.play"`."""

    state: Ref
    value: Ref


@dataclass(frozen=True)
class Resource:
    """A pointer of the game's, which no save has."""

    name: str
    place: Place
    header: str
    c: str
    doc: str = ""


@dataclass(frozen=True)
class StructType:
    name: str
    place: Place
    fields: tuple[Field, ...]
    doc: str = ""


@dataclass(frozen=True)
class ExternType:
    name: str
    place: Place
    header: str
    c: str
    size: int
    align: int
    fields: tuple[Field, ...]
    doc: str = ""


# The kinds of hooks of a component, which run when an entity gets it, when another value takes the
# place of the one it has, and when it loses it.
HOOKS = ("on_add", "on_replace", "on_remove")

# And those of a relation, which run when an entity gets or loses a parent.
LINK_HOOKS = ("on_attach", "on_detach")


@dataclass(frozen=True)
class Hook:
    """The functions of the game that are called, in this order, for one kind of hook."""

    kind: str  # one of HOOKS or LINK_HOOKS
    functions: tuple[Ref, ...]  # their names behind the owner's; the kind itself for `true`

    @property
    def words(self) -> str:
        """Returns what comments say of it: "on_remove (give_back, tell_minimap)"."""
        names = [function.name for function in self.functions]
        return self.kind if names == [self.kind] else f"{self.kind} ({', '.join(names)})"


@dataclass(frozen=True)
class RequiredValues:
    """Values that a component gives to one that it requires."""

    component: Ref
    values: dict[str, Value]  # only of the fields that are given
    index: int  # of its place in `requires`


@dataclass(frozen=True)
class Component:
    name: str
    place: Place
    fields: tuple[Field, ...] = ()
    doc: str = ""
    storage: str = "table"  # or "sparse"
    layout: str = "aos"  # or "soa"
    requires: tuple[Ref, ...] = ()
    required_values: tuple[RequiredValues, ...] = ()  # of those in `requires` that are given some
    excludes: tuple[Ref, ...] = ()
    save: bool = True
    hooks: tuple[Hook, ...] = ()  # of some of HOOKS, in their order
    was: str = ""
    holds: Expr | None = None  # over its own fields, of COMPARES

    def functions(self, kind: str) -> tuple[Ref, ...]:
        """Returns those of the game that are called for one of HOOKS."""
        return next((hook.functions for hook in self.hooks if hook.kind == kind), ())

    def gives(self, required: str) -> dict[str, Value]:
        """Returns the values that it gives to a component that it requires."""
        given = (one.values for one in self.required_values if one.component.name == required)
        return next(given, {})

    @property
    def is_tag(self) -> bool:
        return not self.fields

    @property
    def is_sparse(self) -> bool:
        return bool(self.fields) and self.storage == "sparse"

    @property
    def is_table(self) -> bool:
        """Tells whether the component decides which table an entity lives in."""
        return bool(self.fields) and self.storage == "table"

    @property
    def is_soa(self) -> bool:
        """Tells whether each of its fields is an array by itself."""
        return self.is_table and self.layout == "soa"

    @property
    def columns(self) -> int:
        """Counts the arrays that its values stand in, or those of one table."""
        return len(self.fields) if self.is_soa else 1


@dataclass(frozen=True)
class Singleton:
    name: str
    place: Place
    fields: tuple[Field, ...]
    doc: str = ""
    save: bool = True
    was: str = ""
    of_state: bool = False  # what a world keeps of the state of its name; see states.py
    holds: Expr | None = None  # over its own fields, of COMPARES


@dataclass(frozen=True)
class Event:
    name: str
    place: Place
    fields: tuple[Field, ...]
    max: int  # this many may be unread at once
    doc: str = ""
    was: str = ""
    kind: str = "event"  # or "input": the game puts it, systems hear it in the next tick


@dataclass(frozen=True)
class PrefabComponent:
    component: Ref
    values: dict[str, Value]  # only of the fields that are given


@dataclass(frozen=True)
class Prefab:
    name: str
    place: Place
    components: tuple[PrefabComponent, ...]
    doc: str = ""
    lives: StateValue | None = None  # its entities end when the state leaves this value


@dataclass(frozen=True)
class Relation:
    """A tree, in which an entity has at most one parent."""

    name: str
    place: Place
    on_parent_despawn: str  # "despawn" or "detach"
    doc: str = ""
    was: str = ""
    appends: bool = False  # attaching makes an entity the last child, not the first
    hooks: tuple[Hook, ...] = ()  # of some of LINK_HOOKS, in their order


class Op(Enum):
    HAS = "has"
    ADDED = "added"
    CHANGED = "changed"
    CHANGED_PARENT = "changed_parent"
    REMOVED = "removed"
    ROOT = "root"  # of a relation: it has children and no parent
    LEAF = "leaf"  # of a relation: it has a parent and no children
    IS = "=="  # of a state: it has a value
    COMPARES = "compares"  # a field with `value` by `sign`, or a bool by itself
    NOT = "!"
    AND = "&"
    OR = "|"
    XOR = "^"


@dataclass(frozen=True)
class Expr:
    """A `where` expression. An atom carries `ref`, NOT has one operand, the others have more."""

    op: Op
    place: Place
    ref: Ref | None = None
    operands: tuple[Expr, ...] = ()
    value: Ref | None = None  # of IS, with `ref` as the state; of COMPARES, with `ref` as the field
    sign: str = ""  # of COMPARES with a value: == != < <= > >=

    def refs(self) -> Iterator[Ref]:
        """Yields the names in it, as often as they stand there."""
        return (atom.ref for atom in self.atoms() if atom.ref)

    @property
    def atom(self) -> str:
        """Returns the question about a row as the schema writes it: `burning`, `added(burning)`."""
        assert self.ref is not None
        if self.value is not None:
            return f"{self.ref.name} {self.sign or '=='} {self.value.name}"
        alone = self.op in (Op.HAS, Op.COMPARES)
        return self.ref.name if alone else f"{self.op.value}({self.ref.name})"

    @property
    def text(self) -> str:
        """Returns it as a schema has it; an inner expression with two sides gets ( )."""
        if self.ref is not None:
            return self.atom
        parts = [f"({o.text})" if self._wraps(o) else o.text for o in self.operands]
        return f"!{parts[0]}" if self.op is Op.NOT else f" {self.op.value} ".join(parts)

    def _wraps(self, operand: Expr) -> bool:
        return len(operand.operands) > 1 or (self.op is Op.NOT and operand.value is not None)

    def atoms(self) -> Iterator[Expr]:
        """Yields every part that asks about a component, from left to right."""
        if self.ref is not None:
            yield self
        for operand in self.operands:
            yield from operand.atoms()


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
    marks: str = ""  # "explicit": it reports itself which rows it has changed
    lookup_relations: tuple[Ref, ...] = ()  # those in `lookup.read`
    order: Ref | None = None  # the relation that gives parents before children
    relation: Ref | None = None  # the relation of `parent`, as written where there is no order
    parent: tuple[Ref, ...] = ()  # components that it reads of the parent
    parents_by: Ref | None = None  # the relation of those: `order`, `relation` or the only one


@dataclass(frozen=True)
class Quiet:
    """A warning of `lint` that a declaration silences."""

    id: str
    kind: str
    owner: str
    reason: str
    place: Place


@dataclass(frozen=True)
class Model:
    world: World
    sources: tuple[str, ...] = ()  # every file read, in merged order
    enums: dict[str, EnumType] = field(default_factory=dict)
    structs: dict[str, StructType] = field(default_factory=dict)
    externs: dict[str, ExternType] = field(default_factory=dict)
    components: dict[str, Component] = field(default_factory=dict)
    singletons: dict[str, Singleton] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)
    events: dict[str, Event] = field(default_factory=dict)
    prefabs: dict[str, Prefab] = field(default_factory=dict)
    queries: dict[str, Query] = field(default_factory=dict)
    listeners: dict[str, Listener] = field(default_factory=dict)
    indexes: dict[str, Index] = field(default_factory=dict)
    systems: dict[str, System] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    quiet: tuple[Quiet, ...] = ()
    # Components that stand for what rows are asked about relations, with the relation of each;
    # see trees.py. A model that was just read has none.
    relation_tags: dict[str, str] = field(default_factory=dict)

    @property
    def begun(self) -> list[Query]:
        """Lists what the game begins: queries, then listeners."""
        return [*self.queries.values(), *self.listeners.values()]

    @property
    def with_removals(self) -> list[System | Listener]:
        """Lists what may read removals."""
        return [*self.systems.values(), *self.listeners.values()]

    def is_tag(self, name: str) -> bool:
        """Tells whether this is the name of a component without fields."""
        return name in self.components and self.components[name].is_tag

    def has_values(self, name: str) -> bool:
        """Tells whether this is the name of a component with fields."""
        return name in self.components and not self.components[name].is_tag

    def writes_fields(self, selection: Selection) -> bool:
        """Tells whether a selection gives runs of rows, and a soa component to write."""
        written = [self.components.get(ref.name) for ref in selection.write]
        return not selection.rows and any(one is not None and one.is_soa for one in written)

    def struct_of(self, type: Type) -> StructType | ExternType:
        """Finds the declaration of a type whose base is STRUCT or EXTERN."""
        return (self.structs if type.base is Base.STRUCT else self.externs)[type.name]
