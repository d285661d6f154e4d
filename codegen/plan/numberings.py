"""What generated code counts from 0: enum constants that index the tables of a world."""

from __future__ import annotations

from plan.events import Events
from plan.records import CodePlan, ConstantPlan, DataPlan, NumberingPlan


def numberings(data: DataPlan, code: CodePlan) -> list[NumberingPlan]:
    """The numberings that headers name, without empty ones."""
    with_bitsets = [component for component in data.components if not component.columns]
    return _some(
        _numbered(
            "Arrays that a table can have: columns first, then bitsets of one bit a row.",
            [(column.constant, column.comment) for column in data.columns],
        ),
        _bare("Bitsets, counted by themselves.", [component.bitset for component in with_bitsets]),
        _bare("Components and tags.", [component.constant for component in data.components]),
        _bare("Stores of sparse components.", [component.store for component in data.stores]),
        _bare("Prefabs.", [prefab.constant for prefab in data.prefabs]),
        _bare(
            "Queries, then systems with columns in the order they run.",
            [selection.constant for selection in code.selections],
        ),
        _numbered("Marks of changes: one bit a row for each.", code.streams.constants),
        _numbered(
            "Who reads changes.",
            [(reader.constant, reader.comment) for reader in code.streams.readers],
        ),
        _bare("Relations.", [relation.constant for relation in data.relations]),
    )


def inner_numberings(code: CodePlan, events: Events) -> list[NumberingPlan]:
    """The numberings that only the C files name."""
    return _some(
        _bare("Systems, in the order they run one by one.", [wait.constant for wait in code.waits]),
        _bare("Clocks of systems with `every`.", code.clocks),
        _bare("Parallel systems.", [system.parallel for system in code.parallels]),
        _placed(
            "Command buffers, in the order they are applied.",
            [buffer.constant for buffer in code.buffers],
            places([(1, buffer.is_parallel) for buffer in code.buffers]),
        ),
        _bare("Events.", [event.constant for event in events.plans.values()]),
        _placed(
            "Stages of events, system by system as they run.",
            events.stages,
            places(events.staging),
        ),
        _bare("Who hears events, event by event.", events.hearers),
        _bare(
            "Systems with `order`.", [system.selection.depth_order for system in code.depth_orders]
        ),
        _bare("Who reads removals, component by component.", code.streams.removals),
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
    numbered = [ConstantPlan(name, str(i), what) for i, (name, what) in enumerate(constants)]
    return NumberingPlan(comment, numbered)


def _placed(comment: str, constants: list[str], numbers: list[str]) -> NumberingPlan:
    """Constants whose numbers are not simply 0, 1, 2; `numbers` may have one more at its end."""
    placed = zip(constants, numbers, strict=False)
    return NumberingPlan(comment, [ConstantPlan(name, number) for name, number in placed])


def _some(*plans: NumberingPlan) -> list[NumberingPlan]:
    return [plan for plan in plans if plan.constants]
