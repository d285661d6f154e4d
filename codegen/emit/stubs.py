"""Writes empty definitions of the functions that a game must define.

They compile without warnings in C and C++. They are not generated files: Weft never overwrites what
the author fills in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from emit.layout import lay_out
from plan import Plan
from plan.records.data import ComponentPlan, HookPlan
from plan.records.selection import SelectionColumn
from plan.records.system import SystemPlan

_NAME = re.compile(r"(\w+)(?:\[\w*\])?$")  # the name that a declaration declares
_CONTEXT = ["dt", "tick", "user"]  # members of every context

# Loops over the matching rows, by the form of the rows. A list uses other indices for some columns.
_LOOPS = {
    "all": ["for (uint32_t {i} = 0; {i} < count; {i}++) {{"],
    "mask": ["uint32_t {i};", "while (weft_next(&rows, &{i})) {{"],
    "list": [
        "for (uint32_t {k} = 0; {k} < count; {k}++) {{",
        "    const uint32_t {i} = rows[{k}];",
        "    (void){i};",
    ],
}


def stubs(plan: Plan, system: str = "", *, cpp: bool = False) -> str:
    """Returns definitions for all systems and hooks, or for one system."""
    wanted = [each for each in plan.code.systems if system in ("", each.name)]
    functions = [function for each in wanted for function in _of_system(each, plan)]
    functions += [] if system else _hooks(plan)
    header = f'#include "{plan.world.name}.{"hpp" if cpp else "h"}"'
    return lay_out("\n\n".join([header, *functions]) + "\n")


def _of_system(system: SystemPlan, plan: Plan) -> list[str]:
    calls = [
        _definition(
            [f"// {one.comment}"],
            f"void {one.name}({', '.join(one.parameters)})",
            _unused(one.parameters),
        )
        for one in system.turns.edge_calls
    ]
    return [_row(system) if system.function.inline else _system(system, plan), *calls]


def _system(system: SystemPlan, plan: Plan) -> str:
    function, chosen = system.function, system.loop.selection
    rows = "mask" if chosen.mask else "list" if chosen.listed else "all"
    names = [_name(parameter) for parameter in function.parameters]
    loop = _loop(system, names, rows, plan) if system.loop.has_rows else []
    loop = _link_loop(names) if system.loop.over else loop
    used = {"all": {"count"}, "mask": {"rows"}, "list": {"count", "rows"}}[rows] if loop else set()
    members = [*_CONTEXT, *system.members]
    members += [_name(grant) for grant in system.context.doors.grants]
    body = [
        *(f"(void){name};" for name in names if name not in used),
        f"// ctx has {', '.join(members)}.",
        *loop,
    ]
    about = [f"// In phase {system.turns.phase} it {system.context.summary}."]
    prototype = f"void {function.name}({', '.join(function.parameters)})"
    return _definition(about, function.head.example if function.head else prototype, body)


def _row(system: SystemPlan) -> str:
    """Returns the function of an inline system, which belongs in the header that the system
    names.
    """
    inline = system.function.inline
    assert inline is not None
    about = [
        f"// In phase {system.turns.phase} it {system.context.summary}.",
        f"// Put it into {inline.header}.",
    ]
    parameters = ", ".join(inline.parameters)
    head = f"WEFT_HOT WEFT_ALWAYS_INLINE void {inline.function}({parameters})"
    return _definition(about, head, _unused(inline.parameters))


def _loop(system: SystemPlan, names: list[str], rows: str, plan: Plan) -> list[str]:
    """Returns a loop over the rows, with a comment for each column."""
    components = {component.name: component for component in plan.data.components.declared}
    columns = {column.name: column for column in system.loop.selection.columns}
    i, k = (_unlike(names, name) for name in "ik")
    at = k if rows == "list" else i
    comments = []
    for name in names:
        if name in columns:
            comments.append(_column(columns[name], components[name], i, at))
        elif name not in ("ctx", "count", "rows"):
            comments.append(f"// {name}[{at}]: of the parent")
    inside = comments or [f"// ctx->entities[{i}]: the row's entity"]
    head = [line.format(i=i, k=k) for line in _LOOPS[rows]]
    return [*head, *(f"    {line}" for line in inside), "}"]


def _link_loop(names: list[str]) -> list[str]:
    """Returns a loop over links, with a comment for each array."""
    i = _unlike(names, "i")
    arrays = [name for name in names if name not in ("ctx", "count")]
    comments = [f"    // {name}[{i}]{'' if name in ('from', 'to') else '->…'}" for name in arrays]
    return [f"for (uint32_t {i} = 0; {i} < count; {i}++) {{", *comments, "}"]


def _unlike(names: list[str], name: str) -> str:
    """Returns a name that hides no parameter, because a component may be called `i`."""
    return _unlike(names, f"{name}_row") if name in names else name


def _column(column: SelectionColumn, component: ComponentPlan, i: str, at: str) -> str:
    if component.storage.kind == "soa":
        places = [f"{column.name}.{member.name}[{i}]" for member in component.struct.members]
    else:
        places = [f"*{column.name}[{at}]" if column.sparse else f"{column.name}[{i}]"]
    return f"// {', '.join(places)}: {column.comment}"


def _hooks(plan: Plan) -> list[str]:
    """Returns the hooks of components, relations, links and the world, each function once."""
    entity, context = plan.n["entity"], f"const {plan.n['hook_ctx']} *ctx"
    owners = [("e", component.calls.hooks) for component in plan.data.components.declared]
    owners += [("child", one.hooks) for one in plan.data.relations]
    owners += [("from", one.hooks) for one in plan.data.links]
    found = [
        _hook(function, f"{context}, {entity} {about}", hooks)
        for about, hooks in owners
        for function in dict.fromkeys(name for hook in hooks for name in hook.functions)
    ]
    if plan.data.on_despawn:
        about = ["// Runs for each despawned entity, before the hooks of its components."]
        parameters = f"{context}, {entity} e"
        head = f"void {plan.data.on_despawn}({parameters})"
        found.append(_definition(about, head, _unused(parameters.split(", "))))
    return found


def _hook(function: str, parameters: str, hooks: list[HookPlan]) -> str:
    """Returns one hook function of a component, relation or link. Several hooks may use it."""
    listing = [hook for hook in hooks if function in hook.functions]
    also = ["Runs", *["Also runs"] * len(listing)]
    sentences = [f"{lead} {hook.when[function]}" for lead, hook in zip(also, listing, strict=False)]
    parameters += listing[0].takes[function]
    about = [f"// {' '.join(sentences)}"]
    return _definition(about, f"void {function}({parameters})", _unused(parameters.split(", ")))


def _unused(parameters: Iterable[str]) -> list[str]:
    return [f"(void){_name(parameter)};" for parameter in parameters]


def _name(declaration: str) -> str:
    found = _NAME.search(declaration)
    assert found is not None
    return found[1]


def _definition(about: list[str], head: str, body: list[str]) -> str:
    return "\n".join([*about, head, "{", *(f"    {line}" for line in body), "}"])
