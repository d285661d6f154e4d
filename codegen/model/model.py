"""This module holds the meaning of a schema: a Model of frozen records, every one with its place.

Nothing here knows C. `parse` builds a Model out of TOML, `check` proves it sound, `plan` turns it
into C names, layouts and tables. Every dict is in schema order (merged order: imported before
importer). The records are in `types`, `expressions`, `data` and `code`.
"""

from __future__ import annotations

from dataclasses import field

from model.code import Index, Listener, Query, Selection, System
from model.data import Component, Event, Link, Prefab, Relation, Resource, Singleton, State
from model.declared import Declaration
from model.record import record
from model.refs import Ref
from model.types import Base, EnumType, ExternType, StructType, Type
from source.source import Place


@record
class Step:
    """The duration of a tick with fixed steps."""

    text: str  # as the schema writes it
    seconds: float  # 0 or less, infinite or NaN if the schema is wrong
    exact: tuple[int, int] | None  # numerator and denominator; None for 0, infinity and NaN
    place: Place


@record
class Entities:
    """How many entities a world may have, and the widths of their handles."""

    index_bits: int = 32
    generation_bits: int = 32
    chosen: bool = True  # the schema sets both widths
    recycle_after: int = 0
    max: int = 1_000_000
    on_despawn: bool = False  # the game has a hook that runs for each despawned entity


@record
class Ticks:
    """The ways in which a world can be run besides whole ticks of any length."""

    run_systems: bool = False  # each system has a call that runs it alone
    step: Step | None = None  # the world has calls that run ticks of this duration
    max_steps: int | None = None  # most ticks of one such call; None if the schema does not set it


@record
class World(Declaration):
    entities: Entities = Entities()
    phases: tuple[Ref, ...] = ()
    ticks: Ticks = Ticks()
    hide: tuple[Ref, ...] = ()  # tags that hide rows from selections that do not name them
    fragments: bool = False  # the world has calls that open and merge fragments


@record
class Quiet:
    """A warning of `lint` that a declaration silences."""

    id: str
    kind: str
    owner: str
    reason: str
    place: Place


@record
class Types:
    """The types of fields that a schema declares."""

    enums: dict[str, EnumType] = field(default_factory=dict)
    structs: dict[str, StructType] = field(default_factory=dict)
    externs: dict[str, ExternType] = field(default_factory=dict)


@record
class Kept:
    """Things that exist once in a world."""

    singletons: dict[str, Singleton] = field(default_factory=dict)
    states: dict[str, State] = field(default_factory=dict)
    resources: dict[str, Resource] = field(default_factory=dict)


@record
class Data:
    """All data of a world."""

    components: dict[str, Component] = field(default_factory=dict)
    # Tags that the generator adds for questions about relations and links, each with its relation
    # or link; see trees.py. A model that was just parsed has none.
    relation_tags: dict[str, str] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)
    events: dict[str, Event] = field(default_factory=dict)
    prefabs: dict[str, Prefab] = field(default_factory=dict)
    relations: dict[str, Relation] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)


@record
class Code:
    """Everything that selects or runs over the data of a world."""

    queries: dict[str, Query] = field(default_factory=dict)
    listeners: dict[str, Listener] = field(default_factory=dict)
    indexes: dict[str, Index] = field(default_factory=dict)
    systems: dict[str, System] = field(default_factory=dict)


@record
class Model:
    world: World
    sources: tuple[str, ...] = ()  # every file that was read, imports first
    types: Types = field(default_factory=Types)
    data: Data = field(default_factory=Data)
    code: Code = field(default_factory=Code)
    quiet: tuple[Quiet, ...] = ()

    @property
    def begun(self) -> list[Query]:
        """Returns everything that the game iterates: queries, then listeners."""
        return [*self.code.queries.values(), *self.code.listeners.values()]

    @property
    def with_removals(self) -> list[System | Listener]:
        """Returns everything that may read removals."""
        return [*self.code.systems.values(), *self.code.listeners.values()]

    def is_tag(self, name: str) -> bool:
        """Returns whether a component without fields has this name."""
        return name in self.data.components and self.data.components[name].is_tag

    def has_values(self, name: str) -> bool:
        """Returns whether a component with fields has this name."""
        return name in self.data.components and not self.data.components[name].is_tag

    def writes_fields(self, selection: Selection) -> bool:
        """Returns whether a selection gives runs of rows and writes a soa component."""
        written = [self.data.components.get(ref.name) for ref in selection.write]
        return not selection.rows and any(one is not None and one.is_soa for one in written)

    def struct_of(self, type: Type) -> StructType | ExternType:
        """Returns the declaration of a type whose base is STRUCT or EXTERN."""
        return (self.types.structs if type.base is Base.STRUCT else self.types.externs)[type.name]
