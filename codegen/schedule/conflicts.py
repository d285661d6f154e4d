"""This module decides whether two systems may run in parallel, and if not, what they meet on.

Two systems conflict over a resource if one of them writes it, or one adds to it what the other
reads, unless they touch different rows:

    values   no row can be among the rows of both: one needs what the other excludes, by `where` or
             by what `requires` and `excludes` promise. A lookup reaches any row.
    bits     no table can have rows of both: one word has the bits of 64 rows, and one system might
             write a word of which the other reads or writes other rows. Change bits are such bits.

Tags in a `where` hold still while it is relied on: a system that writes such a tag conflicts with
both, so it runs while neither does.

Systems whose `when` cannot be true at once conflict over nothing: states change between phases.
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
from schedule.access import BY_HOOKS, Access, Kind, Resource, Rows, accesses


class Meeting(NamedTuple):
    """A resource that an earlier and a later system both touch, and how."""

    earlier: Access
    later: Access

    @property
    def name(self) -> str:
        return self.earlier.resource.name

    @property
    def by_hooks(self) -> bool:
        """Returns whether they meet only if a hook of the game reads what the other one writes."""
        return BY_HOOKS in (self.earlier.verb, self.later.verb)


class Conflicts:
    """Answers for the systems of one model, and remembers its answers."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._facts = facts(model)
        readers = Readers(model)
        self._accesses = {
            system.name: _by_resource(accesses(model, self._facts, readers, system))
            for system in model.code.systems.values()
        }
        bits: dict[Resource, int] = {}
        self._resources = {  # by system, as a set of bits: most pairs have none in common
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
        """Returns meetings of which one has to end before the other begins, whatever the rows are.

        Values of the rows of both are no such meeting, and neither are change bits that both only
        set for them.
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
        """Returns whether a table may have rows of both."""
        ours, theirs = self._rows_of(one), self._rows_of(other)
        return ours is not None and theirs is not None and self._share_table(ours, theirs)

    def _may_meet(self, earlier: str, later: str) -> bool:
        """Returns whether one phase can have turns of both. Only states say that it cannot."""
        whens = self._state_whens
        if earlier not in whens or later not in whens:
            return True
        return possible(self._model, (whens[earlier], whens[later]), {})

    def _rows_of(self, system: System) -> Rows | None:
        """Returns the rows that a system has, None if it has none."""
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
        """Returns whether a row can be among the rows of both."""
        given = dict.fromkeys((*one.needs, *other.needs), True)
        parts = tuple(where for where in (one.where, other.where) if where)
        both = Expr(Op.AND, parts[0].place, operands=parts) if parts else None
        return satisfiable(self._facts, given, both)

    def _may_share_table(self, one: Rows, other: Rows) -> bool:
        """Returns whether both can walk one table. Only certain components count."""
        ours, theirs = self._decided(one), self._decided(other)
        if any(theirs.get(name, has) is not has for name, has in ours.items()):
            return False
        return satisfiable(self._facts, ours | theirs, None)

    def _decided(self, rows: Rows) -> Assignment:
        """Returns the table components that all tables of these rows have, or lack."""
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
    """Yields the systems whose `when` asks for states, and these."""
    for system in model.code.systems.values():
        when = system.schedule.turn.when
        if when and any(atom.op is Op.IS for atom in when.atoms()):
            yield system.name, when


def _in_own_rows(access: Access) -> bool:
    """Returns whether it is about values, or change bits, of a system's own rows and no others."""
    kinds = (Kind.VALUES, Kind.CHANGED)
    return access.resource.kind in kinds and access.rows is not None and not access.query


def _by_resource(found: tuple[Access, ...]) -> dict[Resource, list[Access]]:
    grouped: dict[Resource, list[Access]] = {}
    for access in found:
        grouped.setdefault(access.resource, []).append(access)
    return grouped
