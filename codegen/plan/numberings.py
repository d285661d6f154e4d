"""Plans the enum constants that number the parts of a world and index its tables."""

from __future__ import annotations

from plan.events import Events
from plan.records.code import ChangesPlan, CodePlan
from plan.records.kinds import DataPlan
from plan.records.world import ConstantPlan, NumberingPlan


def numberings(data: DataPlan, code: CodePlan, events: Events) -> list[NumberingPlan]:
    """Returns the numberings for headers, without empty ones."""
    bitsets = [component.storage.bitset for component in data.components.numbered]
    return _some(
        _numbered(
            "The arrays of a table: columns first, then bitsets of one bit a row.",
            [(column.constant, column.comment) for column in data.components.columns],
        ),
        _bare(
            "Numbers of bitsets.",
            [bitset.number for bitset in bitsets if bitset],
        ),
        _bare(
            "Numbers of components and tags.",
            [c.constant for c in data.components.numbered],
        ),
        _bare(
            "Numbers of the stores of sparse components.",
            [c.storage.store for c in data.components.stores],
        ),
        _bare(
            "Numbers of prefabs, in the order of the schema.",
            [p.constant for p in data.prefabs],
        ),
        _bare(_order_of_queries(code), [query.constant for query in code.table_queries]),
        *_of_changes(code.changes),
        _bare(
            "Numbers of indexes, in the order of the schema.",
            [index.known.constant for index in code.indexes],
        ),
        _bare(
            "Numbers of relations, in the order of the schema.",
            [relation.constant for relation in data.relations],
        ),
        _bare(
            "Numbers of links, in the order of the schema.", [one.constant for one in data.links]
        ),
        *(_consumed(code, events) if code.listeners else []),
    )


def _of_changes(changes: ChangesPlan) -> list[NumberingPlan]:
    return [
        _numbered("Change sets: each has one bit a row.", changes.sets.constants),
        _numbered(
            "Change flags of singletons.",
            changes.sets.flags,
            len(changes.sets.constants),
        ),
        _numbered(
            "Readers of changes.",
            [(reader.constant, reader.comment) for reader in changes.readers],
        ),
    ]


def _consumed(code: CodePlan, events: Events) -> list[NumberingPlan]:
    """Numbers events heard and removals read, which headers of listeners use."""
    return [
        _bare("Pairs of an event and a system or listener that hears it.", events.hearers),
        _bare("Pairs of a component and a reader of its removals.", code.changes.removals),
    ]


def _order_of_queries(code: CodePlan) -> str:
    passes = ", then passes of systems" if code.pass_queries else ""
    indexes = ", then indexes" if code.indexes else ""
    listeners = ", then listeners" if any(one.selection for one in code.listeners) else ""
    more = f"{passes}{indexes}{listeners}"
    return f"Numbers of queries, then of systems with columns in the order they run{more}."


def inner_numberings(code: CodePlan, events: Events) -> list[NumberingPlan]:
    """Returns the numberings for C files only, without empty ones."""
    return _some(
        _bare(
            "Numbers of systems, in the order in which they run one by one.",
            [wait.constant for wait in code.waits],
        ),
        _bare("Clocks of systems with `every`.", code.clocks),
        _bare(
            "Switches of systems, the saved ones first.",
            [switch.constant for switch in code.switches],
        ),
        _bare(
            "Numbers of parallel systems.",
            [system.loop.parallel for system in code.parallels],
        ),
        _placed(
            "Command buffers, in the order in which they are applied.",
            [buffer.constant for buffer in code.buffers],
            places([(1, buffer.is_parallel) for buffer in code.buffers]),
        ),
        _bare(
            "Numbers of events, in the order of the schema.",
            [event.constant for event in events.plans.values()],
        ),
        _placed(
            "Stages of emitted events, in the order in which their systems run.",
            events.stages,
            places(events.staging),
        ),
        _bare(
            "Numbers of systems with `order`, those that ask changed_parent first.",
            [system.loop.selection.depth_order for system in code.depth_orders],
        ),
        *([] if code.listeners else _consumed(code, events)),
    )


def places(groups: list[tuple[int, bool]]) -> list[str]:
    """Returns the number of each thing, and at the end the count of all things.

    Each group is the count of a system, and whether the system has that count for each part.
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
    """Uses the given numbers instead of 0, 1, 2. The last one may have no constant."""
    placed = zip(constants, numbers, strict=False)
    return NumberingPlan(comment, [ConstantPlan(name, number) for name, number in placed])


def _some(*plans: NumberingPlan) -> list[NumberingPlan]:
    return [plan for plan in plans if plan.constants]
