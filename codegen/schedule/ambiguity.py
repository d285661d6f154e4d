"""Finds systems that conflict without any chain of `after` and `before` between them.

Conflicts over hooks do not count, because the schema does not say what hooks read.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.code import System
from model.graph import closure
from model.model import Model
from model.refs import Ref
from schedule import Wait
from schedule.conflicts import Conflicts
from schedule.flushes import over_flush
from schedule.order import declared_orders, one_by_one


def to_settle(model: Model) -> Iterator[Wait]:
    """Yields ambiguous pairs. If all of them are ordered, no ambiguous pair is left.

    Pairs in `ambiguous_with` are skipped, and order nothing.
    """
    conflicts = Conflicts(model)
    for phase in dict.fromkeys(phase.name for phase in model.world.phases):
        systems = [
            system for system in model.code.systems.values() if system.schedule.phase.name == phase
        ]
        yield from _to_settle_among(systems, conflicts)


def _to_settle_among(systems: list[System], conflicts: Conflicts) -> Iterator[Wait]:
    ordered, declared = one_by_one(systems), declared_orders(systems)
    # for each system the set of systems that are ordered before it, as bits
    precede: list[int] = []
    for i, later in enumerate(ordered):
        before = 0
        for j, earlier in enumerate(ordered[:i]):
            if later.name in declared[earlier.name]:
                before |= precede[j] | 1 << j
        for j in reversed(range(i)):
            if before >> j & 1:
                continue
            wait = _conflict(conflicts, ordered[j], later)
            if wait and not is_meant(ordered[j], later):
                yield wait
                before |= precede[j] | 1 << j
        precede.append(before)


def is_meant(one: System, other: System) -> bool:
    """Returns whether one of them allows either order by `ambiguous_with`."""
    return other.name in {ref.name for ref in one.schedule.ambiguous_with} or one.name in {
        ref.name for ref in other.schedule.ambiguous_with
    }


def needless(model: Model) -> Iterator[tuple[System, Ref]]:
    """Yields items of `ambiguous_with` whose pair is not ambiguous."""
    naming = [system for system in model.code.systems.values() if system.schedule.ambiguous_with]
    if not naming:
        return
    conflicts = Conflicts(model)
    declared = declared_orders(list(model.code.systems.values()))
    orders = {name: sorted(later) for name, later in declared.items()}
    for system in naming:
        for ref in system.schedule.ambiguous_with:
            other = model.code.systems.get(ref.name)
            if not other or other is system:
                continue
            in_order = other.name in closure(orders, system.name) or system.name in closure(
                orders, other.name
            )
            apart = system.schedule.phase.name != other.schedule.phase.name
            if apart or in_order or not _conflict(conflicts, system, other):
                yield system, ref


def _conflict(conflicts: Conflicts, earlier: System, later: System) -> Wait | None:
    meetings = conflicts.between(earlier, later) + over_flush(earlier, later)
    by_hooks = all(meeting.by_hooks for meeting in meetings)
    return None if by_hooks else Wait(earlier, later, meetings, declared=False)
