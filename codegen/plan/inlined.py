"""Systems of which the game says what they do to a row get their loops generated.

Each has a loop of its own. Where some follow one another in a pass that calls its systems itself,
one loop does the work of all on a row, then on the next, so that what they hand on stays in
registers: no compiler makes one loop of several by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from model.code import System
from names.names import Names
from plan.records.data import ComponentPlan
from plan.records.selection import HeadPlan, SelectionColumn
from plan.records.system import InlinePlan, RowsPlan, SystemPlan


def make_inline(
    system: System,
    names: Names,
    parameters: list[str],
    head: HeadPlan | None,
    components: dict[str, ComponentPlan],
) -> InlinePlan | None:
    """Plans the loop of a system, given the parameters of its function."""
    if not system.loop.inline:
        return None
    function, row = names.system(system.name), names.system(system.name, "row")
    context, _, *columns = parameters
    chosen = system.selection
    used = [components[ref.name] for ref in (*chosen.read, *chosen.write) if ref.name in components]
    return InlinePlan(
        header=system.loop.inline,
        function=row,
        parameters=[context, "uint32_t i", *columns],
        definition=head.example if head else f"void {function}({', '.join(parameters)})",
        call=_call(row, "ctx", [_name(column) for column in columns]),
        joins=not (
            chosen.optional or system.loop.tree.parent or any(c.storage.kind != "aos" for c in used)
        ),
    )


def grouped(systems: list[SystemPlan], whole: list[SystemPlan]) -> Iterator[list[SystemPlan]]:
    """Yields the systems of a pass, with those together of which one loop does the work."""

    def joins(system: SystemPlan) -> bool:
        is_inline = bool(system.function.inline and system.function.inline.joins)
        return is_inline and system in whole and not system.turns.running.functions.begin

    for together, group in groupby(systems, joins):
        some = list(group)
        yield from [some] if together else ([one] for one in some)


def make_rows(names: Names, systems: list[SystemPlan]) -> RowsPlan:
    """Plans the function that does the work of some systems row by row, and its call."""
    columns = _columns(systems)
    listed = ", ".join(system.name for system in systems)
    contexts = [names.local("ctx", system.name) for system in systems]
    function = names.local("rows", systems[0].name)
    given = ["at.count", *(f"&{one}" for one in contexts), *(c.argument for c in columns)]
    return RowsPlan(
        function=function,
        comment=[f"Does to a row what {listed} do to it, one after the other."],
        parameters=[
            "uint32_t count",
            *(f"const {s.context.type} *{one}" for s, one in zip(systems, contexts, strict=True)),
            *(column.parameter for column in columns),
        ],
        calls=[
            _call(
                system.function.inline.function,
                one,
                [c.name for c in system.loop.selection.columns],
            )
            for system, one in zip(systems, contexts, strict=True)
            if system.function.inline
        ],
        call=f"{function}({', '.join(given)});",
    )


def _columns(systems: Iterable[SystemPlan]) -> list[SelectionColumn]:
    """Returns each column once, as one that may be written if any of them writes it."""
    found: dict[str, SelectionColumn] = {}
    for column in (column for system in systems for column in system.loop.selection.columns):
        if column.name not in found or found[column.name].parameter.startswith("const "):
            found[column.name] = column
    return list(found.values())


def _call(function: str, context: str, columns: list[str]) -> str:
    return f"{function}({', '.join([context, 'i', *columns])});"


def _name(parameter: str) -> str:
    return parameter.replace("*", " ").split()[-1]
