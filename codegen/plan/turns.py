"""A system has its turn when its schema says so, by an expression in C."""

from __future__ import annotations

from dataclasses import dataclass

from model.code import System
from model.expressions import Expr, Op
from model.states import once_in
from names.names import Names
from plan.common import Common
from plan.singletons import due_flag

_IN_C = {Op.AND: " && ", Op.OR: " || ", Op.XOR: " ^ "}  # of bools, by the operators of schemas


@dataclass(frozen=True)
class Turn:
    """Tells when the turn of a system comes, as far as clocks and switches do not."""

    when: str  # C expression; "": always
    due: str  # the flag that its turn clears, "" if there is none


def _world(names: Names) -> str:
    return f"(({names.world('world')} *)world)"


def turn_of(common: Common, system: System) -> Turn:
    flag = due_flag(system)
    return Turn(_when(common, system), f"{_world(common.names)}->{flag}" if flag else "")


def _when(common: Common, system: System) -> str:
    """Returns the C expression that lets the turn of a system come, "" if it always does."""
    parts = [f"{_world(common.names)}->{due_flag(system)}"] if once_in(system) else []
    parts += [_asks(common, system, system.when)] if system.when else []
    if not parts:
        return ""
    when = parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"
    if common.model.world.run_systems:
        when = f"({_world(common.names)}->weft_alone || {when})"
    return when


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
    return f"({_world(names)}->{atom.ref.name}.now == {value})"


def _in_c(when: Expr, atoms: dict[str, str]) -> str:
    """Writes an expression in C, so that a `!` may stand before it."""
    if when.ref is not None:
        return atoms[when.atom]
    parts = [_in_c(operand, atoms) for operand in when.operands]
    return f"!{parts[0]}" if when.op is Op.NOT else f"({_IN_C[when.op].join(parts)})"
