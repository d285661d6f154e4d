"""A query calls a function of the game for each row, with a pointer to each of its values.

What the iterator has is kept in variables of the loop, so that no value which the function writes
can change them, and compilers see plain arrays.
"""

from __future__ import annotations

import re

from names.names import Names
from plan.records.data import ComponentPlan
from plan.records.query import EachPlan
from plan.records.selection import SelectionPlan
from plan.selections import Role

_NAME = re.compile(r"\w+$")

# The variables of the loop; a component that is called so gets another name there.
TAKEN = frozenset(("it", "e", "i", "k", "function", "user"))


def make_each(
    names: Names,
    selection: SelectionPlan,
    columns: list[tuple[Role, str]],
    tags: list[ComponentPlan],
) -> EachPlan:
    """Plans it for columns with their declarations, and for optional tags."""
    entity = names.world("entity")
    counted, head = _loop(selection)
    parameters = [f"{entity} e"]
    kept = [*counted, f"const {entity} *entities = it->entities;"]
    row = ["uint32_t i = rows[k];"] if selection.ranges.listed else []
    arguments = ["entities[i]"]
    for role, declaration in columns:
        parameter, statements, argument = _column(role, declaration, selection.ranges.listed)
        name = role.component.name
        parameters.append(parameter)
        kept.append(f"{_renamed(declaration, name)} = it->{name};")
        row += statements
        arguments.append(argument)
    for tag in tags:
        parameters.append(f"bool {_variable(tag.name)}")
        arguments.append(
            f"weft_bitset_bit(it->cursor.table, {tag.storage.column}, it->cursor.first + i)"
        )
    types = [_NAME.sub("", parameter).rstrip() for parameter in parameters]
    return EachPlan([*parameters, "void *user"], types, kept, head, row, [*arguments, "user"])


def _loop(selection: SelectionPlan) -> tuple[list[str], str]:
    """Returns the variables of the loop over the rows at hand, and its head."""
    if selection.ranges.mask:
        return ["weft_rows rows = it->rows;"], "for (uint32_t i; weft_next(&rows, &i);)"
    count = "const uint32_t count = it->count;"
    if selection.ranges.listed:
        numbers = "const uint32_t *rows = it->rows;"
        return [count, numbers], "for (uint32_t k = 0; k < count; k++)"
    return [count], "for (uint32_t i = 0; i < count; i++)"


def _column(role: Role, declaration: str, listed: bool) -> tuple[str, list[str], str]:
    """Returns the parameter of a column, the statements that make its argument, and that."""
    component, name = role.component, _variable(role.component.name)
    parameter = _renamed(declaration, component.name)
    if component.storage.kind == "sparse":
        const = "" if role.role == "write" else "const "
        return f"{const}{component.struct.type} *{name}", [], f"{name}[{'k' if listed else 'i'}]"
    optional = role.role == "optional"
    if component.storage.kind != "soa":
        return parameter, [], f"{name} ? &{name}[i] : NULL" if optional else f"&{name}[i]"
    arrays = [f"{name}.{member.name}" for member in component.struct.members]
    cells = [f"{array} ? {array} + i : NULL" if optional else f"{array} + i" for array in arrays]
    row = f"weft_row_{component.name}"
    made = f"{_renamed(declaration, component.name, row)} = {{{', '.join(cells)}}};"
    return parameter, [made], row


def _variable(name: str) -> str:
    return f"weft_{name}" if name in TAKEN else name


def _renamed(declaration: str, name: str, variable: str = "") -> str:
    return declaration.removesuffix(name) + (variable or _variable(name))
