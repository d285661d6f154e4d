"""These records hold what a world has, from components to relations."""

from __future__ import annotations

from model.declared import Declaration
from model.expressions import Expr
from model.record import record
from model.refs import Ref
from model.types import Field, Value
from source.source import Place


@record
class State:
    """One of some values that a world is at. Its enum has its name, and is among the enums."""

    name: str
    place: Place
    doc: str = ""
    was: str = ""


@record
class StateValue:
    """One value of a state, as written in `enters = "game.play"`."""

    state: Ref
    value: Ref


@record
class Resource:
    """A pointer of the game's, which no save has."""

    name: str
    place: Place
    header: str
    c: str
    doc: str = ""


# The kinds of hooks of a component, which run when an entity gets it, when another value takes the
# place of the one it has, and when it loses it.
HOOKS = ("on_add", "on_replace", "on_remove")

# And those of a relation, which run when an entity gets or loses a parent.
LINK_HOOKS = ("on_attach", "on_detach")


@record
class Hook:
    """The functions of the game that are called, in this order, for one kind of hook."""

    kind: str  # one of HOOKS or LINK_HOOKS
    functions: tuple[Ref, ...]  # their names behind the owner's; the kind itself for `true`

    @property
    def words(self) -> str:
        """Returns what comments say of it: "on_remove (give_back, tell_minimap)"."""
        names = [function.name for function in self.functions]
        return self.kind if names == [self.kind] else f"{self.kind} ({', '.join(names)})"


@record
class RequiredValues:
    """Values that a component gives to one that it requires."""

    component: Ref
    values: dict[str, Value]  # only of the fields that are given
    index: int  # of its place in `requires`


@record
class Stored:
    """Where the values of a component are, and whether saves have them."""

    storage: str = "table"  # or "sparse"
    layout: str = "aos"  # or "soa"
    save: bool = True


@record
class Rules:
    """The components that one brings along, or keeps away."""

    requires: tuple[Ref, ...] = ()
    values: tuple[RequiredValues, ...] = ()  # of those in `requires` that are given some
    excludes: tuple[Ref, ...] = ()


@record
class Component(Declaration):
    fields: tuple[Field, ...] = ()
    stored: Stored = Stored()
    rules: Rules = Rules()
    hooks: tuple[Hook, ...] = ()  # of some of HOOKS, in their order
    holds: Expr | None = None  # over its own fields, of COMPARES

    def functions(self, kind: str) -> tuple[Ref, ...]:
        """Returns those of the game that are called for one of HOOKS."""
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
        """Returns whether the component decides which table an entity lives in."""
        return bool(self.fields) and self.stored.storage == "table"

    @property
    def is_soa(self) -> bool:
        """Returns whether each of its fields is an array by itself."""
        return self.is_table and self.stored.layout == "soa"

    @property
    def columns(self) -> int:
        """Counts the arrays that its values stand in, or those of one table."""
        return len(self.fields) if self.is_soa else 1


@record
class Singleton(Declaration):
    fields: tuple[Field, ...]
    save: bool = True
    of_state: bool = False  # what a world keeps of the state of its name; see states.py
    holds: Expr | None = None  # over its own fields, of COMPARES


@record
class Event(Declaration):
    fields: tuple[Field, ...]
    max: int  # this many may be unread at once
    kind: str = "event"  # or "input": the game puts it, systems hear it in the next tick


@record
class PrefabComponent:
    component: Ref
    values: dict[str, Value]  # only of the fields that are given


@record
class Prefab:
    name: str
    place: Place
    components: tuple[PrefabComponent, ...]
    doc: str = ""
    lives: StateValue | None = None  # its entities end when the state leaves this value


@record
class Relation(Declaration):
    """A tree, in which an entity has at most one parent."""

    on_parent_despawn: str  # "despawn" or "detach"
    appends: bool = False  # attaching makes an entity the last child, not the first
    hooks: tuple[Hook, ...] = ()  # of some of LINK_HOOKS, in their order
