"""A system has its turn when its schema says so, by an expression in C."""

from __future__ import annotations

import re

from model.code import System
from model.expressions import Expr, Op
from model.record import record
from model.states import once_in
from names.names import Names
from plan.common import Common
from plan.periods import period_of
from plan.singletons import due_flag

_IN_C = {Op.AND: " && ", Op.OR: " || ", Op.XOR: " ^ "}  # of bools, by the operators of schemas
_JOINS = (Op.AND, Op.OR)  # comparisons stand beside these without ( )

OPERAND = re.compile(r"!*[\w>.-]*(\([^()]*\))?")


@record
class Turn:
    """Tells when the turn of a system comes, as far as clocks and switches do not."""

    when: str  # C expression, as an operand; "": always
    due: str  # the flag that its turn clears, "" if there is none
    period: str  # initialiser of how its clock counts; "": in seconds, or it has no clock


def turn_of(common: Common, system: System) -> Turn:
    flag = due_flag(system)
    period = period_of(common.model.world.ticks.step, system.schedule.turn)
    return Turn(_when(common, system), f"w->{flag}" if flag else "", period)


def _when(common: Common, system: System) -> str:
    """Returns the C expression that lets the turn of a system come, "" if it always does."""
    due = f"w->{due_flag(system)}" if once_in(system) else ""
    when = _asks(common, system, system.schedule.turn.when) if system.schedule.turn.when else due
    if due and system.schedule.turn.when:
        when = f"{due} && {_wrapped(when)}"
    if when and common.model.world.ticks.run_systems:
        when = f"w->weft_alone || {_wrapped(when)}"
    return _wrapped(when)


def _wrapped(condition: str) -> str:
    """Returns an expression as an operand: in ( ), unless it is a member, a call or negated."""
    return condition if OPERAND.fullmatch(condition) else f"({condition})"


def _asks(common: Common, system: System, when: Expr) -> str:
    changes = common.changes
    unseen = {
        view.watch.component: f"weft_singleton_unseen(world, {changes.constant(view.unseen)}, "
        f"{changes.constant(view.incoming)})"
        for view in changes.readers.of(system.name, False)
    }
    atoms = {atom.atom: _is(common.names, atom) for atom in when.atoms() if atom.op is Op.IS}
    atoms |= {f"changed({name})": flags for name, flags in unseen.items()}
    return _in_c(when, atoms)


def _is(names: Names, atom: Expr) -> str:
    assert atom.ref is not None and atom.value is not None
    value = names.enum_value(atom.ref.name, atom.value.name)
    return f"w->{atom.ref.name}.now == {value}"


def _in_c(when: Expr, atoms: dict[str, str]) -> str:
    """Writes an expression in C."""
    if when.ref is not None:
        return atoms[when.atom]
    parts = []
    for operand in when.operands:
        part, compares = _in_c(operand, atoms), operand.op is Op.IS and when.op not in _JOINS
        parts.append(f"({part})" if compares or len(operand.operands) > 1 else part)
    return f"!{parts[0]}" if when.op is Op.NOT else _IN_C[when.op].join(parts)
