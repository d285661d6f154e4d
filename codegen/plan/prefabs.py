"""Prefabs: the components an entity is born with, and what their closure adds."""

from __future__ import annotations

from model.model import Model, Prefab, PrefabComponent
from names.names import Names
from plan import text
from plan.components import Sets
from plan.data_records import ComponentPlan, PrefabMember, PrefabPlan
from plan.hooks import told_of_adding
from plan.lists import NONE, list_plan
from plan.types import Types


class Prefabs:
    """Plans prefabs out of the components they list."""

    def __init__(
        self,
        model: Model,
        names: Names,
        types: Types,
        sets: Sets,
        components: dict[str, ComponentPlan],
    ) -> None:
        self.model, self.names, self.types, self.sets = model, names, types, sets
        self.components = components

    def prefab(self, prefab: Prefab) -> PrefabPlan:
        names, name, type = self.names, prefab.name, self.names.prefab(prefab.name)
        listed = [self.components[item.component.name] for item in prefab.components]
        members = [self._member(item) for item in prefab.components if self._has_value(item)]
        closure = self.sets.closure([component.name for component in listed])
        everything = [self.components[component] for component in closure]
        sparse = [c for c in everything if c.kind == "sparse"]
        tags = [c for c in everything if c.kind == "tag"]
        listed_tags = [c for c in listed if c.kind == "tag"]
        listed_ids = list_plan(names.local("listed", name), [c.constant for c in listed])
        offsets = [f"offsetof({type}, {m.component.name})" for m in members]
        copied = [c.constant for c in everything if c.columns]
        return PrefabPlan(
            name=name,
            type=type,
            doc=text.comment_lines(prefab.doc),
            header=names.header(name),
            guard=names.guard(name),
            includes=[component.struct.header for component in listed],
            members=members,
            columns=[member for member in members if member.rows],
            sparse=sparse,
            tags=tags,
            extra=[c for c in everything if c.columns and c not in listed],
            copied=copied,
            copy=names.local("copy", name) if copied else "NULL",
            shift=names.local("shift", name) if copied else "NULL",
            end=names.local("end", name) if copied else "NULL",
            listed_tags=text.all_of("tag", [tag.name for tag in listed_tags]),
            has_bitsets=bool(tags or sparse) or any(c.removal_count for c in everything),
            told=text.all_of("component", told_of_adding(everything)),
            has_readers=any(c.columns and (c.added, c.changed) != (NONE, NONE) for c in everything),
            constant=names.number("prefab", name),
            set=self.sets.bits(names.local("set", name), closure),
            listed=listed_ids,
            member_ids=list_plan(
                names.local("members", name), [m.component.constant for m in members]
            ),
            member_offsets=list_plan(names.local("offsets", name), offsets),
            tag_ids=list_plan(names.local("tags", name), [tag.constant for tag in listed_tags]),
            row={
                "name": text.string_literal(name),
                "doc": text.string_literal(prefab.doc),
                "component_count": str(len(listed)),
                "components": listed_ids.name,
            },
        )

    def _has_value(self, item: PrefabComponent) -> bool:
        return self.components[item.component.name].kind != "tag"

    def _member(self, item: PrefabComponent) -> PrefabMember:
        name = item.component.name
        component = self.components[name]
        at = f"{self.names.component(name, 'at')}(at.table, at.row)"
        if component.kind == "aos":
            of = component.struct.type
            rows = f"{of} *{name}"
            cell = f"weft_cell(at.table, {component.column}, at.row, sizeof({of}))"
            store = f"*({of} *){cell} = value->{name};"
        elif component.kind == "soa":
            rows = f"{self.names.component(name, 'columns')} {name}"
            store = f"{self.names.component(name, 'put')}({at}, &value->{name});"
        else:
            rows = store = ""
        value = self.types.initialiser(self.model.components[name].fields, item.values)
        return PrefabMember(component, value, rows, store)
