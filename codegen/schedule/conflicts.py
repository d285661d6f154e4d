"""Decides whether two systems may run in parallel, and otherwise what they conflict over.

Two systems conflict over a resource if one writes it, or if one adds to it and the other reads it,
unless they use different rows:

    values   No row can belong to both: one needs what the other excludes, by `where` or by
             `requires` and `excludes`. A lookup may use any row.

    bits     No table can have rows of both. One word contains the bits of 64 rows, so a system
             might write a word while the other reads or writes other rows in it. Change bits are
             such bits.

The tags in a `where` must not change while a system relies on them. A system that writes such a tag
conflicts with that system anyway, so they never run at the same time.

Systems whose `when` cannot be true at the same time never conflict, because states change only
between phases.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from model.code import System
from model.expressions import Expr, Op
from model.model import Model
from model.readers import Readers
from model.satisfy import Assignment, facts, satisfiable
from model.states import possible
from model.trees import with_relation_tags
from schedule.access import BY_HOOKS, Access, Kind, Resource, Rows, accesses


class Meeting(NamedTuple):
    """A resource that an earlier and a later system use, and how."""

    earlier: Access
    later: Access

    @property
    def name(self) -> str:
        return self.earlier.resource.name

    @property
    def by_hooks(self) -> bool:
        """Returns whether they conflict only if a hook reads what the other system writes."""
        return BY_HOOKS in (self.earlier.verb, self.later.verb)


class Conflicts:
    """Finds conflicts between the systems of one model. Answers are cached."""

    def __init__(self, model: Model) -> None:
        model = with_relation_tags(model)
        self._model = model
        self._facts = facts(model)
        readers = Readers(model)
        self._accesses = {
            system.name: _by_resource(accesses(model, self._facts, readers, system))
            for system in model.code.systems.values()
        }
        bits: dict[Resource, int] = {}
        self._resources = {  # by system, as a set of bits, because most pairs share none
            name: sum(1 << bits.setdefault(resource, len(bits)) for resource in by_resource)
            for name, by_resource in self._accesses.items()
        }
        self._share_row = cache(self._may_share_row)
        self._share_table = cache(self._may_share_table)
        self._state_whens = dict(_state_whens(model))

    def between(self, earlier: System, later: System) -> tuple[Meeting, ...]:
        """Returns one meeting for each resource that two systems conflict over."""
        one, other = earlier.name, later.name
        if not self._resources[one] & self._resources[other] or not self._may_meet(one, other):
            return ()
        theirs = self._accesses[other]
        found = (
            self._meeting(ours, theirs[resource])
            for resource, ours in self._accesses[one].items()
            if resource in theirs
        )
        return tuple(meeting for meeting in found if meeting)

    def across_rows(self, earlier: System, later: System) -> tuple[Meeting, ...]:
        """Returns the meetings that order two systems even if they process the same rows.

        A meeting does not order them if both use values only in their own rows, or if both only set
        change bits for them.
        """
        theirs = self._accesses[later.name]
        return tuple(
            Meeting(one, other)
            for resource, ours in self._accesses[earlier.name].items()
            for one in ours
            for other in theirs.get(resource, [])
            if one.mode.meets(other.mode)
            and self._same_rows(one, other)
            and not (_in_own_rows(one) and _in_own_rows(other))
        )

    def calls_hooks(self, system: System) -> bool:
        return any(resource.kind is Kind.HOOKS for resource in self._accesses[system.name])

    def share_table(self, one: System, other: System) -> bool:
        """Returns whether a table may have rows of both systems."""
        ours, theirs = self._rows_of(one), self._rows_of(other)
        return ours is not None and theirs is not None and self._share_table(ours, theirs)

    def _may_meet(self, earlier: str, later: str) -> bool:
        """Returns whether both may run in the same phase. Only states can exclude this."""
        whens = self._state_whens
        if earlier not in whens or later not in whens:
            return True
        return possible(self._model, (whens[earlier], whens[later]), {})

    def _rows_of(self, system: System) -> Rows | None:
        """Returns the rows of a system, or None if it has none."""
        own = (a for found in self._accesses[system.name].values() for a in found if not a.query)
        return next((access.rows for access in own if access.rows is not None), None)

    def _meeting(self, ours: list[Access], theirs: list[Access]) -> Meeting | None:
        for one in ours:
            for other in theirs:
                if one.mode.meets(other.mode) and self._same_rows(one, other):
                    return Meeting(one, other)
        return None

    def _same_rows(self, one: Access, other: Access) -> bool:
        if one.rows is None or other.rows is None:
            return True
        if one.resource.kind in (Kind.BITS, Kind.ADDED, Kind.CHANGED):
            return self._share_table(one.rows, other.rows)
        return self._share_row(one.rows, other.rows)

    def _may_share_row(self, one: Rows, other: Rows) -> bool:
        """Returns whether a row can belong to both."""
        given = dict.fromkeys((*one.needs, *other.needs), True)
        parts = tuple(where for where in (one.where, other.where) if where)
        both = Expr(Op.AND, parts[0].place, operands=parts) if parts else None
        return satisfiable(self._facts, given, both)

    def _may_share_table(self, one: Rows, other: Rows) -> bool:
        """Returns whether both may visit the same table, as far as the needed components decide
        it.
        """
        ours, theirs = self._decided(one), self._decided(other)
        if any(theirs.get(name, has) is not has for name, has in ours.items()):
            return False
        return satisfiable(self._facts, ours | theirs, None)

    def _decided(self, rows: Rows) -> Assignment:
        """Returns the table components that all tables of these rows have or lack."""
        where = rows.where
        parts = where.operands if where and where.op is Op.AND else (where,) if where else ()
        known = dict.fromkeys(rows.needs, True)
        for part in parts:
            atom = part.operands[0] if part.op is Op.NOT else part
            if atom.op is Op.HAS and atom.ref:
                known.setdefault(atom.ref.name, part.op is Op.HAS)
        components = self._model.data.components
        return {n: has for n, has in known.items() if n in components and components[n].is_table}


def _state_whens(model: Model) -> Iterator[tuple[str, Expr]]:
    """Yields each system whose `when` depends on states, with that `when`."""
    for system in model.code.systems.values():
        when = system.schedule.turn.when
        if when and any(atom.op is Op.IS for atom in when.atoms()):
            yield system.name, when


def _in_own_rows(access: Access) -> bool:
    """Returns whether it uses values or change bits of the system's own rows only."""
    kinds = (Kind.VALUES, Kind.CHANGED)
    return access.resource.kind in kinds and access.rows is not None and not access.query


def _by_resource(found: tuple[Access, ...]) -> dict[Resource, list[Access]]:
    grouped: dict[Resource, list[Access]] = {}
    for access in found:
        grouped.setdefault(access.resource, []).append(access)
    return grouped
