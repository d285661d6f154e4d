"""Relations have calls, and systems that follow one see columns of parents."""

from __future__ import annotations

from model.model import Relation, System
from names.names import Names
from plan import text
from plan.code_records import ParentPlan
from plan.data_records import ComponentPlan, RelationPlan

TAG_ELEMENT = "bool "  # of the array that has a tag of parents
_FATE = {"despawn": "end with their parent", "detach": "become roots when their parent ends"}


def make_relation(relation: Relation, names: Names) -> RelationPlan:
    name = relation.name
    return RelationPlan(
        name=name,
        doc=text.comment_lines(relation.doc),
        header=names.header(name),
        guard=names.guard(name),
        constant=names.number("relation", name),
        stem=names.stem(name),
        fate=_FATE[relation.on_parent_despawn],
        row={
            "name": text.string_literal(name),
            "doc": text.string_literal(relation.doc),
            "was": text.string_literal(relation.was),
            "on_parent_despawn": f"WEFT_{relation.on_parent_despawn.upper()}",
        },
    )


def parent_columns(
    system: System, names: Names, components: dict[str, ComponentPlan]
) -> list[ParentPlan]:
    """Plans the columns of `parent`: a pointer a row, a struct of them (soa), a bool (tag)."""
    return [_parent(components[ref.name], names) for ref in system.parent]


def _parent(component: ComponentPlan, names: Names) -> ParentPlan:
    name = component.name
    if component.kind == "tag":
        has = f"weft_bitset_bit(above.table, {component.column}, above.row)"
        # An entity without components may have the tag, so the row that stands for no parent may.
        find = f"above.index != UINT32_MAX && {has}"
        parameter = f"const bool *{names.parent(name)}"
        return ParentPlan(parameter, names.local("parents", name), TAG_ELEMENT, find)
    array = names.local("parents", name)
    element = f"const {component.struct.type} *"
    find = f"{names.component(name, 'at_or_none')}(above.table, above.row)"
    parameter = f"{element}const *{names.parent(name)}"
    if component.kind == "soa":
        element = names.component(name, "const_columns") + " "
        parameter = f"const {element}*{names.parent(name)}"
    elif component.kind == "sparse":
        store = f"&world->sparse[{component.store}]"
        find = f"({element})weft_sparse_find({store}, above.index)"
    return ParentPlan(parameter, array, element, find)
