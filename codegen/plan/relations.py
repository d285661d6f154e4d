"""Plans relations: their calls, and the columns of parents for systems."""

from __future__ import annotations

from model.code import System
from model.data import Relation
from model.trees import parents_tag
from names.names import Names
from plan import text
from plan.common import Common
from plan.hooks import make_node_hooks
from plan.lists import NONE
from plan.pages import make_page
from plan.records.data import ComponentPlan, GrantedPlan, RelationCalls, RelationPlan
from plan.records.system import ParentPlan

# These calls of a relation return an entity, or a number.
SEEKING = ("parent", "first_child", "next_sibling", "prev_sibling")
COUNTING = ("child_count", "depth")

TAG_ELEMENT = "bool "  # element of an array for a tag of parents
_ATTACHES = {"despawn": "weft_command_attach", "detach": "weft_command_record"}
_FATE = {
    "despawn": "are despawned with their parent",
    "detach": "become roots when their parent is despawned",
}


def make_relation(relation: Relation, common: Common) -> RelationPlan:
    model, names, name = common.model, common.names, relation.name
    hooks = make_node_hooks(relation, names)
    tags = [tag if tag in model.data.relation_tags else "" for tag in (name, parents_tag(name))]
    attached, parents = (names.number("component", tag) if tag else NONE for tag in tags)
    row = {
        "name": text.string_literal(name),
        "doc": text.string_literal(relation.doc),
        "was": text.string_literal(relation.was),
        "on_parent_despawn": f"WEFT_{relation.on_parent_despawn.upper()}",
    }
    return RelationPlan(
        name=name,
        page=make_page(names, name, relation.doc, row),
        constant=names.number("relation", name),
        words=_words(relation) + common.changes.watched_words(name),
        calls=RelationCalls(
            stem=names.stem(name),
            fate=_FATE[relation.on_parent_despawn],
            place="last" if relation.appends else "first",
            attach="weft_append" if relation.appends else "weft_attach",
            command=f"WEFT_COMMAND_{'APPEND' if relation.appends else 'ATTACH'}",
            recorded_by=_ATTACHES[relation.on_parent_despawn],
            granted=[
                *((f"{names.world('entity')} ", names.relation(name, verb)) for verb in SEEKING),
                *(("uint32_t ", names.relation(name, verb)) for verb in COUNTING),
            ],
        ),
        granted=GrantedPlan(name in common.granted.relations),
        hooks=hooks,
        row={
            "attached": attached,
            "parents": parents,
            "append": "true" if relation.appends else "false",
            **{hook.kind: hook.wrapper.name for hook in hooks},
        },
        reacts=relation.appends or bool(hooks) or any(tags),
    )


def _words(relation: Relation) -> str:
    last = ["new children are appended"] if relation.appends else []
    hooks = [", ".join(hook.words for hook in relation.hooks)] if relation.hooks else []
    return "; ".join([f"children {_FATE[relation.on_parent_despawn]}", *last, *hooks])


def parent_columns(
    system: System, names: Names, components: dict[str, ComponentPlan]
) -> list[ParentPlan]:
    """Plans the columns of `parent`: a pointer a row, a struct of them (soa), a bool (tag)."""
    return [_parent(components[ref.name], names) for ref in system.loop.tree.parent]


def _parent(component: ComponentPlan, names: Names) -> ParentPlan:
    name = component.name
    if component.storage.kind == "tag":
        parameter = f"const bool *{names.parent(name)}"
        return ParentPlan(parameter, names.local("parents", name), TAG_ELEMENT, component)
    array = names.local("parents", name)
    element = f"const {component.struct.type} *"
    parameter = f"{element}const *{names.parent(name)}"
    if component.storage.kind == "soa":
        element = names.component(name, "const_columns") + " "
        parameter = f"const {element}*{names.parent(name)}"
    return ParentPlan(parameter, array, element, component)
