"""Plans generated loops of systems, for which the game defines only the function of one row.

Each system has its own loop. If some of them are successive in a pass that calls its systems
directly, one loop also does the work of all of them on each row, so that values that one writes and
the next reads stay in registers. Compilers do not join such loops by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from model.code import System
from names.names import Names
from plan.records.data import ComponentPlan
from plan.records.selection import HeadPlan, SelectionColumn
from plan.records.system import InlinePlan, PassGroup, PassMember, SystemPlan


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
        arguments=["i", *(_name(column) for column in columns)],
        definition=head.example if head else f"void {function}({', '.join(parameters)})",
        joins=not (
            chosen.optional or system.loop.tree.parent or any(c.storage.kind != "aos" for c in used)
        ),
    )


def grouped(members: list[PassMember]) -> Iterator[list[PassMember]]:
    """Yields the systems of a pass in groups; one loop can do the work of a group."""

    def joins(one: PassMember) -> bool:
        inline, functions = one.system.function.inline, one.system.turns.functions
        return bool(one.whole and inline and inline.joins and not functions.begin)

    for together, group in groupby(members, joins):
        some = list(group)
        yield from [some] if together else ([one] for one in some)


def joined(names: Names, members: list[PassMember], asked: str) -> PassGroup:
    """Plans the function that calls some systems row by row in one loop, and its call."""
    systems = [one.system for one in members]
    columns = _columns(systems)
    contexts = [names.local("ctx", system.name) for system in systems]
    types = [f"const {system.context.type} *" for system in systems]
    given = [f"{type}{name}" for type, name in zip(types, contexts, strict=True)]
    return PassGroup(
        members=members,
        asked=asked,
        function=names.local("rows", systems[0].name),
        parameters=["uint32_t count", *given, *(column.parameter for column in columns)],
        arguments=[
            "at.count",
            *(f"&{one}" for one in contexts),
            *(column.argument for column in columns),
        ],
    )


def _columns(systems: Iterable[SystemPlan]) -> list[SelectionColumn]:
    """Returns each column once, as a written one if any of the systems writes it."""
    found: dict[str, SelectionColumn] = {}
    for column in (column for system in systems for column in system.loop.selection.columns):
        if column.name not in found or found[column.name].parameter.startswith("const "):
            found[column.name] = column
    return list(found.values())


def _name(parameter: str) -> str:
    return parameter.replace("*", " ").split()[-1]
