"""Records of prefabs."""

from __future__ import annotations

from model.record import record
from plan.lists import ListPlan
from plan.records.data import ComponentPlan
from plan.records.page import PagePlan


@record
class PrefabMember:
    component: ComponentPlan
    default: str  # its value in C++


@record
class PrefabTables:
    """The const arrays of a prefab."""

    set: ListPlan
    component_ids: ListPlan  # members, then listed tags, then what these require
    member_offsets: ListPlan
    required_values: ListPlan  # of required components, if not their defaults
    defaults: ListPlan  # one plain struct with the values that the schema gives


@record
class ContentsPlan:
    """The components of a prefab, grouped by how they are filled in."""

    members: list[PrefabMember]  # without tags
    sparse: list[ComponentPlan]
    tags: list[ComponentPlan]  # listed ones and those that the closure adds
    extra: list[tuple[str, str]]  # table components that only the closure adds, and their values
    listed_tags: str  # comment: "tag ripe", "tags ripe and busy", "" without any

    @property
    def columns(self) -> list[PrefabMember]:
        """Returns the members in tables."""
        return [one for one in self.members if one.component.storage.kind != "sparse"]


@record
class MovedPlan:
    """The static functions that move rows of a prefab's table. Each may be missing."""

    copied: list[str]  # constants of all its table components, if one function copies them
    copy: str  # copies their columns; "NULL" without any
    shift: str  # moves a row to another table; "" if loops of the runtime do that
    end: str  # removes a row; "" if loops of the runtime do that
    append: str  # appends a row from a plain struct; "" if copying its members is not enough


@record
class PrefabRowsPlan:
    """How new rows of a prefab are made, besides their values."""

    has_bitsets: bool
    has_readers: bool  # whether a table component of it has readers of changes
    told: bool  # whether a hook or a seed runs for a new entity
    hooked: str  # comment: the components whose on_add is called for a new one; "" without any
    filled_with: str  # C expression: the value that spawn_rows fills in, or "NULL"
    moves: MovedPlan


@record
class KeptPlan:
    """Where an entity stores the handles of one of its parts."""

    component: ComponentPlan  # hidden, sparse; its value is an array of handles
    first: int  # the number of the part's first handle in it
    count: int  # of its handles; more than the prefab has parts if a variant has more


@record
class PartPlan:
    """A part that a prefab lists: a member of its structs, and the call that finds it later."""

    name: str
    doc: list[str]  # comment
    declarator: str  # "turret", "wheel[4]"
    type: str  # C: the struct of its prefab
    handles: str  # C: the handle, or the struct of handles if it has parts
    rows: str  # C: the struct of rows of its prefab
    header: str
    relation: str
    find: str  # C name of the call
    count: int
    kept: KeptPlan

    @property
    def counted(self) -> str:
        """Returns how many there are, in words."""
        more = f" (variants have up to {self.kept.count})"
        return f"{self.count} parts {self.name}{more if self.kept.count > self.count else ''}"

    @property
    def headers(self) -> list[str]:
        """Returns the headers of its prefab and of the hidden component."""
        return [self.header, self.kept.component.struct.page.header]


@record
class TreePlan:
    """The entities of a composite prefab."""

    parts: list[PartPlan]  # those that it lists, without their own parts
    entities: int  # that one spawn makes
    all: str  # C: the struct of its handles
    lists: list[ListPlan]  # the tables of the runtime
    table: str  # C name of its weft_tree, an array of one


@record
class PrefabPlan:
    name: str
    page: PagePlan
    type: str  # C name
    constant: str
    contents: ContentsPlan
    rows: PrefabRowsPlan
    tables: PrefabTables
    tree: TreePlan | None  # None for a prefab without parts
    part_defaults: list[str]  # of the parts that it lists, in C++

    @property
    def parts(self) -> list[PartPlan]:
        return self.tree.parts if self.tree else []

    @property
    def has_no_fields(self) -> bool:
        """Returns whether its struct needs a member, because C has no empty structs."""
        return not self.contents.members and not self.parts
