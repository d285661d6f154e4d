"""What generated code counts from 0: enum constants that index the tables of a world."""

from __future__ import annotations

from plan.code_records import SelectionPlan
from plan.data_records import ColumnPlan, ComponentPlan, PrefabPlan, RelationPlan
from plan.events import Events
from plan.records import BufferPlan, NumberingPlan, StreamsPlan


def numberings(
    columns: list[ColumnPlan],
    components: list[ComponentPlan],
    stores: list[ComponentPlan],
    prefabs: list[PrefabPlan],
    selections: list[SelectionPlan],
    streams: StreamsPlan,
    relations: list[RelationPlan],
) -> list[NumberingPlan]:
    """Those that headers name. What there is nothing of is left out."""
    with_bitsets = [component for component in components if not component.columns]
    return _some(
        _numbered(
            "Arrays that a table can have: columns first, then bitsets of one bit a row.",
            [(column.constant, column.comment) for column in columns],
        ),
        _bare("Bitsets, counted by themselves.", [component.bitset for component in with_bitsets]),
        _bare("Components and tags.", [component.constant for component in components]),
        _bare("Stores of sparse components.", [component.store for component in stores]),
        _bare("Prefabs.", [prefab.constant for prefab in prefabs]),
        _bare(
            "Queries, then systems with columns in the order they run.",
            [selection.constant for selection in selections],
        ),
        _numbered("Marks of changes: one bit a row for each.", streams.constants),
        _numbered(
            "Who reads changes.",
            [(reader.constant, reader.comment) for reader in streams.readers],
        ),
        _bare("Relations.", [relation.constant for relation in relations]),
    )


def inner_numberings(
    systems: list[str],
    clocks: list[str],
    buffers: list[BufferPlan],
    events: Events,
    depth_orders: list[str],
    removals: list[str],
    parallels: list[str],
) -> list[NumberingPlan]:
    """Those that only the C files name."""
    return _some(
        _bare("Systems, in the order they run one by one.", systems),
        _bare("Clocks of systems with `every`.", clocks),
        _bare("Parallel systems.", parallels),
        NumberingPlan(
            "Command buffers, in the order they are applied.",
            [(buffer.constant, "") for buffer in buffers],
            places([(1, buffer.is_parallel) for buffer in buffers]),
        ),
        _bare("Events.", [event.constant for event in events.plans.values()]),
        NumberingPlan(
            "Stages of events, system by system as they run.",
            [(stage, "") for stage in events.stages],
            places(events.staging),
        ),
        _bare("Who hears events, event by event.", events.hearers),
        _bare("Systems with `order`.", depth_orders),
        _bare("Who reads removals, component by component.", removals),
    )


def places(groups: list[tuple[int, bool]]) -> list[str]:
    """Where each thing lies if systems have so many each, parallel ones so many a part; then how
    many there are.
    """
    alone = parts = 0
    found = []
    for count, is_parallel in groups:
        found += [_place(alone + i, parts) for i in range(count)]
        alone += 0 if is_parallel else count
        parts += count if is_parallel else 0
    return [*found, _place(alone, parts)]


def _place(alone: int, parts: int) -> str:
    if not parts:
        return str(alone)
    behind = f"{parts} * WEFT_PARTS_MAX" if parts > 1 else "WEFT_PARTS_MAX"
    return f"{alone} + {behind}" if alone else behind


def _bare(comment: str, constants: list[str]) -> NumberingPlan:
    return _numbered(comment, [(constant, "") for constant in constants])


def _numbered(comment: str, constants: list[tuple[str, str]]) -> NumberingPlan:
    return NumberingPlan(comment, constants, [str(i) for i in range(len(constants))])


def _some(*plans: NumberingPlan) -> list[NumberingPlan]:
    return [plan for plan in plans if plan.constants]
