"""Prefabs: the components an entity is born with, and what their closure adds."""

from __future__ import annotations

from model import Model, Prefab
from names import Names

from plan import text
from plan.components import Sets
from plan.records import ComponentPlan, PrefabMember, PrefabPlan
from plan.types import Types


def make_prefab(
    prefab: Prefab, model: Model, names: Names, types: Types, sets: Sets, components: dict[str, ComponentPlan]
) -> PrefabPlan:
    listed = [item.component.name for item in prefab.components]
    closure = sets.closure(listed)
    members = [
        PrefabMember(components[name], types.initialiser(model.components[name].fields, item.values))
        for item in prefab.components
        if not model.components[name := item.component.name].is_tag
    ]
    everything = [components[name] for name in closure]
    sparse = [c for c in everything if c.kind == "sparse"]
    tags = [c for c in everything if c.kind == "tag"]
    name = text.string_literal(prefab.name)
    return PrefabPlan(
        name=prefab.name,
        type=names.prefab(prefab.name),
        doc=text.comment_lines(prefab.doc),
        header=names.header(prefab.name),
        guard=names.guard(prefab.name),
        includes=[components[item].struct.header for item in listed],
        members=members,
        columns=[m.component for m in members if m.component.kind in ("aos", "soa")],
        sparse=sparse,
        tags=tags,
        extra=[c for c in everything if c.kind in ("aos", "soa") and c.name not in listed],
        listed_tags=[components[item] for item in listed if model.components[item].is_tag],
        has_planes=bool(tags or sparse),
        constant=names.number("prefab", prefab.name),
        set=sets.literal(closure),
        listed=[components[item].constant for item in listed],
        row={
            "name": name,
            "doc": text.string_literal(prefab.doc),
            "component_count": str(len(listed)),
            "components": f"listed_{prefab.name}" if listed else "NULL",
        },
    )
