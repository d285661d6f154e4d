"""Finds what the order of systems decides about commands and flushes."""

from __future__ import annotations

from model.code import System
from model.graph import closure
from schedule import PhaseSchedule
from schedule.access import Access, Kind, Mode, Resource
from schedule.conflicts import Conflicts, Meeting
from schedule.order import declared_orders

_COMMANDS = Resource(Kind.COMMANDS, "commands")
_RECORDS = Access(_COMMANDS, Mode.ADD, "records")
_APPLIES = Access(_COMMANDS, Mode.WRITE, "applies")


def over_flush(earlier: System, later: System) -> tuple[Meeting, ...]:
    """Returns a meeting if their order decides which commands a flush of one of them applies."""
    if earlier.messages.commands and later.schedule.flush:
        return (Meeting(_RECORDS, _APPLIES),)
    return (
        (Meeting(_APPLIES, _RECORDS),) if earlier.schedule.flush and later.messages.commands else ()
    )


def sees_commands(phase: PhaseSchedule, earlier: System, later: System) -> bool:
    """Returns whether a flush lies between two systems of a phase."""
    segments = [[system.name for system in segment] for segment in phase.segments]
    return not any({earlier.name, later.name} <= {*segment} for segment in segments)


def settles(
    systems: tuple[System, ...], conflicts: Conflicts, earlier: System, later: System
) -> bool:
    """Returns whether the declared order alone decides which of two systems runs first."""
    by_name = {system.name: system for system in systems}
    declared = declared_orders(list(systems))
    followers = {name: sorted(others) for name, others in declared.items()}
    before = {name for name in by_name if earlier.name in closure(followers, name)}
    behind = closure(followers, later.name).keys()
    followers[earlier.name].remove(later.name)
    return any(
        conflicts.between(by_name[one], by_name[other]) or over_flush(by_name[one], by_name[other])
        for one in by_name
        if one in before
        for other in behind - closure(followers, one).keys()
    )
