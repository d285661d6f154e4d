"""Finds the parts of `when` that are always true or always false, and removes them.

Compilers would warn about such comparisons, for example in `game == menu & game == play`.
"""

from __future__ import annotations

from collections.abc import Iterator

from model.code import System
from model.expressions import Expr, Op
from model.model import Model
from model.record import replace
from model.states import possible

ATOMS_MOST = 24  # of a part that is tried; compilers check no larger ones


def decided(model: Model, when: Expr) -> Iterator[tuple[Expr, bool]]:
    """Yields the outermost parts that always have the same value."""
    value = _value(model, when)
    if value is not None:
        yield when, value
        return
    for operand in when.operands:
        yield from decided(model, operand)


def with_simple_whens(model: Model) -> Model:
    """Returns the model of a sound schema without the decided parts."""
    systems = {name: _with_simple(model, one) for name, one in model.code.systems.items()}
    return replace(model, code=replace(model.code, systems=systems))


def _with_simple(model: Model, system: System) -> System:
    when = system.schedule.turn.when
    if when is None:
        return system
    simple = _simple(model, when)
    turn = replace(system.schedule.turn, when=None if isinstance(simple, bool) else simple)
    return replace(system, schedule=replace(system.schedule, turn=turn))


def _simple(model: Model, expr: Expr) -> Expr | bool:
    value = _value(model, expr)
    if value is not None:
        return value
    if expr.ref is not None:
        return expr
    parts = [_simple(model, operand) for operand in expr.operands]
    kept = tuple(part for part in parts if not isinstance(part, bool))
    if expr.op is Op.NOT:
        return expr._replace(operands=kept)
    flips = expr.op is Op.XOR and parts.count(True) % 2 == 1
    left = kept[0] if len(kept) == 1 else expr._replace(operands=kept)
    return Expr(Op.NOT, expr.place, operands=(left,)) if flips else left


def _value(model: Model, expr: Expr) -> bool | None:
    """Returns the constant value of a part; None if it varies, or has too many atoms to try."""
    refs = [ref.name for ref in expr.refs()]
    if len(refs) > ATOMS_MOST or len(refs) == len(set(refs)):  # no name occurs twice
        return None
    if not possible(model, (expr,), {}):
        return False
    never = Expr(Op.NOT, expr.place, operands=(expr,))
    return None if possible(model, (never,), {}) else True
