"""Enum constants number what a world has, and index its tables."""

from __future__ import annotations

from plan.events import Events
from plan.records.code import ChangesPlan, CodePlan
from plan.records.kinds import DataPlan
from plan.records.world import ConstantPlan, NumberingPlan


def numberings(data: DataPlan, code: CodePlan, events: Events) -> list[NumberingPlan]:
    """Returns the numberings that headers name, without empty ones."""
    bitsets = [component.storage.bitset for component in data.components.numbered]
    return _some(
        _numbered(
            "A table can have these arrays: columns first, then bitsets of one bit a row.",
            [(column.constant, column.comment) for column in data.components.columns],
        ),
        _bare(
            "Bitsets are also counted by themselves.",
            [bitset.number for bitset in bitsets if bitset],
        ),
        _bare(
            "Components and tags are numbered together.",
            [c.constant for c in data.components.numbered],
        ),
        _bare(
            "Each sparse component has a store.", [c.storage.store for c in data.components.stores]
        ),
        _bare(
            "Prefabs are in the order of the schema.",
            [p.constant for p in data.prefabs],
        ),
        _bare(_order_of_queries(code), [query.constant for query in code.table_queries]),
        *_of_changes(code.changes),
        _bare(
            "Indexes are in the order of the schema.",
            [index.known.constant for index in code.indexes],
        ),
        _bare(
            "Relations are in the order of the schema.",
            [relation.constant for relation in data.relations],
        ),
        *(_consumed(code, events) if code.listeners else []),
    )


def _of_changes(changes: ChangesPlan) -> list[NumberingPlan]:
    return [
        _numbered("Change bits are one bit a row for each of these.", changes.sets.constants),
        _numbered(
            "And these are one flag for all rows, of singletons.",
            changes.sets.flags,
            len(changes.sets.constants),
        ),
        _numbered(
            "These read changes.",
            [(reader.constant, reader.comment) for reader in changes.readers],
        ),
    ]


def _consumed(code: CodePlan, events: Events) -> list[NumberingPlan]:
    """Numbers what turns consume; headers of listeners name it."""
    return [
        _bare("Each of these hears an event, for a system or listener.", events.hearers),
        _bare("And each of these reads removals of a component.", code.changes.removals),
    ]


def _order_of_queries(code: CodePlan) -> str:
    passes = ", then passes of systems" if code.pass_queries else ""
    indexes = ", then indexes" if code.indexes else ""
    listeners = ", then listeners" if any(one.selection for one in code.listeners) else ""
    more = f"{passes}{indexes}{listeners}"
    return f"Queries come first, then systems with columns in the order they run{more}."


def inner_numberings(code: CodePlan, events: Events) -> list[NumberingPlan]:
    """Returns the numberings that only the C files name, without empty ones."""
    return _some(
        _bare(
            "Systems are in the order they run one by one.", [wait.constant for wait in code.waits]
        ),
        _bare("Systems with `every` have clocks.", code.clocks),
        _bare(
            "Switches of systems begin with those that are saved.",
            [switch.constant for switch in code.switches],
        ),
        _bare(
            "Parallel systems are numbered apart.",
            [system.loop.parallel for system in code.parallels],
        ),
        _placed(
            "Command buffers are in the order they are applied.",
            [buffer.constant for buffer in code.buffers],
            places([(1, buffer.is_parallel) for buffer in code.buffers]),
        ),
        _bare(
            "Events are in the order of the schema.",
            [event.constant for event in events.plans.values()],
        ),
        _placed(
            "Events are staged system by system as these run.",
            events.stages,
            places(events.staging),
        ),
        _bare(
            "Systems with `order` are numbered apart, those that ask changed_parent first.",
            [system.loop.selection.depth_order for system in code.depth_orders],
        ),
        *([] if code.listeners else _consumed(code, events)),
    )


def places(groups: list[tuple[int, bool]]) -> list[str]:
    """Returns where each thing lies, and last how many there are.

    Each group is how many things a system has, and whether it has so many for each part.
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


def _numbered(comment: str, constants: list[tuple[str, str]], first: int = 0) -> NumberingPlan:
    numbered = [ConstantPlan(name, str(i), what) for i, (name, what) in enumerate(constants, first)]
    return NumberingPlan(comment, numbered)


def _placed(comment: str, constants: list[str], numbers: list[str]) -> NumberingPlan:
    """Takes numbers that are not simply 0, 1, 2, and may be one more than the constants."""
    placed = zip(constants, numbers, strict=False)
    return NumberingPlan(comment, [ConstantPlan(name, number) for name, number in placed])


def _some(*plans: NumberingPlan) -> list[NumberingPlan]:
    return [plan for plan in plans if plan.constants]
