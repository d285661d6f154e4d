"""Records of all kinds of data in a world."""

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
from plan.records.link import LinkPlan
from plan.records.prefab import PrefabPlan


@record
class TypesPlan:
    """The types of fields that a schema declares."""

    enums: list[EnumPlan]
    structs: list[StructPlan]
    externs: list[StructPlan]
    extern_headers: dict[str, str]
    rng: int  # 1 + the number of the extern of field type rng; 0 if no field has it


@record
class ComponentsPlan:
    """All components of the runtime, including tags of relations, and the columns of tables."""

    declared: list[ComponentPlan]
    relation_tags: list[ComponentPlan]  # numbered after the components; see model/trees.py
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
    links: list[LinkPlan]
    on_despawn: str  # the hook of every despawned entity, or ""

    @property
    def kept_headers(self) -> list[str]:
        """Returns the headers of singletons, states and resources."""
        return [
            *(singleton.struct.page.header for singleton in self.singletons),
            *(resource.page.header for resource in self.resources),
        ]

    @property
    def settles(self) -> list[str]:
        """Returns the functions that give states their next values."""
        return [one.state.settle for one in self.singletons if one.state]

    @property
    def states_wait(self) -> str:
        """Returns the C test whether a state has another next value or begins its value again."""
        states = [one for one in self.singletons if one.state]
        tests = [f"w->{one.name}.next != w->{one.name}.now" for one in states]
        tests += [f"w->{one.name}.again" for one in states if one.state and one.state.again]
        return " || ".join(tests)

    @property
    def with_fields(self) -> list[StructPlan]:
        """Returns everything with rows of reflection."""
        shapes = [*self.types.structs, *self.types.externs]
        shapes += [component.struct for component in self.components.declared]
        shapes += [singleton.struct for singleton in self.singletons]
        shapes += [event.struct for event in self.events]
        shapes += [link.struct for link in self.links]
        return [shape for shape in shapes if shape.members]

    @property
    def inputs(self) -> list[EventPlan]:
        """Returns the inputs: events that the game puts."""
        return [event for event in self.events if event.outside]

    @property
    def has_hooks(self) -> bool:
        return bool(self.on_despawn or any(hook.functions for hook in self.hooks))

    @property
    def hooks(self) -> list[HookPlan]:
        """Returns the hooks of all components, then those of all relations and of all links."""
        hooks = [hook for component in self.components.declared for hook in component.calls.hooks]
        hooks += [hook for one in self.relations for hook in one.hooks]
        return hooks + [hook for one in self.links for hook in one.hooks]

    @property
    def has_reactions(self) -> bool:
        """Returns whether a change of a link has further effects in any relation."""
        return any(relation.reacts for relation in self.relations)
