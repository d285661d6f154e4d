"""Plans calls of the game at the beginning and end of a turn, and partial results."""

from __future__ import annotations

from model.code import System
from model.declared import Declared
from model.record import replace
from names.names import Names
from plan.records.system import EdgeCall, EdgesPlan, PartialPlan
from plan.structs import Structs


def make_partial(system: System, names: Names, structs: Structs) -> PartialPlan | None:
    partial = system.loop.partial
    if not partial:
        return None
    type, name = names.system(system.name, "partial"), names.partial(system.name)
    of = "one part of its rows" if system.loop.parallel else "its rows"
    doc = f"The sums of {system.name} over {of} in a turn. All fields are zero at first."
    declared = Declared(partial.name, partial.place, doc)
    struct = structs.struct(replace(partial, declared=declared), type)
    members = [replace(one, row=_unsaved(one.row)) for one in struct.members]
    return PartialPlan(
        struct=replace(struct, members=members),
        name=name,
        parts="WEFT_PARTS_MAX" if system.loop.parallel else "1",
    )


def _unsaved(row: dict[str, str]) -> dict[str, str]:
    return {key: "false" if key == "save" else value for key, value in row.items()}


def make_edges(system: System, names: Names, partial: PartialPlan | None) -> EdgesPlan | None:
    """Plans the functions that call the game at the beginning and end of a turn."""
    if not (system.loop.turn or partial):
        return None
    context = f"const {names.system(system.name, 'ctx')} *ctx"
    begin = EdgeCall(
        names.system(system.name, "begin"),
        [context],
        f"It is called once a turn, before the first call of {names.system(system.name)}.",
    )
    end = EdgeCall(
        names.system(system.name, "end"),
        [context],
        "It is called once a turn, after all other calls.",
    )
    merge = _merge(system, names, context)
    return EdgesPlan(
        calls=[
            *([begin] if system.loop.turn else []),
            *([merge] if partial else []),
            *([end] if system.loop.turn else []),
        ],
        begin=names.local("turn_begin", system.name) if system.loop.turn else "",
        end=names.local("turn_end", system.name),
        partial=partial,
    )


def _merge(system: System, names: Names, context: str) -> EdgeCall:
    parts = f"const {names.system(system.name, 'partial')} *parts"
    given = "It gets the result of the turn."
    if system.loop.parallel:
        given = (
            "It gets the results of all parts in the order of their rows. Their number depends "
            "only on the rows, not on workers, and is 0 without rows."
        )
    return EdgeCall(
        names.system(system.name, "merge"),
        [context, parts, "uint32_t count"],
        f"It is called once a turn, after the last call of {names.system(system.name)}. {given}",
    )
