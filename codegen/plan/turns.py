"""Plans when a system has its turn: by clocks, switches, states and changes."""

from __future__ import annotations

import re

from model.code import System
from model.expressions import Expr, Op
from model.record import replace
from model.states import once_in
from names.names import Names
from plan import text
from plan.common import Common
from plan.periods import period_of
from plan.records.system import (
    AlonePlan,
    ClockPlan,
    EdgesPlan,
    RunFunctions,
    SwitchPlan,
    TurnsPlan,
    UsedPlan,
)
from plan.singletons import due_flag

_IN_C = {Op.AND: " && ", Op.OR: " || ", Op.XOR: " ^ "}  # of bools, by the operators of schemas
_JOINS = (Op.AND, Op.OR)  # operators whose operands need no parentheses if they are comparisons

OPERAND = re.compile(r"!*[\w>.-]*(\([^()]*\))?")


def make_turns(
    common: Common, system: System, used: UsedPlan, edges: EdgesPlan | None
) -> TurnsPlan:
    names, turn = common.names, system.schedule.turn
    reach = system.reach
    turns = TurnsPlan(
        phase=system.schedule.phase.name,
        clock=_clock(common, system),
        when=_when(common, system),
        # Other clocks continue from the last turn.
        stands_still=turn.every is None
        or turn.when is None
        or all(atom.op is Op.IS for atom in turn.when.atoms()),
        due=due_flag(system) or "",
        resources=[ref.name for ref in (*reach.resources.read, *reach.resources.write)],
        indexes=[names.number("index", ref.name) for ref in reach.indexes],
        switch=_switch(system, names),
        alone=_alone(common, system) if common.model.world.ticks.run_systems else None,
        edges=edges,
        functions=RunFunctions(run=names.local("run", system.name)),
    )
    parts = _parts(system, names, turns, used) if system.loop.parallel else turns.functions
    return replace(turns, functions=parts)


def _parts(system: System, names: Names, turns: TurnsPlan, used: UsedPlan) -> RunFunctions:
    """Names the functions of a parallel system. Two of them are "" if they have nothing to do."""
    listens = bool(used.reader or used.hears)
    begins = turns.reads_world or turns.when or turns.indexes or system.loop.tree.order or listens
    ends = used.tags_written or turns.edges or turns.due or listens
    return RunFunctions(
        begin=names.local("begin", system.name) if begins else "",
        part=names.local("part", system.name),
        end=names.local("end", system.name) if ends else "",
    )


def _clock(common: Common, system: System) -> ClockPlan | None:
    turn = system.schedule.turn
    if turn.every is None:
        return None
    return ClockPlan(
        constant=common.names.number("clock", system.name),
        every=text.float_literal(turn.every, "f64"),
        period=period_of(common.model.world.ticks.step, turn),
    )


def _switch(system: System, names: Names) -> SwitchPlan | None:
    if not system.schedule.turn.switch:
        return None
    saved = system.schedule.turn.switch == "saved"
    return SwitchPlan(
        constant=names.number("switch", system.name),
        switch=names.system(system.name, "switch"),
        is_on=names.system(system.name, "is_on"),
        saved=saved,
        words="Saves and hashes contain the switch."
        if saved
        else "Saves and hashes do not contain the switch.",
    )


def _alone(common: Common, system: System) -> AlonePlan:
    phases, turn = [phase.name for phase in common.model.world.phases], system.schedule.turn
    words = f"Runs only {system.name}, as if its phase had no other system."
    if turn.every is not None:
        words += " It runs only if it is due then."
    if turn.switch:
        words += " It runs even if it is switched off."
    if turn.when:
        words += " Its `when` is not tested."
    if once_in(system):
        words += " It runs even if it is not due."
    return AlonePlan(
        function=common.names.system(system.name, "run"),
        phase=phases.index(system.schedule.phase.name),
        comment=words,
        skips_when=bool(turn.when or once_in(system)),
    )


def _when(common: Common, system: System) -> str:
    """Returns the C condition of the turns of a system, or "" if there is none."""
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
