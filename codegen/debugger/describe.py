"""Describes a schema for a debugger script: names, and what follows from them.

It contains no sizes and offsets, because the program has them in const tables.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from model.code import Selection
from model.expressions import Expr, Op
from model.model import Model
from model.named import with_fields
from model.readers import asks_for_changes
from model.trees import with_relation_tags
from model.types import Shape
from names.names import Names
from plan import Plan
from schedule import make_schedule, with_passes
from schedule.text import as_text

Description: TypeAlias = dict[str, Any]


def describe(model: Model, plan: Plan) -> Description:
    """Returns the data of the script as plain lists, tables, strings and numbers."""
    names = Names(model.world.name)
    related = with_relation_tags(model)
    schedule = with_passes(related, make_schedule(related))
    return {
        "name": model.world.name,
        "entity": names.world("entity"),
        "world": names.world("world"),
        "hook_context": names.world("hook_ctx"),
        "index_bits": model.world.entities.index_bits,
        "enums": [
            [one.type, [value.name for value in model.types.enums[one.name].values]]
            for one in plan.data.types.enums
        ],
        "lists": _lists(model, names),
        "by_enum": _by_enum(plan, model),
        "components": [one.name for one in plan.data.components.declared],
        "relation_tags": [one.name for one in plan.data.components.relation_tags],
        "relations": [*model.data.relations],
        "singletons": [one.name for one in plan.data.singletons],
        "contexts": {
            one.context.type: {
                "system": one.name,
                "phase": one.turns.phase,
                "grants": one.context.summary,
            }
            for one in plan.code.systems
        },
        "selections": _selections(model),
        "phases": [phase.name for phase in model.world.phases],
        "schedule": as_text(model.world.name, schedule).splitlines(),
    }


def _lists(model: Model, names: Names) -> dict[str, int]:
    """Returns the capacity of each list type."""
    return {
        names.list(owner.name, field.name): field.type.count
        for kind, owner in with_fields(model)
        if kind != "extern"
        for field in owner.fields
        if field.type.shape is Shape.LIST
    }


def _by_enum(plan: Plan, model: Model) -> dict[str, dict[str, list[str]]]:
    """Returns, for structs with arrays by an enum, the names of their elements by field."""
    values = [[value.name for value in enum.values] for enum in model.types.enums.values()]
    found = {
        struct.type: {
            member.name: values[int(member.row["by"]) - 1]
            for member in struct.members
            if "by" in member.row
        }
        for struct in plan.data.with_fields
    }
    return {type: arrays for type, arrays in found.items() if arrays}


def _selections(model: Model) -> Description:
    found = {
        query.name: _selection(model, query.selection) for query in model.code.queries.values()
    }
    for index in model.code.indexes.values():
        found[index.name] = _selection(model, index.selection)
    for system in model.code.systems.values():
        chosen = system.selection
        if chosen.read or chosen.write or chosen.optional or chosen.where:
            found[system.name] = _selection(model, chosen)
    return found


def _selection(model: Model, chosen: Selection) -> Description:
    """Returns the components that rows need, their other conditions, and the shown columns."""
    needed = [ref.name for ref in chosen.read + chosen.write if model.has_values(ref.name)]
    listed = chosen.read + chosen.write + chosen.optional
    return {
        "needs": list(dict.fromkeys(needed)),
        "where": _where(chosen.where) if chosen.where else None,
        "columns": list(dict.fromkeys(ref.name for ref in listed)),
        "changes": asks_for_changes(chosen),
    }


def _where(part: Expr) -> list[Any]:
    """Returns an expression as nested lists: ["&", ["has", "worker"], ["!", ["has", "asleep"]]]."""
    if part.ref is not None:
        return [part.op.value, part.ref.name]
    assert part.op in (Op.NOT, Op.AND, Op.OR, Op.XOR)
    return [part.op.value, *(_where(one) for one in part.operands)]
