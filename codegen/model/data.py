"""Records for the data of a world, from components to links."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from model.declared import Declaration
from model.expressions import Expr
from model.record import record
from model.refs import Ref
from model.types import Field, Value
from source.source import Place
from source.toml_places import Path


@record
class State:
    """A state, which always has one of its values. An enum with the same name lists them."""

    name: str
    place: Place
    doc: str = ""
    was: str = ""
    again: bool = False  # a request of the current value ends it and begins it again


@record
class StateValue:
    """One value of a state, for example `enters = "game.play"`."""

    state: Ref
    value: Ref


@record
class Resource:
    """A pointer that the game owns. Saves do not contain it."""

    name: str
    place: Place
    header: str
    c: str
    doc: str = ""


# The hooks of a component run when an entity gets it, when its value is replaced, and when the
# entity loses it.
HOOKS = ("on_add", "on_replace", "on_remove")

# The hooks of a relation run when an entity gets or loses a parent.
NODE_HOOKS = ("on_attach", "on_detach")

# The hooks of a link run when it is added and before it is removed.
LINK_HOOKS = ("on_add", "on_remove")


@record
class Hook:
    """The functions of the game that run for one kind of hook, in this order."""

    kind: str  # one of HOOKS, NODE_HOOKS or LINK_HOOKS
    functions: tuple[Ref, ...]  # their names without the owner's; the kind itself for `true`

    @property
    def words(self) -> str:
        """Returns the hook as comments show it, for example "on_remove (give_back,
        tell_minimap)".
        """
        names = [function.name for function in self.functions]
        return self.kind if names == [self.kind] else f"{self.kind} ({', '.join(names)})"


@record
class RequiredValues:
    """Values that a component gives to one that it requires."""

    component: Ref
    values: dict[str, Value]  # only the fields that the schema gives
    index: int  # the item of `requires`


@record
class Stored:
    """How the values of a component are stored, and whether saves contain them."""

    storage: str = "table"  # or "sparse"
    layout: str = "aos"  # or "soa"
    save: bool = True


@record
class Rules:
    """The components that a component requires or excludes."""

    requires: tuple[Ref, ...] = ()
    values: tuple[RequiredValues, ...] = ()  # for the items of `requires` that give values
    excludes: tuple[Ref, ...] = ()


@record
class Component(Declaration):
    fields: tuple[Field, ...] = ()
    stored: Stored = Stored()
    rules: Rules = Rules()
    hooks: tuple[Hook, ...] = ()  # in the order of HOOKS
    holds: Expr | None = None  # over its own fields; its atoms are COMPARES
    of_prefab: str = ""  # it is hidden, and stores the parts of this prefab; see parts.py

    def functions(self, kind: str) -> tuple[Ref, ...]:
        """Returns the functions of the game for one kind of hook."""
        return next((hook.functions for hook in self.hooks if hook.kind == kind), ())

    def gives(self, required: str) -> dict[str, Value]:
        """Returns the values that it gives to a component that it requires."""
        given = (one.values for one in self.rules.values if one.component.name == required)
        return next(given, {})

    @property
    def save(self) -> bool:
        return self.stored.save

    @property
    def is_tag(self) -> bool:
        return not self.fields

    @property
    def is_sparse(self) -> bool:
        return bool(self.fields) and self.stored.storage == "sparse"

    @property
    def is_table(self) -> bool:
        """Returns whether the component decides which table stores an entity."""
        return bool(self.fields) and self.stored.storage == "table"

    @property
    def is_soa(self) -> bool:
        """Returns whether each of its fields is a separate array."""
        return self.is_table and self.stored.layout == "soa"

    @property
    def columns(self) -> int:
        """Returns how many arrays a table stores for it."""
        return len(self.fields) if self.is_soa else 1


@record
class Singleton(Declaration):
    fields: tuple[Field, ...]
    save: bool = True
    of_state: bool = False  # made from the state of this name; see states.py
    holds: Expr | None = None  # over its own fields; its atoms are COMPARES


@record
class Event(Declaration):
    fields: tuple[Field, ...]
    max: int  # most unread events at once
    kind: str = "event"  # or "input": the game puts it, and systems read it in the next tick


@record
class PrefabComponent:
    component: Ref
    values: dict[str, Value]  # only the fields that the schema gives
    paths: dict[str, Path] = field(default_factory=dict)  # of the keys that give these values


class Spot(NamedTuple):
    """A part on the way to another one, for example `wheel[2]`, or a field of a component."""

    name: str
    item: int | None = None  # None: the only one, or all of them

    @property
    def text(self) -> str:
        return self.name if self.item is None else f"{self.name}[{self.item}]"


@record
class PartChange:
    """Differences of a part from its prefab, or of a part below it."""

    path: tuple[str, ...]  # from the part; () is the part itself
    components: tuple[PrefabComponent, ...] = ()
    without: tuple[Ref, ...] = ()  # parts of it that are not spawned


@record
class WrittenPart:
    """An item of `parts`. A longer path is that of a part of a part."""

    path: tuple[str, ...]
    place: Place
    prefab: Ref | None
    by: Ref | None
    count: int | None
    change: PartChange
    doc: str = ""
    was: str = ""


@record
class PrefabRef:
    """An item of `refs`: an entity field that contains the handle of another part."""

    component: str
    field: tuple[Spot, ...]
    holder: tuple[Spot, ...]  # the part that has the component; () is the root
    target: tuple[Spot, ...]  # () is the root
    place: Place
    target_place: Place
    is_lost: bool = False  # a variant left out its target, so the field has its default

    @property
    def text(self) -> str:
        """Returns the field as the schema writes it."""
        at = f"@{path_text(self.holder)}" if self.holder else ""
        return f"{self.component}.{path_text(self.field)}{at}"


def path_text(path: tuple[Spot, ...]) -> str:
    """Returns a path as the schema writes it: `turret.barrel`, or `self` for the root."""
    return ".".join(spot.text for spot in path) or "self"


@record
class WrittenPrefab:
    """The own text of a prefab, without that of the prefab in `is`."""

    components: tuple[PrefabComponent, ...] = ()
    without: tuple[Ref, ...] = ()
    parts: tuple[WrittenPart, ...] = ()
    refs: tuple[PrefabRef, ...] = ()
    lives: StateValue | None = None


@record
class Part(Declaration):
    """A part that every entity of a prefab is spawned with."""

    prefab: Ref
    by: Ref  # the relation that attaches it
    count: int
    introduced_by: str  # the prefab that declares it; a variant inherits it
    changes: tuple[PartChange, ...]  # in the order in which they apply


@record
class Prefab(Declaration):
    components: tuple[PrefabComponent, ...]  # with those of `is`
    lives: StateValue | None = None  # its entities are despawned when the state leaves this value
    base: Ref | None = None  # the prefab in `is`
    parts: tuple[Part, ...] = ()  # with those of `is`
    refs: tuple[PrefabRef, ...] = ()  # those of `is` first; a later one of the same field decides
    written: WrittenPrefab = WrittenPrefab()


@record
class Relation(Declaration):
    """A tree, in which an entity has at most one parent."""

    on_parent_despawn: str  # "despawn" or "detach"
    appends: bool = False  # attaching inserts an entity as the last child, not as the first
    hooks: tuple[Hook, ...] = ()  # in the order of NODE_HOOKS


# What happens to the other end of a link when one end is despawned.
ON_END_DESPAWN = ("remove", "despawn")


@record
class Ends:
    """What a link does when the entity at one of its ends is despawned."""

    source: str = "remove"  # on_despawn.from: "despawn" also despawns the entity at `to`
    target: str = "remove"  # on_despawn.to: "despawn" also despawns the entity at `from`


@record
class Link(Declaration):
    """Links between any two entities. There is at most one for each ordered pair."""

    fields: tuple[Field, ...] = ()
    symmetric: bool = False  # a link leads in both directions
    ends: Ends = Ends()
    hooks: tuple[Hook, ...] = ()  # in the order of LINK_HOOKS

    @property
    def is_bare(self) -> bool:
        """Returns whether its links have no value."""
        return not self.fields
