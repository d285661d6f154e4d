"""Decides whether an entity can have a given mix of components.

A formula is a `where` expression over names. Every entity also obeys `requires` and `excludes`. The
search is exact up to a limit on its effort; beyond that it answers "yes".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from model.data import Component
from model.expressions import Expr, Op
from model.model import Model
from model.refs import Ref

MAX_EFFORT = 20_000  # visited nodes of expressions in one search

Assignment = dict[str, bool]


@dataclass
class Facts:
    """What `requires` and `excludes` guarantee for every entity."""

    requires: dict[str, list[str]] = field(default_factory=dict)
    required_by: dict[str, list[str]] = field(default_factory=dict)
    excludes: dict[str, list[str]] = field(default_factory=dict)  # in both directions


def facts(model: Model) -> Facts:
    found = Facts()
    for component in model.data.components.values():
        for name in _of_tables(model, component, component.rules.requires):
            found.requires.setdefault(component.name, []).append(name)
            found.required_by.setdefault(name, []).append(component.name)
        for name in _of_tables(model, component, component.rules.excludes):
            found.excludes.setdefault(component.name, []).append(name)
            found.excludes.setdefault(name, []).append(component.name)
        _changes(found, component.name)
    for name in model.data.relations:
        _changes(found, name)
        _imply(found, f"leaf({name})", name)
        for one, other in ((f"root({name})", name), (name, f"root({name})")):
            found.excludes.setdefault(one, []).append(other)
    for name in model.data.links:
        _changes(found, f"from({name})")
        _changes(found, f"to({name})")
    return found


def _changes(found: Facts, name: str) -> None:
    _imply(found, f"added({name})", f"changed({name})")
    _imply(found, f"changed({name})", name)


def _imply(found: Facts, one: str, other: str) -> None:
    found.requires.setdefault(one, []).append(other)
    found.required_by.setdefault(other, []).append(one)


def _of_tables(model: Model, component: Component, refs: tuple[Ref, ...]) -> Iterator[str]:
    """Yields required or excluded names. Sparse ones are skipped because they are a mistake."""
    for ref in refs:
        other = model.data.components.get(ref.name)
        if not component.is_sparse and not (other and other.is_sparse):
            yield ref.name


def satisfiable(known: Facts, given: Assignment, expr: Expr | None) -> bool:
    """Returns whether an entity can match `given` and the expression."""
    return _Search(known).possible(given, expr)


class _Search:
    def __init__(self, known: Facts) -> None:
        self._facts = known
        self._effort = 0

    def possible(self, given: Assignment, expr: Expr | None) -> bool:
        start = self._spread({}, given)
        if start is None:
            return False
        stack = [start]
        while stack:
            assignment = stack.pop()
            truth = self._value(expr, assignment) if expr else True
            if truth or self._effort > MAX_EFFORT:
                return True  # all other components may be missing without breaking a guarantee
            if truth is None and expr:
                atom = next(a.atom for a in expr.atoms() if a.atom not in assignment)
                for choice in (False, True):
                    next_one = self._spread(assignment, {atom: choice})
                    if next_one is not None:
                        stack.append(next_one)
        return False

    def _spread(self, assignment: Assignment, new: Assignment) -> Assignment | None:
        """Adds everything that follows from the assignment. Returns None on a contradiction."""
        spread = dict(assignment)
        queue = list(new.items())
        for name, present in queue:
            if spread.get(name, present) is not present:
                return None
            if name in spread:
                continue
            spread[name] = present
            if present:
                queue += [(other, True) for other in self._facts.requires.get(name, ())]
                queue += [(other, False) for other in self._facts.excludes.get(name, ())]
            else:
                queue += [(other, False) for other in self._facts.required_by.get(name, ())]
        return spread

    def _value(self, expr: Expr, assignment: Assignment) -> bool | None:
        """Evaluates the expression. Returns None if the assignment does not decide it."""
        self._effort += 1
        if expr.ref is not None:
            return assignment.get(expr.atom)
        values = [self._value(operand, assignment) for operand in expr.operands]
        if expr.op is Op.NOT:
            return None if values[0] is None else not values[0]
        if expr.op is Op.AND:
            return False if False in values else None if None in values else True
        if expr.op is Op.OR:
            return True if True in values else None if None in values else False
        return None if None in values else values.count(True) % 2 == 1
