"""These records hold all kinds of data in a world together."""

from __future__ import annotations

from model.record import record
from plan.records.data import (
    ColumnPlan,
    ComponentPlan,
    EnumPlan,
    EventPlan,
    HookPlan,
    RelationPlan,
    ResourcePlan,
    SingletonPlan,
    StructPlan,
)
from plan.records.prefab import PrefabPlan


@record
class TypesPlan:
    """The types of fields that a schema declares."""

    enums: list[EnumPlan]
    structs: list[StructPlan]
    externs: list[StructPlan]
    extern_headers: dict[str, str]
    rng: int  # 1 + the number of the extern that the field type rng is; 0: no field has it


@record
class ComponentsPlan:
    """All that the runtime takes for components, and the columns of their tables."""

    declared: list[ComponentPlan]
    relation_tags: list[ComponentPlan]  # behind the components, in numbers; see model/trees.py
    columns: list[ColumnPlan]  # bitsets last
    first_bitset: int

    @property
    def numbered(self) -> list[ComponentPlan]:
        return [*self.declared, *self.relation_tags]

    @property
    def stores(self) -> list[ComponentPlan]:
        return [component for component in self.declared if component.storage.kind == "sparse"]


@record
class DataPlan:
    """All kinds of data in a world."""

    types: TypesPlan
    components: ComponentsPlan
    singletons: list[SingletonPlan]
    resources: list[ResourcePlan]
    events: list[EventPlan]
    prefabs: list[PrefabPlan]
    relations: list[RelationPlan]
    on_despawn: str  # the hook of every entity that ends; "": there is none

    @property
    def kept_headers(self) -> list[str]:
        """Returns the headers of all that a world keeps one of."""
        return [
            *(singleton.struct.page.header for singleton in self.singletons),
            *(resource.page.header for resource in self.resources),
        ]

    @property
    def settles(self) -> list[str]:
        """Returns the functions that let states have the values that were asked for."""
        return [one.state.settle for one in self.singletons if one.state]

    @property
    def states_wait(self) -> str:
        """Returns the C expression that tells whether a state is to change."""
        states = [f"w->{one.name}" for one in self.singletons if one.state]
        return " || ".join(f"{state}.next != {state}.now" for state in states)

    @property
    def with_fields(self) -> list[StructPlan]:
        """Returns all that has reflection rows."""
        shapes = [*self.types.structs, *self.types.externs]
        shapes += [component.struct for component in self.components.declared]
        shapes += [singleton.struct for singleton in self.singletons]
        shapes += [event.struct for event in self.events]
        return [shape for shape in shapes if shape.members]

    @property
    def inputs(self) -> list[EventPlan]:
        """Returns the events that come from outside."""
        return [event for event in self.events if event.outside]

    @property
    def has_hooks(self) -> bool:
        return bool(self.on_despawn or any(hook.functions for hook in self.hooks))

    @property
    def hooks(self) -> list[HookPlan]:
        """Returns those of all components, then those of all relations."""
        hooks = [hook for component in self.components.declared for hook in component.calls.hooks]
        return hooks + [hook for one in self.relations for hook in one.hooks]

    @property
    def has_reactions(self) -> bool:
        """Returns whether anything follows from links of a relation but these themselves."""
        return any(relation.reacts for relation in self.relations)
