"""Plans the call of a query that calls a function of the game for each row.

The function gets a pointer to each value of the row. Members of the iterator are copied to
variables of the loop, so that writes of the function cannot change them, and compilers see plain
arrays.
"""

from __future__ import annotations

import re

from names.names import Names
from plan.records.data import ComponentPlan
from plan.records.query import EachPlan
from plan.records.selection import SelectionPlan
from plan.selections import Role

_NAME = re.compile(r"\w+$")

# The variables of the loop. A component with one of these names gets another name there.
TAKEN = frozenset(("it", "e", "i", "k", "function", "user"))


def make_each(
    names: Names,
    selection: SelectionPlan,
    columns: list[tuple[Role, str]],
    tags: list[ComponentPlan],
) -> EachPlan:
    """Plans the call, for columns with their declarations and for optional tags."""
    parameters, arguments = [f"{names.world('entity')} e"], ["entities[i]"]
    kept: list[tuple[str, str]] = []
    structs: list[tuple[str, list[str]]] = []
    row = "k" if selection.listed else "i"
    for role, declaration in columns:
        name, component = role.component.name, role.component
        kept.append((_renamed(declaration, name), name))
        parameters.append(_parameter(role, declaration))
        arguments.append(_argument(role, row))
        if component.storage.kind == "soa":
            structs.append((_renamed(declaration, name, f"weft_row_{name}"), _cells(role)))
    for tag in tags:
        parameters.append(f"bool {_variable(tag.name)}")
        arguments.append(
            f"weft_bitset_bit(it->cursor.table, {tag.storage.column}, it->cursor.first + i)"
        )
    types = [_NAME.sub("", parameter).rstrip() for parameter in parameters]
    return EachPlan([*parameters, "void *user"], types, kept, structs, [*arguments, "user"])


def _parameter(role: Role, declaration: str) -> str:
    component = role.component
    if component.storage.kind != "sparse":
        return _renamed(declaration, component.name)
    const = "" if role.role == "write" else "const "
    return f"{const}{component.struct.type} *{_variable(component.name)}"


def _argument(role: Role, row: str) -> str:
    component, name = role.component, _variable(role.component.name)
    if component.storage.kind == "sparse":
        return f"{name}[{row}]"
    if component.storage.kind == "soa":
        return f"weft_row_{component.name}"
    return f"{name} ? &{name}[i] : NULL" if role.role == "optional" else f"&{name}[i]"


def _cells(role: Role) -> list[str]:
    """Returns pointers to the fields of row i."""
    arrays = [f"{_variable(role.component.name)}.{m.name}" for m in role.component.struct.members]
    optional = role.role == "optional"
    return [f"{array} ? {array} + i : NULL" if optional else f"{array} + i" for array in arrays]


def _variable(name: str) -> str:
    return f"weft_{name}" if name in TAKEN else name


def _renamed(declaration: str, name: str, variable: str = "") -> str:
    return declaration.removesuffix(name) + (variable or _variable(name))
